"""Marks as lines of characters: boxes drawn with lines, dashed where nothing is stored."""

from collections.abc import Iterator
from functools import cached_property
from math import inf

from bcastcli.picture.drawing import Box, Drawing, Line, Mark, Metrics, Role, Text, below
from bcastcli.picture.figure import Figure, Step
from bcastcli.picture.layout import arrange, captions
from bcastcli.render.sheet import Piece

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""The characters of lines by the arms that they have."""
_DASHED = {_UP | _DOWN: "┊", _LEFT | _RIGHT: "╌"}
_DOUBLE = str.maketrans("┌┐└┘─│", "╔╗╚╝═║")
_ASCII = str.maketrans("╵╷│╴╶─┘┐┤└┌├┴┬┼╔╗╚╝═║┊╌×÷−…→↓·", "|||---+++++++++******:.*/-~>v.")
_SOLID = {Role.STORED, Role.RESULT, Role.DIFFERS, Role.SURPLUS}


def metrics(figure: Figure) -> Metrics:
    """The measures of a figure in characters: cells as wide as the longest number."""
    return Metrics(
        cell=(figure.longest + 3, 2),
        gap=0,
        edge=1,
        line=1,
        type=1,
        space=5,
        lane=(3, 1),
        sign=1,
        layer_line=1,
        apart=(2, 0),
        between=0,
    )


def drawn(
    figure: Figure,
    columns: int | None,
    rows: int | None = None,
    *,
    boxes: bool = True,
    until: Step = Step.RESULT,
) -> list[list[Piece]]:
    """The picture's lines, as wide and as high as the terminal allows; else its words.

    Blocks are below each other if they do not fit side by side, and arrays leave their place to
    their shapes.
    """
    room = columns or 80
    m = metrics(figure)
    words = captions(figure, m, max(room, 20))
    both = [below([arrange(figure, m, stacked=stacked), words]) for stacked in (False, True)]
    fitting = [each for each in both if each.width <= room and each.height <= (rows or inf)]
    if fitting or not figure.instead:
        drawing = [*fitting, *both][0]
        if columns and drawing.width > columns:
            why = f"no picture: it needs {drawing.width} columns, and the terminal has {columns}"
            drawing = captions(Figure((), captions=(why,)), m, max(room, 20))
        return _lines(drawing.until(until), boxes)
    return drawn(figure.instead, columns, rows, boxes=boxes, until=until)


def _lines(drawing: Drawing, boxes: bool) -> list[list[Piece]]:
    canvas = _Canvas()
    # Solid lines go over dashed ones where cells share them.
    for mark in sorted(drawing.marks, key=_order):
        canvas.draw(mark)
    height = int(drawing.height + 0.5)
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
        for x in range(left, right + 1):
            arms = (_LEFT if x > left else 0) | (_RIGHT if x < right else 0)
            self._stroke(x, top, arms | (_DOWN if x in (left, right) else 0), mark)
            self._stroke(x, bottom, arms | (_UP if x in (left, right) else 0), mark)
        for y in range(top + 1, bottom):
            self._stroke(left, y, _UP | _DOWN, mark)
            self._stroke(right, y, _UP | _DOWN, mark)

    def _stroke(self, x: int, y: int, arms: int, mark: Box) -> None:
        place = x, y
        if mark.role is Role.SURPLUS:  # double lines stand out without their color too
            self._put(x, y, _LINES[arms].translate(_DOUBLE), mark.role, mark.tint)
            return
        self.arms[place] = self.arms.get(place, 0) | arms
        if mark.role in _SOLID:
            self.solid[place] = self.solid.get(place, 0) | arms
        self.roles[place] = mark.role, mark.tint

    def _line(self, mark: Line) -> None:
        x, y = int(mark.x1), int(mark.y1)
        if mark.y1 == mark.y2:
            places, line, head = [(to, y) for to in range(x, int(mark.x2) + 1)], "─", "→"
        else:
            places, line, head = [(x, to) for to in range(y, int(mark.y2))], "│", "↓"
        for place in places:
            self._put(*place, head if place == places[-1] else line, mark.role, mark.tint)

    @cached_property
    def _places_by_row(self) -> dict[int, set[int]]:
        """The columns that have characters on each line, once all is drawn."""
        rows: dict[int, set[int]] = {}
        for x, y in (*self.texts, *self.arms):
            rows.setdefault(y, set()).add(x)
        return rows

    def line(self, row: int, boxes: bool) -> Iterator[Piece]:
        """The characters of one line, without blanks at its end."""
        blank = Role.LABEL, -1
        text, look, end = "", blank, 0
        for x in sorted(self._places_by_row.get(row, ())):
            text += " " * (x - end)
            end = x + 1
            letter, new_look = self._at(x, row), self.roles.get((x, row), blank)
            if letter == " ":
                new_look = look
            if new_look != look:
                if text:
                    yield Piece(text if boxes else text.translate(_ASCII), *look)
                text, look = "", new_look
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
