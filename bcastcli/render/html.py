"""A sheet as a page: one HTML file that loads no external files."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from bcastcli.render import Terminal
from bcastcli.render.pages import (
    DARK,
    LIGHT,
    PAPER,
    WEIGHTS,
    beside,
    css,
    document,
    markup,
    script,
    with_briefs,
    worded,
)
from bcastcli.render.picture import paper, svg
from bcastcli.render.picture.figure import Figure
from bcastcli.render.picture.marks import Drawing, Text
from bcastcli.render.picture.themes import THEMES
from bcastcli.render.sheet import Cell, Grid, Line, Paragraph, Part, Row, Sheet, Tone, label_width

ALONE, BESIDE = 1200.0, 650.0
"""The width of a figure, alone or beside steps; the page scales it to its own."""
HEIGHTS = 475.0, 590.0
"""The height of a figure above the answer, with readable type in a low window or a usual one."""
TALL = ' class="tall"'
LINE, LETTERS = 40.0, 70
"""The height that each further line below a figure takes, and how many letters fit on it."""


def show(sheet: Sheet, terminal: Terminal) -> str:
    """Return the sheet as a file."""
    sheet = worded(sheet)
    sheet = sheet._replace(title=terminal.title or sheet.title)
    has_figure = any(isinstance(part, Figure) for part in sheet.parts)
    has_steps = any(map(_has_remarks, sheet.parts))
    dark = f"body{{background:{PAPER['dark']};color:{DARK[Tone.PLAIN]}}}\n{css(DARK)}"
    light = f"body{{background:{PAPER['light']};color:{LIGHT[Tone.PLAIN]}}}\n{css(LIGHT)}"
    body, dark_figures = _body(sheet, terminal)
    colors = {
        "": f"{light}\n@media screen and (prefers-color-scheme:dark){{\n{dark}\n{dark_figures}}}",
        "dark": f":root{{color-scheme:dark}}\n{dark}",
        "transparent": light.replace(f"background:{PAPER['light']};", ""),
    }.get(terminal.theme, light)
    styles = (
        beside("page.css"),
        *([beside("page_with_figure.css")] if has_figure or has_steps else []),
        *([beside("page_with_steps.css")] if has_steps and not has_figure else []),
        _label_rules(label_width(sheet)),
        WEIGHTS,
        colors,
    )
    main = ["<main>", f"<h1>{markup(sheet.title)}</h1>", body, "</main>"]
    if "data-from" in body:
        styles = (*styles, beside("sources.css"))
        main.append(script("sources.js"))
    return document(sheet.title, "\n".join(styles), *main, description=sheet.description)


def _body(sheet: Sheet, terminal: Terminal) -> tuple[str, str]:
    """Return the parts, tables beside a figure if there is one, and its colors in the dark."""
    figures = [part for part in sheet.parts if isinstance(part, Figure)]
    if not figures:
        folds = any(map(_has_remarks, sheet.parts))
        runs = groupby(sheet.parts, lambda part: folds and _follows(part))
        return "\n".join(line for more, run in runs for line in _shown(run, folded=more)), ""
    first = sheet.parts.index(figures[0])
    parts = list(with_briefs(sheet.parts[first:]))
    lines = [part for part in (*sheet.parts[:first], *parts) if isinstance(part, Line)]
    has_steps = any(isinstance(part, Grid) for part in sheet.parts[:first])
    more = [part for part in lines if part.aside or (has_steps and part.label == "note")]
    before = [_brief(part) for part in sheet.parts[:first] if part not in more]
    after = [part for part in parts if isinstance(part, Line) and part not in more]
    below = sum(1 + len(part.text) // LETTERS for part in after) + bool(more)
    width, lost = BESIDE if before else ALONE, LINE * max(0, below - 1)
    rooms = [(width, height - lost) for height in HEIGHTS]
    drawn, dark = zip(*(_figure(figure, sheet, terminal, rooms) for figure in figures), strict=True)
    steps = ["<div>", *map(_part, before), "</div>"] if before else []
    lesson = ['<div class="lesson">', *steps, *drawn, "</div>"]
    if more and not sheet.hidden:
        lesson += _shown(more, folded=True)
    if sheet.hidden:  # the room for the answer stays empty
        lesson.append('<p class="answer">&nbsp;</p>')
    return "\n".join((*lesson, *map(_part, after))), "\n".join(dark)


def _has_remarks(part: Part) -> bool:
    return isinstance(part, Grid) and part.remarks


def _follows(part: Part) -> bool:
    """Return whether a part is about what follows from the steps, or is a note on it."""
    return isinstance(part, Line) and bool(part.label) and (part.aside or part.label == "note")


def _shown(parts: Iterable[Part], *, folded: bool) -> list[str]:
    """Return parts one after the other, perhaps folded away."""
    shown = [*map(_part, parts)]
    return (
        ["<details>", "<summary>what follows</summary>", *shown, "</details>"] if folded else shown
    )


def _brief(part: Part) -> Part:
    """Return a part without remarks, for which there is no room beside a figure."""
    if not isinstance(part, Grid) or not part.remarks:
        return part
    return part._replace(bodies=tuple(tuple(row[:-1] for row in body) for body in part.bodies))


def _part(part: Part) -> str:
    if isinstance(part, Grid):
        return _table(part)
    if isinstance(part, Paragraph):
        return "\n".join(_part(Line("", item)) for item in part.items)
    if not isinstance(part, Line):
        return ""
    text = f'<span class="{part.tone.value}">{markup(part.text)}</span>'
    if not part.label:
        is_answer = part.tone in (Tone.YES, Tone.NO, Tone.CONDITION)
        return f'<p class="answer">{text}</p>' if is_answer else f"<p>{text}</p>"
    return f'<p class="labelled"><b>{markup(part.label)}</b> {text}</p>'


def _label_rules(width: int) -> str:
    """Return the rule that has all texts beside labels begin in one column."""
    return (
        f".labelled{{display:grid;grid-template-columns:{width + 2}ch 1fr}}\n"
        f"table:not(.ruled) :is(th,td):first-child{{min-width:{width}ch;font-weight:bold}}"
    )


def _figure(
    figure: Figure, sheet: Sheet, terminal: Terminal, rooms: Sequence[tuple[float, float]]
) -> tuple[str, str]:
    """Return a figure in the first room where it has all its numbers, and its colors in the dark.

    Where it outgrows all rooms, it keeps its size, and the page scrolls.
    """
    drawing = max((paper.drawn(figure, *room) for room in rooms), key=_numbers)
    theme = THEMES[terminal.theme or "light"]._replace(paper="")
    picture = svg.document(drawing, theme, sheet.title, figure.description, with_sources=True)
    dark = svg.css(picture, THEMES["dark"]) if not terminal.theme else ""
    is_tall = drawing.height > max(height for _, height in rooms) + 1
    return f"<figure{TALL if is_tall else ''}>\n{picture}</figure>", dark


def _numbers(drawing: Drawing) -> int:
    """Return how many numbers are in cells."""
    return sum(isinstance(mark, Text) and mark.cell is not None for mark in drawing.marks)


def _table(grid: Grid) -> str:
    parts = [f"<thead>\n{_rows(grid, grid.head, 'col')}\n</thead>"] if grid.head else []
    parts += [f"<tbody>\n{_rows(grid, body, 'row')}\n</tbody>" for body in grid.bodies]
    ruled = ' class="ruled"' if grid.ruled else ""
    return "\n".join(('<div class="wide">', f"<table{ruled}>", *parts, "</table>", "</div>"))


def _rows(grid: Grid, rows: tuple[Row, ...], scope: str) -> str:
    """Return rows of cells; those that say what the others are about are heads."""
    heads = range(grid.sizes.start) if grid.sizes else range(1)
    return "\n".join(
        "<tr>"
        + "".join(
            _cell(cell, place in grid.sizes, scope if scope == "col" or place in heads else "")
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )


def _cell(cell: Cell, is_size: bool, scope: str) -> str:
    classes = f"size {cell.tone.value}" if is_size else cell.tone.value
    text = markup(cell.text)
    if scope and text:
        return f'<th scope="{scope}" class="{classes}">{text}</th>'
    return f'<td class="{classes}"><span>{text}</span></td>' if text else "<td></td>"
