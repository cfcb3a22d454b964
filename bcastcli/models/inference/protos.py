"""The contents of onnx's messages as plain data: shapes of types, graphs within nodes."""

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any

Size = int | str
Dims = list[Size]

UNKNOWN = "?"
DOMAINS = ("", "ai.onnx")
"""The domains of ONNX's own operators."""


def dims(type_: Any) -> Sequence[Any]:
    """Return the sizes of a type as messages, which can be changed."""
    return type_.tensor_type.shape.dim if type_.HasField("tensor_type") else ()


def shape(type_: Any) -> Dims | None:
    """Return the shape of a type; None where not even the rank is known."""
    if type_ is None or not type_.HasField("tensor_type"):
        return None
    if not type_.tensor_type.HasField("shape"):
        return None
    return [
        dim.dim_value
        if dim.HasField("dim_value") and dim.dim_value >= 0
        else dim.dim_param or UNKNOWN
        for dim in type_.tensor_type.shape.dim
    ]


def set_shape(type_: Any, sizes: Iterable[Size]) -> None:
    """Make a type one of tensors of this shape."""
    type_.tensor_type.shape.Clear()
    type_.tensor_type.shape.SetInParent()  # a scalar has a shape too
    for size in sizes:
        dim = type_.tensor_type.shape.dim.add()
        if isinstance(size, int):
            dim.dim_value = size
        elif size != UNKNOWN:
            dim.dim_param = size


def forget_shape(type_: Any) -> None:
    """Leave a type without a shape."""
    if type_.HasField("tensor_type"):
        type_.tensor_type.ClearField("shape")


def is_static(type_: Any) -> bool:
    """Return whether every size of a type is known."""
    return elements(type_) is not None


def known_sizes(type_: Any) -> int:
    """Return how many sizes of a type are known; -1 where its rank is not."""
    sizes = shape(type_)
    return -1 if sizes is None else sum(isinstance(size, int) for size in sizes)


def elements(type_: Any) -> int | None:
    """Return how many elements a tensor of a type has; None where that is not known."""
    sizes = shape(type_)
    if sizes is None:
        return None
    numbers = [size for size in sizes if isinstance(size, int)]
    return prod(numbers) if len(numbers) == len(sizes) else None


def subgraphs(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the graphs within a node, each with the name of its attribute."""
    for each in node.attribute:
        if each.HasField("g"):
            yield each.name, each.g
        for number, graph in enumerate(each.graphs):
            yield f"{each.name}_{number}", graph


def names_used(graph: Any) -> set[str]:
    """Return the names of the values that a graph, and the graphs within, take or give."""
    names = {value.name for value in graph.output}
    for node in graph.node:
        names.update(node.input)
        for _, inner in subgraphs(node):
            names |= names_used(inner)
    return names


def inner_path(path: str, place: int, attribute: str) -> str:
    """Return the path of a graph within a node of the graph at a path."""
    return f"{path}{place}.{attribute}."


def declarations(graph: Any) -> Iterator[Any]:
    """Yield what a graph, and those within, declare of their values, but for its own inputs."""
    yield from graph.value_info
    yield from graph.output
    for node in graph.node:
        for _, inner in subgraphs(node):
            yield from inner.input
            yield from declarations(inner)
