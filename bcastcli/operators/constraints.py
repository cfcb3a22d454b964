"""Constraints other than equal sizes: indices, pads, windows.

Each function yields why the shapes of an operator's inputs are impossible, or raises Unknown if
that is undecided.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest

from bcastcli.core.shapes import written
from bcastcli.core.wording import axes
from bcastcli.operators.facts import Clash, Dims, Facts


def _split(facts: Facts) -> Iterator[Clash]:
    """A number of equal parts, of which the last may be smaller; onnx checks all others."""
    axis = facts.axis(0, len(facts.shape(0)))
    size, count = facts.size(0, axis), facts.attributes["num_outputs"]
    if facts.outputs and count != facts.outputs:
        yield Clash(f"there are {count} parts, but {facts.outputs} outputs", axis, (0,))
    elif -(-size // count) * (count - 1) > size:
        yield facts.clash(0, axis, f", which cannot be split into {count} parts")


def _in_range(facts: Facts, indices: Sequence[int] | None, axis: int) -> Iterator[Clash]:
    """A clash if values of the second input are not indices of an axis of the first."""
    size = facts.shape(0)[axis]
    if isinstance(size, int) and indices:
        worst = max(*indices, ~min(indices))
        if worst >= size:
            shown = worst if worst in indices else ~worst
            text = f"index {shown} is out of range for {facts.names[0]}, which has {size}"
            yield Clash(f"{text} on axis {axis}", axis, (0, 1))


def _gather(facts: Facts) -> Iterator[Clash]:
    axis = facts.axis(0, len(facts.shape(0)))
    yield from _in_range(facts, facts.value(1), axis)


def _elements_by_index(facts: Facts) -> Iterator[Clash]:
    """GatherElements and ScatterElements: indices have the axes of the array that they index."""
    given, indices = facts.shape(0), facts.shape(1)
    if len(given) != len(indices):
        yield Clash(f"{facts.has_axes(0)}, but {facts.has_axes(1)}", operands=(0, 1))
        return
    axis = facts.axis(0, len(given))
    for other, (size, its) in enumerate(zip(given, indices, strict=True)):
        if other != axis and isinstance(size, int) and isinstance(its, int) and its > size:
            yield facts.clash(1, other, f", but {facts.names[0]} has {size}", 0)
    yield from _in_range(facts, facts.value(1), axis)


def _by_tuples(facts: Facts) -> Iterator[Clash]:
    """GatherND and ScatterND: the last axis of the indices holds an index for each axis."""
    given, indices = facts.shape(0), facts.shape(1)
    after = facts.attributes.get("batch_dims", 0) + facts.size(1, -1)
    if after > len(given):
        yield facts.clash(1, -1, f", but {facts.has_axes(0)}", 0)
        return
    wanted, needs = [*indices[:-1], *given[after:]], f"{facts.names[0]} with {facts.names[1]} needs"
    for axis, (size, its) in enumerate(zip_longest(facts.shape(2), wanted)):
        if size is None or its is None:
            yield Clash(f"{facts.has_axes(2)}, but {needs} {len(wanted)}", operands=(2, 0, 1))
        elif isinstance(size, int) and isinstance(its, int) and size != its:
            yield facts.clash(2, axis, f", but {needs} {its}", 0, 1)


def _squeeze(facts: Facts) -> Iterator[Clash]:
    given = facts.shape(0)
    for typed in facts.numbers("axes", 1):
        axis = facts.counted(typed, len(given))
        if isinstance(given[axis], int) and given[axis] != 1:
            yield facts.clash(0, axis, ", but only axes of size 1 can be removed")


def _top_k(facts: Facts) -> Iterator[Clash]:
    axis = facts.axis(-1, len(facts.shape(0)))
    [count] = facts.numbers("k", 1)
    if count > facts.size(0, axis):
        yield facts.clash(0, axis, f", but k is {count}")


def _pad(facts: Facts) -> Iterator[Clash]:
    given, pads = facts.shape(0), facts.numbers("pads", 1)
    if len(pads) != 2 * len(given):
        return  # onnx refuses it, unless the pads are for some axes
    mode = facts.attributes.get("mode", "constant")
    for axis, (size, *both) in enumerate(zip(given, pads, pads[len(given) :], strict=False)):
        if not isinstance(size, int) or not any(both):
            continue
        # Other modes copy elements, so that one has to be left.
        removed = both if mode == "constant" else [min(each, 0) for each in both]
        left = size + sum(removed)
        leave = f"leave {left}" if left < (mode != "constant") else ""
        if not leave and mode == "reflect" and max(both) >= left:
            leave = "are too large for mode reflect"
        if leave:
            yield facts.clash(0, axis, f", but pads of {both[0]} and {both[1]} {leave}")


def _windows(facts: Facts) -> Iterator[Clash]:
    """Convolutions and pools: the window has an axis for each of the input behind channels."""
    given = facts.shape(0)
    is_conv = "Conv" in facts.operator
    place = 3 if facts.operator == "QLinearConv" else 1
    window: Dims = facts.attributes.get("kernel_shape") or facts.shape(place)[2:]
    count = len(window)
    if count != len(given) - 2:
        needed = f"a window of {axes(count)} needs {count + 2}"
        yield Clash(f"{facts.has_axes(0)}, but {needed}", operands=(0,))
        return
    own = facts.shape(place)[2:] if is_conv else window
    pairs = zip(window, own, strict=False)
    if is_conv and any(isinstance(its, int) and its not in (size, "?") for size, its in pairs):
        text = f"kernel_shape is {written(window)}, but {facts.names[place]} has {written(own)}"
        yield Clash(text, operands=(place,))
    padding = facts.attributes.get("auto_pad", "NOTSET")
    if padding != "NOTSET" and facts.attributes.get("pads"):
        yield Clash(f"pads and auto_pad={padding} cannot be combined", operands=(0,))
    if not padding.startswith("SAME"):
        yield from _too_wide(facts, window)


def _running(facts: Facts) -> Iterator[Clash]:
    """CumSum and CumProd: the axis, an input, is one of the array."""
    [axis] = facts.numbers("axis", 1)
    facts.counted(axis, len(facts.shape(0)))
    yield from ()


def _too_wide(facts: Facts, window: Dims) -> Iterator[Clash]:
    """The axes on which a window is too wide, or a transposed one has an empty result."""
    given, count = facts.shape(0), len(window)
    pads = facts.attributes.get("pads", [0] * 2 * count)
    dilations = facts.attributes.get("dilations", [1] * count)
    strides = facts.attributes.get("strides", [1] * count)
    added = facts.attributes.get("output_padding", [0] * count)
    # ONNX Runtime runs a pool whose window is a little too large: the result is empty.
    is_pool = "Conv" not in facts.operator
    for n, (size, wide) in enumerate(zip(given[2:], window, strict=True)):
        if not isinstance(size, int) or not isinstance(wide, int):
            continue
        axis, whole, both = n + 2, (wide - 1) * dilations[n] + 1, pads[n] + pads[n + count]
        made = (size - 1) * strides[n] + whole + added[n]
        if facts.operator != "ConvTranspose":
            if whole - size - both > (2 * strides[n] - 1 if is_pool else 0):
                text = f"{facts.names[0]} has {size + both} on axis {axis} with its padding"
                yield Clash(f"{text}, but the window needs {whole}", axis, (0,))
        elif added[n] >= max(strides[n], dilations[n]):
            text = f"output_padding is {added[n]} on axis {axis}, but must be less than the "
            yield Clash(f"{text}stride or the dilation", axis, (0,))
        elif made <= both and not facts.attributes.get("output_shape"):
            yield Clash(f"the result has {made} on axis {axis}, but its pads remove {both}", axis)


_OPERATORS: Mapping[Callable[[Facts], Iterator[Clash]], str] = {
    _by_tuples: "GatherND ScatterND",
    _elements_by_index: "GatherElements ScatterElements",
    _gather: "Gather",
    _pad: "Pad",
    _running: "CumProd CumSum",
    _split: "Split",
    _squeeze: "Squeeze",
    _top_k: "TopK",
    _windows: "AveragePool LpPool MaxPool Conv ConvInteger ConvTranspose QLinearConv "
    "com.microsoft::FusedConv",
}
CONSTRAINTS = {name: check for check, names in _OPERATORS.items() for name in names.split()}
"""The check of each operator."""
