"""Slides with pictures: the published figures with NumPy's numbers, in type for the last row."""

import shutil
import subprocess
from itertools import combinations
from math import prod
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

from bcastcli.cli.main import main
from bcastcli.deck import page as page_of_deck
from bcastcli.picture.drawing import ems
from tests.browser.browser import Browser
from tests.rows import each_row

Capture = pytest.CaptureFixture[str]
SLIDE = 1280 * 720
MIN_TYPE, MIN_SHARE = 24, 0.2
SVG = "{http://www.w3.org/2000/svg}"


class Published(NamedTuple):
    """A figure that a book or a manual prints: two shapes and an operator."""

    one: str
    other: str
    sign: str = "+"


NUMPY = (Published("3", "()", "*"), Published("4,3", "3"), Published("4,1", "3"))
VANDERPLAS = (Published("3", "()"), Published("3,3", "3"), Published("3,1", "3"))
FASTBOOK = (
    Published("3", "()", "=="),
    Published("3,3", "()", "-"),
    Published("3", "3,3"),
    Published("3,1", "3,3"),
    Published("2,3", "3"),
)
MINITORCH = (Published("5,3", "1"), Published("5,1", "5,3"))
FIGURES = (*NUMPY, *VANDERPLAS, *FASTBOOK, *MINITORCH)
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
def test_published_figures(figure: Published, capsys: Capture) -> None:
    """Every number in every cell is NumPy's; what is stored is drawn as stored, once."""
    line = f"numpy --picture {figure.one} {figure.other} --op {figure.sign}"
    cells = squares(page(line, capsys))
    one, other = arrays(*figure)
    for place, array in enumerate(np.broadcast_arrays(one, other)):
        assert block(cells, f"stored{place}", f"repeated{place}") == as_rows(array)
    stored = [cell.kind for cell in cells if cell.kind.startswith("stored")]
    assert stored.count("stored0") == one.size
    assert stored.count("stored1") == other.size
    result = eval(f"one {figure.sign} other", {"one": one, "other": other})
    assert block(cells, "result") == as_rows(result)


@each_row(
    ("line", "least"),
    [
        *((f"{one} {other} --op {sign}", 32) for one, other, sign in FIGURES),
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


def test_the_same_shape_with_other_values(capsys: Capture) -> None:
    """Compare draws both groups, and frames each element that has another value."""
    text = page("compare --picture 3,3 3", capsys)
    one, other = arrays("3,3", "3")
    numpy, ncnn = one + other, one + other[:, None]
    root = ElementTree.fromstring(text)
    framed = [e for e in root.iter(f"{SVG}rect") if e.get("class", "").endswith("-differs")]
    assert len(framed) == int((numpy != ncnn).sum())
    shown = [e.text for e in root.iter(f"{SVG}text") if e.get("class", "").endswith("-differs")]
    assert sorted(map(str, shown)) == sorted(map(str, ncnn[numpy != ncnn]))
    assert block(squares(text), "result")[:3] == as_rows(numpy)
    assert "framed: value differs" in text


# Where lecturers put them


def test_two_in_one_page(tab: Browser, tmp_path: Path, capsys: Capture) -> None:
    """Inlined, pictures change nothing of a page, and their names stay apart."""
    page_of = "<!DOCTYPE html><style>text{}</style><p>Text</p><svg><text>t</text></svg>{}"
    look = (
        "['p','body','svg text'].map(n => JSON.stringify("
        "Object.fromEntries([...getComputedStyle(document.querySelector(n))]"
        ".filter(k => /^(font|color|fill|stroke|background|margin)/.test(k))"
        ".map(k => [k, getComputedStyle(document.querySelector(n))[k]]))))"
    )
    file = tmp_path / "page.html"
    file.write_text(page_of.replace("{}", ""), "utf-8")
    tab.open(file)
    before = tab.evaluate(look)
    pictures = [page(f"numpy --picture {shapes}", capsys) for shapes in ("4,1 3", "3,4 3")]
    file.write_text(page_of.replace("{}", "".join(pictures)), "utf-8")
    tab.open(file)
    assert tab.evaluate(look) == before
    names = tab.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(names) == 4
    assert len(set(names)) == 4
    classes = tab.evaluate(
        "[...document.querySelectorAll('svg')].slice(1).map("
        "svg => [...svg.querySelectorAll('[class]')].map(e => e.getAttribute('class')))"
    )
    assert not set(classes[0]) & set(classes[1])
    labels = tab.evaluate(
        "[...document.querySelectorAll('svg[aria-labelledby]')].map(svg => "
        "svg.getAttribute('aria-labelledby').split(' ')"
        ".every(id => svg.contains(document.getElementById(id))))"
    )
    assert labels == [True, True]


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


REAL = (
    *("images=32,3,224,224 channel_mean=3,1,1", "x=32,128,768 bias=768", "W=1000,512 norms=1000,1"),
    *("scores=8,12,197,197 mask=1,1,197", "torch q=4,64,1,32 k=4,1,64,32", "batch=64,784 mean=784"),
    *("tf logits=16,10,1000 prior=10,1", "onnx feature=1,256,56,56 scale=256,1,1"),
    *("pdpd 2,3,40,50 3,40 axis=1", "numpy a=8,1,6,1 b=7,1,5"),
)
CLASHES = ("3,4 3", "4,3 4", "x=64,100 w=50", "images=32,3,224,224 std=32,1,1", "2,3,4 2,2,4")
LARGER = ("2,3,4 3,4", "ncnn 2,3,4 3,4", "2,3 2,1 3", "2,2,2 2,1", "3,1 1,4 1", "2,2,2,2 2")
MEASURED = (
    "[...document.querySelectorAll('svg')].map(svg => [...svg.querySelectorAll('text')].map(t => {"
    "const b = t.getBBox(); return [t.textContent, parseFloat(t.getAttribute('font-size')), "
    "t.getComputedTextLength(), b.x, b.y, b.x + b.width, b.y + b.height]}))"
)


def test_all_type_as_a_browser_sets_it(tab: Browser, tmp_path: Path) -> None:
    """No text is wider than its bound, smaller than 24 pixels, outside, or over another one."""
    slides = []
    for line in (*REAL, *CLASHES, *LARGER, "compare 3,3 3", "# WWW MMM @%&"):
        slides += [slide.written() for slide in page_of_deck.slides(line, in_steps=False)]
    file = tmp_path / "slides.html"
    file.write_text("<!DOCTYPE html>" + "".join(slides), "utf-8")
    tab.open(file)
    for texts in tab.evaluate(MEASURED):
        for text, size, width, left, top, right, bottom in texts:
            assert width <= ems(text) * size + 0.5, text
            assert size >= MIN_TYPE, text
            assert 0 <= left < right <= 1280, text
            assert 0 <= top < bottom <= 720, text
        for one, other in combinations(texts, 2):
            (_, _, _, left, top, right, bottom), (_, _, _, x, y, x2, y2) = one, other
            is_beside = right <= x + 1 or x2 <= left + 1
            assert is_beside or bottom <= y + 4 or y2 <= top + 4, (one, other)
