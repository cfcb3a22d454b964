"""Where answers go: colors, encodings, hostile text, closed and full outputs, and signals."""

import re

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


@each_row("text", ["[bold]", "[red]x[/red]", "[link=x]2", ":warning:", "${HOME}"])
def test_markup_is_text(capsys: Output, text: str) -> None:
    """Markup in a question is shown as it was typed."""
    assert text in complaint(capsys, ["numpy", text])
