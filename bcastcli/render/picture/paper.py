"""The measures of a figure on paper, in pixels of a slide of 1280 by 720."""

from bcastcli.render.picture.figure import Figure, with_fewer_rows, without_numbers
from bcastcli.render.picture.layout import fitted
from bcastcli.render.picture.marks import Drawing, Text
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


MIN_TYPE = 24
"""The smallest type that the last row reads on a slide."""


def drawn(figure: Figure, width: float, height: float) -> Drawing:
    """Return the figure as large as fits a room of this size, up to the step asked for.

    Where numbers would be too small to read, rows that can be said in words and what is said below
    give way to them, else they go.
    """
    fewer = with_fewer_rows(figure)
    briefer = fewer._replace(comparisons=())
    bare = briefer._replace(captions=(), legend=False)
    plain = without_numbers(figure)
    candidates = (figure, fewer, briefer, bare, plain, plain._replace(comparisons=()))
    for candidate in dict.fromkeys(candidates):
        drawing = fitted(candidate, METRICS, width, height)
        is_readable = all(mark.size >= MIN_TYPE for mark in drawing.marks if isinstance(mark, Text))
        if is_readable and drawing.width <= width and drawing.height <= height:
            break
    return drawing.until(figure.until)
