"""Strides, element counts and gradient sums of a broadcast."""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from bcastcli.core import amounts
from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import UNKNOWN, Shape, Size, is_expression


class Product(NamedTuple):
    """A product of sizes: a number, and the names of unknown sizes."""

    number: int
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The product as an expression: `12`, `3*N*M`."""
        number = [] if self.number == 1 and self.names else [amounts.elements(self.number)]
        names = (f"({name})" if is_expression(name) else name for name in self.names)
        return "*".join((*number, *names))

    @property
    def value(self) -> int | str:
        """The number, or an expression if a size is unknown."""
        return str(self) if self.names else self.number

    def of(self, size: Size) -> "Product":
        """The product with one more size before the others."""
        if isinstance(size, str):
            return self if self.number == 0 else Product(self.number, (size, *self.names))
        return Product(self.number * size, self.names if size else ())


ONE = Product(1)


def product(sizes: Sequence[Size]) -> Product:
    """The product of sizes; 0 if one of them is.

    >>> str(product((2, "N", 3)))
    '6*N'
    """
    return reduce(Product.of, reversed(sizes), ONE)


class GradientSum(NamedTuple):
    """An axis of the result over which an operand's gradient is summed."""

    axis: Axis
    keeps: bool
    """Whether the operand has the axis, with size 1; otherwise the sum drops it."""
    when: str | None
    """The condition under which it is summed; None: always."""


class OperandUse(NamedTuple):
    """How the result uses an operand."""

    name: str
    elements: Product
    """The number of elements that it stores."""
    strides: tuple[Product | None, ...]
    """For each axis of the result, in the order as typed: how many elements a step along it moves
    on where the operand is stored in C order, 0 where it is stretched; None: it depends."""
    sums: tuple[GradientSum, ...]
    order: tuple[int, ...]
    """The operand's axes in their order in the result."""
    trimmed: Shape | None
    """The shape to which the sum is reshaped, if trailing ones of the operand were dropped."""


def operand_uses(answer: Answer) -> list[OperandUse]:
    """Return the use of each operand that is an array; empty if the answer is no."""
    if answer.axes is None or answer.result_by_rule is None:
        return []
    counted = answer.rule.trim(answer.shapes)
    operands = zip(answer.operand_names, answer.shapes, strict=True)
    return [
        OperandUse(
            name,
            product(shape),
            _strides(answer, number),
            _sums(answer, number),
            answer.order_of(number),
            shape if counted[number] != shape or _goes_past(answer, number) else None,
        )
        for number, (name, shape) in enumerate(operands)
        if number == 0 or not answer.rule.second_is_target
    ]


def _goes_past(answer: Answer, number: int) -> bool:
    """Return whether an operand has axes past the end of the result, which must be 1."""
    return any(axis.sizes[number] is not None for axis in (answer.axes or ())[answer.layout.rank :])


def elements(answer: Answer) -> Product | None:
    """Return the number of elements of the result; None if it is not a product of sizes."""
    sizes = [_size(answer, place) for place, _ in enumerate(answer.result_by_rule or ())]
    return None if None in sizes else product([size for size in sizes if size is not None])


def _size(answer: Answer, place: int) -> Size | None:
    """Return the result's size on an axis, or the place of an unnamed one that never stretches."""
    size = (answer.result_by_rule or ())[place]
    if size != UNKNOWN:
        return size
    if answer.axes is None:
        return None
    for number, _ in enumerate(answer.shapes):
        own = answer.size_on(place, number)
        if own is not None and answer.stretches(place, number) is False:
            return own
    return None


def _strides(answer: Answer, number: int) -> tuple[Product | None, ...]:
    """Return the strides; for a missing axis, that of an axis of size 1 in its place."""
    order = slice(None, None, 1 if answer.innermost_first else -1)
    places = range(len(_within(answer)))
    step, steps = ONE, {}
    for place in answer.places_of(number)[order]:
        steps[place] = step
        step = step.of(answer.size_on(place, number) or 0)
    inner = ONE
    for place in places[order]:
        if place in steps:
            inner = inner.of(answer.size_on(place, number) or 0)
        else:
            steps[place] = inner
    choices = {True: Product(0), None: None}
    return tuple(choices.get(answer.stretches(place, number), steps[place]) for place in places)


def _sums(answer: Answer, number: int) -> tuple[GradientSum, ...]:
    sums = []
    for place, axis in enumerate(_within(answer)):
        size = answer.size_on(place, number)
        if size is None:
            sums.append(GradientSum(axis, keeps=False, when=None))
            continue
        stretches = answer.stretches(place, number)
        if stretches is not False:
            sums.append(GradientSum(axis, keeps=True, when=None if stretches else f"{size} == 1"))
    return tuple(sums)


def _within(answer: Answer) -> tuple[Axis, ...]:
    """The axes of the result, in the order of the shapes as typed."""
    return (answer.axes or ())[: answer.layout.rank]
