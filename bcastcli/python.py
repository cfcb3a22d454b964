"""The Python interface, which `import bcastcli` provides: `bcastcli help python`."""

import re
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from math import prod
from numbers import Number
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, SupportsIndex

from bcastcli.advice import lines as advice
from bcastcli.core import answer as core
from bcastcli.core import question as questions
from bcastcli.core.alignment import Axis, automatic_names
from bcastcli.core.limits import LimitedAnswer, no_outer_product
from bcastcli.core.rule import Note, Rule, Value, parse_setting
from bcastcli.core.shapes import Shape, written
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError, as_line
from bcastcli.reports import Report, verdict
from bcastcli.reports import as_line as line_of
from bcastcli.rules import RULES, USUAL, named

if TYPE_CHECKING:
    from bcastcli.raising.answers import AtTheRaise
    from bcastcli.raising.naming import Where
    from bcastcli.why import explained

__all__ = ["RULES", "Answer", "Axis", "Explanation", "NotationError", "Note", "Suggestion"]
__all__ += ["broadcast", "broadcast_shapes", "explain"]


class Array(Protocol):
    """An object with a shape, such as an array or a tensor."""

    @property
    def shape(self) -> Iterable[SupportsIndex | str | None]:
        """Its sizes."""


_NO_SHAPE = (bytes, bytearray, set, frozenset, Mapping)
"""Types that hold numbers, but not as sizes in order."""
_MOST, _BELOW = 40, 1000
"""A picture shows at most this many numbers of an operand, each below the second figure."""
Typed = str | SupportsIndex | Iterable[SupportsIndex | str | None] | Array
"""A shape as text, as a tuple or list, one size, or an object with a shape."""
_OPTION = re.compile(r"--(ax[ei]s) (none|-1|[0-9]+(?:,[0-9]+)*)(?:, or \1=\2 on a line)?")
_SYMBOL = re.compile(r"(?=.*\b[A-Za-z])(?!.*\w\()[\w+*/()% -]+")
"""The text of a size that is a name, or calculated from names without a call."""


class Suggestion(NamedTuple):
    """A change after which the shapes broadcast."""

    write: str
    """The change, in the syntax of the framework."""
    shapes: dict[str, Shape]
    """The shapes of the operands that it changes, by their names."""
    result: Shape
    """The result that it gives."""
    kind: str
    """The kind of change, as `kind` in JSON."""


@dataclass(frozen=True, repr=False)
class Answer:
    """The answer to a question: whether the shapes broadcast, to what, and if not, why not.

    >>> answer = broadcast((8, 1, 6, 1), (7, 1, 5))
    >>> answer.ok, answer.result
    (True, (8, 7, 6, 5))
    """

    rule: str
    """The name of the rule."""
    operands: dict[str, Shape] = field(hash=False)
    """The shapes by the names of the operands."""
    ok: bool | None
    """Whether they broadcast; None: it depends on unknown sizes."""
    result: Shape | None
    """The result's sizes, numbers or names; None if there is no result."""
    when: str | None
    """The condition on the unknown sizes, as a Python expression; None unless it depends."""
    reason: str | None
    """Why they do not broadcast, in a sentence; None unless they do not."""
    axes: tuple[Axis, ...] | None
    """The aligned axes; None if unknown sizes decide how the operands line up."""
    _answer: core.Answer = field(compare=False)
    _arrays: tuple[Any, ...] = field(compare=False, default=())
    """The operands with numbers that a picture may show, None for the others."""

    def __bool__(self) -> bool:
        """Raise TypeError, since an answer may be neither yes nor no."""
        raise TypeError("an answer is not a bool: use .ok, which is None if it depends")

    def __repr__(self) -> str:
        question = line_of(self._answer.question.inputs, self._answer.question.default_names)
        return f"<{question!r} under {self.rule}: {self}>"

    def __str__(self) -> str:
        return verdict(self._answer)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Additional remarks, such as how an engine differs."""
        note = self._advice.note
        return (*self._answer.notes, *([note] if note else []))

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """Changes that make the shapes broadcast, the likeliest first."""
        return tuple(map(_suggestion, self._advice.lines))

    @property
    def _advice(self) -> advice.Advice:
        return advice.advise(self._answer)

    def to_dict(self) -> dict[str, Any]:
        """The object that `bcastcli --json` writes."""
        from bcastcli.reports.answers import SingleAnswerReport  # rarely needed

        return _record(SingleAnswerReport(self._answer))

    def _repr_svg_(self, *, scales: bool = False) -> str:
        """The slide that a notebook shows, with `scales` as wide as its place."""
        from bcastcli.picture import svg  # for notebooks only
        from bcastcli.picture.answers import PicturedReport
        from bcastcli.picture.figure import PictureOptions
        from bcastcli.render import Terminal

        options = PictureOptions(given=tuple(map(_numbers, self._arrays)))
        report = PicturedReport(self._answer, picture=options)
        return svg.show(report.sheet(), Terminal(), scales=scales)

    def _repr_html_(self) -> str:
        """The slide as wide as its cell of the notebook."""
        return f'<div style="max-width:60em">{self._repr_svg_(scales=True)}</div>'


def _public(answer: core.Answer, arrays: tuple[Any, ...] = ()) -> Answer:
    return Answer(
        rule=answer.rule.name,
        operands=dict(answer.operands),
        ok=answer.ok,
        result=answer.result,
        when=answer.when,
        reason=answer.reason.text if answer.reason else None,
        axes=answer.axes,
        _answer=answer,
        _arrays=arrays,
    )


class Explanation:
    """The explanation of an error about shapes."""

    def __init__(
        self,
        explanation: "explained.Explanation",
        more: Sequence["Explanation"],
        raised: "AtTheRaise | None" = None,
    ) -> None:
        """Take the explanation of a message, those of further messages, and where it was raised."""
        self._explanation = explanation
        self._raised = raised
        reading, answer = explanation.reading, explanation.answer
        if answer and reading.framework:  # its answer advises in the framework's words too
            answer.question.framework = reading.framework[0]
        known = raised or answer
        self.operands: dict[str, Shape | None] = dict(known.operands) if known else {}
        """The shapes of the operands by their names; None for an unknown shape."""
        self.where: Where | None = raised.where if raised else None
        """The user's line that raised an exception: its file, line, function and source."""
        self.message: str = reading.message
        """The message, as the text has it."""
        self.framework: tuple[str, ...] = reading.framework
        """The frameworks that write this message."""
        self.ok: bool | None = explanation.ok
        """Whether the shapes broadcast after all; None: it depends, or shapes are missing."""
        self.reason: str | None = explanation.reason
        """Why they do not, in a sentence."""
        self.answer: Answer | None = _public(answer) if answer else None
        """The answer of the rule, if the message shows the shapes."""
        self.notes: tuple[Note, ...] = explanation.notes
        """Additional remarks, such as how an engine differs."""
        self.suggestions: tuple[Suggestion, ...] = tuple(map(_suggestion, explanation.lines))
        """Changes that make the shapes broadcast, the likeliest first."""
        self.more = tuple(more)
        """The explanations of further messages in the same text."""

    def __repr__(self) -> str:
        return f"<{self.message!r}: {self}>"

    def __str__(self) -> str:
        from bcastcli.why.report import verdict as verdict_on

        if self._raised and self.reason is None:
            known = self.operands.items()
            return ", ".join(
                f"{name}: {'?' if shape is None else written(shape)}" for name, shape in known
            )
        return verdict_on(self._explanation)

    def to_dict(self) -> dict[str, Any]:
        """The object that `bcastcli why --json` writes."""
        from bcastcli.why.report import ReadingReport

        if self._raised:
            from bcastcli.raising.report import RaiseReport

            return _record(RaiseReport(self._raised))
        return _record(ReadingReport(self._explanation))


def broadcast(
    *operands: Typed,
    rule: str = USUAL,
    axis: SupportsIndex | None = None,
    axes: Iterable[SupportsIndex] | None = None,
    order: str | None = None,
    strict: bool = False,
    **named_operands: Typed,
) -> Answer:
    """Whether shapes broadcast under a rule, given by its own name or a framework's.

    A keyword names an operand; `axis`, `axes` and `order` are options of some rules, and `strict`
    is no where every operand stretches, so that the result has none's shape.
    Raises NotationError if a shape or an option is invalid, LookupError for an unknown rule,
    and TypeError for a value that is not a shape, or an option that the rule lacks.

    >>> broadcast(scores=(8, 16, 16), mask=(8, 16)).reason
    'scores has 16 and mask has 8 on axis 1 (-2), and neither is 1'
    """
    answer = _answer_to(rule, operands, named_operands, axis=axis, axes=axes, order=order)
    if strict:
        answer = LimitedAnswer(answer, no_outer_product)
    return _public(answer, tuple(map(_small, (*operands, *named_operands.values()))))


def broadcast_shapes(
    *shapes: Typed,
    rule: str = USUAL,
    axis: SupportsIndex | None = None,
    axes: Iterable[SupportsIndex] | None = None,
    order: str | None = None,
) -> tuple[int, ...]:
    """The shape that shapes broadcast to under a rule.

    Raises ValueError with the reason if there is none, or if it has unknown sizes; otherwise the
    same errors as `broadcast`.

    >>> broadcast_shapes((8, 1, 6, 1), (7, 1, 5))
    (8, 7, 6, 5)
    """
    answer = _answer_to(rule, shapes, {}, axis=axis, axes=axes, order=order)
    if answer.reason is not None:
        raise ValueError(answer.reason.text)
    sizes = [size for size in answer.result or () if isinstance(size, int)]
    if answer.ok is None or sizes != list(answer.result or ()):
        raise ValueError(f"the result has unknown sizes: {verdict(answer)}")
    return tuple(sizes)


def explain(error: str | BaseException) -> Explanation | None:
    """Explain a text or an exception about shapes; None if it is about something else.

    For a raised exception, the operands and their names are found in its traceback.

    >>> explain("operands could not be broadcast together with shapes (2,3) (4,)").reason
    'A has 3 and B has 4 on axis 1 (-1), and neither is 1'
    """
    if isinstance(error, BaseException):
        from bcastcli.raising.answers import at_the_raise
        from bcastcli.raising.hooks import is_off

        raised = None if is_off() else at_the_raise(error)
        if raised:
            return Explanation(raised.explanation, (), raised)
    from bcastcli.why import explained  # a feature, for this alone
    from bcastcli.why.messages.reader import read
    from bcastcli.why.messages.reading import Reading

    text = error if isinstance(error, str) else "".join(traceback.format_exception(error))
    findings = read(text.encode("utf-8", "replace")).findings
    explanations = [explained.explain(each) for each in findings if isinstance(each, Reading)]
    if not explanations:
        return None
    first, *others = explanations
    return Explanation(first, [Explanation(each, ()) for each in others])


def _answer_to(
    name: str, unnamed: Sequence[Typed], names: Mapping[str, Typed], **options: Any
) -> core.Answer:
    """The answer to shapes under a rule, given as Python values."""
    if not isinstance(name, str):
        raise TypeError(f"rule: expected a str, not {type(name).__name__}")
    rule = named(name)
    typed = (*[None] * len(unnamed), *names)
    operands = automatic_names([()] * len(typed), rule.default_names, typed)
    parts = []
    for operand, is_typed, shape in zip(operands, typed, (*unnamed, *names.values()), strict=True):
        with _naming(operand):
            prefix = f"{operand}=" if is_typed else ""
            parts.append(as_line([prefix + _written(shape)]))
    given = {key: value for key, value in options.items() if value is not None}
    chosen = {key: _option(rule, key, value) for key, value in given.items()}
    line = " ".join(parts)
    try:
        return answer_line(rule, line, chosen, name)
    except NotationError as error:
        ends = zip(operands, accumulate(len(part) + 1 for part in parts), strict=True)
        at_fault = [operand for operand, end in ends if error.span[0] < end]
        prefix = f"{at_fault[0]}: " if at_fault and len(parts) > 1 else ""
        message = prefix + _in_python(error.message)
        raise NotationError(message, line, error.span) from None


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Prefix the message of an error with the name of the operand or option that it is about."""
    try:
        yield
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    except Exception as error:
        where = getattr(error, "text", ""), getattr(error, "span", (0, 0))
        raise NotationError(f"{name}: {error}", *where) from error


def _written(shape: Any) -> str:
    """The text of a `Typed` value."""
    if isinstance(shape, str):
        return shape
    sizes = getattr(shape, "shape", [shape] if hasattr(shape, "__index__") else shape)
    if isinstance(shape, _NO_SHAPE) or isinstance(sizes, _NO_SHAPE):
        raise TypeError(f"{type(shape).__name__!r} object is not a shape")
    sizes = list(sizes)
    text = ",".join(map(_size, sizes)) or "()"
    return f"({text},)" if len(sizes) == 1 and not text.isdigit() else text


def _small(operand: Any) -> Any:
    """An array that a picture shows; None for others, which are not kept in memory."""
    try:
        return operand if prod(operand.shape) <= _MOST else None
    except Exception:  # whatever an array of another library raises
        return None


def _numbers(operand: Any) -> Sequence[float]:
    """The numbers in an array, for its picture; empty unless all are small."""
    try:
        numbers: list[float] = operand.ravel().tolist()
        return numbers if all(abs(n) < _BELOW and round(n, 2) == n for n in numbers) else ()
    except Exception:  # whatever an array of another library raises
        return ()


def _size(size: Any) -> str:
    """A size in the notation: a number, a name, or what calculates it from names."""
    is_number = isinstance(size, Number)
    if size is None:
        return "?"
    if is_number:
        return str(index(size))
    text = re.sub(r"\s*([-+*/])\s*", r"\1", str(size))  # sums, as some packages write them
    if isinstance(size, str):
        if not text or re.search(r"[\s,;\[\]{}=]", text):
            raise NotationError("a size of a shape is one number or name", text, (0, len(text)))
        return text
    # Symbols of frameworks, some of which would have to guess a number.
    return text if hasattr(size, "__add__") and _SYMBOL.fullmatch(text) else str(index(size))


def _option(rule: Rule, name: str, value: Any) -> Value:
    """An option as a rule takes it; raise TypeError or NotationError for a wrong one."""
    if name not in rule.options:
        raise TypeError(f"{rule.name} has no option {name}")
    with _naming(name):
        if name == "order":
            return parse_setting(name, value)
        numbers = [value] if name == "axis" else value
        return parse_setting(name, ",".join([str(index(number)) for number in numbers]) or "none")


def _in_python(text: str) -> str:
    """A text with options as Python writes them: `axes=(0,)` for `--axes 0`."""
    return _OPTION.sub(lambda match: f"{match[1]}={parse_setting(match[1], match[2])!r}", text)


def _suggestion(suggestion: questions.Suggestion) -> Suggestion:
    changed, result = dict(suggestion.changed), suggestion.answer.result or ()
    return Suggestion(_in_python(suggestion.write), changed, result, suggestion.kind)


def _record(report: Report) -> dict[str, Any]:
    """The object that a report writes in JSON."""
    import json  # rarely needed

    from bcastcli.render.json import write

    value: dict[str, Any] = json.loads(write(report.records()))
    return value
