"""A node as its checks see it: names, shapes, and the values that are known."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bcastcli.models.inference.protos import Dims


class Clash(NamedTuple):
    """Why the shapes of a node cannot be."""

    message: str
    axis: int | None = None
    """The axis at fault, of the first input that has it."""


class Facts(NamedTuple):
    """A node, and what is known of its inputs."""

    operator: str
    """With its domain, if that is not ONNX's: `com.microsoft::BiasGelu`."""
    opset: int
    names: Sequence[str]
    shapes: Sequence[Dims | None]
    values: Sequence[Any]
    """The inputs' values as arrays; None where they are not known."""
    attributes: Mapping[str, Any]
    outputs: int

    def shape(self, place: int) -> Dims:
        """Return the shape of an input; raise Unknown where its rank is not known."""
        if place >= len(self.shapes) or self.shapes[place] is None:
            raise Unknown
        return self.shapes[place] or []

    def numbers(self, name: str, place: int) -> list[int]:
        """Return an attribute, or else the values of an input; raise Unknown if they are open."""
        if name in self.attributes:
            return [*self.attributes[name]]
        if place >= len(self.values) or self.values[place] is None:
            raise Unknown
        return [int(each) for each in self.values[place].flatten()]

    def axis(self, default: int, rank: int) -> int:
        """Return the attribute axis, counted from 0; raise Unknown where it is out of range."""
        axis = self.attributes.get("axis", default)
        if not -rank <= axis < rank:
            raise Unknown
        return int(axis % rank)


class Unknown(Exception):  # noqa: N818  # no error: nothing is decided
    """What a check needs is not known."""
