"""The command that lists the ONNX operators, and computes their result shapes."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from bcastcli.cli import options
from bcastcli.cli.answering import EPILOG, YES, answer_lines, answer_one, write_report
from bcastcli.cli.commands import Shown, typer_app
from bcastcli.cli.console import UsageError, reads_input
from bcastcli.reports import Report
from bcastcli.reports.answers import AnswerReport

if TYPE_CHECKING:
    from bcastcli.operators.operator import Operator
    from bcastcli.operators.table import Version
    from bcastcli.render.sheet import Sheet

SUMMARY = "Compute the result shape of an ONNX operator"
_HELP = """Compute the result shape of an ONNX operator. Without shapes, list its versions; without
a name, list all operators. Most that do not broadcast need the onnx package:
pip install 'bcastcli[onnx]'.

Examples:
  bcastcli op Gemm 8,64 64,10 10
  bcastcli op Concat 8,64,28,28 8,128,28,28 axis=1
  bcastcli op Conv 1,3,8,8 4,3,3,3 strides=2,2
  echo 'Gemm 8,64 10,64 10 trans_b=1' | bcastcli op -"""


def _operators() -> list[str]:
    from bcastcli.operators.table import operators  # rarely needed

    return list(operators())


class Name(options.Group):
    """The operator."""

    name: str | None = options.argument(
        "[NAME]", "The operator, such as Gemm.", autocompletion=_operators
    )


class OpOptions(Shown):
    """The opset of an operator, and how its answer is shown."""

    opset: int | None = options.option(
        "--opset", "The opset; default: the newest.", "N", options.whole_number(1)
    )


_NAMES = {"op": "operator", "since_opset": "since"}
"""The headings of columns that are not called as in JSON."""


class Listing(Report):
    """Versions of operators, one on each row."""

    def __init__(self, versions: "Sequence[Version]", fields: str, record: Mapping[str, object]):
        """Take the versions, the names of the fields to show, and the record without versions."""
        self.fields = fields.split()
        self.versions, self.record = versions, record

    def cells(self) -> list[list[str]]:
        """A row for each version."""
        return [[_text(getattr(each, name)) for name in self.fields] for each in self.versions]

    def records(self) -> Sequence[Mapping[str, object]]:
        """The record."""
        return (self.record,)

    def sheet(self) -> "Sheet":
        """The rows as a grid, and below it the notes, which are too long for a column."""
        from bcastcli.render.sheet import Cell, Grid, Line, Sheet, Tone  # for the table alone

        shown = [name for name in self.fields if name != "note"]
        head = tuple(Cell(_NAMES.get(name, name)) for name in shown)
        body = tuple(tuple(map(Cell, row[: len(shown)])) for row in self.cells())
        notes = [
            Line("note", f"opset {each.since_opset}: {each.note}", Tone.NOTE)
            for each in self.versions
            if each.note and "note" in self.fields
        ]
        return Sheet("ONNX operators", "", (Grid((head,), (body,)), *notes))


def _text(field: object) -> str:
    """A field of a version as it is shown."""
    return ", ".join(field) if isinstance(field, tuple) else str(field or "")


def build() -> typer.Typer:
    """The command."""
    groups = (Name, options.Shapes, OpOptions)
    return typer_app("op", _op, *groups, help=_HELP, short_help=SUMMARY, epilog=EPILOG)


def _op(named: Name, typed: options.Shapes, shown: OpOptions) -> int:
    """List operators, or answer a question or lines of them; return the exit status."""
    from bcastcli.operators import table

    name, opset, shapes = named.name, shown.opset, typed.shapes or []
    if name == "-" and reads_input(["-", *shapes], ""):
        from bcastcli.operators.questions import ask as ask_line

        return _lines(partial(ask_line, opset=opset), shown)
    try:
        if not name or not shapes:
            return _list(history(name, opset) if name else _all(opset), shown)
        from bcastcli.operators.operators import operator  # the list needs only the table

        chosen = operator(table.version_at_or_error(table.versions_of(name), opset), opset)
    except table.OperatorError as error:
        raise UsageError(str(error)) from error
    return _answer(chosen, shapes, shown)


def _list(listing: Listing, shown: OpOptions) -> int:
    """Write a list, and return the exit status; UsageError for options of questions."""
    output = options.check(shown, options.LIST)
    if shown.quiet:  # a variable with the shapes may be empty
        raise UsageError("--quiet needs shapes")
    write_report(listing, output, shown.terminal)
    return YES


def _lines(asking: Callable[[str], Any], shown: OpOptions) -> int:
    """Answer the lines of standard input, and return the exit status."""
    return answer_lines(asking, AnswerReport, shown.writing(options.LINES), allow_empty=True)


def _all(opset: int | None) -> Listing:
    """The operators of an opset; raise OperatorError for an unknown opset."""
    from bcastcli.operators.table import operators, version_at

    newest = [version_at(versions, opset) for versions in operators().values()]
    shown = [version for version in newest if version]
    rows = [version._asdict() for version in shown]
    record = {"command": "op", "opset": opset, "operators": rows}
    return Listing(shown, "op rule since_opset inputs", record)


def history(name: str, opset: int | None) -> Listing:
    """The versions of an operator, or that of an opset; raise OperatorError otherwise."""
    from bcastcli.operators.table import version_at_or_error, versions_of

    versions = versions_of(name)
    counting = version_at_or_error(versions, opset)
    shown = versions if opset is None else (counting,)
    rows = [each._asdict() for each in shown]
    record = {"command": "op", "op": counting.op, "opset": opset, "versions": rows}
    return Listing(shown, "since_opset rule inputs direction note", record)


def _answer(operator: "Operator", shapes: list[str], shown: OpOptions) -> int:
    """Answer the shapes in the arguments, or lines of shapes, and return the exit status."""
    from bcastcli.operators.questions import ask

    asking = partial(ask, opset=operator.opset, name=operator.name)
    if reads_input(shapes, ""):
        return _lines(asking, shown)
    for each in {"--steps", "--picture"} & shown.options_given:
        if not operator.is_elementwise:
            raise UsageError(
                f"{each} is not available for {operator.name}, "
                "which does more than align its inputs"
            )
    report = partial(shown.report, sign=_SIGNS.get(operator.name))
    return answer_one(asking, report, shapes, shown.writing(options.QUESTION))


_SIGNS = {"Add": "+", "Sum": "+", "Sub": "-", "Mul": "*", "Div": "/", "Equal": "==", "Expand": "+"}
"""The signs of operators; with any other operator, cells have numbers only with --op."""
