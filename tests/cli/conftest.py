"""What the tests of the command line are given by name."""

import pytest

from tests.cli.asking import ASKED


@pytest.fixture
def arguments(rule: str, status: int) -> list[str]:
    """A question to a rule that is answered with a status."""
    return [rule, *ASKED[rule][status]]
