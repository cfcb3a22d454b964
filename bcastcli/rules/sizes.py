"""The likely cause of clashing sizes, by arithmetic, for when rearranging axes does not help.

That no reshape helps is said where `can_line_up` proves it.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.amounts import elements
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape, element_count
from bcastcli.core.wording import MAX_AXES_NAMED, joined_with_and, with_verb

_LARGE = 8
"""The smallest size for which a difference or a factor is a hint."""
_MAX_FACTOR = 64
_NEAR = 2
_MAX_OPERANDS = 4
"""The most operands of different sizes that are compared with each other."""
_CLAIMS = {
    True: "",
    False: "no reshape helps: ",
    None: "found no reshape of one operand that helps: ",
}
"""What is claimed, by what `can_line_up` proves."""


class Clash(NamedTuple):
    """Two sizes that clash."""

    axis: int
    where: str
    """The number of the axis, or its name."""
    sizes: tuple[int, int]
    names: tuple[str, str]
    """The operands that have them."""


def is_plain(one: int, other: int) -> bool:
    """Whether the two sizes suggest no cause."""
    return not _arithmetic([Clash(0, "0", (one, other), ("", ""))])


def sentence(answer: Answer, *, beside_pairs: bool) -> str:
    """The likely cause of a mismatch of sizes; empty for a mismatch of another kind.

    `beside_pairs`: only a known cause, to be shown below a line for every pair.
    """
    question, kind = answer.question, answer.reason.kind if answer.reason else ""
    contraction = question.contraction
    if contraction is not None and contraction.conflict:
        return _of_product(question.inputs[0], *map(int, contraction.sizes))
    if kind == "rank" and answer.axes and not (question.impossible or question.rule.like_numpy):
        return _of_ranks(answer)
    axes = () if kind == "fit" else answer.axes or ()
    sure = [axis for axis in axes if axis.conflict]
    clashing = sure or [axis for axis in axes if axis.conflict is None and not question.impossible]
    for axis in reversed(clashing):
        if 0 in axis.sizes:
            name, where = answer.operand_names[axis.sizes.index(0)], axis.label or axis.number
            why = "a mask or slice that selects nothing, or an empty batch"
            return f"{name} has 0 on axis {where}: {why}"
    return _of_clashes(answer, clashing, beside_pairs) if clashing and kind != "limit" else ""


def _of_clashes(answer: Answer, axes: Sequence[Axis], beside_pairs: bool) -> str:
    """The likely cause of a mismatch on these axes; empty if unknown."""
    question = answer.question
    found = [_clash(axis, answer.operand_names) for axis in axes]
    known = [each for each in found if each and None not in found and not question.is_derived]
    relation = _arithmetic(known)
    if _is_alpha(known, answer.axes or ()):
        return "4 and 3: often an image with an alpha channel and one without"
    if beside_pairs:
        return relation
    (count, names), *others = [element_count(shape) for shape in question.shapes]
    if known and others == [(count, [])] and count and not names:
        return f"both have {elements(count)} elements, arranged differently"
    claim = ""
    if not question.is_derived and not _can_fill(question.shapes):
        claim = _CLAIMS[can_line_up(question.shapes)]
    where = _named([axis.label or str(axis.number) for axis in axes])
    # Sizes are never cropped to a divisor, and a target is not an array.
    is_like = known and all(max(clash.sizes) % min(clash.sizes) for clash in known)
    how = " (crop, pad or resize)" if is_like and not question.rule.second_is_target else ""
    each = " each" if len(axes) > 1 else ""
    return claim + (relation or f"{where} must have one size{each}{how}")


def _of_ranks(answer: Answer) -> str:
    """Which operands have too many axes."""
    fewest = answer.ranks[0] if answer.rule.keeps_first else min(answer.ranks)
    longer = [own for own in answer.operands if len(own.shape) > fewest]
    over = max(answer.ranks) - fewest
    it = "it" if len(longer) == over == 1 else "them"
    has_ones = all(shape.count(1) >= len(shape) - fewest for _, shape in longer)
    how = f", sum over {it} or squeeze {it}" if has_ones else f" or sum over {it}"
    many = "one axis" if over == 1 else f"{over} axes"
    return f"{with_verb([name for name, _ in longer])} {many} too many: index {it}{how}"


def _clash(axis: Axis, names: Sequence[str]) -> Clash | None:
    """The two numbers that clash on an axis; None if fewer or more do."""
    having: dict[int, str] = {}
    for name, size in zip(names, axis.sizes, strict=True):
        if isinstance(size, int) and size != 1:
            having.setdefault(size, name)
    if len(having) != 2:
        return None
    (one, first), (other, second) = having.items()
    return Clash(axis.number, axis.label or str(axis.number), (one, other), (first, second))


def _arithmetic(clashes: Sequence[Clash]) -> str:
    """In words that large sizes differ by the same 1 or 2, or by one factor; else empty."""
    pairs = [clash.sizes for clash in clashes]
    if not clashes or min(map(min, pairs)) < _LARGE or len({clash.names for clash in clashes}) > 1:
        return ""
    one, other = pairs[0]
    first, second = clashes[0].names
    where = _named([clash.where for clash in clashes])
    near = {abs(a - b) for a, b in pairs}
    if len(near) == 1 and max(near) <= _NEAR:
        who = f"{one} and {other}" if len({*pairs}) == 1 else f"{first} and {second}"
        return f"{who} differ by {max(near)} on {where} (often padding, stride or a slice)"
    factors = {divmod(max(pair), min(pair)) for pair in pairs}
    factor, rest = min(factors)
    is_common = len(factors) == len({a > b for a, b in pairs}) == 1
    if rest or not is_common or not 1 < factor <= _MAX_FACTOR:
        return ""
    if len(pairs) == 1:
        return multiple(max(one, other), min(one, other))
    larger, smaller = (first, second) if one > other else (second, first)
    times = "twice" if factor == 2 else f"{factor} times"
    return f"{larger} is {times} {smaller} on {where}"


def multiple(larger: int, smaller: int) -> str:
    """A size as a multiple of another."""
    return f"{elements(larger)} is {larger // smaller} x {elements(smaller)}"


def _of_product(left: Operand, got: int, made: int) -> str:
    """How the inner sizes of a matrix product, left and right, fail to match."""
    features = "1 feature" if made == 1 else f"{elements(made)} features"
    text = f"if this is a linear layer, it was made for {features} and got {elements(got)}"
    small, large = sorted((got, made))
    if made and len(left.shape) > 1 and element_count(left.shape) == (made, []):
        factors = " x ".join([str(size) for size in left.shape if size != 1])
        return f"{text}: {elements(made)} is {factors}, so {left.name} is one sample"
    if 1 < small < large and not large % small:
        return f"{text}: {multiple(large, small)}"
    return text


def _is_alpha(clashes: Sequence[Clash], axes: Sequence[Axis]) -> bool:
    """Whether 3 and 4 are the channels of two images that match otherwise."""
    rank = len(axes)
    if rank not in (3, 4) or [{*clash.sizes} for clash in clashes] != [{3, 4}]:
        return False
    image = {rank - 1: axes[-3:-1], rank - 3: axes[-2:]}.get(clashes[0].axis, ())
    sizes = [[size for size in axis.sizes if isinstance(size, int)] for axis in image]
    return bool(sizes) and all(max(each, default=0) >= _LARGE for each in sizes)


def _can_fill(shapes: Sequence[Shape]) -> bool:
    """Whether the elements of one of two shapes fill some axes of the other, in another order."""
    if len(shapes) != 2:
        return False
    for own, other in (shapes, shapes[::-1]):
        count, names = element_count(own)
        filled = {1}
        for size in other:
            if isinstance(size, int) and size > 1:
                filled |= {each * size for each in filled if not count % (each * size)}
        if count in filled and count > 1 and not names:
            return True
    return False


def _named(labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return f"axis {labels[0]}"
    if len(labels) > MAX_AXES_NAMED:
        return f"{len(labels)} axes"
    return f"axes {joined_with_and(labels)}"


# The proof behind "no reshape helps"


def can_line_up(shapes: Sequence[Shape]) -> bool | None:
    """Whether shapes broadcast once ones are inserted or dropped, and the axes of one permuted.

    No operand gets more axes than the longest has. Unknown sizes count as 1. Of more than two
    operands, None where each two of them line up: all together may still not.

    >>> can_line_up([(2, 3), (3, 2)]), can_line_up([(2, 3), (2, 4)])
    (True, False)
    >>> can_line_up([(32, 10), (32,), (32,)]), can_line_up([(2,), (2,), (3,)])
    (None, False)
    """
    rank = max(map(len, shapes))
    sizes = {
        tuple(sorted([size for size in own if isinstance(size, int) and size != 1]))
        for own in shapes
    }
    if len(sizes) > _MAX_OPERANDS:
        return None
    for one, other in combinations(map(Counter, sizes), 2):
        if (one | other).total() > rank:
            return False
    return True if len(shapes) == 2 else None
