"""The command that runs a Python program, and explains the error that ends it.

The interpreter replaces its process, with a folder on PYTHONPATH that holds a `sitecustomize`,
which sets the hooks. So everything that a program sees and prints is Python's own.
"""

import os
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from shutil import which
from typing import NoReturn

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import UsageError, print_error
from bcastcli.cli.options import Group, argument, flag, option

SUMMARY = "Run a Python program: if it fails, show the operands with their shapes, and why"
_HELP = """Run a Python program as python does. Below the traceback of the
error that ends it, show the operands of the expression that failed, each with its shape, and why
they do not fit.

\b
Examples:
  bcastcli run train.py --epochs 3
  bcastcli run -m pytest -x
  bcastcli run -f json train.py 2> log

bcastcli help run shows how to use it in a notebook, in a program, and in pytest."""
_EPILOG = "Exit status: the program's own; 2 invalid usage, 126 python cannot be started."
_STARTUP = Path(__file__).parent / "startup"
_ALONE = "-"
"""The value of an option that was given none."""
_WITH_VALUE = ("-X", "-W", "--check-hash-based-pycs")


class Written(StrEnum):
    """The formats of an explanation."""

    TABLE = "table"
    JSON = "json"


STRICT = (
    "Name the lines where shapes grew without a word: all operands stretch, as 32,1 and 32 do; "
    "=all: any result that has the shape of no operand."
)
SHAPES = "Show the source of each function with the shapes of its values; =FILE writes the files."


def _strict(text: str) -> str:
    if text not in ("", _ALONE, "all"):
        raise ValueError(f"{text!r} is neither all nor left out")
    return text


class Asked(Group):
    """The program, and how its error is explained."""

    program: list[str] | None = argument(
        "FILE|-m MODULE [ARG...]", "The program and its arguments, after options of Python."
    )
    output: Written = option("--format -f", "The format of the explanation.", default=Written.TABLE)
    json: bool = flag("--json", "Short for --format json.")
    strict: str = option("--strict", STRICT, "[=all]", default="", parse=_strict)
    shapes: str = option("--shapes", SHAPES, "[=FILE]", default="")


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("run", _run, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _run(asked: Asked) -> NoReturn:
    """Let Python take the place of this process."""
    if not asked.program:
        raise UsageError("a program is missing: bcastcli run train.py, or bcastcli run -m MODULE")
    found = which("python")
    python = found or sys.executable
    environment = {**os.environ, "BCASTCLI_RAISE_FORMAT": asked.output}
    environment |= _watched(asked)
    if off := _way_out(asked.program):
        print_error(f"{off} keeps python from loading bcastcli: nothing is explained")
    else:
        own = [str(_STARTUP), os.environ.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, own))
    try:
        os.execve(python, ["python" if found else python, *asked.program], environment)  # noqa: S606
    except OSError as error:
        print_error(f"cannot run {python}: {error.strerror}")
        raise typer.Exit(126) from error


def _watched(asked: Asked) -> dict[str, str]:
    """What the process is told to watch, and of which program."""
    if not (asked.strict or asked.shapes):
        return {}
    words = iter(asked.program or ())
    script = module = ""
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif word == "-m":
            module = next(words, "")
            break
        elif word.startswith("-m"):
            module = word[2:]
            break
        elif word == "-" or word.startswith("-c"):
            break
        elif not word.startswith("-"):
            script = word
            break
    found = {"PROCESS": str(os.getpid()), "STRICT": asked.strict, "SHAPES": asked.shapes}
    found |= {"SCRIPT": script, "MODULE": module}
    return {f"BCASTCLI_{name}": value for name, value in found.items()}


def _way_out(words: Sequence[str]) -> str:
    """Return the option of Python's own with which it loads no `sitecustomize`; else nothing."""
    waiting = iter(words)
    for word in waiting:
        if word in _WITH_VALUE:
            next(waiting, None)
        elif word[:1] != "-" or word in ("-", "-c", "-m"):
            break
        elif word[1] not in "XW-" and (off := re.search("[IES]", re.split("[cmXW]", word)[0])):
            return f"-{off[0]}"
    return ""
