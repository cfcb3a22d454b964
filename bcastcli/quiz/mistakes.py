"""Common mistakes: wrong ways to answer an exercise, the replies they lead to, and refutations.

`_ROWS` has for each mistake the kinds of exercises in which it can be made, and what finds the
replies that it leads to; `_REFUTATIONS` has the words. Several mistakes often lead to the same
reply, so a reply has a list of those that match it; a plain "no" can come from even more.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from string import Formatter
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.core.shapes import Shape, columns, right_aligned
from bcastcli.core.wording import joined_with_and
from bcastcli.quiz.exercises import (
    DEPENDS,
    NO,
    OF_LINES,
    Exercise,
    Kind,
    Level,
    Reply,
    lettered,
    operand_values,
    reply_from,
)
from bcastcli.rules import RULES, USUAL

NUMPY = RULES[USUAL]
LEFT, LONGER, LARGER = "lined up from the left", "the longer shape", "the larger size"
RULE_OF_NUMPY, OTHER_RULE = "numpy's rule", "another rule"
DEPENDS_WRONGLY = "depends where it does not"
_REFUTATIONS = {
    LEFT: "{came}; {lines_up}",
    RULE_OF_NUMPY: "this is what numpy's rule gives; {rule} has a rule of its own",
    OTHER_RULE: "this is right under {others}; the question is about {rule}",
    "the default axis": "this comes out at the default axis; the question gives another one",
    "operands swapped": "this comes out with A and B swapped",
    "the target's own shape": (
        "the target's own shape is not always the result: a 1 of the target stretches too"
    ),
    "matrix product": "this is the shape of a matrix product; here elements are paired one by one",
    "recycling": "only a size of 1 is repeated; no other size is repeated to fill a larger one",
    LARGER: "the larger size is right only where the other one is 1",
    LONGER: (
        "the longer shape is the result only if none of its 1s has to stretch, and nothing clashes"
    ),
    "the smaller size": "the smaller size is never the result, unless it is 0",
    "concatenation": "that is concatenation; broadcasting never adds sizes",
    "shapes joined": (
        "that joins the shapes, as an outer product does; broadcasting aligns the axes"
    ),
    "sizes multiplied": "equal sizes stay as they are; they are not multiplied",
    "sizes added": "equal sizes stay as they are; they are not added",
    "the order reversed": "the sizes are right, but in reverse order",
    "ones dropped": "axes of size 1 stay in the result",
    "an axis left out": "one axis is missing: the result has as many as the longest operand",
    "ranks differ": "the ranks may differ: a missing axis stretches",
    "both would stretch": "both operands may stretch, on different axes",
    "sizes differ": "sizes may differ: a 1 stretches",
    DEPENDS_WRONGLY: '"depends" is wrong: {decided}',
    "counted from 1": "{counted} are counted from 0",
    "the last axis": "B ends there; the question is where it starts",
    "index reversed": "the first index is that of the first axis",
    "A alone": "B's value there must be added",
    "B alone": "A's value there must be added",
    "B from 0": "B holds 1, 2, 3, ...: its first element is 1",
    "ones in front": "ones before its own sizes leave B where it is: on the last axes",
    "a 1 too many": "one axis fewer: B must end at A's last axis",
    "stretched by hand": "B need not have the shape of A: ones stretch",
}
_PRACTICE = {
    LEFT: Level.MISSING_AXES,
    "ranks differ": Level.MISSING_AXES,
    "an axis left out": Level.MISSING_AXES,
    "both would stretch": Level.BOTH_SIDES,
    LONGER: Level.BOTH_SIDES,
    LARGER: Level.ZEROS,
    DEPENDS_WRONGLY: Level.SYMBOLS,
    RULE_OF_NUMPY: Level.OTHER_RULES,
    OTHER_RULE: Level.OTHER_RULES,
}
_Read = Callable[[Answer], Answer]
_Find = Callable[[Exercise], Iterable[Reply | None]]
"""What finds the replies that a mistake leads to; None where it leads to none."""


class Mistake(NamedTuple):
    """A wrong way to answer."""

    name: str
    """A few words, to count it by."""
    refutation: str
    reply: Reply


def mistakes(exercise: Exercise) -> Iterator[Mistake]:
    """Yield the mistakes that lead to wrong replies, the likeliest first."""
    right = exercise.right
    for name, kinds, find in _ROWS:
        for reply in find(exercise) if exercise.kind in kinds else ():
            if reply is not None and reply != right:
                yield Mistake(name, _refutation(name, exercise, reply), reply)


def matching_mistakes(exercise: Exercise, reply: Reply) -> list[Mistake]:
    """Return the mistakes that lead to a wrong reply, each once, the likeliest first."""
    found: dict[str, Mistake] = {}
    for mistake in mistakes(exercise):
        if mistake.reply == reply:
            found.setdefault(mistake.name, mistake)
    return list(found.values())


def harmless_mistakes(exercise: Exercise) -> list[str]:
    """Return the names of the commonest mistakes that lead to the right reply all the same."""
    right = exercise.right
    readings: list[tuple[str, _Read]] = [(LEFT, from_the_left)]
    if not exercise.answer.rule.like_numpy:
        readings.append((RULE_OF_NUMPY, as_in_numpy))
    else:
        readings += ((OTHER_RULE, _under(rule)) for rule in _other_rules(exercise))
    found = [
        name
        for name, read in readings
        if exercise.kind is not Kind.RESHAPE
        and reply_from(exercise.kind, list(map(read, exercise.answers)), exercise.place) == right
    ]
    shapes = ((LONGER, longer_shape), (LARGER, larger_sizes))
    return found + [name for name, find in shapes if right in _shape(find)(exercise)]


def level_of(mistake: str) -> Level:
    """Return the level that is about a mistake."""
    return _PRACTICE.get(mistake, Level.ONES)


def _refutation(name: str, exercise: Exercise, reply: Reply) -> str:
    """Return what refutes a mistake, with what its words say of this exercise."""
    text = _REFUTATIONS[name]
    fields = [field for _, field, _, _ in Formatter().parse(text) if field]
    return text.format(**{field: _FIELDS[field](exercise, reply) for field in fields})


def _came(exercise: Exercise, reply: Reply) -> str:
    if exercise.kind is Kind.RESHAPE:
        return "without a reshape, B is on the last axes of A"
    clash = from_the_left(exercise.answer).ok is False and exercise.kind not in OF_LINES
    return "aligned from the left they clash" if clash else "aligning from the left gives this"


def _lines_up(exercise: Exercise, reply: Reply) -> str:
    rule = exercise.answer.rule
    return rule.lines_up.format(name=rule.name, **exercise.answer.options)


def _decided(exercise: Exercise, reply: Reply) -> str:
    names = exercise.answer.unknown_sizes
    if exercise.answer.ok:
        return f"it works for every {joined_with_and(names)}"
    return f"no {' and '.join(names)} makes it work"


def _others(exercise: Exercise, reply: Reply) -> str:
    rules = _other_rules(exercise)
    return joined_with_and(
        [rule.name for rule in rules if reply in _reading(_under(rule))(exercise)]
    )


_FIELDS: dict[str, Callable[[Exercise, Reply], str]] = {
    "came": _came,
    "counted": lambda exercise, _: "axes" if exercise.kind is Kind.START else "indices",
    "decided": _decided,
    "lines_up": _lines_up,
    "others": _others,
    "rule": lambda exercise, _: exercise.answer.rule.name,
}


# Another question in the place of the one that was asked


def answer_to(rule: Rule, operands: Sequence[Operand], options: Options) -> Answer:
    """Return what a rule says of operands."""
    return Question(rule, operands, options).answer()


def from_the_left(answer: Answer) -> Answer:
    """Return the answer to operands of one rank: ones follow those that have fewer axes."""
    rank = max(answer.ranks)
    padded = [Operand(name, shape + (1,) * (rank - len(shape))) for name, shape in answer.operands]
    return answer_to(
        answer.rule, padded, {} if "axis" in answer.question.options else answer.question.options
    )


def as_in_numpy(answer: Answer) -> Answer:
    """Return the answer of NumPy's rule."""
    return answer_to(NUMPY, answer.operands, {})


def _without_options(answer: Answer) -> Answer:
    return answer_to(answer.rule, answer.operands, {})


def _swapped(answer: Answer) -> Answer:
    return answer_to(answer.rule, answer.operands[::-1], answer.question.options)


def _under(rule: Rule) -> _Read:
    return lambda answer: answer_to(rule, answer.operands, {})


def _reading(read: _Read, where: Callable[[Exercise], object] = bool) -> _Find:
    """Return what finds the replies that follow from other answers: any line that then fits."""

    def find(exercise: Exercise) -> Iterable[Reply | None]:
        answers = list(map(read, exercise.answers)) if where(exercise) else []
        if not answers:
            return []
        if exercise.kind in OF_LINES:
            return _fitting_lines(exercise, [each.ok for each in answers])
        return [reply_from(exercise.kind, answers, exercise.place)]

    return find


def _fitting_lines(exercise: Exercise, verdicts: Iterable[bool | None]) -> list[Reply | None]:
    """Return the letters of the lines that are right by these verdicts."""
    wanted = exercise.kind is Kind.MATCH
    pairs = zip(lettered(exercise), verdicts, strict=True)
    return [letter for (letter, _), verdict in pairs if verdict is wanted]


def _other_rules(exercise: Exercise) -> list[Rule]:
    """Return the other rules that are asked in turn, but for those that answer as NumPy's."""
    own = exercise.answer.rule
    others = (rule for rule in exercise.asked_too if rule is not own and not rule.like_numpy)
    return [
        rule
        for rule in others
        if all(rule.accepts_count(len(each.ranks)) for each in exercise.answers)
    ]


def _by_other_rules(exercise: Exercise) -> Iterable[Reply | None]:
    replies = (_reading(_under(rule))(exercise) for rule in _other_rules(exercise))
    return dict.fromkeys(reply for each in replies for reply in each)


# A shape that is found in another way


def _shapes(find: Callable[[Answer], Iterable[Shape | None]]) -> _Find:
    """Return what finds the replies that follow from shapes, where these decide."""

    def replies(exercise: Exercise) -> Iterator[Reply]:
        for shape in find(exercise.answer) if exercise.kind in _ASKING_FOR_SHAPES else ():
            if shape is not None:
                yield shape if exercise.kind is Kind.SHAPE else prod(map(int, shape))

    return replies


def _shape(find: Callable[[Answer], Shape | None]) -> _Find:
    return _shapes(lambda answer: [find(answer)])


def _of_columns(combine: Callable[[list[int]], int]) -> Callable[[Answer], Shape | None]:
    """Return what combines the sizes on each axis, the last axes aligned; none without numbers."""

    def found(answer: Answer) -> Shape | None:
        if answer.unknown_sizes:
            return None
        aligned = columns([shape for _, shape in answer.operands], right_aligned(answer.ranks))
        return tuple(combine([size for size in each if isinstance(size, int)]) for each in aligned)

    return found


larger_sizes, _smaller_sizes = _of_columns(max), _of_columns(min)


def longer_shape(answer: Answer) -> Shape:
    """Return the shape of the operand that has the most axes."""
    return max(answer.operands, key=lambda operand: len(operand.shape)).shape


def _of_pair(find: Callable[[Shape, Shape], Iterable[Shape]]) -> _Find:
    """Return what finds the replies that follow from shapes of two operands, and none for more."""
    return _shapes(
        lambda answer: (
            find(*(shape for _, shape in answer.operands)) if len(answer.operands) == 2 else ()
        )
    )


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


def _recycled(answer: Answer) -> Shape | None:
    """Return the larger sizes where the smaller ones go into them."""
    larger, smaller = larger_sizes(answer), _smaller_sizes(answer)
    if len(answer.operands) != 2 or larger is None or smaller is None or 0 in smaller:
        return None
    pairs = list(zip(map(int, larger), map(int, smaller), strict=True))
    fits = all(large % small == 0 for large, small in pairs)
    return larger if fits and any(1 < small < large for large, small in pairs) else None


def _of_result(change: Callable[[Shape], Iterable[Shape]]) -> _Find:
    """Return what finds the replies that follow from other shapes than the result."""
    return _shapes(lambda answer: [] if answer.result is None else change(answer.result))


# A wrong verdict, number or reshape


def _no(is_feared: Callable[[Answer], object]) -> _Find:
    """Return what finds the replies of someone who says no for fear of something harmless."""

    def replies(exercise: Exercise) -> Iterable[Reply | None]:
        verdicts = [each.ok and not is_feared(each) for each in exercise.answers]
        if exercise.kind in OF_LINES:
            return _fitting_lines(exercise, verdicts)
        return [NO] if exercise.answer.ok and not verdicts[0] else []

    return replies


def _depends(exercise: Exercise) -> Iterable[Reply]:
    answer = exercise.answer
    return [DEPENDS] if answer.unknown_sizes and answer.ok is not None else []


def _start(change: Callable[[int, Exercise], int]) -> _Find:
    return lambda exercise: [change(int(str(exercise.right)), exercise)]


def _element(index: Callable[[tuple[int, ...]], Sequence[int]]) -> _Find:
    """Return what finds the element at another index."""
    return lambda exercise: [reply_from(exercise.kind, exercise.answers, index(exercise.place))]


def _values(combine: Callable[[int, int], int]) -> _Find:
    """Return what combines the values of A and B that meet in the element."""
    return lambda exercise: [combine(*operand_values(exercise))]


def _reshaped(change: Callable[[Shape, Shape, Shape], Iterable[Shape]]) -> _Find:
    """Return what finds wrong shapes for B, given A's, B's, and a 1 for each axis B lacks."""

    def replies(exercise: Exercise) -> Iterable[Shape]:
        (_, target), (_, own) = exercise.answer.operands
        return change(target, own, (1,) * (len(target) - len(own)))

    return replies


def _aligned_left_by_mistake(exercise: Exercise) -> bool:
    """Return whether it makes a difference to align the first axes, and is not the rule."""
    differ = any(len({*answer.ranks}) > 1 for answer in exercise.answers)
    return differ and exercise.answer.rule.missing_axes != "trailing"


_ASKING_FOR_SHAPES = {Kind.SHAPE, Kind.COUNT}
_ANY = {*Kind} - {Kind.RESHAPE}
_ROWS: tuple[tuple[str, set[Kind], _Find], ...] = (
    (LEFT, _ANY, _reading(from_the_left, _aligned_left_by_mistake)),
    (RULE_OF_NUMPY, _ANY, _reading(as_in_numpy, lambda it: not it.answer.rule.like_numpy)),
    (
        "the default axis",
        _ANY,
        _reading(_without_options, lambda it: any(each.question.options for each in it.answers)),
    ),
    (
        "operands swapped",
        _ANY,
        _reading(_swapped, lambda it: it.kind is Kind.ELEMENT or it.answer.rule.keeps_first),
    ),
    (
        "the target's own shape",
        _ANY,
        _shape(lambda answer: answer.operands[1].shape if answer.rule.second_is_target else None),
    ),
    ("matrix product", _ANY, _of_pair(_matrix_product)),
    ("recycling", _ANY, _shape(_recycled)),
    (LARGER, _ANY, _shape(larger_sizes)),
    (LONGER, _ANY, _shape(longer_shape)),
    ("the smaller size", _ANY, _shape(_smaller_sizes)),
    ("concatenation", _ANY, _of_pair(_concatenated)),
    ("shapes joined", _ANY, _of_pair(lambda first, second: [first + second])),
    ("sizes multiplied", _ANY, _shape(_of_columns(prod))),
    ("sizes added", _ANY, _shape(_of_columns(sum))),
    ("the order reversed", _ANY, _of_result(lambda shape: [shape[::-1]])),
    ("ones dropped", _ANY, _of_result(lambda shape: [tuple(size for size in shape if size != 1)])),
    (
        "an axis left out",
        _ANY,
        _of_result(lambda shape: (shape[:n] + shape[n + 1 :] for n in range(len(shape)))),
    ),
    (
        "ranks differ",
        {Kind.SHAPE, *OF_LINES},
        _no(lambda answer: len(set(answer.ranks)) > 1),
    ),
    ("both would stretch", {Kind.SHAPE}, _no(lambda answer: answer.all_stretch)),
    (
        "sizes differ",
        {Kind.SHAPE},
        _no(lambda answer: any(axis.stretched and 1 in axis.sizes for axis in answer.axes or ())),
    ),
    (DEPENDS_WRONGLY, {Kind.SHAPE}, _depends),
    ("counted from 1", {Kind.START}, _start(lambda right, _: right + 1)),
    ("the last axis", {Kind.START}, _start(lambda right, it: right + it.answer.ranks[1] - 1)),
    ("index reversed", {Kind.ELEMENT}, _element(lambda place: place[::-1])),
    ("counted from 1", {Kind.ELEMENT}, _element(lambda place: [max(0, n - 1) for n in place])),
    ("A alone", {Kind.ELEMENT}, _values(lambda own, _: own)),
    ("B alone", {Kind.ELEMENT}, _values(lambda _, other: other)),
    ("B from 0", {Kind.ELEMENT}, _values(lambda own, other: own + other - 1)),
    (OTHER_RULE, _ANY, _by_other_rules),
    (LEFT, {Kind.RESHAPE}, _reshaped(lambda target, own, ones: [own])),
    (
        "ones in front",
        {Kind.RESHAPE},
        _reshaped(lambda target, own, ones: [(*ones, *own), (1, *own)]),
    ),
    ("a 1 too many", {Kind.RESHAPE}, _reshaped(lambda target, own, ones: [(*own, *ones)])),
    ("stretched by hand", {Kind.RESHAPE}, _reshaped(lambda target, own, ones: [target])),
)
"""Each mistake, the likeliest first, with the kinds of exercises in which it can be made."""
