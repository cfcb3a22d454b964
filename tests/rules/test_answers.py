"""Whole answers of each rule (rules/): what it decides and says, and what engines do otherwise."""

from pathlib import Path

import pytest

from tests.answered import facts, keep_answers, suggestions


def test_answers(pytestconfig: pytest.Config) -> None:
    """Everything that is found of a question is as it was read."""
    keep_answers(Path(__file__).with_name("answers.txt"), pytestconfig, facts)


def test_suggestions(pytestconfig: pytest.Config) -> None:
    """What to write instead, in this order, and nothing where nothing is likely."""
    keep_answers(Path(__file__).with_name("suggestions.txt"), pytestconfig, suggestions)
