"""Answers to lines that look alike, written from a template.

Of the sizes in a question a rule sees which of them are equal and which are 0 or 1; any other
number it only quotes. So lines with the same text between their numbers, whose numbers are equal in
the same places, have answers that differ in the quoted numbers alone: such lines have one *look*.

The first line of a look is asked. With the second one, the first is asked once more, with *marks*,
numbers that nobody types, in place of its own: that answer with the marks cut out is the template
from which lines of the look are written from then on, under any rule and in any format for
programs. This is checked rather than believed: where the template filled with the numbers of the
first line is not its answer to the letter, the lines of that look are asked one by one. So an
answer that shows a product of sizes, or sizes in order (the marks are in the opposite one), makes
no template. What must not come here are answers that depend in other ways on how large a size is.
"""

import re
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

from bcastcli.notation.operators import SETTINGS
from bcastcli.notation.text import NotationError

MAX_TEMPLATES = 1 << 24
MAX_MET = 1 << 22
"""Bytes, about: of all templates, and of lines met once."""
_BYTES_OF_AN_ENTRY = 600

ZERO, ONE = "0", "1"
_MARK = 730_158_629_000
_MARKED = re.compile(rf"{_MARK // 1000}([0-9]{{3}})")
_MAX_MARKS = 1000
# A number that is a whole size and is written as answers write it; no part of a name or of a
# calculation, and not the value of a setting such as the axis.
_NO_SETTING = "".join([f"(?<!{name}=)" for name in SETTINGS])
_NUMBER = re.compile(rf"(?<![\w.+*/-]){_NO_SETTING}(0|[1-9][0-9]*)(?![\w.+*/-])")
# What may hold digits and no size: names, settings, and -1, which is a `?`. Names with an x are
# left out, since it may stand between sizes. In JSON, keys tell what a number is.
_NO_SIZE = re.compile(
    rf"(?:{'|'.join(SETTINGS)})=-?[0-9]+|(?<!\w)[A-Za-z_][A-WYZa-wyz_0-9]*(?!\w)|-1(?!\w)"
)
_LEFT = re.compile(r'[0-9"]')

Look = tuple[str | int, ...]
"""The text between a line's numbers, and for each number the first place of an equal one."""
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
    """A dictionary that is emptied where its entries take too many bytes."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = self._room = most

    def add(self, key: Key, value: Value, length: int) -> None:
        """Add an entry that holds a text of some length."""
        self._room -= length + _BYTES_OF_AN_ENTRY
        if self._room < 0:
            self.clear()
            self._room = self._most
        self[key] = value


class Template(NamedTuple):
    """A text with places for numbers."""

    text: str
    pick: Callable[[Sequence[str]], object]
    """Pick the numbers in the order of the places."""

    def filled(self, numbers: Sequence[str | None]) -> str:
        """Return the text with numbers in its places."""
        return self.text % self.pick(numbers)  # type: ignore[arg-type]


def mark(number: int) -> str:
    """Return the mark with a number."""
    return str(_MARK + number)


def template(text: str, index: Sequence[int]) -> Template:
    """Return the template of a text with marks; mark i stands for the number at index[i]."""
    parts = _MARKED.split(text)
    places = [index[int(each)] for each in parts[1::2]]
    return Template(
        "%s".join(part.replace("%", "%%") for part in parts[::2]),
        itemgetter(*places) if places else lambda _: (),
    )


class Templates:
    """The answers to lines, of which those that look alike are written from templates."""

    def __init__(
        self, ask: Callable[[str], str | NotationError], write: Callable[[str], str]
    ) -> None:
        self._ask = ask
        self._write = write
        self._templates: Bounded[Look, Template | None] = Bounded(MAX_TEMPLATES)
        """By look; None where lines have to be asked one by one."""
        self._met: Bounded[Look, tuple[list[str], str | NotationError]] = Bounded(MAX_MET)
        """The numbers and the answer of the only line of a look so far."""

    def answer(self, line: str) -> str | NotationError:
        """Return the answer to a line."""
        parts = _NUMBER.split(line)
        numbers = [ZERO, ONE, *parts[1::2]]
        look = (*parts[::2], *map(numbers.index, numbers))
        found = self._templates.get(look)
        if found is not None:
            return found.text % found.pick(numbers)
        if look not in self._templates:
            if look not in self._met:
                text = self._ask(line)
                self._met.add(look, (numbers, text), len(line) + len(str(text)))
                return text
            found = self._learned(parts[::2], *self._met.pop(look))
            self._templates.add(look, found, len(found.text) if found else 0)
            if found is not None:
                return found.filled(numbers)
        return self._ask(line)

    def _learned(
        self, between: list[str], numbers: list[str], text: str | NotationError
    ) -> Template | None:
        """Return the template of a line with these numbers and this answer, if it has one."""
        if isinstance(text, NotationError) or not text:
            return None
        if _LEFT.search(_NO_SIZE.sub("", "\0".join(between))) or _MARKED.search("".join(numbers)):
            return None
        others = sorted({*numbers} - {ZERO, ONE}, key=int, reverse=True)[:_MAX_MARKS]
        marks = {ZERO: ZERO, ONE: ONE} | {each: mark(i) for i, each in enumerate(others)}
        line = [*between, *numbers[2:]]
        line[::2], line[1::2] = between, map(marks.__getitem__, numbers[2:])
        try:
            marked = self._write("".join(line))
        except NotationError:
            return None
        found = template(marked, list(map(numbers.index, others)))
        return found if found.filled(numbers) == text else None
