"""Where answers go: colors, encodings, hostile text, closed and full outputs, and signals."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys

import pytest

from bcastcli.cli.main import main
from tests.command_lines import (
    MALFORMED,
    NO,
    Output,
    complaint,
    every_answer,
    every_rule,
    every_status,
    process,
    spelled,
)
from tests.effort import each_once
from tests.in_memory import run
from tests.rows import each_row

needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="the shell's redirections")


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A script of bash in which `bcastcli` is the command line."""
    function = f'bcastcli() {{ {shlex.quote(sys.executable)} -m bcastcli "$@"; }}'
    return subprocess.run(
        ["bash", "-c", f"{function}\nset -o pipefail\n{script}"],
        check=False,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **environment},
    )


# Colors


ALWAYS, AUTO, NEVER = (["--color", when] for when in ("always", "auto", "never"))


@each_row(
    ("arguments", "environment", "terminal", "colored"),
    [
        ([], {}, False, False),
        (AUTO, {}, False, False),
        (ALWAYS, {}, False, True),
        (NEVER, {}, False, False),
        (ALWAYS, {"NO_COLOR": "1"}, False, True),
        (ALWAYS, {"TERM": "dumb"}, False, True),
        (NEVER, {"FORCE_COLOR": "1"}, False, False),
        ([], {"FORCE_COLOR": "1"}, False, True),
        (AUTO, {"FORCE_COLOR": "1"}, False, True),
        ([], {"NO_COLOR": "1"}, False, False),
        (AUTO, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ([], {"CLICOLOR_FORCE": "1"}, False, True),
        ([], {"CLICOLOR_FORCE": "0"}, False, False),
        ([], {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, False, False),
        (NEVER, {"CLICOLOR_FORCE": "1"}, False, False),
        ([*ALWAYS, "--json"], {}, False, False),
        ([*ALWAYS, "-p"], {}, False, False),
        ([], {"TERM": "xterm"}, True, True),
        ([], {"TERM": "dumb"}, True, False),
        ([], {"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        (NEVER, {"TERM": "xterm"}, True, False),
        (ALWAYS, {"TERM": "xterm", "NO_COLOR": "1"}, True, True),
    ],
)
def test_color(
    arguments: list[str], environment: dict[str, str], terminal: bool, colored: bool
) -> None:
    """--color wins over NO_COLOR, which wins over FORCE_COLOR.

    A pipe gets no colors by itself, nor does a dumb terminal, and data never do.
    """
    ended = run(["numpy", "2,3", "4", *arguments], environment=environment, terminal=terminal)
    assert (ended.status, "\x1b[" in ended.out) == (NO, colored)


@each_once
@every_rule
@every_answer
def test_colors_change_nothing_else(capsys: Output, arguments: list[str], status: int) -> None:
    """Without its color sequences a colored table is the plain table, with the same status."""
    assert main(arguments) == status
    plain = capsys.readouterr().out
    assert main([*arguments, "--color", "always"]) == status
    colored = capsys.readouterr().out
    bare = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert colored != bare
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


# Encodings


@each_once
@every_rule
@every_status
def test_ascii(arguments: list[str], status: int) -> None:
    """Where only ASCII can be shown, everything is ASCII, with the same status."""
    ended = run(arguments, encoding="ascii")
    assert ended.status == status
    assert (ended.out + ended.err).isascii()
    assert ended.out == run(arguments).out.replace("─", "-")
    assert ended.out or status == MALFORMED


@each_row(
    ("arguments", "shown"),
    [
        (["numpy", "2×é"], r"  2\xd7\xe9"),
        (["numpy", "名"], r"  \u540d"),
        (["名", "2"], r"\u540d"),
        (["numpy", "2", "-f", "é"], r"\xe9"),
    ],
)
def test_ascii_messages(arguments: list[str], shown: str) -> None:
    """Where only ASCII can be shown, other characters of the question are escaped."""
    ended = run(arguments, encoding="ascii")
    assert (ended.status, ended.out, ended.err.isascii()) == (MALFORMED, "", True)
    assert shown in ended.err


@pytest.mark.skipif(os.name == "nt", reason="there, arguments are text")
@pytest.mark.parametrize(
    "arguments", [["numpy", b"2,\xff"], [b"\xff", "2"], ["numpy", b"--\xff"]], ids=spelled
)
def test_bytes_that_are_no_text(arguments: list[str | bytes]) -> None:
    """Arguments that are no text in the user's encoding are refused like other bad text."""
    ended = process(*arguments)
    assert (ended.returncode, ended.stdout) == (MALFORMED, "")
    assert ended.stderr.startswith("bcastcli: ")
    assert "Traceback" not in ended.stderr


# What the user's text may not do

HOSTILE = (
    *("\x1b[31m", "\x1b]0;title\x07", "\x07", "\x08", "\x7f", "\r", "\n", "\nbcastcli: fine"),
    *("\x85", "\x9b31m", "\u200b", "\u200f", "\u202e", "\u2066", "\u061c", "\u2028", "\ufeff"),
)


@each_once
@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
@pytest.mark.parametrize(
    "template",
    [
        ["numpy", "2{}"],
        ["numpy", "(2,{}3)"],
        ["numpy", "x{}=2"],
        ["numpy", "[{}]"],
        ["{}", "2"],
        ["nump{}", "2"],
        ["2,3{}", "3"],
        ["numpy", "2", "--colo{}"],
        ["numpy", "-{}"],
        ["numpy", "2", "-f", "{}"],
        ["numpy", "2", "--json={}"],
        ["pdpd", "2", "2", "--axis", "{}"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("shown", [[], ["--color", "always"]], ids=["", "color"])
def test_user_text_is_never_interpreted(
    capsys: Output, template: list[str], hostile: str, shown: list[str]
) -> None:
    """Control and direction-changing characters of the user are never written as they are."""
    status = main([part.format(hostile) for part in [*template, *shown]])
    out, err = capsys.readouterr()
    if status == MALFORMED:
        assert out == ""
    bare = re.sub(r"\x1b\[[0-9;]*m", "", out) if shown else out
    assert all(c.isprintable() or c == "\n" for c in bare + err)
    first, *below = err.splitlines() or [""]
    assert first.startswith("bcastcli: ") == (status == MALFORMED)
    assert all(line.startswith("  ") for line in below)


@each_row("text", ["[bold]", "[red]x[/red]", "[link=x]2", ":warning:", "${HOME}"])
def test_markup_is_text(capsys: Output, text: str) -> None:
    """Markup in a question is shown as it was typed."""
    assert text in complaint(capsys, ["numpy", text])


# Where the answer goes


@needs_bash
@pytest.mark.parametrize("shown", ["", "--json", "-f plain"])
def test_closed_pipe(shown: str) -> None:
    """A reader that has seen enough ends the process silently, as SIGPIPE does."""
    sizes = ",".join(["7" * 4300] * 25)
    ended = shell(
        f'bcastcli numpy {sizes} 1 {shown} | head -c 1 >/dev/null; echo "${{PIPESTATUS[0]}}"'
    )
    assert (ended.stdout, ended.stderr) == ("141\n", "")


@pytest.mark.skipif(os.name == "nt", reason="there are no signals")
def test_interrupt() -> None:
    """Ctrl-C in the midst of work kills the process, silently: a loop in a shell ends with it."""
    program = """if True:
        import os, signal, sys, threading, time
        # Under nohup, or in the background of a script, it is ignored from the start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from bcastcli.__main__ import run
        sys.argv[1:] = ["numpy", "2,N " * 500_000]
        def interrupt():
            while True:  # as people do where one Ctrl-C is lost, which Python lets happen
                time.sleep(0.4)
                os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()
        run()
    """
    ended = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")
