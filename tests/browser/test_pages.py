"""Slides in Chromium: type as it is set, keys, print, and cells that show their sources."""

import re
import zlib
from base64 import b64decode
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from bcastcli.cli.main import main
from bcastcli.deck import page as page_of_deck
from bcastcli.picture.answers import of_answer
from bcastcli.picture.drawing import ems
from tests.browser.browser import Browser
from tests.deck.test_deck import LESSON
from tests.effort import in_turn, slow
from tests.picture.test_answers import answered
from tests.picture.test_slides import MIN_TYPE
from tests.picture.test_sources import places_in

pytestmark = slow
Capture = pytest.CaptureFixture[str]


def test_keys_and_pages(tmp_path: Path, tab: Browser) -> None:
    """Arrow keys turn the slides, each fills the window, and each is a page in print."""
    lesson, file = tmp_path / "lesson.txt", tmp_path / "lesson.html"
    lesson.write_text(LESSON, "utf-8")
    assert main(["deck", str(lesson), "-o", str(file)]) == 0
    tab.open(file)
    assert tab.requested == [file.as_uri()]
    shown = (
        "[...document.querySelectorAll('section')].flatMap((s, n) => "
        "getComputedStyle(s).display === 'none' ? [] : [n])"
    )
    assert tab.evaluate(shown) == [0]
    for key, now in (("ArrowRight", 1), ("PageDown", 2), ("ArrowLeft", 1), ("End", 4), (" ", 4)):
        tab.evaluate(f"dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}))")
        assert tab.evaluate(shown) == [now]
    slide = "document.querySelectorAll('svg')[4].getBoundingClientRect()"
    box = f"(r => [r.x, r.y, r.width, r.height])({slide})"
    assert [round(size) for size in tab.evaluate(box)] == [0, 0, 1280, 720]
    page = "document.documentElement"
    assert tab.evaluate(f"{page}.scrollHeight <= {page}.clientHeight")
    printed = tab.tell("Page.printToPDF", preferCSSPageSize=True)["data"]
    assert pages_of(printed) == 5


def pages_of(data: str) -> int:
    """The number of pages of a PDF, which Chromium sends in base 64."""
    pdf = b64decode(data)
    parts = [pdf]
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        try:
            parts.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return max(len(re.findall(rb"/Type\s*/Page\b", part)) for part in parts)


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


# Sources

AREAS = "[...document.querySelectorAll('[data-from]')].filter(e => e.checkVisibility())"
LIT = (
    "[...document.querySelectorAll('text.lit')].filter(e => e.checkVisibility())"
    ".map(e => [e.getAttribute('class').match(/\\d+(?= )/)[0], e.textContent])"
)
LINE = "document.querySelector('.sources').innerText"
NAME = "document.activeElement.getAttribute('aria-label')"
FOCUSED = f"{AREAS}.indexOf(document.activeElement)"


def press(tab: Browser, key: str) -> None:
    """Press a key, as a person does."""
    for kind in ("rawKeyDown", "keyUp"):
        code = {"Tab": 9, "ArrowRight": 39, "ArrowLeft": 37, "End": 35}[key]
        tab.tell("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)


def point(tab: Browser, number: int, *, click: bool = False) -> None:
    """Move the pointer to an area, and perhaps click it."""
    x, y = tab.evaluate(
        f"(r => [r.x + r.width / 2, r.y + r.height / 2])({AREAS}[{number}].getBoundingClientRect())"
    )
    tab.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    for kind in ("mousePressed", "mouseReleased") if click else ():
        button = {"button": "left", "clickCount": 1}
        tab.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)


def expected(line: str) -> list[tuple[str, Counter[tuple[str, str]]]]:
    """For each cell of the result, its sentence, and the numbers that NumPy says are lit."""
    answer = answered(line)
    taken = [array.ravel() for array in places_in(answer)]
    cells = of_answer(answer).blocks[-1].cells
    wanted = []
    for n, cell in enumerate(cells):
        lit: Counter[tuple[str, str]] = Counter()
        for operand, places in enumerate(taken):
            place = int(places[n])
            number = str(place + 1 if operand else 10 * place)
            lit[str(operand), number] = int((places == place).sum())
        wanted.append((cell.in_words, lit))
    return wanted


def lit(tab: Browser) -> Counter[tuple[str, str]]:
    """The numbers that are lit, by operand."""
    return Counter((operand, number) for operand, number in tab.evaluate(LIT))


@pytest.mark.parametrize(
    "line",
    in_turn(
        [
            *("numpy scores=4,1 mask=3", "numpy 2,2,1 2,3", "left 2,3 2", "pdpd 2,3 2,1 --axis 0"),
            *("ncnn 2,3,2 3,2", "numpy () ()"),
        ],
        2,
    ),
)
def test_by_pointer_and_by_tab(line: str, tab: Browser, tmp_path: Path) -> None:
    """The elements that a cell comes from are lit, stored and repeated, and a line names them."""
    lesson, file = tmp_path / "lesson.txt", tmp_path / "page.html"
    lesson.write_text(line.replace("--axis ", "axis="), "utf-8")
    assert main(["deck", str(lesson), "-o", str(file)]) == 0
    tab.open(file)
    wanted = expected(line)
    assert tab.evaluate(f"{AREAS}.length") == len(wanted)
    assert tab.evaluate(LINE) == ""
    for number, (said, elements) in enumerate(wanted):
        point(tab, number)
        assert tab.evaluate(LINE) == said
        assert lit(tab) == elements
    tab.tell("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    assert (tab.evaluate(LINE), lit(tab)) == ("", Counter())
    for number, (said, elements) in enumerate(wanted):
        press(tab, "Tab")
        assert tab.evaluate(FOCUSED) == number
        assert tab.evaluate(LINE) == tab.evaluate(NAME) == said
        assert lit(tab) == elements
        ring = "parseFloat(getComputedStyle(document.activeElement).strokeWidth)"
        assert tab.evaluate(ring) > 5


def test_in_a_deck(tab: Browser, tmp_path: Path, capsys: Capture) -> None:
    """A click or Tab lights a cell of the slide that is shown; keys turn it, and nothing is lit."""
    lesson, file = tmp_path / "lesson.txt", tmp_path / "deck.html"
    lesson.write_text("# One\n4,1 3\n2,3 3\ncompare 3,3 3\n4,1 3", "utf-8")
    assert main(["deck", str(lesson), "-o", str(file)]) == 0
    tab.open(file)
    shown = "[...document.querySelectorAll('section')].findIndex(s => s.matches('.shown'))"
    press(tab, "ArrowRight")
    point(tab, 4, click=True)
    assert tab.evaluate(shown) == 1
    assert (tab.evaluate(LINE), lit(tab)) == expected("numpy 4,1 3")[4]
    press(tab, "Tab")
    tab.tell("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    assert (tab.evaluate(LINE), lit(tab)) == expected("numpy 4,1 3")[5]
    press(tab, "ArrowRight")
    assert (tab.evaluate(shown), tab.evaluate(LINE), lit(tab)) == (2, "", Counter())
    press(tab, "Tab")
    assert (tab.evaluate(LINE), lit(tab)) == expected("numpy 2,3 3")[0]
    press(tab, "ArrowLeft")
    press(tab, "Tab")
    assert (tab.evaluate(LINE), lit(tab)) == expected("numpy 4,1 3")[0]
    for _ in range(2):
        press(tab, "ArrowRight")
    rows = tab.evaluate(f"{AREAS}.length") // 9
    added = [[("1", "3")] * 3, [("1", "1")] * 3]  # under ncnn B lies down the rows
    for row in range(rows):
        point(tab, 9 * row + 2)
        assert lit(tab) == Counter([("0", "20"), *added[row]])
    assert rows == 2
    names = tab.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(names) == len(set(names))
