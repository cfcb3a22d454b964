"""Lines as they are typed and pasted (notation/text.py, questions.py, json.py, operators.py)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bcastcli.core.rule import typed
from bcastcli.core.shapes import written
from bcastcli.notation import operators
from bcastcli.notation.questions import answer_line, is_json
from bcastcli.notation.text import NotationError, span
from bcastcli.rules import RULES
from tests.rows import keep

ATTRIBUTES = {
    name: kind
    for kind, words in {
        "ints": "perm",
        "int": "to",
        "floats": "scales",
        "string": "equation",
        "other": "epsilon",
    }.items()
    for name in words.split()
}
"""The attributes of every operator here, each with its kind."""


def test_lines(pytestconfig: pytest.Config) -> None:
    """What is read of a line, and where it stands there, or what is wrong, and where."""
    keep(Path(__file__).with_name("lines.txt"), pytestconfig, facts)


def facts(question: str) -> Iterator[str]:
    """Yield what is read of a line behind a rule or `op`: operands with their places, settings."""
    if question.startswith("#"):
        return
    command, _, line = question.partition(" ")
    try:
        yield " | ".join(_operator(line) if command == "op" else _rule(command, line))
    except NotationError as error:
        yield f"{'{}-{}'.format(*error.span)}: {error.message}"


def _rule(name: str, line: str) -> Iterator[str]:
    question = answer_line(RULES[name], line, {}).question
    for number, (operand, shape) in enumerate(question.operands):
        place = "" if is_json(line) else "{}-{} ".format(*span(line, number))
        yield f"{place}{operand} {written(shape)}"
    yield from (f"{name}={typed(value)}" for name, value in question.options.items())


def _operator(line: str) -> Iterator[str]:
    read = operators.read(line, lambda _: ATTRIBUTES)
    yield "{}-{} ".format(*read.span("")) + read.name
    for number, (name, shape) in enumerate(zip(read.typed.names, read.typed.shapes, strict=True)):
        yield "{}-{}".format(*read.span(number)) + f" {name} {written(shape)}"
    for setting, value in sorted(read.settings.items()):
        yield "{}-{}".format(*read.span(setting)) + f" {setting}={typed(value)}"
