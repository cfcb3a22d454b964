"""A row for each question, below a header: for spreadsheets."""

from collections.abc import Sequence

from bcastcli.core.answer import Answer, Operand
from bcastcli.core.shapes import Shape, written
from bcastcli.notation.text import NotationError, letters, printable
from bcastcli.render import Style
from bcastcli.render.plain import numbered

__all__ = ["BRIEF", "HEADER", "NUMBERED", "failed", "numbered", "render"]

HEADER = "operands\tok\tresult\twhen\treason\n"
NUMBERED = False
BRIEF = False
OK = {True: "true", False: "false", None: "null"}


def render(answer: Answer, style: Style) -> str:
    result = "" if answer.result is None else written(answer.result)
    reason = answer.reason.text if answer.reason else ""
    asked = operands(answer.inputs, answer.default_names)
    return row(asked, OK[answer.ok], result, answer.when or "", reason)


single = render


def failed(error: NotationError, number: int) -> str:
    return row(printable(error.text), "error", "", "", error.message)


def row(*cells: str) -> str:
    """Cells as a line."""
    return "\t".join(cells) + "\n"


def operands(given: Sequence[Operand], unnamed: Sequence[str] = ()) -> str:
    """Operands as a line from which they can be read again; `unnamed` calls those nobody named."""
    default_names = [*unnamed, *map(letters, range(len(unnamed), len(given)))]
    return " ".join(
        _shape(shape) if name == own else f"{name}={_shape(shape)}"
        for (name, shape), own in zip(given, default_names, strict=False)
    )


def _shape(shape: Shape) -> str:
    """A shape; one of a size called x in brackets, lest it read as a sign between two others."""
    return "(x)" if shape == ("x",) else written(shape)
