"""The command that asks the nodes of a model."""

import re
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated

import typer

from bcastcli.cli.commands import built, grouped
from bcastcli.cli.console import Color, UsageError, encoding, terminal, write
from bcastcli.cli.options import Limits, unmarked
from bcastcli.notation import text as notation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bcastcli.core.answer import Answer
    from bcastcli.models.nodes import Given, Model, UnknownName
    from bcastcli.reports.model import Finding

SUMMARY = "Check every broadcasting node of an ONNX, OpenVINO or pnnx model"
_HELP = """Check every broadcasting node of a model, and show those that fail or need a look.

FILE is an ONNX model (pip install 'bcastcli[onnx]'), an OpenVINO IR (.xml) or a .pnnx.param file.
The type is detected from its content. batch=1 sets a size of the model, x=1,3,48,192 the shape of
an input. No other file is opened, and nothing is run.

\b
Examples:
  bcastcli model mamba.onnx
  bcastcli model mamba.onnx batch=1 seq=9
  bcastcli model cls.onnx x=1,3,48,192 -f lines | bcastcli op -
  bcastcli model cls.onnx --all -f tsv"""
_EPILOG = """Exit status: 0 every node broadcasts, 1 one does not, 2 the file cannot be read or a
node is invalid, 3 some depend on unknown sizes or are not decided."""
_GIVEN = re.compile(r"([^=\s]+)=(.*)", re.DOTALL)


class ModelFormat(StrEnum):
    """The formats of a model's nodes."""

    TABLE = "table"
    PLAIN = "plain"
    LINES = "lines"
    JSON = "json"
    TSV = "tsv"


class Asked(SimpleNamespace):
    """A model, and values for its sizes and inputs."""

    file: Annotated[str, typer.Argument(metavar="FILE", help="The model.", show_default=False)]
    given: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=SIZE|INPUT=SHAPE...",
            parser=unmarked,
            help="A size of the model, or the shape of an input: batch=1, x=1,3,48,192.",
            show_default=False,
        ),
    ] = None


class Shown(SimpleNamespace):
    """The nodes to show, and their format."""

    everything: Annotated[bool, typer.Option("--all", help="Show every node.")] = False
    output: Annotated[
        ModelFormat,
        typer.Option(
            "--format", "-f", help="The format; lines are the questions themselves, for op -."
        ),
    ] = ModelFormat.TABLE
    json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing; only set the exit status.")
    ] = False
    color: Annotated[Color, typer.Option("--color", help="When to use color.")] = Color.AUTO


def build() -> typer.Typer:
    """Return the command."""
    command = grouped(_ask, Asked, Shown, Limits)
    return built("model", command, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _ask(asked: Asked, shown: Shown, limited: Limits) -> int:
    """Ask the nodes of a model, and return the exit status."""
    from bcastcli.models.nodes import ModelError, UnknownName
    from bcastcli.reports import model as report

    if shown.json and shown.output not in (ModelFormat.TABLE, ModelFormat.JSON):
        raise UsageError(f"--json and --format {shown.output} contradict each other")
    try:
        model = _read(Path(asked.file), _given(asked.given or []))
    except UnknownName as error:
        raise UsageError(f"{asked.file}: {_unknown(error)}") from error
    except ModelError as error:
        raise UsageError(f"{asked.file}: {error}") from error
    found = report.findings(model, _answer, notation.printable, limited.limits())
    if not shown.quiet:
        chosen = ModelFormat.JSON if shown.json else shown.output
        command = shlex.join(["bcastcli", "model", asked.file, *(asked.given or [])])
        shows_color = terminal(shown.color).color
        _write(
            _lines(model, found, chosen, command, everything=shown.everything, color=shows_color)
        )
    return report.status(found)


def _answer(line: str, opset: int | None) -> "Answer | str":
    """Return the answer to a node's line, or what is wrong with it."""
    from bcastcli.cli.operator_lines import ask

    try:
        return ask(line, opset)
    except notation.NotationError as error:
        return error.message


def _write(lines: "Iterator[str]") -> None:
    """Write lines, many at a time."""
    held: list[str] = []
    for line in lines:
        held.append(f"{line}\n")
        if len(held) == 1000:
            write("".join(held))
            held.clear()
    write("".join(held))


def _lines(
    model: "Model",
    found: "Sequence[Finding]",
    output: ModelFormat,
    command: str,
    *,
    everything: bool,
    color: bool,
) -> "Iterator[str]":
    from bcastcli.reports import model as report

    if output is ModelFormat.LINES:
        return report.questions(found)
    if output is ModelFormat.TSV:
        return report.tsv(found)
    if output is ModelFormat.PLAIN:
        return report.plain(found, everything=everything)
    if output is ModelFormat.JSON:
        from bcastcli.render import json  # only where it is asked for

        return (json.line(record).rstrip("\n") for record in report.records(model, found))
    name = notation.printable(command, encoding(None))
    return report.table(model, found, name, everything=everything, color=color)


def _read(path: Path, given: "dict[str, Given]") -> "Model":
    """Return the model in a file."""
    from bcastcli.models import files

    with files.opened(path) as data:
        kind = files.recognize(data)
        if kind == "onnx":
            from bcastcli.models import onnx_model
            from bcastcli.operators.table import table

            return onnx_model.read(data, given, list(table()))
        if kind == "openvino":
            from bcastcli.models import openvino

            return openvino.read(data, given)
        from bcastcli.models import pnnx
        from bcastcli.operators.undecided import broadcast

        return pnnx.read(data, broadcast, given)


def _given(arguments: Sequence[str]) -> "dict[str, Given]":
    """Return what the arguments say of inputs and sizes."""
    from bcastcli.models.nodes import Given

    given: dict[str, Given] = {}
    for argument in arguments:
        parts = _GIVEN.fullmatch(argument)
        if parts is None:
            message = "expected NAME=SIZE or INPUT=SHAPE, as in batch=1 or x=1,3,48,192"
            raise notation.NotationError(message, argument or "''", (0, max(len(argument), 1)))
        name, text = parts.groups()
        start = parts.start(2)
        try:
            typed = notation.read(" " * start + (text or "''"))
        except notation.NotationError as error:
            raise notation.NotationError(error.message, argument, error.span) from error
        if len(typed.shapes) != 1 or typed.names[0] is not None:
            where = (start, len(argument) + 1)
            raise notation.NotationError("expected one shape", argument, where)
        if name in given:
            raise notation.NotationError(f"{name} is given twice", argument, (0, len(name)))
        [shape] = typed.shapes
        size = shape[0] if len(shape) == 1 else None
        given[name] = Given(shape, size if isinstance(size, int) else None)
    return given


def _unknown(error: "UnknownName") -> str:
    known = [*error.inputs, *error.sizes]
    near = get_close_matches(error.name, known)
    if near:
        return f"the model has no input or size {error.name}; did you mean {' or '.join(near)}?"
    inputs = f"its inputs are {', '.join(error.inputs)}" if error.inputs else "it has no inputs"
    sizes = f", its sizes {', '.join(error.sizes)}" if error.sizes else ", and no size is open"
    return f"the model has no input or size {error.name}: {inputs}{sizes}"
