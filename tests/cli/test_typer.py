"""Without the names that Typer keeps to itself, commands answer (cli/commands/__init__.py)."""

import ast
import re
import shlex
from pathlib import Path
from unittest.mock import patch

import pytest

from bcastcli.cli import early
from bcastcli.cli.commands.completions import complete
from bcastcli.cli.parser import built
from tests.in_memory import Ended, run

CLI = Path(early.__file__).parent
LINES = """\
numpy 2,3 3 -qf table
pdpd 2,3 3 --axis x
ncnn -1,3 3 --order=numpy -p
-p torch 2,3 3 --json
compare 3,3 3 --color always
compare 3 3 -f svgg
op Gemm 8,64 64,10 --opset 13 --json
op Add -h
why 'operands could not be broadcast together with shapes (2,3) (4,)'
quiz --sheet --count 2 --seed 1
completions bash
completions zshh
deck
model none.onnx batch=1
numpy 2,3 3 --picture --op *"""


def answers() -> list[Ended]:
    """What the command lines answer that commands built anew read."""
    built.cache_clear()
    with patch.object(early, "read", return_value=None):
        return [run(shlex.split(line), b"2,3 3") for line in LINES.splitlines()]


def test_private_names() -> None:
    """The command line uses no name of Typer's that begins with an underscore."""
    used = {
        node.attr
        for path in CLI.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self"
        if re.match("_[a-z]", node.attr)
    }
    assert used <= {"_asdict", "_replace"}  # of named tuples


def test_where_typer_reads_values_itself() -> None:
    """Each command answers the same where Typer does not ask how it is to read a value."""
    expected = answers()
    with patch("bcastcli.cli.commands.without_pydantic"):
        found = answers()
    built.cache_clear()
    assert [ended.status for ended in found] == [ended.status for ended in expected]
    assert [ended.out for ended in found] == [ended.out for ended in expected]


def test_where_typer_completes_otherwise(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At TAB there is no error, and files are completed."""
    monkeypatch.delattr("typer.completion.completion_init")
    assert complete() == 1
    assert capsys.readouterr() == ("", "")
