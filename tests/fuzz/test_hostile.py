"""Hostile input: whatever comes, an answer or a refusal, and nothing that could steer a terminal.

The seed is new each time, and the report's head tells it; `python -m tests.fuzz --seed` repeats it.
"""

from typing import Any

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.notation.questions import answer_line
from tests.effort import SEED, many
from tests.fuzz import models, runs
from tests.fuzz.cases import Case
from tests.fuzz.check import failure, shortened, wrong
from tests.in_memory import Ended


@pytest.mark.parametrize(
    ("run", "count"),
    [
        *((runs.lines, 20_000), (runs.commands, 3_000), (runs.in_processes, 25)),
        (models.models, 2_000),
    ],
    ids=["lines", "command lines", "processes", "models"],
)
def test_hostile_input(run: runs.Many, count: int) -> None:
    """No traceback, no other status, no hang, nothing unprintable, and every line is answered."""
    assert run(SEED, many(count)).failures == []


@pytest.mark.parametrize(
    "ended",
    [
        Ended(4, "", ""),
        Ended(-9, "", ""),
        Ended(2, "", "Traceback (most recent call last):\n"),
        Ended(0, "2\t3\n", ""),
        Ended(2, "", "2\t3\n"),
        Ended(0, "\x1b[31m2\x1b[0m\n", ""),
        Ended(2, "", "\x1b[31m"),
        *(
            Ended(2, "", f"bcastcli: {c}\n")
            for c in "\0\r\x7f\x85\x9b\u202e\u2066\u200f\u2028\udcff"
        ),
    ],
)
def test_what_is_wrong_is_seen(ended: Ended) -> None:
    """Each of the things that must not happen counts as a failure."""
    assert wrong(Case(["numpy", "2"]), ended)


def test_what_is_allowed_is_no_failure() -> None:
    """Colors that were asked for and the tabs between cells are no failures; other codes are."""
    colored, cells = Ended(0, "\x1b[1;31m2\x1b[0m\n", ""), Ended(0, "2\ttrue\n", "")
    assert wrong(Case(["numpy", "2", "--color", "always"]), colored) is None
    assert wrong(Case(["numpy", "2"], terminal=True), colored) is None
    assert wrong(Case(["numpy", "2", "-f", "tsv"]), cells) is None
    assert wrong(Case(["numpy", "2"], terminal=True), Ended(0, "\x1b[4242m", ""))


def test_a_failure_is_shown_with_the_line_that_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever escapes from the command line is a failure, and other lines are left out."""

    def crash(rule: Rule, line: str, **asked: Any) -> Answer:
        if line.startswith("(3)"):
            raise RuntimeError("seven")
        return answer_line(rule, line, **asked)

    monkeypatch.setattr("bcastcli.cli.commands.rule.answer_line", crash)
    case = Case(["numpy", "-"], b"2\n(3) 7\n2,,3\n4")
    assert failure(case) == "RuntimeError: seven"
    assert shortened(case).data == b"(3) 7"


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("2\n", "1 answers to 2 questions"),
        ("2\n3\n4\n", "3 answers to 2 questions"),
    ],
)
def test_an_answer_too_few_or_too_many_is_seen(
    monkeypatch: pytest.MonkeyPatch, written: str, problem: str
) -> None:
    """A line without its answer is a failure, and so is one with two."""
    monkeypatch.setattr(
        "tests.fuzz.check.run", lambda *arguments, **settings: Ended(0, written, "")
    )
    assert failure(Case(["numpy"], b"2\n# so\n\n3\r\n", counted="plain")) == problem
