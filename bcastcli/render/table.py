"""A sheet as text for a terminal: the table.

Sizes are never split, so a line of sizes may be wider than the terminal. Prose is wrapped between
words, and the lines after the first one are indented.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import TypeAlias

from bcastcli.render import Terminal
from bcastcli.render.sheet import (
    Cell,
    Grid,
    Line,
    Paragraph,
    Part,
    Piece,
    Row,
    Sheet,
    Tone,
    label_width,
    size_widths,
    text_without_bracket,
)
from bcastcli.render.user_text import escaped

Written: TypeAlias = Cell | Piece
"""A part of a line: a cell's text, or a piece of a figure."""
READABLE = 80
"""The most columns of a line of prose, however wide the terminal is."""
MIN_PROSE = 16
"""The fewest columns that prose is wrapped to."""
RULED_GAP, GAP = 3, 2
"""The spaces between two columns of a grid."""
INDENT = 2
STYLES = {
    Tone.PLAIN: "",
    Tone.GHOST: "dim",
    Tone.EQUAL: "dim",
    Tone.STRETCH: "cyan",
    Tone.CLASH: "bold red",
    Tone.DEPENDS: "yellow",
    Tone.NOTE: "italic",
    Tone.YES: "bold green",
    Tone.NO: "bold red",
    Tone.CONDITION: "bold yellow",
}
TINTS = ("cyan", "yellow", "green", "magenta")
"""The colors of operands in a picture."""
LOOKS = {
    **dict.fromkeys(("repeated", "outline", "ghost"), "dim"),
    **dict.fromkeys(("clash", "surplus", "differs"), "bold red"),
    **dict.fromkeys(("sign", "heading"), "bold"),
    "note": "italic",
    "depends": "bold yellow",
}
"""The looks of the parts of a picture that lack their own color."""
_WORDS = ("", "bold", "dim", "italic", *[""] * 27, "red", "green", "yellow", "", "magenta", "cyan")
"""The words of looks, each at the index of its number in escape sequences."""


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return a sheet as lines of text, in colors if the terminal shows them."""
    written = lines(sheet, terminal)
    if not terminal.color:
        return "".join("".join([piece.text for piece in line]) + "\n" for line in written)
    return "".join(
        "".join([_paint(piece.text, _look(piece)) for piece in line]) + "\n" for line in written
    )


def _paint(text: str, look: str) -> str:
    """Return a text in the colors of a look, as every terminal knows them."""
    codes = ";".join(str(_WORDS.index(word)) for word in look.split())
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text


def _look(piece: Written) -> str:
    """Return how a piece of text looks: by its tone; in a figure by its role and its operand."""
    if isinstance(piece, Cell):
        return STYLES[piece.tone]
    role, tint = piece.role, piece.tint
    if role in ("stored", "title", "slot"):
        return f"bold {TINTS[tint % len(TINTS)]}" if tint >= 0 else "bold"
    return LOOKS.get(role, "")


def lines(sheet: Sheet, terminal: Terminal) -> Iterator[Sequence[Written]]:
    """Yield the lines of a sheet, without trailing spaces or unprintable characters."""
    sheet = sheet._replace(parts=tuple(map(_printable, sheet.parts)))
    labels = label_width(sheet)
    for part in wrap_prose(sheet, min(terminal.columns or READABLE, READABLE)).parts:
        if isinstance(part, Line):
            yield from _labelled(
                Cell(part.label, part.tone), (Cell(part.text, part.tone),), labels, terminal
            )
        elif isinstance(part, Grid):
            rows = _ruled(part, terminal) if part.ruled else _unruled(part, labels, terminal)
            yield from map(_stripped, rows)
        elif not isinstance(part, Paragraph):
            drawn = part.lines(terminal.columns, boxes=terminal.has_box_characters)
            yield from map(_stripped, drawn)


def _printable(part: Part) -> Part:
    """Return a part with unprintable characters escaped; names in a figure are always printable."""
    if isinstance(part, Line):
        return part._replace(label=escaped(part.label), text=escaped(part.text))
    if isinstance(part, Paragraph):
        return Paragraph(tuple(map(escaped, part.items)))
    if isinstance(part, Grid):
        head, *bodies = (
            tuple(tuple(cell._replace(text=escaped(cell.text)) for cell in row) for row in rows)
            for rows in (part.head, *part.bodies)
        )
        return part._replace(head=head, bodies=tuple(bodies))
    return part


def wrap_prose(sheet: Sheet, width: int) -> Sheet:
    """Return a sheet with its prose in lines no longer than a width."""
    room = max(width - label_width(sheet) - GAP, MIN_PROSE)
    parts: list[Part] = []
    for part in sheet.parts:
        if isinstance(part, Paragraph):
            parts += [Line("", "")] if parts else []
            rows = chain(*(wrapped([Cell(item)], width, part.hanging) for item in part.items))
            parts += (Line("", text_of(row)) for row in rows)
        elif isinstance(part, Grid) and part.prose:
            bodies = (tuple(chain(*(_in_rows(row, room) for row in body))) for body in part.bodies)
            parts.append(part._replace(bodies=tuple(bodies), prose=False))
        else:
            parts.append(part)
    return sheet._replace(parts=tuple(parts))


def wrapped(cells: Iterable[Cell], width: int, indent: int = 0) -> list[Row]:
    """Return the words of cells in lines, each after the first one indented.

    >>> [text_of(line) for line in wrapped([Cell("one two three")], 9, 2)]
    ['one two', '  three']
    """
    rows: list[list[Cell]] = [[]]
    used = 0
    for cell in cells:
        gap = " " * GAP if used > 0 else ""
        for word in cell.text.split(" "):
            if used and used + len(gap) + len(word) > width:
                rows.append([Cell(" " * indent)])
                used, gap = indent, ""
            rows[-1].append(cell._replace(text=gap + word))
            used += len(gap + word)
            gap = " "
    return list(map(tuple, rows))


def text_of(row: Sequence[Written]) -> str:
    """Return the text of a row's cells."""
    return "".join(cell.text for cell in row)


def _labelled(
    label: Cell, texts: Sequence[Cell], labels: int, terminal: Terminal
) -> Iterator[Sequence[Written]]:
    """Yield a label and the texts next to it, wrapped on a narrow terminal."""
    indent = labels + GAP if label.text else 0
    first = (label, Cell(" " * (indent - len(label.text))))
    if terminal.columns is None:
        yield _stripped((*first, *texts))
        return
    room = max(terminal.columns - indent, MIN_PROSE)
    # Lines that continue one without a label are indented too.
    for number, row in enumerate(wrapped(texts, room, 0 if indent else INDENT)):
        yield _stripped((*first, *row) if number == 0 else (Cell(" " * indent), *row))


def _in_rows(row: Row, room: int) -> Iterator[Row]:
    """Yield a row whose last cell takes as many rows as its words need."""
    *before, last = row
    for number, line in enumerate(wrapped([last], room)):
        blank = (Cell(),) * len(before)
        yield (*(blank if number else before), Cell(text_of(line), last.tone))


def _ruled(grid: Grid, terminal: Terminal) -> Iterator[Row]:
    """Yield the rows, with rules between the parts."""
    widths = _widths(grid)
    ends = [end - RULED_GAP for end in accumulate(width + RULED_GAP for width in widths)]
    columns = ends[-1] if terminal.columns is None else terminal.columns
    fitting = len(widths)
    if not grid.sizes:
        # Words that do not fit side by side go below each other.
        fitting = max(1, sum(end <= columns for end in ends))
    rule = Cell(("─" if terminal.has_box_characters else "-") * min(ends[fitting - 1], columns))
    for number, body in enumerate((grid.head, *grid.bodies)):
        if number:
            yield (rule,)
        for row in body:
            yield _row(row[:fitting], grid, widths, RULED_GAP)
            rest = [cell for cell in row[fitting:] if cell.text]
            if rest:
                room = max(columns - INDENT, MIN_PROSE)
                yield from ((Cell(" " * INDENT), *line) for line in wrapped(rest, room))


def _unruled(grid: Grid, labels: int, terminal: Terminal) -> Iterator[Sequence[Written]]:
    """Yield the rows, the first column as wide as all labels of the sheet."""
    first, *more = _widths(grid)
    widths = [max(first, labels), *more]
    start = sum(widths[:-1]) + GAP * len(more)
    for row in grid.rows:
        whole = _row(row, grid, widths, GAP)
        columns = terminal.columns or _length(whole)
        if _length(whole) <= columns or len(more) in grid.sizes:
            yield whole
        elif columns - start >= MIN_PROSE:
            yield from (_row(each, grid, widths, GAP) for each in _in_rows(row, columns - start))
        elif grid.sizes:
            if any(cell.text for cell in row[:-1]):
                yield _row(row[:-1], grid, widths, GAP)
            yield from _labelled(Cell(" "), row[-1:], widths[0], terminal)
        else:
            yield from _labelled(row[0], row[1:], widths[0], terminal)


def _widths(grid: Grid) -> list[int]:
    """Return the widths of the columns; one of sizes has room for the closing bracket of a (1)."""
    sizes = size_widths(grid)
    return [
        sizes[place] + 1 if place in sizes else max(len(cell.text) for cell in column)
        for place, column in enumerate(zip(*grid.rows, strict=True))
    ]


def _row(row: Row, grid: Grid, widths: Sequence[int], gap: int) -> Row:
    """Return a row's cells with the spaces that align them."""
    cells: list[Cell] = []
    for place, (cell, width) in enumerate(zip(row, widths, strict=False)):
        # The closing bracket of a (1) sticks out, so that the 1 is below the other sizes.
        before = width - 1 - len(text_without_bracket(cell)) if place in grid.sizes else 0
        after = width - before - len(cell.text) + gap
        cells += (Cell(" " * before), cell, Cell(" " * after))
    return tuple(cells)


def _length(row: Row) -> int:
    return len(text_of(_stripped(row)))


def _stripped(pieces: Sequence[Written]) -> Sequence[Written]:
    """Return a line without the blank cells at its end; no other text ends with a space."""
    cells = list(pieces)
    while cells and not cells[-1].text.strip(" "):
        cells.pop()
    return cells
