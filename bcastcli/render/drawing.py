"""A picture as lines of text."""

from itertools import zip_longest
from textwrap import wrap

from bcastcli.render import Style
from bcastcli.render.sheet import Cell, Row, Tone
from bcastcli.reports.answers import sign
from bcastcli.reports.picture import ARROW, BAR, Block, Extent, Kind, Picture, axis_name

Lines = list[Row]
Glyphs = dict[Kind, str]

IN_ASCII = {Kind.STORED: "#", Kind.REPEATED: ".", Kind.OPEN: "?"}
CELLS = {Kind.STORED: "■", Kind.REPEATED: "□"}
BARS = {Kind.STORED: "█", Kind.REPEATED: "░", Kind.OPEN: "?"}
TONES = {Kind.STORED: Tone.PLAIN, Kind.REPEATED: Tone.GHOST, Kind.OPEN: Tone.DEPENDS}
GAP = 3
LINE = 80
"""The room that there is where it is not a terminal."""
ASCII = str.maketrans({ARROW: "->", "∘": "o"})
"""What stands for the characters that a terminal may lack."""


def drawn(picture: Picture, style: Style) -> Lines:
    """The picture, with as many blocks side by side as there is room for.

    Where it is wider than the terminal even so, its last line says it.
    """
    glyphs = (CELLS if picture.by_cell else BARS) if style.boxes else IN_ASCII
    edge = _edge(picture)
    lines: Lines = []
    row: list[Lines] = []
    for before, block in picture.blocks:
        column = _column(picture, before, block, glyphs)
        if row and _width(_beside([edge, *row, column])) > (style.columns or LINE):
            lines += _beside([edge, *row])
            row = []
        row.append(column)
    lines += _beside([edge, *row])
    width = _width(lines)
    said = [Cell(f"{glyphs[kind]} {kind.value}", TONES[kind]) for kind in picture.kinds]
    said += map(Cell, picture.words)
    if style.columns is not None and width > style.columns:
        text = f"the picture is {width} columns wide, and the terminal {style.columns}"
        said.append(Cell(text, Tone.NOTE))
    for text, tone in said:
        lines += ((Cell(line, tone),) for line in wrap(text, style.columns or len(text)))
    return lines


def _edge(picture: Picture) -> Lines:
    """What stands left of the blocks: the names of the layers, or of the axes with their signs."""
    if not picture.by_cell:
        widest = max((len(axis_name(axis)) for axis in picture.axes), default=0)
        names = ((Cell(f"{axis_name(axis):<{widest}}  "), sign(axis)) for axis in picture.axes)
        return [(), *names] if picture.axes else []
    lines: Lines = []
    for name in picture.layer_names:
        lines += [(), (Cell(name),), *[()] * (len(picture.result.layers[0]) - 1)]
    return lines


def _column(picture: Picture, before: str, block: Block, glyphs: Glyphs) -> Lines:
    """A block below its title."""
    title = (Cell(f"{before:1} "), Cell(block.title))
    lines: Lines = [title]
    if picture.by_cell:
        for layer in block.layers:
            lines += [*([()] if len(lines) > 1 else []), *(_cells(row, glyphs) for row in layer)]
    else:
        lines += (_bar(extent, glyphs) for extent in block.extents)
    if glyphs is not IN_ASCII:
        return lines
    return [tuple(Cell(cell.text.translate(ASCII), cell.tone) for cell in line) for line in lines]


def _cells(row: list[bool], glyphs: Glyphs) -> Row:
    kinds = [Kind.STORED if stored else Kind.REPEATED for stored in row]
    return (Cell(" "), *(Cell(f" {glyphs[kind]}", TONES[kind]) for kind in kinds))


def _bar(extent: Extent, glyphs: Glyphs) -> Row:
    amounts = zip(Kind, (extent.stored, extent.repeated, extent.open), strict=True)
    parts = [Cell(glyphs[kind] * amount, TONES[kind]) for kind, amount in amounts]
    return (Cell("  "), *parts, Cell(f"{' ' * (BAR - extent.length)} {extent.size}".rstrip()))


def _beside(columns: list[Lines]) -> Lines:
    """Columns of lines side by side."""
    columns = [column for column in columns if column]
    widths = [_width(column) + GAP for column in columns]
    return [_joined(parts, widths) for parts in zip_longest(*columns, fillvalue=())]


def _joined(parts: tuple[Row, ...], widths: list[int]) -> Row:
    padded = (
        (*part, Cell(" " * (width - _width([part]))))
        for part, width in zip(parts, widths, strict=True)
    )
    line = [cell for part in padded for cell in part]
    while line and line[-1].text.isspace():
        line.pop()
    return tuple(line)


def _width(lines: Lines) -> int:
    """How many columns lines take."""
    return max((sum(len(cell.text) for cell in line) for line in lines), default=0)
