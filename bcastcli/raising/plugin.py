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
        text = explained(call.excinfo.value) if report.failed else ""
        if text:
            report.sections.append(("shapes", text.rstrip()))


def pytest_addoption(parser: Any) -> None:
    """`--broadcast-strict`."""
    parser.getgroup("bcastcli").addoption(
        "--broadcast-strict",
        action="store_true",
        help="name the lines of the code under test where shapes silently grew",
    )


@pytest.hookimpl(tryfirst=True)  # before a conftest imports what is to be watched
def pytest_load_initial_conftests(early_config: Any) -> None:
    """Watch the files below rootdir that are neither tests nor a conftest."""
    if _is_strict(early_config):
        from fnmatch import fnmatch
        from pathlib import Path

        from bcastcli.raising.loading import Loading, install

        patterns = ["conftest.py", *early_config.getini("python_files")]

        def is_wanted(file: str) -> bool:
            is_test = any(fnmatch(Path(file).name, each) for each in patterns)
            return Path(file).is_relative_to(early_config.rootpath) and not is_test

        install(Loading(operations=True, assignments=False, is_wanted=is_wanted), "")


def pytest_sessionfinish(session: Any) -> None:
    """Send what a worker of pytest-xdist saw."""
    if _is_strict(session.config) and hasattr(session.config, "workeroutput"):
        import pickle

        from bcastcli.raising import rewriting, watching

        sent = (watching.grown, watching.times, rewriting.sources)
        session.config.workeroutput["bcastcli"] = pickle.dumps(sent)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add what a worker saw."""
    sent = getattr(node, "workeroutput", {}).get("bcastcli")
    if sent:
        import pickle

        from bcastcli.raising import rewriting, watching

        grown, times, texts = pickle.loads(sent)  # noqa: S301  # from a worker of our own
        watching.grown.update(grown)
        watching.times.update(times)
        rewriting.sources.update(texts)


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """Write the section."""
    if _is_strict(config):
        from bcastcli.raising.silent import text

        terminalreporter.section("shapes that grew")
        terminalreporter.write(text("table", None) or "no line where shapes silently grew\n")


def _is_strict(config: Any) -> bool:
    return bool(getattr(config.known_args_namespace, "broadcast_strict", False))
