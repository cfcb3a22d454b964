"""Answers put together axis by axis, under a rule that decides each aligned axis on its own.

Shapes recur in a stream, and their combinations are new. In a plain answer, each size of the result
comes from a question of its axis alone; the reason for a mismatch comes from a question that has 1
on all other axes. Both are asked, and kept for each *column*.

A column with unknown sizes is asked as it is, and what it requires of them is kept beside the
result's size. Where no name stands on two axes, the line requires all that its columns do.

Axes and columns are counted from the last one backwards here, as that is how they are aligned.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from bcastcli.core import conditions
from bcastcli.core.answer import Answer
from bcastcli.core.names import automatic_names
from bcastcli.core.shapes import UNKNOWN, written
from bcastcli.notation.text import NotationError
from bcastcli.reports.answers import depending, verdict
from bcastcli.stream.looks import (
    MAX_COLUMNS,
    MAX_LENGTH,
    MAX_OPERANDS,
    MAX_SHAPES,
    NO_NUMBERS,
    Column,
    ColumnLook,
    Shape,
    is_number,
    look_of,
)
from bcastcli.stream.templates import ONE, Cache, Template, mark, template

MAX_LOOKS = 1 << 12
MAX_WITH_UNKNOWN_SIZES = 4
"""Operands of a line with unknown sizes: with more, the rule may leave what it requires open."""
_MISMATCH = ""
"""In place of the result's size: the sizes do not broadcast."""

Ranks = tuple[int, ...]


class Met(NamedTuple):
    """What a column with unknown sizes comes to."""

    size: str
    """The result's size."""
    required: list[str]
    """What must hold of the unknown sizes, all of it."""
    names: Collection[str]
    """Those of the unknown sizes that have names."""


class Columns:
    """The plain answers of a rule that decides axis by axis."""

    def __init__(self, ask: Callable[[str], Answer], numbers: Cache[str, Shape]) -> None:
        self._ask = ask
        self.verdicts: set[bool | None] = set()
        """The verdicts given so far, as far as they bear on the status of the whole."""
        self._numbers = numbers
        self._results = Cache(self._result, MAX_COLUMNS)
        self._reasons = Cache(self._reason, MAX_COLUMNS)
        self._shapes = Cache(_sizes, MAX_SHAPES)
        self._met = Cache(self._asked, MAX_LOOKS)
        self._result_of_look = Cache(self._asked_result, MAX_LOOKS)
        self._reason_of_look = Cache(self._asked_reason, MAX_LOOKS)

    def answers(self, lines: Sequence[str]) -> list[str | None]:
        """Return the answer to each line; None for one that is not put together of its axes."""
        align, join = zip_longest, ",".join
        numbers, result = self._numbers.__getitem__, self._results.__getitem__
        reason = self._reasons.__getitem__
        answers: list[str | None] = []
        add = answers.append
        for line in lines:
            shapes = [*map(numbers, line.split(" "))]
            sizes: list[str] = []
            for column in align(*shapes):
                size = result(column)
                if not size:
                    break
                sizes.append(size)
            else:
                sizes.reverse()
                add(f"{join(sizes)}\n")
                continue
            if size is None:
                add(self._with_unknown_sizes(line))
            else:
                add(reason((len(sizes), *map(len, shapes), *column)))
        if any(answers):
            self.verdicts.add(True)
        return answers

    def _result(self, column: Column) -> str | None:
        """Return the result's size where sizes meet; None where they do not decide that alone."""
        if not all(map(is_number, column)) or len(column) > MAX_OPERANDS:
            return None
        found = self._result_of_look[look_of(column)]
        return column[found] if isinstance(found, int) else found

    def _asked_result(self, look: ColumnLook) -> int | str | None:
        """Return which size of a column is the result's, or what else it is."""
        marked = _marked(look)
        try:
            answer = self._ask(_alone(0, _least_ranks(marked), marked))
        except NotationError:
            return None
        if answer.reason:
            return _MISMATCH if answer.reason.kind == "sizes" else None
        size = verdict(answer)
        return marked.index(size) if size in marked else size

    def _reason(self, asked: tuple[Any, ...]) -> str | None:
        """Return why the sizes that meet on an axis, in shapes of some ranks, do not broadcast."""
        place, *both = asked  # in one tuple, which is found sooner
        ranks, column = tuple(both[: len(both) // 2]), tuple(both[len(both) // 2 :])
        found = self._reason_of_look[place, ranks, look_of(column)]
        return found and found.filled(column)

    def _asked_reason(self, asked: tuple[int, Ranks, ColumnLook]) -> Template | None:
        place, ranks, look = asked
        answer = self._ask(_alone(place, ranks, _marked(look)))
        if not answer.reason or answer.reason.kind != "sizes":
            return None  # the ranks do not broadcast
        self.verdicts.add(False)
        return template(f"{verdict(answer)}\n", range(len(look)))

    def _with_unknown_sizes(self, line: str) -> str | None:
        """Return the answer to a line of which some sizes are not numbers, if they allow it."""
        shapes = [*map(self._shapes.__getitem__, line.split(" "))]
        if len(shapes) > MAX_WITH_UNKNOWN_SIZES:
            return None
        columns = [*zip_longest(*shapes)]
        ranks = (*map(len, shapes),)
        sizes: list[str] = []
        required: list[str] = []
        names: list[str] = []
        for place in range(len(columns) - 1, -1, -1):
            column = columns[place]
            size = self._results[column]
            if size is None:
                # A `?` goes by its place in conditions; a name is the same everywhere.
                where = (place, ranks) if UNKNOWN in column else (0, None)
                met = self._met[*where, column]
                if met is None:
                    return None
                size = met.size
                required += met.required
                names += met.names
            sizes.append(size)
        if _MISMATCH in sizes:
            place = sizes[::-1].index(_MISMATCH)
            return self._reasons[place, *ranks, *columns[place]]
        if len({*names}) < len(names):
            return None  # a name stands on two axes
        if required:
            self.verdicts.add(None)
        return f"{depending(written(sizes), conditions.together(required))}\n"

    def _asked(self, asked: tuple[int, Ranks | None, Column]) -> Met | None:
        """Return what a column comes to in shapes of some ranks, all other sizes being 1."""
        place, ranks, column = asked
        unknown = {size for size in column if not is_number(size)}
        names = {size for size in unknown if size and size.isidentifier() and size != "None"}
        if not unknown <= names | {UNKNOWN}:
            return None
        try:
            answer = self._ask(_alone(place, ranks or _least_ranks(column), column))
        except NotationError:
            return None
        usual = automatic_names([()] * len(column), answer.rule.default_names)
        if answer.result is None or [*answer.operand_names] != usual:
            return None
        size = str(answer.result[-1 - place])
        return Met(size, conditions.clauses_written(answer.condition), names)


def _sizes(shape: str) -> Shape:
    """Return the sizes of a shape as typed, the last one first, which need not be numbers."""
    is_word = shape.isidentifier()  # which is no shape
    if shape[:1] == "(" and shape[-1:] == ")" and "," in shape:
        shape = shape[1:-1].removesuffix(",")
    if len(shape) > MAX_LENGTH or is_word:
        return NO_NUMBERS
    return tuple(shape.split(",")[::-1])


def _marked(look: ColumnLook) -> Column:
    """Return a column of this look, with marks."""
    return tuple([mark(size) if isinstance(size, int) else size for size in look])


def _least_ranks(column: Column) -> Ranks:
    return tuple([0 if size is None else 1 for size in column])


def _alone(place: int, ranks: Sequence[int], column: Sequence[str | None]) -> str:
    """Return a line of shapes that have a column at its place, and 1 on all other axes."""
    shapes = [[ONE] * rank for rank in ranks]
    for shape, size in zip(shapes, column, strict=True):
        if size is not None:
            shape[-1 - place] = size
    return " ".join([_typed(",".join(shape)) for shape in shapes])


def _typed(shape: str) -> str:
    return f"({shape},)" if shape.isidentifier() else shape or "()"
