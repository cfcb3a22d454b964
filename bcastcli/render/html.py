"""A sheet as a page: one HTML file that asks for nothing else."""

from html import escape

from bcastcli.render import Style
from bcastcli.render.pages import DARK, LIGHT, MONOSPACE, PAPER, WEIGHTS, in_any_encoding, rules
from bcastcli.render.sheet import Cell, Grid, Line, Row, Sheet, Tone, label_width
from bcastcli.render.svg import FONT, figure
from bcastcli.reports.picture import Picture

LAYOUT = f"""\
:root{{color-scheme:light dark}}
body{{margin:2rem;font:clamp(1.25rem,2vw,2.25rem)/1.45 {MONOSPACE}}}
h1{{font-size:1em;margin:0 0 1em;overflow-wrap:anywhere}}
p{{margin:.4em 0;overflow-wrap:anywhere}}
table{{border-collapse:collapse;margin:.6em 0}}
th,td{{padding:0 1ch;text-align:left;font-weight:normal;vertical-align:baseline}}
th:first-child,td:first-child{{padding-left:0}}
.size{{text-align:right}}
.size.ghost{{padding-right:0}}
th,.size{{white-space:nowrap}}
td.clash span{{outline:.12em solid;outline-offset:.1em}}
.ruled :is(thead,tbody)+tbody{{border-top:.12em solid}}
figure{{margin:1em 0}}
figure svg{{display:block;max-width:100%;height:auto}}
svg text{{font:{FONT}px {MONOSPACE};white-space:pre}}
.wide{{overflow-x:auto}}
td.note{{min-width:24ch}}
@media print{{.wide{{overflow:visible}}}}"""


def show(sheet: Sheet, style: Style) -> str:
    """The sheet as a file."""
    title = escape(sheet.title)
    dark = f"body{{background:{PAPER['dark']};color:{DARK[Tone.PLAIN]}}}\n{rules(DARK)}"
    text = "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f'<meta name="description" content="{escape(sheet.description)}">',
            f"<title>{title}</title>",
            "<style>",
            LAYOUT,
            _label_rules(label_width(sheet)),
            f"body{{background:{PAPER['light']};color:{LIGHT[Tone.PLAIN]}}}",
            rules(LIGHT),
            WEIGHTS,
            f"@media screen and (prefers-color-scheme:dark){{\n{dark}\n}}",
            "</style>",
            "<main>",
            f"<h1>{title}</h1>",
            *map(_part, sheet.parts),
            "</main>",
            "</html>\n",
        )
    )
    return in_any_encoding(text)


def _part(part: Grid | Line | Picture) -> str:
    if isinstance(part, Picture):
        return _figure(part)
    if isinstance(part, Grid):
        return _table(part)
    text = f'<span class="{part.tone.value}">{escape(part.text)}</span>'
    if not part.label:
        return f"<p>{text}</p>"
    return f'<p class="labelled"><b>{escape(part.label)}</b> {text}</p>'


def _label_rules(width: int) -> str:
    """What has all texts beside labels begin in one column."""
    return (
        f".labelled{{display:grid;grid-template-columns:{width + 2}ch 1fr}}\n"
        f"table:not(.ruled) :is(th,td):first-child{{min-width:{width}ch;font-weight:bold}}"
    )


def _figure(picture: Picture) -> str:
    drawn = figure(picture)
    said = " ".join(f"{before} {block.title}" for before, block in picture.blocks)
    return "\n".join(
        (
            "<figure>",
            (
                f'<svg viewBox="0 0 {drawn.width} {drawn.height}" width="{drawn.width}"'
                f' height="{drawn.height}" role="img" aria-label="{escape(said.strip())}">'
            ),
            *drawn.elements,
            "</svg>",
            "</figure>",
        )
    )


def _table(grid: Grid) -> str:
    parts = [f"<thead>\n{_rows(grid, grid.head, 'col')}\n</thead>"] if grid.head else []
    parts += [f"<tbody>\n{_rows(grid, body, 'row')}\n</tbody>" for body in grid.bodies]
    ruled = ' class="ruled"' if grid.ruled else ""
    return "\n".join(('<div class="wide">', f"<table{ruled}>", *parts, "</table>", "</div>"))


def _rows(grid: Grid, rows: tuple[Row, ...], scope: str) -> str:
    """Rows of cells; those that say what the others are about are heads."""
    return "\n".join(
        "<tr>"
        + "".join(
            _cell(cell, place in grid.sizes, scope if scope == "col" or place == 0 else "")
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )


def _cell(cell: Cell, is_size: bool, scope: str) -> str:
    classes = f"size {cell.tone.value}" if is_size else cell.tone.value
    text = escape(cell.text)
    if scope and text:
        return f'<th scope="{scope}" class="{classes}">{text}</th>'
    return f'<td class="{classes}"><span>{text}</span></td>' if text else "<td></td>"
