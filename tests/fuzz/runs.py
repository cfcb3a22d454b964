"""Many cases, one after the other: how many there were, and what failed."""

from collections.abc import Callable
from itertools import count
from typing import NamedTuple, TypeVar

from tests.fuzz import cases, processes
from tests.fuzz.check import failure, shortened

Each = TypeVar("Each")
Many = Callable[[int, int], "Run"]

MAX_FAILURES = 10
"""Past so many, a run has shown enough."""


class Run(NamedTuple):
    """What became of many cases."""

    summary: str
    failures: list[str]


def lines(seed: int, wanted: int) -> Run:
    """So many lines of standard input, for all rules and formats."""
    failures: list[str] = []
    met = 0
    for number in count():
        if met >= wanted or len(failures) >= MAX_FAILURES:
            break
        case = cases.lines(seed, number)
        met += case.data.count(b"\n") + 1
        if failure(case):
            case = shortened(case)
            failures.append(f"seed {seed}, lines {number}: {failure(case)}\n  {case}")
    return Run(f"{met:,} lines in {number:,} inputs, {len(failures)} failed", failures)


def commands(seed: int, wanted: int) -> Run:
    """So many command lines."""
    return _each("command lines", cases.command_line, failure, seed, wanted)


def in_processes(seed: int, wanted: int) -> Run:
    """So many command lines as processes, some of them on a terminal."""
    return _each("processes", processes.process, processes.failure, seed, wanted)


def _each(
    what: str,
    make: Callable[[int, int], Each],
    check: Callable[[Each], str | None],
    seed: int,
    wanted: int,
) -> Run:
    failures: list[str] = []
    met = 0
    while met < wanted and len(failures) < MAX_FAILURES:
        case = make(seed, met)
        problem = check(case)
        if problem:
            failures.append(f"seed {seed}, {what} {met}: {problem}\n  {case}")
        met += 1
    return Run(f"{met:,} {what}, {len(failures)} failed", failures)
