"""Marks as lines of characters: boxes drawn with lines, dashed where nothing is stored."""

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import inf
from typing import NamedTuple

from bcastcli.picture.figure import Figure, Size, Step, without_numbers
from bcastcli.picture.layout import arrange, arrangements, captions
from bcastcli.picture.marks import Box, Cross, Drawing, Line, Mark, Role, Text
from bcastcli.picture.metrics import Metrics, Placed
from bcastcli.render import size
from bcastcli.render.sheet import Piece

BELOW = 4
"""The lines of a terminal that are reserved for the text after a picture."""
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""The characters of lines by the arms that they have."""
_DASHED = {_UP | _DOWN: "┊", _LEFT | _RIGHT: "╌"}
_ASCII = str.maketrans("╵╷│╴╶─┘┐┤└┌├┴┬┼╔╗╚╝═║┊╌×÷−…╳■□▫▣→↓", "|||---+++++++++******:.*/-~X#.o!>v")
_SOLID = {Role.STORED, Role.SIZE, Role.OUTLINE, Role.RESULT, Role.DIFFERS, Role.SURPLUS}


class Picture(NamedTuple):
    """A figure as a part of a sheet."""

    figure: Figure
    until: Step = Step.RESULT
    """The last step that is shown; its place is that in the whole picture."""

    def lines(self, columns: int | None, *, boxes: bool) -> Sequence[Sequence[Piece]]:
        """Return its lines, as wide as the terminal allows."""
        rows = size(sys.stdout).lines if columns else 0
        return drawn(
            self.figure, columns, rows - BELOW if rows else None, boxes=boxes, until=self.until
        )


def _written(shape: Sequence[Size]) -> str:
    return ",".join(map(str, shape)) or "()"


def metrics(figure: Figure, *, glyphs: bool = False) -> Metrics:
    """Return the measures of a figure in characters: cells as wide as the longest number."""
    has_cells = any(block.layers for block in figure.blocks)
    is_small = not figure.alignment and (glyphs or not figure.longest)
    wide = figure.longest + 3 if has_cells and not is_small else 2
    return Metrics(
        cell=(wide, 1 if glyphs or is_small else 2),
        gap=1 if glyphs and not is_small else 0,
        edge=0 if is_small else 1,
        line=1,
        type=1,
        space=5,
        lane=(3, 1),
        measure=lambda text, role: len(text),
        shape=_written,
        on_paper=False,
        glyphs=is_small,
    )


def drawn(
    figure: Figure,
    columns: int | None,
    rows: int | None = None,
    *,
    boxes: bool = True,
    until: Step = Step.RESULT,
) -> list[list[Piece]]:
    """Return the picture's lines, as wide and as high as the terminal allows; else its words.

    Blocks are below each other if they do not fit side by side, and cells lose their numbers, and
    boxes the lines between them, where there is no room for these.
    """
    room = columns or 80
    drawing, measures = _fitting(figure, room, rows)
    below = captions(figure, measures, max(room, 20))
    lines = [*_lines(drawing.until(until), boxes), *_lines(below.until(until), boxes)]
    widest = max((sum(len(piece.text) for piece in line) for line in lines), default=0)
    if columns is None or widest <= columns:
        return lines
    said = f"no picture: it needs {widest} columns, and the terminal has {columns}"
    words = figure._replace(rows=(), legend=False, captions=(said,))
    return _lines(captions(words, measures, max(room, 20)).until(until), boxes)


def _fitting(figure: Figure, room: int, rows: int | None) -> tuple[Drawing, Metrics]:
    """Return the drawing with the fewest lines of those that fit, else the narrowest."""
    tried: list[tuple[Placed, Metrics]] = []
    for glyphs in (False, True):
        figure = without_numbers(figure) if glyphs else figure
        measures = metrics(figure, glyphs=glyphs)
        ways = [arrange(figure, measures, way) for way in arrangements(figure)]
        below = captions(figure, measures, max(room, 20)).height
        most = inf if glyphs or rows is None else rows - below
        fitting = [placed for placed in ways if placed.width <= room and placed.height <= most]
        if fitting:
            return min(fitting, key=lambda placed: placed.height).drawing, measures
        tried += ((placed, measures) for placed in ways)
    narrowest, measures = min(tried, key=lambda each: each[0].width)
    return narrowest.drawing, measures


def _lines(drawing: Drawing, boxes: bool) -> list[list[Piece]]:
    canvas = _Canvas()
    # Solid lines go over dashed ones where cells share them.
    for mark in sorted(drawing.marks, key=_order):
        canvas.draw(mark)
    crosses = (int(mark.y) + 1 for mark in drawing.marks if isinstance(mark, Cross))
    height = max(int(drawing.height + 0.5), *crosses, 0)  # one may be below all blocks
    return [list(canvas.line(row, boxes)) for row in range(height)]


def _order(mark: Mark) -> int:
    if isinstance(mark, Box):
        return 2 if mark.role is Role.SURPLUS else 1 if mark.role in _SOLID else 0
    return 3


class _Canvas:
    """Characters by their places."""

    def __init__(self) -> None:
        self.arms: dict[tuple[int, int], int] = {}
        self.solid: dict[tuple[int, int], int] = {}
        self.texts: dict[tuple[int, int], str] = {}
        self.roles: dict[tuple[int, int], tuple[Role, int]] = {}

    def draw(self, mark: Mark) -> None:
        if isinstance(mark, Text):
            self._text(mark)
        elif isinstance(mark, Box):
            self._box(mark)
        elif isinstance(mark, Line):
            self._line(mark)
        elif isinstance(mark, Cross):
            self._put(int(mark.x + 0.5), int(mark.y), "╳", Role.CLASH, -1)

    def _text(self, mark: Text) -> None:
        width = len(mark.text)
        start = mark.x - {"start": 0, "middle": width / 2, "end": width}[mark.anchor]
        for place, letter in enumerate(mark.text, int(start + 0.5)):
            self._put(place, int(mark.y), letter, mark.role, mark.tint)

    def _put(self, x: int, y: int, letter: str, role: Role, tint: int) -> None:
        self.texts[x, y] = letter
        self.roles[x, y] = role, tint

    def _box(self, mark: Box) -> None:
        left, top = int(mark.x), int(mark.y)
        right, bottom = left + int(mark.width), top + int(mark.height)
        if mark.role is Role.SURPLUS:
            self._boxed(left, top, right, bottom)
            return
        if top == bottom:  # on a line there is only room for its ends
            for x in (left, right):
                self._stroke(x, top, _UP | _DOWN, mark)
            return
        for x in range(left, right + 1):
            arms = (_LEFT if x > left else 0) | (_RIGHT if x < right else 0)
            self._stroke(x, top, arms | (_DOWN if x in (left, right) else 0), mark)
            self._stroke(x, bottom, arms | (_UP if x in (left, right) else 0), mark)
        for y in range(top + 1, bottom):
            self._stroke(left, y, _UP | _DOWN, mark)
            self._stroke(right, y, _UP | _DOWN, mark)

    def _boxed(self, left: int, top: int, right: int, bottom: int) -> None:
        """Draw a box of double lines, which stands out without its color too."""
        for x in range(left, right + 1) if top < bottom else ():
            ends = "╔╚" if x == left else "╗╝" if x == right else "══"
            for y, letter in zip((top, bottom), ends, strict=True):
                self._put(x, y, letter, Role.SURPLUS, -1)
        for y in range(top + 1, bottom) or [top]:
            for x in (left, right):
                self._put(x, y, "║", Role.SURPLUS, -1)

    def _stroke(self, x: int, y: int, arms: int, mark: Box) -> None:
        place = x, y
        self.arms[place] = self.arms.get(place, 0) | arms
        if mark.role in _SOLID:
            self.solid[place] = self.solid.get(place, 0) | arms
        self.roles[place] = mark.role, mark.tint

    def _line(self, mark: Line) -> None:
        if mark.y1 == mark.y2:
            start, end, y = int(mark.x1), int(mark.x2), int(mark.y1)
            for x in range(start, end):
                self._put(x, y, "─", mark.role, mark.tint)
            self._put(end, y, "→", mark.role, mark.tint)
        else:
            start, end, x = int(mark.y1), int(mark.y2) - 1, int(mark.x1)
            for y in range(start, end):
                self._put(x, y, "│", mark.role, mark.tint)
            self._put(x, end, "↓", mark.role, mark.tint)

    @cached_property
    def _places_by_row(self) -> dict[int, set[int]]:
        """The columns that have characters on each line, once all is drawn."""
        rows: dict[int, set[int]] = {}
        for x, y in (*self.texts, *self.arms):
            rows.setdefault(y, set()).add(x)
        return rows

    def line(self, row: int, boxes: bool) -> Iterator[Piece]:
        """Yield the characters of one line, without blanks at its end."""
        blank = Role.LABEL, -1
        text, look, end = "", blank, 0
        for x in sorted(self._places_by_row.get(row, ())):
            text += " " * (x - end)
            end = x + 1
            letter, own = self._at(x, row), self.roles.get((x, row), blank)
            if letter == " ":
                own = look
            if own != look:
                if text:
                    yield Piece(text if boxes else text.translate(_ASCII), *look)
                text, look = "", own
            text += letter
        if text.strip():
            yield Piece((text if boxes else text.translate(_ASCII)).rstrip(), *look)

    def _at(self, x: int, y: int) -> str:
        place = x, y
        if place in self.texts:
            return self.texts[place]
        arms = self.arms.get(place, 0)
        if not self.solid.get(place) and arms in _DASHED:
            return _DASHED[arms]
        return _LINES[arms]
