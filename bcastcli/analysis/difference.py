"""How two outcomes differ, and how a rule differs from numpy, found by asking both."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from bcastcli.analysis.numpy_code import occupied_axes
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule, typed
from bcastcli.core.shapes import Shape, written
from bcastcli.core.wording import joined_with_and
from bcastcli.rules import RULES, USUAL

NUMPY = RULES[USUAL]
MAX_AXES, MAX_SIZE = 2, 3


Outcome = tuple[Shape, tuple[tuple[int, ...], ...] | None] | None
"""The answer to known sizes: the result, and the axes that each operand is on, unless there
are no values. None is a no."""


class Difference(StrEnum):
    """In what one rule differs from another."""

    VERDICT = "verdict"
    """One broadcasts and the other does not."""
    RESULT = "result"
    """The results have other shapes."""
    AXES = "axes"
    """The results have the same shape and other values, since an operand is on other axes."""


def outcome(answer: Answer) -> Outcome:
    """Return what an answer to a question of known sizes comes to."""
    if answer.result is None:
        return None
    return answer.result, None if 0 in answer.result else occupied_axes(answer)


def difference(one: Outcome, other: Outcome) -> Difference | None:
    """Return in what one outcome differs from another; None: in nothing."""
    if one == other:
        return None
    if one is None or other is None:
        return Difference.VERDICT
    return Difference.AXES if one[0] == other[0] else Difference.RESULT


class Pair(NamedTuple):
    """The answers of a rule and of numpy about the same two operands."""

    ours: Answer
    numpy: Answer

    @property
    def asked(self) -> str:
        """The pair as it is typed after the rule's name, its arrays outermost first."""
        shapes = [written(operand.shape) for operand in self.ours.operands]
        return " ".join(
            [
                *shapes,
                *(f"--{name} {typed(value)}" for name, value in self.ours.question.options.items()),
            ]
        )

    @property
    def sentence(self) -> str:
        """The two answers in one line."""
        numpy, ours = self.said
        return f"numpy: {numpy}; {self.ours.rule.name}: {ours}"

    @property
    def said(self) -> tuple[str, str]:
        """The answers of numpy and of the rule, where they differ."""
        if self.kind != "notes":
            return _said(self.numpy, self.ours), _said(self.ours, self.numpy)
        known = [note.text for note in self.numpy.notes]
        added = [note.text for note in self.ours.notes if note.text not in known]
        return written(self.numpy.result or ()), joined_with_and(added)

    @property
    def kind(self) -> str | None:
        """In what they differ; None: in nothing."""
        found = difference(outcome(self.ours), outcome(self.numpy))
        if found is Difference.VERDICT:
            return "yes" if self.ours.ok else "no"
        if found:
            return "axes"
        return "notes" if set(self.ours.notes) - set(self.numpy.notes) else None


@cache
def differences(rule: Rule) -> list[Pair]:
    """For each way in which a rule differs from numpy, the first pair that shows it.

    The rule's own notes count only if it differs in nothing else.
    """
    found: dict[str, Pair] = {}
    for each in _pairs_asked(rule):
        if each.kind:
            found.setdefault(each.kind, each)
    remark = found.pop("notes", None)
    return list(found.values()) or ([remark] if remark else [])


def pairs() -> list[tuple[Shape, Shape]]:
    """The pairs that are asked about, those without 0, scalars, many axes and many sizes first."""
    shapes: list[Shape] = [
        shape for rank in range(MAX_AXES + 1) for shape in product(range(MAX_SIZE + 1), repeat=rank)
    ]
    return sorted(((a, b) for a in shapes for b in shapes), key=_complexity)


def _complexity(pair: tuple[Shape, Shape]) -> tuple[object, ...]:
    sizes = pair[0] + pair[1]
    return 0 in sizes, () in pair, len(sizes), -len(pair[0]), len(set(sizes)), pair


def _pairs_asked(rule: Rule) -> Iterator[Pair]:
    for pair in pairs():
        names = rule.default_names or ("A", "B")
        operands = tuple(map(Operand, names, pair))
        for options in _ways_to_ask(rule, operands):
            yield Pair(
                Question(rule, operands, options).answer(), Question(NUMPY, operands).answer()
            )


def _ways_to_ask(rule: Rule, operands: Sequence[Operand]) -> Iterator[Options]:
    """The options under which a rule is asked about the arrays that numpy is asked about."""
    if not rule.lacks(operands, rule.numpy_order_options):
        yield rule.numpy_order_options
    ranks = [len(operand.shape) for operand in operands]
    for name, option in rule.options.items():
        # Where B starts at A's end, nothing but ones of it fits: that tells little of a rule.
        yield from ({name: value} for value in islice(option.ways_to_try(ranks), ranks[0]))


def _said(answer: Answer, other: Answer) -> str:
    """An answer, and the axes of operands that are on other axes in the other answer."""
    if answer.reason:
        return f"no, {answer.reason.text}"
    here, there = occupied_axes(answer) or (), occupied_axes(other) or ()
    elsewhere = [
        f"{name} on axis {joined_with_and(list(map(str, own)))}"
        for name, own, its in zip(answer.operand_names, here, there, strict=False)
        if own != its
    ]
    where = f" with {joined_with_and(elsewhere)}" if elsewhere else ""
    return f"{written(answer.result or ())}{where}"
