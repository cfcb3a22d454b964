"""One object on one line; programs rely on its keys."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

SCHEMA = 1
_FOR_RUNNERS = ("##[", "\\u0023#[")
"""Text that GitHub's runner takes for a command anywhere in a line, and the same in JSON."""
encode = json.JSONEncoder(check_circular=False).encode
_SIMPLE: dict[type, Callable[[Any], str]] = {
    str: encode,
    bool: lambda value: "true" if value else "false",
    type(None): lambda value: "null",
    list: lambda value: encode(value) if value else "[]",
    dict: lambda value: f"{{{_members(value)}}}" if value else "{}",
}
"""How values of some types are written: setting up the encoder takes longer than encoding them."""


class Encoded(str):
    """A value that is already JSON, so that recurring ones are encoded once."""

    __slots__ = ()


def in_brackets(texts: Iterable[str]) -> Encoded:
    """The list of values that are already JSON."""
    return Encoded(f"[{', '.join(texts)}]")


def write(records: Sequence[Mapping[str, object]]) -> str:
    """Return records, each on a line."""
    return "".join(map(line, records))


def line(record: Mapping[str, object]) -> str:
    """Return a record as a line."""
    return begin(record) + end({})


def begin(record: Mapping[str, object]) -> str:
    """A record to which members can be added."""
    return f'{{"schema": {SCHEMA}, {_members(record)}'.replace(*_FOR_RUNNERS)


def end(tags: Mapping[str, object], number: int | None = None) -> str:
    """The last members of a record: its tags, and the number of the line that it answers."""
    last = "" if number is None else f', "line": {number}'
    if tags:
        last = f", {_members(tags)}{last}".replace(*_FOR_RUNNERS)
    return f"{last}}}\n"


def _members(record: Mapping[str, object]) -> str:
    members = []
    for key, value in record.items():
        if type(value) is not Encoded:
            value = _SIMPLE.get(type(value), encode)(value)
        members.append(f'"{key}": {value}')
    return ", ".join(members)
