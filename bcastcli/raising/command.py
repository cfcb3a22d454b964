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
from typing import NamedTuple, NoReturn

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import UsageError, print_error
from bcastcli.cli.options import Group, argument, flag, option
from bcastcli.raising import SUMMARY

_HELP = """Run a Python program as python does. If an error ends it, show the shapes on the
line that failed, and why they do not fit.

Examples:
  bcastcli run train.py --epochs 3
  bcastcli run -m pytest -x
  bcastcli run -f json train.py 2> log

For notebooks, programs and pytest: bcastcli help run."""
_EPILOG = (
    "Exit status: the program's own, or 1 instead of 0 if --strict reports a line; 126 "
    "if python cannot be started."
)
_STARTUP = Path(__file__).parent / "startup"
_OPTION = re.compile(r"-(?!-)(?P<letters>[^cmXW]*)(?P<last>[cmXW]?)(?P<value>.*)", re.DOTALL)
"""Options of Python, of which the last may have a value."""


class Style(StrEnum):
    """The formats of an explanation."""

    TABLE = "table"
    JSON = "json"


STRICT = (
    "Report lines where operands with the same number of elements all stretch, such as 32,1 "
    "and 32; =all: whatever their numbers, such as 7,1 and 5."
)
SHAPES = "Print the source with the shapes in the margin; =FILE: write it to FILE."


def _strict(text: str) -> str:
    if text not in ("", "-", "all"):  # by itself it is -
        raise ValueError(f"{text!r} is not 'all'")
    return text


class Program(Group):
    """The program, and how its error is explained."""

    words: list[str] | None = argument("FILE [ARG...]", "The program, or -m MODULE.")
    output: Style = option("--format -f", "table, or json (--json).", "FORMAT", default=Style.TABLE)
    json: bool = flag("--json", "")
    strict: str = option("--strict", STRICT, "[=all]", default="", parse=_strict)
    shapes: str = option("--shapes", SHAPES, "[=FILE]", default="")


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("run", _run, Program, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _run(program: Program) -> NoReturn:
    """Let Python take the place of this process."""
    if not program.words:
        raise UsageError("a program is missing: bcastcli run train.py, or bcastcli run -m MODULE")
    on_path = which("python")
    python, line = on_path or sys.executable, _read(program.words)
    settings = {"RAISE_FORMAT": program.output, "PROCESS": os.getpid(), "STRICT": program.strict}
    settings |= {"SHAPES": program.shapes, "SCRIPT": line.script, "MODULE": line.module}
    environment = os.environ | {f"BCASTCLI_{name}": str(value) for name, value in settings.items()}
    if line.off:
        print_error(f"python {line.off} disables bcastcli; errors will not be explained")
    else:
        folders = [str(_STARTUP), os.environ.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
        import rich  # the help does without it

        environment["BCASTCLI_LIBRARIES"] = str(Path(rich.__file__).parents[1])
    try:
        os.execve(python, ["python" if on_path else python, *program.words], environment)  # noqa: S606
    except OSError as error:
        print_error(f"cannot run {python}: {error.strerror}")
        raise typer.Exit(126) from error


class _Line(NamedTuple):
    """What Python reads of its command line."""

    off: str = ""
    """The option with which it loads no `sitecustomize`."""
    script: str = ""
    module: str = ""


def _read(words: Sequence[str]) -> _Line:
    """The command line of Python, up to the program."""
    off = ""
    waiting = iter(words)
    for word in waiting:
        if word == "-" or not word.startswith("-"):
            return _Line(off, "" if word == "-" else word)
        option = _OPTION.fullmatch(word)
        if option:
            way_out = re.search("[IES]", option["letters"])
            off = off or (f"-{way_out[0]}" if way_out else "")
            value = option["value"] or (next(waiting, "") if option["last"] else "")
            if option["last"] in ("c", "m"):
                return _Line(off, module=value if option["last"] == "m" else "")
        elif word == "--check-hash-based-pycs":
            next(waiting, None)
    return _Line(off)
