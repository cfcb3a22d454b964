"""The options of a rule, which it declares, and how their values are typed."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

SETTINGS = ("axis", "axes")
"""The options that a line may have besides its shapes."""
Value = Any
"""A value of an option, of the option's own type: a number, a word, a tuple of axes."""
AXES_EXPECTED = "expected axes, such as 0,2, or none"
AXIS_EXPECTED = "expected an axis number (0, 1, 2, ...) or -1 (the default)"
ANY_AXIS_EXPECTED = "expected a whole number, such as 0, 1 or -1"


def parse_axis(text: str, *, allows_negative: bool = False) -> int:
    """Return the axis that a text means; raise ValueError, saying what is expected, otherwise.

    `allows_negative` tells whether an axis may be counted from the last one: -2 and so on.
    """
    if not re.fullmatch(r"-?[0-9]{1,18}" if allows_negative else r"-1|[0-9]{1,18}", text):
        raise ValueError(ANY_AXIS_EXPECTED if allows_negative else AXIS_EXPECTED)
    return int(text)


def parse_axes(text: str) -> tuple[int, ...]:
    """Return the axes that a text means; raise ValueError, with what is expected, otherwise.

    >>> parse_axes("0,2"), parse_axes("none")
    ((0, 2), ())
    """
    if text == "none":
        return ()
    if not re.fullmatch(r"[0-9]{1,18}(?:,[0-9]{1,18})*", text):
        raise ValueError(AXES_EXPECTED)
    return tuple(map(int, text.split(",")))


def typed(value: Value) -> str:
    """Return a value as it is typed.

    >>> typed((0, 2)), typed(()), typed(-1)
    ('0,2', 'none', '-1')
    """
    return (",".join(map(str, value)) or "none") if isinstance(value, tuple) else str(value)


def parse_setting(name: str, text: str, *, allows_negative: bool = False) -> Value:
    """Return the value of a setting; raise ValueError, saying what is expected, otherwise."""
    if name == "axis":
        return parse_axis(text, allows_negative=allows_negative)
    return parse_axes(text)


def _none(ranks: Sequence[int]) -> Iterable[Value]:
    return ()


class Option(NamedTuple):
    """An option of a rule."""

    default: Value
    """None: it has to be given, where `Rule.lacks` says so."""
    parse: Callable[[str], Value]
    """Return the value that a text means; raise ValueError, saying what is expected, otherwise."""
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    """All values, where they are few words."""
    ways_to_try: Callable[[Sequence[int]], Iterable[Value]] = _none
    """Return the values that may make a difference to operands of these ranks."""
