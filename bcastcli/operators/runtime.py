"""Notes on where ONNX Runtime parts from onnx's shape inference."""

from collections.abc import Iterator

from bcastcli.core.rule import Note, Options
from bcastcli.core.shapes import Shape

_POOLS = ("AveragePool", "LpPool", "MaxPool")


def notes_on_result(operator: str, given: Shape, result: Shape, options: Options) -> Iterator[Note]:
    """Notes on a result of onnx, for the first input and the attributes."""
    if operator == "NonZero" and given == ():
        yield Note("engine", "ONNX Runtime gives 1,? for a scalar")
    if operator == "LRN" and len(given) != 4:
        yield Note("engine", "ONNX Runtime refuses this: its LRN takes four axes")
    if operator in _POOLS and options.get("ceil_mode"):
        yield from _windows_in_padding(given, result, options)


def _windows_in_padding(given: Shape, result: Shape, options: Options) -> Iterator[Note]:
    pads, strides = options.get("pads"), options.get("strides")
    for axis in range(2, len(given)):
        size, made = given[axis], result[axis]
        before = pads[axis - 2] if isinstance(pads, tuple) else 0
        stride = strides[axis - 2] if isinstance(strides, tuple) else 1
        is_known = isinstance(size, int) and isinstance(made, int)
        if is_known and (int(made) - 1) * stride >= int(size) + before:
            text = f"ONNX Runtime gives {int(made) - 1} on axis {axis}"
            yield Note("engine", f"{text}: it leaves out a window that starts in the padding")


def notes_on_refusal(operator: str, given: Shape) -> Iterator[Note]:
    """Notes on inputs that onnx refuses."""
    if given == () and operator.startswith(("Reduce", "Arg")):
        yield Note("engine", "ONNX Runtime accepts this: it ignores the axes of a scalar")
