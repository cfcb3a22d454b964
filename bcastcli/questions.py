"""A line of text to the answer that a rule gives it."""

from bcastcli import notation
from bcastcli.answers import Answer, Options, Rule

_COUNTS = {1: "one shape", 2: "two shapes"}


def ask(rule: Rule, line: str, options: Options) -> Answer:
    """The rule's answer to the question on a line; NotationError if it is not a question."""
    typed = notation.read(line, rule.options)
    if typed.axis is not None:
        options = {**options, "axis": typed.axis}
    count = len(typed.shapes)
    if count < rule.fewest:
        raise notation.NotationError(_takes(rule, count), line, (len(line), len(line) + 1))
    if rule.most is not None and count > rule.most:
        raise notation.NotationError(_takes(rule, count), line, typed.spans[rule.most])
    return Answer(rule, notation.operands(typed, rule.operands), options)


def _takes(rule: Rule, count: int) -> str:
    """How many shapes a rule takes, against how many there are."""
    takes = _COUNTS[rule.fewest] + (" or more" if rule.most is None else "")
    return f"{rule.name} takes {takes}, not {count or 'none'}"
