"""The plugin for pytest: a section `shapes` in the report of a test that fails for shapes."""

from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Add the section to the report."""
    made = yield
    if call.excinfo is not None:
        from bcastcli.raising.hooks import explained

        report = made.get_result()
        said = explained(call.excinfo.value) if report.failed else ""
        if said:
            report.sections.append(("shapes", said.rstrip()))
