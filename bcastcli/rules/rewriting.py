"""Suggestions for operands that do not broadcast: one operand with its axes rearranged.

A change keeps the meaning of every element: axes of size 1 are inserted or dropped, axes are
permuted, or one is split, so that every size other than 1 meets its equal in the other operand,
which is kept. All shapes here are outermost first. These are only candidates: each is
answered before it is shown.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, pairwise
from math import prod
from typing import Any, TypeAlias

from bcastcli.core.alignment import Change, Operand, change
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, MissingAxes, Rule
from bcastcli.core.shapes import UNKNOWN, Shape, Size, element_count, written

# Longer questions are not rewritten: the result would be unreadable and slow to find.
MAX_AXES = 16
_MAX_CHARACTERS = 80
_MAX_OPERANDS = 4
_MAX_WAYS = 200
"""The most ways to try to put one operand on another's axes."""
MAX_PAIRS = 1_000_000
"""The most elements of a result for every pair, unless it is at most MAX_GROWTH times as large."""
MAX_GROWTH = 8

Changes: TypeAlias = Mapping[int, Change]
"""Changes to operands by their numbers."""
Placed: TypeAlias = dict[int, int]
"""The own axes by the axes of the other operand that they are on."""
Way: TypeAlias = tuple[tuple[Any, ...], int, Change]
"""A way to put an operand on the axes of another one: a key, smaller for likelier ways; the number
of the operand; and its change."""
Propose: TypeAlias = Callable[[Question], Iterator[Alternative]]


def alternatives(question: Question, movable: Sequence[int]) -> Iterator[Alternative]:
    """The question with other axes for one of its operands, the likeliest first.

    `movable` are the numbers of the operands that may get them.
    """
    if len(question.operands) > 1 and is_readable(question.operands):
        one, other = _at_odds(question)
        found = of_pair(question.operands, (one, other), movable, question.rule.missing_axes)
        of_one = [with_changes(question, changes, last) for changes, last in found]
        yield from of_one
        if len(question.operands) > 2 and not any(each.question.answer().ok for each in of_one):
            yield from _of_several(question)


def of_pair(
    operands: Sequence[Operand], pair: tuple[int, int], movable: Sequence[int], missing: MissingAxes
) -> Iterator[tuple[Changes, str]]:
    """Changes to one of two operands, and "stretch" or "pairs" for a last resort."""
    shapes = [operand.shape for operand in operands]
    directions = [each for each in (pair, pair[::-1]) if each[1] in movable]
    ways = [way for each in directions for way in _ways(operands, each, missing)]
    yield from (({number: laid}, "") for _, number, laid in sorted(ways, key=lambda way: way[0]))
    for kept, number in directions:
        name, own = operands[number]
        for placed in _placements(own, shapes[kept], on_ones=True):
            meets = any(own[axis] == shapes[kept][place] != 1 for place, axis in placed.items())
            if meets and _stays_small(own, shapes[kept], placed):
                laid = _laid(name, own, placed, len(shapes[kept]), missing)
                if laid.shape != own and laid.kind != "permute":  # not by permuting axes
                    yield {number: laid}, "stretch"
    if {*pair} <= {*movable}:
        for changes in _for_every_pair(operands, pair, missing):
            yield changes, "pairs"


def _of_several(question: Question) -> Iterator[Alternative]:
    """The question with as few operands as possible on the axes of the others."""
    operands = question.operands
    if len(operands) > _MAX_OPERANDS:
        return
    numbers = sorted(range(len(operands)), key=lambda number: len(operands[number].shape))
    for count in range(1, len(operands)):
        for changed in combinations(numbers, count):
            kept = [own for number, own in enumerate(operands) if number not in changed]
            onto = question.with_operands(kept).answer().result
            if onto is not None and len(onto) == max(question.ranks):
                changes = _on_axes(operands, changed, onto, question.rule.missing_axes)
                if changes:
                    yield with_changes(question, changes)


def _on_axes(
    operands: Sequence[Operand], changed: Sequence[int], onto: Shape, missing: MissingAxes
) -> Changes | None:
    """The changes that put operands on axes of a shape, in their order; None if one has none."""
    changes: dict[int, Change] = {}
    for number in sorted(changed):
        name, own = operands[number]
        placed = next(_placements(own, onto), None)
        if placed is None:
            return None
        changes[number] = _laid(name, own, placed, len(onto), missing)
        if changes[number].shape == own:
            return None
    return changes


def is_readable(operands: Sequence[Operand]) -> bool:
    """Whether the operands stay readable with additional axes."""
    return (
        max(len(operand.shape) for operand in operands) <= MAX_AXES
        and max(len(written(operand.shape)) for operand in operands) <= _MAX_CHARACTERS
    )


def with_changes(
    question: Question, changes: Changes, last_resort: str = "", flip: int = 1
) -> Alternative:
    """The question with some operands changed; `flip` is -1 if axes are reversed."""
    operands = list(question.operands)
    for number, each in changes.items():
        shape = each.wide or each.shape
        operands[number] = Operand(operands[number].name, shape[::flip])
    first, *_ = changes.values()
    kind = "pairs" if last_resort == "pairs" else first.kind
    changed = question.with_operands(operands)
    return Alternative(changed, kind, tuple(changes.values()), is_last_resort=bool(last_resort))


def under(rule: Rule, question: Question) -> Iterator[Alternative]:
    """The question under another rule that aligns the same operands in the same way."""
    other = question.under(rule)
    if _places(question.answer()) == _places(other.answer()):
        yield Alternative(other, "rule", setting=f"rule {rule.name}")


def swapped(question: Question) -> Alternative:
    """The question with its two operands in the other order."""
    first, second = question.operands
    reverse = question.with_operands((second, first))
    return Alternative(reverse, "rule", setting=f"swap {first.name} and {second.name}")


def after(first: Alternative, propose: Propose) -> Iterator[Alternative]:
    """An alternative and, if it is not enough, proposals for it."""
    yield first
    if first.question.answer().ok is False:
        for each in propose(first.question):
            setting = ", ".join(filter(None, (first.setting, each.setting)))
            yield each._replace(setting=setting, changes=first.changes + each.changes)


def stretched_by_hand(question: Question, changes: Changes, result: Shape) -> Alternative:
    """The question with its operands changed, and each given the result's shape."""
    wide = {}
    for number, (name, shape) in enumerate(question.operands):
        own = changes.get(number) or change(name, shape, tuple(range(len(shape))))
        if own.shape != result or number in changes:
            wide[number] = own._replace(wide=None if own.shape == result else result)
    return with_changes(question, wide)


def in_full_rank(question: Question) -> Iterator[Alternative]:
    """The question with leading axes for the operands that lack some."""
    rank = max(question.ranks)
    leading: dict[int, Change] = {}
    for number, (name, own) in enumerate(question.operands):
        if len(own) < rank:
            added = [None] * (rank - len(own))
            leading[number] = change(name, own, (*added, *range(len(own))))
    if 0 < len(leading) <= MAX_AXES and is_readable(question.operands):
        yield with_changes(question, leading, "stretch")


def places(own: Shape, target: Shape) -> Iterator[tuple[int, ...]]:
    """Axes of `target` that fit all own axes: in order, or else in any order.

    The last ones come first; a 1 takes any axis.

    >>> list(places((4,), (4, 3, 4))), list(places((3, 1, 2), (2, 3, 4)))
    ([(2,), (0,)], [(1, 2, 0)])
    """
    for placed in [*_placements(own, target)] or _placements(own, target, in_order=False):
        order = _laid("", own, placed, len(target), "none").order
        if len(own) == sum(axis is not None for axis in order):
            yield tuple([order.index(axis) for axis in range(len(own))])


def _ways(
    operands: Sequence[Operand], direction: tuple[int, int], missing: MissingAxes
) -> Iterator[Way]:
    """The ways to put an operand on the axes of another: in order, permuted or split."""
    kept, number = direction
    (name, own), onto = operands[number], operands[kept].shape
    rank = len(onto)
    found = [(placed, _laid(name, own, placed, rank, missing)) for placed in _placements(own, onto)]
    if not found:
        permuted = [
            (placed, _laid(name, own, placed, rank, missing))
            for placed in _placements(own, onto, in_order=False)
        ]
        least = min((_moved(laid) for _, laid in permuted), default=0)
        found = [each for each in permuted if _moved(each[1]) == least]
    for placed, laid in found or _splits(name, own, onto, missing):
        if laid.shape != own:
            larger = (rank, prod(size for size in onto if isinstance(size, int)))
            key = (
                _moves_batch(own, placed, rank),
                ("insert", "drop", "permute", "split", "stretch").index(laid.kind),
                tuple(-each for each in larger),
                -number,
                tuple([-place for place in sorted(placed, reverse=True)]),
            )
            yield key, number, laid


def _placements(
    own: Shape, onto: Shape, *, in_order: bool = True, on_ones: bool = False
) -> Iterator[Placed]:
    """The axes of `onto` that own sizes other than 1 equal, the last ones first.

    Equal sizes always keep their order. `on_ones` lets them be on axes of size 1, too.
    """

    def fits(axis: int, place: int) -> bool:
        return own[axis] == onto[place] or (on_ones and onto[place] == 1)

    def is_possible(left: tuple[int, ...], end: int) -> bool:
        if in_order:
            rest = iter(range(end))
            return all(any(fits(axis, place) for place in rest) for axis in left)
        return not Counter([own[axis] for axis in left]) - Counter(onto[:end])

    def search(left: tuple[int, ...], end: int) -> Iterator[Placed]:
        if not left:
            yield {}
        elif is_possible(left, end):
            place = end - 1
            suiting = [axis for axis in (left[-1:] if in_order else left) if fits(axis, place)]
            for axis in suiting[-1:]:
                rest = tuple([each for each in left if each != axis])
                yield from ({**found, place: axis} for found in search(rest, place))
            yield from search(left, place)

    sizes = tuple([axis for axis, size in enumerate(own) if size != 1])
    if UNKNOWN not in own:
        yield from islice(search(sizes, len(onto)), _MAX_WAYS)


def _laid(name: str, own: Shape, placed: Placed, rank: int, missing: MissingAxes) -> Change:
    """The change that puts own axes on those of another operand of a rank.

    Ones stay between their neighbours, and are dropped if there is no room for them. If axes would
    be dropped and inserted, or are permuted, ones go wherever there is room.
    """
    order: list[int | None] = [placed.get(place) for place in range(rank)]
    kept = [axis for axis in order if axis is not None]
    in_order = kept == sorted(kept)
    edges = zip([-1, *sorted(kept), len(own)], [-1, *sorted(placed), rank], strict=True)
    for (axis, place), (next_axis, next_place) in pairwise(edges):
        if in_order:
            ones, room = list(range(axis + 1, next_axis)), range(place + 1, next_place)
            if place == -1 and (placed or missing != "trailing"):  # next to the following axis
                ones = ones[-len(room) :] if room else []
                room = room[len(room) - len(ones) :]
            for one, free in zip(ones, room, strict=False):
                order[free] = one
    laid = _cut(name, own, order, missing)
    if in_order and not (laid.dropped and laid.added and len(own) <= rank):
        return laid
    order = [placed.get(place) for place in range(rank)]
    ones = [axis for axis, size in enumerate(own) if size == 1]
    for one in ones[::-1]:
        left = [place for place, axis in enumerate(order) if axis is None]
        if left:
            wanted = one + rank - len(own)
            order[wanted if wanted in left else left[-1]] = one
    return _cut(name, own, order, missing)


def _cut(
    name: str,
    own: Shape,
    order: Sequence[int | None],
    missing: MissingAxes,
    sizes: Shape | None = None,
) -> Change:
    """The change without the new axes that the rule lets an operand lack."""
    kept = [place for place, axis in enumerate(order) if axis is not None]
    start = (kept[0] if kept else len(order)) if missing == "leading" else 0
    end = (kept[-1] + 1 if kept else 0) if missing == "trailing" else len(order)
    if sizes is None:
        return change(name, own, tuple(order[start:end]))
    return Change(name, own, tuple(order[start:end]), sizes[start:end])


def _splits(
    name: str, own: Shape, onto: Shape, missing: MissingAxes
) -> Iterator[tuple[Placed, Change]]:
    """An operand with its only axis split into neighbouring axes of the other one.

    If there are other axes, a matching product of sizes is mostly chance.
    """
    sizes = [(axis, size) for axis, size in enumerate(own) if size != 1]
    if len(sizes) != 1:
        return
    [(axis, size)] = sizes
    for start, end in combinations(range(len(onto) + 1), 2):
        parts = onto[start:end]
        if len(parts) < 2 or {0, 1} & {*parts} or element_count(parts) != (size, []):
            continue
        placed = dict.fromkeys(range(start, end), axis)
        order = [placed.get(place) for place in range(len(onto))]
        shape = [1 if each is None else onto[i] for i, each in enumerate(order)]
        yield placed, _cut(name, own, order, missing, tuple(shape))


def _stays_small(own: Shape, onto: Shape, placed: Placed) -> bool:
    """Whether just one size is on a 1 of the other operand, and the result stays small."""
    landed = tuple([own[axis] for place, axis in placed.items() if onto[place] == 1])
    one, other, factor = (element_count(shape)[0] for shape in (own, onto, landed))
    return len(landed) == 1 and other * factor <= min(MAX_PAIRS, MAX_GROWTH * max(one, other))


def _moved(laid: Change) -> int:
    shift = len(laid.order) - len(laid.own)
    return sum(axis is not None and axis + shift != place for place, axis in enumerate(laid.order))


def _moves_batch(own: Shape, placed: Placed, rank: int) -> bool:
    """Whether the first axis of the operand with the most axes would meet another axis."""
    if len(own) < rank or not own:
        return False
    axis_there = placed.get(0, 0)
    elsewhere = own[0] != 1 and placed.get(0) != 0
    return elsewhere or (len(own) == rank and axis_there != 0)


def _for_every_pair(
    operands: Sequence[Operand], pair: tuple[int, int], missing: MissingAxes
) -> Iterator[Changes]:
    """Changes that give a result for every pair of rows, or of elements, if it is small.

    Two vectors are not paired if their sizes suggest that they should be equal.
    """
    first, second = pair
    (one, a), (other, b) = operands[first], operands[second]
    if not (a[1:] == b[1:] and len(a) == len(b) in (1, 2) and a[:1] != b[:1]):
        return
    if any(isinstance(size, str) or size == 0 for size in a + b) or 1 in (a[0], b[0]):
        return
    counts = [prod(map(int, shape)) for shape in (a, b, (*a[:1], *b))]
    if counts[2] > max(MAX_PAIRS, MAX_GROWTH * max(counts[:2])):
        return
    from bcastcli.rules.sizes import is_plain  # rarely needed

    if len(a) == 1 and not is_plain(int(a[0]), int(b[0])):
        return
    rest = tuple(range(1, len(a)))
    changes = {first: change(one, a, (0, None, *rest))}
    if missing == "none":
        changes[second] = change(other, b, (None, 0, *rest))
    yield changes


def _at_odds(question: Question) -> tuple[int, int]:
    """The numbers of two operands: the ones that clash on the rightmost axis.

    Of equal ones the one with the most axes counts; without a clash, an operand of another rank.
    """
    ranks = question.ranks
    if len(ranks) == 2:
        return 0, 1
    for axis in reversed(question.answer().axes or ()):
        if axis.conflict is not False:
            having: dict[Size, int] = {}
            for number in sorted(range(len(ranks)), key=lambda number: -ranks[number]):
                size = axis.sizes[number]
                if size not in (1, None):
                    having.setdefault(size, number)
            if len(having) > 1:
                one, other, *_ = sorted(having.values())
                return one, other
    longest = ranks.index(max(ranks))
    shorter = [number for number, rank in enumerate(ranks) if rank < max(ranks)]
    return longest, shorter[0] if shorter else longest - 1


def _places(answer: Answer) -> list[list[int]] | None:
    """The axes, counted from the last, that each operand's sizes other than 1 are on."""
    if answer.axes is None:
        return None
    return [
        [
            place - answer.layout.rank
            for size, place in zip(shape, answer.places_of(number), strict=False)  # pdpd trims
            if size != 1
        ]
        for number, shape in enumerate(answer.shapes)
    ]
