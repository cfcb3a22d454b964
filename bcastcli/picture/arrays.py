"""Operands as arrays on the result's axes, with numbers that distinguish their elements.

To add, A counts in tens from 0, B in ones from 1, in the order in which they are stored, so that
the result's 31 can only be 30 + 1. To add more, the smallest counts in hundreds, the next in tens,
and the others in ones, which keeps numbers short. Other operators have numbers that suit them.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import chain, product, repeat
from math import prod
from operator import add, eq, mul, sub, truediv
from typing import NamedTuple

from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape, Size
from bcastcli.picture.figure import Cell, Element, Kind, Layer, Number, PictureOptions
from bcastcli.reports.numpy_code import own_axes

MAX_AXES = 3
"""The most axes that are drawn in cells."""
MAX_VALUES = 40
"""The most cells of a result that have numbers."""
OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
    "==": eq,
}
_SIGNS = {"*": "×", "/": "÷", "-": "−"}
_JULIAS = {sign: f".{sign}" for sign in OPERATIONS}
_MATLABS = {"*": ".*", "/": "./"}
SIGNS = {"julia": _JULIAS, "matlab": _MATLABS, "octave": _MATLABS, "rray": _SIGNS}
"""How frameworks write an operator between arrays that count indices from 1."""


class Array(NamedTuple):
    """One operand on the result's axes, outermost first."""

    name: str
    shape: Shape
    tint: int
    sizes: tuple[Size | None, ...]
    """As typed; None where it lacks the axis."""
    places: tuple[int, ...]
    """The places of its own axes among these, its outermost first."""
    title: str
    """Its name as it is drawn: `A transposed` where its axes are in another order."""
    drawn: Shape
    """Its shape as it is drawn."""
    is_target: bool
    labels: tuple[str, ...]
    """The rule's own names of these axes, if it has any."""
    innermost_first: bool
    """Whether the rule writes indices innermost first."""
    framework: str
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
        """Return the number at an index of the result."""
        place, sizes = 0, self.own
        for axis, at in zip(self.places, self.element(index).at, strict=False):
            place = place * sizes[axis] + at
        return self.numbers[place]

    def element(self, index: Sequence[int]) -> Element:
        """Return the element that an index of the result takes from this operand."""
        sizes = self.own
        at = [index[axis] if sizes[axis] != 1 else 0 for axis in self.places]
        return Element(self.tint, (*at, *[0] * (len(self.shape) - len(at))))

    def indexed(self, name: str, axes: Iterable[int], index: Sequence[int]) -> str:
        """Return an element by a name and its index on some of the axes, as in `A[1, 0]`."""
        labels = chain((self.labels[axis] for axis in axes), repeat(""))
        pairs = zip(index, labels, strict=False)
        words = [f"{label} {at + (self.framework in SIGNS)}".lstrip() for at, label in pairs]
        return f"{name}[{', '.join(words[:: -1 if self.innermost_first else 1]) or '()'}]"

    def stores(self, index: Sequence[int]) -> bool:
        """Return whether an element is stored at this index, and not repeated from another one."""
        return all(at < size for at, size in zip(index, self.own, strict=True))


def arrays_of(answer: Answer, axes: Sequence[Axis], look: PictureOptions) -> list[Array]:
    """Return the operands as arrays, with numbers that suit the operator, or with their own.

    Those that cannot be aligned have their own axes.
    """
    arrays = []
    numbers = numbers_of(answer.shapes, look)
    for place, (name, shape) in enumerate(answer.operands):
        order = answer.order_of(place) if answer.axes else range(len(shape))
        title = name if list(order) == sorted(order) else f"{name} transposed"
        arrays.append(
            Array(
                name,
                shape,
                place,
                tuple(axis.sizes[place] for axis in axes) if answer.axes else shape,
                tuple(own_axes(answer, place) if answer.axes else order),
                title,
                shape if title == name else tuple([shape[axis] for axis in order]),
                answer.rule.second_is_target and place == 1,
                tuple(map(letter, axes)) if answer.axes else ("",) * len(shape),
                answer.innermost_first,
                answer.question.framework,
                numbers[place],
            )
        )
    if look.operation == "==" and len(arrays) == 2 and not any(look.given):
        return _with_both_outcomes(arrays, answer, [axis.result for axis in axes], look)
    return arrays


def _with_both_outcomes(
    arrays: list[Array], answer: Answer, result: Sequence[Size | None], look: PictureOptions
) -> list[Array]:
    """Return arrays whose comparison has both outcomes, if possible; `result` has their axes."""
    sizes = [size for size in result if isinstance(size, int)]
    if answer.ok and not answer.unknown_sizes and 0 < prod(sizes) <= MAX_VALUES:
        first, second = arrays
        count = len(second.numbers)
        for start, step in ((2, 1), (1, 1), (count + 1, -1), (count, -1)):
            numbers = range(start, start + step * count, step)
            pair = [first, second._replace(numbers=numbers)]
            found = {result_value(pair, look.operation, at) for at in product(*map(range, sizes))}
            if len(found) == 2:
                return pair
    return arrays


def numbers_of(shapes: Sequence[Shape], look: PictureOptions) -> list[Sequence[Number]]:
    """Return the numbers of each operand: given ones, or ones that suit the operator.

    >>> [[*each] for each in numbers_of([(3,), ()], PictureOptions())]
    [[0, 10, 20], [1]]
    >>> [[*each] for each in numbers_of([(3,), ()], PictureOptions("*"))]
    [[1, 2, 3], [2]]
    """
    counts = [prod(size if isinstance(size, int) else 1 for size in shape) for shape in shapes]
    last = max(len(counts) - 1, 1)
    units = [10 ** (last - place) for place, _ in enumerate(counts)]
    starts = [0, *units[1:]]
    if look.operation == "+" and last > 1:
        order = sorted(range(len(counts)), key=counts.__getitem__)
        units = [10 ** max(2 - order.index(place), 0) for place, _ in enumerate(counts)]
        # The smallest begins with 0, but is not 0 alone.
        starts = [unit * (n != order[0] or counts[n] == 1) for n, unit in enumerate(units)]
    elif look.operation == "*" or (last == 1 and look.operation not in "+-"):
        units = [10, 1] if look.operation == "/" else [1] * len(counts)
        starts = [units[0], *range(2, len(counts) + 1)]
    given = look.given if len(look.given) == len(counts) else ((),) * len(counts)
    return [
        own or range(start, start + unit * count, unit)
        for own, start, unit, count in zip(given, starts, units, counts, strict=True)
    ]


def outermost_first(answer: Answer) -> tuple[Axis, ...] | None:
    return answer.axes and answer.axes[:: -1 if answer.innermost_first else 1]


def letter(axis: Axis) -> str:
    """Return the letter of an axis; empty where it has a number."""
    return axis.label if axis.label.isalpha() else ""


def axis_name(axis: Axis) -> str:
    """Return the usual name of an axis: `axis 0`, or its letter, such as `w`."""
    return letter(axis) or f"axis {axis.label or axis.number}"


def sign_between(arrays: Sequence[Array], operation: str) -> str:
    """Return the sign between two operands."""
    if any(array.is_target for array in arrays):
        return "→"
    return SIGNS.get(arrays[0].framework, _SIGNS).get(operation, operation)


def layers_of(sizes: tuple[int, ...], cell: Callable[[tuple[int, ...]], Cell]) -> tuple[Layer, ...]:
    """Return a cell for each index, in layers, rows and columns."""
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
    arrays: Sequence[Array], shown: bool, operation: str, index: tuple[int, ...]
) -> Cell:
    added = [array for array in arrays if not array.is_target]
    sign = f" {sign_between(added, operation)} "
    named = [each.indexed(each.name, each.places, each.element(index).at) for each in added]
    parts = [arrays[0].indexed("result", range(len(index)), index), sign.join(named)]
    text = ""
    if shown:
        values = [array.value(index) for array in added]
        text = _written(result_value(arrays, operation, index))
        parts += [sign.join(map(_written, values)), text][2 - len(values) :]
    sources = tuple(array.element(index) for array in added)
    return Cell(text, Kind.RESULT, None, sources, " = ".join(parts))


def result_value(arrays: Sequence[Array], operation: str, index: tuple[int, ...]) -> Number:
    """Return the number in an element of the result."""
    return reduce(OPERATIONS[operation], (a.value(index) for a in arrays if not a.is_target))


def _written(value: Number) -> str:
    if isinstance(value, bool):
        return "T" if value else "F"
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
