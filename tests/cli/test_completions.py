"""What TAB offers, and the scripts that ask for it (cli/commands/completions.py)."""

import os
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest

from bcastcli.cli.commands.completions import FILES, Shell, complete
from tests.in_memory import run
from tests.rows import each_row

FOLDER = Path(__file__).parents[2] / "completions"


def offered(line: str) -> str:
    """What is offered at the end of a line, in one line."""
    place = "9999" if line.endswith(" ") else "-1"
    request = {"_BCASTCLI_COMPLETE": "complete_bash", "COMP_CWORD": place}
    with (
        patch.dict(os.environ, {**request, "COMP_WORDS": f"bcastcli {line}"}),
        redirect_stdout(StringIO()) as out,
        pytest.raises(SystemExit),  # it returns only after an error
    ):
        complete()
    return " ".join(out.getvalue().split())


@each_row(
    ("line", "expected"),
    [
        ("to", "torch tosa"),  # a framework where no rule begins so
        ("ncnn --or", "--order"),
        ("-1,3 3 --js", "--json"),
        ("'torch.Size([2, 3])' --js", "--json"),
        ("numpy 2,3", ""),  # a shape
        ("compare --rules onnx-", "onnx-uni"),
        ("op Gem", "Gemm"),
        ("op Gemm 3 --opse", "--opset"),
        ("why ", ""),  # files
        ("comp", "compare completions"),
        ("completions ", "bash zsh fish"),
        ("help shap", "shapes"),
        ("help top", "topics"),
        ("rules tor", "torch"),
        ("-p numpy --quie", "--quiet"),
        ("numpy --color a", "auto always"),
        ("--he", "--help"),
        ("run --str", "--strict"),
        ("op --opset 13 Add --js", "--json"),
    ],
)
def test_offered(line: str, expected: str) -> None:
    """What may follow a line is what its command takes there, and the first word may be a shape."""
    assert offered(line) == expected


def test_options_follow_shapes() -> None:
    """After a shape, TAB offers the options of the rule that is asked."""
    assert {"--json", "--strict"} <= {*offered("2,3 ").split()}
    assert "--order" in offered("ncnn 2,3 3 ").split()


@each_row("words", [{}, {"COMP_WORDS": "bcastcli xyzzy 3 ", "COMP_CWORD": "3"}])
def test_no_error_while_typing(words: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing can be offered, TAB shows no error, and the status lets a shell offer files."""
    with patch.dict(os.environ, {"_BCASTCLI_COMPLETE": "complete_bash", **words}):
        assert complete() == 1
    assert capsys.readouterr() == ("", "")


@each_row("shell", Shell)
def test_printed(shell: Shell) -> None:
    """`bcastcli completions SHELL` prints the script."""
    assert run(["completions", shell]).out == (FOLDER / FILES[shell]).read_text("utf-8")
