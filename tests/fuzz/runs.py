"""Many cases, one after the other: how many there were, and what failed."""

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import NamedTuple, TypeVar

from tests.fuzz import cases, check, models

Each = TypeVar("Each")
Many = Callable[[int, int], "Run"]

MAX_FAILURES = 10
"""Past so many, a run has shown enough."""


class Run(NamedTuple):
    """What became of many cases."""

    summary: str
    failures: list[str]


def _run(
    what: str,
    make: Callable[[int, int], Each],
    failure: Callable[[Each], str | None],
    size: Callable[[Each], int],
    seed: int,
    wanted: int,
) -> Run:
    """Try cases until they are as many as wanted, by their sizes."""
    failures: list[str] = []
    met = 0
    for number in count():
        if met >= wanted or len(failures) >= MAX_FAILURES:
            break
        case = make(seed, number)
        met += size(case)
        problem = failure(case)
        if problem:
            failures.append(f"seed {seed}, {what} {number}: {problem}\n  {case}")
    return Run(f"{met:,} {what}, {len(failures)} failed", failures)


def _one(case: object) -> int:
    return 1


def _lines(case: cases.Case) -> int:
    return case.data.count(b"\n") + 1


lines: Many = partial(_run, "lines", cases.lines, check.failure, _lines)
"""So many lines of standard input, for all rules and formats."""
commands: Many = partial(_run, "command lines", cases.command_line, check.failure, _one)
of_models: Many = partial(_run, "models", models.mutated_file, models.failure, _one)
