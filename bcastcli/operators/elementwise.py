"""Lines of operators as lines of their operands, to compare rules: `Mul 2,3 3` is `2,3 3`."""

import re

from bcastcli.operators.operators import LISTED_ONLY, operator
from bcastcli.operators.table import table
from bcastcli.rules import RULES

_LINE = re.compile(r"([A-Za-z][\w-]+)\s+(.*)")
_LABEL = re.compile(r"(^|\s)#.*")
_SETTING = re.compile(r"\s(opset|broadcast|trans_[ab]|axis)=\S*")


def operands_of(line: str, *, keeps_axis: bool) -> str | None:
    """Return a line without its operator or rule, or as it is if it has none.

    None: an operator that is not elementwise, such as a product, or one of a single shape.
    `keeps_axis` leaves the setting axis.
    """
    matched = _LINE.fullmatch(line)
    if not matched or not (_is_operator(matched[1]) or matched[1] in RULES):
        return line
    name, rest = matched.groups()
    label = _LABEL.search(rest)
    shapes = rest[: label.start()] if label else rest
    bare = _SETTING.sub(
        lambda setting: setting[0] if keeps_axis and setting[1] == "axis" else "", shapes
    )
    count = len([word for word in bare.split() if "=" not in word])
    if count < 2 or (name not in RULES and not _is_elementwise(name)):
        return None
    return bare + (label[0] if label else "")


def _is_operator(name: str) -> bool:
    return name in table()


def _is_elementwise(name: str) -> bool:
    """Return whether an operator is elementwise, with arrays for operands."""
    if name in LISTED_ONLY:
        return False
    own = operator(table()[name][-1], None)
    return own.is_elementwise and not own.rule.second_is_target
