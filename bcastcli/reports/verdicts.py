"""Answers in a line: the verdict, and the operands as they are typed."""

from collections.abc import Callable, Sequence

from bcastcli.core.alignment import Operand, automatic_names
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size, written

OK = {True: "true", False: "false", None: "null"}
"""A verdict in a row."""
STATUS = {True: "yes", False: "no", None: "depends"}
"""A verdict in a record; where a line is no question, there is "invalid"."""
TAGS = ("label", "line", "id")
"""The heads of the last columns of a row; the writer of rows fills them."""


def verdict(answer: Answer, shape: Callable[[Sequence[Size]], str] = written) -> str:
    """Return the result, with the condition it holds under; or why there is none."""
    if answer.reason is not None:
        return f"{'not decided' if answer.ok is None else 'mismatch'}: {answer.reason.text}"
    result = "..." if answer.result is None else shape(answer.result)
    return result if answer.when is None else f"{result} when {answer.when}"


def as_line(given: Sequence[Operand], defaults: Sequence[str] = ()) -> str:
    """Return operands as a line from which they can be read again."""
    usual = automatic_names([shape for _, shape in given], defaults)
    return " ".join(
        written(shape) if name == own else f"{name}={written(shape)}"
        for (name, shape), own in zip(given, usual, strict=True)
    )
