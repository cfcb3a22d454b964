"""The commands in two columns, for the help that fits one screen."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from textwrap import shorten


def side_by_side(lists: Mapping[str, Sequence[tuple[str, str]]], width: int) -> str:
    """Return two lists side by side, each name with as much of its text as fits."""
    names = [max(len(name) for name, _ in rows) for rows in lists.values()]
    room = width - sum(names) - 10  # two spaces before each name, after it, and between the lists
    columns = []
    for (heading, rows), own, share in zip(
        lists.items(), names, (room // 2 - 1, room - room // 2 + 1), strict=True
    ):
        listed = (
            f"  {name:<{own}}  {shorten(text.partition(':')[0], share, placeholder='').rstrip(',')}"
            for name, text in rows
        )
        columns.append([f"{line:<{own + share + 6}}" for line in (f"{heading}:", *listed)])
    first = len(columns[0][0])
    pairs = zip_longest(*columns, fillvalue="")
    return "".join(f"{left:<{first}}{right}".rstrip() + "\n" for left, right in pairs)
