r"""Marks as a TikZ picture: nodes, rectangles and lines, for \usepackage{tikz} and nothing else."""

from collections.abc import Iterator

from bcastcli.render.picture.marks import Box, Cross, Drawing, Line, Mark, Polygon, Role, Text
from bcastcli.render.picture.themes import BOLD, DASHES, Theme

SCALE = 0.5
"""Points for a pixel: a slide of 1280 by 720 becomes 640 by 360 points."""
TEX = str.maketrans(
    {
        **{letter: f"\\{letter}" for letter in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": "$<$",
        ">": "$>$",
        "→": r"$\rightarrow$",
        "⇉": r"$\rightrightarrows$",
        "↓": r"$\downarrow$",
        "×": r"$\times$",
        "÷": r"$\div$",
        "−": "$-$",
        "∘": r"$\circ$",
    }
)
ANCHORS = {"start": "west", "middle": "center", "end": "east"}


def document(drawing: Drawing, theme: Theme) -> str:
    """Return the drawing as one tikzpicture environment."""
    lines = [line for mark in drawing.marks for line in _mark(mark, theme)]
    head = f"\\begin{{tikzpicture}}[x={SCALE}pt,y=-{SCALE}pt,font=\\sffamily]"
    size = f"({_number(drawing.width)},{_number(drawing.height)})"
    frame = f"  \\useasboundingbox (0,0) rectangle {size};"
    return "\n".join((head, frame, *lines, "\\end{tikzpicture}\n"))


def _mark(mark: Mark, theme: Theme) -> Iterator[str]:
    if isinstance(mark, Text):
        yield _text(mark, theme)
    elif isinstance(mark, Box):
        start, end = _place(mark.x, mark.y), _place(mark.x + mark.width, mark.y + mark.height)
        yield f"  \\path[{_paint(mark.role, mark.tint, theme)}] {start} rectangle {end};"
    elif isinstance(mark, Polygon):
        points = " -- ".join(_place(*point) for point in mark.points)
        yield f"  \\path[{_paint(mark.role, mark.tint, theme)}] {points} -- cycle;"
    elif isinstance(mark, Line):
        head = ",->" if mark.head else ""
        ends = f"{_place(mark.x1, mark.y1)} -- {_place(mark.x2, mark.y2)}"
        yield f"  \\draw[draw={_color(theme.ink)},line width=1pt{head}] {ends};"
    else:
        yield from _cross(mark, theme)


def _text(mark: Text, theme: Theme) -> str:
    size = _number(mark.size * SCALE)
    look = f"\\fontsize{{{size}}}{{{size}}}\\selectfont"
    if mark.role in BOLD:
        look += "\\bfseries"
    if mark.fixed:
        look += "\\ttfamily"
    options = f"anchor={ANCHORS[mark.anchor]},inner sep=0pt,font={look}"
    color = _color(theme.words(mark.role, mark.tint))
    return (
        f"  \\node[{options},text={color}] at {_place(mark.x, mark.y)} {{{_escaped(mark.text)}}};"
    )


def _escaped(text: str) -> str:
    return text.translate(TEX)


def _paint(role: Role, tint: int, theme: Theme) -> str:
    tinted = theme.tint(tint)
    stroke = theme.clash if role in (Role.SURPLUS, Role.DIFFERS) else tinted.stroke
    options = [f"draw={_color(stroke)}"]
    if role in DASHES:
        options.append("dashed" if role is Role.REPEATED else "dotted")
    elif role not in (Role.OUTLINE, Role.SURPLUS):
        options.append(f"fill={_color(tinted.fill)}")
    options.append("line width=1.5pt" if role is Role.SURPLUS else "line width=0.8pt")
    return ",".join(options)


def _cross(mark: Cross, theme: Theme) -> Iterator[str]:
    reach = mark.size / 2
    for side in (1, -1):
        start = _place(mark.x - reach, mark.y - side * reach)
        end = _place(mark.x + reach, mark.y + side * reach)
        yield f"  \\draw[draw={_color(theme.clash)},line width=3pt] {start} -- {end};"


def _color(color: str) -> str:
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _place(x: float, y: float) -> str:
    return f"({_number(x)},{_number(y)})"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
