"""Answers to lines of numbers, put together axis by axis.

Shapes recur in a stream, and their combinations are new. Under a rule that decides each aligned
axis on its own, the result's size there is the answer to a question of that axis alone, and the
reason for a mismatch is the answer to the question that has 1 on all other axes. So both are asked
once for each *look* of a column (which sizes are equal, missing, 0 or 1), with marks for the other
numbers, and are kept for each column.

Axes and columns are counted from the last one backwards here, as that is how they are aligned.
"""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Generic, TypeVar

from bcastcli.notation.text import NotationError
from bcastcli.stream.templates import ONE, ZERO, Cache, Template, mark, template

MAX_SHAPES = 1 << 14
MAX_COLUMNS = 1 << 15
_MISMATCH, _ALONE = "", "!"
"""In place of a size: the sizes do not broadcast; only the whole line can be asked."""

Column = tuple[str | None, ...]
"""The sizes on an axis, as typed; None where an operand has no such axis."""
Look = tuple[str | int | None, ...]
"""A column with the place of the first equal size for each other than 0 and 1."""
Answered = TypeVar("Answered")


class Columns(Generic[Answered]):
    """The answers of a rule that decides axis by axis, each one line."""

    def __init__(
        self,
        ask: Callable[[str], Answered],
        write: Callable[[Answered], str],
        reason_kind: Callable[[Answered], str | None],
    ) -> None:
        self._ask = ask
        self._write = write
        self._reason_kind = reason_kind
        self.any_mismatch = False
        """Whether the answer to a line was a mismatch."""
        self._shapes = Cache(_sizes, MAX_SHAPES)
        self._results = Cache(self._result, MAX_COLUMNS)
        self._reasons = Cache(self._reason, MAX_COLUMNS)
        self._result_of_look = Cache(self._asked_result, MAX_COLUMNS)
        self._reason_of_look = Cache(self._asked_reason, MAX_COLUMNS)

    def recur(self, lines: Sequence[str]) -> bool:
        """Return whether the shapes on lines, by a sample of them, are known or still few."""
        shapes = [shape for line in lines for shape in line.split(" ")]
        few = len(self._shapes) < MAX_SHAPES // 2
        return few or 2 * sum(map(self._shapes.__contains__, shapes)) > len(shapes)

    def answers(self, lines: Sequence[str]) -> list[str | None]:
        """Return the answer to each line; None for one that is not put together of its axes."""
        align, join = zip_longest, ",".join
        shape, result = self._shapes.__getitem__, self._results.__getitem__
        reason = self._reasons.__getitem__
        answers: list[str | None] = []
        add = answers.append
        for line in lines:
            columns = [*align(*map(shape, line.split(" ")))]
            sizes = [*map(result, columns)]
            if _MISMATCH not in sizes:
                sizes.reverse()
                text = join(sizes)
                add(None if _ALONE in text else f"{text}\n")
            elif _ALONE in sizes:
                add(None)
            else:
                place = sizes.index(_MISMATCH)
                add(reason((place, len(sizes), columns[place])))
        return answers

    def _result(self, column: Column) -> str:
        """Return the result's size where sizes meet."""
        if not all(map(_is_number, column)):
            return _ALONE
        found = self._result_of_look[_look(column)]
        return (column[found] or "") if isinstance(found, int) else found

    def _asked_result(self, look: Look) -> int | str:
        """Return which size of a column is the result's, or what else it is."""
        marked = _marked(look)
        try:
            answer = self._ask(" ".join(["()" if size is None else size for size in marked]))
        except NotationError:
            return _ALONE
        kind = self._reason_kind(answer)
        if kind is not None:
            return _MISMATCH if kind == "sizes" else _ALONE
        size = self._write(answer).rstrip("\n")
        return marked.index(size) if size in marked else size

    def _reason(self, asked: tuple[int, int, Column]) -> str:
        """Return why the sizes that meet on an axis, of so many, do not broadcast."""
        place, rank, column = asked
        return self._reason_of_look[place, rank, _look(column)].filled(column)

    def _asked_reason(self, asked: tuple[int, int, Look]) -> Template:
        self.any_mismatch = True
        place, rank, look = asked
        behind, before = (ONE,) * place, (ONE,) * (rank - 1 - place)
        shapes = [behind if size is None else (*before, size, *behind) for size in _marked(look)]
        answer = self._ask(" ".join([",".join(shape) or "()" for shape in shapes]))
        return template(self._write(answer), range(len(look)))


def _sizes(shape: str) -> tuple[str, ...]:
    """Return the sizes of a shape as typed, the last one first."""
    return tuple(shape.split(",")[::-1])


def _is_number(size: str | None) -> bool:
    """Return whether a size is missing, or a number that is typed as it is written."""
    return size is None or size == ZERO or (size.isdecimal() and size.isascii() and size[0] != ZERO)


def _look(column: Column) -> Look:
    return tuple([size if size in (None, ZERO, ONE) else column.index(size) for size in column])


def _marked(look: Look) -> list[str | None]:
    """Return a column of this look, with marks."""
    return [mark(size) if isinstance(size, int) else size for size in look]
