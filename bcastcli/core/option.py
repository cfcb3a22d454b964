"""The options of a rule, which it declares, and how their values are typed."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

AXIS_EXPECTED = "expected an axis number (0, 1, 2, ...) or -1 (the default)"
ANY_AXIS_EXPECTED = "expected a whole number, such as 0, 1 or -1"


def parse_axis(text: str, *, allows_negative: bool = False) -> int:
    """Return the axis that a text stands for; raise ValueError, with what is expected, otherwise.

    `allows_negative` tells whether an axis may be counted from the last one: -2 and so on.
    """
    if not re.fullmatch(r"-?[0-9]{1,18}" if allows_negative else r"-1|[0-9]{1,18}", text):
        raise ValueError(ANY_AXIS_EXPECTED if allows_negative else AXIS_EXPECTED)
    return int(text)


def _none(ranks: Sequence[int]) -> Iterable[int | str]:
    return ()


class Option(NamedTuple):
    """An option of a rule."""

    default: int | str
    parse: Callable[[str], int | str]
    """Return the value that a text stands for; raise ValueError, with what is expected."""
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    """All values, where they are few words."""
    ways_to_try: Callable[[Sequence[int]], Iterable[int | str]] = _none
    """Return the values that may make a difference to operands of these ranks."""
