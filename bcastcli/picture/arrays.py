"""Operands as arrays on the result's axes, with numbers that distinguish their elements.

To add, A counts in tens from 0, B in ones from 1, in the order in which they are stored, so that
the result's 31 can only be 30 + 1; of more, A counts in hundreds. Others have numbers that suit
them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain, product, repeat
from math import prod
from operator import add, eq, mul, sub, truediv
from typing import NamedTuple

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape, Size
from bcastcli.picture.figure import Cell, Element, Kind, Layer, Number, PictureOptions

MAX_AXES = 4
"""The most axes that are drawn in cells; four as a grid of matrices."""
MAX_VALUES = 40
"""The most cells of a block."""
OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
    "==": eq,
}
_OF_TWO = {"/": ([10, 1], [10, 2]), "==": ([1, 2], [1, 1])}
"""How two operands count, and where each begins, where tens and ones do not suit an operator."""
_SIGNS = {"*": "×", "/": "÷", "-": "−"}
SIGNS = {"julia": {sign: f".{sign}" for sign in OPERATIONS}}
"""How frameworks write an operator between arrays, where it is not the sign alone."""


class Array(NamedTuple):
    """One operand on the result's axes, outermost first."""

    name: str
    shape: Shape
    tint: int
    sizes: tuple[Size | None, ...]
    """As typed; None where it lacks the axis."""
    places: tuple[int, ...]
    """The places of its own axes among these, its outermost first."""
    labels: tuple[str, ...]
    """The rule's own names of these axes, if it has any."""
    innermost_first: bool
    """Whether the rule writes indices innermost first."""
    framework: str
    counts_from_1: bool
    numbers: Sequence[Number]
    """Its elements, in the order in which they are stored."""

    @property
    def own(self) -> tuple[int, ...]:
        """Its sizes, a missing axis as 1."""
        return tuple(size if isinstance(size, int) else 1 for size in self.sizes)

    @property
    def named(self) -> tuple[str, ...]:
        """Its sizes after the rule's own names of the axes, as typed; empty without such names."""
        pairs = zip(self.labels, self.sizes, strict=True)
        named = [f"{label} {size}" for label, size in pairs if label and size is not None]
        return tuple(named[:: -1 if self.innermost_first else 1])

    def value(self, index: Sequence[int]) -> Number:
        """The number at an index of the result."""
        place, sizes = 0, self.own
        for axis, at in zip(self.places, self.element(index).at, strict=False):
            place = place * sizes[axis] + at
        return self.numbers[place]

    def element(self, index: Sequence[int]) -> Element:
        """The element that an index of the result takes from this operand."""
        sizes = self.own
        at = [index[axis] if sizes[axis] != 1 else 0 for axis in self.places]
        return Element(self.tint, (*at, *[0] * (len(self.shape) - len(at))))

    def indexed(self, name: str, axes: Iterable[int], index: Sequence[int]) -> str:
        """An element by a name and its index on some of the axes, as in `A[1, 0]`."""
        labels = chain((self.labels[axis] for axis in axes), repeat(""))
        pairs = zip(index, labels, strict=False)
        words = [f"{label} {at + self.counts_from_1}".lstrip() for at, label in pairs]
        return f"{name}[{', '.join(words[:: -1 if self.innermost_first else 1]) or '()'}]"

    def stores(self, index: Sequence[int]) -> bool:
        """Whether an element is stored at this index, and not repeated from another one."""
        return all(at < size for at, size in zip(index, self.own, strict=True))


def arrays_of(answer: Answer, axes: Sequence[Axis], look: PictureOptions) -> list[Array]:
    """The operands as arrays, with numbers that suit the operator, or with their own."""
    numbers = numbers_of(answer.shapes, look)
    arrays = []
    for place, (name, shape) in enumerate(answer.operands):
        sizes = tuple(axis.sizes[place] for axis in axes)
        arrays.append(
            Array(
                name,
                shape,
                place,
                sizes,
                tuple(axis for axis, size in enumerate(sizes) if size is not None),
                tuple(map(letter, axes)),
                answer.innermost_first,
                answer.question.framework,
                any(axis.label.isdigit() for axis in axes),
                numbers[place],
            )
        )
    return arrays


def numbers_of(shapes: Sequence[Shape], look: PictureOptions) -> list[Sequence[Number]]:
    """The numbers of each operand: given ones, or ones that suit the operator.

    >>> [[*each] for each in numbers_of([(3,), ()], PictureOptions())]
    [[0, 10, 20], [1]]
    >>> [[*each] for each in numbers_of([(3,), (3,)], PictureOptions("=="))]
    [[1, 2, 3], [1, 3, 5]]
    """
    counts = [prod(size if isinstance(size, int) else 1 for size in shape) for shape in shapes]
    most = min(max(len(counts) - 1, 1), 2)
    units = [10 ** max(most - place, 0) for place, _ in enumerate(counts)]
    starts = [0, *units[1:]]
    if look.operation == "*":
        units, starts = [1] * len(counts), [*range(1, len(counts) + 1)]
    elif len(counts) == 2:
        units, starts = _OF_TWO.get(look.operation, (units, starts))
    given = look.given if len(look.given) == len(counts) else ((),) * len(counts)
    return [
        numbers or range(start, start + unit * count, unit)
        for numbers, start, unit, count in zip(given, starts, units, counts, strict=False)
    ]


def outermost_first(answer: Answer) -> tuple[Axis, ...] | None:
    """The result's axes; None if the operands are not aligned."""
    return answer.axes and answer.axes[:: -1 if answer.innermost_first else 1]


def letter(axis: Axis) -> str:
    """The letter of an axis; empty where it has a number."""
    return axis.label if axis.label.isalpha() else ""


def axis_name(axis: Axis) -> str:
    """The usual name of an axis: `axis 0`, or its letter, such as `w`."""
    return letter(axis) or f"axis {axis.label or axis.number}"


def sign_between(arrays: Sequence[Array], operation: str) -> str:
    """The sign between two operands."""
    return SIGNS.get(arrays[0].framework, _SIGNS).get(operation, operation)


# Cells


def layers_of(sizes: Sequence[int], cell: Callable[[tuple[int, ...]], Cell]) -> tuple[Layer, ...]:
    """A cell for each index, in layers, rows and columns."""
    missing = max(2 - len(sizes), 0)
    *outer, middle, inner = (1,) * missing + tuple(sizes)
    return tuple(
        tuple(tuple(cell((*at, j, i)[missing:]) for i in range(inner)) for j in range(middle))
        for at in product(*map(range, outer))
    )


def layer_labels(axes: Sequence[Axis], sizes: Sequence[int]) -> Iterator[str]:
    """The words above layers of these sizes: `[0, :, :]`, or `c = 0` where axes have labels.

    In a grid of matrices `[0, 1]` is enough.
    """
    outer = axes[:-2]
    for index in product(*map(range, sizes)) if outer else ():
        if all(map(letter, outer)):
            named = zip(outer, index, strict=True)
            yield ", ".join(f"{letter(axis)} = {at}" for axis, at in named)
        else:
            numbers = [str(at + outer[0].label.isdigit()) for at in index]
            yield f"[{', '.join(numbers)}{', :, :' * (len(numbers) == 1)}]"


def operand_cell(array: Array, index: tuple[int, ...]) -> Cell:
    """The cell of an operand at an index of the result."""
    kind = Kind.STORED if array.stores(index) else Kind.REPEATED
    return Cell(_written(array.value(index)), kind, array.element(index))


def result_cell(arrays: Sequence[Array], operation: str, index: tuple[int, ...]) -> Cell:
    """The cell of the result at an index, with its sources."""
    sources = tuple(array.element(index) for array in arrays)
    sign = f" {sign_between(arrays, operation)} "
    pairs = zip(arrays, sources, strict=True)
    named = [each.indexed(each.name, each.places, source.at) for each, source in pairs]
    values = [array.value(index) for array in arrays]
    text = _written(reduce(OPERATIONS[operation], values))
    whole = arrays[0].indexed("result", range(len(index)), index)
    parts = [whole, sign.join(named), sign.join(map(_written, values)), text]
    return Cell(text, Kind.RESULT, None, sources, " = ".join(parts))


def _written(value: Number) -> str:
    if isinstance(value, bool):
        return "T" if value else "F"
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
