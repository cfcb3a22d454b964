"""Slides with pictures: the published figures with NumPy's numbers, in type for the last row."""

import re
import shutil
import subprocess
from collections import Counter
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

from bcastcli.cli.main import main
from tests.browser.browser import Browser
from tests.effort import each_once, slow
from tests.rows import each_row

Capture = pytest.CaptureFixture[str]
SLIDE = 1280 * 720
MIN_TYPE, MIN_SHARE = 24, 0.25
SVG = "{http://www.w3.org/2000/svg}"


class Published(NamedTuple):
    """A figure that a book or a manual prints: two shapes and an operator."""

    one: str
    other: str
    sign: str = "+"


NUMPY = (Published("3", "()", "*"), Published("4,3", "3"), Published("4,1", "3"))
VANDERPLAS = (Published("3", "()"), Published("3,3", "3"), Published("3,1", "3"))
FASTBOOK = (
    Published("3", "()", ">"),
    Published("3,3", "()", "-"),
    Published("3", "3,3"),
    Published("3,1", "3,3"),
    Published("2,3", "3"),
)
MINITORCH = (Published("5,3", "1"), Published("5,1", "5,3"))
FIGURES = (*NUMPY, *VANDERPLAS, *FASTBOOK, *MINITORCH)
MISMATCHES = ("4,3 4", "3,2 3", "3,4 2,4", "4 3", "2,3 2", "2,5 2,4", "4,2 3,2", "3 2,5", "3,4 2,5")
"""NumPy's figure 4, fastbook's, and more of rows, of columns, and of both."""


def page(line: str, capsys: Capture, kind: str = "svg") -> str:
    """The file that the command line writes."""
    assert main([*line.split(), "-f", kind]) in (0, 1)
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
    """The operands: to add, A counts in tens from 0, B in ones from 1; else 1 and 2 come first."""
    first, second = shape_of(one), shape_of(other)
    a, b = (np.arange(prod(shape)).reshape(shape) for shape in (first, second))
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


@each_row("shapes", MISMATCHES)
def test_published_mismatches(shapes: str, capsys: Capture) -> None:
    """Both operands as NumPy has them, nothing repeated and no result: a box and a red cross."""
    text = page(f"numpy --picture {shapes}", capsys)
    cells = squares(text)
    for place, array in enumerate(arrays(*shapes.split())):
        assert block(cells, f"stored{place}") == as_rows(array)
    assert {cell.kind for cell in cells} == {"stored0", "stored1"}
    assert len(re.findall(r"<line class=\"\w+-clash\"", text)) == 2
    clashes = zip(*(reversed(shape_of(shape)) for shape in shapes.split()), strict=False)
    boxes = re.findall(r"<rect class=\"\w+-surplus\"", text)
    assert len(boxes) == sum(one != other for one, other in clashes)
    assert re.search(r"<desc.*do not broadcast: A has \d and B has \d on axis", text)


@each_row("line", [*(f"{one} {other} --op {sign}" for one, other, sign in FIGURES), *MISMATCHES])
def test_the_last_row_can_read_it(line: str, capsys: Capture) -> None:
    """On a slide of 1280 by 720 all type has 24 pixels, and cells are a quarter of it."""
    text = page(f"numpy --picture {line}", capsys)
    root = ElementTree.fromstring(text)
    assert (root.get("width"), root.get("height")) == ("1280", "720")
    assert root.get("viewBox") == "0 0 1280 720"
    cells = squares(text)
    assert min(cell.size for cell in cells) >= 32
    assert min(float(e.get("font-size", 0)) for e in root.iter(f"{SVG}text")) >= MIN_TYPE
    assert sum(cell.width * cell.height for cell in cells) / SLIDE >= MIN_SHARE


@pytest.mark.parametrize("line", ["ncnn 2,3,4 3,4", "ncnn 3,4 4", "numpy 2,3,4 3,1"])
def test_layers_are_large_too(line: str, capsys: Capture) -> None:
    """In three axes, and under ncnn, numbers can be read and cells are a quarter of the slide."""
    text = page(f"{line} --picture", capsys)
    cells = squares(text)
    assert len({cell.number for cell in cells}) > 12
    assert min(cell.size for cell in cells) >= MIN_TYPE
    assert sum(cell.width * cell.height for cell in cells) / SLIDE >= MIN_SHARE


STEPS = ("align", "compare", "stretch", "result")


def elements(slide: str) -> list[str]:
    """The elements of a slide, without the names that its content gives them."""
    prefix = re.search(r'id="(\w+)-title"', slide)
    assert prefix
    kept = re.sub("<desc.*</desc>", "", slide.replace(prefix[1], ""))
    return kept.splitlines()


def test_steps_click_through(capsys: Capture) -> None:
    """In boxes, then in cells: more appears and nothing moves, the answer only at the end."""
    slides = [page(f"numpy --picture 4,1 3 --until {step}", capsys) for step in STEPS]
    bodies = list(map(elements, slides))
    for fewer, more in (bodies[:2], bodies[2:]):
        assert set(fewer) < set(more)
    assert len({body[0] for body in bodies}) == 1, "another viewBox"
    assert [">(4, 3)</text>" in slide for slide in slides] == [False, False, False, True]


@pytest.mark.parametrize(
    "line", ["numpy 8,1,6,1 7,1,5", "pdpd 2,3,4,5 3,1 --axis 1", "numpy 4,1 3"]
)
def test_steps_build_up(line: str, capsys: Capture) -> None:
    """Up to each step, the slide of the steps shows more, and nothing on it moves."""
    slides = [elements(page(f"{line} --steps --until {step}", capsys)) for step in STEPS]
    for fewer, more in pairwise(slides):
        assert set(fewer) < set(more)


class Boxes(NamedTuple):
    """What a question looks like when its shapes are aligned: `(1)` is dashed, `-` is no box."""

    line: str
    rows: tuple[str, ...]
    signs: str


@each_row(
    "asked",
    [
        Boxes("numpy 4,1 3", ("4 1", "(1) 3"), "B A"),
        Boxes("numpy 3,2 3", ("3 2", "(1) 3"), "- !"),
        Boxes("numpy 2,3 4,N 3", ("2 3", "4 N", "(1) 3"), "! -"),
        Boxes("numpy 0,1 5 2,1,1", ("(1) 0 1", "(1) (1) 5", "2 1 1"), "A,B B,C A,C"),
        Boxes("left 2,3 2", ("2 3", "2 (1)"), "= B"),
        Boxes("pdpd 2,3,4,5 3,1 --axis 1", ("2 3 4 5", "(1) 3 (1) (1)"), "B = B B"),
        Boxes("pdpd 2,3,4 4,5 --axis 2", ("2 3 4 -", "(1) (1) 4 5"), "- - - !"),
        Boxes("ncnn 2,3,4 3,4", ("2 3 4", "(1) 3 4"), "B = ="),
        Boxes("onnx-uni 4 3,4", ("- 4", "3 4"), "! -"),
        Boxes("none 3,4 4", ("3 4", "- 4"), "! -"),
        Boxes("explicit 3,4 2,3,5,4 --axes 1,3", ("(1) 3 (1) 4", "2 3 5 4"), "A = A ="),
        Boxes("bidirectional 3,1 2,3,4", ("(1) 3 1", "2 3 4"), "A = A"),
    ],
)
def test_boxes(asked: Boxes, capsys: Capture) -> None:
    """Each size stands in a box below its axis, a missing one is dashed, and the sign is below."""
    root = ElementTree.fromstring(page(f"{asked.line} --picture --until compare", capsys))
    texts = [
        (float(e.get("x", 0)), float(e.get("y", 0)), e.text or "")
        for e in root.iter(f"{SVG}text")
        if e.get("text-anchor") == "middle"
    ]
    boxes, middle = {}, {}
    for rect in root.iter(f"{SVG}rect"):
        kind = rect.get("class", "").partition("-")[2]
        x, y, width, height = (float(rect.get(n, 0)) for n in ("x", "y", "width", "height"))
        if kind.startswith(("size", "outline", "repeated")):
            [[middle[x], size]] = [
                (a, text) for a, b, text in texts if x < a < x + width and y < b < y + height
            ]
            boxes[y, x] = f"({size})" if rect.get("stroke-dasharray") else size
    rows, columns = (sorted({place[n] for place in boxes}) for n in (0, 1))
    assert [" ".join(boxes.get((y, x), "-") for x in columns) for y in rows] == [*asked.rows]
    signs = {a: text for a, b, text in texts if b > rows[-1] + height}
    below = [[text for a, text in signs.items() if abs(a - middle[x]) < 1] for x in columns]
    assert " ".join("".join(each) or "-" for each in below) == asked.signs


@pytest.mark.parametrize(
    ("line", "count"),
    [("4,1 3", 4), ("4,3 4", 3), ("4,3 4,3", 3), ("256,3 3", 4), ("8,8 7", 3), ("() ()", 3)],
)
def test_a_frame_for_each_change(line: str, count: int, tmp_path: Path, capsys: Capture) -> None:
    """Built up, arrays are as stored, aligned, stretched, added; a clash, then what to do."""
    file = tmp_path / "lesson.txt"
    file.write_text(line, "utf-8")
    assert main(["deck", str(file), "--build"]) == 0
    frames = re.findall("<section>(.*?)</section>", capsys.readouterr().out, re.DOTALL)
    assert len(frames) == count
    assert not re.search("-(repeated|surplus|clash|yes|no)", frames[0]), "only what is stored"
    for fewer, more in pairwise(frames):
        mine, others = (
            {re.sub('class="b.*?-| data-at=".*?"', "", each) for each in frame.splitlines()}
            for frame in (fewer, more)
        )
        marks = {each for each in mine if re.match("<(rect|text|line) ", each)}
        assert {each for each in marks if "number" not in each} <= others


def test_no_room(capsys: Capture) -> None:
    """What is too large for a slide is refused, with what has room: a page that scrolls."""
    sizes = ",".join(map(str, range(101, 131)))
    for line in (
        f"numpy --steps {sizes} 1",
        f"numpy --steps --picture {sizes} 1",
        "compare --steps 3,3 3 --rules numpy,ncnn",
    ):
        assert main([*line.split(), "-f", "svg"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.endswith(
            "does not fit on a slide of 1280 by 720: -f html makes a page that scrolls\n"
        )
    large = page(f"numpy --picture {sizes} 1", capsys, "html")
    assert int(re.findall(r'<svg [^>]*width="(\d+)"', large)[0]) > 1280


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
    assert "framed" not in page("compare --picture --until stretch 3,3 3", capsys)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--until", "align"], "--until only works with --steps or --picture"),
        (["--steps", "--until", "align", "--json"], "--until needs one of the formats table"),
        (["--op", "*"], "--op only works with --picture"),
        (["--no-values"], "--no-values only works with --picture"),
        (["--picture", "--title", "T"], "--title needs one of the formats svg and html"),
        (["--step"], "--step only works with --picture"),
        (["--theme", "dark"], "--theme needs one of the formats svg and html"),
        (["--picture", "-f", "tikz"], "bcastcli: -f tikz is gone: use -f svg\n"),
        (
            ["--picture", "-f", "svg", "--theme=print"],
            "bcastcli: --theme print is gone: use --theme light\n",
        ),
        (["--picture", "-f", "json"], "--picture needs one of the formats"),
        (["--picture", "--op", "@"], "'@' is not one of + - * /"),
    ],
)
def test_options_without_effect(options: list[str], said: str, capsys: Capture) -> None:
    """An option that would change nothing is a usage error that says what it needs."""
    assert main(["numpy", "3,1", "3", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


@pytest.mark.parametrize("output", ["svg", "html"])
def test_a_hostile_title(output: str, capsys: Capture) -> None:
    """Control and direction characters in a title are escaped: the page is well-formed."""
    title = "a\x1b[31m\x00\u202e<b>&\x0b".replace("\x00", "")
    assert main(["numpy", "3", "3", "--picture", "--title", title, "-f", output]) == 0
    out = capsys.readouterr().out
    assert r"a\x1b[31m\u202e&lt;b&gt;&amp;\x0b</" in out
    assert all(character.isprintable() or character == "\n" for character in out)


def test_options(capsys: Capture) -> None:
    """--title, --no-values and --theme change what they say, and nothing else."""
    assert ">Why</title>" in page("numpy --picture 3,1 3 --title Why", capsys)
    plain = page("numpy --picture 3,1 3", capsys)
    empty = page("numpy --picture 3,1 3 --no-values", capsys)
    assert (">20<" in plain, ">20<" in empty) == (True, False)
    assert empty.count("-stored0") == plain.count("-stored0") - 3
    assert 'fill="#141414"/>' in page("numpy --picture 3,1 3 --theme dark", capsys)


def test_the_first_suggestion(capsys: Capture) -> None:
    """The slide of a mismatch says what to write, in one line, with shapes as in the title."""
    shown = re.findall(">([^<>]+)</text>", page("numpy --picture 3,4 3", capsys))
    assert shown[-3:] == [
        "try",
        "B[:, None]   (3, 1)   gives (3, 4)",
        "mismatch: A has 4 and B has 3 on axis 1 (-1), and neither is 1",
    ]


def test_nothing_is_green_where_all_refuse(capsys: Capture) -> None:
    """Nor where the rules agree that it is a mismatch."""
    text = page("compare --picture 4,3 5", capsys)
    assert "every rule refuses" in text
    assert not re.findall(r'class="\w+-yes', text)


def test_operators(capsys: Capture) -> None:
    """An operator's own sign stands between the blocks; those that do more have no picture."""
    assert block(squares(page("op --picture Mul 2,1 2", capsys)), "result") == as_rows(
        np.multiply(*arrays("2,1", "2", "*"))
    )
    assert main(["op", "--picture", "MatMul", "3,3", "3,3"]) == 2
    assert "--picture is not available" in capsys.readouterr().err


# Where lecturers put them


@each_row("line", ["numpy --picture 4,1 3", "numpy --steps 4,1 3", "rules"])
def test_attributes_only(line: str, capsys: Capture) -> None:
    """No CSS, no textLength: size, family and color are attributes, which every program reads."""
    text = page(line, capsys)
    assert not re.findall(r"<style|style=|textLength|font:|var\(", text)
    assert re.match(r'<svg [^>]*width="\d+" height="\d+" viewBox=', text)
    assert re.match(r'<svg [^>]*font-family="[^"]+" font-size="\d+"', text)
    assert re.match(r'<svg [^>]*text-rendering="geometricPrecision"', text)  # of any scale
    for element in ElementTree.fromstring(text).iter(f"{SVG}text"):
        assert element.get("font-size")
        assert element.get("fill")


def test_rules_begin_where_text_does(capsys: Capture) -> None:
    """The rules of a table are as far to the left as its first column."""
    root = ElementTree.fromstring(page("numpy 2,3 3", capsys))
    lefts = {float(each.attrib["x1"]) for each in root.iter(f"{SVG}line")}
    assert lefts == {min(float(each.attrib["x"]) for each in root.iter(f"{SVG}text"))}


def test_the_picture_in_words(capsys: Capture) -> None:
    """A screen reader is told what stretches along which axis, and what comes out."""
    text = page("numpy --picture 4,1 3", capsys, "html")
    assert "A (4, 1) stretches along axis 1, B (3,) stretches along axis 0" in text
    assert "the result is (4, 3)" in text


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


@each_once
@pytest.mark.parametrize(
    ("shown", "size"),
    [
        *(("--steps --picture", size) for size in ((1280, 720), (1366, 640), (1920, 1080))),
        *(("--steps", size) for size in ((1280, 720), (1920, 1080))),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "line",
    [
        *("numpy 4,1 3", "numpy 3,4 3", "numpy 2,3,4 3,1", "numpy 8,1,6,1 7,1,5", "numpy N,4 3,4"),
        *("pdpd 2,3,4,5 3,1 --axis 1", "ncnn 2,3,4 3,4", "bidirectional 3,1 2,1,4"),
        "numpy images=32,3,224,224 channel_mean=3,1,1",
    ],
)
def test_a_page_fits_its_window(
    line: str, shown: str, size: tuple[int, int], tab: Browser, tmp_path: Path, capsys: Capture
) -> None:
    """Steps and picture are seen at once, the answer included, without scrolling.

    Steps alone are text if the window has room for it, and else the slide.
    """
    file = tmp_path / "page.html"
    assert main([*line.split(), *shown.split(), "-f", "html"]) in (0, 1, 3)
    file.write_text(capsys.readouterr().out, "utf-8")
    tab.open(file, *size)
    page_ = "document.documentElement"
    assert tab.evaluate(f"{page_}.scrollHeight <= {page_}.clientHeight")
    assert tab.evaluate(f"{page_}.scrollWidth <= {page_}.clientWidth")
    outside = (
        "[...document.querySelectorAll('p, td, th, h1, svg')].filter(e => {"
        "const r = e.getBoundingClientRect();"
        "return r.bottom > innerHeight + 1 || r.right > innerWidth + 1 || r.top < -1 })"
        ".map(e => e.textContent)"
    )
    assert tab.evaluate(outside) == []
    wide = "[...document.querySelectorAll('.wide')].every(e => e.scrollWidth <= e.clientWidth)"
    assert tab.evaluate(wide), "a table has to be scrolled"
    small = (
        "[...document.querySelectorAll('p, td, th, h1')].map("
        "e => parseFloat(getComputedStyle(e).fontSize)).filter(size => size < 23.9)"
    )
    assert tab.evaluate(small) == []


def test_two_of_three_that_clash(capsys: Capture) -> None:
    """Of several operands the two that clash are drawn like a pair: with numbers, and the sign."""
    text = page("numpy --picture 2,3 1,3 4,3", capsys)
    numbers = [square.number for square in squares(text)]
    pair = [square.number for square in squares(page("numpy --picture 2,3 4,3", capsys))]
    assert numbers == pair
    assert ">+</text>" in text
    assert "not drawn: B" in text


def test_long_names_leave_room_for_numbers(capsys: Capture) -> None:
    """Names of operands take no numbers from a picture: they are cut above it, not in the title."""
    names = "a_long_operand_name=3,1 another_long_operand_name=1,4"
    text = page(f"numpy --picture {names}", capsys)
    numbers = [cell.number for cell in squares(text)]
    assert numbers == [cell.number for cell in squares(page("numpy --picture 3,1 1,4", capsys))]
    assert "a_long_operand_name (3, 1); another" in text
    assert ">a_long&#8230;_name<" in text


def test_a_page_has_words(capsys: Capture) -> None:
    """On pages shapes are written as people write them, in notes too."""
    for kind in ("svg", "html"):
        assert main(["compare", "N,3", "3", "-f", kind]) == 3
        compared = capsys.readouterr().out
        assert "agree when N != 3" in compared
        noted = page("bidirectional --picture 2,3,4 2,1,4", capsys, kind)
        assert "result (2, 3, 4) is not the target" in noted.replace("&#10;", " ")


CONVERTERS = {
    "rsvg-convert": ["rsvg-convert", "{svg}", "-o", "{png}"],
    "inkscape": ["inkscape", "{svg}", "--export-filename={png}"],
    "soffice": ["soffice", "--headless", "--convert-to", "png", "--outdir", "{folder}", "{svg}"],
}
INSTALLED = [name for name in CONVERTERS if shutil.which(name)]
LIGHT = "rsvg-convert"
"""Starts in no time, which office programs do not."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == LIGHT else slow) for name in INSTALLED]
)
def test_other_programs(name: str, tmp_path: Path, capsys: Capture) -> None:
    """Programs that lecturers use draw it, whichever of them the machine has."""
    file, image = tmp_path / "slide.svg", tmp_path / "slide.png"
    file.write_text(page("numpy --picture 4,1 3", capsys), "utf-8")
    places = {"svg": file, "png": image, "folder": tmp_path}
    command = [part.format(**places) for part in CONVERTERS[name]]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert image.read_bytes().startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize("line", ["numpy 4,1 3", "ncnn 3,4 4", "numpy 2,1 3 1,3"])
def test_type_in_a_low_window(line: str, tab: Browser, tmp_path: Path, capsys: Capture) -> None:
    """The type of a picture has 24 pixels in a window of 1366 by 640 too, at which it is scaled."""
    file = tmp_path / "page.html"
    file.write_text(page(f"{line} --picture", capsys, "html"), "utf-8")
    tab.open(file, 1366, 640)
    assert tab.evaluate("document.documentElement.scrollHeight") <= 640
    scaled = "parseFloat(e.getAttribute('font-size')) * e.getScreenCTM().a"
    least = f"Math.min(...[...document.querySelectorAll('svg text')].map(e => {scaled}))"
    assert tab.evaluate(least) > MIN_TYPE - 0.1


def test_a_page_says_what_the_slide_says(capsys: Capture) -> None:
    """Numbers, sentences and notes are on a page too, whatever the height of its window."""
    for line in ("compare 3,3 3", "pdpd 4,1 () --axis 0", "torch 5,1 4", "onnx-uni 4,1 1,1,1"):
        shown = [page(f"{line} --picture", capsys, kind) for kind in ("svg", "html")]
        slide, both = (" ".join(re.findall(">([^<]+)</text>", text)).split() for text in shown)
        assert Counter(both) == Counter(slide + slide), line  # in light colors and in dark ones
