"""A row for each question, below a header: for spreadsheets."""

from bcastcli.answers import Answer
from bcastcli.notation import NotationError, letters, printable
from bcastcli.render import Style
from bcastcli.render.plain import numbered
from bcastcli.shapes import Shape, written

__all__ = ["BRIEF", "HEADER", "NUMBERED", "failed", "numbered", "render"]

HEADER = "operands\tok\tresult\twhen\treason\n"
NUMBERED = False
BRIEF = False
_OK = {True: "true", False: "false", None: "null"}


def render(answer: Answer, style: Style) -> str:
    result = "" if answer.result is None else written(answer.result)
    reason = answer.reason.text if answer.reason else ""
    return _row(_operands(answer), _OK[answer.ok], result, answer.when or "", reason)


single = render


def failed(error: NotationError, number: int) -> str:
    return _row(printable(error.text), "error", "", "", error.message)


def _row(*cells: str) -> str:
    return "\t".join(cells) + "\n"


def _operands(answer: Answer) -> str:
    """The operands as a line from which they can be read again."""
    given = answer.rule.operands
    automatic = [*given, *map(letters, range(len(given), len(answer.operands)))]
    return " ".join(
        _shape(shape) if name == unnamed else f"{name}={_shape(shape)}"
        for (name, shape), unnamed in zip(answer.operands, automatic, strict=False)
    )


def _shape(shape: Shape) -> str:
    """A shape; one of a size called x in brackets, lest it read as a sign between two others."""
    return "(x)" if shape == ("x",) else written(shape)
