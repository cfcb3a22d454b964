"""Common mistakes: wrong ways to answer an exercise, the replies they lead to, and refutations.

`_ROWS` and `_ROWS_OF_A_KIND` map each mistake to a function that finds the replies it leads to, and
`_REFUTATIONS` to its words. Several mistakes often lead to the same reply, so a reply has a list of
mistakes that match it; a plain "no" matches even more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from math import prod
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import Shape, Size, columns, right_aligned
from bcastcli.core.wording import joined_with_and
from bcastcli.quiz.exercises import DEPENDS, NO, OF_LINES, ZEROS, Exercise, Kind, Level, Reply
from bcastcli.rules import RULES, USUAL

NUMPY = RULES[USUAL]
LEFT, LONGER, LARGER = "lined up from the left", "the longer shape", "the larger size"
RULE_OF_NUMPY, OTHER_RULE = "numpy's rule", "another rule"
RANKS_DIFFER, DEPENDS_WRONGLY = "ranks differ", "depends where it does not"
PRACTICE = {
    LEFT: Level.MISSING_AXES,
    RANKS_DIFFER: Level.MISSING_AXES,
    "an axis left out": Level.MISSING_AXES,
    "both would stretch": Level.BOTH_SIDES,
    LONGER: Level.BOTH_SIDES,
    DEPENDS_WRONGLY: Level.SYMBOLS,
    RULE_OF_NUMPY: Level.OTHER_RULES,
    OTHER_RULE: Level.OTHER_RULES,
}
"""The level to practise after a mistake; `ones` after any other."""
OWN = {
    Level.MISSING_AXES: (LEFT,),
    Level.BOTH_SIDES: (LONGER,),
    ZEROS: (LARGER,),
    Level.OTHER_RULES: (RULE_OF_NUMPY, OTHER_RULE),
}
"""The mistakes that a level is about, which must get its questions wrong."""
UNSCORED: Mapping[str, int] = {}
"""The scores of mistakes before there are replies."""
_Find = Callable[[Exercise], Iterable[Reply]]
"""Returns the replies that a mistake leads to, which may be right."""


class Mistake(NamedTuple):
    """A wrong way to answer."""

    name: str
    """A few words, as counted in the score."""
    refutation: str
    reply: Reply


def _rows(exercise: Exercise) -> dict[str, _Find]:
    """Return the mistakes that can be made in an exercise, the likeliest first."""
    own = _ROWS_OF_A_KIND.get(exercise.kind, {})
    if exercise.kind is Kind.RESHAPE:
        return own
    others: dict[str, _Find] = {OTHER_RULE: _by_other_rules}
    first = others if len(exercise.asked_too) == 2 else {}  # many rules give almost any reply
    return {**first, **_ROWS, **own, **others}


def mistakes(exercise: Exercise) -> Iterator[Mistake]:
    """Yield the mistakes that lead to wrong replies, the likeliest first."""
    for name, find in _rows(exercise).items():
        for reply in find(exercise):
            if not exercise.accepts(reply):
                words = _REFUTATIONS[name]
                text = words if isinstance(words, str) else words(exercise, reply)
                yield Mistake(name, text, reply)


def scores(played: Iterable[tuple[Exercise, Reply]]) -> Counter[str]:
    """Return how well each mistake explains a player's replies, the right ones too.

    A mistake gains a point for leading to a wrong reply, and loses one if it leads only to others.
    """
    found: Counter[str] = Counter()
    for exercise, reply in played:
        for name, find in _rows(exercise).items():
            replies = list(find(exercise))
            if reply not in replies:
                found[name] -= bool(replies)
            elif not exercise.accepts(reply):
                found[name] += 1
    return found


def matching_mistakes(
    exercise: Exercise, reply: Reply, scored: Mapping[str, int] = UNSCORED
) -> list[Mistake]:
    """Return the mistakes that lead to a wrong reply, each once, the likeliest first.

    These are the ones that explain a player's other replies best.
    """
    found: dict[str, Mistake] = {}
    for mistake in mistakes(exercise):
        if mistake.reply == reply:
            found.setdefault(mistake.name, mistake)
    return sorted(found.values(), key=lambda mistake: -scored.get(mistake.name, 0))


def traps(exercise: Exercise) -> dict[str, list[Reply]]:
    """Return the replies to which the commonest mistakes lead, as far as these apply."""
    rule, rows = exercise.answer.rule, _rows(exercise)
    common = [RANKS_DIFFER, LARGER, LONGER, OTHER_RULE if rule.like_numpy else RULE_OF_NUMPY]
    if rule.missing_axes != "trailing":  # else it is the rule
        common.append(LEFT)
    return {name: list(dict.fromkeys(rows[name](exercise))) for name in common if name in rows}


# Another question in place of the one that was asked


def _from_the_left(answer: Answer) -> Answer:
    """Return the answer to operands of one rank: ones follow those that have fewer axes."""
    if "axes" in answer.rule.options:
        options = {"axes": tuple(range(answer.ranks[0]))}
        return Question(answer.rule, answer.operands, options).answer()
    rank = max(answer.ranks)
    padded = [Operand(name, shape + (1,) * (rank - len(shape))) for name, shape in answer.operands]
    return Question(answer.rule, padded).answer()


def _reading(read: Callable[[Answer], Answer]) -> _Find:
    """Return a function that finds replies from other answers: any line that then fits."""
    return lambda it: it._replace(answers=tuple(map(read, it.answers))).replies


def _under(rule: Rule, exercise: Exercise) -> Iterable[Reply]:
    """Return the replies under a rule without options; empty if it needs some."""
    if any(
        not rule.accepts_count(len(each.operands)) or rule.lacks(each.operands, {})
        for each in exercise.answers
    ):
        return ()
    return _reading(lambda it: Question(rule, it.operands).answer())(exercise)


def _with_swapped_operands(exercise: Exercise) -> Iterable[Reply]:
    rule = exercise.answer.rule
    matters = exercise.kind is Kind.ELEMENT or rule.keeps_first or rule.second_is_target
    swap = _reading(lambda it: Question(it.rule, it.operands[::-1], it.question.options).answer())
    return swap(exercise) if matters else ()


def _other_rules(exercise: Exercise) -> Iterator[tuple[Rule, Iterable[Reply]]]:
    """Yield the other rules that are asked in turn, except those that answer as NumPy's."""
    for rule in exercise.asked_too:
        if rule is not exercise.answer.rule and not rule.like_numpy:
            yield rule, _under(rule, exercise)


def _by_other_rules(exercise: Exercise) -> Iterable[Reply]:
    return chain.from_iterable(replies for _, replies in _other_rules(exercise))


# A shape that is found in another way


def _columns(answer: Answer) -> Iterator[list[list[Size]]]:
    """Yield the sizes on each axis as the rule aligns them, and with the last axes aligned."""
    right = columns(answer.shapes, right_aligned(answer.ranks))
    for aligned in filter(None, ([axis.sizes for axis in answer.axes or ()], right)):
        yield [[size for size in column if size is not None] for column in aligned]


def _of_columns(combine: Callable[[list[int]], int]) -> Callable[[Exercise], Iterator[Shape]]:
    """Return a function that combines the sizes on each axis, if all of them are known."""

    def found(exercise: Exercise) -> Iterator[Shape]:
        for aligned in () if exercise.unknown_sizes else _columns(exercise.answer):
            yield tuple(combine(list(map(int, column))) for column in aligned)

    return found


_larger_sizes, _smaller_sizes = _of_columns(max), _of_columns(min)


def _larger(exercise: Exercise) -> Iterable[Reply]:
    """Return the larger size on each axis; where a name meets another size, it depends."""
    if exercise.unknown_sizes:
        return map(_larger_or_unknown, _columns(exercise.answer))
    return _larger_sizes(exercise)


def _larger_or_unknown(aligned: list[list[Size]]) -> Reply:
    sizes: list[Size] = []
    for column in aligned:
        names = {size for size in column if isinstance(size, str)}
        numbers = {size for size in column if isinstance(size, int)}
        if names and len(names | numbers - {1}) > 1:
            return DEPENDS
        sizes.append(names.pop() if names else max(numbers))
    return tuple(sizes)


def _of_pair(find: Callable[[Shape, Shape], Iterable[Shape]]) -> _Find:
    """Return a function that finds replies from the shapes of two operands."""
    return lambda it: find(*it.answer.shapes) if len(it.answer.shapes) == 2 else ()


def _matrix_product(first: Shape, second: Shape) -> Iterator[Shape]:
    """Yield the shape of A @ B if there is one."""
    if first and second and first[-1] == second[-2 if len(second) > 1 else -1]:
        batch = max(first[:-2], second[:-2], key=len)
        yield (*batch, *first[-2:-1], *second[-1:]) if len(second) > 1 else first[:-1]


def _concatenated(first: Shape, second: Shape) -> Iterator[Shape]:
    """Yield the shapes that two operands of one rank have one after the other."""
    for axis, (own, other) in enumerate(zip(first, second, strict=False)):
        rest, others = (shape[:axis] + shape[axis + 1 :] for shape in (first, second))
        if isinstance(own, int) and isinstance(other, int) and rest == others:
            yield (*first[:axis], own + other, *first[axis + 1 :])


def _recycled(exercise: Exercise) -> Iterator[Shape]:
    """Yield the larger sizes of two operands where the smaller ones go into them."""
    both = zip(_larger_sizes(exercise), _smaller_sizes(exercise), strict=True)
    for larger, smaller in both if len(exercise.answer.shapes) == 2 else ():
        pairs = list(zip(map(int, larger), map(int, smaller), strict=True))
        fits = all(small and large % small == 0 for large, small in pairs)
        if fits and any(1 < small < large for large, small in pairs):
            yield larger


def _target(exercise: Exercise) -> Iterable[Shape]:
    """Return the shape to broadcast to, if its ones may stretch."""
    rule = exercise.answer.rule
    return exercise.answer.shapes[1:] if rule.second_is_target and rule.like_numpy else ()


def _fits_recycled(answer: Answer) -> bool | None:
    return any(_recycled(Exercise(Kind.SHAPE, (answer,)))) or answer.ok


def _of_result(change: Callable[[Shape], Iterable[Shape]]) -> _Find:
    """Return a function that finds replies by changing the shape of the result."""
    return lambda it: () if it.answer.result is None else change(it.answer.result)


# A wrong verdict, number or reshape


def _fearing(is_feared: Callable[[Answer], object]) -> _Find:
    """Return a function that finds replies which take a harmless property for a mismatch."""

    def replies(exercise: Exercise) -> Iterable[Reply]:
        feared = list(map(is_feared, exercise.answers))
        if not exercise.is_of_lines:
            return [NO if feared[0] else exercise.right]
        pairs = zip(feared, exercise.answers, strict=True)
        return exercise.fitting_lines([not fear and each.ok for fear, each in pairs])

    return replies


def _depends(exercise: Exercise) -> Iterable[Reply]:
    answer = exercise.answer
    return [DEPENDS] if answer.unknown_sizes and answer.ok is not None else []


def _element(index: Callable[[tuple[int, ...]], Iterable[int]]) -> _Find:
    """Return a function that finds the element at another index."""
    return lambda it: it._replace(place=tuple(index(it.place))).replies


_ROWS: dict[str, _Find] = {
    LEFT: _reading(_from_the_left),
    RULE_OF_NUMPY: lambda it: _under(NUMPY, it),
    RANKS_DIFFER: _fearing(lambda answer: len(set(answer.ranks)) > 1),
    "the default axis": lambda it: _under(it.answer.rule, it),
    "operands swapped": _with_swapped_operands,
    "both would stretch": _fearing(lambda answer: answer.all_stretch),
    "sizes differ": _fearing(
        lambda answer: any(axis.stretched and 1 in axis.sizes for axis in answer.axes or ())
    ),
}
"""The mistakes that can be made in all kinds of exercises but a reshape, the likeliest first."""
_ROWS_OF_LINES: dict[str, _Find] = {
    LARGER: lambda it: it.fitting_lines([True] * len(it.answers)),
    "recycling": lambda it: it.fitting_lines(map(_fits_recycled, it.answers)),
}
_ROWS_OF_A_KIND: dict[Kind, dict[str, _Find]] = {
    **dict.fromkeys(OF_LINES, _ROWS_OF_LINES),
    Kind.SHAPE: {
        LARGER: _larger,
        "recycling": _recycled,
        "matrix product": _of_pair(_matrix_product),
        "the target's own shape": _target,
        LONGER: lambda it: [max(it.answer.shapes, key=len)],
        "the smaller size": _smaller_sizes,
        "concatenation": _of_pair(_concatenated),
        "sizes multiplied": _of_columns(prod),
        "the order reversed": _of_result(lambda shape: [shape[::-1]]),
        "ones dropped": _of_result(lambda shape: [tuple(size for size in shape if size != 1)]),
        "an axis left out": _of_result(
            lambda shape: (shape[:n] + shape[n + 1 :] for n in range(len(shape)))
        ),
        DEPENDS_WRONGLY: _depends,
    },
    Kind.COUNT: {
        LONGER: lambda it: [max(prod(map(int, shape)) for shape in it.answer.shapes)],
        "sizes multiplied": lambda it: [prod(int(n) for shape in it.answer.shapes for n in shape)],
    },
    Kind.START: {
        "counted from 1": lambda it: [int(str(it.right)) + 1],
        "the last axis": lambda it: [int(str(it.right)) + it.answer.ranks[1] - 1],
    },
    Kind.ELEMENT: {
        "index reversed": _element(reversed),
        "counted from 1": _element(lambda place: [max(0, n - 1) for n in place]),
        "A alone": lambda it: it.values[:1],
        "B alone": lambda it: it.values[1:],
        "B from 0": lambda it: [sum(it.values) - 1],
    },
    Kind.RESHAPE: {
        LEFT: lambda it: [(1,) * it.place[0] + it.answer.shapes[1]],
        "B left where it is": lambda it: [(1,) * ones + it.answer.shapes[1] for ones in range(3)],
        "a 1 too many": lambda it: [(*it.reshaped, 1)],
        "stretched by hand": lambda it: it.answer.shapes[:1],
    },
}
"""The mistakes of one kind of exercise."""


# Their refutations


def _left_refuted(exercise: Exercise, reply: Reply) -> str:
    answer = exercise.lettered.get(str(reply), exercise.answer)
    lines_up = answer.rule.lines_up.format(name=answer.rule.name, **answer.options)
    return f"aligned from the left, this would be right; {lines_up}"


def _other_rule_refuted(exercise: Exercise, reply: Reply) -> str:
    names = [rule.name for rule, replies in _other_rules(exercise) if reply in replies]
    asked = exercise.answer.rule.name
    return f"this is right under {joined_with_and(names)}; the question is about {asked}"


def _depends_refuted(exercise: Exercise, _: Reply) -> str:
    which = "every value" if exercise.answer.ok else "no value"
    return f"it works for {which} of {joined_with_and(exercise.unknown_sizes)}"


_REFUTATIONS: dict[str, str | Callable[[Exercise, Reply], str]] = {
    LEFT: _left_refuted,
    RULE_OF_NUMPY: "this is right under numpy's rule; the question is about another rule",
    OTHER_RULE: _other_rule_refuted,
    "the default axis": "this is the result at the default axis; the question gives another axis",
    "operands swapped": "this is the result with A and B swapped",
    "the target's own shape": (
        "the target's own shape is not always the result: a 1 of the target stretches too"
    ),
    "matrix product": "this is the shape of a matrix product; here elements are paired one by one",
    "recycling": "only a size of 1 is repeated: a 2 is not repeated to fill a 4",
    LARGER: "the larger size is right only where the other one is 1",
    LONGER: "the longer shape is not always the result: sizes may clash, and ones stretch",
    "the smaller size": "the smaller size is never the result, unless it is 0",
    "concatenation": "this is concatenation; broadcasting never adds sizes",
    "sizes multiplied": "sizes are never multiplied: equal ones stay as they are",
    "the order reversed": "the sizes are right, but in reverse order",
    "ones dropped": "axes of size 1 stay in the result",
    "an axis left out": "one axis is missing: the result has as many as the longest operand",
    RANKS_DIFFER: "the ranks may differ: a missing axis stretches",
    "both would stretch": "both operands may stretch, on different axes",
    "sizes differ": "sizes may differ: a 1 stretches",
    DEPENDS_WRONGLY: _depends_refuted,
    "counted from 1": "axes and indices are counted from 0",
    "the last axis": "this is where B ends; the question is where it starts",
    "index reversed": "the first index belongs to the first axis",
    "A alone": "B's value there must be added",
    "B alone": "A's value there must be added",
    "B from 0": "B holds 1, 2, 3, ...: its first element is 1",
    "B left where it is": "this leaves B where it is: on the last axes of A",
    "a 1 too many": "this is one axis too many: B must end at A's last axis",
    "stretched by hand": "B need not have the shape of A: ones stretch",
}
