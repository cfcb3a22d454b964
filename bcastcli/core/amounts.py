"""Amounts as people read them: elements, and arithmetic on sizes."""

from collections.abc import Sequence
from math import log10, prod

_MAX_WRITTEN_IN_FULL = 10**18


def elements(count: int) -> str:
    """A number of elements, in full unless it is too long to read.

    >>> elements(1234567), elements(10**30)
    ('1,234,567', 'about 10**30')
    """
    if count < _MAX_WRITTEN_IN_FULL:
        return f"{count:,}"
    return f"about 10**{round(log10(count))}"


def quotient(count: int, parts: Sequence[int]) -> str:
    """A number of elements divided by sizes, to two decimals.

    >>> quotient(169792, [1, 379, 128]), quotient(20, [3])
    ('169,792 / (379 x 128) is 3.5', '20 / 3 is about 6.67')
    """
    factors = [part for part in parts if part != 1] or [1]
    by = " x ".join(map(elements, factors))
    divisor = prod(factors)
    whole, hundredths = divmod((200 * count + divisor) // (2 * divisor), 100)
    about = "about " if 100 * count % divisor else ""
    decimals = f".{hundredths:02}".rstrip("0") if hundredths else ""
    divided = f"{elements(count)} / {f'({by})' if len(factors) > 1 else by}"
    return f"{divided} is {about}{elements(whole)}{decimals}"


def elsewhere(size: object, shape: Sequence[object], axis: int) -> str:
    """The only other axis of this size, as the end of a sentence; empty unless there is just one.

    >>> elsewhere(64, (64, 17, 64), 0), elsewhere(3, (3, 4, 3), 1)
    ('; the 64 is on axis 2', '')
    """
    having = [place for place, each in enumerate(shape) if each == size and place != axis]
    return f"; the {size} is on axis {having[0]}" if len(having) == 1 and size != 1 else ""
