"""What several tests of the command line ask, and how they ask it."""

import json
import subprocess
import sys
from typing import Any

import pytest

from bcastcli.cli.main import main
from bcastcli.cli.parser import built
from tests.in_memory import run

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3

# For each rule a question with each status.
ASKED = {
    "numpy": (["2,3", "3"], ["2,3", "2,4"], ["2,,3", "4"], ["N,4", "3,4"]),
    "onnx": (["4,5", "2,3,4,5"], ["2,3", "4,1"], ["2.3"], ["N", "M"]),
    "onnx-uni": (["2,3", "3"], ["3", "2,3"], ["2"], ["2,N", "3"]),
    "none": (["2,3", "2,3"], ["2,3", "1,3"], ["2"], ["N,3", "2,3"]),
    "pdpd": (
        ["2,3,4,5", "3,4", "--axis", "1"],
        ["2,3,4,5", "3,4"],
        ["2", "3", "4"],
        ["2,3", "3,N", "--axis", "1"],
    ),
    "bidirectional": (["3,1", "2,1,6"], ["3,4", "3"], ["3"], ["N", "3"]),
    "ncnn": (["2,3,4", "3,4"], ["2,3,4", "2,3"], ["2", "1e3"], ["N", "3"]),
}
RULES = list(ASKED)
every_rule = pytest.mark.parametrize("rule", RULES)
every_status = pytest.mark.parametrize("status", [YES, NO, MALFORMED, DEPENDS])
every_answer = pytest.mark.parametrize("status", [YES, NO, DEPENDS])
Output = pytest.CaptureFixture[str]


def spelled(value: object) -> str | None:
    """Arguments as the name of a test case."""
    return " ".join(map(str, value))[:40] if isinstance(value, list) else None


def process(*arguments: str | bytes, **settings: Any) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, with nothing to read."""
    return subprocess.run(
        [sys.executable, "-m", "bcastcli", *arguments],
        check=False,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings},
    )


def answer(capsys: Output, *arguments: str) -> dict[str, Any]:
    """The JSON object that answers the arguments."""
    main([*arguments, "--json"])
    return dict(json.loads(capsys.readouterr().out))


def complaint(capsys: Output, arguments: list[str]) -> str:
    """What is said of arguments that ask nothing; and only that is said."""
    assert main(arguments) == MALFORMED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("bcastcli: ")
    assert err.endswith("\n")
    assert "Traceback" not in err
    return err


def summary(name: str) -> str:
    """A command in a line, which `-h` and TAB show."""
    command = built(name)
    shown = str(command.get_short_help_str(limit=200))
    assert command.name == name
    assert f"  {name:12} {shown}\n" in run(["-h"]).out
    return shown
