"""Signatures of lines: lines with equal signatures have answers that differ only in quoted numbers.

A signature is the text of a line between its numbers, and which of these are equal, 0 or 1. For
recurring shapes it is built from the shapes, which is faster. Under a rule that decides each
aligned axis on its own, only sizes on the same axis are compared, so more lines share a signature.

Here columns are counted from the aligned end: from the last one backwards, unless a rule aligns the
first axes.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, combinations, count, islice, zip_longest
from operator import itemgetter
from typing import Any

from bcastcli.core.rule import SETTINGS, Rule
from bcastcli.core.shapes import columns
from bcastcli.notation.text import OPERATORS_SETTINGS, NotationError
from bcastcli.stream.caches import Cache

ZERO, ONE = "0", "1"
FIRST_PLACEHOLDER = 730_158_629_000
"""The first placeholder: one of a thousand numbers unlikely to occur in input."""
MAX_SHAPES = 1 << 13
MAX_COLUMNS = 1 << 14
MAX_OPERANDS = 8
"""Lines with more operands are cached by their texts only: each takes more room, and few recur."""
MAX_LENGTH = 32
"""The most characters of a shape that is kept."""

# A number that is a whole size and is written as answers write it; no part of a name or of a
# calculation.
_NUMBER = re.compile(r"(?<![\w.+*/-])(0|[1-9][0-9]*)(?![\w.+*/-])")
_SIZES = re.compile(r"(?:0|[1-9][0-9]*)(?:,(?:0|[1-9][0-9]*))*")
# A setting such as `axes=0,2`: its numbers are not sizes, so it is cut out and marked.
_SETTING = re.compile(rf"(?<![^\s;])(?:{'|'.join((*SETTINGS, *OPERATORS_SETTINGS))})=[^\s;]*")
_CUT = "\1"
# Digits that are not sizes: in names, and -1, which is a `?`. A word with an x is not one, as
# sizes may be around it. In JSON, a key shows the meaning of a number.
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
        parts, settings = _parts(line)
        numbers = [ZERO, ONE, *parts[1::2]]
        return (*parts[::2], *settings, *map(numbers.index, numbers)), numbers

    def with_placeholders(self, line: str) -> tuple[str, list[int]]:
        """Return a line of this signature with placeholders, and which number each stands for.

        A number is given by its place in the result of `of`. The line is empty unless all numbers
        are sizes.
        """
        parts, settings = _parts(line)
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


def _parts(line: str) -> tuple[list[str], list[str]]:
    """Return a line's texts and numbers in turn, with a mark for each setting; and the settings."""
    if "=" not in line:
        return _NUMBER.split(line), []
    return _NUMBER.split(_SETTING.sub(_CUT, line)), _SETTING.findall(line)


BY_TEXT = Signatures()


class ShapeSignatures(Signatures):
    """The signatures of lines of numbers: the shapes' ranks, and which sizes are equal, 0 or 1.

    Sizes are compared where an alignment of the rule brings them together; all of them where no
    rule is known. Lines of anything else have the signatures of their texts.
    """

    def __init__(self, ask: Callable[[str], Any], rule: Rule | None = None) -> None:
        """Take the function that answers a line of shapes; and the rule, if there is only one."""
        self._ask = ask
        self.by_axis = rule is not None and rule.axis_by_axis
        self.from_first = rule is not None and rule.missing_axes == "trailing"
        """Whether the first axes are aligned, not the last ones."""
        self._step = -1 if self.by_axis and not self.from_first else 1
        self.shapes = Cache(partial(_numbers, self._step), MAX_SHAPES)
        numbers = count(1)  # a 0 is in all signatures of texts, so that none is taken for another
        number = Cache[ColumnSignature, int](lambda signature: next(numbers), MAX_COLUMNS)
        self._columns = Cache[Column, int](lambda column: number[signature_of(column)], MAX_COLUMNS)
        """The number of each column's signature."""
        self._meetings = Cache(self._meetings_at if rule else lambda ranks: [], MAX_COLUMNS)

    def recur(self, lines: Sequence[str]) -> bool:
        """Return whether most shapes on some lines are known, or few are known so far."""
        shapes = [shape for line in lines for shape in line.split(" ")]
        few = len(self.shapes) < MAX_SHAPES // 2
        return few or 2 * sum(map(self.shapes.__contains__, shapes)) > len(shapes)

    def of(self, line: str) -> tuple[Signature, list[Any]]:
        """Return the signature of a line; and 0, 1, its numbers, and None for a missing axis."""
        setting, shapes = self._read(line)
        if not shapes:
            return super().of(line)
        numbers = [ZERO, ONE, *chain.from_iterable(shapes), None]
        if self.by_axis:  # the columns show the ranks
            return (setting, *map(self._columns.__getitem__, zip_longest(*shapes))), numbers
        ranks: Signature = (setting, *map(len, shapes))
        meetings, columns = self._meetings[ranks], self._columns
        if not meetings:
            return super().of(line)
        return (*ranks, *[columns[meeting(numbers)] for meeting in meetings]), numbers

    def _read(self, line: str) -> tuple[str, list[Shape]]:
        """Return the setting at the end of a line; and its shapes, none if not all are numbers."""
        words = line.split(" ")
        shapes = [*map(self.shapes.__getitem__, words)]
        setting = words[-1] if shapes[-1] is SETTING and shapes.pop() else ""
        is_known = 1 < len(shapes) <= MAX_OPERANDS and NO_NUMBERS not in shapes
        return setting, shapes if is_known and SETTING not in shapes else []

    def _meetings_at(self, ranks: tuple[Any, ...]) -> "list[itemgetter[Any]]":
        """Return the functions that pick the sizes that meet from a result of `of`.

        They are none if all sizes are compared. `ranks` begins with the line's setting, if any.
        """
        setting, *lengths = ranks
        following = count(2)
        places = [tuple(islice(following, length))[:: self._step] for length in lengths]
        ones = [",".join([ONE] * length) for length in lengths]
        try:
            layout = self._ask(" ".join([*ones, setting])).layout
        except NotationError:
            return []
        laid = [columns(places, each.places) for each in (*layout.alignments, *layout.compared)]
        meetings = dict.fromkeys(chain(*laid))
        met = {i for each in meetings if None not in each for i in each}  # where they are compared
        kept = [each for each in meetings if len({*each, None}) > 2 or not met & {*each}]
        return [itemgetter(*[-1 if i is None else i for i in each]) for each in kept]

    def with_placeholders(self, line: str) -> tuple[str, list[int]]:
        """Return a line of this signature with placeholders, and which number each stands for.

        Equal numbers that do not meet have placeholders of their own.
        """
        setting, shapes = self._read(line)
        numbers: list[Any] = [ZERO, ONE, *chain(*shapes), None]
        meetings = self._meetings[setting, *map(len, shapes)]
        if not meetings:
            return super().with_placeholders(line)
        same = [*range(len(numbers))]
        for own, other in chain(*[combinations(each(same), 2) for each in meetings]):
            if numbers[own] == numbers[other]:
                same = [same[own] if each == same[other] else each for each in same]
        others = [i for i in dict.fromkeys(same) if numbers[i] not in (ZERO, ONE, None)]
        others.sort(key=lambda i: int(numbers[i]), reverse=True)
        placeholders = {i: placeholder(number) for number, i in enumerate(others)}
        filled = iter([placeholders.get(i, numbers[i]) for i in same[2:]])
        texts = [",".join([*islice(filled, len(shape))][:: self._step]) for shape in shapes]
        return " ".join([*texts, setting]), others


def _numbers(step: int, shape: str) -> Shape:
    """Return the sizes of a shape as typed, in steps of 1 or -1, if they are all numbers."""
    if len(shape) <= MAX_LENGTH and _SIZES.fullmatch(shape):
        return tuple(shape.split(",")[::step])
    return SETTING if _SETTING.fullmatch(shape) else NO_NUMBERS


def signature_of(column: Column) -> ColumnSignature:
    """Return which sizes of a column are equal, missing, 0 or 1."""
    return tuple([size if size in (None, ZERO, ONE) else column.index(size) for size in column])
