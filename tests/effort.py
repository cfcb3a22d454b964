"""How much a run tries: a part of it by default, and all of it with `pytest --thorough`.

Four things make the difference. `many` counts random questions. `in_turn` chooses some of the
values that a test takes long to try, others in each run. A test marked `slow` is left out
by default. Of a test marked `each_once` that has several parameters, such as a rule and a format,
only so many combinations are kept that each rule and each format is met; `--thorough` runs all.
"""

import os
from collections.abc import Iterable, Sequence
from random import SystemRandom
from typing import TypeVar

import pytest

Value = TypeVar("Value")

QUICK_SHARE = 16
"""A quick run tries one of so many random questions."""

SEED = int(os.environ.setdefault("BCASTCLI_SEED", str(SystemRandom().randrange(10**9))))
"""What fresh questions are made from: another one in each run, shared by its processes."""

thorough = False
"""Whether the run was started with --thorough; conftest.py sets it before tests are collected."""

slow = pytest.mark.slow
each_once = pytest.mark.each_once


def many(count: int) -> int:
    """Return how many random questions to try: `count`, or a part of it in a quick run."""
    return count if thorough else -(-count // QUICK_SHARE)


def part_of(values: Sequence[Value], share: int = QUICK_SHARE) -> Sequence[Value]:
    """Return the values to try: all of them, or one of `share` from everywhere in a quick run."""
    return values if thorough else values[::share]


def in_turn(values: Iterable[Value], share: int = 3) -> list[Value]:
    """Return the values to try: all of them, or one of `share` in a quick run, others in each."""
    tried = list(values)
    return tried if thorough else tried[SEED % share :: share]


def left_out(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that a quick run leaves out."""
    out = {item for item in items if item.get_closest_marker("slow")}
    combined: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item not in out and item.get_closest_marker("each_once"):
            combined.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for combinations in combined.values():
        out.update(_repeating(combinations))
    return out


def _repeating(combinations: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return the combinations of parameters without which each value of each is still met."""
    met: set[tuple[object, ...]] = set()
    kept = set()
    for enough in (all, any):  # first those of which every value is new
        for item in combinations:
            values = _values(item)
            if enough(value not in met for value in values):
                met.update(values)
                kept.add(item)
    return set(combinations) - kept


def _values(item: pytest.Item) -> list[tuple[object, ...]]:
    """Return what each `parametrize` of a test gives it, as the names and the objects."""
    params = item.callspec.params  # type: ignore[attr-defined]
    values = []
    for mark in item.iter_markers("parametrize"):
        names = (
            mark.args[0].replace(",", " ").split()
            if isinstance(mark.args[0], str)
            else mark.args[0]
        )
        values.append((*names, *(id(params[name]) for name in names)))
    return values
