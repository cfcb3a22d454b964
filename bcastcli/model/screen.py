"""Nodes on a screen: a row each in 80 columns, in which names may be cut, but never sizes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from bcastcli.render.sheet import Cell, Grid, Line, Tone

WIDTH, GAP = 80, 3
MOST_ROWS = 20
_LEAST = 12
"""The fewest characters to which a node's name is cut."""
_FEWEST = 12
"""Characters to which the name of an operand may be cut; with less room it is left out."""
_HEAD = ("node", "operator", "inputs", "answer")
_LONG_ANSWER = 40
"""Characters of an answer that are always shown: names are cut before them."""


class Shown(NamedTuple):
    """The cells of a node's row."""

    title: str
    operator: str
    shapes: Sequence[str]
    answer: str
    tone: Tone = Tone.PLAIN
    names: Sequence[str] = ()
    """The names of the operands."""


def rows(shown: Sequence[Shown], *, everything: bool) -> Iterator[Grid | Line]:
    """Yield a table of the first nodes, or of all, and how many are left out."""
    kept = shown if everything else shown[:MOST_ROWS]
    if not kept:
        return
    answers = max(len(text) for text in (*(each.answer for each in kept), _HEAD[3]))
    fixed = max(len(text) for text in (*(each.operator for each in kept), _HEAD[1]))
    fixed += 3 * GAP + min(_LONG_ANSWER, answers)
    sizes = max(len("  ".join(each.shapes)) for each in kept)
    room = WIDTH - fixed - sizes
    count = max(len(each.names) for each in kept)
    names = max(sum(len(name) + 1 for name in each.names) for each in kept)
    titles = max(len(each.title) for each in kept)
    if room - min(titles, _LEAST) < min(names, count * _FEWEST):
        names = 0
    title = min(titles, max(_LEAST, room - names, room // 2 if names else room))
    left = WIDTH - fixed - title if names else 0
    body = (
        (each.tone, cut(each.title, title), each.operator, _inputs(each, left), each.answer)
        for each in kept
    )
    cells = tuple(tuple(Cell(text, tone) for text in texts) for tone, *texts in body)
    yield Grid((tuple(map(Cell, _HEAD)),), (cells,))
    if len(kept) < len(shown):
        yield Line("", f"and {len(shown) - len(kept):,} more: --all")


def _inputs(shown: Shown, room: int) -> str:
    """Return the shapes of a node's inputs, each with as much of its name as there is room for."""
    free = room - len("  ".join(shown.shapes)) - len(shown.names)
    each = free // max(1, len(shown.names))
    pairs = zip_longest(shown.names if each > 0 else (), shown.shapes, fillvalue="")
    return "  ".join(f"{name and cut(name, each)} {shape}".strip() for name, shape in pairs)


def cut(name: str, room: int) -> str:
    """Return a name without its middle, where it is longer than there is room.

    >>> cut("layers.11.self_attn", 13), cut("mask", 13)
    ('laye…elf_attn', 'mask')
    """
    if len(name) <= room:
        return name
    end = room * 2 // 3  # where layers have their numbers
    return f"{name[: room - end - 1]}…{name[-end:]}"


def shortened(text: str) -> str:
    """Return a text with long names, and long equations, cut in the middle; never sizes.

    >>> shortened("x" * 200 + " has 3")[37:43]
    'xx…xxx'
    """
    return _LONG.sub(lambda found: cut(found[0], 2 * _KEPT + 1), text)


_KEPT = 59
"""Half the length of a name that was cut."""
_LONG = re.compile(r"[^\s,]{120,}|(?=\S{120})\S*->\S*")


def remarks(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield each remark once, behind the name of the first node that has it."""
    titles: dict[str, dict[str, None]] = {}
    for title, text in pairs:  # two rules may have the same one on a node
        titles.setdefault(text, {})[title] = None
    for text, (first, *others) in titles.items():
        more = f" and {len(others):,} more" if others else ""
        yield f"{first}{more}: {text}"
