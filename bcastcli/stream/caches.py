"""Dictionaries that do not grow with the stream."""

from collections.abc import Callable
from typing import Generic, TypeVar

_BYTES_OF_AN_ENTRY = 400
_BYTES_OF_A_STRING = 50
Key = TypeVar("Key")
Value = TypeVar("Value")
Look = tuple[str | int, ...]
"""What tells a line from those that are answered otherwise; see `looks`."""


class Cache(dict[Key, Value], Generic[Key, Value]):
    """A cache of the values that a function returns; emptied when it has too many."""

    def __init__(self, find: Callable[[Key], Value], most: int) -> None:
        super().__init__()
        self._find = find
        self._most = most

    def __missing__(self, key: Key) -> Value:
        value = self._find(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value


class Bounded(dict[Look, Value], Generic[Value]):
    """A dictionary that is emptied where its entries are estimated to take too many bytes."""

    def __init__(self, most: int, length: Callable[[Value], int]) -> None:
        """Take the most bytes, and what estimates those of a value."""
        super().__init__()
        self._most = self._room = most
        self._length = length

    def __setitem__(self, look: Look, value: Value) -> None:
        self._room -= self._bytes(look, value)
        if self._room < 0:
            self.clear()
            self._room = self._most
        super().__setitem__(look, value)

    def taken(self, look: Look) -> Value:
        """Remove an entry and return its value."""
        value = self.pop(look)
        self._room += self._bytes(look, value)
        return value

    def _bytes(self, look: Look, value: Value) -> int:
        # A string of one character is the same one everywhere.
        strings = [len(part) for part in look if isinstance(part, str) and len(part) > 1]
        texts = sum(strings) + _BYTES_OF_A_STRING * len(strings)
        return _BYTES_OF_AN_ENTRY + 8 * len(look) + texts + self._length(value)
