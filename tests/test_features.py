"""A feature is a folder that could be deleted: everything else runs without it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LEAVES = (("why",), ("model",), ("check",), ("deck",), ("quiz",), ("raising",))
"""The features that no other one needs."""
SHARED = (("picture", "deck"), ("compare", "picture", "deck"))
"""Features that others use when they are asked to, each with those that cannot do without it."""
RUNNING = """
import sys

import bcastcli
from bcastcli.cli.main import main

assert bcastcli.broadcast((4, 1), (3,)).result == (4, 3)
assert main(["-p", "8,1,6,1", "7,1,5"]) == 0
assert main(["torch", "2,3", "3,2"]) == 1
assert main(["op", "Gemm", "-p", "8,64", "64,10", "10"]) == 0
message = "The size of tensor a (3) must match the size of tensor b (4)"
assert main(["why", message]) == (2 if "why" in sys.argv else 1)
for line in ("numpy -h", "rules ncnn", "help topics", "help shapes", "-h"):
    assert main(line.split()) == 0
for name in sys.argv[1:]:
    assert main([name, "3,3", "3"]) == 2
"""


@pytest.mark.parametrize("deleted", [*LEAVES, *SHARED], ids="+".join)
def test_deleted(deleted: tuple[str, ...], tmp_path: Path) -> None:
    """Without a feature, the rest runs and does not name it."""
    package = tmp_path / "bcastcli"
    shutil.copytree(ROOT / "bcastcli", package, ignore=shutil.ignore_patterns("*.pyc"))
    for name in deleted:
        shutil.rmtree(package / name)
    ended = subprocess.run(
        [sys.executable, "-c", RUNNING, *deleted],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    answers = ended.stdout
    assert answers.startswith("8,7,6,5\n")
    assert [name for name in deleted if f"\n  {name} " in answers.rpartition("Usage: ")[2]] == []
    assert ("bcastcli run" in answers.partition("Usage: ")[0]) == (
        not {"raising", "why"} & {*deleted}
    )
