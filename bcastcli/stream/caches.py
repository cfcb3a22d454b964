"""Dictionaries that do not grow with the stream."""

from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


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


class Bounded(dict[Key, Value], Generic[Key, Value]):
    """A dictionary that is emptied when its entries would take too many bytes."""

    def __init__(self, bytes_of: Callable[[Key, Value], int], most: int) -> None:
        """Take the function that estimates the bytes of an entry, and the limit for all of them."""
        super().__init__()
        self._bytes_of = bytes_of
        self._most = self._room = most

    def __setitem__(self, key: Key, value: Value) -> None:
        taken = self._bytes_of(key, value)
        if taken > self._room:
            self.clear()
            self._room = self._most
        self._room -= taken
        super().__setitem__(key, value)
