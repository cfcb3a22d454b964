"""One object on one line; programs rely on its keys."""

import json
from collections.abc import Mapping, Sequence

SCHEMA = 1
_FOR_RUNNERS = ("##[", "\\u0023#[")
"""Text that GitHub's runner takes for a command anywhere in a line, and the same in JSON."""
_encode = json.JSONEncoder(check_circular=False).encode


def write(records: Sequence[Mapping[str, object]]) -> str:
    """Records, each on a line."""
    return begin(records) + end({})


def begin(records: Sequence[Mapping[str, object]]) -> str:
    """Records, each on a line, of which the last one has no end: members can be added."""
    return end({}).join([f'{{"schema": {SCHEMA}{_members(record)}' for record in records])


def end(tags: Mapping[str, object], number: int | None = None) -> str:
    """The last members of a record: its tags, and the number of the line that it answers."""
    line = {} if number is None else {"line": number}
    return f"{_members({**tags, **line})}}}\n"


def _members(record: Mapping[str, object]) -> str:
    members = [f', "{key}": {_encode(value)}' for key, value in record.items()]
    return "".join(members).replace(*_FOR_RUNNERS)
