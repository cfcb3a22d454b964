"""`why --run COMMAND`: what the command prints is passed on, then explained (cli/child.py)."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from bcastcli.cli import child
from tests.in_memory import run
from tests.rows import each_row

NUMPY = "operands could not be broadcast together with shapes (2,3) (4,) "
SHOW = "import os, sys; print([os.isatty(n) for n in (0, 1, 2)])"
CLASH = f"import sys; print('step 1'); sys.stderr.write({NUMPY!r}); sys.exit(3)"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and terminals of POSIX")


def ran(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Return what came of a command line that runs a command."""
    return subprocess.run(
        [sys.executable, "-m", "bcastcli", "why", *arguments],
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "NO_COLOR": "1"},
    )


def test_explained() -> None:
    """Each output stays what it is; the explanation follows on standard error."""
    ended = ran("--run", sys.executable, "-c", CLASH)
    assert (ended.returncode, ended.stdout) == (3, b"step 1\n")
    assert ended.stderr.startswith(NUMPY.encode() + b"NumPy: ")
    assert ended.stderr.endswith(b"and neither is 1\n")
    ended = ran("-f", "json", "--run", sys.executable, "-c", CLASH)
    assert json.loads(ended.stderr.decode().removeprefix(NUMPY))["ok"] is False
    assert ran("-q", "--run", sys.executable, "-c", CLASH).stderr == NUMPY.encode()


@each_row(
    ("command", "status"),
    [
        (["sh", "-c", "exit 5"], 5),
        (["true"], 0),
        (["sh", "-c", "kill -15 $$"], 128 + 15),
        (["no-such-command-here"], 127),
        (["./no/such/file"], 127),
        ([os.devnull], 126),
        (["sh", "-c", "echo $0 $1", "-q", "--tee"], 0),
        (["--", "sh", "-c", "exit 4"], 4),
    ],
)
def test_status(command: Sequence[str], status: int) -> None:
    """The status is the command's own, as shells have it; all words after --run are its words."""
    assert run(["why", "--run", *command]).status == status


def test_usage() -> None:
    """Without a command, or with --tee, there is nothing to run; a text may hold the option."""
    assert run(["why", "--run"]).status == 2
    assert run(["why", "--tee", "--run", "true"]).status == 2
    assert "no message" in run(["why", "--", "--run", "x"]).err


def test_not_waiting_for_others() -> None:
    """Once the command has ended, what it left running is not waited for."""
    begun = time.monotonic()
    assert ran("--run", "sh", "-c", "sleep 50 & echo $!").returncode == 0
    assert time.monotonic() - begun < 30


def on_a_terminal(program: str, tmp_path: Path, *, both: bool) -> tuple[str, int]:
    """Return what a program shows on a terminal of 33 columns, and the status; it gets SIGWINCH."""
    import fcntl
    import struct
    import termios

    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 9, 33, 0, 0))
    errors = tmp_path / "errors"
    with errors.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "bcastcli", "why", "--run", sys.executable, "-c", program],
            stdin=slave,
            stdout=slave,
            stderr=slave if both else file,
        )
    shown = b""
    while b"ready" not in shown and process.poll() is None:
        shown += os.read(master, 1024)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 9, 44, 0, 0))
    process.send_signal(signal.SIGWINCH)
    os.close(slave)
    status = process.wait(60)
    while True:
        try:
            piece = os.read(master, 1024)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    return shown.decode().replace("\r\n", "\n"), status


RESIZED = (
    "import os, signal, sys, time\n"
    "changed = []\n"
    "signal.signal(signal.SIGWINCH, lambda *_: changed.append(os.get_terminal_size(1).columns))\n"
    "columns = os.get_terminal_size(1).columns\n"
    "print([os.isatty(n) for n in (0, 1, 2)], columns, 'ready', flush=True)\n"
    "for _ in range(500):\n"
    "    if 44 in changed: break\n"
    "    time.sleep(0.01)\n"
    "print(changed[-1:])\n"
)


def test_terminal(tmp_path: Path) -> None:
    """A terminal stays a terminal, with its size; a file stays none."""
    shown, status = on_a_terminal(RESIZED, tmp_path, both=True)
    assert (shown, status) == ("[True, True, True] 33 ready\n[44]\n", 0)
    shown, status = on_a_terminal(RESIZED, tmp_path, both=False)
    assert (shown, status) == ("[True, True, False] 33 ready\n[44]\n", 0)


def test_interrupted() -> None:
    """Ctrl-C is the command's: it may clean up, and its status is the one that counts."""
    program = (
        "import sys, time\n"
        "try:\n"
        "    print('ready', flush=True); time.sleep(50)\n"
        "except KeyboardInterrupt:\n"
        "    print('cleaned up'); sys.exit(7)\n"
    )
    # In the background of a script Ctrl-C is ignored from the start, by all that is started there.
    asked = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from bcastcli.__main__ import run; run()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", asked, "why", "--run", sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[0] == b"cleaned up\n"
    assert process.returncode == 7


def test_last_words() -> None:
    """What the command writes at its very end is copied, however late that is seen."""
    read, write = os.pipe()

    last = [write]

    class Ending:
        def poll(self) -> int:
            """Write, and end: nothing was there before it was asked."""
            while last:
                os.write(last[0], b"last words")
                os.close(last.pop())
            return 0

    copied = []

    def copy(_number: int, piece: bytes) -> bool:
        copied.append(piece)
        return True

    child._copy_all({read: 1}, cast("Any", Ending()), copy)
    os.close(read)
    assert copied == [b"last words"]


def test_terminated() -> None:
    """A signal to end is passed on to the command."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bcastcli", "why", "--run", "sh", "-c", "echo ready; exec sleep 50"],
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    process.terminate()
    assert process.wait(60) == 128 + signal.SIGTERM
    process.stdout.close()


def test_prompt() -> None:
    """At a terminal why asks for the message; in a pipe it asks nothing."""
    ended = run(["why"], NUMPY.encode(), typing=True)
    assert ended.status == 1
    assert ended.err == "paste the message, then Ctrl-D\n"
    assert run(["why"], NUMPY.encode()).err == ""
    assert run(["why", "-"], NUMPY.encode(), typing=True).err == "paste the message, then Ctrl-D\n"


@each_row("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_wide_text(encoding: str) -> None:
    """PowerShell's files are read, given their mark."""
    mark = "" if encoding == "utf-16" else "\ufeff"
    ended = run(["why", "-p"], f"{mark}step 1\r\n{NUMPY}\r\n".encode(encoding))
    assert (ended.status, ended.err) == (1, "")
