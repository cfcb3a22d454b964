"""Decks: one HTML file of slides, turned by keys and printed one page each; and notebooks."""

import sys
from pathlib import Path

import pytest

from bcastcli.cli.main import main
from tests.picture.test_slides import slides, texts

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


def test_a_slide_for_each_question(lesson: Path, capsys: Capture) -> None:
    """Headings and questions in order; a label is the title; rules, frameworks and compare."""
    assert main(["deck", str(lesson), "-o", str(lesson.with_suffix(".html"))]) == 0
    assert capsys.readouterr() == ("", "")
    text = lesson.with_suffix(".html").read_text("utf-8")
    assert "<title>Broadcasting</title>" in text
    shown = [texts(slide) for slide in slides(text)]
    assert [slide.pop() for slide in shown] == [*"12345"], "slides have numbers"
    heading, both, _, torch, compared = shown
    assert heading == ["Broadcasting"]
    assert both[0] == "Both stretch"
    assert both[-1] == "(4, 3)"
    assert torch[-1].startswith("mismatch: A has 4 and B has 3")
    assert compared[0] == "The same shape, other values"
    assert "ncnn" in compared


def test_the_operator_of_a_slide(lesson: Path, capsys: Capture) -> None:
    """`op=` on a line is its operator, and NumPy's first figure: 1 2 3 times 2."""
    lesson.write_text("3 scalar op=* # Figure 1\nop=== torch 3 2,1\n3 3 op=@", "utf-8")
    assert main(["deck", str(lesson)]) == 2
    out, err = capsys.readouterr()
    times, less = map(texts, slides(out))
    assert [text for text in times if text.isdigit()] == [*"1232222461"]
    assert {"×", "A * B[None]"} < {*times}
    assert {"==", "T", "F", "A.unsqueeze(0) == B"} < {*less}
    assert "line 3: '@' is not one of + - *" in err


def test_options_of_the_command_line(lesson: Path, capsys: Capture) -> None:
    """A line takes the options as they are typed at a prompt."""
    settings = "pdpd 3,4 3 axis=0\n3 2 op=*\ncompare 3,3 3 rules=numpy,ncnn\n"
    options = "pdpd 3,4 3 --axis 0\n3 2 --op '*' --picture\ncompare --rules numpy,ncnn 3,3 3\n"
    shown = []
    for text in (settings, options):
        lesson.write_text(text, "utf-8")
        main(["deck", str(lesson), "-o", "-"])
        shown.append(capsys.readouterr())
    assert shown[0] == shown[1]
    assert len(slides(shown[0].out)) == 3


def test_b_as_it_is_stored(lesson: Path, capsys: Capture) -> None:
    """Built up, a vector that lies down a column begins as a row."""
    lesson.write_text("pdpd 3,4 3 axis=0\nncnn 3,2 3\n", "utf-8")
    assert main(["deck", str(lesson), "--build"]) == 0
    shown = slides(capsys.readouterr().out)
    for number in (0, 4):
        at = [e for e in shown[number].iter() if e.get("class", "").endswith("-stored1")]
        boxes = [e for e in at if e.tag.endswith("rect")]
        assert len({e.get("y") for e in boxes}) == 1
        assert len({e.get("x") for e in boxes}) == 3


def test_the_rules_of_a_comparison(lesson: Path, capsys: Capture) -> None:
    """`rules=` on a line of compare chooses the rules, as --rules does, by any name."""
    lesson.write_text("compare 3,3 3 rules=ncnn,torch # Two\ncompare none=3,3 3", "utf-8")
    assert main(["deck", str(lesson)]) == 0
    two, every = map(texts, slides(capsys.readouterr().out))
    assert two[0] == "Two"
    assert {"torch", "ncnn"} <= {*two}
    assert not any("onnx" in text for text in two)
    assert any("onnx" in text for text in every)


@pytest.mark.parametrize("way", ["itself", "link", "hard link", "standard input"])
def test_the_questions_are_never_overwritten(
    way: str, lesson: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Slides that would replace their own questions are refused, by whatever name."""
    output = lesson.with_name("slides.html")
    arguments = ["deck", str(lesson), "-o", str(output)]
    if way == "itself":
        arguments[-1] = str(lesson)
    elif way == "standard input":
        arguments[1:] = ["-", "-o", str(lesson)]
    elif way == "link":
        output.symlink_to(lesson.name)
    else:
        output.hardlink_to(lesson)
    with lesson.open() as opened:
        monkeypatch.setattr(sys, "stdin", opened)
        assert main(arguments) == 2
    assert capsys.readouterr().err.endswith("holds the questions: write the slides elsewhere\n")
    assert lesson.read_text("utf-8") == LESSON


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
    """More slides than anyone shows are refused: of too many lines after the first one."""
    file = tmp_path / "many.txt"
    file.write_text("# a\n\n" * 1_999 + "4,1 3\n", "utf-8")
    assert main(["deck", "--build", str(file)]) == 2
    assert capsys.readouterr().err.endswith(" makes more than 2,000 slides: split it\n")
    monkeypatch.setattr("bcastcli.deck.page.slides", lambda *_, **__: [""])
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
    assert main(["deck", str(file), "-o", ""]) == 2
    assert "cannot write '': " in capsys.readouterr().err
