"""Answers put together axis by axis, under a rule that decides each aligned axis on its own.

In a stream, shapes recur in new combinations. Each size of a plain answer comes from a question
about its axis alone, and the reason for a mismatch from a question with 1 on all other axes. Both
answers are kept for each *column*.

Here axes and columns are counted backwards from the result's last one, since the last axis at fault
gives the reason.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from bcastcli.core.wording import others_clashing
from bcastcli.notation.text import NotationError
from bcastcli.reports import verdict
from bcastcli.stream.caches import Cache
from bcastcli.stream.signatures import (
    MAX_COLUMNS,
    MAX_OPERANDS,
    NO_NUMBERS,
    ONE,
    Column,
    ColumnSignature,
    Shape,
    ShapeSignatures,
    placeholder,
    signature_of,
)
from bcastcli.stream.templates import Template, template

MAX_REASONS = 1 << 15
_MISMATCH = ""
"""In place of the result's size, if the sizes do not broadcast."""

Place = tuple[Any, ...]
"""How many columns come before one; and for each that comes after it, whether its sizes broadcast,
= or !, and whether each operand has one, 1 or 0. These and its sizes make the reason."""


class Columns:
    """The plain answers of a rule that decides axis by axis."""

    def __init__(self, ask: Callable[[str], Any], signatures: ShapeSignatures) -> None:
        """Take the function that answers a line of shapes, and the signatures that read them."""
        self._ask = ask
        self._from_first = signatures.from_first
        self.verdicts: set[bool | None] = set()
        """The verdicts of the axes asked so far, from which the exit status follows."""
        self._numbers = signatures.shapes
        self._results = Cache(self._result, MAX_COLUMNS)
        self._kinds = Cache(self._kind, MAX_COLUMNS)
        self._reasons = Cache(self._reasons_at, MAX_COLUMNS)
        self._kept_reasons = 0
        self._result_of_signature = Cache(self._asked_result, MAX_COLUMNS)
        self._reason_of_signature = Cache(self._asked_reason, MAX_COLUMNS)

    def answers(self, lines: Sequence[str]) -> list[str | None]:
        """Return the answer to each line; None for one that is not combined from its axes."""
        align = _last_first if self._from_first else zip_longest
        numbers, result = self._numbers.__getitem__, self._results.__getitem__
        kind, reasons = self._kinds.__getitem__, self._reasons.__getitem__
        answers: list[str | None] = []
        for line in lines:
            shapes = [*map(numbers, line.split(" "))]
            sizes: list[str] = []
            columns = align(*shapes)
            for column in columns:
                size = result(column)
                if not size:
                    break
                sizes.append(size)
            else:
                answers.append(",".join(sizes[::-1]) + "\n")
                continue
            answers.append(
                None if size is None else reasons((len(sizes), *map(kind, columns)))[column]
            )
        return answers

    def _result(self, column: Column) -> str | None:
        """Return the result's size where sizes meet; None where they do not decide that alone."""
        if NO_NUMBERS[0] in column or len(column) > MAX_OPERANDS:
            return None
        found = self._result_of_signature[signature_of(column)]
        return column[found] if isinstance(found, int) else found

    def _asked_result(self, signature: ColumnSignature) -> int | str | None:
        """Return the index of the result's size in a column, or another size."""
        filled_in = _with_placeholders(signature)
        try:
            answer = self._ask(self._alone(0, [size is not None for size in filled_in], filled_in))
        except NotationError:
            return None
        if answer.reason:
            return _MISMATCH if answer.reason.kind == "sizes" else None
        self.verdicts.add(True)
        size = verdict(answer)
        return filled_in.index(size) if size in filled_in else size

    def _kind(self, column: Column) -> str:
        """Return the part of a `Place` that comes from the sizes that meet on an axis."""
        broadcasts = "=" if self._results[column] else "!"
        return "".join([broadcasts, *["01"[size is not None] for size in column]])

    def _reasons_at(self, place: Place) -> Mapping[Column, str | None]:
        """Return why sizes do not broadcast at a place, by the column there."""
        return Cache(partial(self._reason, place), MAX_COLUMNS)

    def _reason(self, place: Place, column: Column) -> str | None:
        if self._kept_reasons >= MAX_REASONS:
            self._reasons.clear()
            self._kept_reasons = 0
        self._kept_reasons += 1
        found = self._reason_of_signature[place, signature_of(column)]
        return found and found.filled(column)  # type: ignore[arg-type]  # only sizes are quoted

    def _asked_reason(self, asked: tuple[Place, ColumnSignature]) -> Template | None:
        (before, *after), signature = asked
        ranks = []
        for size, *marks in zip(signature, *[kind[1:] for kind in after], strict=True):
            has_axis = size is not None
            ranks.append(marks.count("1") + has_axis)
            if has_axis or not self._from_first:  # otherwise it lacks the axes before
                ranks[-1] += before
        answer = self._ask(self._alone(before, ranks, _with_placeholders(signature)))
        if not answer.reason or answer.reason.kind != "sizes":
            return None  # the ranks do not broadcast
        self.verdicts.add(False)
        others = [axis for axis, kind in enumerate(reversed(after)) if kind[0] == "!"]
        more = others_clashing(list(map(answer.axis_label, others)))
        return template(f"{verdict(answer)}{more}\n", range(len(signature)))

    def _alone(self, place: int, ranks: Sequence[int], column: Column) -> str:
        """Return a line of shapes that have a column at its place, and 1 on all other axes."""
        shapes = [[ONE] * rank for rank in ranks]
        for shape, size in zip(shapes, column, strict=True):
            if size is not None:
                shape[max(ranks) - 1 - place if self._from_first else -1 - place] = size
        return " ".join([",".join(shape) or "()" for shape in shapes])


def _last_first(*shapes: Shape) -> Iterator[Column]:
    """Return the columns of shapes that meet at their first sizes, the last column first."""
    found = [*zip_longest(*shapes)]
    # An unknown shape is marked in the first column, which is read before any reason is looked up.
    return iter(found if NO_NUMBERS in shapes else found[::-1])


def _with_placeholders(signature: ColumnSignature) -> Column:
    """Return a column of this signature, with placeholders."""
    return tuple([placeholder(size) if isinstance(size, int) else size for size in signature])
