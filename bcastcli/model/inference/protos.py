"""The contents of onnx's messages as plain data: shapes of types, graphs within nodes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, TypeVar

import onnx

Size = int | str
Dims = list[Size]

UNKNOWN = "?"
DOMAINS = ("", "ai.onnx")
"""The domains of ONNX's own operators."""


def dims(type_: Any) -> Sequence[Any]:
    """Return the sizes of a type as messages, which can be changed."""
    return type_.tensor_type.shape.dim if type_.HasField("tensor_type") else ()


def shape(type_: Any) -> Dims | None:
    """Return the shape of a type; None if the rank is unknown."""
    if type_ is None or not type_.HasField("tensor_type"):
        return None
    tensor = type_.tensor_type
    if not tensor.HasField("shape"):
        return None
    return [
        size
        if (size := dim.dim_value) > 0 or (size == 0 and dim.HasField("dim_value"))
        else dim.dim_param or UNKNOWN
        for dim in tensor.shape.dim
    ]


def common(one: Dims | None, other: Dims | None) -> Dims | None:
    """Return the sizes on which two shapes agree; None if their ranks differ."""
    if one is None or other is None or len(one) != len(other):
        return None
    return [size if size == its else UNKNOWN for size, its in zip(one, other, strict=True)]


def set_shape(type_: Any, sizes: Iterable[Size]) -> None:
    """Set the shape of a tensor type."""
    type_.tensor_type.shape.Clear()  # which also sets it: a scalar has a shape
    for size in sizes:
        dim = type_.tensor_type.shape.dim.add()
        if isinstance(size, int):
            dim.dim_value = size
        elif size != UNKNOWN:
            dim.dim_param = size


def typed(own: Any, sizes: Iterable[Size], like: Any) -> Any:
    """Return a type of this shape, with the elements of a value's own, or else of another one."""
    made = onnx.TypeProto()
    made.CopyFrom(like if own is None else own)
    made.tensor_type.elem_type = made.tensor_type.elem_type or like.tensor_type.elem_type
    set_shape(made, sizes)
    return made


def forget_shape(type_: Any) -> None:
    """Remove the shape of a type."""
    if type_.HasField("tensor_type"):
        type_.tensor_type.ClearField("shape")


def forget_negative(type_: Any) -> None:
    """Make the negative sizes of a type open."""
    for dim in dims(type_):
        if dim.dim_value < 0:
            dim.Clear()


def is_static(type_: Any) -> bool:
    """Return whether every size of a type is known."""
    sizes = shape(type_)
    return sizes is not None and str not in map(type, sizes)


def known_sizes(type_: Any) -> int:
    """Return how many sizes of a type are known; -1 where its rank is not."""
    sizes = shape(type_)
    return -1 if sizes is None else sum(isinstance(size, int) for size in sizes)


def elements(type_: Any) -> int | None:
    """Return how many elements a tensor of a type has; None if unknown."""
    sizes = shape(type_)
    if sizes is None:
        return None
    numbers = [size for size in sizes if isinstance(size, int)]
    return prod(numbers) if len(numbers) == len(sizes) else None


_CONTROL = frozenset({"If", "Loop", "Scan", "SequenceMap"})
"""ONNX's operators that hold graphs."""


def subgraphs(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the graphs within a node, each with the name of its attribute."""
    if node.op_type not in _CONTROL and node.domain in DOMAINS:
        return  # most nodes: this is asked of each many times
    for each in node.attribute:
        if each.HasField("g"):
            yield each.name, each.g
        for number, graph in enumerate(each.graphs):
            yield f"{each.name}_{number}", graph


def names_used(graph: Any) -> set[str]:
    """Return the names of the values that a graph, and the graphs within, take or give."""
    graphs = [graph, *(inner for *_, inner in walk(graph))]
    ends = {value.name for each in graphs for value in each.output}
    return ends.union(*(node.input for each in graphs for node in each.node))


_Value = TypeVar("_Value")


def only(values: Mapping[str, _Value], names: Iterable[str]) -> dict[str, _Value]:
    """Return the values that have one of these names."""
    return {name: values[name] for name in names if name in values}


def inner_path(path: str, place: int, attribute: str) -> str:
    """Return the path of a graph within a node of the graph at a path."""
    return f"{path}{place}.{attribute}."


def walk(graph: Any, path: str = "") -> Iterator[tuple[str, Any, str, Any]]:
    """Yield each graph within, at any depth: the path around it, its node, its own path, and it."""
    for place, node in enumerate(graph.node):
        for attribute, inner in subgraphs(node):
            there = inner_path(path, place, attribute)
            yield path, node, there, inner
            yield from walk(inner, there)


def declarations(graph: Any) -> Iterator[Any]:
    """Yield the values that a graph and those within declare, except its own inputs."""
    yield from graph.value_info
    yield from graph.output
    for *_, inner in walk(graph):
        yield from (*inner.input, *inner.value_info, *inner.output)
