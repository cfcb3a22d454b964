"""A pytest plugin: one test that fails is enough, so the fastest come first, and none runs on."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from resource import RLIMIT_CPU, getrlimit, setrlimit
from time import process_time

import pytest

TIMES, ONLY, ENDED = Path("times.json"), Path("only.json"), Path("ended.json")
"""How long each test takes; the only tests to run; what the run found: the times, what failed."""
seconds: dict[str, float] = json.loads(TIMES.read_text()) if TIMES.exists() else {}
times: dict[str, float] = {}
failed: list[str] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests, the fastest first."""
    if ONLY.exists() and (only := json.loads(ONLY.read_text())):
        items[:] = [item for item in items if item.nodeid in only]
    items.sort(key=lambda item: seconds.get(item.nodeid, 0))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    times[report.nodeid] = times.get(report.nodeid, 0) + report.duration
    if report.failed:
        failed.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        ENDED.write_text(json.dumps([times, failed]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that takes far more of the processor's time than it did, or whose process does.

    The clock must not decide on a busy machine.
    """
    signal.signal(signal.SIGXCPU, _give_up)
    most = getrlimit(RLIMIT_CPU)[1]
    setrlimit(RLIMIT_CPU, (int(process_time() + 6 + 5 * seconds.get(item.nodeid, 10)), most))
    try:
        return (yield)
    finally:
        setrlimit(RLIMIT_CPU, (most, most))


class TooSlowError(BaseException):
    """A test takes too long; it is no Exception, so that no test or row of one goes on after it."""


def _give_up(*_: object) -> None:
    raise TooSlowError
