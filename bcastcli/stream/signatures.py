"""Signatures of lines: lines with equal signatures get the same answer, but for the numbers quoted.

A signature is the text of a line between its numbers, and which of these are equal, 0 or 1. Where
shapes recur, it is found sooner from them. Under a rule that decides each aligned axis on its own,
only sizes on the same axis are compared, so more lines have one signature.

Columns are counted from the end that is aligned here: from the last one backwards, unless a rule
aligns the first axes.
"""

import re
from collections.abc import Sequence
from functools import partial
from itertools import chain, count, zip_longest

from bcastcli.core.rule import SETTINGS
from bcastcli.notation.text import OPERATORS_SETTINGS
from bcastcli.stream.caches import Cache

ZERO, ONE = "0", "1"
FIRST_PLACEHOLDER = 730_158_629_000
"""The first placeholder: one of a thousand numbers unlikely to occur in input."""
MAX_SHAPES = 1 << 13
MAX_COLUMNS = 1 << 14
MAX_OPERANDS = 8
"""Lines of more operands are known by their texts alone: each takes more room, and few return."""
MAX_LENGTH = 32
"""The most characters of a shape that is kept."""
_PLACES = range(MAX_OPERANDS * MAX_LENGTH)

# A number that is a whole size and is written as answers write it; no part of a name or of a
# calculation.
_NUMBER = re.compile(r"(?<![\w.+*/-])(0|[1-9][0-9]*)(?![\w.+*/-])")
# A setting such as `axes=0,2`: its numbers are not sizes, so it is cut out and marked.
_SETTING = re.compile(rf"(?<![^\s;])(?:{'|'.join((*SETTINGS, *OPERATORS_SETTINGS))})=[^\s;]*")
_CUT = "\1"
# Digits that are not sizes: in names, and -1, which is a `?`. A word with an x is not one, as
# sizes may be around it. In JSON, keys tell what a number is.
_NO_SIZE = re.compile(r"(?<!\w)[A-WYZa-wyz_][A-WYZa-wyz_0-9]*(?!\w)|-1(?!\w)")
_LEFT = re.compile(r'[0-9"]')

Signature = tuple[str | int, ...]
Shape = tuple[str, ...]
"""The sizes of a shape as typed, from the end that is aligned: the last one first, or the first."""
NO_NUMBERS: Shape = ("!",)
"""In place of the sizes of a shape that are not all numbers, or too many."""
SETTING: Shape = (*NO_NUMBERS, "=")
"""In place of the sizes, for a setting such as `axis=1`."""
Column = tuple[str | None, ...]
"""The sizes on an axis, as typed; None where an operand has no such axis."""
ColumnSignature = tuple[str | int | None, ...]
"""A column in which each size but 0 and 1 is replaced by the place of the first equal one."""


def placeholder(number: int) -> str:
    """Return the placeholder with a number."""
    return str(FIRST_PLACEHOLDER + number)


class Signatures:
    """The signatures of any lines: the text between the numbers, and which of these are equal."""

    def of(self, line: str) -> tuple[Signature, list[str]]:
        """Return the signature of a line; and 0, 1 and its numbers."""
        rest, settings = _without_settings(line)
        parts = _NUMBER.split(rest)
        numbers = [ZERO, ONE, *parts[1::2]]
        return (*parts[::2], *settings, *map(numbers.index, numbers)), numbers

    def with_placeholders(self, line: str) -> tuple[str, list[int]]:
        """Return a line of this signature with placeholders, and which number each stands for.

        A number is given by its place in what `of` returns. The line is empty where not all numbers
        are sizes.
        """
        rest, settings = _without_settings(line)
        parts = _NUMBER.split(rest)
        if _CUT in line or _LEFT.search(_NO_SIZE.sub("", "\0".join(parts[::2]))):
            return "", []
        numbers = [ZERO, ONE, *parts[1::2]]
        others = sorted({*numbers[2:]} - {ZERO, ONE}, key=int, reverse=True)
        placeholders = {each: placeholder(i) for i, each in enumerate(others)}
        parts[1::2] = [placeholders.get(each, each) for each in parts[1::2]]
        text = "".join(parts)
        for each in settings:
            text = text.replace(_CUT, each, 1)
        return text, list(map(numbers.index, others))


def _without_settings(line: str) -> tuple[str, list[str]]:
    """Return a line with a mark in place of each setting, and the settings."""
    if "=" not in line:
        return line, []
    return _SETTING.sub(_CUT, line), _SETTING.findall(line)


BY_TEXT = Signatures()


class ShapeSignatures(Signatures):
    """The signatures of lines of numbers: the shapes' ranks, and which sizes are equal, 0 or 1.

    Under a rule that decides axis by axis, sizes are compared on each axis alone. Lines of anything
    else have the signatures of their texts.
    """

    def __init__(self, *, by_axis: bool, from_first: bool = False) -> None:
        """`from_first` tells whether the first axes are aligned, not the last ones."""
        self.step = -1 if by_axis and not from_first else 1  # as typed where it does not matter
        self.shapes = Cache(partial(_numbers, self.step), MAX_SHAPES)
        self._by_axis = by_axis
        numbers = count()
        number = Cache[ColumnSignature, int](lambda signature: next(numbers), MAX_COLUMNS)
        self._columns = Cache[Column, int](lambda column: number[signature_of(column)], MAX_COLUMNS)
        """The number of each column's signature."""

    def recur(self, lines: Sequence[str]) -> bool:
        """Return whether most shapes on some lines are known, or few are known so far."""
        shapes = [shape for line in lines for shape in line.split(" ")]
        few = len(self.shapes) < MAX_SHAPES // 2
        return few or 2 * sum(map(self.shapes.__contains__, shapes)) > len(shapes)

    def of(self, line: str) -> tuple[Signature, list[str]]:
        """Return the signature of a line; and 0, 1 and its numbers."""
        words = line.split(" ")
        shapes = [*map(self.shapes.__getitem__, words)]
        setting = ""
        if shapes[-1] is SETTING:
            setting = words[-1]
            del shapes[-1]
        numbers = [ZERO, ONE, *chain.from_iterable(shapes)]
        if NO_NUMBERS[0] in numbers or len(shapes) > MAX_OPERANDS:
            return super().of(line)
        if self._by_axis:
            columns = map(self._columns.__getitem__, zip_longest(*shapes))
            return (setting, *map(len, shapes), *columns), numbers
        first: dict[str, int] = {}  # a half of the time of `numbers.index`
        return (setting, *map(len, shapes), *map(first.setdefault, numbers, _PLACES)), numbers

    def with_placeholders(self, line: str) -> tuple[str, list[int]]:
        """Return a line of this signature with placeholders, and which number each stands for.

        An equal number on another axis has another placeholder, if these are not compared.
        """
        shapes = [*map(self.shapes.__getitem__, line.split(" "))]
        if not self._by_axis or NO_NUMBERS[0] in chain(*shapes) or len(shapes) > MAX_OPERANDS:
            return super().with_placeholders(line)
        placed = [[*enumerate(shape)] for shape in shapes]
        numbers = [*chain(*placed)]
        others = [each for each in dict.fromkeys(numbers) if each[1] not in (ZERO, ONE)]
        others.sort(key=lambda each: int(each[1]), reverse=True)
        placeholders = {each: placeholder(i) for i, each in enumerate(others)}
        texts = [
            ",".join([placeholders.get(each, each[1]) for each in shape[:: self.step]])
            for shape in placed
        ]
        return " ".join(texts), [2 + numbers.index(each) for each in others]


def _numbers(step: int, shape: str) -> Shape:
    """Return the sizes of a shape as typed, in steps of 1 or -1, if they are all numbers."""
    sizes = shape.split(",")[::step]
    if len(shape) <= MAX_LENGTH and all(map(_is_number, sizes)):
        return tuple(sizes)
    return SETTING if _SETTING.fullmatch(shape) else NO_NUMBERS


def _is_number(size: str) -> bool:
    """Return whether a size is a number that is typed as it is written."""
    return size == ZERO or (size.isdecimal() and size.isascii() and size[0] != ZERO)


def signature_of(column: Column) -> ColumnSignature:
    """Return which sizes of a column are equal, missing, 0 or 1."""
    return tuple([size if size in (None, ZERO, ONE) else column.index(size) for size in column])
