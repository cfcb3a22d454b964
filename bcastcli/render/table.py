"""A sheet as text for a terminal: Rich lays out its tables and colors them.

No size is ever cut or wrapped: a table wider than the terminal is stacked in blocks of columns, and
prose is wrapped between words.
"""

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Literal, NamedTuple

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from bcastcli.render import Terminal, escaped
from bcastcli.render.sheet import Cell, Grid, Line, Paragraph, Part, Piece, Sheet, Tone

READABLE = 80
"""The most columns of a line of prose, however wide the terminal is."""
MIN_PROSE = 16
"""The fewest columns that prose is wrapped to."""
RULED_GAP, GAP = 3, 2
"""The spaces between two columns of a grid."""
UNLIMITED = 1 << 20
"""The columns of a pipe or a file."""

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
    **dict.fromkeys(("repeated", "ghost"), "dim"),
    **dict.fromkeys(("clash", "surplus", "differs"), "bold red"),
    **dict.fromkeys(("sign", "heading"), "bold"),
    "note": "italic",
    "depends": "bold yellow",
}
"""The looks of the parts of a picture that lack their own color."""

# Lines below the head and between the bodies, and nowhere else.
_BOX = "    \n    \n{0}\n    \n{0}\n    \n    \n    \n"
_RULES = Box(_BOX.format(" ── "))
_ASCII_RULES = Box(_BOX.format(" -- "), ascii=True)


class Block(NamedTuple):
    """Something that Rich draws, and the least width at which it cuts nothing."""

    drawn: RenderableType
    width: int = 0


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Lines of text, none of which ends with a space, in colors if the terminal shows them."""
    console = Console(
        file=StringIO(),
        width=terminal.columns or UNLIMITED,
        color_system="standard" if terminal.color else None,
        force_terminal=terminal.color,
        force_jupyter=False,
        no_color=False,
        legacy_windows=False,
    )
    labels = _label_width(sheet)
    written: list[Segment] = []
    for number, part in enumerate(sheet.parts):
        for block in _blocks(part, labels, terminal, is_first=number == 0):
            options = console.options.update(width=max(block.width, console.width))
            for line in Segment.split_lines(console.render(block.drawn, options)):
                written += [*_without_trailing_blanks(line), Segment.line()]
    console.print(Segments(written), end="", crop=False)
    return str(console.file.getvalue())  # type: ignore[attr-defined]  # it is a StringIO


def _without_trailing_blanks(line: Sequence[Segment]) -> list[Segment]:
    segments = list(line)
    while segments and not segments[-1].text.strip(" "):
        segments.pop()
    if segments:
        last = segments[-1]
        segments[-1] = Segment(last.text.rstrip(" "), last.style)
    return segments


def _label_width(sheet: Sheet) -> int:
    """The width of the widest label: all texts next to labels begin in one column."""
    labels = [part.label for part in sheet.parts if isinstance(part, Line)]
    for part in sheet.parts:
        if isinstance(part, Grid) and not part.ruled:
            labels += [row[0].text for row in part.rows]
    return max(map(_width, labels), default=0)


def _width(text: str) -> int:
    return cell_len(escaped(text))


def _longest_word(text: str) -> int:
    return max(map(_width, text.split(" ")))


def _text(cell: Cell) -> Text:
    return Text(escaped(cell.text), STYLES[cell.tone])


def _blocks(part: Part, labels: int, terminal: Terminal, *, is_first: bool) -> Iterator[Block]:
    """What Rich draws of a part."""
    columns = terminal.columns or UNLIMITED
    if isinstance(part, Line):
        text = Cell(part.text, part.tone)
        if part.label:
            yield _labelled(Cell(part.label, part.tone), text, labels)
        else:
            yield _prose(text, columns)
    elif isinstance(part, Paragraph):
        if not is_first:
            yield Block("")
        for item in part.items:
            yield _prose(Cell(item), min(columns, READABLE))
    elif isinstance(part, Grid):
        yield from _grid(part, labels, columns, has_box=terminal.has_box_characters)
    else:
        for line in part.lines(terminal.columns, boxes=terminal.has_box_characters):
            pieces = [(piece.text, _look(piece)) for piece in line]
            yield Block(Text.assemble(*pieces, no_wrap=True, overflow="ignore"))


def _look(piece: Piece) -> str:
    """How a piece of a picture looks: by its role and its operand."""
    if piece.role in ("stored", "title"):
        return f"bold {TINTS[piece.tint % len(TINTS)]}" if piece.tint >= 0 else "bold"
    return LOOKS.get(piece.role, "")


def _prose(text: Cell, columns: int) -> Block:
    """A text in lines of at most so many columns, if its words are not wider."""
    width = max(columns, _longest_word(text.text))
    return Block(Constrain(_text(text), width), width)


def _labelled(label: Cell, text: Cell, labels: int) -> Block:
    """A label, and a text next to it that is wrapped."""
    table = Table.grid(padding=(0, GAP, 0, 0))
    table.add_column(width=labels)
    table.add_column()
    table.add_row(_text(label), _text(text))
    return Block(table, labels + GAP + max(_longest_word(text.text), MIN_PROSE))


def _grid(grid: Grid, labels: int, columns: int, *, has_box: bool) -> Iterator[Block]:
    """A table; or, if it is too wide, several, each with the first columns and some of the others.

    Words in the last column are wrapped where there is room for them, and else go below their row.
    """
    gap = RULED_GAP if grid.ruled else GAP
    widths = [max(_width(cell.text) for cell in column) for column in zip(*grid.rows, strict=True)]
    if not grid.ruled:
        widths[0] = max(widths[0], labels)
    room = min(columns, READABLE) if grid.prose else columns
    last = len(widths) - 1
    before_last = sum(widths[:last]) + gap * last
    if last not in grid.sizes and before_last + widths[last] > room:
        least = max(MIN_PROSE, *(_longest_word(row[last].text) for row in grid.rows))
        if before_last + least <= room:
            widths[last] = room - before_last
        elif not grid.ruled:
            yield from _with_words_below(grid, widths)
            return
    lead = max(grid.sizes.start, 1)
    for places in _stacked(widths, lead, gap, columns):
        yield _table(grid, places, widths, has_box=has_box)


def _with_words_below(grid: Grid, widths: Sequence[int]) -> Iterator[Block]:
    """The rows of a grid without lines, the words of each wrapped next to its label."""
    for row in grid.rows:
        if grid.sizes:
            alone = Grid((), ((row,),), grid.sizes, ruled=False)
            if any(cell.text for cell in row[:-1]):
                yield _table(alone, range(len(row) - 1), widths)
            words, label = row[-1].text, Cell()
        else:
            words, label = "  ".join(cell.text for cell in row[1:] if cell.text), row[0]
        if words:
            yield _labelled(label, Cell(words, row[-1].tone), widths[0])


def _stacked(widths: Sequence[int], lead: int, gap: int, columns: int) -> Iterator[Sequence[int]]:
    """The columns of each block, which begins with the first `lead` ones of all."""
    start = sum(widths[:lead]) + gap * lead
    block, used = list(range(lead)), start
    for place in range(lead, len(widths)):
        if len(block) > lead and used + widths[place] > columns:
            yield block
            block, used = list(range(lead)), start
        block.append(place)
        used += widths[place] + gap
    yield block


def _table(
    grid: Grid, places: Sequence[int], widths: Sequence[int], *, has_box: bool = True
) -> Block:
    """Some columns of a grid, whose columns have given widths."""
    table = Table.grid(padding=(0, GAP, 0, 0))
    if grid.ruled:
        box = _RULES if has_box else _ASCII_RULES
        table = Table(box=box, show_edge=False, pad_edge=False, header_style="")
    table.show_header = bool(grid.head)
    for place in places:
        header = Text("\n").join(_text(row[place]) for row in grid.head)
        justify: Literal["left", "right"] = "right" if place in grid.sizes else "left"
        table.add_column(header, justify=justify, width=widths[place])
    for body in grid.bodies:
        for row in body:
            table.add_row(*[_text(row[place]) for place in places])
        if grid.ruled:
            table.add_section()
    return Block(table, sum(widths[place] + RULED_GAP for place in places))
