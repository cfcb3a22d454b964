"""Sequences of tensors, for which onnx's inference loses the shapes."""

from collections.abc import Iterator, Mapping
from typing import Any

from bcastcli.model.inference.protos import UNKNOWN, Dims, shape, typed

OPERATORS = frozenset({"ConcatFromSequence", "SequenceAt", "SequenceConstruct", "SplitToSequence"})
_MOST_PIECES = 1024


def elements_of(sequence: str, types: Mapping[str, Any]) -> list[str]:
    """Return the names under which the types of a sequence's tensors are; empty if unknown."""
    found: list[str] = []
    while _element(sequence, len(found)) in types:
        found.append(_element(sequence, len(found)))
    return found


def _element(sequence: str, place: int) -> str:
    return f"{sequence} [{place}]"


def infer(
    node: Any, types: dict[str, Any], constants: Mapping[str, Any], given: Mapping[str, Any]
) -> None:
    """Add the types of the tensors of a sequence, or of a tensor that is made of them."""
    [first, *_], [output, *_] = node.input, node.output
    if node.op_type == "SequenceConstruct":
        if all(name in types for name in node.input):
            types |= {_element(output, n): types[name] for n, name in enumerate(node.input)}
    elif node.op_type == "SplitToSequence":
        for place, sizes in enumerate(_pieces(node, types, constants, given)):
            types[_element(output, place)] = typed(None, sizes, types[first])
    elif names := elements_of(first, types):
        shapes = [shape(types[name]) for name in names]
        if node.op_type == "SequenceAt":
            index = constants.get(node.input[1])
            if index is not None:
                types[output] = types[names[int(index)]]
            elif all(each == shapes[0] for each in shapes):
                types[output] = types[names[0]]
        elif joined := _joined([each for each in shapes if each is not None], given):
            types[output] = typed(types.get(output), joined, types[names[0]])


def _joined(shapes: list[Dims], given: Mapping[str, Any]) -> Dims:
    """Return the shape of joined tensors, along an axis of theirs or a new one."""
    sizes, axis = [*shapes[0]], given["axis"]
    if given.get("new_axis"):
        sizes.insert(axis % (len(sizes) + 1), len(shapes))
        return sizes
    numbers = [size for each in shapes if isinstance(size := each[axis], int)]
    sizes[axis] = sum(numbers) if len(numbers) == len(shapes) else UNKNOWN
    return sizes


def _pieces(
    node: Any, types: Mapping[str, Any], constants: Mapping[str, Any], given: Mapping[str, Any]
) -> Iterator[Dims]:
    """Yield the shapes of what SplitToSequence makes; empty if they are unknown."""
    sizes = shape(types.get(node.input[0]))
    axis = given.get("axis", 0)
    name = node.input[1] if len(node.input) > 1 else ""
    if sizes is None or not isinstance(size := sizes[axis], int):
        return
    parts = constants[name].tolist() if name else 1
    if isinstance(parts, int):
        starts = range(0, size, parts)
        parts = [min(parts, size - start) for start in starts[: _MOST_PIECES + 1]]
    is_dropped = not name and not given.get("keepdims", 1)
    axis %= len(sizes)
    for part in parts if len(parts) <= _MOST_PIECES else ():
        yield [*sizes[:axis], *([] if is_dropped else [part]), *sizes[axis + 1 :]]
