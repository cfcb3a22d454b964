"""Operands as arrays on the result's axes, with the numbers that tell their elements apart.

A counts in tens from 0, B in ones from 1, in the order in which they are stored, so that the
result's 31 can only be 30 + 1. Of three operands A counts in hundreds, of four in thousands.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from math import prod
from operator import eq, floordiv, ge, gt, le, lt, mod, mul, ne, sub, truediv
from typing import NamedTuple

from bcastcli.analysis.numpy_code import own_axes
from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape, Size
from bcastcli.core.wording import transposed
from bcastcli.render.picture.figure import RESULT, Cell, Element, Kind, Layer

MAX_AXES = 3
"""The most axes that are drawn in cells."""
Number = int | float
OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": lambda one, other: one + other,
    "-": sub,
    "*": mul,
    "/": truediv,
    "//": floordiv,
    "%": mod,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "==": eq,
    "!=": ne,
}
SIGNS = {"*": "×", "/": "÷", "-": "−"}
"""Operators that another character represents between blocks."""


class Array(NamedTuple):
    """One operand on the result's axes, outermost first."""

    name: str
    shape: Shape
    tint: int
    sizes: tuple[Size | None, ...]
    """As typed; None where it has no such axis."""
    places: tuple[int, ...]
    """The places of its own axes among these, its outermost first."""
    title: str
    """Its name as it is drawn: `A.T` where it is transposed."""
    drawn: Shape
    """Its shape as it is drawn."""
    is_target: bool
    labels: tuple[str, ...]
    """The rule's own names of these axes, if it has any."""
    innermost_first: bool
    """Whether the rule writes indices innermost first."""
    numbers: Sequence[Number]
    """Its elements, in the order in which they are stored."""
    sources: Sequence[tuple[Element, ...]] = ()
    """What these come from, if it is the result of the row above."""

    @property
    def own(self) -> tuple[int, ...]:
        """Its sizes, a missing axis as 1."""
        return tuple(size if isinstance(size, int) else 1 for size in self.sizes)

    @property
    def named(self) -> tuple[str, ...]:
        """Its sizes after the rule's own names of the axes, as typed; empty if it has none."""
        pairs = zip(self.labels, self.sizes, strict=True)
        named = [f"{label} {size}" for label, size in pairs if label and size is not None]
        return tuple(named[:: -1 if self.innermost_first else 1])

    def value(self, index: Sequence[int]) -> Number:
        """Return the number at an index of the result."""
        return self.numbers[self._place(index)]

    def _place(self, index: Sequence[int]) -> int:
        place = 0
        for axis, at in zip(self.places, self.element(index).at, strict=False):
            place = place * self.own[axis] + at
        return place

    def sources_of(self, index: Sequence[int]) -> Iterator[Element]:
        """Yield the element at an index of the result, and those that it comes from itself."""
        yield self.element(index)
        for each in self.sources[self._place(index)] if self.sources else ():
            yield each._replace(above=each.above + 1)

    def element(self, index: Sequence[int]) -> Element:
        """Return the element that an index of the result takes from this operand."""
        own = [index[axis] if self.own[axis] != 1 else 0 for axis in self.places]
        trimmed = len(self.shape) - len(own)
        return Element(self.tint, (*own, *[0] * trimmed))

    def in_words(self, index: Sequence[int]) -> str:
        """Return the same element by name, as in `A[1, 0]`."""
        name = f"({self.name})" if self.tint == RESULT else self.name
        return self._indexed(name, self.places, self.element(index).at)

    def indexed(self, name: str, index: Sequence[int]) -> str:
        """Return an element of an array on all axes, by name."""
        return self._indexed(name, range(len(index)), index)

    def _indexed(self, name: str, axes: Sequence[int], index: Sequence[int]) -> str:
        named = zip_longest([self.labels[axis] for axis in axes], index, fillvalue="")
        words = [f"{label} {at}".lstrip() for label, at in named]
        return f"{name}[{', '.join(words[:: -1 if self.innermost_first else 1]) or '()'}]"

    def stores(self, index: Sequence[int]) -> bool:
        """Return whether an element is stored at this index, and not repeated from another one."""
        return all(at < size for at, size in zip(index, self.own, strict=True))


def arrays_of(answer: Answer, axes: Sequence[Axis]) -> list[Array]:
    arrays = []
    for place, (name, shape) in enumerate(answer.operands):
        order = answer.order_of(place)
        title = transposed(name, order)
        arrays.append(
            Array(
                name,
                shape,
                place,
                tuple(axis.sizes[place] for axis in axes),
                tuple(own_axes(answer, place)),
                title,
                shape if title == name else tuple([shape[axis] for axis in order]),
                answer.rule.second_is_target and place == 1,
                tuple(axis.label or "" for axis in axes),
                answer.innermost_first,
                numbers_of(place, len(answer.operands), shape),
            )
        )
    return arrays


def numbers_of(place: int, operands: int, shape: Shape) -> Sequence[Number]:
    """Return the numbers of an operand: the last one counts in ones, those before in tens..."""
    unit = 10 ** (operands - 1 - place) if operands > 1 else 10
    count = prod(size if isinstance(size, int) else 1 for size in shape)
    return range(0, unit * count, unit) if place == 0 else range(unit, unit * (count + 1), unit)


def outermost_first(answer: Answer) -> tuple[Axis, ...] | None:
    if answer.axes is None:
        return None
    return answer.axes[:: -1 if answer.innermost_first else 1]


def axis_name(axis: Axis) -> str:
    """Return an axis as people name it: `axis 0`, or `w` where it has a label."""
    return axis.label or f"axis {axis.number}"


def sign_between(arrays: Sequence[Array], operation: str) -> str:
    """Return the sign between two operands."""
    if any(array.is_target for array in arrays):
        return "→"
    return SIGNS.get(operation, operation) if len(arrays) < 3 else "○"


def layers_of(sizes: tuple[int, ...], cell: Callable[[tuple[int, ...]], Cell]) -> tuple[Layer, ...]:
    """Return a cell for each index, on three axes of which the first ones may be missing."""
    missing = MAX_AXES - len(sizes)
    outer, middle, inner = (1,) * missing + sizes
    return tuple(
        tuple(tuple(cell((k, j, i)[missing:]) for i in range(inner)) for j in range(middle))
        for k in range(outer)
    )


def operand_cell(array: Array, shown: bool, index: tuple[int, ...]) -> Cell:
    if array.is_target:
        return Cell("", Kind.OUTLINE)
    kind = Kind.STORED if array.stores(index) else Kind.REPEATED
    return Cell(_written(array.value(index)) if shown else "", kind, array.element(index))


def result_cell(
    name: str, arrays: Sequence[Array], shown: bool, operation: str, index: tuple[int, ...]
) -> Cell:
    added = [array for array in arrays if not array.is_target]
    sign = f" {sign_between(added, operation)} "
    parts = [arrays[0].indexed(name, index), sign.join(each.in_words(index) for each in added)]
    text = ""
    if shown:
        values = [array.value(index) for array in added]
        text = _written(result_value(arrays, operation, index))
        parts += [sign.join(map(_written, values)), text][2 - len(values) :]
    sources = tuple(each for array in added for each in array.sources_of(index))
    return Cell(text, Kind.RESULT, None, sources, " = ".join(parts))


def result_value(arrays: Sequence[Array], operation: str, index: tuple[int, ...]) -> Number:
    """Return the number in an element of the result."""
    values = [array.value(index) for array in arrays if not array.is_target]
    return values[0] if len(values) == 1 else OPERATIONS[operation](*values)


def _written(value: Number) -> str:
    if isinstance(value, bool):
        return "T" if value else "F"
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text_of_size(size: Size | None) -> str:
    return "(1)" if size is None else str(size)
