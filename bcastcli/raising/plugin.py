"""The plugin for pytest: a section `shapes` for each test that fails for shapes.

With `--broadcast-strict` another one names the lines where shapes silently grew.
"""

from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    """Add the section to the report."""
    made = yield
    if call.excinfo is not None:
        from bcastcli.raising.hooks import explained

        report = made.get_result()
        said = explained(call.excinfo.value) if report.failed else ""
        if said:
            report.sections.append(("shapes", said.rstrip()))


def pytest_addoption(parser: Any) -> None:
    """`--broadcast-strict`."""
    parser.getgroup("bcastcli").addoption(
        "--broadcast-strict",
        action="store_true",
        help="name the lines of the code under test where shapes silently grew",
    )


def _is_strict(config: Any) -> bool:
    return bool(getattr(config.known_args_namespace, "broadcast_strict", False))


@pytest.hookimpl(tryfirst=True)  # before a conftest imports what is to be watched
def pytest_load_initial_conftests(early_config: Any) -> None:
    """Watch the files below rootdir that are no tests."""
    if _is_strict(early_config):
        from bcastcli.raising.testing import watch

        watch(early_config)


def pytest_sessionfinish(session: Any) -> None:
    """Send what a worker of pytest-xdist saw."""
    if _is_strict(session.config) and hasattr(session.config, "workeroutput"):
        from bcastcli.raising.testing import sent

        session.config.workeroutput["bcastcli"] = sent()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive it."""
    if _is_strict(node.config):
        from bcastcli.raising.testing import receive

        if seen := getattr(node, "workeroutput", {}).get("bcastcli"):
            receive(seen)


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """Write the section."""
    if _is_strict(config):
        from bcastcli.raising.testing import text

        terminalreporter.section("shapes that grew")
        terminalreporter.write(text())
