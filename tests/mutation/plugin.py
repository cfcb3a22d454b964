"""A pytest plugin: one test that fails is enough, so the fastest come first, and none runs on."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

TIMES = Path("mutmut-stats.json")
SECONDS: dict[str, float] = {}
"""How long each test took with the unchanged code."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests, the fastest first."""
    if TIMES.exists():
        SECONDS.update(json.loads(TIMES.read_text("utf-8"))["duration_by_test"])
    items.sort(key=lambda item: SECONDS.get(item.nodeid, 0))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that takes far more of the processor's time than it did.

    mutmut's own limit is by the clock, which must not decide on a busy machine.
    """
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, 2 + 10 * SECONDS.get(item.nodeid, 1))
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class TooSlowError(BaseException):
    """A test takes too long; it is no Exception, so that no test or row of one goes on after it."""


def _give_up(*_: object) -> None:
    raise TooSlowError
