"""The contents of onnx's messages as plain data: shapes of types, graphs within nodes."""

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

import onnx

from bcastcli.core.shapes import UNKNOWN, Size

Dims = list[Size]

MADE_UP = "unk__"
"""The prefix of names that inference gives to open sizes."""
DOMAINS = ("", "ai.onnx")
"""The domains of ONNX's own operators."""


class Scope(NamedTuple):
    """The values visible in a graph: its own, and those of the graphs around it."""

    types: dict[str, Any]
    constants: dict[str, Any]
    """The values that are known, as arrays."""
    fixed: dict[str, None]
    """The values that the file fixes: initializers, constants, and what is made of these."""
    behind: dict[str, str]
    """The values behind a stop, with the label of its node."""
    open: dict[str, str]
    """The values with open sizes, with the label of the node that leaves them open."""

    @staticmethod
    def empty() -> "Scope":
        """A scope without values."""
        return Scope({}, {}, {}, {}, {})

    def within(self) -> "Scope":
        """The scope of a graph within."""
        return Scope(*map(dict, self))

    def forget(self, name: str) -> None:
        """Drop all that is known of a value."""
        for each in self:
            each.pop(name, None)

    def copy(self, source: "Scope", name: str, output: str) -> None:
        """Give an output of a node all that is known of another value."""
        own: tuple[dict[str, Any], ...] = self
        known: tuple[dict[str, Any], ...] = source
        for values, others in zip(own, known, strict=True):
            if name in others:
                values[output] = others[name]

    def shape(self, name: str) -> Dims | None:
        """The shape of a value; None if its rank is unknown."""
        return shape(self.types.get(name))


def tensor(type_: Any) -> Any:
    """The tensor of a type, or that of each element of a sequence."""
    is_sequence = type_.HasField("sequence_type")
    return type_.sequence_type.elem_type.tensor_type if is_sequence else type_.tensor_type


def dims(type_: Any) -> Sequence[Any]:
    """The sizes of a type as messages, which can be changed."""
    sizes: Sequence[Any] = tensor(type_).shape.dim
    return sizes


def shape(type_: Any) -> Dims | None:
    """The shape of a type; None if the rank is unknown."""
    if type_ is None or not (message := tensor(type_)).HasField("shape"):
        return None
    return [
        size
        if (size := dim.dim_value) > 0 or (size == 0 and dim.HasField("dim_value"))
        else dim.dim_param or UNKNOWN
        for dim in message.shape.dim
    ]


def common(one: Dims | None, other: Dims | None) -> Dims | None:
    """The sizes on which two shapes agree; None if their ranks differ."""
    if one is None or other is None or len(one) != len(other):
        return None
    pairs = zip(one, other, strict=True)
    return [size if size == second else UNKNOWN for size, second in pairs]


def set_shape(type_: Any, sizes: Iterable[Size]) -> None:
    """Set the shape of a type."""
    message = tensor(type_).shape
    message.Clear()
    message.SetInParent()  # a scalar has a shape
    for size in sizes:
        dim = message.dim.add()
        if isinstance(size, int):
            dim.dim_value = size
        elif size != UNKNOWN:
            dim.dim_param = size


def is_static(type_: Any) -> bool:
    """Whether every size of a type is known."""
    sizes = shape(type_)
    return sizes is not None and str not in map(type, sizes)


def is_named(type_: Any) -> bool:
    """Whether every size of a type is known, or has a name of the file's."""
    sizes = shape(type_)
    return sizes is not None and not any(str(each).startswith((UNKNOWN, MADE_UP)) for each in sizes)


def known_sizes(type_: Any) -> int:
    """How many sizes of a type are known; -1 where its rank is not."""
    sizes = shape(type_)
    return -1 if sizes is None else sum(isinstance(size, int) for size in sizes)


def elements(type_: Any) -> int | None:
    """How many elements a tensor of a type has; None if unknown."""
    numbers = [size for size in shape(type_) or () if isinstance(size, int)]
    return prod(numbers) if is_static(type_) else None


def name_of(node: Any) -> str:
    """The operator of a node, with its domain if that is not ONNX's."""
    # In a damaged file a name may be bytes.
    return str(node.op_type) if node.domain in DOMAINS else f"{node.domain}::{node.op_type}"


def label(node: Any) -> str:
    """The name of a node, or its output's, with its operator."""
    return f"{node.name or next(iter(node.output), '') or node.op_type} ({name_of(node)})"


def attributes(node: Any) -> dict[str, Any]:
    """The attributes of a node; texts are decoded."""
    values = {}
    for each in node.attribute:
        value = onnx.helper.get_attribute_value(each)
        values[each.name] = value.decode(errors="replace") if isinstance(value, bytes) else value
    return values


CONTROL = frozenset({"If", "Loop", "Scan", "SequenceMap"})
"""ONNX's operators that hold graphs."""


def subgraphs(node: Any) -> Iterator[tuple[str, Any]]:
    """The graphs within a node, each with the name of its attribute."""
    if node.op_type not in CONTROL and node.domain in DOMAINS:
        return  # most nodes: this is asked of each many times
    for each in node.attribute:
        if each.HasField("g"):
            yield each.name, each.g
        for number, graph in enumerate(each.graphs):
            yield f"{each.name}_{number}", graph


def walk(graph: Any) -> Iterator[tuple[Any, Any]]:
    """Each graph within, at any depth, behind its node."""
    for node in graph.node:
        for _, inner in subgraphs(node):
            yield node, inner
            yield from walk(inner)


def declarations(graph: Any) -> Iterator[Any]:
    """The values that a graph and those within declare, except its own inputs."""
    yield from (*graph.value_info, *graph.output)
    for _, inner in walk(graph):
        yield from (*inner.input, *inner.value_info, *inner.output)
