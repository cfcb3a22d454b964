"""Tells how many questions the engines judged."""

from typing import Any

import pytest

from tests.effort import SEED
from tests.engines.judging import ENGINES, MIN_QUESTIONS, REQUIRED, judged


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how many questions were judged, by whom."""
    names = [*ENGINES, *(name for name in judged if name not in ENGINES)]
    by_each = ", ".join(f"{name} {judged[name]:,}" for name in names)
    terminalreporter.section("engines")
    terminalreporter.line(f"{judged.total():,} questions of BCASTCLI_SEED={SEED} judged: {by_each}")
    if lacks(terminalreporter):
        terminalreporter.line(f"with {MIN_QUESTIONS:,} required, and no test skipped", red=True)


def pytest_testnodedown(node: Any) -> None:
    """Add up what the processes of a run judged."""
    judged.update(getattr(node, "workeroutput", {}).get("judged", {}))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where the engines are required, too few questions or a skipped test are a failure."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["judged"] = dict(judged)
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if lacks(reporter) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def lacks(reporter: Any) -> bool:
    return REQUIRED and (judged.total() < MIN_QUESTIONS or "skipped" in reporter.stats)
