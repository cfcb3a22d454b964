"""The measures of a figure on paper, in pixels of a slide of 1280 by 720."""

from collections.abc import Iterator

from bcastcli.picture.figure import Figure, Row, with_fewer_rows, without_numbers
from bcastcli.picture.layout import fitted
from bcastcli.picture.marks import Drawing, Text
from bcastcli.picture.metrics import Metrics, measure
from bcastcli.render.sheet import page_shape

TYPE = 25


METRICS = Metrics(
    cell=(60, 60),
    gap=4,
    edge=0,
    line=35,
    type=TYPE,
    space=64,
    lane=(34, 26),
    measure=lambda text, role: measure(text, TYPE, role),
    shape=page_shape,
)


MIN_TYPE = 24
"""The smallest type that the last row reads on a slide."""


def drawn(figure: Figure, width: float, height: float) -> Drawing | None:
    """Return the figure as large as this room allows; None if it does not fit.

    Where numbers would be too small to read, rows that can be put in words and the text below make
    room for them, else they go.
    """
    for candidate in dict.fromkeys(_candidates(figure)):
        drawing = fitted(candidate, METRICS, width, height)
        fits = drawing.width <= width and drawing.height <= height + 1
        if fits and all(mark.size >= MIN_TYPE for mark in drawing.marks if isinstance(mark, Text)):
            return drawing
    return None


def _candidates(figure: Figure) -> Iterator[Figure]:
    """Yield the figure with less and less content, and last its replacement."""
    fewer = with_fewer_rows(figure)
    yield from (figure, fewer, fewer._replace(comparisons=()))
    plain = without_numbers(figure)
    if plain != figure:
        yield from _candidates(plain)
    elif figure.instead:
        yield from _candidates(figure.instead)
    elif len(figure.rows) == 1 and (own := figure.alignment):
        last = Row(alignment=own._replace(stretched=own.stretched[-1:]))
        fewer = figure._replace(rows=(last,), legend=False)
        yield from (fewer, fewer._replace(comparisons=()))
