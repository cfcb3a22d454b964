"""Answers put together axis by axis, under a rule that decides each aligned axis on its own.

In a stream, shapes recur in new combinations. In plain answers and in rows, each size of the result
comes from a question about its axis alone, and the reason for a mismatch from a question with 1 on
all other axes. Each is asked once for a signature, with placeholders, and kept for each *column*.

Here axes and columns are counted backwards from the result's last one, since the last axis at fault
gives the reason.
"""

from collections.abc import Callable, Iterator, Sequence
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

MAX_PLACES = 1 << 6
MAX_REASONS = 1 << 11
"""The places for which reasons are kept, and the columns at each."""
_MISMATCH = ""
"""In place of the result's size, if the sizes do not broadcast."""

Place = tuple[Any, ...]
"""How many columns come before one; and for each that comes after it, whether its sizes broadcast:
None if they do not decide that alone. These and its sizes make the reason."""


class Columns:
    """The plain answers, or the rows, of a rule that decides axis by axis."""

    def __init__(
        self, ask: Callable[[str], Any], signatures: ShapeSignatures, write: Callable[[Any], str]
    ) -> None:
        """Take the functions that answer a line and write an answer, and the lines' signatures."""
        self._ask = ask
        self._write = write
        self._from_first = signatures.from_first
        self.verdicts: set[bool | None] = set()
        """The verdicts of the axes asked so far, from which the exit status follows."""
        self._frame = ["", ""]
        """What is before a result and after it; empty until there is one."""
        self._numbers = signatures.shapes
        self._results = _by_signature(self._result, MAX_COLUMNS)
        self._fits = Cache(self._fit, MAX_COLUMNS)
        self._reasons = Cache(self._reasons_at, MAX_PLACES)

    def answers(self, lines: Sequence[str]) -> list[str | None]:
        """Return the answer to each line, without the question that a row begins with.

        None for one that is not combined from its axes.
        """
        align = _last_first if self._from_first else zip_longest
        numbers, result = self._numbers.__getitem__, self._results.__getitem__
        fit, reasons = self._fits.__getitem__, self._reasons.__getitem__
        found: list[str | None] = []
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
                found.append(",".join(sizes[::-1]).join(self._frame))
                continue
            found.append(
                None if size is None else reasons((len(sizes), *map(fit, columns)))[column]
            )
        return found

    def _result(self, column: Column) -> str | None:
        """Return the result's size where sizes meet; None if they do not decide that alone."""
        line = self._alone(0, [size is not None for size in column], column)
        try:
            answer = self._ask(line)
        except NotationError:
            return None
        if answer.reason:
            return _MISMATCH if answer.reason.kind == "sizes" else None
        self.verdicts.add(True)
        self._frame = self._write(answer).removeprefix(f"{line}\t").split(verdict(answer))
        return verdict(answer)

    def _fit(self, column: Column) -> bool | None:
        """Return whether sizes broadcast; None if they do not decide that alone."""
        size = self._results[column]
        return None if size is None else size != _MISMATCH

    def _reasons_at(self, place: Place) -> Cache[Column, str | None]:
        """Return why sizes do not broadcast at a place, by the column there."""
        return _by_signature(partial(self._reason, place), MAX_REASONS)

    def _reason(self, place: Place, column: Column) -> str | None:
        """Return why sizes that clash do not broadcast; None if the ranks may be the reason."""
        if None in place:
            return None
        before, *fits = place
        # An operand that lacks this axis also lacks those further from where shapes are aligned.
        without = len(fits) if self._from_first else before
        ranks = [without if size is None else before + 1 + len(fits) for size in column]
        line = self._alone(before, ranks, column)
        answer = self._ask(line)
        self.verdicts.add(False)
        others = [axis for axis, fit in enumerate(reversed(fits)) if not fit]
        reason = answer.reason.text + others_clashing(list(map(answer.axis_label, others)))
        return self._write(answer).removeprefix(f"{line}\t").replace(answer.reason.text, reason)

    def _alone(self, place: int, ranks: Sequence[int], column: Column) -> str:
        """Return a line of shapes that have a column at its place, and 1 on all other axes."""
        shapes = [[ONE] * rank for rank in ranks]
        for shape, size in zip(shapes, column, strict=True):
            if size is not None:
                shape[max(ranks) - 1 - place if self._from_first else -1 - place] = size
        return " ".join([",".join(shape) or "()" for shape in shapes])


def _by_signature(find: Callable[[Column], str | None], most: int) -> Cache[Column, str | None]:
    """Return a cache of texts about columns of sizes, each found once for its signature."""

    def template_of(signature: ColumnSignature) -> Template | None:
        column = [placeholder(size) if isinstance(size, int) else size for size in signature]
        text = find(tuple(column))
        return None if text is None else template(text, range(len(column)))

    def text_of(column: Column) -> str | None:
        if NO_NUMBERS[0] in column or len(column) > MAX_OPERANDS:
            return None
        found = templates[signature_of(column)]
        return found and found.filled(column)  # type: ignore[arg-type]  # only sizes are quoted

    templates = Cache(template_of, most)
    return Cache(text_of, most)


def _last_first(*shapes: Shape) -> Iterator[Column]:
    """Return the columns of shapes that meet at their first sizes, the last column first."""
    found = [*zip_longest(*shapes)]
    # An unknown shape is marked in the first column, which is read before any reason is looked up.
    return iter(found if NO_NUMBERS in shapes else found[::-1])
