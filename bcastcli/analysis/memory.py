"""What a broadcast comes to in memory and in a gradient: strides, elements, sums."""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from bcastcli.core import amounts
from bcastcli.core.alignment import Axis
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import within
from bcastcli.core.shapes import Shape, Size, bounds, is_expression, is_unnamed


class Product(NamedTuple):
    """A product of sizes; the names stand for those that are not known."""

    number: int
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The product as an expression: `12`, `3*N*M`."""
        number = [] if self.number == 1 and self.names else [amounts.elements(self.number)]
        names = (f"({name})" if is_expression(name) else name for name in self.names)
        return "*".join((*number, *names))

    @property
    def value(self) -> int | str:
        """The number, or the expression where a size is not known."""
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


class Sum(NamedTuple):
    """An axis of the result over which an operand's gradient is summed."""

    axis: Axis
    keeps: bool
    """Whether the operand has the axis, with size 1; otherwise the sum drops it."""
    when: str | None
    """What must be 1 for it to be summed; None where it always is."""


class Use(NamedTuple):
    """How an operand takes part in the result."""

    name: str
    elements: Product
    """How many it stores."""
    strides: tuple[Product | None, ...]
    """For each axis of the result, in the order as typed: by how many elements a step along it goes
    on where the operand is stored in C order, 0 where it is stretched; None: it depends."""
    sums: tuple[Sum, ...]
    trimmed: Shape | None
    """The shape that the sum is given back, where ones of the operand did not count."""


def uses(answer: Answer) -> list[Use]:
    """How each array among the operands takes part, where the answer is not no."""
    if answer.axes is None or answer.allowed is None:
        return []
    counted = answer.rule.trim(answer.shapes)
    return [
        Use(
            name,
            product(shape),
            _strides(answer, number),
            _sums(answer, number),
            shape if counted[number] != shape or _goes_past(answer, number) else None,
        )
        for number, (name, shape) in enumerate(
            zip(answer.operand_names, answer.shapes, strict=True)
        )
        if number == 0 or not answer.rule.takes_a_target
    ]


def _goes_past(answer: Answer, number: int) -> bool:
    """Return whether an operand has axes past the end of the result: they must be 1."""
    return any(axis.sizes[number] is not None for axis in (answer.axes or ())[answer.layout.rank :])


def elements(answer: Answer) -> Product | None:
    """How many elements the result has; None where that is no product of its operands' sizes."""
    result = answer.allowed or ()
    return None if any(map(is_unnamed, result)) else product(result)


def _strides(answer: Answer, number: int) -> tuple[Product | None, ...]:
    axes = _within(answer)
    own = iter(answer.shapes[number])
    explicit = [1 if axis.sizes[number] is None else next(own) for axis in axes]
    steps = [ONE]
    for size in explicit[:-1] if answer.innermost_first else explicit[:0:-1]:
        steps.append(steps[-1].of(size))
    if not answer.innermost_first:
        steps.reverse()
    return tuple(
        _stride(axis, axis.sizes[number], step) for axis, step in zip(axes, steps, strict=False)
    )


def _stride(axis: Axis, own: Size | None, step: Product) -> Product | None:
    if own in (1, None):
        return step if axis.result == 1 else Product(0)
    is_same = own == axis.result and not _may_be_1(own)
    return step if is_same or isinstance(own, int) else None


def _may_be_1(size: Size | None) -> bool:
    """Return whether a size that nobody named may be 1."""
    return is_unnamed(size) and within(1, bounds(size) or (0, None))


def _sums(answer: Answer, number: int) -> tuple[Sum, ...]:
    shape = answer.shapes[number]
    places = iter(shape)
    sums = []
    for axis in _within(answer):
        size = axis.sizes[number]
        place = None if size is None else next(places)
        if size is None:
            sums.append(Sum(axis, keeps=False, when=None))
        elif size == 1 != axis.result:
            sums.append(Sum(axis, keeps=True, when=None))
        elif isinstance(place, str) and (size != axis.result or _may_be_1(size)):
            sums.append(Sum(axis, keeps=True, when=f"{place} == 1"))
    return tuple(sums)


def _within(answer: Answer) -> tuple[Axis, ...]:
    """The axes of the result, in the order of the shapes as typed."""
    return (answer.axes or ())[: answer.layout.rank]
