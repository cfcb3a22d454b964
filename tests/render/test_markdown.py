"""Markdown: real tables, and everything that users typed as text."""

import io
import sys

import pytest
from markdown_it import MarkdownIt

from bcastcli.cli.main import main
from bcastcli.picture.figure import PictureOptions, Step
from bcastcli.picture.report import PicturedReport
from bcastcli.picture.terminal import Picture
from bcastcli.render import Terminal, markdown
from bcastcli.render.sheet import Cell, Grid, Line, Paragraph, Sheet, Tone
from bcastcli.reports.answers import AnswerReport
from tests.picture.test_answers import answered, lines_of
from tests.rows import each_row

QUESTIONS = (
    *("numpy 2,3,4 3,1", "numpy 3,4 3", "numpy N,4 3,4", "onnx 2,3 4,1 1,3", "numpy ()"),
    *("pdpd 128,3,4 3,9 --axis 1", "ncnn 2,3,4 3,4", "ncnn 2,N 2", "numpy a_b=2,3 _c_=2,3"),
)
NASTY = "a|b `c` *d* _e_ [f](g) <h> ~~i~~ &amp; $j$ **k** ![l](m)"
TERMINAL = Terminal(has_box_characters=True)
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

Capture = pytest.CaptureFixture[str]


def read(text: str) -> list[str]:
    """What a reader sees, piece by piece: cells, lines and fenced blocks; some may be bold."""
    pieces = []
    for token in READER.parse(text):
        if token.type == "inline":
            inside = token.children or []
            assert {child.type for child in inside} <= {"text", "strong_open", "strong_close"}, text
            pieces.append("".join(child.content for child in inside))
        elif token.type == "fence":
            pieces.append(token.content)
    return pieces


def pieces_of(sheet: Sheet) -> list[str]:
    """What there is to see on a sheet."""
    pieces = []
    for part in sheet.parts:
        assert not isinstance(part, Paragraph)
        if isinstance(part, Line):
            pieces.append(f"{part.label}: {part.text}" if part.label else part.text)
        elif isinstance(part, Picture):
            drawn = lines_of(part.figure, boxes=TERMINAL.has_box_characters)
            pieces.append("".join(f"{line}\n" for line in drawn))
        elif isinstance(part, Grid):
            head = [] if part.head else [""] * len(part.rows[0])
            pieces += [*head, *(cell.text for row in part.rows for cell in row)]
    return pieces


@each_row("line", QUESTIONS)
def test_everything_is_shown(line: str) -> None:
    """A reader of Markdown sees each cell and each line of an answer, in order, as it is."""
    answer = answered(line)
    sheet = AnswerReport(answer).sheet()
    assert read(markdown.show(sheet, TERMINAL)) == pieces_of(sheet)


@each_row("line", QUESTIONS)
def test_steps_and_picture(line: str) -> None:
    """So are steps, and pictures are blocks of code."""
    report = PicturedReport(answered(line), steps=Step.RESULT, picture=PictureOptions())
    text = markdown.show(report.sheet(), TERMINAL)
    assert read(text) == pieces_of(report.sheet())
    assert text.count("```text\n") == 1


def test_typed_text_is_text() -> None:
    """Marks in a text are shown, not obeyed: in cells, in labels, in lines and in errors."""
    for tone in Tone:
        grid = Grid(((Cell(NASTY, tone),),), (((Cell(NASTY, tone),),),))
        sheet = Sheet("", "", (grid, Line(NASTY, NASTY, tone), Line("", NASTY, tone)))
        assert read(markdown.show(sheet, TERMINAL)) == pieces_of(sheet)


def test_a_label_is_text(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks and control characters in a label are shown behind the answer, not obeyed."""
    typed = io.TextIOWrapper(io.BytesIO(b"2,3 3 # <img src=x> *a* \x1b[1m"))
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["-f", "markdown"]) == 0
    last = READER.parse(capsys.readouterr().out)[-2]
    assert last.children
    assert "".join(each.content for each in last.children).endswith(
        r"2,3 # <img src=x> *a* \x1b[1m"
    )


def test_lines(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of lines, each gets its answer, and no answer runs into the next one."""
    questions = ["2,3 3", "2,*", "3,4 3", "2,3 2"]
    typed = io.TextIOWrapper(io.BytesIO("\n".join(questions).encode()))
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["numpy", "-f", "markdown"]) == 2
    text = capsys.readouterr().out
    kinds = [token.type for token in READER.parse(text) if token.level == 0 and token.nesting > 0]
    table, line = "table_open", "paragraph_open"
    assert kinds == [table, line, line, line, table, line, table, line, table, line, table, line]
    first, *others = (
        markdown.show(AnswerReport(answered(f"numpy {shapes}")).sheet(), TERMINAL)
        for shapes in questions
        if "*" not in shapes
    )
    assert text.startswith(f"{first}error: ")
    assert text.endswith("".join(others))
