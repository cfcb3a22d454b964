"""Lines of questions with the expected answers: `8,1 7 -> 8,7`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import chain, repeat
from typing import TYPE_CHECKING

from bcastcli.check.report import MAX_SHOWN, AnyReport, Failure
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import reads_as_word, written
from bcastcli.notation import text as notation
from bcastcli.notation.pieces import shortened
from bcastcli.notation.questions import is_json, split_label
from bcastcli.notation.text import NotationError
from bcastcli.operators.lines import ask
from bcastcli.render import Format, Terminal
from bcastcli.stream.batch import Stream
from bcastcli.stream.columns import Columns
from bcastcli.stream.lines import lines_of

if TYPE_CHECKING:
    from bcastcli.compare.comparison import Comparison
    from bcastcli.core.answer import Answer

ARROW = "->"
_LANGUAGE = "bcastcli"
"""The word after the fence of a block of questions."""
_INFO = r"[\s{.]*([\w-]+)"
"""The text after a fence: the word alone, or as MyST and Pandoc write it."""
_MAY_OPEN = re.compile(rf"[`~]{{3}}{_INFO}")
_NEAR = 0.75
_NESTED = {"maxNesting": 100}
_NO_BLOCK = "a block of questions begins with ```bcastcli, in a .md file or with --markdown"
_COMPARES = re.compile(r"\s*compare\s|(?:.*\s)?(?:--)?rules[=\s]")
_VERDICTS = {"agree:": True, "mismatch:": False, "differ:": False} | dict.fromkeys(
    ("not", "depends:", "depends")  # not decided: ..., depends on ...
)
"""The verdicts of one-line answers other than shapes, by their first words."""
_ARROW_IN_LABEL = re.compile(rf"[\s#]*{ARROW}")
_IN_LABEL = "write the expected answer before the label"
_EXPECTED = "expected QUESTION -> SHAPE, mismatch or depends; for a comparison, agree or differ"
_WORDING = "leave out the reason: write mismatch or depends"


class Checked:
    """The questions in files, of which some are not answered as expected."""

    def __init__(self, usual: Rule) -> None:
        """Take the rule for lines that do not name one."""
        self._usual = usual
        columns = Columns(usual, {})
        self._stream = Stream(self.ask, AnyReport(), Format.PLAIN, Terminal(), columns)
        self.questions = 0
        """How many were read so far, counting misspelled fences."""
        self.fences = 0

    def ask(self, question: str) -> "Answer | Comparison":
        """Return the answer to a question or a comparison; raise NotationError for other text."""
        if not _COMPARES.match(question) or is_json(question):
            return ask(question, self._usual)
        try:
            from bcastcli.compare.command import ask_line  # rarely needed
        except ModuleNotFoundError as error:
            raise NotationError("compare is not installed", question, (0, 7)) from error
        return ask_line(question)

    def failures(self, file: str, pieces: Iterable[bytes], *, markdown: bool) -> Iterator[Failure]:
        """Yield the failures among the lines of a file, in order."""
        for numbers, lines in numbered(pieces, markdown=markdown):
            together = "\n".join(lines)
            expected: Iterable[str | None] = repeat(None)
            questions: Sequence[str] = lines
            if "#" in together or ARROW in together:
                questions, expected = zip(*map(_split, lines), strict=True)
            texts = self._stream.texts(questions)
            rows = zip(numbers, lines, questions, expected, texts, strict=False)
            for number, line, question, wanted, text in rows:
                if not text and wanted is None:  # a blank line or a comment
                    continue
                self.questions += 1
                answer = text if isinstance(text, str) else ""
                if answer and wanted in (None, answer) and _verdict(answer):
                    continue
                if failed := _failed(line, wanted, text):
                    self.fences += failed[1] == "invalid" and bool(_fence(line))
                    yield Failure(file, number, *failed, question, split_label(line)[1])


def numbered(
    pieces: Iterable[bytes], *, markdown: bool
) -> Iterator[tuple[Sequence[int], Sequence[str]]]:
    """Yield the lines of a file as they come, with their numbers, counted from 1.

    In Markdown, these are the lines in the blocks that are fenced by ```bcastcli; a fence of a word
    that is nearly this one becomes a line, which is invalid.
    """
    if markdown:
        yield from _in_blocks([*chain.from_iterable(lines_of(pieces))])
        return
    first = 1
    for lines in lines_of(pieces):
        yield range(first, first + len(lines)), lines
        first += len(lines)


def _in_blocks(lines: Sequence[str]) -> Iterator[tuple[Sequence[int], Sequence[str]]]:
    """Yield the lines of each block of a page, in their columns."""
    words = {word.lower() for line in lines for word in _MAY_OPEN.findall(line)}
    meant = {*get_close_matches(_LANGUAGE, words, len(words) or 1, _NEAR)}
    if not meant:  # parsing is slow
        return
    from markdown_it import MarkdownIt  # for Markdown alone

    for block in MarkdownIt("commonmark", _NESTED).disable("inline").parse("\n".join([*lines, ""])):
        word = re.match(_INFO, block.info) if block.type == "fence" else None
        if not (word and block.map and word[1].lower() in meant):
            continue
        first = block.map[0] + 1
        inside = block.content.split("\n")[:-1]
        if word[1].lower() != _LANGUAGE:
            first, inside = first - 1, [block.markup + block.info]
        # Without the marks of lists and quotes; an overlong line keeps its type.
        pairs = zip(lines[first:], inside, strict=False)
        own = [type(line)(text.rjust(len(line))) for line, text in pairs]
        if own:
            yield range(first + 1, first + 1 + len(own)), own


def _split(line: str) -> tuple[str, str | None]:
    """Return the question on a line, and the expected answer, if there is one.

    Both are empty if the expected answer is in the label.
    """
    is_whole = type(line) is str  # or the beginning of an overlong line
    question = split_label(line)[0] if "#" in line and is_whole else line
    if question != line and _ARROW_IN_LABEL.match(line, len(question)):
        return "", ""
    asked, arrow, expected = question.rpartition(ARROW)
    if not (arrow and is_whole) or ('"' in expected and is_json(question)):  # inside a string
        return question, None
    return asked.rstrip(" "), expected.strip()  # the stream knows lines that end with a size


def _verdict(text: str) -> bool | None:
    """Return whether a one-line answer is a yes; None: it depends."""
    return _VERDICTS.get(text.partition(" ")[0], None if " when " in text else True)


def _failed(
    line: str, expected: str | None, text: str | NotationError
) -> tuple[int, str, str, str | None] | None:
    """Return how a line fails: the first fields of a `Failure`; None if it passes."""
    if isinstance(text, NotationError):
        return _invalid(line, text)
    if not text:
        message = _EXPECTED if expected or "#" not in line else _IN_LABEL
        return _invalid(line, NotationError(message, line, (line.rindex(ARROW), len(line))))
    answer = text
    if expected is None:
        answer = text if text.partition(" ")[0] in _VERDICTS else f"depends: {text}"
        return 1, "no" if _verdict(text) is False else "depends", answer, None
    column = line.rindex(expected, 0, len(split_label(line)[0])) + 1
    try:
        if _is_met(expected, answer, " " * (column - 1)):
            return None
    except NotationError as error:
        return _invalid(line, error)
    message = f"expected {shortened(expected, MAX_SHOWN)}; the answer is {answer}"
    return column, "no", message, expected


def _invalid(line: str, error: NotationError) -> tuple[int, str, str, None]:
    """Return these fields for an invalid line or fence."""
    fence = _fence(line)
    column, message = (fence.start(1), _NO_BLOCK) if fence else (error.span[0], error.message)
    return column + 1, "invalid", f"error: {message}", None


def _fence(line: str) -> re.Match[str] | None:
    """Return the word after a fence, on a line that begins with one."""
    return _MAY_OPEN.search(line) if line.lstrip()[:3] in ("```", "~~~") else None


def _is_met(expected: str, answer: str, before: str) -> bool:
    """Return whether an answer is as expected; raise NotationError for an invalid expectation.

    `before` is as many spaces as the line has characters before the expectation.
    """
    if expected == "depends":
        return _verdict(answer) is None
    if f"{expected}:" in _VERDICTS:
        return answer.startswith(f"{expected}: ")
    if " when " in expected:
        return " ".join(expected.split()) == answer
    where = (len(before), len(before + expected))
    if ": " in expected or expected == "error":
        raise NotationError(_WORDING, before + expected, where)
    is_word = reads_as_word(expected) and expected != "scalar"
    shapes = () if is_word else notation.read(before + expected).shapes
    if len(shapes) != 1:
        raise NotationError(_EXPECTED, before + expected, where)
    return written(shapes[0]) == answer
