"""The likely cause of clashing sizes, by arithmetic, for when rearranging axes does not help.

That no reshape helps is said where `can_line_up` proves it.
"""

from collections.abc import Sequence
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from bcastcli.core.alignment import Axis, Operand
from bcastcli.core.amounts import elements
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, element_count
from bcastcli.core.wording import MAX_AXES_NAMED, joined_with_and, with_verb

_LARGE = 8
"""The smallest size for which a difference or a factor is a hint."""
_MAX_FACTOR = 64
_NEAR = 2
_MAX_AXES = 16
"""The most axes that are searched for a reshape, or are flattened."""
_MAX_WAYS = 100
"""The most ways to try to keep some of the axes."""
_MAX_OPERANDS = 4
_MAX_LINED_UP = 32
_MAX_STATES = 5_000
"""The most operands, axes and states of a search for a way to line operands up."""
_ONLY_MIXED = "only a reshape that mixes axes would make these fit"
_State = tuple[tuple[Shape, ...], Shape]
"""The sizes that are still to be placed: of each operand in order, and of one in any order."""


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


def sentence(answer: Answer, *, beside_pairs: bool = False) -> str:
    """The likely cause of a mismatch of sizes; empty for a mismatch of another kind.

    `beside_pairs`: only a known cause, to be shown below a line for every pair.
    """
    question, kind = answer.question, answer.reason.kind if answer.reason else ""
    contraction = question.contraction
    if contraction is not None and contraction.conflict:
        return _of_product(question.inputs[0], *contraction.sizes)
    if answer.layout.refused == "limit":
        return (
            "only fewer axes help: drop those of size 1, "
            "or merge neighbouring axes that all operands share"
        )
    if kind == "rank" and answer.axes and not (question.impossible or question.rule.like_numpy):
        return _of_ranks(answer)
    axes = () if kind == "fit" else answer.axes or ()
    sure = [axis for axis in axes if axis.conflict]
    for axis in reversed(sure):
        if 0 in axis.sizes:
            name, where = answer.operand_names[axis.sizes.index(0)], axis.label or axis.number
            why = "a mask or slice that selects nothing, or an empty batch"
            return f"{name} has 0 on axis {where}: {why}"
    clashing = sure or [axis for axis in axes if axis.conflict is None and not question.impossible]
    return _of_clashes(answer, clashing, beside_pairs) if clashing and kind != "limit" else ""


def _of_clashes(answer: Answer, axes: Sequence[Axis], beside_pairs: bool) -> str:
    """The likely cause of a mismatch on these axes; empty if unknown."""
    question = answer.question
    found = [_clash(axis, answer.operand_names) for axis in axes]
    known = [each for each in found if each and None not in found and not question.is_derived]
    only_mixed = not question.is_derived and _is_reshape(question)
    counts = [element_count(shape) for shape in question.shapes]
    flat = _flattened(question) if known and not question.rule.second_is_target else ""
    relation = _arithmetic(known)
    if _is_alpha(known, answer.axes or ()):
        return "4 and 3: often an image with an alpha channel and one without"
    if flat or beside_pairs:
        return flat or relation
    if only_mixed and known and counts[0] == counts[1]:
        return f"both have {elements(counts[0][0])} elements, arranged differently"
    fits = question.is_derived or can_line_up(question.shapes)
    claim = {False: "no reshape helps: ", None: "found no reshape of one operand that helps: "}
    if only_mixed and fits is False:
        claim[False] = f"{_ONLY_MIXED}: "
    where = _named([axis.label or str(axis.number) for axis in axes])
    # Sizes are never cropped to a divisor, and a target is not an array.
    is_like = known and all(max(clash.sizes) % min(clash.sizes) for clash in known)
    how = " (crop, pad or resize)" if is_like and not question.rule.second_is_target else ""
    each = " each" if len(axes) > 1 else ""
    return claim.get(fits, "") + (relation or f"{where} must have one size{each}{how}")


def _of_ranks(answer: Answer) -> str:
    """Which operands have too many axes."""
    fewest = answer.ranks[0] if answer.rule.keeps_first else min(answer.ranks)
    longer = [own for own in answer.operands if len(own.shape) > fewest]
    over = max(answer.ranks) - fewest
    it = "it" if len(longer) == over == 1 else "them"
    has_ones = all(shape.count(1) >= len(shape) - fewest for _, shape in longer)
    how = f", sum over {it} or squeeze {it}" if has_ones else f" or sum over {it}"
    many = "one axis" if over == 1 else f"{over} axes"
    clash = "; the sizes clash as well" if _clash_anyway(answer.question, fewest) else ""
    return f"{with_verb([name for name, _ in longer])} {many} too many: index {it}{how}{clash}"


def _clash_anyway(question: Question, rank: int) -> bool:
    """Whether operands clash no matter which of their surplus axes are kept."""
    ways = [list(combinations(own, min(rank, len(own)))) for own in question.shapes]
    if prod(map(len, ways)) > _MAX_WAYS:
        return False
    reasons = (question.with_shapes(kept).answer().reason for kept in product(*ways))
    return all(reason is not None and reason.kind == "sizes" for reason in reasons)


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
    """Return in words that large sizes differ by the same 1 or 2, or by one factor; else empty."""
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
        pair = (one, other) if are_alike else names
        often = "often padding, stride or a slice"
        return f"{pair[0]} and {pair[1]} differ by {max(near)} on {where} ({often})"
    for larger, smaller in ((0, 1), (1, 0)):
        factors = {divmod(clash.sizes[larger], clash.sizes[smaller]) for clash in clashes}
        factor, rest = min(factors)
        if len(factors) == 1 and not rest and 1 < factor <= _MAX_FACTOR:
            if len(clashes) == 1:
                return multiple(clashes[0].sizes[larger], clashes[0].sizes[smaller])
            times = "twice" if factor == 2 else f"{factor} times"
            return f"{names[larger]} is {times} {names[smaller]} on {where}"
    return ""


def _flattened(question: Question) -> str:
    """Return in words that an operand's last size is the product of the other's; else empty."""
    if len(question.shapes) != 2:
        return ""
    for number, own in enumerate(question.shapes):
        other, names = question.shapes[1 - number], question.operand_names[:: 1 - 2 * number]
        for end in range(max(len(own), len(other) - _MAX_AXES + 1) - 1, len(other) - 1):
            before = zip(own[:-1], other[end - len(own) + 1 :], strict=False)
            fits = all(one == two or str in (type(one), type(two)) for one, two in before)
            if fits and 0 not in own and element_count(other[end:]) == (*own[-1:], []):
                flat = [own, (*other[:end], own[-1])]
                asked = question.with_shapes(flat[:: 1 - 2 * number])
                if asked.answer().ok is not False:
                    written = " x ".join([str(part) for part in other[end:] if part != 1])
                    return f"the {written} of {names[1]} are the {own[-1]} of {names[0]}: flatten"
    return ""


def multiple(larger: int, smaller: int) -> str:
    """A size as a multiple of another."""
    return f"{elements(larger)} is {larger // smaller} x {elements(smaller)}"


def _of_product(left: Operand, got: object, made: object) -> str:
    """How the inner sizes of a matrix product, left and right, fail to match."""
    if not isinstance(got, int) or not isinstance(made, int):
        return f"no transpose makes the inner sizes {got} and {made} equal"
    text = (
        f"if this is a linear layer, it was made for {elements(made)} features "
        f"and got {elements(got)}"
    )
    small, large = sorted((got, made))
    if made > 1 < len(left.shape) and element_count(left.shape) == (made, []):
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


def _is_reshape(question: Question) -> bool:
    """Whether an operand fits the other one if its elements fill some of that one's axes."""
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


def _named(labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return f"axis {labels[0]}"
    if len(labels) > MAX_AXES_NAMED:
        return f"{len(labels)} axes"
    return f"axes {joined_with_and(labels)}"


# Whether any reshape lines operands up: the proof behind "no reshape helps"


def can_line_up(shapes: Sequence[Shape]) -> bool | None:
    """Whether shapes broadcast once ones are inserted or dropped, and the axes of one permuted.

    No operand gets more axes than the longest has. Unknown sizes count as 1. None if the search
    would take too long.

    >>> can_line_up([(32, 10), (32,), (32,)]), can_line_up([(2, 3), (3, 2)])
    (True, True)
    >>> can_line_up([(2, 3), (2, 4)]), can_line_up([(n,) for n in range(2, 9)])
    (False, None)
    """
    rank = max(map(len, shapes))
    sizes = [tuple([size for size in own if isinstance(size, int) and size != 1]) for own in shapes]
    different = list(dict.fromkeys(sizes))
    if len(different) > _MAX_OPERANDS or rank > _MAX_LINED_UP:
        return None
    found: list[bool | None] = []
    for number, free in enumerate(different):
        others = (*different[:number], *different[number + 1 :])
        found.append(_fit(rank, others, free))
    if True in found:
        return True
    return None if None in found else False


def _fit(rank: int, ordered: Sequence[Shape], free: Shape) -> bool | None:
    """Whether so many axes hold the sizes of each operand, one size on an axis.

    From the first axis on, the next size of any operand may be there, for all whose next one it is.
    """
    states: set[_State] = {(tuple(ordered), tuple(sorted(free, key=int)))}
    seen = 0
    for room in range(rank, -1, -1):
        following: set[_State] = set()
        for left, rest in states:
            needed = max(map(len, left), default=0)
            if needed == 0 and len(rest) <= room:
                return True
            if max(needed, len(rest)) <= room:
                following.update(_next(left, rest))
        states = following
        seen += len(states)
        if seen > _MAX_STATES:
            return None
    return False


def _next(left: Sequence[Shape], rest: Shape) -> list[_State]:
    """What is left after the next axis, for each size that may be there."""
    found: list[_State] = []
    for size in {own[0] for own in left if own}:
        after = [own[1:] if own[:1] == (size,) else own for own in left]
        unplaced = list(rest)
        if size in unplaced:
            unplaced.remove(size)
        found.append((tuple(after), tuple(unplaced)))
    return found
