"""One line: the result, or why there is none."""

from collections.abc import Mapping

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import written
from bcastcli.notation.text import NotationError, printable
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


def tagged(text: str, tags: Mapping[str, object]) -> str:
    """The answer, with its label behind it."""
    label = tags.get("label")
    return f"{text[:-1]} # {printable(str(label))}\n" if label else text


def numbered(text: str, number: int) -> str:
    return text
