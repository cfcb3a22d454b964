"""A line of text to the answer that a rule gives it."""

from collections.abc import Sequence

from bcastcli import notation
from bcastcli.answers import Answer, Demand, Options, Rule

_COUNTS = ("none", "one", "two")


def ask(rule: Rule, line: str, options: Options, demands: Sequence[Demand] = ()) -> Answer:
    """The rule's answer to the question on a line; NotationError if it is not a question."""
    typed = _read(line, rule)
    if typed.axis is not None:
        options = {**options, "axis": typed.axis}
    count = len(typed.shapes)
    if count < rule.fewest or (rule.most is not None and count > rule.most):
        # The first operand too many, or the place of the one that is missing.
        at_fault = count if count < rule.fewest else rule.most or 0
        where = (0, 1) if _is_json(line) else notation.span(line, at_fault)
        raise notation.NotationError(_takes(rule, count), line, where)
    return Answer(rule, notation.operands(typed, rule.operands), options, demands)


def _read(line: str, rule: Rule) -> notation.Typed:
    if _is_json(line):
        from bcastcli import json_questions  # rarely met, and slow to load

        return json_questions.read(line, rule.options)
    return notation.read(line, rule.options)


def _is_json(line: str) -> bool:
    start = line.lstrip(" \t")
    return start[:1] == "{" or (start[:1] == "[" and start[1:].lstrip(" \t")[:1] == "[")


def _takes(rule: Rule, count: int) -> str:
    """How many shapes a rule takes, against how many there are."""
    takes = f"{_COUNTS[rule.fewest]} shape{'s' if rule.fewest > 1 else ''}"
    more = " or more" if rule.most is None else ""
    return f"{rule.name} takes {takes}{more}, not {_COUNTS[count] if count < 3 else count}"
