"""Reads a line of text as a question."""

from collections.abc import Sequence

from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule
from bcastcli.notation import text as notation

_COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def answer_line(rule: Rule, line: str, options: Options, framework: str = "") -> Answer:
    """Return the answer to a line by a rule, in the words of a framework if one is named.

    Raise NotationError if it is not a question.
    """
    typed = read(line, tuple(rule.options))
    check_operand_count(line, typed, rule.name, rule.min_operands, rule.max_operands)
    options = {**options, **typed.settings}
    operands = notation.operands(typed, rule.default_names)
    lacks = rule.lacks(operands, options)
    if lacks:
        where = (0, 1) if is_json(line) else (len(line), len(line) + 1)
        raise notation.NotationError(lacks, line, where)
    own = "" if framework.lower() == rule.name else framework.lower()
    return Question(rule, operands, options, framework=own).answer()


def read(line: str, options: Sequence[str]) -> notation.ParsedLine:
    """Read a line in either notation; their `read` lists its possible further contents."""
    if is_json(line):
        from bcastcli.notation import json  # rarely met, and slow to load

        return json.read(line, options)
    return notation.read(line, options)


def check_operand_count(
    line: str,
    typed: notation.ParsedLine,
    asked_name: str,
    min_operands: int,
    max_operands: int | None = None,
) -> None:
    """Raise NotationError unless a line has an accepted number of shapes."""
    wrong = miscounted(len(typed.shapes), asked_name, min_operands, max_operands)
    if wrong:
        message, at_fault = wrong
        where = (0, 1) if is_json(line) else notation.span(line, at_fault)
        raise notation.NotationError(message, line, where)


def miscounted(
    count: int,
    asked_name: str,
    min_operands: int,
    max_operands: int | None = None,
    operand_names: Sequence[str] = (),
) -> tuple[str, int] | None:
    """Return how many shapes are taken, and the number of the first one too many or missing.

    None if the count is right.
    """
    if min_operands <= count and (max_operands is None or count <= max_operands):
        return None
    at_fault = count if count < min_operands or max_operands is None else max_operands
    upper = (
        f" {'or' if max_operands == min_operands + 1 else 'to'} {_COUNTS[max_operands]}"
        if max_operands is not None and max_operands > min_operands
        else ""
    )
    takes = f"{_COUNTS[min_operands]}{upper} shape{'s' if upper or min_operands > 1 else ''}"
    more = " or more" if max_operands is None else ""
    names = f" ({', '.join(operand_names)})" if operand_names else ""
    given = _COUNTS[count] if count < 3 else count
    return f"{asked_name} takes {takes}{more}{names}, not {given}", at_fault


def is_json(line: str) -> bool:
    """Return whether a line is a question in JSON, even an invalid one."""
    start = line.lstrip(" \t")
    following = start[1:].lstrip(" \t")[:1]
    is_object = start[:1] == "{" and (following in "\"'" or start[1:].strip() == "}")
    return is_object or (start[:1] == "[" and following == "[")
