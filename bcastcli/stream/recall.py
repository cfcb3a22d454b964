"""Answers put together from axes that were decided before.

In a stream, shapes recur and their combinations are new. Under a rule that decides axis by axis, a
question of numbers whose columns have all been met needs no new decision: its answer is made of
theirs. All that is here is learned from answers that the rule has given; nothing is decided.

Axes and columns are counted from the last one backwards here, as that is how they are aligned.
"""

from collections.abc import Sequence
from itertools import zip_longest

from bcastcli.core.answer import ALL_STRETCH, Answer, Reason, Rule
from bcastcli.core.shapes import SCALAR, written
from bcastcli.render import Format

MAX_REMEMBERED = 1 << 14
"""A memory that has so many entries takes no more, so that it does not grow with the stream."""
_MAX_OPERANDS = 8
_MAX_SHAPE_LENGTH = 40

_CLASH = ""
_Column = tuple[str | None, ...]
_Place = tuple[int, int, _Column]
"""An axis, the rank of the result, and the sizes there."""


class _Shapes(dict[str, tuple[str, ...]]):
    """Operands to their sizes, as typed."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        sizes = tuple(token.split(",")[::-1])
        if len(self) < MAX_REMEMBERED and len(token) <= _MAX_SHAPE_LENGTH:
            self[token] = sizes
        return sizes


class Memory:
    """What the answers of one rule have shown, for lines of format plain."""

    def __init__(self) -> None:
        self._shapes = _Shapes({SCALAR: ()})
        self._sizes: dict[_Column, str] = {}
        self._clashes: dict[_Place, str] = {}

    def answers(self, lines: Sequence[str]) -> list[str | None]:
        """For each line its answer; None where a part of it is not known."""
        align, join = zip_longest, ",".join
        shape, size, clash = self._shapes.__getitem__, self._sizes.__getitem__, self._clashes.get
        answers: list[str | None] = []
        add = answers.append
        for line in lines:
            try:
                columns = [*align(*map(shape, line.split(" ")))]
                sizes = [*map(size, columns)]
            except KeyError:
                add(None)
                continue
            if _CLASH in sizes:
                place = sizes.index(_CLASH)
                add(clash((place, len(sizes), columns[place])))
            else:
                sizes.reverse()
                # Scalars alone have no columns by which to know that there may be so many.
                add(f"{join(sizes)}\n" if sizes else None)
        return answers

    def learn(self, line: str, answer: Answer, text: str) -> None:
        """Remember what the answer to the question on a line, and its text, say of its columns."""
        if len(answer.shapes) > _MAX_OPERANDS or self._entries() >= MAX_REMEMBERED:
            return
        # Only what is typed as it is written is learned, so that what is recalled can be read.
        is_plain = line == " ".join(map(written, answer.shapes)) and not answer.unknown_sizes
        is_local = answer.reason is None or answer.reason.kind == "sizes"
        if is_plain and is_local:
            columns = [*zip_longest(*map(self._shapes.__getitem__, line.split(" ")))]
            self._learn(line, columns, answer, text)

    def _entries(self) -> int:
        """How much is remembered, shapes aside."""
        return max(len(self._sizes), len(self._clashes))

    def _learn(self, line: str, columns: list[_Column], answer: Answer, text: str) -> None:
        for column, size in zip(columns, reversed(answer.decided), strict=True):
            self._sizes[column] = _CLASH if size is None else str(size)
        if answer.reason is not None:
            sizes = [self._sizes[column] for column in columns]
            self._clashes[_clash(columns, sizes)] = text


class JsonMemory(Memory):
    """What the answers of one rule without options have shown, for lines of format json."""

    def __init__(self, rule: Rule) -> None:
        super().__init__()
        from bcastcli.render import json  # only where it is asked for: it takes a while
        from bcastcli.reports import records

        self._line = json.line
        self._records = records
        self._rule = rule
        self._operands: dict[tuple[int, str], str] = {}
        self._axes: dict[_Place, str] = {}
        self._stretched: dict[_Place, frozenset[int]] = {}
        self._reasons: dict[_Place, Reason] = {}

    def answers(self, lines: Sequence[str]) -> list[str | None]:
        """For each line its answer; None where a part of it is not known."""
        return [self._answer(line) for line in lines]

    def _answer(self, line: str) -> str | None:
        tokens = line.split(" ")
        columns = [*zip_longest(*map(self._shapes.__getitem__, tokens))]
        rank = len(columns)
        if not columns:
            return None
        try:
            sizes = [*map(self._sizes.__getitem__, columns)]
            reason = self._reasons[_clash(columns, sizes)] if _CLASH in sizes else None
            operands = [*map(self._operands.__getitem__, enumerate(tokens))]
            places = [(place, rank, column) for place, column in enumerate(columns)]
            axes = [*map(self._axes.__getitem__, places)]
        except KeyError:
            return None
        result = None if reason else [*map(int, reversed(sizes))]
        verdict = self._records.verdict({}, reason is None, result, None, reason)
        notes = []
        if reason is None and len(tokens) > 1:
            stretched = set().union(*map(self._stretched.__getitem__, places))
            notes = [ALL_STRETCH] if len(stretched) == len(tokens) else []
        record = self._records.assembled(self._rule, operands, verdict, reversed(axes), notes)
        return self._line(record)

    def _entries(self) -> int:
        return max(len(self._operands), len(self._axes))

    def _learn(self, line: str, columns: list[_Column], answer: Answer, text: str) -> None:
        if set(answer.notes) - {ALL_STRETCH}:
            return
        super()._learn(line, columns, answer, text)
        places = [(place, len(columns), column) for place, column in enumerate(columns)]
        axes = (answer.axes or ())[::-1]
        self._axes.update(zip(places, map(self._records.axis_text, axes), strict=True))
        number = {name: number for number, name in enumerate(answer.operand_names)}
        stretched = (frozenset(map(number.__getitem__, axis.stretched)) for axis in axes)
        self._stretched.update(zip(places, stretched, strict=True))
        operands = map(self._records.operand_text, answer.operands)
        self._operands.update(zip(enumerate(line.split(" ")), operands, strict=True))
        if answer.reason is not None:
            sizes = [self._sizes[column] for column in columns]
            self._reasons[_clash(columns, sizes)] = answer.reason


def _clash(columns: Sequence[_Column], sizes: Sequence[str]) -> _Place:
    """The last axis on which sizes clash, which is the one that a reason names."""
    place = sizes.index(_CLASH)
    return place, len(columns), columns[place]


def memory_for(rule: Rule, output: Format) -> Memory | None:
    """A memory for the answers of a rule in a format; None where answers are not made of axes."""
    if rule.axis_by_axis and output is Format.PLAIN:
        return Memory()
    if rule.axis_by_axis and output is Format.JSON:
        return JsonMemory(rule)
    return None
