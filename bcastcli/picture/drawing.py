"""Marks, and the measures of the medium that they are placed for: characters, or a slide."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from bcastcli.picture.figure import Block, Cell, Size, Step
from bcastcli.render.sheet import page_shape

BLANK, NARROW, WIDE = 0.4, 0.65, 1.0
"""The most that a character takes of the size of its type."""


class Role(StrEnum):
    """The role of a mark; the writers give it colors, weights and strokes."""

    STORED = "stored"
    REPEATED = "repeated"
    RESULT = "result"
    DIFFERS = "differs"
    SURPLUS = "surplus"
    ARROW = "arrow"
    TITLE = "title"
    SIGN = "sign"
    LABEL = "label"
    NOTE = "note"
    CLASH = "clash"
    GHOST = "ghost"
    YES = "yes"
    DEPENDS = "depends"
    HEADING = "heading"


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    role: Role
    tint: int = -1
    step: Step = Step.STORED
    cell: Cell | None = None
    """The cell that it is a part of."""
    row: int = 0
    """The row of the figure that the cell is in."""


class Text(NamedTuple):
    """A line of text; x is its start, middle or end, y the middle of its height."""

    x: float
    y: float
    text: str
    size: float
    role: Role
    tint: int = -1
    anchor: str = "start"
    step: Step = Step.STORED
    cell: Cell | None = None
    row: int = 0


class Line(NamedTuple):
    """An arrow, to the right or down."""

    x1: float
    y1: float
    x2: float
    y2: float
    role: Role = Role.ARROW
    tint: int = -1
    step: Step = Step.STRETCH


Mark = Box | Text | Line


class Drawing(NamedTuple):
    """Marks in a room that begins at 0, 0, and where the cells in it begin and end."""

    marks: list[Mark]
    width: float
    height: float
    left: float = 0
    top: float = 0
    bottom: float = 0

    @property
    def middle(self) -> float:
        """The middle of the height of its cells."""
        return (self.top + self.bottom) / 2

    def until(self, step: Step) -> "Drawing":
        """The drawing with the marks up to a step, at the same size."""
        return self._replace(marks=[mark for mark in self.marks if mark.step <= step])


def moved(marks: Iterable[Mark], dx: float, dy: float) -> list[Mark]:
    """The marks at another place."""
    return [_moved(mark, dx, dy) for mark in marks]


def _moved(mark: Mark, dx: float, dy: float) -> Mark:
    if isinstance(mark, Line):
        return mark._replace(x1=mark.x1 + dx, y1=mark.y1 + dy, x2=mark.x2 + dx, y2=mark.y2 + dy)
    return mark._replace(x=mark.x + dx, y=mark.y + dy)


def in_row(marks: Iterable[Mark], row: int) -> list[Mark]:
    """The marks, with the cells' names distinct from those of other rows."""
    return [mark._replace(row=row) if isinstance(mark, Box | Text) else mark for mark in marks]


def below(parts: Iterable[Drawing], gap: float = 0) -> Drawing:
    """Drawings below each other."""
    marks: list[Mark] = []
    width = height = 0.0
    for part in parts:
        if part.height:
            y = height + (gap if height else 0)
            marks += moved(part.marks, 0, y)
            width, height = max(width, part.width), y + part.height
    return Drawing(marks, width, height)


# Words


def ems(text: str) -> float:
    """The most that a text takes, in sizes of its type.

    >>> ems("il"), ems("WW"), ems("3 →")
    (1.3, 2.0, 2.05)
    """
    wide = sum(map(_is_wide, text))
    blank = text.count(" ")
    return round(WIDE * wide + BLANK * blank + NARROW * (len(text) - wide - blank), 2)


def _is_wide(letter: str) -> bool:
    return letter.isupper() or letter in "mw@%&" or not (letter.isascii() or letter in "·×÷−")


_WORD = re.compile(r"(?:\S+ )?\((?:\d+|[A-Z?]\w*)(?:, ?[^()]*)?\)\S*|\S*\[[^\]]*\]\S*|\S+")
"""A word; a shape with its name, such as A (4, 1), and an index are one."""


def short(name: str, most: int = 12) -> str:
    """A name in at most `most` letters, shortened in the middle.

    >>> short("attention_scores_of_the_heads"), short("mask")
    ('attent…heads', 'mask')
    """
    half = most // 2
    return name if len(name) <= most else f"{name[:half]}…{name[half + 1 - most :]}"


class Metrics(NamedTuple):
    """The measures of a medium."""

    cell: tuple[float, float]
    """From one cell to the next, across and down."""
    gap: float
    """Between neighbouring cells."""
    edge: float
    """The width that the border of the last cell adds to a block."""
    line: float
    """The height of a line of words."""
    type: float
    """The size of the type of words."""
    space: float
    """Between blocks side by side, where the sign is."""
    lane: tuple[float, float]
    """The width of an arrow that points down, and the height of one that points across."""
    sign: float
    """The size of the type of signs."""
    layer_line: float
    """The height of a line of the names of layers."""
    apart: tuple[float, float]
    """Between layers, across and down."""
    between: float
    """Between blocks or rows below each other, and below their titles."""
    numeral: float = 1
    """The size of the type in cells."""
    large: float = 1
    """The size of the type of aligned shapes."""
    on_paper: bool = False
    """Whether it has lines of any length, rather than characters."""

    def width(self, text: str, size: float = 0) -> float:
        """The width of a text, in the type of words or of another size."""
        return ems(text) * (size or self.type) if self.on_paper else len(text)

    def wrapped(self, text: str, width: float, size: float = 0) -> list[str]:
        """Lines of whole words, at most `width` wide unless a single word is wider."""
        if self.width(text, size) <= width:
            return [text]
        words: list[str] = []
        for each in _WORD.findall(text):
            words += [each] if self.width(each, size) <= width else each.split(" ")
        lines = [""]
        for word in words:
            joined = f"{lines[-1]} {word}".lstrip()
            if lines[-1] and self.width(joined, size) > width:
                lines.append(word)
            else:
                lines[-1] = joined
        return lines

    def text(
        self, x: float, y: float, text: str, role: Role = Role.LABEL, tint: int = -1, **more: Any
    ) -> Text:
        """A text in the type of words; `more` holds further fields of Text."""
        return Text(x, y, text, self.type, role, tint, **more)

    def shape(self, shape: tuple[Size, ...]) -> str:
        """A shape as the medium writes it."""
        return page_shape(shape) if self.on_paper else ",".join(map(str, shape)) or "()"

    def title(self, block: Block, room: float) -> str:
        """The name of a block, shortened to a room on paper, and its shape."""
        sizes = f"({', '.join(block.named)})" if block.named else self.shape(block.shape)
        if not self.on_paper:
            return f"{block.name} {sizes}"
        letters = (room - self.width(f" {sizes}")) / self.type / NARROW
        return f"{short(block.name, max(int(letters), 4))} {sizes}"
