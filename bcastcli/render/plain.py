"""One line: the result, or why there is none."""

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import written
from bcastcli.notation.text import NotationError
from bcastcli.render import Style

HEADER = ""
NUMBERED = False
BRIEF = True


def render(answer: Answer, style: Style) -> str:
    return f"{verdict(answer, 'mismatch')}\n"


single = render


def verdict(answer: Answer, no: str) -> str:
    """The result, with the condition it holds under; or `no` and the reason."""
    if answer.reason is not None:
        return f"{no}: {answer.reason.text}"
    result = written(answer.result or ())
    return result if answer.when is None else f"{result} when {answer.when}"


def failed(error: NotationError, number: int) -> str:
    return f"error: {error.message}\n"


def numbered(text: str, number: int) -> str:
    return text
