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
    return f'{{"schema": {SCHEMA}, {_members(record)}}}\n'.replace(*_FOR_RUNNERS)


def _members(record: Mapping[str, object]) -> str:
    return ", ".join(
        [f'"{key}": {_SIMPLE.get(type(value), encode)(value)}' for key, value in record.items()]
    )


def with_tags(text: str, tags: Mapping[str, object]) -> str:
    """Return the text of a record with more keys at its end."""
    return f"{text[:-2]}, {encode(tags)[1:-1]}}}\n".replace(*_FOR_RUNNERS)


def with_line_numbers(texts: Sequence[str], first: int) -> list[str]:
    """Return the texts of records with the numbers of the lines that they answer."""
    numbered = enumerate(texts, first)
    return [text and f'{text[:-2]}, "line": {number}}}\n' for number, text in numbered]
