"""The explanation of an error: its message, read as by `why`, with the shapes that were found.

The message's sizes must agree with these shapes. If the message is unknown, an operator that
refuses its operands' shapes gives the answer; otherwise the operands are shown without one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from types import MappingProxyType, TracebackType
from typing import NamedTuple

from bcastcli.core.alignment import letters
from bcastcli.core.shapes import Shape
from bcastcli.raising.frames import last_of_user, raised, text_of, traces, unexplained, variables
from bcastcli.raising.functions import Operation
from bcastcli.raising.naming import Where, shortened
from bcastcli.raising.operands import Operands
from bcastcli.raising.places import is_library
from bcastcli.rules import IDENTICAL, TO_A_TARGET, USUAL
from bcastcli.why.explained import Explanation, explain
from bcastcli.why.messages import Fault, Reading
from bcastcli.why.messages.reader import read
from bcastcli.why.messages.reading import MATMUL, Origin

_RULES = {"identical": IDENTICAL, "product": MATMUL, "gates": MATMUL, "where": USUAL}
_RULES |= {USUAL: USUAL, TO_A_TARGET: TO_A_TARGET}
"""The rules by their names in the table of functions."""
_AXIS = re.compile(r"axis \d+ \(-\d+\)")


class AtTheRaise(NamedTuple):
    """An error whose operands were found."""

    message: str
    where: Where
    inner: Where | None
    """The place in a library, if the user's line leaves a size open."""
    operands: dict[str, Shape | None]
    """The operands by the user's names; None where the shape is unknown."""
    explanation: Explanation
    """The explanation; its answer is None if nothing is certain."""
    fault: Fault | None
    """The mismatch, where a rule does not give the answer."""
    is_last: bool
    """Whether it is the error that ended the program, rather than one that led to it."""


class _Message(NamedTuple):
    """What the message of an error says: a mismatch, or else a fault; neither, if it is unknown."""

    error: BaseException
    text: str
    reading: Reading | None
    fault: Fault | None

    @property
    def shapes(self) -> Sequence[Shape | None]:
        """The shapes of the operands, in its order; None for a result's, which is no operand's."""
        reading = self.reading or Reading((), "")
        pairs = zip(reading.names, reading.shapes or (), strict=False)
        return [None if name == "result" else shape for name, shape in pairs]

    @property
    def variables(self) -> str:
        """The variables of the program, in one text: no operand is called as one of them."""
        trace = last_of_user(self.error)
        return " ".join(variables(trace)) if trace else ""

    @property
    def is_under_vmap(self) -> bool:
        """Whether it has axes that the program does not see."""
        return any("vmap" in each.tb_frame.f_code.co_filename for each in traces(self.error))

    def refutes(self, shapes: Sequence[Shape | None]) -> bool:
        """Whether it has as many shapes, but not these; those that are unknown may be any."""
        caveats = {*self.reading.caveats} if self.reading else {"unknown"}
        if all(shape and len(shape) == 2 for shape in shapes):
            caveats -= {"flattened", "perhaps transposed"}  # of matrices nothing is
        if not caveats <= {"perhaps output", "output is last"} or self.is_under_vmap:
            return False
        stated = [*self.shapes]
        if "output is last" in caveats and len(stated) == len(shapes) + 1:
            stated.pop()
        known = Counter(shape for shape in shapes if shape is not None)
        of_message = Counter(shape for shape in stated if shape is not None)
        return of_message.total() == len(shapes) and not known <= of_message

    def agrees(self, reason: str, frame: Operands, shapes: Sequence[Shape] = ()) -> bool:
        """Whether a reason has its sizes and axis, and the frame all others: none has changed."""
        plain = reason.replace(",", "")
        if self.reading:
            axis, sizes = self.reading.axis, str(self.reading.sizes)
            if axis is not None and not (f"axis {axis} " in plain or f"({axis})" in plain):
                return False
            if unexplained(sizes, _AXIS.sub("", plain), ()):
                return False
        elif self.fault and not shapes:  # the answer of a rule has no target
            figures = [self.fault.figures.get(name) for name in ("one", "other", "target")]
            parts = [re.sub("[(), ]", "", str(each)) for each in figures if each]
            if not all(each in plain for each in parts):
                return False
        return not self.left([frame], f"{reason} {shapes}")

    def left(self, frames: Sequence[Operands], reason: str = "") -> set[str]:
        """The sizes that are neither in the shapes of frames nor in a reason."""
        texts = [reason, *(each.text for each in frames)]
        for frame in frames:
            texts += [f"{each.shapes} {each.attributes}" for each in frame.operations]
        arrays = [each for frame in frames for each in frame.known.values()]
        return unexplained(self.text, " ".join(texts), arrays)


class _Answer(NamedTuple):
    """The explanation or the fault, and the shapes of operands that follow from it."""

    explanation: Explanation
    fault: Fault | None = None
    shapes: Mapping[str, Shape] = MappingProxyType({})


def at_the_raise(error: BaseException) -> AtTheRaise | None:
    """The operands of the expression that raised, and the answer; None without any shape.

    It never raises, whatever the frames hold.
    """
    try:
        return _at_the_raise(error)
    except Exception:  # one error is enough
        return None


def _at_the_raise(error: BaseException) -> AtTheRaise | None:
    found = raised(error)
    message = _read(found.error if found else error)
    alone = _by_message(message)
    if found is None:
        return alone
    frames, answer = _answered(found.frames, message)
    if answer is None and _is_contradicted(message, found.frames[-1]):
        return None
    shapes: dict[str, Shape | None] = {}
    for frame in frames:
        for name, each in frame.arrays.items():
            shapes.setdefault(name, each.shape if each else answer and answer.shapes.get(name))
    if not any(shapes.values()):
        return alone
    places = [_where(each.trace, each.text) for each in frames]
    if answer is None and alone and (alone.fault or alone.explanation.answer):
        stated = alone.explanation.answer.shapes if alone.explanation.answer else ()
        is_other = bool(stated) and {*stated}.isdisjoint(shapes.values())
        return alone._replace(where=places[0], operands={} if is_other else shapes)
    explanation, fault, _ = answer or _of_fault(None, message.text)
    inner, is_last = places[1] if len(places) > 1 else None, found.error is error
    return AtTheRaise(message.text, places[0], inner, shapes, explanation, fault, is_last)


def _read(error: BaseException) -> _Message:
    """What the message of an error says."""
    text = text_of(error)
    findings = read(f"{type(error).__name__}: {text}".encode("utf-8", "replace")).findings
    reading = next((each for each in findings if isinstance(each, Reading)), None)
    fault = None if reading else next((each for each in findings if isinstance(each, Fault)), None)
    return _Message(error, text, reading, fault)


def _by_message(message: _Message) -> AtTheRaise | None:
    """What the message says by itself, where no operand can be read; None if that is nothing."""
    trace = last_of_user(message.error)
    if trace is None or not (message.reading or message.fault):
        return None
    where = _where(trace, "")
    answer = _of_fault(message.fault, message.text)
    if message.reading:
        origin = Origin(where.file, where.line, message.variables)
        each = explain(message.reading._replace(origin=origin))
        reading = each.reading._replace(origin=origin._replace(source=where.source))
        answer = _Answer(each._replace(reading=reading))
    return AtTheRaise(message.text, where, None, {}, answer.explanation, answer.fault, True)


def _of_fault(fault: Fault | None, text: str) -> _Answer:
    """The answer that a fault is, or that shows nothing but the text of the message."""
    ok, reason = (None, None) if fault is None else (False, fault.text)
    return _Answer(Explanation(Reading((), "", message=text), None, ok, reason, (), ()), fault)


def _where(trace: TracebackType, source: str) -> Where:
    code = trace.tb_frame.f_code
    function = code.co_qualname.rpartition("<locals>.")[2].removeprefix("<module>")
    return Where(code.co_filename, trace.tb_lineno, function, source)


def _is_contradicted(message: _Message, frame: Operands) -> bool:
    """Whether a message does not fit the operands of its operation: they were changed in place."""
    if not (message.reading or message.fault) or message.is_under_vmap:
        return False
    changed = []
    for each in frame.operations:
        if each.library:
            is_read = None not in each.shapes
            is_other = not each.kind or bool(message.left([frame]))
            changed.append(message.refutes(each.shapes) or (is_read and is_other))
    if frame.is_operation and not frame.operations:  # it may be by a later operand
        whole = frame.arrays.keys() - frame.parts
        shapes = [each and each.shape for name, each in frame.arrays.items() if name in whole]
        changed.append(None in shapes and message.refutes(shapes))
    return bool(changed) and all(changed)


_Answered = tuple[Sequence[Operands], _Answer | None]


def _answered(frames: Sequence[Operands], message: _Message) -> _Answered:
    """The answer that agrees with the message and the shapes, and the frames that it is about."""
    for place, frame in enumerate(frames, 1):
        answers = [*_of_operations(frame.operations, message, frame)]
        if answers:
            return frames[:place], answers[0]
        is_known = any(None not in each.shapes for each in frame.operations)
        if message.reading and not is_known and not _is_contradicted(message, frame):
            answers = [*_of_operations(_of_arrays(message.reading, frame), message, frame)]
            if len(answers) == 1:
                return frames, answers[0]
    fault = message.fault
    if fault is None or not fault.is_final or message.left(frames):
        return frames, None
    return frames, _of_fault(fault, message.text)


def _of_operations(
    operations: Iterable[Operation], message: _Message, frame: Operands
) -> Iterator[_Answer]:
    """Why operations refuse their operands, in a way that agrees with the message."""
    for each in operations:
        if each.operator in _RULES:
            yield from _of_rule(each, message, frame)
            continue
        names = [*map(shortened, each.names)]
        for clash in each.clashes(names):
            if message.agrees(clash.text, frame):
                at_fault = [place for place in clash.operands if place < len(names)]
                figures = {names[place]: each.shapes[place] or () for place in at_fault}
                yield _of_fault(Fault(each.kind, clash.text, figures, message.text), message.text)


def _of_rule(operation: Operation, message: _Message, frame: Operands) -> Iterator[_Answer]:
    """The answer of a rule, for shapes of which one may be that of the message."""
    stated, found = message.shapes, operation.shapes
    shapes = [b if a is None else a for a, b in zip_longest(found, stated)]
    known = [each for each in shapes if each is not None]
    is_filled = None in found[: len(stated)]
    is_other = any(a not in (None, b) for a, b in zip(found, stated, strict=False))
    if message.refutes(found) or (is_filled and is_other):
        return
    if len(known) < len(shapes) or not (message.reading or operation.library):
        return
    rule = _RULES[operation.operator]
    question = message.reading or Reading((operation.library,), rule)
    if operation.kind or rule == MATMUL:  # else it may be about an output as well
        question = question._replace(rule=rule)
    if len(stated) != len(known):
        question = question._replace(names=letters(len(known)))
    if not is_filled:  # other caveats are about the shapes of the message
        caveats = tuple(each for each in question.caveats if "output" in each)
        question = question._replace(caveats=caveats)
    explanation = _explained(question._replace(shapes=tuple(known)), operation, message, frame)
    answer = explanation.answer
    if answer is None or answer.ok is not False:
        return
    product = answer.question.contraction
    reason = f"{answer.reason} {product.sizes if product else ''}"
    if message.agrees(reason, frame, answer.shapes):
        yield _Answer(explanation, None, dict(zip(operation.names, known, strict=False)))


def _of_arrays(reading: Reading, frame: Operands) -> Iterator[Operation]:
    """The operations that a message may be about, of any of the arrays of a frame."""
    usable = {*frame.known} - {*frame.parts} if frame.is_operation else {*frame.checked}
    left = {name: each.shape for name, each in frame.known.items() if name in usable}
    stated = reading.shapes
    if stated is None:
        for pair in combinations(left, 2):
            yield Operation("", "", USUAL, pair, [left[name] for name in pair], {})
        return
    names = [""] * len(stated)
    for place, shape in enumerate(stated):
        same = [name for name in left if left[name] == shape]
        if reading.names[place] != "result" and 1 <= len(same) <= stated.count(shape):
            names[place] = same[0]
            del left[same[0]]
    unknown = [name for name, each in frame.arrays.items() if each is None]
    if names.count("") == len(unknown) == 1 and reading.names[names.index("")] != "result":
        names[names.index("")] = unknown[0]
    if any(names):
        yield Operation("", "", USUAL, names, stated, {})


def _explained(
    question: Reading, operation: Operation, message: _Message, frame: Operands
) -> Explanation:
    """The answer to a question about an operation, with the user's names."""
    place = _where(frame.trace, frame.text)
    names = [*map(shortened, operation.names)]
    names += [""] * (len(question.names) - len(names))
    origin = Origin(place.file, place.line, message.variables, tuple(names))
    each = explain(question._replace(origin=origin, message=message.text))
    reading = each.reading._replace(origin=origin._replace(source=place.source))
    each = each._replace(reading=reading)
    # The weights of a layer, and what a library made, are not for the user to change.
    is_layer = any(name.endswith(".T") and name not in frame.arrays for name in operation.names)
    if question.rule == MATMUL and not (is_layer and operation.operator == "product"):
        each = each._replace(notes=tuple(note for note in each.notes if note.kind != "sizes"))
    if is_layer or is_library(place.file):
        return each._replace(lines=())
    lines = (line._replace(write=line.write.replace(".T.T", "")) for line in each.lines)
    return each._replace(lines=tuple(lines))
