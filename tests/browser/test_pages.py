"""SVG and HTML: one file each, that asks for nothing, overflows nowhere, and reads well."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from math import prod
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bcastcli.cli.main import main
from bcastcli.picture import html, pages, svg, themes
from bcastcli.picture.marks import Role
from bcastcli.picture.metrics import SANS, measure
from bcastcli.picture.terminal import Picture
from bcastcli.render import Terminal
from bcastcli.render.sheet import Cell, Grid, Line, Sheet, Tone
from bcastcli.reports.answers import AnswerReport
from bcastcli.rules import RULES
from tests.browser.browser import Browser
from tests.effort import each_once, in_turn, many, part_of, slow
from tests.picture.test_answers import answered, figures, numbers
from tests.rows import each_row

TERMINAL = Terminal()
PAGES = {"svg": svg, "html": html}
QUESTIONS = (
    "numpy 2,3,4 3,1",
    "numpy 3,4 3",
    "numpy N,4 3,4",
    "numpy () ()",
    "numpy --picture 2,3,1 4",
    "numpy --steps --picture 8,1,6,1 7,1,5",
    "numpy --steps --picture 3,4 3",
    "numpy --picture 2 3,1 1 3,2",
    "numpy --steps --picture N,4 3,4",
    "numpy --picture 2,0 1",
    "onnx --picture 2,3 4,1 1,3",
    "onnx-uni --steps --picture 3 2,3",
    "pdpd --steps --picture 2,3,4 3,1 --axis 1",
    "pdpd --picture 128,3,4 3,1000 --axis 1",
    "bidirectional --picture 3,1 2,1,6",
    "ncnn --steps --picture 2,3,4 3,4",
    "ncnn --steps --picture 2,N 2",
    "ncnn --picture 1,2,3,4,5 2",
    f"numpy --picture a_rather_long_name=2,3 {'b' * 20}=3",
)
FONTS = ("DejaVu Sans", "Liberation Sans")
"""The free ones; the letters of Arial and Helvetica are as wide as those of Liberation Sans."""
WIDE = (
    f"numpy --picture a_rather_long_name=2,3 {'b' * 60}=3",
    f"numpy --steps --picture {','.join(map(str, range(101, 131)))} 1,130",
    f"numpy --steps --picture {'7' * 300},2 2",
    f"numpy --picture {' '.join(['2,1', '3'] * 12)}",
)
SHOWN = [
    *((line, kind) for line in QUESTIONS for kind in PAGES),
    *((line, "html") for line in WIDE),
]
"""What is shown in which format: what is wider than a slide, only on a page that scrolls."""
NASTY = "</title><script>alert(1)</script> & \"'`]]> <b>"

Capture = pytest.CaptureFixture[str]
WRITTEN: dict[tuple[str, str], str] = {}
"""The files that were written already, by their command lines and kinds."""


def sheet_of(line: str) -> Sheet:
    """The sheet of the answer, without steps and picture."""
    return AnswerReport(answered(re.sub("--(steps|picture) ", "", line))).sheet()


def page(line: str, kind: str, capsys: Capture) -> str:
    """The file that the command line writes."""
    if (line, kind) not in WRITTEN:
        assert main([*line.split(), "--format", kind]) in (0, 1, 3)
        WRITTEN[line, kind] = capsys.readouterr().out
    return WRITTEN[line, kind]


def drawing(text: str, kind: str) -> ElementTree.Element:
    """The SVG of a file."""
    if kind == "html":
        text = text[text.index("<svg ") : text.index("</svg>") + len("</svg>")]
    root = ElementTree.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return root


def seen(text: str, kind: str) -> str:
    """The text of a file, as a reader sees it."""
    if kind == "svg":
        return "\n".join(drawing(text, kind).itertext())
    pieces: list[str] = []
    reader = HTMLParser()
    setattr(reader, "handle_data", pieces.append)  # noqa: B010  # mypy lets no method be replaced
    reader.feed(text)
    return "\n".join(pieces)


@each_once
@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("rule", in_turn(RULES, 2))
def test_cells_are_counted(rule: str, kind: str) -> None:
    """Solid cells of an operand are its elements; each block has as many cells as the result."""
    for answer, figure in figures(rule)[: many(60)]:
        sheet = Sheet("", "", (Picture(figure),))
        root = drawing(PAGES[kind].show(sheet, TERMINAL), kind)
        drawn = Counter(str(cell.get("class")).partition("-")[2] for cell in root.iter("rect"))
        size = prod(numbers(answer.result))
        for place, operand in enumerate(answer.operands):
            if not (place and answer.rule.second_is_target):
                own = prod(numbers(operand.shape))
                assert drawn[f"stored{place}"] == own
                assert drawn[f"repeated{place}"] == size - own
        assert drawn["result"] == size


@each_once
@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize("line", in_turn(QUESTIONS, 2))
def test_self_contained(line: str, kind: str, capsys: Capture) -> None:
    """The file names no other file and no address, and runs only the script that lights sources."""
    text = page(line, kind, capsys).replace('xmlns="http://www.w3.org/2000/svg"', "")
    text = text.replace(f"<script>\n{pages.beside('sources.js')}\n</script>", "")
    found = re.findall(
        r"(?i)url\(|href|\bsrc\b|@import|@font-face|<script|<link|://|\bon\w+=", text
    )
    assert found == []


@slow
@pytest.mark.parametrize("kind", PAGES)
def test_deterministic(kind: str, capsys: Capture) -> None:
    """The same question has the same bytes, whatever the process and where it writes."""
    line = "numpy --steps --picture 2,3,1 4"
    command = [sys.executable, "-m", "bcastcli", *line.split(), "-f", kind]
    expected = page(line, kind, capsys)
    for seed, encoding in (("1", "ascii"), ("2", "utf-16")):
        environment = {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": encoding, "FORCE_COLOR": seed}
        written = subprocess.run(
            command, env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True
        )
        assert written.stdout.decode(encoding) == expected


@pytest.mark.parametrize("line", in_turn(QUESTIONS, 2))
def test_for_those_who_do_not_see(line: str, capsys: Capture) -> None:
    """Both have the question as a title and the answer in a description; HTML has real tables."""
    sheet = sheet_of(line)
    root = drawing(page(line, "svg", capsys), "svg")
    told = [root.find(f"*[@id='{name}']") for name in str(root.get("aria-labelledby")).split()]
    title, description = (each.text for each in told if each is not None)
    assert title == sheet.title
    assert str(description).startswith(sheet.description)
    assert root.get("role") == "img"
    text = page(line, "html", capsys)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">\n')
    assert f"<title>{sheet.title}</title>" in text
    assert f'<meta name="description" content="{sheet.description}">'.replace("'", "&#x27;") in text
    for row in re.findall("<tr>(.*)</tr>", text):
        assert row.startswith(("<th scope=", "<td></td>"))
    role = "group" if "data-from" in text else "img"
    assert text.count(f'role="{role}" aria-labelledby="') == text.count("<svg ")


@each_row("kind", PAGES)
@each_row("line", QUESTIONS)
def test_everything_is_shown(line: str, kind: str, capsys: Capture) -> None:
    """The table cell by cell, and all lines, stand in the file as on the sheet, the answer last."""
    line = re.sub("--(steps|picture) ", "", line)
    text = seen(page(line, kind, capsys), kind)
    pieces: list[str] = []
    for part in pages.worded(AnswerReport(answered(line)).sheet()).parts:
        assert isinstance(part, (Grid, Line))
        if isinstance(part, Line):
            pieces += [part.label, part.text]
        else:
            pieces += (cell.text for row in part.rows for cell in row)
    assert "".join(text.split()).endswith("".join("".join(pieces).split()))


@pytest.mark.parametrize("kind", PAGES)
def test_typed_text_is_text(kind: str) -> None:
    """What people typed is shown and never obeyed."""
    grid = Grid(((Cell(NASTY),),), (((Cell(NASTY, Tone.CLASH),),),))
    sheet = Sheet(NASTY, NASTY, (grid, Line(NASTY, NASTY)))
    text = PAGES[kind].show(sheet, TERMINAL)
    assert "<script" not in text
    assert "<b>" not in text.replace("<b>&lt;", "")
    assert "".join(seen(text, kind).split()).count("".join(NASTY.split())) >= 5


@each_row("name", themes.THEMES)
def test_contrast(name: str) -> None:
    """Every text stands out from the paper or its own cell by 4.5 to 1; every tone has a role."""
    assert set(themes.ROLES) == set(Tone)
    theme = themes.THEMES[name]
    for role in Role:
        for tint in range(-1, 4):
            color = theme.words(role, tint)
            in_cell = role in (Role.STORED, Role.RESULT, Role.DIFFERS)
            grounds = [theme.tint(tint).fill] if in_cell else [theme.paper]
            for ground in grounds:
                lighter, darker = sorted(map(luminance, (color, ground)), reverse=True)
                assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (role, tint)


def luminance(color: str) -> float:
    """WCAG's relative luminance of a color such as #0b4f8a."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("kind", PAGES)
def test_lines(kind: str, capsys: Capture) -> None:
    """A page answers one question, and lines are refused."""
    assert main(["numpy", "-f", kind, "-"]) == 2
    assert capsys.readouterr() == (
        "",
        f"bcastcli: --format {kind} works for one question, not for lines\n",
    )


# In a browser


def installed(font: str) -> bool:
    """Whether the machine has a font; where it has not, the test is left out, but not in CI."""
    listed = subprocess.check_output(["fc-list", "--format=%{family}", font])
    if not listed and "CI" not in os.environ:
        pytest.skip(f"needs {font}")
    assert listed, f"{font} is missing"
    return True


# Rectangles of what is seen: of text, line by line, and of what it may not touch.
RECTANGLES = """
const box = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom] };
const lines = node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].map(r => [r.left, r.top, r.right, r.bottom]);
};
const inside = (a, b, by) =>
  a[0] >= b[0] - by && a[1] >= b[1] - by && a[2] <= b[2] + by && a[3] <= b[3] + by;
const before = (a, b) => a[2] <= b[0] + 1 || a[3] <= b[1] + 1;
const apart = (a, b) => before(a, b) || before(b, a);
const problems = [];
"""
IN_SVG = """
for (const svg of document.querySelectorAll('svg')) {
  const texts = [...svg.querySelectorAll('text')].filter(text => text.textContent);
  const cells = [...svg.querySelectorAll('rect[class]')].filter(e => !/surplus/.test(e.classList));
  const frame = box(svg.querySelector(':scope > rect:not([class])') || svg);
  for (const [place, text] of texts.entries()) {
    const own = box(text);
    if (!inside(own, frame, 1)) problems.push(`${text.textContent} leaves the picture`);
    for (const other of texts.slice(place + 1))
      if (!apart(own, box(other))) problems.push(`${text.textContent} runs into another`);
    // Numbers are inside their cells, across; nothing else touches a cell.
    for (const cell of cells.map(box))
      if (!apart(own, cell) && !(own[0] >= cell[0] && own[2] <= cell[2]))
        problems.push(`${text.textContent} runs into a cell`);
  }
  for (const clash of svg.querySelectorAll('rect[class$="-surplus"]'))
    if (![...texts, ...cells].some(
        each => inside(box(each), box(clash), 3) || inside(box(clash), box(each), 3)))
      problems.push('nothing is in a box');
}
"""
IN_HTML = """
const page = document.documentElement;
if (page.scrollWidth > page.clientWidth) problems.push('the page is wider than its window');
for (const cell of document.querySelectorAll('td, th, p, h1'))
  for (const line of lines(cell))
    if (!inside(line, box(cell), cell.tagName == 'TH' || cell.tagName == 'TD' ? 0.5 : 8))
      problems.push(`${cell.textContent} leaves its box`);
"""
NOT_SCROLLED = """
for (const wide of document.querySelectorAll('.wide'))
  if (wide.scrollWidth > wide.clientWidth) problems.push('a table has to be scrolled');
"""


def problems(tab: Browser, kind: str, *scripts: str) -> list[str]:
    """What overflows or collides in the page."""
    parts = [RECTANGLES, IN_SVG, *([IN_HTML] if kind == "html" else []), *scripts]
    found: list[str] = tab.evaluate(f"(() => {{ {''.join(parts)}; return problems }})()")
    return found


@each_once
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (800, 600)])
@pytest.mark.parametrize(("line", "kind"), in_turn(SHOWN, 2))
def test_in_a_browser(
    line: str,
    kind: str,
    width: int,
    height: int,
    dark: bool,
    tab: Browser,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    """It renders, asks for nothing else, and no text leaves its box or runs into another."""
    file = tmp_path / f"page.{kind}"
    file.write_text(page(line, kind, capsys), "utf-8")
    tab.open(file, width, height, dark=dark)
    assert tab.requested == [file.as_uri()]
    assert tab.evaluate("performance.getEntriesByType('resource').length") == 0
    assert tab.evaluate("document.querySelector('parsererror') === null")
    assert tab.evaluate("document.title") == sheet_of(line).title
    assert tab.evaluate("document.querySelectorAll('text, td').length") > 0
    small_enough = width == 1280 and line not in WIDE
    assert problems(tab, kind, NOT_SCROLLED if small_enough else "") == []


@slow
@pytest.mark.parametrize("font", FONTS)
def test_any_font(font: str, tab: Browser, tmp_path: Path, capsys: Capture) -> None:
    """On a slide no text overflows or collides, whichever of the usual fonts there is."""
    installed(font)
    file = tmp_path / "page.svg"
    found = {}
    for line in part_of(QUESTIONS, 3):
        text = page(line, "svg", capsys)
        assert SANS in text
        file.write_text(text.replace(SANS, f"'{font}'"), "utf-8")
        tab.open(file)
        used = tab.evaluate("getComputedStyle(document.querySelector('text')).fontFamily")
        assert font in str(used)
        found[line] = problems(tab, "svg")
    assert {line: said for line, said in found.items() if said} == {}


def test_widths_of_letters(tab: Browser, tmp_path: Path) -> None:
    """No letter is wider in a usual font than layouts take it for, and one has just that width."""
    file = tmp_path / "page.html"
    file.write_text("<!DOCTYPE html><canvas></canvas>", "utf-8")
    tab.open(file)
    letters = "".join(map(chr, range(32, 127)))
    for role, weight in ((Role.LABEL, "normal"), (Role.TITLE, "bold")):
        widths = [measure(letter, 100, role) for letter in letters]
        actual = [_widths(tab, weight, font, letters) for font in FONTS if installed(font)]
        for letter, width, each in zip(letters, widths, zip(*actual, strict=True), strict=True):
            assert max(each) <= width < max(each) + 1.01, (letter, weight)
        for sign in "→↓»×÷−○…":
            assert max(_widths(tab, weight, font, sign)[0] for font in FONTS) <= 100


def _widths(tab: Browser, weight: str, font: str, letters: str) -> list[float]:
    """How wide each letter is in type of 100 pixels."""
    widths: list[float] = tab.evaluate(
        "(c => { c.font = " + json.dumps(f"{weight} 100px '{font}'") + "; "
        f"return [...{json.dumps(letters)}].map(letter => c.measureText(letter).width) }})"
        "(document.querySelector('canvas').getContext('2d'))"
    )
    return widths


def test_the_browser_sees_what_is_wrong(tab: Browser, tmp_path: Path, capsys: Capture) -> None:
    """A page with text that overflows, that asks for a file, or that is no XML is found out."""
    file = tmp_path / "page.svg"
    good = page("numpy --picture 3,4 3", "svg", capsys)
    file.write_text(re.sub('font-size="[0-9.]+"', 'font-size="90"', good), "utf-8")
    tab.open(file)
    found = problems(tab, "svg")
    assert any(each.endswith("leaves the picture") for each in found)
    assert any(each.endswith("runs into another") for each in found)
    assert any(each.endswith("runs into a cell") for each in found)
    file.write_text(good.replace("</svg>", '<image href="other.png" width="9" height="9"/></svg>'))
    tab.open(file)
    assert tab.requested == [file.as_uri(), (tmp_path / "other.png").as_uri()]
    file.write_text(good.replace("</desc>", ""), "utf-8")
    tab.open(file)
    assert not tab.evaluate("document.querySelector('parsererror') === null")
    file = tmp_path / "page.html"
    good = page(WIDE[2].replace("--steps --picture ", ""), "html", capsys)
    file.write_text(good.replace("overflow-wrap:anywhere", ""), "utf-8")
    tab.open(file)
    assert "the page is wider than its window" in problems(tab, "html")
    assert "a table has to be scrolled" in problems(tab, "html", NOT_SCROLLED)


@pytest.mark.parametrize("kind", PAGES)
def test_black_and_white(kind: str, tab: Browser, tmp_path: Path, capsys: Capture) -> None:
    """What is stored is filled, what is repeated only outlined by dashes; bold says the rest."""
    file = tmp_path / f"page.{kind}"
    file.write_text(page("numpy --picture 4,1 3", kind, capsys), "utf-8")
    tab.open(file)
    look = "(n => (s => [s.fill, s.strokeDasharray])(getComputedStyle(document.querySelector(n))))"
    solid, dashes = tab.evaluate(f"{look}('rect[class$=-stored0]')")
    assert solid != "none"
    assert dashes == "none"
    faint, dashes = tab.evaluate(f"{look}('rect[class$=-repeated0]')")
    assert faint == "none"
    assert dashes != "none"
    weight = "(n => getComputedStyle(document.querySelector(n)).fontWeight)"
    assert tab.evaluate(f"{weight}('text[class$=-stored0]')") == "700"
    assert tab.evaluate(f"{weight}('text[class$=-repeated0]')") == "400"


def test_dark_and_print(tab: Browser, tmp_path: Path, capsys: Capture) -> None:
    """HTML is dark where that is preferred, and light on paper all the same."""
    file = tmp_path / "page.html"
    file.write_text(page("numpy --picture 3,4 3", "html", capsys), "utf-8")
    paper = "getComputedStyle(document.body).backgroundColor"
    tab.open(file)
    light = tab.evaluate(paper)
    tab.open(file, dark=True)
    assert tab.evaluate(paper) != light
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    tab.tell("Emulation.setEmulatedMedia", media="print", features=dark)
    assert tab.evaluate(paper) == light
    tab.tell("Emulation.setEmulatedMedia", media="")


@each_row("line, role, count", [("2,3 4,3", "surplus", 3), ("2,3 4,5", "surplus", 6),
    ("2,3 N,3", "surplus", 0), ("--picture N,30 7,30", "depends", 2)])  # fmt: skip
def test_marks(line: str, role: str, count: int, capsys: Capture) -> None:
    """On a slide each cell of an axis that clashes has a box; what depends has its color."""
    assert page(f"numpy {line}", "svg", capsys).count(f'-{role}" x=') == count
