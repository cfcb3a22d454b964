"""One line: the result, or why there is none."""

from bcastcli.answers import Answer
from bcastcli.notation import NotationError
from bcastcli.render import Style
from bcastcli.shapes import written

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
