"""Reads a line of text as a question, and its label.

A label, and the `id` of a question in JSON, are repeated with the answer but not part of it.
"""

from collections.abc import Sequence
from typing import TypeAlias

from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.notation import text as notation
from bcastcli.notation.pieces import compiled
from bcastcli.notation.text import NotationError

_COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

Tags: TypeAlias = dict[str, object]
"""The keys that are copied from a question to its answer: `label`, `id`, both or neither."""

# A # inside a JSON string does not begin a label.
_LABEL = r"[ \t]#"
_STRING_OR_LABEL = rf'"(?:[^"\\]|\\.)*"?|{_LABEL}'


def answer_line(rule: Rule, line: str, options: Options, framework: str = "") -> Answer:
    """The answer to a line by a rule, in the words of a framework if one is named.

    Raise NotationError if it is not a question.
    """
    typed = read(line, tuple(rule.options))
    check_operand_count(line, typed, rule.name, rule.min_operands, rule.max_operands)
    options = {**options, **typed.settings}
    operands = notation.operands(typed, rule.default_names)
    lacks = rule.lacks(operands, options)
    if lacks:
        where = (0, 1) if is_json(line) else (len(line), len(line) + 1)
        raise NotationError(lacks, line, where)
    own = "" if framework.lower() == rule.name else framework.lower()
    return Question(rule, operands, options, framework=own).answer()


def read(line: str, options: Sequence[str]) -> notation.ParsedLine:
    """The content of a line in either notation; their `read` lists what it may hold."""
    if is_json(line):
        from bcastcli.notation import json  # rarely met, and slow to load

        return json.read(line, options)
    return notation.read(line, options)


def check_operand_count(
    line: str, typed: notation.ParsedLine, name: str, least: int, most: int | None = None
) -> None:
    """Raise NotationError unless a line has an accepted number of shapes."""
    wrong = miscounted(len(typed.shapes), name, least, most)
    if wrong:
        message, at_fault = wrong
        where = (0, 1) if is_json(line) else notation.span(line, at_fault)
        raise NotationError(message, line, where)


def miscounted(
    count: int, name: str, least: int, most: int | None = None, inputs: Sequence[str] = ()
) -> tuple[str, int] | None:
    """How many shapes are taken, and the number of the first one too many or missing.

    None if the count is right.
    """
    if least <= count and (most is None or count <= most):
        return None
    at_fault = count if count < least or most is None else most
    upper = " or more" if most is None else ""
    if most is not None and most > least:
        upper = f" {'or' if most == least + 1 else 'to'} {_COUNTS[most]}"
    lower = _COUNTS[least] if least else "no"
    takes = f"{lower}{upper} shape{'s' if upper or least != 1 else ''}"
    names = f" ({', '.join(inputs)})" if inputs else ""
    given = _COUNTS[count] if count < 3 else count
    return f"{name} takes {takes}{names}, not {given}", at_fault


def is_json(line: str) -> bool:
    """Whether a line is a question in JSON, even an invalid one."""
    start = line.lstrip(" \t")
    following = start[1:].lstrip(" \t")[:1]
    is_object = start[:1] == "{" and (following in "\"'" or start[1:].strip() == "}")
    return is_object or (start[:1] == "[" and following == "[")


def split_label(line: str) -> tuple[str, Tags]:
    """The question on a line, and the keys to copy to its answer.

    >>> split_label("2,3 3 # enc.add")
    ('2,3 3', {'label': 'enc.add'})
    """
    tags: Tags = {}
    question = line
    if "#" in line and not line.lstrip(" \t").startswith("#"):
        found = compiled(_STRING_OR_LABEL if is_json(line) else _LABEL).finditer(line)
        mark = next((each for each in found if each[0][0] != '"'), None)
        if mark:
            question = line[: mark.start()]
            label = line[mark.end() :].strip(" \t")
            tags = {"label": label} if label else {}
    if '"id"' in question and is_json(question):
        tags |= _identity(question)
    return question, tags


def _identity(question: str) -> Tags:
    """The `id` of a question in JSON; null where it is not JSON."""
    from bcastcli.notation.json import loaded  # rarely met

    try:
        found = loaded(question)
    except NotationError:
        return {"id": None}
    return {"id": found["id"]} if isinstance(found, dict) and "id" in found else {}
