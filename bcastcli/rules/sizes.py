"""What is wrong with sizes that clash, by arithmetic, where no other axes help."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from bcastcli.core.alignment import Axis
from bcastcli.core.amounts import elements
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape, element_count
from bcastcli.core.wording import MAX_AXES_NAMED, joined_with_and, with_verb

_LARGE = 8
"""The least size from which a difference, or a factor, says something."""
_MAX_FACTOR = 64
_NEAR = 2


class Clash(NamedTuple):
    """Two sizes that clash."""

    axis: int
    where: str
    """The number of the axis, or its name."""
    sizes: tuple[int, int]
    names: tuple[str, str]
    """The operands that have them."""


def is_plain(one: int, other: int) -> bool:
    """Return whether nothing particular can be said of two sizes."""
    return not _arithmetic([Clash(0, "0", (one, other), ("", ""))])


def sentence(answer: Answer) -> str:
    """Return what is wrong with the sizes, where the answer is no."""
    question = answer.question
    product = question.contraction
    if product is not None and product.conflict:
        return _of_product(*product.sizes)
    if answer.layout.refused == "limit":
        return (
            "only fewer axes help: drop those of size 1, "
            "or merge neighbours on which the operands are alike"
        )
    sure = [axis for axis in answer.axes or () if axis.conflict]
    axes = sure or [axis for axis in answer.axes or () if axis.conflict is None]
    if not axes or (answer.reason and answer.reason.kind in ("limit", "rank") and not sure):
        return _of_elements(answer)
    clashes = [_clash(axis, answer.operand_names) for axis in sure]
    known = [clash for clash in clashes if clash]
    if len(known) == len(clashes) and known and not question.is_derived:
        told = _known(known, [shape for _, shape in question.inputs])
        if told:
            return told
    how = "repeat the 1" if all(1 in axis.sizes for axis in axes) else "crop, pad or resize"
    where = _named([axis.label or str(axis.number) for axis in axes])
    return f"no reshape or transpose lines these up: make them equal on {where} ({how})"


def _clash(axis: Axis, names: Sequence[str]) -> Clash | None:
    """Return the two numbers that clash on an axis; None if there are not just two of them."""
    having: dict[int, str] = {}
    for name, size in zip(names, axis.sizes, strict=True):
        if isinstance(size, int) and size != 1:
            having.setdefault(size, name)
    if len(having) != len(Clash._fields[2:]):
        return None
    (one, first), (other, second) = having.items()
    return Clash(axis.number, axis.label or str(axis.number), (one, other), (first, second))


def _known(clashes: Sequence[Clash], shapes: Sequence[Shape]) -> str:
    """Return what sizes that clash are known for; empty if nothing."""
    if len(clashes) == 1 and len(shapes) == len(clashes[0].sizes) and _is_alpha(shapes, clashes[0]):
        return "4 and 3: often an image with an alpha channel and one without"
    told = _arithmetic(clashes)
    if told:
        return f"no reshape lines these up: {told}"
    if _same_count(shapes):
        count = elements(prod(map(int, shapes[0])))
        return f"both have {count} elements, in another arrangement"
    return ""


def _arithmetic(clashes: Sequence[Clash]) -> str:
    """Return that large sizes differ by the same 1 or 2, or have the same factor; empty if not."""
    if not clashes or min(min(clash.sizes) for clash in clashes) < _LARGE:
        return ""
    one, other = clashes[-1].sizes
    first, second = clashes[-1].names
    are_named_alike = len({clash.names for clash in clashes}) == 1
    differences = {abs(a - b) for a, b in (clash.sizes for clash in clashes)}
    where = _named([clash.where for clash in clashes])
    if len(differences) == 1 and max(differences) <= _NEAR:
        who = (
            f"{one} and {other}"
            if len({clash.sizes for clash in clashes}) == 1
            else f"{first} and {second}"
        )
        [difference] = differences
        return f"{who} differ by {difference} on {where} (often padding, stride or a slice)"
    for larger, smaller in ((0, 1), (1, 0)):
        factors = {divmod(clash.sizes[larger], clash.sizes[smaller]) for clash in clashes}
        factor, rest = min(factors)
        if len(factors) == 1 and not rest and 1 < factor <= _MAX_FACTOR:
            if len(clashes) == 1:
                return _multiple(clashes[0].sizes[larger], clashes[0].sizes[smaller])
            if are_named_alike:
                names = clashes[-1].names
                times = "twice" if factor == 2 else f"{factor} times"
                return f"{names[larger]} is {times} {names[smaller]} on {where}"
    return ""


def _multiple(larger: int, smaller: int) -> str:
    return f"{elements(larger)} is {larger // smaller} x {elements(smaller)}"


def _of_product(got: object, made: object) -> str:
    """Return what is wrong with the inner sizes of a matrix product, of the left and the right."""
    if not isinstance(got, int) or not isinstance(made, int):
        return f"no transpose makes the inner sizes {got} and {made} equal"
    text = (
        f"if this is a linear layer, it was made for {elements(made)} features "
        f"and got {elements(got)}"
    )
    small, large = sorted((got, made))
    if 1 < small < large and not large % small:
        return f"{text}: {_multiple(large, small)}"
    return text


def _is_alpha(shapes: Sequence[Shape], clash: Clash) -> bool:
    """Return whether 3 and 4 are the channels of two images that are equal otherwise."""
    one, other = shapes
    rank = len(one)
    if {*clash.sizes} != {3, 4} or rank != len(other) or rank not in (3, 4):
        return False
    image = {rank - 1: (-3, -2), rank - 3: (-2, -1)}.get(clash.axis, ())
    rest = [place for place in range(rank) if place != clash.axis]
    return (
        all(one[place] == other[place] for place in rest)
        and bool(image)
        and all(isinstance(one[place], int) and int(one[place]) >= _LARGE for place in image)
    )


def _same_count(shapes: Sequence[Shape]) -> bool:
    counts = [element_count(shape) for shape in shapes]
    same = len(shapes) == 2 and len(shapes[0]) == len(shapes[1]) and counts[0] == counts[1]
    return same and not counts[0][1] and counts[0][0] > 0


def _of_elements(answer: Answer) -> str:
    """Return how many axes or elements the operands have, where no axis clashes."""
    counts = []
    for name, shape in answer.question.inputs[:MAX_AXES_NAMED]:
        number, names = element_count(shape)
        count = "*".join([*([] if number == 1 and names else [elements(number)]), *names])
        counts.append(f"{with_verb([name])} {count}")
    return f"{joined_with_and(counts)} elements"


def _named(axes: Sequence[str]) -> str:
    if len(axes) == 1:
        return f"axis {axes[0]}"
    if len(axes) > MAX_AXES_NAMED:
        return f"{len(axes)} axes"
    return f"axes {joined_with_and(axes)}"
