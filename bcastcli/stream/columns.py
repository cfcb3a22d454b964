"""Answers put together axis by axis, under a rule that decides each aligned axis on its own.

Shapes recur in a stream, and their combinations are new. In a plain answer, each size of the result
comes from a question of its axis alone; the reason for a mismatch comes from a question that has 1
on all other axes. Both are asked, and kept for each *column*.

Axes and columns are counted from the result's last one backwards here, since the last one at fault
gives the reason.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from bcastcli.core.answer import Answer
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
    placeholder,
    signature_of,
)
from bcastcli.stream.templates import Template, template

MAX_SIGNATURES = 1 << 12
_MISMATCH = ""
"""In place of the result's size: the sizes do not broadcast."""

Ranks = tuple[int, ...]


class Columns:
    """The plain answers of a rule that decides axis by axis."""

    def __init__(
        self, ask: Callable[[str], Answer], numbers: Cache[str, Shape], *, from_first: bool
    ) -> None:
        """`from_first` tells whether the first axes are aligned, and come first in `numbers`."""
        self._ask = ask
        self._from_first = from_first
        self.verdicts: set[bool | None] = set()
        """The verdicts of the axes asked so far, from which the exit status follows."""
        self._numbers = numbers
        self._results = Cache(self._result, MAX_COLUMNS)
        self._reasons = Cache(self._reason, MAX_COLUMNS)
        self._result_of_signature = Cache(self._asked_result, MAX_SIGNATURES)
        self._reason_of_signature = Cache(self._asked_reason, MAX_SIGNATURES)

    def answers(self, lines: Sequence[str]) -> list[str | None]:
        """Return the answer to each line; None for one that is not combined from its axes."""
        align = _last_first if self._from_first else zip_longest
        join = ",".join
        numbers, result = self._numbers.__getitem__, self._results.__getitem__
        reason = self._reasons.__getitem__
        answers: list[str | None] = []
        add = answers.append
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
                sizes.reverse()
                add(f"{join(sizes)}\n")
                continue
            others = [size] if size is None else [*map(result, columns)]  # what is left
            if None in others:
                add(None)
                continue
            text = reason((len(sizes), *map(len, shapes), *column))
            if text and _MISMATCH in others:
                clashing = tuple([not each for each in others])
                text = f"{text[:-1]}{_others(len(sizes), max(map(len, shapes)), clashing)}\n"
            add(text)
        return answers

    def _result(self, column: Column) -> str | None:
        """Return the result's size where sizes meet; None where they do not decide that alone."""
        if NO_NUMBERS[0] in column or len(column) > MAX_OPERANDS:
            return None
        found = self._result_of_signature[signature_of(column)]
        return column[found] if isinstance(found, int) else found

    def _asked_result(self, signature: ColumnSignature) -> int | str | None:
        """Return the index of the result's size in a column, or a size that is none of them."""
        filled_in = _with_placeholders(signature)
        try:
            answer = self._ask(self._alone(0, _least_ranks(filled_in), filled_in))
        except NotationError:
            return None
        if answer.reason:
            return _MISMATCH if answer.reason.kind == "sizes" else None
        self.verdicts.add(True)
        size = verdict(answer)
        return filled_in.index(size) if size in filled_in else size

    def _reason(self, asked: tuple[Any, ...]) -> str | None:
        """Return why the sizes that meet on an axis, in shapes of some ranks, do not broadcast."""
        place, *both = asked  # in one tuple, which is found sooner
        ranks, column = tuple(both[: len(both) // 2]), tuple(both[len(both) // 2 :])
        found = self._reason_of_signature[place, ranks, signature_of(column)]
        return found and found.filled(column)

    def _asked_reason(self, asked: tuple[int, Ranks, ColumnSignature]) -> Template | None:
        place, ranks, signature = asked
        answer = self._ask(self._alone(place, ranks, _with_placeholders(signature)))
        if not answer.reason or answer.reason.kind != "sizes":
            return None  # the ranks do not broadcast
        self.verdicts.add(False)
        return template(f"{verdict(answer)}\n", range(len(signature)))

    def _alone(self, place: int, ranks: Ranks, column: Column) -> str:
        """Return a line of shapes that have a column at its place, and 1 on all other axes."""
        shapes = [[ONE] * rank for rank in ranks]
        for shape, size in zip(shapes, column, strict=True):
            if size is not None:
                shape[max(ranks) - 1 - place if self._from_first else -1 - place] = size
        return " ".join([",".join(shape) or "()" for shape in shapes])


@lru_cache(maxsize=1 << 10)
def _others(place: int, rank: int, clashing: tuple[bool, ...]) -> str:
    """Return the end of a reason, which names the axes before its place that clash as well."""
    numbers = [place + 1 + i for i, clashes in enumerate(clashing) if clashes]
    return others_clashing([f"axis {rank - 1 - each} ({-1 - each})" for each in reversed(numbers)])


def _last_first(*shapes: Shape) -> Iterator[Column]:
    """Return the columns of shapes whose first sizes meet, the last column first."""
    found = [*zip_longest(*shapes)]
    # A shape that is not known is in the first column, which has to come before any reason.
    return iter(found if NO_NUMBERS in shapes else found[::-1])


def _with_placeholders(signature: ColumnSignature) -> Column:
    """Return a column of this signature, with placeholders."""
    return tuple([placeholder(size) if isinstance(size, int) else size for size in signature])


def _least_ranks(column: Column) -> Ranks:
    return tuple([0 if size is None else 1 for size in column])
