"""The examples of the rules' documents, and cases that real engines judged, as data."""

import json
from pathlib import Path
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.rules import RULES

CASES = Path(__file__).parent


class Case(NamedTuple):
    """Shapes of known sizes, and what becomes of them."""

    rule: str
    shapes: tuple[tuple[int, ...], ...]
    axis: int | None
    result: tuple[int, ...] | None
    """None: they do not broadcast."""
    judge: str
    """The document or the engine that says so."""

    @property
    def ok(self) -> bool:
        return self.result is not None

    @property
    def texts(self) -> list[str]:
        """The shapes as they are typed."""
        return [typed(shape) for shape in self.shapes]

    @property
    def arguments(self) -> list[str]:
        """The command line that asks for the plain answer."""
        axis = [] if self.axis is None else ["--axis", str(self.axis)]
        return [self.rule, "--format", "plain", *self.texts, *axis]

    def answer(self) -> Answer:
        """The core's answer, with the operands called A, B, C and so on."""
        operands = [
            Operand(chr(ord("A") + number), shape) for number, shape in enumerate(self.shapes)
        ]
        return Question(
            RULES[self.rule], operands, {} if self.axis is None else {"axis": self.axis}
        ).answer()

    def __str__(self) -> str:
        axis = "" if self.axis is None else f"-axis{self.axis}"
        return f"{self.rule}-{'-'.join(self.texts)}{axis}"


def typed(shape: tuple[int, ...]) -> str:
    """A shape of known sizes as it is typed."""
    return ",".join(map(str, shape)) or "()"


JUDGED = [name for name in RULES if (CASES / f"{name}.jsonl").exists()]
"""The rules that engines judged."""


def cases(name: str) -> list[Case]:
    """The cases in one file: `documents`, or a rule's name for those that an engine judged."""
    with (CASES / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [_case(json.loads(line)) for line in lines]


def _case(fields: dict[str, object]) -> Case:
    rule, shapes, ok, result = (fields.pop(key) for key in ("rule", "shapes", "ok", "result"))
    axis = fields.pop("axis", None)
    [judge] = fields.values()
    assert isinstance(rule, str)
    assert isinstance(judge, str)
    assert isinstance(shapes, list)
    assert axis is None or isinstance(axis, int)
    assert ok is (result is not None)
    assert result is None or isinstance(result, list)
    return Case(
        rule, tuple(map(tuple, shapes)), axis, None if result is None else tuple(result), judge
    )
