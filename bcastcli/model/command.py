"""The command that checks the nodes of a model."""

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bcastcli.cli.answering import STATUS, write_report
from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import UsageError, interruptible, pieces, refuse_closed, write
from bcastcli.cli.options import Group, Output, argument, flag, option
from bcastcli.model import SUMMARY
from bcastcli.notation import text as notation
from bcastcli.render import Format, escaped

if TYPE_CHECKING:
    from bcastcli.core.shapes import Shape
    from bcastcli.model.nodes import Given
    from bcastcli.model.report import ModelReport

_HELP = """Show the first node of an ONNX model that cannot run, and the nodes whose shapes do not
broadcast. The model is not run. This needs the onnx package: pip install 'bcastcli[onnx]'.

Examples:
  bcastcli model swin.onnx
  bcastcli model swin.onnx batch=1,4
  bcastcli model swin.onnx tokens=1,32,4
  bcastcli model swin.onnx -f lines | bcastcli compare --rules onnx,ncnn -"""
_EPILOG = "Exit status: 0 no node fails, 1 one does, 2 invalid input, 3 not all could be checked."
FORMATS = StrEnum("FORMATS", ["TABLE", "PLAIN", "LINES", "JSON", "GITHUB"])
_RANGE = re.compile(r"([0-9]{1,4})\.\.([0-9]{1,4})")


class Request(Group):
    """A model, and values for its sizes and inputs."""

    file: str = argument("FILE", "The model; - reads it from standard input.", ...)
    given: list[str] | None = argument(
        "[NAME=SIZE...]",
        "A size (batch=1), several (batch=1,4 or 1..8), or an input's shape (tokens=1,32,4).",
    )


class View(Output):
    """The nodes to show, and their format."""

    everything: bool = flag("--all", "Show every node.")
    output: FORMATS | None = option(  # type: ignore[assignment]  # no other command has LINES
        "--format -f",
        "table, plain (-p), json (--json), lines (for op -) or github.",
        "FORMAT",
    )


def build() -> typer.Typer:
    """The command."""
    return typer_app("model", _check, Request, View, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _check(request: Request, view: View) -> int:
    """Check the nodes of a model, and return the exit status."""
    from bcastcli.model.findings import find
    from bcastcli.model.nodes import ModelError
    from bcastcli.model.onnx_model import read
    from bcastcli.model.report import ModelReport

    given = _given(request.given or [])
    try:
        data = _load(request.file)
        with interruptible():  # a process of its own is reading
            models = read(data, given)
    except ModelError as error:
        raise UsageError(escaped(f"{request.file}: {error}")) from error
    reports = [ModelReport(find(model), everything=view.everything) for model in models]
    if not view.quiet:
        _write(reports, request.file, view)
    verdicts = {report.findings.ok for report in reports}
    return next(STATUS[ok] for ok in (False, None, True) if ok in verdicts)


def _write(reports: Sequence["ModelReport"], file: str, view: View) -> None:
    """Write the report of each combination of sizes."""
    from bcastcli.model.report import SizesReport

    if view.output is FORMATS.LINES:
        lines = [line for report in reports for line in report.questions()]
        write("".join(f"{escaped(line)}\n" for line in lines))
    elif view.output is FORMATS.GITHUB:
        from bcastcli.render import github

        path = file.removeprefix("-")
        write(github.write(each for report in reports for each in report.annotations(path)))
    else:
        report = reports[0] if len(reports) == 1 else SizesReport(reports)
        write_report(report, Format(view.output or Format.TABLE), view.terminal)


def _load(file: str) -> memoryview:
    """The bytes of a file, or of standard input; raise ModelError if these are no model."""
    from bcastcli.model.onnx_model import map_file, refuse_others

    if file == "-":
        refuse_closed()
        data = memoryview(b"".join(pieces()))
    else:
        data = map_file(Path(file))
    refuse_others(data)
    return data


def _given(arguments: Sequence[str]) -> "Given":
    """The values given to inputs and sizes; raise NotationError for an invalid argument."""
    given: dict[str, Shape] = {}
    for word in arguments:
        name, equals, text = word.partition("=")
        if not name or not equals:
            message = "expected NAME=SIZE or INPUT=SHAPE, as in batch=1 or tokens=1,32,4"
            raise notation.NotationError(message, word or "''", (0, max(len(word), 1)))
        if name in given:
            raise notation.NotationError(f"{name} is given twice", word, (0, len(name)))
        given[name] = _shape(text)
    return given


def _shape(text: str) -> "Shape":
    """The shape in a part of an argument, or the sizes."""
    bounds = _RANGE.fullmatch(text)
    if bounds:
        sizes = tuple(range(int(bounds[1]), int(bounds[2]) + 1))
        if not sizes:
            raise notation.NotationError("this range is empty", text, (0, len(text)))
        return sizes
    typed = notation.read(text or "''")
    if len(typed.shapes) != 1 or typed.names[0] is not None:
        raise notation.NotationError("expected one shape", text, (0, len(text)))
    [shape] = typed.shapes
    return shape
