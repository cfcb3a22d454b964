"""Answers, comparisons, rules and lists as text for people and data for programs.

Reports know answers but not terminals; `render` knows formats but not answers. This module has the
base class of all reports, the function that writes them, one-line answers, and what to write
instead.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from bcastcli.core.alignment import Operand, automatic_names
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Writes, written
from bcastcli.core.wording import in_words
from bcastcli.render import Format, Terminal, ending, module

if TYPE_CHECKING:
    from bcastcli.core.question import Suggestion
    from bcastcli.core.rule import Note
    from bcastcli.render.sheet import Sheet


class Report:
    """The content of an answer, as several views; each serves some of the formats."""

    def lines(self) -> Sequence[str]:
        """The report for a shell, usually one line."""
        raise NotImplementedError

    def cells(self) -> Sequence[Sequence[str]]:
        """The lines for a shell as cells, to be joined by tabs; by default one per line."""
        return [(line,) for line in self.lines()]

    def records(self) -> Sequence[Mapping[str, object]]:
        """The JSON objects for a program, usually one."""
        raise NotImplementedError

    def sheet(self) -> "Sheet":
        """The sheet for people; by default the lines."""
        from bcastcli.render.sheet import Line, Sheet

        return Sheet("", "", tuple(Line("", line) for line in self.lines()))


def opening(output: Format) -> Callable[[Report, Terminal], str]:
    """The function that writes a report in a format, but for its end (`render.ending`)."""
    own = module(output)
    if output is Format.PLAIN:
        return lambda report, _: str(own.begin(report.cells()))
    if output is Format.JSON:
        return lambda report, _: str(own.begin(report.records()))
    return lambda report, terminal: str(own.show(report.sheet(), terminal)).removesuffix("\n")


def write(
    report: Report, output: Format, terminal: Terminal, tags: Mapping[str, object] | None = None
) -> str:
    """The text of a report in a format; of an answer, with its label and id."""
    return opening(output)(report, terminal) + ending(output)(tags or {})


STATUS = {True: "yes", False: "no", None: "depends"}
"""A verdict in a record; a malformed line has "invalid"."""


def mismatch(reason: str) -> str:
    """The answer that operands do not broadcast."""
    return f"mismatch: {reason}"


def verdict(answer: Answer, shape: Writes = written) -> str:
    """The result, with its condition; or the reason for a mismatch.

    >>> from bcastcli.operators.questions import ask
    >>> from bcastcli.render.sheet import page_shape
    >>> [verdict(ask("numpy N,4 3,4"), shape) for shape in (written, page_shape)]
    ['3,4 when N in (1, 3)', '(3, 4) when N is 1 or 3']
    >>> [verdict(ask(each), page_shape) for each in ("numpy 4 4", "numpy ... 3", "none 1 2")]
    ['(4,)', '... when the shape of A is known', \
'mismatch: A has 1 and B has 2 on axis 0 (-1), and nothing stretches']
    """
    if answer.reason is not None:
        return mismatch(answer.reason.text)
    result = "..." if answer.result is None else shape(answer.result)
    is_typed = shape is written or not answer.condition
    when = answer.when if is_typed else in_words(answer.condition)
    return result if answer.when is None else f"{result} when {when}"


def as_line(given: Sequence[Operand], defaults: Sequence[str] = ()) -> str:
    """Operands as a line from which they can be read again.

    >>> given = [Operand("X", (2, 3)), Operand("b", (3,))]
    >>> as_line(given), as_line(given, ("X", "slope"))
    ('X=2,3 b=3', '2,3 b=3')
    """
    usual = automatic_names([shape for _, shape in given], defaults)
    return " ".join(
        written(shape) if name == own else f"{name}={written(shape)}"
        for (name, shape), own in zip(given, usual, strict=True)
    )


def advice_on(answer: Answer) -> "tuple[Sequence[Suggestion], Note | None]":
    """What to write instead, and the likely cause; nothing for a yes that is meant so.

    >>> from bcastcli.operators.questions import ask
    >>> [[line.write for line in advice_on(ask(f"numpy 4,1 {each}"))[0]] for each in (4, 3)]
    [['B[:, None]', 'A.squeeze(1)'], []]
    """
    if answer.ok and not answer.is_square:
        return (), None
    from bcastcli.advice.lines import advise  # not for most answers

    return advise(answer)
