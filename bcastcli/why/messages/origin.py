"""The origin of a message: the user's line above it, and the operands' names in that line."""

import re
from collections.abc import Sequence
from functools import partial

from bcastcli.why.messages import operands
from bcastcli.why.messages.frames import Frame, frames
from bcastcli.why.messages.reading import MATMUL, Fault, Origin, Reading

_FRAMEWORKS = {"numpy", "torch", "jax", "tensorflow", "paddle", "cupy", "dask", "mlx"}
"""The frameworks whose messages show operands in the order of the line of source."""
_OWN_PRODUCTS = {"torch", "mlx"}
"""Those whose products write the words of other operations too."""
_TO_A_TARGET = {("target", "source"), ("target", "tensor"), ("indexed", "value")}
_PRODUCTS = {
    *(("A", "B"), ("a", "b"), ("X", "Y"), ("lhs", "rhs")),
    *(("mat1", "mat2"), ("batch1", "batch2")),
}
_ELEMENTWISE = {("A", "B"), ("A", "B", "C"), ("A", "B", "out"), ("a", "b"), ("X", "Y"), ("x", "y")}
_OF_A_PART = re.compile(r"\.at\[|\] *=[^=]")
"""An assignment to a part, of which MLX shows the value first, in the words of an addition."""
_FUNCTIONS = {"relu", "print", "len", "float", "int", "sum", "mean", "softmax", "sigmoid", "tanh"}
"""Functions that are hardly layers."""
_METHODS = {"flatten", "view", "reshape", "squeeze", "mean", "transpose", "permute", "to", "size"}
"""Those that tensors have."""
_LINEAR = "torch/nn/modules/linear.py"
_REVERSED = ("operand 1", "operand 0")
_ALIKE = {
    "addv2": "add",
    "subtract": "sub",
    **dict.fromkeys(("mult", "multiply"), "mul"),
    **dict.fromkeys(("divide", "true_divide", "realdiv"), "div"),
    "power": "pow",
}
"""Names of operations in messages and in source, and the one that they share."""


def of_reading(reading: Reading, before: str) -> Reading:
    """A reading with the user's line and its names, given the raw text before its message."""
    stack = _frames(before)
    if not stack:
        return reading
    frame, *between = stack
    origin = _origin(frame)
    origin = origin._replace(names=_names(reading, frame, [each.function for each in between]))
    if any(each.file.replace("\\", "/").endswith(_LINEAR) for each in between):
        call = operands.call(frame, lambda it: _may_raise(it, ["layer"], between))
        origin = origin._replace(layer=call.callee if call and "(" not in call.callee else "")
    return reading._replace(origin=origin)


def of_fault(fault: Fault, before: str) -> Fault:
    """A fault with the user's line, and the names that its operands have there."""
    stack = _frames(before)
    if not stack or fault.known is None:
        return fault
    frame, *between = stack
    message, known = fault.known
    fault = fault._replace(origin=_origin(frame))
    call = operands.call(frame, lambda it: _may_raise(it, message.calls, between))
    if call is None:
        return fault
    roles = message.roles(known).items()
    selected = {field: _selected(call, selector) for field, (selector, _) in roles}
    names = {field: name for field, name in selected.items() if name}
    if len({*names.values()}) < len(names):
        return fault
    text, cure = message.worded(known, names)
    return fault._replace(text=text, cure=cure)


def _frames(before: str) -> Sequence[Frame]:
    """The user's frame of the last error in a text, and those of libraries that it called."""
    stack = frames(before)
    users = [number for number, frame in enumerate(stack) if not frame.is_installed]
    users = users or [number for number, frame in enumerate(stack) if not frame.is_library]
    return stack[users[-1] :] if users else ()


def _origin(frame: Frame) -> Origin:
    """The user's line, without names."""
    return Origin(frame.file, frame.line, frame.source.rstrip(" \\"))


def _may_raise(call: operands.Operation, calls: Sequence[str], between: Sequence[Frame]) -> bool:
    """Whether a call may have raised an error, given the frames of libraries below it."""
    if call.name in calls or ("any" in calls and call.callee):
        called = [frame.function for frame in between]
        is_wrapped = bool(called) and operands.WRAPPERS.fullmatch(called[0]) is not None
        return not called or call.name in called[:3] or is_wrapped
    if "layer" not in calls or not call.callee or call.name in _FUNCTIONS:
        return False
    is_own = call.callee.startswith("self.")
    if call.callee.startswith(("torch.", "F.")) or (call.name in _METHODS and not is_own):
        return False
    # A layer's own frames alone: the input of a model is not that of the layers in it.
    files = {frame.file.replace("\\", "/").partition("torch/nn/")[2] for frame in between}
    files -= {"modules/module.py", "functional.py"}
    return len(files) == 1 and not {"", "modules/container.py"} & files


def _selected(call: operands.Operation, selector: str) -> str:
    """The part of a call that a selector stands for; empty if it has none."""
    what, _, number = selector.partition(" ")
    if what == "callee":
        return call.callee
    parts = {"input": call.inputs, "argument": (*call.owner, *call.inputs)}.get(what, call.items)
    is_pair = what != "pair" or len(parts) == 2
    return parts[int(number)] if is_pair and int(number) < len(parts) else ""


def _names(reading: Reading, frame: Frame, called: Sequence[str]) -> tuple[str, ...] | None:
    """The user's name of each operand of a reading, None if one is not certain."""
    if not {*reading.framework} <= _FRAMEWORKS or not frame.source:
        return None
    framework = reading.framework[0]
    names: tuple[str, ...] | None = None
    if framework == "mlx" and _OF_A_PART.search(frame.source):
        return None
    if reading.names in _TO_A_TARGET:
        names = None if called else operands.arrays_of(frame, "[]=")
    elif reading.names == ("output", "result"):
        output = operands.output(frame)
        names = (*output, "result") if output else None
    elif "index arrays" in reading.caveats:
        names = operands.arrays_of(frame, "[]")
    elif reading.rule == MATMUL:
        named = operands.operation(frame, called, operands.PRODUCTS.__contains__)
        names = _of_product(reading.names, named) if named else None
    elif reading.rule == "numpy" and reading.names in _ELEMENTWISE:
        names = _of_both(reading, framework, frame, called)
    return names if names and len(names) == len(reading.names) else None


def _of_both(
    reading: Reading, framework: str, frame: Frame, called: Sequence[str]
) -> tuple[str, ...] | None:
    """The names of operands that both stretch."""
    operation = (reading.operation or "").lower()
    named = operands.operation(frame, called, partial(_is_meant, framework, operation))
    if named is None or framework != "numpy":
        return named.operands if named else None
    # NumPy shows the output of an operation in place as a further operand.
    has_output = reading.names[-1] == "out"
    if named.is_in_place != has_output:
        return None
    return (*named.operands, "out") if has_output else named.operands


def _of_product(names: Sequence[str], named: operands.Operation) -> tuple[str, ...] | None:
    """The names of the operands of a product in the order of its message."""
    left, right = named.operands
    if names == _REVERSED:
        return right, left
    if names not in _PRODUCTS:
        return None
    # PyTorch exchanges a matrix and a stack of matrices, and transposes them.
    is_kept = names[0] != "mat1" or named.name == "mm" or right.endswith((".T", ".t()"))
    return named.operands if is_kept else None


def _is_meant(framework: str, operation: str, kind: str) -> bool:
    """Whether a message of an operation may be about one of this kind."""
    if operation:
        name = kind.lower()
        return _ALIKE.get(name, name) == _ALIKE.get(operation, operation)
    return framework in _OWN_PRODUCTS or kind not in operands.PRODUCTS
