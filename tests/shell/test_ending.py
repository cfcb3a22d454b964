"""How commands end whatever happens to their streams: the status and one sentence (cli/main.py)."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from tests.effort import QUICK_SHARE, SEED, in_turn, slow
from tests.model_files import graph, model, node

pytestmark = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="the devices and signals of Linux"
)

# What the help shows, and what is like it. Those that read have their input behind `<`.
COMMANDS = """\
8,1,6,1 7,1,5
-p N,4 3,4
numpy 2,,3 4
ncnn 2,3,4 3,4 --order numpy
numpy 4,1 3 --picture
numpy --strict 64,1 64
compare 3,3 3
op
op Gemm 8,64 64,10 10
model small.onnx batch=1 seq=9 --json
model none.onnx
deck lesson.txt -o lesson.html
rules
quiz --seed 7 --sheet
help shapes
completions bash
--version
--help
nonsense 3
- < lines
--json < lines
op - < operators
op Add -q < lines
why < log
quiz --seed 7 --count 3 < replies""".splitlines()
LESSON = "# Broadcasting\n4,1 3  # Both stretch\ncompare 3,3 3\n"
FILES = {
    "lines": "2,3 3\n2,,3\nN 3 # a label\n" * 50,
    "operators": "Add 2,3 3\nGemm 8,64 10,64 10 trans_b=1\n" * 20,
    "log": "step 1\nValueError: operands could not be broadcast together with shapes (2,3) (4,)\n",
    "replies": "2,3\nno\n?\n",
    "lesson.txt": LESSON,
}
DOCUMENTED = (0, 1, 2, 3)

EACH = pytest.mark.parametrize("command", in_turn(COMMANDS, QUICK_SHARE))


class Ended(NamedTuple):
    """What came of a process, and the files that it left."""

    status: int
    out: bytes
    err: str
    left: dict[str, str]


def ended(command: str, streams: str = "", seed: int | None = None) -> Ended:
    """Return what comes of a command, its streams led elsewhere, or interrupted by a seed."""
    words, _, file = command.partition(" < ")
    with TemporaryDirectory() as name:
        folder = Path(name)
        for each, text in FILES.items():
            (folder / each).write_text(text)
        (folder / "small.onnx").write_bytes(small_model())
        program = [sys.executable, "-c", PROGRAM, *shlex.split(words)]
        script = f'exec "$@" < {file or "/dev/null"} {streams}'
        ready, write = os.pipe()
        started = subprocess.Popen(
            ["bash", "-c", script, "bash", *program],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={
                **os.environ,
                "READY": str(write),
                "PYTHONPATH": str(Path.cwd()),
                "PYTHONUNBUFFERED": "1" * streams.endswith("unbuffered"),
            },
            pass_fds=[write],
        )
        os.close(write)
        if seed is not None:
            os.read(ready, 1)
            time.sleep(Random(seed).random() * 0.25)
            started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=60)
        os.close(ready)
        before = {*FILES, "small.onnx"}
        left = {path.name: path.read_text() for path in folder.iterdir() if path.name not in before}
        assert {each: (folder / each).read_text() for each in FILES} == FILES
        return Ended(started.returncode, out, err.decode(), left)


# As `run` sets it at once: before that Python itself writes a traceback.
PROGRAM = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
from bcastcli.__main__ import run
os.write(int(os.environ["READY"]), b".")
run()
"""


@cache
def small_model() -> bytes:
    nodes = [node("Add", "x mask", "y", "mask"), node("Mul", "column row", "z", "grid")]
    inputs = {"x": ["batch", "seq", 16], "mask": [7, 16], "column": [4, 1], "row": [1, 4]}
    return model(graph(nodes, inputs))  # type: ignore[arg-type]  # sizes and names


@cache
def usual(command: str) -> Ended:
    return ended(command)


@slow
@EACH
@pytest.mark.parametrize("streams", ["", "<&-", "< /dev/null", "2>&-", "2> /dev/full"])
def test_documented(command: str, streams: str) -> None:
    """Without input, or nowhere to complain to, a command has a documented status, untraced."""
    found = ended(command, streams)
    assert found.status in DOCUMENTED
    assert "Traceback" not in found.err
    assert found.status != 2 or found.err or "2>" in streams
    if not found.out and found.err and " < " not in command:
        assert found.err.startswith("bcastcli: ")  # and what belongs to it is indented
        assert found.err.count("\nbcast") == 0
    if streams.startswith("2>"):
        assert found._replace(err="") == usual(command)._replace(err="")


@slow
@EACH
@pytest.mark.parametrize(
    "streams", ["> /dev/full", ">&-", "> /dev/full  # unbuffered", ">&-  # unbuffered"]
)
def test_nowhere_to_write(command: str, streams: str) -> None:
    """An answer that cannot be written is no answer: status 2, and one sentence says why."""
    found = ended(command, streams)
    if not usual(command).out:  # as with -q
        assert found == usual(command)
        return
    reason = "standard output is closed" if "&" in streams else "No space left on device"
    assert found.status == 2
    assert found.err.splitlines()[-1] == f"bcastcli: cannot write: {reason}"
    assert "Traceback" not in found.err


@slow
@EACH
def test_interrupted(command: str) -> None:
    """At any moment Ctrl-C kills the process; what was written stays, and no file is half there."""
    found = ended(command, seed=SEED)
    assert found.status in (usual(command).status, -signal.SIGINT)
    assert "Traceback" not in found.err
    assert usual(command).out.startswith(found.out) or "quiz" in command
    assert usual(command).err.startswith(found.err)
    assert found.left in ({}, usual(command).left)
    if found.out and " < replies" in command:
        assert re.search(rb"\d of \d right", found.out)


def test_a_package_that_is_missing(tmp_path: Path) -> None:
    """A model whose bytes fill a pipe gets its sentence, too, where nothing can read it."""
    (tmp_path / "onnx.py").write_text("raise ModuleNotFoundError('onnx')")
    nodes = [node("Relu", "x", f"y{number}", "layer" * 20) for number in range(2_000)]
    (tmp_path / "m.onnx").write_bytes(model(graph(nodes, {"x": [3]})))
    command = [sys.executable, "-m", "bcastcli", "model", "m.onnx"]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"reading ONNX needs: pip install" in done.stderr
