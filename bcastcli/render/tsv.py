"""A row for each question, below a header: for spreadsheets."""

from collections.abc import Mapping, Sequence

from bcastcli.core.answer import Answer, Operand
from bcastcli.core.shapes import written
from bcastcli.notation.text import NotationError, automatic_names, printable
from bcastcli.render import Style
from bcastcli.render.plain import numbered

__all__ = ["BRIEF", "HEADER", "NUMBERED", "failed", "numbered", "render"]

HEADER = "operands\tok\tresult\twhen\treason\tlabel\n"
NUMBERED = False
BRIEF = False
UNLABELLED = ""
"""The last cell of a row, until there is a label."""
_FORMULAS = ("=", "+", "-", "@")
OK = {True: "true", False: "false", None: "null"}


def render(answer: Answer, style: Style) -> str:
    result = "" if answer.result is None else written(answer.result)
    reason = answer.reason.text if answer.reason else ""
    asked = operands(answer.inputs, answer.default_names)
    return row(asked, OK[answer.ok], result, answer.when or "", reason, UNLABELLED)


single = render


def failed(error: NotationError, number: int) -> str:
    return row(printable(error.text), "error", "", "", error.message, UNLABELLED)


def tagged(text: str, tags: Mapping[str, object]) -> str:
    """The rows of an answer with its label in the last cell."""
    return text.replace("\n", f"{_cell(printable(str(tags.get('label', ''))))}\n")


def row(*cells: str) -> str:
    """Cells as a line."""
    return "\t".join(map(_cell, cells)) + "\n"


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in _FORMULAS else text


def operands(given: Sequence[Operand], unnamed: Sequence[str] = ()) -> str:
    """Operands as a line from which they can be read again; `unnamed` calls those nobody named."""
    automatic = automatic_names([shape for _, shape in given], unnamed)
    return " ".join(
        written(shape) if name == own else f"{name}={written(shape)}"
        for (name, shape), own in zip(given, automatic, strict=True)
    )
