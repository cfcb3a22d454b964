"""One object on one line; programs rely on its keys."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

SCHEMA = 1
_FOR_RUNNERS = ("##[", "\\u0023#[")
"""Text that GitHub's runner takes for a command anywhere in a line, and the same in JSON."""
encode = json.JSONEncoder(check_circular=False).encode
# Setting up the encoder takes longer than encoding these values.
_SIMPLE: dict[type, Callable[[Any], str]] = {
    str: encode,
    bool: lambda value: "true" if value else "false",
    type(None): lambda value: "null",
    list: lambda value: encode(value) if value else "[]",
    dict: lambda value: f"{{{_members(value)}}}" if value else "{}",
}


class Texts(list[str]):
    """A list of values that are already JSON, so that recurring ones are encoded once."""


_SIMPLE[Texts] = lambda value: f"[{', '.join(value)}]"


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
    return ", ".join(
        [f'"{key}": {_SIMPLE.get(type(value), encode)(value)}' for key, value in record.items()]
    )
