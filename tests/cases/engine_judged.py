"""The examples of the rules' documents, and cases that real engines judged, as data."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, cast

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Value
from bcastcli.core.rule import typed as given
from bcastcli.rules import RULES

CASES = Path(__file__).parent


class Case(NamedTuple):
    """Shapes of known sizes, and what becomes of them."""

    rule: str
    shapes: tuple[tuple[int, ...], ...]
    options: Mapping[str, Value]
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
        options = [word for name, own in self.options.items() for word in (f"--{name}", given(own))]
        return [self.rule, "--format", "plain", *self.texts, *options]

    def answer(self) -> Answer:
        """The core's answer, with the operands called A, B, C and so on."""
        operands = [
            Operand(chr(ord("A") + number), shape) for number, shape in enumerate(self.shapes)
        ]
        return Question(RULES[self.rule], operands, self.options).answer()

    def __str__(self) -> str:
        options = "".join(f"-{name}{given(own)}" for name, own in self.options.items())
        return f"{self.rule}-{'-'.join(self.texts)}{options}"


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
    options: dict[str, Value] = {}
    if "axis" in fields:
        options["axis"] = cast("int", fields.pop("axis"))
    if "axes" in fields:
        options["axes"] = tuple(cast("list[int]", fields.pop("axes")))
    judge = fields["judge"] if "judge" in fields else next(iter(fields.values()))
    assert isinstance(rule, str)
    assert isinstance(judge, str)
    assert isinstance(shapes, list)
    assert ok is (result is not None)
    assert result is None or isinstance(result, list)
    return Case(
        rule, tuple(map(tuple, shapes)), options, None if result is None else tuple(result), judge
    )
