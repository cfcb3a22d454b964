"""Decks: one HTML file of slides, read as XML."""

import sys
from pathlib import Path

import pytest

from bcastcli.cli.main import main
from tests.command_lines import summary
from tests.in_memory import Ended, run
from tests.picture.test_slides import slides, texts
from tests.rows import each_row

Capture = pytest.CaptureFixture[str]
LESSON = """\
# Broadcasting

4,1 3                 # Both stretch
pdpd 3,4 3 axis=0
torch 3,4 3
compare 3,3 3         # The same shape, other values
"""


def deck(lines: str, *options: str) -> Ended:
    """What comes of lines on standard input."""
    return run(["deck", "-", *options], lines.encode())


def test_summary() -> None:
    """`-h` and TAB say in a line what the command is for."""
    assert summary("deck") == "Make slides for a talk"


def test_a_slide_for_each_question(tmp_path: Path) -> None:
    """Headings and questions in order; a label is the title; rules, frameworks and compare."""
    file, output = tmp_path / "lesson.txt", tmp_path / "lesson.html"
    file.write_text(LESSON, "utf-8")
    assert run(["deck", str(file), "-o", str(output)]) == (0, "", "")
    text = output.read_text("utf-8")
    assert text == deck(LESSON).out
    assert "<title>Broadcasting</title>" in text
    assert {slide.get("width") for slide in slides(text)} == {"1280"}
    shown = [texts(slide) for slide in slides(text)]
    assert [slide.pop() for slide in shown] == [*"12345"], "slides have numbers"
    heading, both, _, torch, compared = shown
    assert heading == ["Broadcasting"]
    assert both[0] == "Both stretch"
    assert both[-1] == "(4, 3)"
    assert torch[-1].startswith("mismatch: A has 4 and B has 3")
    assert compared[0] == "The same shape, other values"
    assert "ncnn" in compared


def test_titles(tmp_path: Path) -> None:
    """Without a heading, the name of the file is the title; in headings nothing is left raw."""
    file = tmp_path / "a\u202eb.txt"
    file.write_text("2,3 3", "utf-8")
    assert r"<title>a\u202eb</title>" in run(["deck", str(file)]).out
    assert "<title>slides</title>" in deck("2,3 3").out
    assert "<title>X and O #1</title>" in deck("2,3 3\n#  X and O #1\n# Y").out
    text = deck("2,3 3 # la\x1b[1mbel\u202e\n#\x0bhead\x07ing\u2066\n").out
    labelled, heading = slides(text)
    assert texts(labelled)[0] == r"la\x1b[1mbel\u202e"
    assert texts(heading) == [r"\x0bhead\x07ing\u2066", "2"]
    assert r"<title>\x0bhead\x07ing\u2066</title>" in text


def test_headings_are_large() -> None:
    """A heading is as large as its line allows, and a long one is wrapped."""
    sizes = [
        {text.get("font-size") for text in slide.iter() if text.get("class", "").endswith("ading")}
        for slide in slides(deck(f"# Hi\n# {'word ' * 8}\n# {'word ' * 20}\n#").out)
    ]
    assert sizes == [{"64"}, {"45.8"}, {"40"}, {"64"}]


def test_the_operator_of_a_slide() -> None:
    """`op=` on a line is its operator, and NumPy's first figure: 1 2 3 times 2."""
    ended = deck("3 scalar op=* # Figure 1\nop=== torch 3 2,1\n3 3 op=@")
    times, less = map(texts, slides(ended.out))
    assert [text for text in times if text.isdigit()] == [*"1232222461"]
    assert {"×", "A * B[None]"} < {*times}
    assert {"==", "T", "F", "A.unsqueeze(0) == B"} < {*less}
    assert (ended.status, ended.err) == (
        2,
        "bcastcli: line 3: '@' is not one of + - * / ==\n  3 3 op=@\n      ^^^^\n",
    )


def test_options_of_the_command_line() -> None:
    """A line takes the options as they are typed at a prompt."""
    settings = (
        "pdpd 3,4 3 axis=0\nexplicit 3 2,3 axes=1\n3 2 op=*\ncompare 3,3 3 rules=numpy,ncnn\n"
    )
    options = (
        "pdpd 3,4 3 --axis 0\nexplicit 3 2,3 --axes=1\n3 2 --op '*' --picture\n"
        "compare --rules numpy,ncnn 3,3 3\n"
    )
    assert deck(settings) == deck(options)
    assert len(slides(deck(settings).out)) == 4


def test_built_up() -> None:
    """Built up, a vector that lies down a column begins as a row."""
    shown = slides(deck("pdpd 3,4 3 axis=0\nncnn 3,2 3\n", "--build").out)
    for number in (0, 4):
        at = [e for e in shown[number].iter() if e.get("class", "").endswith("-stored1")]
        boxes = [e for e in at if e.tag.endswith("rect")]
        assert len({e.get("y") for e in boxes}) == 1
        assert len({e.get("x") for e in boxes}) == 3


def test_the_rules_of_a_comparison() -> None:
    """`rules=` on a line of compare chooses the rules, as --rules does, by any name."""
    lines = "compare 3,3 3 rules=ncnn,torch # Two\ncompare none=3,3 3"
    two, every = map(texts, slides(deck(lines).out))
    assert two[0] == "Two"
    assert {"torch", "ncnn"} <= {*two}
    assert not any("onnx" in text for text in two)
    assert any("onnx" in text for text in every)


@each_row("way", ["itself", "link", "hard link", "standard input"])
def test_the_questions_are_never_overwritten(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Slides that would replace their own questions are refused, by whatever name."""
    lesson, output = tmp_path / f"{way}.txt", tmp_path / f"{way}.html"
    lesson.write_text(LESSON, "utf-8")
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
    assert capsys.readouterr().err == (
        f"bcastcli: {arguments[-1]} holds the questions: write the slides elsewhere\n"
    )
    assert lesson.read_text("utf-8") == LESSON


def test_files_that_fail(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be read or written is refused in a sentence; a device is written to."""
    file, gone = tmp_path / "lesson.txt", tmp_path / "no" / "d.html"
    file.write_bytes(b"3 \xff")
    sentences = {
        (str(file),): f"cannot read {file}: it is not UTF-8",
        (str(gone),): f"cannot read {gone}: No such file or directory",
        ("-", "-o", str(gone)): f"cannot write {gone}: No such file or directory",
        ("-", "-o", str(tmp_path)): f"cannot write {tmp_path}: Is a directory",
        ("-", "-o", ""): "cannot write '': Is a directory",
        ("/dev/null", "-o", "/dev/null"): "/dev/null has no questions",
        ("/dev/zero",): "/dev/zero is larger than 1 MiB: split it",
    }
    if Path("/dev/full").exists():  # on Linux
        sentences["-", "-o", "/dev/full"] = "cannot write /dev/full: No space left on device"
    for arguments, sentence in sentences.items():
        assert run(["deck", *arguments], b"3 3") == (2, "", f"bcastcli: {sentence}\n")
    assert run(["deck", "-", "-o", "/dev/null"], b"3 3") == (0, "", "")
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["deck", "-"]) == 2
    assert capsys.readouterr().err == "bcastcli: cannot read: standard input is closed\n"


def test_limits(tmp_path: Path) -> None:
    """A file of up to 1 MiB makes up to 2,000 slides."""
    file = tmp_path / "many.txt"
    file.write_text(("# a\n" * 2000).ljust(1 << 20), "utf-8")
    assert run(["deck", str(file), "-o", "/dev/null"]) == (0, "", "")
    for text, sentence in (
        ("\n" * ((1 << 20) + 1), f"{file} is larger than 1 MiB: split it"),
        ("# a\n" * 1_999 + "4,1 3", f"{file} makes more than 2,000 slides: split it"),
    ):
        file.write_text(text, "utf-8")
        assert run(["deck", "--build", str(file)]) == (2, "", f"bcastcli: {sentence}\n")


def test_invalid_lines() -> None:
    """An invalid line is reported with its number, and the others become slides all the same."""
    ended = deck("\ufeff2,,3 4\r4,1 3\r\n\n2,,3\n")
    assert len(slides(ended.out)) == 1
    assert (ended.status, ended.err.count("bcastcli: line 1: a size")) == (2, 1)
    assert deck("2,,3\n3 3", "-o", "/dev/null").status == 2
    assert "bcastcli: line 4: a size is missing here\n" in ended.err
    assert deck("2,,3 4\n").err.endswith("bcastcli: - makes no slides\n")
    assert deck("\n") == (2, "", "bcastcli: - has no questions\n")
