"""Lines of questions with what is expected of their answers: `8,1 7 -> 8,7`."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import reads_as_word
from bcastcli.notation import text as notation
from bcastcli.notation.questions import is_json
from bcastcli.notation.text import NotationError
from bcastcli.reports import verdict
from bcastcli.reports.checks import Failure
from bcastcli.stream.batch import asks_nothing, lines_of, refuse_overlong

ARROW = "->"
_LANGUAGE = "bcastcli"
"""The word behind the fence of a block of questions."""
_FENCE = re.compile(
    r"((?:[ \t]|>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])*)"  # marks of quotes and list items
    r"(`{3,}(?!.*`)|~{3,})[ \t]*(\S*).*",
    re.DOTALL,
)
_QUOTES = re.compile(r"(?:[ \t]*>)*")
_WORDS = {"mismatch": False, "depends": None}
"""What stands for any answer with a verdict."""
_EXPECTED = "expected a shape, mismatch, depends, or an answer as -f plain writes it"


def questions(pieces: Iterable[bytes], *, markdown: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines that ask something, each with its number, counted from 1.

    In Markdown, they are in the blocks that are fenced by ```bcastcli.
    """
    numbered = enumerate(chain.from_iterable(lines_of(pieces)), 1)
    lines = _in_blocks(numbered) if markdown else numbered
    return ((number, line) for number, line in lines if not asks_nothing(line))


def _in_blocks(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    fence = language = ""
    depth = 0  # of the quotes around the block
    for number, line in numbered:
        if fence and depth:
            quotes = _QUOTES.findall(line)[0]
            if quotes.count(">") < depth:
                fence = ""  # the block ends with the quote
            else:
                line = " " * len(quotes) + line[len(quotes) :]
        if not fence:
            if opened := _FENCE.fullmatch(line):
                marks, fence, language = opened.groups()
                depth = marks.count(">")
            continue
        mark = line.strip()
        if mark.startswith(fence) and not mark.strip(fence[0]):
            fence = ""
        elif language == _LANGUAGE:
            yield number, line


def failure(
    file: str, number: int, line: str, question: str, ask: Callable[[str], Answer]
) -> Failure | None:
    """Return in what a line fails; None if its answer is as expected.

    `question` is the line without its label. Without an expectation it must broadcast.
    """
    expected = None
    try:
        refuse_overlong(line)
        asked, expected = _split(question)
        answer = ask(asked)
        column = 1 if expected is None else question.rindex(expected) + 1
        said = verdict(answer)
        if expected is None:
            if answer.ok:
                return None
            is_open = answer.ok is None and not answer.reason
            said = f"depends: {said}" if is_open else said
            status = "no" if answer.ok is False else "depends"
            return Failure(file, number, column, status, said, None, answer)
        if _is_met(question, expected, answer):
            return None
        message = f"expected {expected}; the answer is {said}"
        return Failure(file, number, column, "no", message, expected, answer)
    except NotationError as error:
        message, column = f"error: {error.message}", error.span[0] + 1
        if expected == message:
            return None
        return Failure(file, number, column, "invalid", message, None, None)


def _split(line: str) -> tuple[str, str | None]:
    """Return the question on a line and what is expected of its answer, if anything.

    Raises NotationError where nothing follows the arrow.
    """
    question, arrow, expected = line.rpartition(ARROW)
    if not arrow or (is_json(line) and '"' in expected):  # inside a string
        return line, None
    if not expected.strip():
        raise NotationError(_EXPECTED, line, (len(question), len(question) + len(ARROW)))
    return question, expected.strip()


def _is_met(line: str, expected: str, answer: Answer) -> bool:
    """Return whether an answer is as expected; raise NotationError where it is not said how."""
    if " ".join(expected.split()) == verdict(answer):
        return True
    if expected in _WORDS:
        return answer.ok is _WORDS[expected]
    if " when " in expected or ": " in expected:
        return False
    start = line.rindex(expected)
    where = (start, start + len(expected))
    typed = None if reads_as_word(expected) and expected != "scalar" else expected
    shapes = () if typed is None else notation.read(" " * start + typed).shapes
    if len(shapes) != 1:
        raise NotationError(_EXPECTED, line, where)
    return bool(answer.ok) and shapes[0] == answer.result
