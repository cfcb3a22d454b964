"""The names for Python programs, which `import bcastcli` offers: `bcastcli help python`."""

import re
import traceback
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol, SupportsIndex, cast

from bcastcli.analysis import advice, explained
from bcastcli.core import answer as core
from bcastcli.core.alignment import Axis
from bcastcli.core.rule import Note, Rule, Value, typed
from bcastcli.core.shapes import Shape
from bcastcli.messages.reader import Reader
from bcastcli.messages.reading import Reading
from bcastcli.messages.tally import Tally
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError, as_line
from bcastcli.reports import Report, verdict
from bcastcli.reports import as_line as line_of
from bcastcli.rules import RULES, USUAL, named

__all__ = [
    "RULES",
    "Answer",
    "Axis",
    "Explanation",
    "NotationError",
    "Note",
    "Question",
    "Suggestion",
    "broadcast",
    "explain",
]


class Array(Protocol):
    """Whatever has a shape, such as an array or a tensor."""

    @property
    def shape(self) -> Iterable[SupportsIndex | str | None]:
        """Its sizes."""


Typed = str | int | Iterable[SupportsIndex | str | None] | Array
"""A shape as text, as a tuple or list, one size, or whatever has a shape."""


class Suggestion(NamedTuple):
    """What to write so that the shapes broadcast."""

    write: str
    """The change, in the words of the framework."""
    shapes: dict[str, Shape]
    """The shapes of the operands that it changes, by their names."""
    result: Shape
    """The result that it gives."""
    kind: str
    """What changes, as `kind` in JSON."""


class _Shown:
    """What a notebook shows as a slide."""

    _answer: core.Answer

    def _repr_svg_(self) -> str:
        """Return the slide."""
        from bcastcli.render import DoesNotFit, Terminal, svg  # for notebooks only
        from bcastcli.reports.answers import SingleAnswerReport
        from bcastcli.reports.rows import PictureOptions

        sheet = SingleAnswerReport(self._answer, picture=PictureOptions()).sheet()
        try:
            return svg.show(sheet, Terminal())
        except DoesNotFit:  # the table may be larger than a slide
            return svg.show(SingleAnswerReport(self._answer).sheet(), Terminal())

    def _repr_html_(self) -> str:
        """Return the slide as wide as its cell of the notebook."""
        slide = self._repr_svg_()
        start = slide.index(' width="')
        rest = slide[slide.index(" viewBox=") :]
        return f'<div style="max-width:60em">{slide[:start]}{rest}</div>'


class Question(_Shown):
    """Shapes put to a rule; a notebook shows its picture.

    >>> Question((4, 1), (3,))
    Question('4,1 3', rule='numpy'): 4,3
    >>> Question("3,4 3", rule="pdpd", axis=0).answer.result
    (3, 4)
    """

    def __init__(self, *shapes: Typed, rule: str = USUAL, **options: Value) -> None:
        """Raise NotationError if the shapes are invalid, LookupError if there is no such rule."""
        self.rule: Rule = named(rule)
        self.line = as_line([*map(_written, shapes)])
        self.answer = self._answer = answer_line(self.rule, self.line, _read(self.rule, options))

    def __repr__(self) -> str:
        return f"Question({self.line!r}, rule={self.rule.name!r}): {verdict(self.answer)}"


class Answer(_Shown):
    """Whether shapes broadcast, to what, and if not, why not.

    >>> answer = broadcast((8, 1, 6, 1), (7, 1, 5))
    >>> answer.ok, answer.result
    (True, (8, 7, 6, 5))
    """

    def __init__(self, answer: core.Answer, framework: str = "") -> None:
        """Take the rule's answer, and whose words suggestions have: NumPy's by default."""
        self._answer = answer
        self._framework = framework
        self.rule: str = answer.rule.name
        """The name of the rule."""
        self.operands: dict[str, Shape] = dict(answer.operands)
        """The shapes by the names of the operands."""
        self.ok: bool | None = answer.ok
        """Whether they broadcast; None: it depends on unknown sizes."""
        self.result: Shape | None = answer.result
        """The result's sizes, numbers or names; None where there is no result."""
        self.when: str | None = answer.when
        """The condition on the unknown sizes, as a Python expression; None unless it depends."""
        self.reason: str | None = answer.reason.text if answer.reason else None
        """Why they do not broadcast, in a sentence; None unless they do not."""
        self.axes: tuple[Axis, ...] | None = answer.axes
        """The aligned axes; None where unknown sizes decide how the operands line up."""

    def __bool__(self) -> bool:
        """Raise TypeError, since an answer may be neither yes nor no."""
        raise TypeError("an answer is no bool: ask .ok, which is None where it depends")

    def __repr__(self) -> str:
        asked = line_of(self._answer.question.inputs, self._answer.question.default_names)
        return f"<{asked!r} under {self.rule}: {self}>"

    def __str__(self) -> str:
        return verdict(self._answer)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What there is to say besides."""
        note = self._advice.note
        return (*self._answer.notes, *([note] if note else []))

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """What to write instead, the likeliest first."""
        return tuple(map(_suggestion, self._advice.lines))

    @cached_property
    def _advice(self) -> advice.Advice:
        if self.ok and not self._answer.is_square:
            return advice.Advice((), None)
        return advice.advise(self._answer, self._framework)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that `bcastcli --json` writes."""
        from bcastcli.reports.answers import SingleAnswerReport  # rarely asked for

        return _record(SingleAnswerReport(self._answer, framework=self._framework))


class Explanation:
    """What an error message says about shapes that do not broadcast."""

    def __init__(self, each: explained.Explanation, more: Sequence["Explanation"]) -> None:
        """Take a message that was read, and what the text has after it."""
        self._each = each
        reading, answer = each.reading, each.answer
        self.message: str = reading.message
        """The message, as the text has it."""
        self.framework: tuple[str, ...] = reading.framework
        """The frameworks whose message it is."""
        self.ok: bool | None = each.ok
        """Whether the shapes broadcast after all; None: it depends, or shapes are missing."""
        self.reason: str | None = each.reason
        """Why they do not, in a sentence."""
        self.answer: Answer | None = Answer(answer) if answer else None
        """The answer of the rule, where the message shows the shapes."""
        self.notes: tuple[Note, ...] = each.notes
        """What there is to say besides."""
        self.suggestions: tuple[Suggestion, ...] = tuple(map(_suggestion, each.lines))
        """What to write instead, the likeliest first."""
        self.more = tuple(more)
        """The explanations of further messages in the same text."""

    def __repr__(self) -> str:
        return f"<{self.message!r}: {self}>"

    def __str__(self) -> str:
        from bcastcli.reports.readings import verdict as verdict_on

        return verdict_on(self._each)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that `bcastcli why --json` writes."""
        from bcastcli.reports.readings import ReadingReport

        return _record(ReadingReport(self._each))


def broadcast(
    *operands: Typed,
    rule: str = USUAL,
    axis: int | None = None,
    axes: Sequence[int] | None = None,
    order: str | None = None,
    **named_operands: Typed,
) -> Answer:
    """Return whether shapes broadcast under a rule, named by itself or by a framework.

    A keyword names an operand; `axis`, `axes` and `order` are options of some rules.
    Raises NotationError where a shape or an option is invalid, LookupError if there is no such
    rule, and TypeError for an option that the rule lacks.

    >>> broadcast(scores=(8, 16, 16), mask=(8, 16)).reason
    'scores has 16 and mask has 8 on axis 1 (-2), and neither is 1'
    """
    asked = named(rule)
    given = {"axis": axis, "axes": axes, "order": order}
    options = _read(asked, {name: each for name, each in given.items() if each is not None})
    shapes = [*map(_written, operands)]
    shapes += (f"{name}={_written(each)}" for name, each in named_operands.items())
    framework = "" if rule.lower() == asked.name else rule.lower()
    return Answer(answer_line(asked, as_line(shapes), options), framework)


def explain(said: str | BaseException) -> Explanation | None:
    """Return what a text or an exception says about shapes; None if it is about something else.

    >>> explain("operands could not be broadcast together with shapes (2,3) (4,)").reason
    'A has 3 and B has 4 on axis 1 (-1), and neither is 1'
    """
    text = said if isinstance(said, str) else "".join(traceback.format_exception(said))
    reader, tally = Reader(), Tally()
    for each in (*reader.feed(text.encode("utf-8", "replace")), *reader.end()):
        tally.add(each)
    found = [explained.explain(each) for each in tally.findings if isinstance(each, Reading)]
    explanations: list[Explanation] = []
    for one in reversed(list(filter(explained.is_explained, found))):
        explanations.insert(0, Explanation(one, explanations))
    return explanations[0] if explanations else None


def _written(shape: Any) -> str:
    """Return what was `Typed` in the notation."""
    if isinstance(shape, str):
        return shape
    sizes = [shape] if isinstance(shape, int) else [*getattr(shape, "shape", shape)]
    text = ",".join(map(_size, sizes)) or "()"
    return f"({text},)" if len(sizes) == 1 and isinstance(sizes[0], str) else text


def _size(size: Any) -> str:
    """Return a size in the notation; raise NotationError for more than one, such as "2,3"."""
    if size is None:
        return "?"
    text = str(size)
    compact = re.sub(r"\s*([-+*/])\s*", r"\1", text)  # sums, as some packages write them
    if re.search(r"[\s,;\[\]{}=]", compact):
        raise NotationError("a size of a shape is one number or name", text, (0, len(text)))
    return compact


def _read(rule: Rule, options: Mapping[str, object]) -> dict[str, Value]:
    """Return options as a rule takes them; raise TypeError or NotationError for a wrong one."""
    return {name: _value(rule, name, value) for name, value in options.items()}


def _value(rule: Rule, name: str, value: object) -> Value:
    if name not in rule.options:
        raise TypeError(f"{rule.name} has no option {name}")
    text = typed(cast("Value", tuple(value) if isinstance(value, list) else value))
    option = rule.options[name]
    try:
        if not option.choices or text in option.choices:
            return option.parse(text)
        message = f"expected {' or '.join(option.choices)}"
    except ValueError as error:
        message = str(error)
    raise NotationError(message, text, (0, len(text)))


def _suggestion(line: advice.Line) -> Suggestion:
    return Suggestion(line.write, dict(line.changed), line.answer.result or (), line.kind)


def _record(report: Report) -> dict[str, Any]:
    """Return the object that a report writes in JSON."""
    import json  # rarely needed

    from bcastcli.render.json import line

    [record] = report.records()
    value: dict[str, Any] = json.loads(line(record))
    return value
