"""An operator and the facts about its inputs that constraints need: names, shapes, known values."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bcastcli.core.conditions import Condition
from bcastcli.core.shapes import Size
from bcastcli.core.wording import axes
from bcastcli.operators.table import MAX_OPSET

Dims = Sequence[Size]
"""A shape, as a list or a tuple; a size without a name is `?`."""


class Clash(NamedTuple):
    """Why shapes cannot be the inputs of an operator."""

    text: str
    axis: int | None = None
    """The axis at fault, of the first input that has it."""
    operands: tuple[int, ...] = ()
    """The places of the inputs that the text speaks of."""


class Facts(NamedTuple):
    """An operator, and the known facts about its inputs."""

    operator: str
    """With its domain, if that is not ONNX's: `com.microsoft::BiasGelu`."""
    shapes: Sequence[Dims | None]
    attributes: Mapping[str, Any]
    """By ONNX's names; inputs such as a target shape or axes may be among them."""
    names: Sequence[str] = ()
    """Empty for an optional input that is left out."""
    opset: int = MAX_OPSET
    outputs: int = 0
    """The number of outputs; 0 if it is unknown."""
    values: Sequence[Sequence[int] | None] = ()
    """The inputs' integers, in one row; None where they are not known."""

    def shape(self, place: int) -> Dims:
        """The shape of an input; raise Unknown if its rank is unknown."""
        found = self.shapes[place] if place < len(self.shapes) else None
        if found is None:
            raise Unknown
        return found

    def size(self, place: int, axis: int) -> int:
        """The size of an input on an axis; raise Unknown where it is open."""
        size = self.shape(place)[axis]
        if not isinstance(size, int):
            raise Unknown
        return size

    def is_given(self, place: int) -> bool:
        """Whether an optional input is there."""
        return place < len(self.shapes) and bool(self.names[place])

    def value(self, place: int) -> Sequence[int] | None:
        """The values of an input; None if they are unknown."""
        return self.values[place] if place < len(self.values) else None

    def numbers(self, name: str, place: int) -> list[int]:
        """An attribute, or else the values of an input; raise Unknown if they are open."""
        found = self.attributes.get(name, self.value(place))
        if found is None:
            raise Unknown
        return [found] if isinstance(found, int) else [*found]

    def axis(self, default: int, rank: int) -> int:
        """The attribute axis of the first input, counted from 0."""
        return self.counted(int(self.attributes.get("axis", default)), rank)

    def counted(self, axis: int, rank: int) -> int:
        """An axis of the first input, counted from 0; raise Refused for one that it lacks."""
        if not -rank <= axis < rank:
            text = f"axis {axis} is out of range for {self.names[0]}, which has {axes(rank)}"
            raise Refused(Clash(text, operands=(0,)))
        return axis % rank

    def clash(self, place: int, axis: int, why: str, *others: int) -> Clash:
        """The clash of the size that an input has on an axis, with those of other inputs."""
        counted = axis % len(self.shape(place))
        return Clash(self.has(place, axis) + why, counted, (place, *others))

    def has(self, place: int, axis: int) -> str:
        """The size that an input has on an axis, in words."""
        shape = self.shape(place)
        return f"{self.names[place]} has {shape[axis]} on axis {axis % len(shape)}"

    def has_axes(self, place: int) -> str:
        """How many axes an input has, in words."""
        return f"{self.names[place]} has {axes(len(self.shape(place)))}"


class Made(NamedTuple):
    """What is known of a result."""

    outputs: Sequence[Dims | None] = (None,)
    """The shapes of the outputs; None where even the number of axes is open."""
    required: Sequence[tuple[Condition, str]] = ()
    """Conditions on unknown sizes, each with its subject."""
    open_sizes: Sequence[str] = ()
    """The unknown sizes that may not fit, where no condition says which do."""


def numbers_in(column: Mapping[int, Size]) -> dict[int, int]:
    """The numbers among sizes that inputs have on an axis, each with its first place."""
    found: dict[int, int] = {}
    for place, size in column.items():
        if isinstance(size, int):
            found.setdefault(size, place)
    return found


class Unknown(Exception):  # noqa: N818  # no error: nothing is decided
    """A size or value that a constraint needs is unknown."""


class Refused(Exception):  # noqa: N818  # it becomes a clash
    """The inputs are impossible."""

    def __init__(self, clash: Clash) -> None:
        self.clash = clash
