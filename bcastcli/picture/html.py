"""A sheet as a page: one self-contained HTML file."""

from functools import partial
from itertools import count

from bcastcli.picture import svg
from bcastcli.picture.marks import Text
from bcastcli.picture.metrics import fixed, measure, wrapped
from bcastcli.picture.pages import WEIGHTS, beside, css, document, markup, worded
from bcastcli.picture.terminal import Picture
from bcastcli.picture.themes import THEMES
from bcastcli.picture.vector import Svg
from bcastcli.render import DoesNotFit, Terminal
from bcastcli.render.sheet import Cell, Grid, Line, Paragraph, Part, Row, Sheet, label_width
from bcastcli.reports.tables import ANSWER_TONE

LOW = 600.0, 660.0
"""The heights of slides that a low window shows with larger type."""
IN_THE_DARK = "@media screen and (prefers-color-scheme:dark)"


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return the sheet as a file: a slide as large as the window where there is a picture."""
    steps = next((part for part in sheet.parts if isinstance(part, Grid) and part.drawn), None)
    is_high = steps and not _fits(sheet, steps) and _fitting(sheet, terminal, svg.SLIDE)
    if is_high or any(isinstance(part, Picture) for part in sheet.parts):
        return _slide(sheet, terminal)
    sheet = worded(sheet)
    sheet = sheet._replace(title=terminal.title or sheet.title)
    light, dark = css(THEMES["light"]), css(THEMES["dark"])
    both, all_dark = f"{light}\n{IN_THE_DARK}{{\n{dark}\n}}", f":root{{color-scheme:dark}}\n{dark}"
    colors = {"": both, "dark": all_dark}.get(terminal.theme, light)
    styles = (
        beside("page.css"),
        *([beside("page_with_steps.css")] if steps else []),
        _label_rules(label_width(sheet)),
        WEIGHTS,
        colors,
    )
    main = ["<main>", f"<h1>{markup(sheet.title)}</h1>", *map(_part, sheet.parts), "</main>"]
    return document(sheet.title, "\n".join(styles), *main, description=sheet.description)


def _slide(sheet: Sheet, terminal: Terminal) -> str:
    """Return a page with a slide as large as the window, in its theme or in both."""
    slide = _in_a_size(sheet, terminal)
    themes = [terminal.theme] if terminal.theme else THEMES
    scales = slide.drawing.width <= svg.SLIDE[0]  # a larger one scrolls
    shown = [slide.in_theme(THEMES[each]).written(scales=scales) for each in themes]
    styles = [
        beside("page_with_figure.css"),
        f"body{{background:{THEMES[terminal.theme or 'light'].paper}}}",
    ]
    if not terminal.theme:
        swapped = ".slide{display:none}.slide+.slide{display:block}"
        styles.append(f"{IN_THE_DARK}{{body{{background:{THEMES['dark'].paper}}}{swapped}}}")
    body = [f'<div class="slide">\n{each}</div>' for each in shown]
    if slide.has_sources:
        styles.append(beside("sources.css"))
        body += ["<script>", beside("sources.js"), "</script>"]
    title, text = terminal.title or sheet.title, worded(sheet).description
    return document(title, "\n".join(styles), *body, description=text)


def _in_a_size(sheet: Sheet, terminal: Terminal) -> Svg:
    """Return the lowest slide with the full content of the usual one, or else one that scrolls."""
    usual = _fitting(sheet, terminal, svg.SLIDE)
    if usual is None:
        larger = (_fitting(sheet, terminal, (640 << n, 360 << n)) for n in count(2))
        return next(filter(None, larger))
    lower = (_fitting(sheet, terminal, (svg.SLIDE[0], height)) for height in LOW)
    return next((low for low in lower if low and low.drawing.words == usual.drawing.words), usual)


def _fitting(sheet: Sheet, terminal: Terminal, size: tuple[float, float]) -> Svg | None:
    """Return a slide of a size; None if the content does not fit."""
    try:
        return svg.slides(sheet, terminal, size=size, sources=True)[0]
    except DoesNotFit:
        return None


def _fits(sheet: Sheet, steps: Grid) -> bool:
    """Return whether a window of 1280 by 720 has room for steps as text."""
    *columns, remarks = zip(*steps.rows, strict=True)
    room = svg.ROOM - fixed(" ", 24) * sum(max(len(c.text) for c in each) + 2 for each in columns)
    wraps = sum(len(wrapped(cell.text, room, partial(measure, size=24))) - 1 for cell in remarks)
    low = max(m.y for m in svg.in_size(sheet, 22).marks if isinstance(m, Text)) + 29 * wraps
    return room > svg.ROOM / 4 and low < svg.SLIDE[1] - svg.MARGIN


def _part(part: Part) -> str:
    if isinstance(part, Grid):
        return _table(part)
    if isinstance(part, Paragraph):
        return "\n".join(_part(Line("", item)) for item in part.items)
    if not isinstance(part, Line):
        return ""
    text = f'<span class="{part.tone.value}">{markup(part.text)}</span>'
    if not part.label:
        own = ' class="answer"' if part.tone in ANSWER_TONE.values() else ""
        return f"<p{own}>{text}</p>"
    return f'<p class="labelled"><b>{markup(part.label)}</b> {text}</p>'


def _label_rules(width: int) -> str:
    """Return the CSS that aligns all texts after their labels."""
    return (
        f".labelled{{display:grid;grid-template-columns:{width + 2}ch 1fr}}\n"
        f"table:not(.ruled) :is(th,td):first-child{{min-width:{width}ch;font-weight:bold}}"
    )


def _table(grid: Grid) -> str:
    parts = [f"<thead>\n{_rows(grid, grid.head, 'col')}\n</thead>"] if grid.head else []
    parts += [f"<tbody>\n{_rows(grid, body, 'row')}\n</tbody>" for body in grid.bodies]
    ruled = ' class="ruled"' if grid.ruled else ""
    return "\n".join(('<div class="wide">', f"<table{ruled}>", *parts, "</table>", "</div>"))


def _rows(grid: Grid, rows: tuple[Row, ...], scope: str) -> str:
    """Return rows of cells, with headings for the others marked as such."""
    heads = range(99) if scope == "col" else range(grid.sizes.start) if grid.sizes else range(1)
    found = []
    for row in rows:
        own = (_cell(c, n in grid.sizes, scope * (n in heads)) for n, c in enumerate(row))
        found.append(f"<tr>{''.join(own)}</tr>")
    return "\n".join(found)


def _cell(cell: Cell, is_size: bool, scope: str) -> str:
    classes = f"size {cell.tone.value}" if is_size else cell.tone.value
    text = markup(cell.text)
    if scope and text:
        return f'<th scope="{scope}" class="{classes}">{text}</th>'
    return f'<td class="{classes}"><span>{text}</span></td>' if text else "<td></td>"
