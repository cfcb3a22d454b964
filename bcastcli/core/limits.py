"""Limits on a result in addition to the rule, such as --strict."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Note, Reason
from bcastcli.core.shapes import written

if TYPE_CHECKING:
    from bcastcli.core.question import Question

Limit: TypeAlias = Callable[[Answer], Reason | None]
"""Why a result that the rule allows is rejected; None if it is accepted."""


class LimitedAnswer(Answer):
    """An answer that is also "no" if a limit rejects the result."""

    def __init__(self, answer: Answer, limit: Limit) -> None:
        # Copied, as an operator's answer cannot always be computed again from a rule.
        own = ("reason", "notes", "result", "suggestions")
        vars(self).update({name: each for name, each in vars(answer).items() if name not in own})
        self._answer = answer
        self._limit = limit
        self._refusal = None if answer.ok is False else limit(answer)
        self.result = None if self._refusal else answer.result
        if self._refusal:
            self.ok = False

    @cached_property
    def reason(self) -> Reason | None:
        """Why the limit rejects the result, or else the rule's reason."""
        return self._refusal or self._answer.reason

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the answer without the limit; where that refuses, not what stretches."""
        refused = self._refusal is not None
        return tuple([note for note in self._answer.notes if note.kind != "stretch" or not refused])

    def answer_to(self, question: "Question") -> Answer:
        return LimitedAnswer(question.answer(), self._limit)


def no_outer_product(answer: Answer) -> Reason | None:
    """Why --strict rejects a result: no operand has its shape; an unknown size counts as not 1."""
    if not answer.all_stretch:
        return None
    result = written(answer.result_by_rule or ())
    return Reason("strict", f"every operand stretches, so none has the result's shape {result}")
