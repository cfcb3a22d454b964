"""Slides with pictures: the published figures with NumPy's numbers, in type for the last row."""

import re
import shutil
import subprocess
from math import prod
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

import bcastcli
from bcastcli.cli.main import main
from bcastcli.picture import pages, svg
from bcastcli.picture.answers import PicturedReport, of_answer
from bcastcli.picture.drawing import Role, Text
from bcastcli.picture.figure import PictureOptions
from bcastcli.picture.layout import across
from tests.picture.test_answers import answered, slides_of
from tests.rows import each_row

Capture = pytest.CaptureFixture[str]
SLIDE = 1280 * 720
MIN_TYPE, MIN_SHARE = 24, 0.2
PICTURE = Path(svg.__file__).parent
SVG = "{http://www.w3.org/2000/svg}"


FIGURES = (
    *("3 () *", "4,3 3 +", "4,1 3 +"),  # NumPy's manual
    *("3 () +", "3,3 3 +", "3,1 3 +"),  # VanderPlas, Python Data Science Handbook
    *("3 () ==", "3,3 () -", "3 3,3 +", "3,1 3,3 +", "2,3 3 +"),  # fastbook
    *("5,3 1 +", "5,1 5,3 +"),  # MiniTorch
)
"""Figures that books and manuals print: two shapes and an operator."""
PAIR = ("4,1 3", "3,4 3")
MISMATCHES = ("4,3 4", "3,2 3", "3,4 2,4", "4 3", "2,3 2", "2,5 2,4", "4,2 3,2", "3 2,5", "3,4 2,5")
"""NumPy's figure 4, fastbook's, and more of rows, of columns, and of both."""


def page(line: str, capsys: Capture) -> str:
    """The file that the command line writes."""
    assert main([*line.split(), "-f", "svg"]) in (0, 1)
    return capsys.readouterr().out


class Square(NamedTuple):
    """A cell on a slide: what it is, where, and the number in it."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    number: str
    size: float


def squares(text: str) -> list[Square]:
    """The cells of a slide, each with the number that stands in it."""
    root = ElementTree.fromstring(text)
    numbers = [
        (float(e.get("x", 0)), float(e.get("y", 0)), e.text or "", float(e.get("font-size", 0)))
        for e in root.iter(f"{SVG}text")
        if e.get("text-anchor") == "middle"
    ]
    found = []
    for rect in root.iter(f"{SVG}rect"):
        kind = rect.get("class", "").partition("-")[2]
        if not kind.startswith(("stored", "repeated", "result")):
            continue
        x, y, width, height = (float(rect.get(n, 0)) for n in ("x", "y", "width", "height"))
        inside = [each for each in numbers if x < each[0] < x + width and y < each[1] < y + height]
        assert len(inside) == 1, inside
        found.append(Square(kind, x, y, width, height, inside[0][2], inside[0][3]))
    return found


def block(cells: list[Square], *kinds: str) -> list[list[str]]:
    """The numbers of one block, row by row, as they stand on the slide."""
    own = [cell for cell in cells if cell.kind in kinds]
    rows = sorted({cell.y for cell in own})
    return [[c.number for c in sorted(own, key=lambda c: c.x) if c.y == row] for row in rows]


def shape_of(text: str) -> list[int]:
    return [] if text == "()" else [int(size) for size in text.split(",")]


def arrays(one: str, other: str, sign: str = "+") -> tuple[np.ndarray, np.ndarray]:
    """The operands: to add, A counts in tens from 0, B in ones from 1."""
    first, second = shape_of(one), shape_of(other)
    a, b = (np.arange(prod(shape)).reshape(shape) for shape in (first, second))
    if sign == "==":
        return a + 1, 2 * b + 1
    return (a * 10, b + 1) if sign in "+-" else (a + 1, b + 2)


def as_rows(array: np.ndarray) -> list[list[str]]:
    shown = {True: "T", False: "F"}
    rows = np.atleast_2d(array).tolist()
    return [[shown[v] if isinstance(v, bool) else str(v) for v in row] for row in rows]


@each_row("figure", FIGURES)
def test_published_figures(figure: str, capsys: Capture) -> None:
    """Every number in every cell is NumPy's; what is stored is drawn as stored, once."""
    first, second, sign = figure.split()
    cells = squares(page(f"numpy --picture {first} {second} --op {sign}", capsys))
    one, other = arrays(first, second, sign)
    for place, array in enumerate(np.broadcast_arrays(one, other)):
        assert block(cells, f"stored{place}", f"repeated{place}") == as_rows(array)
    stored = [cell.kind for cell in cells if cell.kind.startswith("stored")]
    assert stored.count("stored0") == one.size
    assert stored.count("stored1") == other.size
    result = eval(f"one {sign} other", {"one": one, "other": other})
    assert block(cells, "result") == as_rows(result)


@each_row(
    ("line", "least"),
    [
        *((" --op ".join(figure.rsplit(" ", 1)), 32) for figure in FIGURES),
        *((line, 32) for line in MISMATCHES),
        *((line, MIN_TYPE) for line in ("ncnn 2,3,4 3,4", "ncnn 3,4 4", "numpy 2,3,4 3,1")),
    ],
)
def test_the_last_row_can_read_it(line: str, least: int, capsys: Capture) -> None:
    """On a slide of 1280 by 720 numerals are large, and cells are a quarter of it."""
    text = page(f"{line} --picture", capsys)
    root = ElementTree.fromstring(text)
    assert (root.get("width"), root.get("height")) == ("1280", "720")
    cells = squares(text)
    assert min(cell.size for cell in cells) >= least
    assert sum(cell.width * cell.height for cell in cells) / SLIDE >= MIN_SHARE


def test_two_in_one_page(capsys: Capture) -> None:
    """Inlined, pictures have no style for a page to take over, and their names stay apart."""
    roots = [ElementTree.fromstring(page(f"numpy --picture {each}", capsys)) for each in PAIR]
    names = [[str(each.get("id")) for each in root.iter() if each.get("id")] for root in roots]
    assert [root.get("aria-labelledby") for root in roots] == [" ".join(own) for own in names]
    classes = [{each.get("class", "") for each in root.iter()} - {""} for root in roots]
    assert not classes[0] & classes[1]
    assert not {*names[0]} & {*names[1]}
    assert not [each for root in roots for each in root.iter() if each.tag.endswith("style")]


def test_long_names_leave_room_for_numbers(capsys: Capture) -> None:
    """Names of operands take no numbers from a picture: they are cut above it, not in the title."""
    names = "a_long_operand_name=3,1 another_long_operand_name=1,4"
    text = page(f"numpy --picture {names}", capsys)
    numbers = [cell.number for cell in squares(text)]
    assert numbers == [cell.number for cell in squares(page("numpy --picture 3,1 1,4", capsys))]
    assert "a_long_operand_name (3, 1); another" in text


@pytest.mark.skipif(not shutil.which("rsvg-convert"), reason="needs librsvg")
def test_other_programs(tmp_path: Path, capsys: Capture) -> None:
    """A program without a browser draws it, too."""
    file = tmp_path / "slide.svg"
    file.write_text(page("numpy --picture 4,1 3", capsys), "utf-8")
    drawn = subprocess.run(["rsvg-convert", str(file)], check=True, capture_output=True)
    assert drawn.stdout.startswith(b"\x89PNG\r\n")


STEPS = """\
numpy 1,2 3
  A (1, 2); B (3,); NumPy: A (1, 2), B (3,); stored; stored number
  +; axis 1: 2 and 3, and neither is 1; mismatch: A has 2 and B has 3 on axis 1 (-1), and neither \
is 1; surplus
numpy 2,1,2 2,1,1
  A (2, 1, 2); B (2, 1, 1); NumPy: A (2, 1, 2), B (2, 1, 1); [0, :, :]; [1, :, :]; stored; \
stored number
  +; axis 0: 2 and 2 are equal   axis 1: 1 and 1 are equal; axis 2: 2 and 1, so B stretches to 2; \
bold: stored, dashed: repeated, not stored; repeated
  arrow; repeated number
  (2, 1, 2); =; result; result (2, 1, 2); result number
numpy N,400 3
  3; 400; A; B; N; NumPy: A (N, 400), B (3,)
  !; -1; -2; 0; 1; axis; axis 1: 400 and 3, and neither is 1; mismatch: A has 400 and B has 3 on \
axis 1 (-1), and neither is 1; ·; · no such axis   ! clashes
numpy N,400 3,1
  1; 3; 400; A; B; N; NumPy: A (N, 400), B (3, 1)
  -1; -2; 0; ?; axis; →; → stretches   ? depends
  (3, 400) when N is 1 or 3; result
ncnn 2,2 2
  +; A (w 2, h 2); B (h 2); ncnn: A (2, 2), B (2,); stored; stored number
  axis h: 2 and 2 are equal; axis w: B has no such axis, so it is repeated 2 times; bold: stored, \
dashed: repeated, not stored; repeated; w →
  arrow; repeated number
  (2, 2); =; result; result (w 2, h 2); result number
"""
"""Questions, and below each what a slide has that those before it have not."""


@each_row("steps", re.split("\n(?=\\w)", STEPS.rstrip()))
def test_steps(steps: str) -> None:
    """Built up, a picture shows what is stored, then the axes, what stretches, and the result."""
    line, *added = steps.split("\n  ")
    sheet = PicturedReport(answered(line), picture=PictureOptions()).sheet()
    seen: set[str] = set()
    for slide, wanted in zip(svg.slides(sheet, svg.BUILD), added, strict=True):
        shown = {
            mark.text.replace(";", ",")
            if isinstance(mark, Text) and not mark.cell
            else f"{mark.role.value}{' number' * isinstance(mark, Text)}"
            for mark in slide.drawing.marks
        }
        assert "; ".join(sorted(shown - seen)) == wanted
        seen |= shown


def test_colors() -> None:
    """All that is written stands out from its ground, as the guidelines for contrast ask."""
    for tint in range(-1, 5):
        ground = svg.tint_of(tint).fill
        assert contrast(svg.tint_of(tint).stroke, svg.WHITE) >= 3
        for role in Role:
            within = ground if role in (Role.STORED, Role.RESULT) else svg.WHITE
            assert contrast(svg.words(role, tint), within) >= 4.5
    inks = {role: svg.words(role) for role in Role}
    assert {role for role in Role if inks[role] == svg.CLASH} == {Role.CLASH, Role.DIFFERS}
    assert len({svg.tint_of(n).fill for n in range(6)}) == 4
    assert inks[Role.YES] != inks[Role.DEPENDS] != inks[Role.LABEL] != inks[Role.GHOST]


def contrast(one: str, other: str) -> float:
    """The contrast of two colors (WCAG 2)."""

    def light(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (x / 12.92 if x <= 0.04 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@each_row(
    ("line", "shown"),
    [
        ("numpy 1,16 2,16", "axis"),
        (f"numpy {','.join(['99'] * 20)} 1", "there is no room for a picture of so many sizes"),
    ],
)
def test_what_a_slide_has_no_room_for(line: str, shown: str) -> None:
    """Shapes take the place of cells too small to read, and a sentence that of too many sizes."""
    [slide] = slides_of(line)
    assert shown in [mark.text for mark in slide.drawing.marks if isinstance(mark, Text)]


def test_prose_is_cut() -> None:
    """A sentence has at most five lines on a slide, and a word at most one."""
    long, word = (svg.prose(text, 26, Role.LABEL) for text in ("word " * 200, f"a {'x' * 300}"))
    texts = [mark.text for mark in long.marks if isinstance(mark, Text)]
    assert texts == ["word word word word word word word word word word word word word"] * 4 + ["…"]
    assert len(word.marks) == 1
    [mark] = word.marks
    assert isinstance(mark, Text)
    assert mark.text == f"a {'x' * 23}…{'x' * 22}"


@each_row(
    ("shapes", "count"),
    [
        *(("2,3,4 3,4", 1), ("4,1,2 2", 2), ("4,3,1 3,1", 4), ("6,1,1 1", 3), ("6,1,2 1,2", 2)),
        *(("5,2,2 2", 5), ("6,2,3 3", 2), ("4,1,8 8", 1), ("6,3,1 1", 6), ("3,4,3 3", 3)),
    ],
)
def test_layers_side_by_side(shapes: str, count: int) -> None:
    """As many layers lie side by side as make the picture about as wide as a slide."""
    assert across(of_answer(answered(f"numpy {shapes}"))) == count


def test_other_cells() -> None:
    """A block keeps its rows and layers where its cells are others."""
    operand = of_answer(answered("numpy 2,1,3 2,1,3")).blocks[0]
    turned = operand.with_cells(reversed(operand.cells))
    assert turned.counts == operand.counts
    assert turned.cells == operand.cells[::-1]


def test_a_page_of_slides() -> None:
    """A page has its styles and scripts within it, and shows all slides where no script runs."""
    parts = {
        name: (PICTURE / name).read_text("utf-8").strip().replace("$sans", svg.SANS)
        for name in ("slides.css", "sources.css", "sources.js", "slides.js")
    }
    assert (
        pages.slides("A & é", ["<svg>1\n", "<svg>2\n"])
        == f"""\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A &amp; &#233;</title>
<style>
{parts["slides.css"]}
{parts["sources.css"]}
</style>
<noscript><style>section{{display:flex}}</style></noscript>
<section>
<svg>1
</section>
<section>
<svg>2
</section>
<script>
{parts["sources.js"]}
{parts["slides.js"]}
</script>
</html>
"""
    )


def slides(text: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(each) for each in re.findall("<svg .*?</svg>", text, re.DOTALL)]


def texts(slide: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in slide.iter(f"{SVG}text")]


def test_in_a_notebook() -> None:
    """An answer shows its picture, as SVG or HTML."""
    answer = bcastcli.broadcast((4, 1), (3,))
    [slide] = slides(answer._repr_svg_())
    assert "33" in texts(slide)
    [inlined] = slides(answer._repr_html_())
    assert inlined.get("width") is None
    assert inlined.get("viewBox") == "0 0 1280 720"


def test_an_answer_is_its_picture() -> None:
    """An answer's own picture is the slide that the command writes, with its operands' names."""
    yes, no = bcastcli.broadcast(scores=(4, 1), mask=(3,)), bcastcli.broadcast((3, 4), (3,))
    [shown], [inlined] = slides(yes._repr_svg_()), slides(yes._repr_html_())
    assert {"scores (4, 1)", "mask (3,)", "33"} < set(texts(shown))
    assert texts(inlined) == texts(shown)
    assert "data-from" not in yes._repr_html_()
    own = bcastcli.broadcast(np.array([[1.5], [2]]), np.array([7, 800]), rule="torch")
    assert {"PyTorch: A (2, 1); B (2,)", "1.5", "801.5"} < set(texts(slides(own._repr_svg_())[0]))
    for other in (np.array([1, 2000]), np.array(["a", "b"]), (2,)):
        [slide] = slides(bcastcli.broadcast(np.array(7), other)._repr_svg_())
        assert [text for text in texts(slide) if text.isdigit()] == [*"771289"]
    assert texts(slides(no._repr_svg_())[0])[-1].startswith(f"mismatch: {no.reason}")
