"""Decks: one HTML file of slides, turned by keys and printed one page each; and notebooks."""

import io
import os
import re
import stat
import subprocess
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import bcastcli
from bcastcli.cli.main import main
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES
from tests.pages.browser import Browser

Capture = pytest.CaptureFixture[str]
LESSON = """\
# Broadcasting

4,1 3                 # Both stretch
pdpd 3,4 3 axis=0
torch 3,4 3
compare 3,3 3         # The same shape, other values
"""


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    file = tmp_path / "lesson.txt"
    file.write_text(LESSON, "utf-8")
    return file


def slides(text: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(each) for each in re.findall("<svg .*?</svg>", text, re.DOTALL)]


def texts(slide: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in slide.iter("{http://www.w3.org/2000/svg}text")]


def test_a_slide_for_each_question(lesson: Path, capsys: Capture) -> None:
    """Headings and questions in order; a label is the title; rules, frameworks and compare."""
    assert main(["deck", str(lesson), "-o", str(lesson.with_suffix(".html"))]) == 0
    assert capsys.readouterr() == ("", "")
    text = lesson.with_suffix(".html").read_text("utf-8")
    assert "<title>Broadcasting</title>" in text
    shown = [texts(slide) for slide in slides(text)]
    assert [slide.pop() for slide in shown] == [*"12345"], "slides have numbers"
    heading, both, pdpd, torch, compared = shown
    assert heading == ["Broadcasting"]
    assert both[0] == "Both stretch"
    assert both[-1] == "(4, 3)"
    assert "axis=0" in pdpd
    assert torch[-1].startswith("mismatch: A has 4 and B has 3")
    assert compared[0] == "The same shape, other values"
    assert "ncnn" in compared


def test_the_rules_of_a_comparison(lesson: Path, capsys: Capture) -> None:
    """`rules=` on a line of compare chooses the rules, as --rules does, by any name."""
    lesson.write_text("compare 3,3 3 rules=ncnn,torch # Two\ncompare none=3,3 3", "utf-8")
    assert main(["deck", str(lesson)]) == 0
    two, every = map(texts, slides(capsys.readouterr().out))
    assert two[0] == "Two"
    assert {"numpy", "ncnn"} <= {*two}
    assert not any("onnx" in text for text in two)
    assert any("onnx" in text for text in every)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("compare 3,3 3 rules=ncnn,trch", "there is no rule trch; did you mean torch?"),
        ("compare rules= 3,3 3", "no rule was named"),
        ("compare rules=ncnn 3,3 3 rules=numpy", "rules is given twice"),
        ("compare 3,3 3 rules=ncnn,numpy axis=1", "this rule takes no axis"),
        ("compare --rules numpy,ncnn 3,3 3", "write an option as NAME=VALUE"),
    ],
)
def test_rules_that_cannot_be_compared(lesson: Path, capsys: Capture, line: str, says: str) -> None:
    """A wrong choice of rules is an error of its line."""
    lesson.write_text(f"{line}\n3 3", "utf-8")
    assert main(["deck", str(lesson)]) == 2
    assert f"bcastcli: line 1: {says}" in capsys.readouterr().err


def test_built_step_by_step(lesson: Path, capsys: Capture) -> None:
    """With --build a question is up to four slides, of which the last alone has the answer."""
    assert main(["deck", str(lesson), "--build", "--theme", "dark"]) == 0
    shown = slides(capsys.readouterr().out)
    assert len(shown) == 1 + 4 + 4 + 2 + 3
    assert ["(4, 3)" in texts(slide) for slide in shown[1:5]] == [False, False, False, True]
    assert all(slide[2].get("fill") == "#141414" for slide in shown)


def test_steps_and_what_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """With --steps the shapes stand beside the cells, and the gradient on a slide of its own."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"8,1,6,1 7,1,5\n3,4 3\n")))
    assert main(["deck", "-", "--steps"]) == 0
    out = capsys.readouterr().out
    assert "<title>slides</title>" in out
    steps, follows, mismatch = map(texts, slides(out))
    assert {"1 align", "2 compare", "(1)→8", "(8, 7, 6, 5)"} <= {*steps}
    assert {"written out", "gradient", "size"} <= {*follows}
    assert not {"written out", "gradient", "size"} & {*steps, *mismatch}


def test_a_line_without_room(tmp_path: Path, capsys: Capture) -> None:
    """A question that fits no slide is named on standard error, and the others are made."""
    file = tmp_path / "lesson.txt"
    file.write_text(f"2,3 3\n{'b' * 90}=3,1 3\n4 4\n", "utf-8")
    assert main(["deck", str(file)]) == 2
    out, err = capsys.readouterr()
    assert len(slides(out)) == 2
    assert err == "bcastcli: line 2: this has no room on a slide of 1280 by 720\n"


@pytest.mark.parametrize("way", ["itself", "link", "hard link", "standard output"])
def test_the_questions_are_never_overwritten(way: str, lesson: Path) -> None:
    """Slides that would replace their own questions are refused, by whatever name."""
    output = lesson.with_name("slides.html")
    arguments = ["deck", str(lesson), "-o", str(output)]
    if way == "itself":
        arguments[-1] = str(lesson)
    elif way == "link":
        output.symlink_to(lesson.name)
    elif way == "hard link":
        output.hardlink_to(lesson)
    else:
        arguments = arguments[:2]
    command = [sys.executable, "-m", "bcastcli", *arguments]
    with lesson.open("ab") as stdout:
        ended = subprocess.run(
            command, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8", check=False
        )
    assert ended.returncode == 2
    assert ended.stderr.endswith("holds the questions: write the slides elsewhere\n")
    assert lesson.read_text("utf-8") == LESSON


@pytest.mark.skipif(os.name == "nt", reason="there are other permissions")
def test_a_file_is_replaced_as_a_whole(lesson: Path) -> None:
    """Slides take the place of older ones, with their permissions and through a link."""
    folder = lesson.parent
    output = folder / "slides.html"
    output.write_text("old", "utf-8")
    output.chmod(0o640)
    link = folder / "link.html"
    link.symlink_to(output.name)
    with output.open(encoding="utf-8") as older:
        assert main(["deck", str(lesson), "-o", str(link)]) == 0
        assert older.read() == "old"  # who reads it already has all of it
    assert link.is_symlink()
    assert stat.S_IMODE(output.stat().st_mode) == 0o640
    assert "<title>Broadcasting</title>" in output.read_text("utf-8")
    assert sorted(path.name for path in folder.iterdir()) == [
        "lesson.txt",
        "link.html",
        "slides.html",
    ]
    (folder / "plain").touch()
    assert main(["deck", str(lesson), "-o", str(folder / "new.html")]) == 0
    assert (folder / "new.html").stat().st_mode == (folder / "plain").stat().st_mode


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device")
def test_slides_for_devices(lesson: Path, capsys: Capture) -> None:
    """A device is written to as it is; where there is no room, one sentence says so."""
    assert main(["deck", str(lesson), "-o", "/dev/null"]) == 0
    assert main(["deck", str(lesson), "-o", "/dev/full"]) == 2
    assert capsys.readouterr().err == (
        "bcastcli: cannot write /dev/full: No space left on device\n"
    )
    assert main(["deck", str(lesson), "-o", str(lesson.parent)]) == 2
    assert capsys.readouterr().err.endswith(": Is a directory\n")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the device")
def test_input_without_end(capsys: Capture) -> None:
    """A file without an end is read up to 1 MiB, and refused in one sentence."""
    assert main(["deck", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "bcastcli: /dev/zero is larger than 1 MiB: split it\n"


def test_too_many_slides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """More slides than anyone shows are refused: those of too many lines before any is drawn."""
    file = tmp_path / "many.txt"
    file.write_text("# a\n\n" * 1_999 + "4,1 3\n", "utf-8")
    assert main(["deck", "--build", str(file)]) == 2
    assert capsys.readouterr().err.endswith(" makes more than 2,000 slides: split it\n")
    monkeypatch.delattr("bcastcli.render.deck.heading")
    file.write_text("# a\n" * 2_001, "utf-8")
    assert main(["deck", str(file)]) == 2
    assert capsys.readouterr().err.endswith(" makes more than 2,000 slides: split it\n")


def test_hostile_headings(tmp_path: Path, capsys: Capture) -> None:
    """Control and direction characters in headings and names are escaped: the file is XML still."""
    file = tmp_path / "a\u202eb.txt"
    file.write_text("2,3 3 # la\x1b[1mbel\u202e\n#\x0bhead\x07ing\u2066\n", "utf-8")
    assert main(["deck", str(file)]) == 0
    text = capsys.readouterr().out
    labelled, heading = slides(text)
    assert texts(labelled)[0] == r"la\x1b[1mbel\u202e"
    assert texts(heading) == [r"\x0bhead\x07ing\u2066", "2"]
    assert r"<title>\x0bhead\x07ing\u2066</title>" in text
    file.write_text("2,3 3\n", "utf-8")
    assert main(["deck", str(file)]) == 0
    assert r"<title>a\u202eb</title>" in capsys.readouterr().out


def test_invalid_lines(tmp_path: Path, capsys: Capture) -> None:
    """An invalid line is reported with its number, and the others become slides all the same."""
    file = tmp_path / "lesson.txt"
    file.write_text("2,,3 4\n4,1 3\n", "utf-8")
    assert main(["deck", str(file)]) == 2
    out, err = capsys.readouterr()
    assert len(slides(out)) == 1
    assert err.startswith("bcastcli: line 1: ")
    file.write_text("2,,3 4\n", "utf-8")
    assert main(["deck", str(file)]) == 2
    assert capsys.readouterr().err.endswith(f"bcastcli: {file} makes no slides\n")
    file.write_text("\n", "utf-8")
    assert main(["deck", str(file)]) == 2
    assert capsys.readouterr() == ("", f"bcastcli: {file} contains no questions\n")
    assert main(["deck", str(tmp_path / "none.txt")]) == 2
    assert "cannot read" in capsys.readouterr().err
    file.write_text("3 3", "utf-8")
    assert main(["deck", str(file), "-o", str(tmp_path / "no" / "d.html")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_keys_and_pages_in_a_browser(lesson: Path, tab: Browser) -> None:
    """Arrow keys turn the slides, each fills the window, and each is a page in print."""
    file = lesson.with_suffix(".html")
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
    from base64 import b64decode

    pdf = b64decode(data)
    parts = [pdf]
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        try:
            parts.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return max(len(re.findall(rb"/Type\s*/Page\b", part)) for part in parts)


def test_in_a_notebook() -> None:
    """A question shows its picture, as SVG or HTML, and its answer in a line of text."""
    question = bcastcli.Question((4, 1), (3,))
    assert repr(question) == "Question('4,1 3', rule='numpy'): 4,3"
    [slide] = slides(question._repr_svg_())
    assert "33" in texts(slide)
    [inlined] = slides(question._repr_html_())
    assert inlined.get("width") is None
    assert inlined.get("viewBox") == "0 0 1280 720"
    assert bcastcli.Question("3,4", 3, rule="pdpd", axis=0).answer.result == (3, 4)
    assert bcastcli.Question((None, 4), ()).answer.result == ("?", 4)
    with pytest.raises(NotationError):
        bcastcli.Question("2,,3")
    for empty in ("", " "):
        with pytest.raises(NotationError, match="an argument is empty"):
            bcastcli.Question(empty, 3)
    with pytest.raises(LookupError):
        bcastcli.Question("3 3", rule="nonsense")
    with pytest.raises(TypeError, match="numpy has no option axis"):
        bcastcli.Question("3 3", axis=1)
    with pytest.raises(AttributeError):
        _ = bcastcli.nonsense


def test_an_answer_is_its_picture() -> None:
    """An answer's own picture is the slide that the command writes, with its operands' names."""
    yes, no = bcastcli.broadcast(scores=(4, 1), mask=(3,)), bcastcli.broadcast((3, 4), (3,))
    [shown], [inlined] = slides(yes._repr_svg_()), slides(yes._repr_html_())
    assert {"scores (4, 1)", "mask (3,)", "33"} < set(texts(shown))
    assert texts(inlined) == texts(shown)
    assert "data-from" not in yes._repr_html_()
    assert texts(slides(no._repr_svg_())[0])[-1].startswith(f"mismatch: {no.reason}")


def test_arrays_in_a_notebook() -> None:
    """Of whatever has a shape, that shape is asked about, and not what it holds."""
    arange, scalar = np.arange(3), np.int64(7)
    assert bcastcli.Question(arange, np.arange(2)).answer.shapes == ((3,), (2,))
    assert bcastcli.Question(np.zeros((4, 1)), scalar, "3").answer.result == (4, 3)
    assert bcastcli.Question(np.shape(arange), (np.int64(2), 1)).answer.result == (2, 3)


def test_the_rules_for_programs() -> None:
    """`bcastcli.RULES` are the rules of the commands; no other name is made up."""
    assert list(bcastcli.RULES) == list(RULES)
    with pytest.raises(AttributeError, match="no attribute 'Astrology'"):
        _ = bcastcli.Astrology


def test_a_slide_of_steps_has_its_own_answer(lesson: Path, capsys: Capture) -> None:
    """Where rules differ, the slides of each have its name, its answer and what follows from it."""
    lesson.write_text("compare 3,3 3", "utf-8")
    assert main(["deck", str(lesson), "--steps"]) == 0
    shown = [*map(texts, slides(capsys.readouterr().out))]
    wanted = (("numpy, onnx", "A + B.reshape(1,3)"), ("ncnn", "A + B.reshape(3,1)"))
    for place, (rule, code) in zip((0, 2), wanted, strict=True):
        steps, follows = shown[place : place + 2]
        assert steps[1].startswith(rule)
        assert steps[-2] == "(3, 3)"
        assert follows[1].startswith(rule)
        assert [text for text in follows if "reshape" in text] == [code]
