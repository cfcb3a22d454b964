"""Hostile input: whatever comes, an answer or a refusal, and nothing that could steer a terminal.

The seed is new each time, and the report's head tells it; `python -m tests.fuzz --seed` repeats it.
"""

import pytest

from tests.effort import SEED, many
from tests.fuzz.__main__ import failures


@pytest.mark.parametrize(
    ("name", "count"), [("lines", 20_000), ("commands", 2_000), ("models", 1_000)]
)
def test_hostile_input(name: str, count: int) -> None:
    """No traceback, no other status, no hang, nothing unprintable, and every line is answered."""
    assert failures(name, SEED, many(count)) == []
