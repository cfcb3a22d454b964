"""The measures of a figure on paper, in pixels of a slide of 1280 by 720."""

from collections.abc import Iterator, Sequence

from bcastcli.render.picture.figure import Figure, with_fewer_rows, without_numbers
from bcastcli.render.picture.layout import captions, fitted
from bcastcli.render.picture.marks import Box, Drawing, Role, Text, moved
from bcastcli.render.picture.metrics import Metrics, measure
from bcastcli.render.sheet import page_shape

TYPE = 25
LINE = 35


METRICS = Metrics(
    cell=(60, 60),
    gap=4,
    edge=0,
    line=LINE,
    type=TYPE,
    space=64,
    lane=(34, 26),
    measure=lambda text, role: measure(text, TYPE, role),
    shape=page_shape,
)


NUMBERS = (Role.STORED, Role.REPEATED, Role.RESULT, Role.DIFFERS)
"""The roles of numbers in cells."""
MIN_TYPE = 24
"""The smallest type that the last row reads on a slide."""


def drawn(figure: Figure, width: float, height: float) -> Drawing:
    """Return the figure as large as fits a room of this size, up to the step asked for.

    Where numbers would be too small to read, rows that can be said in words and what is said below
    give way to them, else they go.
    """
    for candidate in dict.fromkeys(_candidates(figure)):
        drawing = fitted(candidate, METRICS, width, height)
        if _is_readable(drawing) and drawing.width <= width and drawing.height <= height:
            break
    return drawing.until(figure.until)


def _candidates(figure: Figure) -> Iterator[Figure]:
    """Yield the figure with less and less in it, and last what is drawn instead."""
    fewer = with_fewer_rows(figure)
    yield from (figure, fewer, fewer._replace(comparisons=()), _bare(fewer))
    instead = without_numbers(figure)
    if instead != figure:
        yield from _candidates(instead)
    if figure.boxed:
        yield from (figure.boxed, _bare(figure.boxed))


def _bare(figure: Figure) -> Figure:
    """Return the figure without the sentences below it."""
    return figure._replace(captions=(), comparisons=(), legend=False)


def _without_boxes(figure: Figure) -> Figure:
    """Return a figure that is never drawn as shapes in boxes: these are beside it."""
    return figure._replace(boxed=None, instead=figure.instead and _without_boxes(figure.instead))


def _is_readable(drawing: Drawing) -> bool:
    return all(mark.size >= MIN_TYPE for mark in drawing.marks if isinstance(mark, Text))


def composed(figures: Sequence[Figure], width: float, height: float) -> Drawing | None:
    """Return figures in a room: one, or steps and a picture; None where they do not fit.

    Shapes in boxes of several groups have no room: below each is what the group results in.
    """
    if len(figures) == 1:
        return _fitting(figures[0], width, height)
    if len(figures) > 2 or figures[1].alignment:
        return None
    steps, picture = figures[0], _without_boxes(figures[1])
    bare = _bare(picture)
    plain = without_numbers(picture), without_numbers(bare)
    for told in dict.fromkeys((picture, bare, *plain)):  # numbers matter more than words
        together = list(_together(steps, told, width, height))
        if together:
            return max(together, key=_area)
    return _fitting(steps, width, height)


def _fitting(figure: Figure, width: float, height: float) -> Drawing | None:
    drawing = drawn(figure, width, height)
    fits = drawing.width <= width + 1 and drawing.height <= height + 1
    return drawing if fits and _is_readable(drawing) else None


def _area(drawing: Drawing) -> float:
    """Return the area of the smallest box."""
    boxes = (mark for mark in drawing.marks if isinstance(mark, Box))
    return min((box.width * box.height for box in boxes), default=0)


def _together(steps: Figure, picture: Figure, width: float, height: float) -> Iterator[Drawing]:
    """Yield the shapes beside the cells and above them, in parts of the room, if both fit.

    The cells show what is stretched and the result.
    """
    alignment = steps.alignment and steps.alignment._replace(
        stretched=(), titles=steps.alignment.titles[:2]
    )
    shapes = _bare(steps)._replace(alignment=alignment)
    said = captions(picture, METRICS, width).until(picture.until)
    cells = _bare(picture)
    high = height - said.height - LINE / 2
    least = fitted(shapes, METRICS, 0, 0)
    beside = [
        ((wide, high), (width - wide - LINE, high), (wide + LINE, 0.0))
        for wide in (least.width, width * 0.3, width * 0.45)
    ]
    above = [
        ((width, tall), (width, high - tall - LINE / 2), (0.0, tall + LINE / 2))
        for tall in (least.height, high * 0.45)
    ]
    for room, other, place in (*beside, *above):
        one, two = _fitting(shapes, *room), _fitting(cells, *other)
        if one and two and (_has_numbers(two) or not picture.longest):
            repeats = any(mark.role is Role.REPEATED for mark in two.marks if isinstance(mark, Box))
            own = picture._replace(legend=picture.legend and repeats)  # what is drawn instead
            told = captions(own, METRICS, width).until(picture.until)
            below = moved(told.marks, 0, height - said.height)
            yield Drawing((*one.marks, *moved(two.marks, *place), *below), width, height)


def _has_numbers(drawing: Drawing) -> bool:
    return any(isinstance(mark, Text) and mark.role in NUMBERS for mark in drawing.marks)
