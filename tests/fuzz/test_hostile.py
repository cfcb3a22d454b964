"""Hostile input: whatever comes, an answer or a refusal, and nothing that could steer a terminal.

The seed is new each time, and the report's head tells it; `python -m tests.fuzz --seed` repeats it.
"""

import pytest

from tests.effort import SEED, many
from tests.fuzz import runs
from tests.fuzz.cases import Case
from tests.fuzz.check import failure
from tests.in_memory import Ended
from tests.rows import each_row


@pytest.mark.parametrize(
    ("run", "count"),
    [
        *((runs.lines, 20_000), (runs.commands, 3_000), (runs.of_models, 2_000)),
    ],
    ids=["lines", "command lines", "models"],
)
def test_hostile_input(run: runs.Many, count: int) -> None:
    """No traceback, no other status, no hang, nothing unprintable, and every line is answered."""
    assert run(SEED, many(count)).failures == []


COLORED = Ended(0, "\x1b[1;31m2\x1b[0m\n", "")
TWO_LINES = Case(["numpy"], b"2\n# so\n\n3\r\n", counted="plain")


@each_row(
    ("case", "ended", "problem"),
    [
        (Case(["2"]), Ended(4, "", ""), "status 4"),
        (Case(["2"]), Ended(2, "", "Traceback (most recent call last):\n"), "a traceback: "),
        (Case(["2"]), COLORED, "not printable: '\\x1b'"),
        (Case(["2"], terminal=True), COLORED, "None"),
        (Case(["2"], terminal=True), Ended(0, "\x1b[4242m", ""), "not printable: '\\x1b'"),
        *(
            (Case(["2"]), Ended(2, "", f"b{sign}"), "not printable: ")
            for sign in "\r\x9b\u202e\udcff"
        ),
        (TWO_LINES, Ended(0, "2\n", ""), "1 answers to 2 questions"),
        (TWO_LINES, Ended(0, "2\n3\n", ""), "None"),
        (Case(["numpy"]), RuntimeError("seven"), "RuntimeError: seven"),
    ],
)
def test_failures_are_seen(
    case: Case, ended: Ended | Exception, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What must not happen is a failure; colors that were asked for and tabs of cells are none."""

    def run(*_: object, **__: object) -> Ended:
        if isinstance(ended, Exception):
            raise ended
        return ended

    monkeypatch.setattr("tests.fuzz.check.run", run)
    assert str(failure(case)).startswith(problem)
