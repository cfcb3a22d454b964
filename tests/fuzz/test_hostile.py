"""Hostile input: whatever comes, an answer or a refusal, and nothing that could steer a terminal.

The seed is new each time, and the report's head tells it; `python -m tests.fuzz --seed` repeats it.
"""

import pytest

from tests.effort import SEED, many
from tests.fuzz import runs


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
