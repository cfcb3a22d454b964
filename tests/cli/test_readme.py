"""What the README shows is what a reader gets."""

import os
import re
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from bcastcli.core.answer import Rule
from bcastcli.rules import RULES
from tests import effort
from tests.in_memory import run

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"^```console\n(.*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
SESSIONS = [
    session for block in BLOCKS for session in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)
]
COMMANDS = [session.removeprefix("$ ").partition("\n")[::2] for session in SESSIONS if session]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the commands share, as a reader's would be."""
    return tmp_path_factory.mktemp("reader")


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_command(command: str, shown: str, folder: Path) -> None:
    """Each command that the README shows gives what stands below it."""
    for tool in ("jq", "parallel"):
        if tool in command and not shutil.which(tool) and "CI" not in os.environ:
            pytest.skip(f"needs {tool}")
    words = shlex.split(command)
    if not effort.thorough and words[0] == "bcastcli" and not set("|<>;&$`*") & set(command):
        ended = run(words[1:])
        assert (ended.out + ended.err).rstrip("\n") == shown.rstrip("\n")
        return
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert ran.stdout.rstrip("\n") == shown.rstrip("\n")


def test_commands_are_found() -> None:
    """The README has commands of every kind that it speaks of."""
    assert len(COMMANDS) > 15
    assert {name for name in RULES if any(name in command for command, _ in COMMANDS)} >= {
        *("numpy", "onnx", "onnx-uni", "none", "pdpd", "ncnn")
    }


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rules(rule: Rule) -> None:
    """The README's table of rules says of each what its help says."""
    row = rf"^\| `bcastcli {rule.name} .*` \| {re.escape(rule.summary)} \|$"
    assert re.search(row, README.read_text("utf-8"), re.MULTILINE)
