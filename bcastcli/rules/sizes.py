"""What is wrong with sizes that clash, by arithmetic, where no other axes help."""

from collections.abc import Sequence
from typing import NamedTuple

from bcastcli.core.alignment import Axis
from bcastcli.core.amounts import elements
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, element_count
from bcastcli.core.wording import MAX_AXES_NAMED, joined_with_and, with_verb

_LARGE = 8
"""The least size from which a difference, or a factor, says something."""
_MAX_FACTOR = 64
_NEAR = 2
_MAX_AXES = 16
"""The most axes that are searched for a reshape."""
_ONLY_MIXED = "only a reshape that mixes axes would line these up"


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
    # Where an operand has no axis, it is the ranks that do not fit.
    sure = [axis for axis in answer.axes or () if axis.conflict and not _is_alone(axis)]
    axes = sure or [axis for axis in answer.axes or () if axis.conflict is None]
    if not axes or (answer.reason and answer.reason.kind == "limit"):
        return _of_elements(answer)
    only_mixed = not question.is_derived and _is_reshape(question)
    return _of_known(answer, sure, only_mixed) or _of_any(axes, only_mixed)


def _of_known(answer: Answer, axes: Sequence[Axis], only_mixed: bool) -> str:
    """Return what the sizes that clash on some axes are known for; empty if nothing.

    `only_mixed`: a reshape lines them up, but none that keeps each axis.
    """
    question = answer.question
    clashes = [_clash(axis, answer.operand_names) for axis in axes]
    known = [clash for clash in clashes if clash]
    if len(known) < len(clashes) or not known or question.is_derived:
        return ""
    if _is_alpha(known, answer.axes or ()):
        return "4 and 3: often an image with an alpha channel and one without"
    counts = [element_count(shape) for shape in question.shapes]
    if only_mixed and counts[0] == counts[1]:
        return f"both have {elements(counts[0][0])} elements, in another arrangement"
    flat = _flattened(known, answer)
    if flat:
        return flat
    told = _arithmetic(known)
    return told and f"{_ONLY_MIXED if only_mixed else 'no reshape lines these up'}: {told}"


def _of_any(axes: Sequence[Axis], only_mixed: bool) -> str:
    """Return on which axes the sizes are to be made equal."""
    lone = all(len({*axis.sizes} - {None, 1}) == 1 for axis in axes)
    how = "repeat the 1" if lone else "crop, pad or resize"
    where = _named([axis.label or str(axis.number) for axis in axes])
    if only_mixed:
        return f"{_ONLY_MIXED}: rather make them equal on {where} ({how})"
    return f"no reshape or transpose lines these up: make them equal on {where} ({how})"


def _is_alone(axis: Axis) -> bool:
    """Return whether only one size other than 1 is on an axis that an operand lacks."""
    return None in axis.sizes and len({*axis.sizes} - {None, 1}) <= 1


def _clash(axis: Axis, names: Sequence[str]) -> Clash | None:
    """Return the two numbers that clash on an axis; None if there are not just two of them."""
    having: dict[int, str] = {}
    for name, size in zip(names, axis.sizes, strict=True):
        if isinstance(size, int) and size != 1:
            having.setdefault(size, name)
    if len(having) != 2:
        return None
    (one, first), (other, second) = having.items()
    return Clash(axis.number, axis.label or str(axis.number), (one, other), (first, second))


def _arithmetic(clashes: Sequence[Clash]) -> str:
    """Return that large sizes differ by the same 1 or 2, or have the same factor; empty if not."""
    if not clashes or min(min(clash.sizes) for clash in clashes) < _LARGE:
        return ""
    if len({clash.names for clash in clashes}) > 1:
        return ""
    one, other = clashes[-1].sizes
    names = clashes[-1].names
    are_alike = {clash.sizes for clash in clashes} == {(one, other)}
    where = _named([clash.where for clash in clashes])
    near = {abs(a - b) for a, b in (clash.sizes for clash in clashes)}
    if len(near) == 1 and max(near) <= _NEAR:
        who = (one, other) if are_alike else names
        often = "often padding, stride or a slice"
        return f"{who[0]} and {who[1]} differ by {max(near)} on {where} ({often})"
    for larger, smaller in ((0, 1), (1, 0)):
        factors = {divmod(clash.sizes[larger], clash.sizes[smaller]) for clash in clashes}
        factor, rest = min(factors)
        if len(factors) == 1 and not rest and 1 < factor <= _MAX_FACTOR:
            if len(clashes) == 1:
                return _multiple(clashes[0].sizes[larger], clashes[0].sizes[smaller])
            times = "twice" if factor == 2 else f"{factor} times"
            return f"{names[larger]} is {times} {names[smaller]} on {where}"
    return ""


def _flattened(clashes: Sequence[Clash], answer: Answer) -> str:
    """Return that the last size of an operand is the product of the other's last; empty if not."""
    if len(clashes) > 1 or len(answer.shapes) > 2:
        return ""
    [(_, _, sizes, names)] = clashes
    for number, size in enumerate(sizes):
        own, other = answer.shapes[number], answer.shapes[1 - number]
        parts = other[len(own) - 1 :]
        if (own[-1], other[-1]) == (size, sizes[1 - number]) and element_count(parts) == (size, []):
            written = " x ".join([str(part) for part in parts if part != 1])
            return (
                f"the {written} of {names[1 - number]} are the {size} of {names[number]}: flatten"
            )
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


def _is_alpha(clashes: Sequence[Clash], axes: Sequence[Axis]) -> bool:
    """Return whether 3 and 4 are the channels of two images, whose other sizes fit."""
    rank = len(axes)
    if rank not in (3, 4) or [{*clash.sizes} for clash in clashes] != [{3, 4}]:
        return False
    image = {rank - 1: axes[-3:-1], rank - 3: axes[-2:]}.get(clashes[0].axis, ())
    sizes = [[size for size in axis.sizes if isinstance(size, int)] for axis in image]
    return bool(sizes) and all(max(each, default=0) >= _LARGE for each in sizes)


def _is_reshape(question: Question) -> bool:
    """Return whether an operand fits the other one if its elements fill some of that one's axes."""
    operands = question.operands
    if len(operands) != 2 or max(map(len, question.shapes)) > _MAX_AXES:
        return False
    for number in range(1 if question.rule.second_is_target else 2):
        count, names = element_count(question.shapes[number])
        filled: dict[int, Shape] = {1: ()}
        for size in question.shapes[1 - number]:
            longer = {each: (*shape, 1) for each, shape in filled.items()}
            if isinstance(size, int) and size > 1:
                for each, shape in filled.items():
                    if not count % (each * size):
                        longer.setdefault(each * size, (*shape, size))
            filled = longer
        if not names and count > 1 and count in filled:
            shapes = list(question.shapes)
            shapes[number] = filled[count]
            return question.with_shapes(shapes).answer().ok is True
    return False


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
