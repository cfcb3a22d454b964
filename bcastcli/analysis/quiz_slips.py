"""Slips: wrong ways to answer an exercise, the replies they lead to, and what refutes them.

Several slips often lead to the same reply, so a reply has a list of those that fit it. A bare no
comes of even more of them, and of none for certain.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from bcastcli.analysis.quiz_exercises import (
    DEPENDS,
    NO,
    OF_LINES,
    Exercise,
    Kind,
    Reply,
    contributions,
    lettered,
    names_of,
    reply_from,
    shape_of,
    text_of,
    why_of,
)
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import Assignment
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.core.shapes import Shape, columns, right_aligned, written
from bcastcli.core.wording import joined_with_and
from bcastcli.rules import RULES

NUMPY = RULES["numpy"]
LIKE_NUMPY = frozenset(("numpy", "onnx", "bidirectional"))
"""The rules that give the same shapes as NumPy's."""
LEFT, LONGER, LARGER = "lined up from the left", "the longer shape", "the larger size"
RULE_OF_NUMPY, OTHER_RULE = "numpy's rule", "another rule"
DEPENDS_WRONGLY = "depends where it does not"
_SMALL = range(1, 8)


class Slip(NamedTuple):
    """A wrong way to answer."""

    name: str
    """A few words, to count it by."""
    refutation: str
    reply: Reply


class _Reading(NamedTuple):
    """A slip that puts another question in the place of the one that was asked."""

    name: str
    refutation: str
    read: Callable[[Answer], Answer]


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


def larger_sizes(answer: Answer) -> Shape | None:
    """Return the larger size of each axis, the last axes aligned."""
    return _of_columns(answer, max)


def longer_shape(answer: Answer) -> Shape:
    """Return the shape of the operand that has the most axes."""
    return max(answer.operands, key=lambda operand: len(operand.shape)).shape


def fooled(exercise: Exercise) -> list[str]:
    """Return the commonest slips that lead to the right reply all the same."""
    right = exercise.right
    found = []
    readings = {LEFT: from_the_left}
    if exercise.answer.rule.name not in LIKE_NUMPY:
        readings[RULE_OF_NUMPY] = as_in_numpy
    if exercise.kind is not Kind.RESHAPE:
        for name, read in readings.items():
            answers = list(map(read, exercise.answers))
            if reply_from(exercise.kind, answers, exercise.place) == right:
                found.append(name)
    for name, shape in ((LONGER, longer_shape), (LARGER, larger_sizes)):
        if _from_shape(exercise, shape(exercise.answer)) == right:
            found.append(name)
    return found


def _from_shape(exercise: Exercise, shape: Shape | None) -> Reply | None:
    """Return the reply of somebody who has found a shape; None where it does not decide."""
    if shape is None or exercise.kind not in (Kind.SHAPE, Kind.COUNT):
        return None
    return shape if exercise.kind is Kind.SHAPE else prod(map(int, shape))


# The slips


def fitting(exercise: Exercise, reply: Reply) -> list[Slip]:
    """Return the slips that lead to a wrong reply, the likeliest first."""
    found: dict[str, Slip] = {}
    for slip in slips(exercise):
        if slip.reply == reply:
            found.setdefault(slip.name, slip)
    return list(found.values())


def slips(exercise: Exercise) -> Iterator[Slip]:
    """Yield the slips that lead to wrong replies, the likeliest first."""
    right = exercise.right
    for slip in _all(exercise):
        if slip.reply != right:
            yield slip


def _all(exercise: Exercise) -> Iterator[Slip]:
    kind = exercise.kind
    if kind is Kind.RESHAPE:
        yield from _of_reshape(exercise)
        return
    for name, refutation, read in _readings(exercise):
        for reply in _replies(exercise, list(map(read, exercise.answers))):
            yield Slip(name, refutation, reply)
    if kind in (Kind.SHAPE, Kind.COUNT):
        for name, refutation, shape in _shapes(exercise.answer):
            found = _from_shape(exercise, shape)
            if found is not None:
                yield Slip(name, refutation, found)
    if kind is Kind.SHAPE:
        yield from _verdicts(exercise)
    elif kind is Kind.START:
        yield from _of_start(exercise)
    elif kind is Kind.ELEMENT:
        yield from _of_element(exercise)
    yield from _of_other_rules(exercise)


def _replies(exercise: Exercise, answers: Sequence[Answer]) -> list[Reply]:
    """Return the replies of somebody who has these answers in mind: any line that then fits."""
    if exercise.kind in OF_LINES:
        wanted = exercise.kind is Kind.MATCH
        pairs = zip(lettered(exercise), answers, strict=True)
        return [letter for (letter, _), each in pairs if each.ok is wanted]
    reply = reply_from(exercise.kind, answers, exercise.place)
    return [] if reply is None else [reply]


def _readings(exercise: Exercise) -> Iterator[_Reading]:
    answer = exercise.answer
    rule = answer.rule
    if any(len(set(each.ranks)) > 1 for each in exercise.answers):
        clash = from_the_left(answer).ok is False and exercise.kind not in OF_LINES
        text = f"lined up from the left {'they clash' if clash else 'this comes out'}"
        text = f"{text}; {lines_up(answer)}"
        yield _Reading(LEFT, text, from_the_left)
    if rule.name not in LIKE_NUMPY:
        text = f"this is what numpy's rule gives; {rule.name} has a rule of its own"
        yield _Reading(RULE_OF_NUMPY, text, as_in_numpy)
    if any(each.question.options for each in exercise.answers):
        yield _Reading(
            "the default axis",
            "this comes out at the default axis; the question gives another one",
            lambda each: answer_to(each.rule, each.operands, {}),
        )
    if exercise.kind is Kind.ELEMENT or rule.name in ("onnx-uni", "pdpd"):
        yield _Reading(
            "operands swapped",
            "this comes out with A and B swapped",
            lambda each: answer_to(each.rule, each.operands[::-1], each.question.options),
        )


def lines_up(answer: Answer) -> str:
    """Return how the rule of an answer lines operands up."""
    name = answer.rule.name
    if name == "none":
        return "under none every operand must have the same shape"
    if name == "pdpd":
        return f"under pdpd B starts at axis {answer.options['axis']} of A"
    if name == "ncnn":
        return "ncnn tries the last axes first, then w alone"
    return f"{'NumPy' if name == 'numpy' else name} lines up from the right"


def _shapes(answer: Answer) -> Iterator[tuple[str, str, Shape | None]]:
    """Yield slips that lead to shapes."""
    result = answer.result
    shapes = [shape for _, shape in answer.operands]
    if answer.rule.second_is_target:
        text = "the target's own shape is not always the result: a 1 of the target stretches too"
        yield "the target's own shape", text, shapes[1]
    if len(shapes) == 2:
        text = "this is the shape of a matrix product; here elements are paired one by one"
        yield "matrix product", text, _matrix_product(*shapes)
        text = "only a size of 1 is repeated: no other one is repeated to fill a larger"
        yield "recycling", text, _recycled(answer)
    text = "the larger size is right only where the other one is 1"
    yield LARGER, text, larger_sizes(answer)
    text = "the longer shape is the result only where none of its own ones stretches"
    yield LONGER, f"{text}, and nothing clashes", longer_shape(answer)
    text = "the smaller size is never the result, unless it is 0"
    yield "the smaller size", text, _of_columns(answer, min)
    if len(shapes) == 2:
        for joined in _concatenated(*shapes):
            text = "this puts the operands one after the other; broadcasting adds no sizes up"
            yield "concatenation", text, joined
        text = "this puts the shapes one after the other, as an outer product does"
        yield "shapes joined", f"{text}; broadcasting lines the axes up", shapes[0] + shapes[1]
    yield "sizes multiplied", "sizes are not multiplied: equal ones stay", _of_columns(answer, prod)
    yield "sizes added", "sizes are not added: equal ones stay", _of_columns(answer, sum)
    if result is not None:
        yield "the order reversed", "the sizes are right, but in reverse order", result[::-1]
        dropped = tuple(size for size in result if size != 1)
        yield "ones dropped", "axes of size 1 stay in the result", dropped
        for axis in range(len(result)):
            text = "one axis is missing: the result has as many as the longest operand"
            yield "an axis left out", text, result[:axis] + result[axis + 1 :]


def _of_columns(answer: Answer, combine: Callable[[list[int]], int]) -> Shape | None:
    """Return what the sizes on each axis come to, the last axes aligned; None without numbers."""
    if answer.unknown_sizes:
        return None
    aligned = columns([shape for _, shape in answer.operands], right_aligned(answer.ranks))
    return tuple(combine([size for size in each if isinstance(size, int)]) for each in aligned)


def _matrix_product(first: Shape, second: Shape) -> Shape | None:
    """Return the shape of A @ B."""
    if not first or not second:
        return None
    if first[-1] != second[-2 if len(second) > 1 else -1]:
        return None
    batch = max(first[:-2], second[:-2], key=len)
    return (*batch, *first[-2:-1], *second[-1:]) if len(second) > 1 else first[:-1]


def _recycled(answer: Answer) -> Shape | None:
    """Return the larger sizes where the smaller ones go into them."""
    larger = larger_sizes(answer)
    smaller = _of_columns(answer, min)
    if larger is None or smaller is None or 0 in smaller:
        return None
    pairs = list(zip(map(int, larger), map(int, smaller), strict=True))
    if all(large % small == 0 for large, small in pairs):
        return larger if any(1 < small < large for large, small in pairs) else None
    return None


def _concatenated(first: Shape, second: Shape) -> Iterator[Shape]:
    """Yield the shapes that two arrays have side by side."""
    if len(first) != len(second):
        return
    for axis, (own, other) in enumerate(zip(first, second, strict=True)):
        if isinstance(own, int) and isinstance(other, int):
            rest, others = (shape[:axis] + shape[axis + 1 :] for shape in (first, second))
            if rest == others:
                yield (*first[:axis], own + other, *first[axis + 1 :])


def _verdicts(exercise: Exercise) -> Iterator[Slip]:
    """Yield slips that lead to a bare no, or to depends."""
    answer = exercise.answer
    if answer.ok:
        if len(set(answer.ranks)) > 1:
            text = "the ranks differ, and they may: an axis that is missing stretches"
            yield Slip("ranks differ", text, NO)
        if answer.all_stretch:
            text = "both operands would stretch, and they may, on different axes"
            yield Slip("both would stretch", text, NO)
        sizes = {size for axis in answer.axes or () if axis.stretched for size in axis.sizes}
        if 1 in sizes:
            yield Slip("sizes differ", "sizes differ, and they may: a 1 stretches", NO)
    if answer.unknown_sizes and answer.ok is not None:
        text = (
            f"not depends: it works for every {joined_with_and(answer.unknown_sizes)}"
            if answer.ok
            else f"not depends: no {' and '.join(answer.unknown_sizes)} makes it work"
        )
        yield Slip(DEPENDS_WRONGLY, text, DEPENDS)


def _of_start(exercise: Exercise) -> Iterator[Slip]:
    right, rank = int(str(exercise.right)), exercise.answer.ranks[1]
    yield Slip("counted from 1", "axes are counted from 0", right + 1)
    yield Slip("the last axis", "B ends there; the question is where it starts", right + rank - 1)


def _of_element(exercise: Exercise) -> Iterator[Slip]:
    own, other = contributions(exercise)
    reply = reply_from(exercise.kind, exercise.answers, exercise.place[::-1])
    if reply is not None:
        yield Slip("index reversed", "the first index is that of the first axis", reply)
    reply = reply_from(exercise.kind, exercise.answers, [max(0, at - 1) for at in exercise.place])
    if reply is not None:
        yield Slip("counted from 1", "indices are counted from 0", reply)
    yield Slip("A alone", "what B holds there is to be added", own)
    yield Slip("B alone", "what A holds there is to be added", other)
    yield Slip("B from 0", "B holds 1, 2, 3, ...: its first element is 1", own + other - 1)


def _of_reshape(exercise: Exercise) -> Iterator[Slip]:
    (_, target), (_, own) = exercise.answer.operands
    missing = len(target) - len(own)
    text = "left as it is, B is on the last axes of A"
    yield Slip(LEFT, f"{text}: NumPy lines up from the right", own)
    text = "ones before its own sizes leave B where it is: on the last axes"
    yield Slip("ones in front", text, (*(1,) * missing, *own))
    yield Slip("ones in front", text, (1, *own))
    yield Slip(
        "a 1 too many", "one axis less: B must end at A's last axis", (*own, *(1,) * missing)
    )
    text = "B need not have the shape of A: ones stretch"
    yield Slip("stretched by hand", text, target)


def _of_other_rules(exercise: Exercise) -> Iterator[Slip]:
    """Yield the other rules under which a reply would be right, all those of a reply in one."""
    own = exercise.answer.rule
    replies: dict[Reply, list[str]] = {}
    for rule in RULES.values():
        if rule is own or rule is NUMPY or {rule.name, own.name} <= LIKE_NUMPY:
            continue
        if all(rule.accepts_count(len(each.operands)) for each in exercise.answers):
            answers = [answer_to(rule, each.operands, {}) for each in exercise.answers]
            for reply in _replies(exercise, answers):
                replies.setdefault(reply, []).append(rule.name)
    for reply, names in replies.items():
        text = f"this is right under {joined_with_and(names)}; the question is about {own.name}"
        yield Slip(OTHER_RULE, text, reply)


# What is said of a wrong reply


class Explanation(NamedTuple):
    """The comment on a wrong reply."""

    fact: str
    """The sentence that refutes it; empty if only the causes do."""
    causes: tuple[str, ...] = ()
    """The likely causes, each with the sentence that refutes it; none of them is certain."""


def explained(exercise: Exercise, reply: Reply) -> Explanation:
    """Return what refutes a wrong reply, and the slips that may have led to it."""
    fact = _fact(exercise, reply)
    refutations = tuple(slip.refutation for slip in fitting(exercise, reply))
    if reply == NO and refutations:
        return Explanation(fact or "it does broadcast", refutations)
    if len(refutations) == 1 and not fact:
        return Explanation(refutations[0])
    if refutations:
        return Explanation(fact, refutations)
    return Explanation(fact or _difference(exercise, reply))


def _fact(exercise: Exercise, reply: Reply) -> str:
    """Return what speaks against a reply, whatever led to it; empty where only the slips do."""
    answer = exercise.answer
    if exercise.kind in OF_LINES:
        of_line = dict(lettered(exercise)).get(str(reply))
        if of_line is None:
            return ""
        shape = shape_of(of_line)
        if shape == NO:
            return f"{reply} is a mismatch: {why_of(of_line)}"
        return f"{reply} {'depends' if shape == DEPENDS else 'broadcasts'}: {_ends(of_line)}"
    if exercise.kind is not Kind.SHAPE or not names_of(exercise):
        return ""
    if reply == DEPENDS or (answer.ok is not None):
        return ""
    verdict = reply == NO
    assignment = next(
        each for each in _assignments(answer.unknown_sizes) if answer.with_sizes(each).ok is verdict
    )
    sizes = " and ".join(f"{name} = {size}" for name, size in assignment.items())
    return f"with {sizes} it {'broadcasts' if verdict else 'does not broadcast'}"


def _ends(answer: Answer) -> str:
    """Return what an answer that is not no comes to."""
    return why_of(answer) if answer.when else written(answer.result or ())


def _difference(exercise: Exercise, reply: Reply) -> str:
    """Return where a reply that no slip explains differs from the right one."""
    right = exercise.right
    if isinstance(reply, int) and isinstance(right, int):
        return f"it is {'more' if reply < right else 'less'} than {reply}"
    if exercise.kind is Kind.RESHAPE:
        own = written(exercise.answer.operands[1].shape)
        return f"a reshape for broadcasting keeps the sizes {own} and adds axes of size 1"
    if reply == NO:
        return "it does broadcast: sizes that are missing or 1 stretch"
    if right == NO:
        return "it does not broadcast: the sizes clash"
    return _difference_of_shapes(exercise, reply, right)


def _difference_of_shapes(exercise: Exercise, reply: Reply, right: Reply) -> str:
    if not isinstance(reply, tuple) or not isinstance(right, tuple):
        return f"not {text_of(reply)}: that depends on the unknown sizes"
    if len(reply) != len(right):
        return f"the result has rank {len(right)}, not {len(reply)}"
    axis = next(i for i, (own, its) in enumerate(zip(reply, right, strict=True)) if own != its)
    return f"the size {reply[axis]} on {exercise.answer.axis_label(axis)} is not right"


def _assignments(names: Sequence[str]) -> Iterator[Assignment]:
    """Yield small numbers for the names."""
    for numbers in product(_SMALL, repeat=len(names)):
        yield dict(zip(names, numbers, strict=True))
