"""The explanation of an error: its message, read as by `why`, with the shapes that were found.

The message's sizes must agree with these shapes. If the message is unknown, an operator that
refuses its operands' shapes gives the answer; otherwise the operands are shown without one.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from types import CodeType, MappingProxyType
from typing import NamedTuple

from bcastcli.core.alignment import letters
from bcastcli.core.shapes import Shape, written
from bcastcli.operators.facts import Clash
from bcastcli.raising.frames import Raised, last_of_user, message, raised, traces, unexplained
from bcastcli.raising.functions import Asked
from bcastcli.raising.naming import Where, shortened
from bcastcli.raising.operands import Operands
from bcastcli.raising.values import LIST, Array
from bcastcli.rules import IDENTICAL, TO_A_TARGET, USUAL
from bcastcli.why.explained import Explanation, explain
from bcastcli.why.messages import Fault, Reading
from bcastcli.why.messages.reader import read
from bcastcli.why.messages.reading import MATMUL, Origin

_SETTLED = {
    *("flattened", "perhaps transposed", "padded", "perhaps batch axes", "cut"),
    *("leading ones dropped", "result so far"),
}
"""Caveats about shapes, which are known now."""
_RULES = {"identical": IDENTICAL, "product": MATMUL, "gates": MATMUL, "where": USUAL}
_RULES |= {name: name for name in (USUAL, TO_A_TARGET)}
"""The rules by their names in the table of functions."""


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


def at_the_raise(error: BaseException) -> AtTheRaise | None:
    """Return the operands of the expression that raised, and the answer; None without any shape.

    It never raises, whatever the frames hold.
    """
    try:
        return _at_the_raise(error)
    except Exception:  # one error is enough
        return None


def _at_the_raise(error: BaseException) -> AtTheRaise | None:
    found = raised(error)
    said = _said(found.error if found else error)
    if found is None:
        return _by_message(error, said)
    answered = _answer(found, said)
    is_answered = answered.explanation is not None or answered.fault is not None
    if _is_contradicted(said, found, is_answered=is_answered):
        return None
    frames = answered.frames or found.frames
    shapes: dict[str, Shape | None] = {}
    targets = [*map(ast.unparse, getattr(frames[0].node, "targets", ()))]
    for frame in frames:
        names = _names_of_user(found, frame)
        for name, each in frame.arrays.items():
            shape = each.shape if each else answered.shapes.get(name)
            if shape or name not in targets:
                shapes.setdefault(names.get(name, name), shape)
    alone = _by_message(found.error, said)
    if not any(shapes.values()):
        return alone
    where, inner, *_ = (*map(_where, frames), None)
    if not is_answered and alone and (alone.fault or alone.explanation.answer):
        told = alone.explanation.answer.shapes if alone.explanation.answer else ()
        is_other = bool(told) and {*told}.isdisjoint(shapes.values())
        return alone._replace(where=where, operands={} if is_other else shapes)
    explanation = answered.explanation or _alone(answered.fault, found.message)
    is_last = found.error is error
    return AtTheRaise(found.message, where, inner, shapes, explanation, answered.fault, is_last)


def _by_message(error: BaseException, said: Reading | Fault | None) -> AtTheRaise | None:
    """What the message says by itself, where no operand can be read; None if that is nothing."""
    trace = last_of_user(error)
    if trace is None or said is None:
        return None
    code, text = trace.tb_frame.f_code, message(error)
    # No operand is called what the program has for something else.
    variables = " ".join((*code.co_varnames, *code.co_freevars, *code.co_names))
    where = Where(code.co_filename, trace.tb_lineno, _function(code), "")
    if isinstance(said, Fault):
        return AtTheRaise(text, where, None, {}, _alone(said, text), said, True)
    origin = Origin(where.file, where.line, variables)
    return AtTheRaise(text, where, None, {}, explain(said._replace(origin=origin)), None, True)


def _alone(fault: Fault | None, message: str) -> Explanation:
    """The explanation that has a fault, or nothing but the message."""
    ok, text = (None, None) if fault is None else (False, fault.text)
    return Explanation(Reading((), "", message=message), None, ok, text, (), ())


def _is_contradicted(said: Reading | Fault | None, found: Raised, *, is_answered: bool) -> bool:
    """Whether a message does not fit the operands of its operation: they were changed in place."""
    [*_, frame] = found.frames
    if said is None or any(
        "vmap" in each.tb_frame.f_code.co_filename for each in traces(found.error)
    ):
        return False  # under vmap a message has axes that the program does not see
    told: list[Shape | None] = []
    if isinstance(said, Reading) and {*said.caveats} <= {"perhaps output"}:
        told = [shape for shape in _told(said) if shape is not None]
    changed = []
    for each in frame.operations:
        if each.library:
            is_other = _are_others(each.shapes, told)
            if not is_answered and None not in each.shapes:
                is_other = not each.kind or bool(_left(found.message, [frame]))
            changed.append(is_other)
    whole = frame.arrays.keys() - frame.parts
    shapes = [each and each.shape for name, each in frame.arrays.items() if name in whole]
    if frame.is_operation and not frame.operations and None in shapes:  # by a later operand
        changed.append(_are_others(shapes, told))
    return bool(changed) and all(changed)


def _are_others(shapes: Sequence[Shape | None], told: Sequence[Shape | None]) -> bool:
    """Whether a message has as many shapes, but not these; those that are unknown may be any."""
    known = Counter(shape for shape in shapes if shape is not None)
    return len(told) == len(shapes) and not known <= Counter(told)


def _told(reading: Reading) -> list[Shape | None]:
    """The shapes of a message; None for a result's, which is no operand's."""
    pairs = zip(reading.names, reading.shapes or (), strict=False)
    return [None if name == "result" else shape for name, shape in pairs]


def _names_of_user(found: Raised, frame: Operands) -> dict[str, str]:
    """What the operands of a library's frame are called: as the user has it, if it is that object.

    A name that the user has for something else is followed by the library's function.
    """
    user = found.frames[0]
    if frame is user:
        return {}
    own = {key: name for name, key in reversed([*user.objects.items()])}
    function = frame.trace.tb_frame.f_code.co_name
    names: dict[str, str] = {}
    for name in {*frame.arrays, *(each for call in frame.operations for each in call.names)}:
        parts = {each.id for each in ast.walk(ast.parse(name)) if isinstance(each, ast.Name)}
        if frame.objects.get(name) in own:
            names[name] = own[frame.objects[name]]
        elif parts & _variables(user):
            names[name] = f"{name} in {function}"
    return names


def _variables(frame: Operands) -> set[str]:
    """The variables that a frame's code uses."""
    code, of_module = frame.trace.tb_frame.f_code, frame.trace.tb_frame.f_globals
    own = {*code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return own | {name for name in code.co_names if name in of_module}


def _where(found: Operands) -> Where:
    code = found.trace.tb_frame.f_code
    return Where(code.co_filename, found.trace.tb_lineno, _function(code), found.text)


def _function(code: CodeType) -> str:
    """The qualified name of a function; empty for the code of a module."""
    name = code.co_qualname.rpartition("<locals>.")[2]
    return "" if name == "<module>" else name


class _Answered(NamedTuple):
    """The explanation or the fault, and the shapes of operands that follow from it."""

    explanation: Explanation | None = None
    fault: Fault | None = None
    shapes: Mapping[str, Shape] = MappingProxyType({})
    frames: tuple[Operands, ...] = ()
    """The frames that it is about; empty: all of them."""


def _answer(found: Raised, said: Reading | Fault | None) -> _Answered:
    """The answer that agrees with the message and the shapes."""
    reading = said if isinstance(said, Reading) else None
    for place, frame in enumerate(found.frames, 1):
        answers = []
        for operation in frame.operations:
            answers += [*_of_operation(operation, said, found, frame)][:1]
        if answers:
            return answers[0]._replace(frames=found.frames[:place])
        if reading and not any(None not in each.shapes for each in frame.operations):
            answers = [*_of_arrays(reading, found, frame)]
            if len(answers) == 1:
                return answers[0]
    if not isinstance(said, Fault) or not said.is_final or _left(found.message, found.frames):
        return _Answered()
    return _Answered(fault=said)


def _of_operation(
    operation: Asked, said: Reading | Fault | None, found: Raised, frame: Operands
) -> Iterator[_Answered]:
    """Yield why an operation refuses its operands, in a way that agrees with the message."""
    if operation.operator not in _RULES:
        names = _shown_names(operation.names, found, frame)
        for clash in operation.clashes(names):
            if _is_told(said, clash) and not _left(found.message, [frame], clash.text):
                at_fault = [each for each in clash.operands if each < len(names)]
                figures = {names[each]: operation.shapes[each] or () for each in at_fault}
                yield _Answered(fault=Fault(operation.kind, clash.text, figures, found.message))
        return
    reading = said if isinstance(said, Reading) else None
    if reading is None and not operation.library:
        return
    told = _told(reading) if reading else []
    own = operation.shapes
    shapes = [b if a is None else a for a, b in zip_longest(own, told)]
    known = [each for each in shapes if each is not None]
    is_told = None in own[: len(told)]
    is_other = any(a not in (None, b) for a, b in zip(own, told, strict=False))
    if len(known) == len(shapes) and not (is_told and is_other):
        rule = _RULES[operation.operator]
        base = reading or Reading((operation.library,), rule)
        roles = base.names if told and len(told) == len(known) else letters(len(known))
        if not operation.kind and rule != MATMUL:
            rule = base.rule  # it may be about an output as well
        question = base._replace(rule=rule, names=roles, shapes=tuple(known))
        settled = question if is_told else _settled(question)
        yield from _agreeing(settled, operation.names, found, frame)


def _of_arrays(reading: Reading, found: Raised, frame: Operands) -> Iterator[_Answered]:
    """Yield the answers to a message about any of the arrays of a frame."""
    usable = {*frame.checked}
    if frame.is_operation:
        usable = {*frame.known} - {*frame.parts}
    arrays = {name: each for name, each in frame.known.items() if name in usable}
    if frame.node is None:
        arrays = {name: each for name, each in arrays.items() if each.library != LIST}
    if reading.shapes:
        names = _by_shape(
            reading, arrays, [each for each in frame.arrays if each not in frame.known]
        )
        if any(names):
            yield from _agreeing(_settled(reading), names, found, frame)
        return
    for pair in combinations(arrays, 2):
        both = arrays[pair[0]].shape, arrays[pair[1]].shape
        question = _settled(reading)._replace(names=("A", "B"), shapes=both)
        yield from _agreeing(question, pair, found, frame)


def _settled(reading: Reading) -> Reading:
    """A reading without the caveats on shapes that are known now."""
    return reading._replace(caveats=tuple(each for each in reading.caveats if each not in _SETTLED))


def _agreeing(
    question: Reading, names: Sequence[str], found: Raised, frame: Operands
) -> Iterator[_Answered]:
    """Yield the answer to a question, if it refuses the shapes, by the sizes of the message."""
    each = _explain(question, names, found, frame)
    answer = each.answer
    if answer is None or answer.ok is not False:
        return
    axes = [axis for axis in answer.axes or () if axis.conflict]
    axes = axes[-1:] if "torch" in question.framework else axes  # it names the rightmost one
    rank = len(answer.axes or ())
    clashing: set[object] = set()
    for axis in axes:
        if question.axis in (None, axis.number, axis.number - rank):
            clashing |= {*axis.sizes}
    if answer.question.contraction:
        clashing |= {*answer.question.contraction.sizes}
    is_right = clashing >= {*(question.sizes or ())}
    if is_right and not _left(found.message, [frame], f"{answer.reason} {answer.shapes}"):
        shapes = dict(zip(names, question.shapes or (), strict=False))
        yield _Answered(explanation=each, shapes=shapes)


def _is_told(said: Reading | Fault | None, clash: Clash) -> bool:
    """Whether a clash has the sizes and the target of a message: else a value has changed."""
    told: list[object] = []
    if isinstance(said, Reading):
        told += said.sizes or ()
    elif said is not None:
        told += map(said.figures.get, ("one", "other", "target"))
    texts = [written(each) if isinstance(each, tuple) else str(each) for each in told if each]
    text = clash.text.replace(",", "")
    return all(each.replace(",", "") in text for each in texts)


def _left(message: str, frames: Sequence[Operands], text: str = "") -> set[str]:
    """The sizes of a message that are neither in the shapes of frames nor in a text."""
    every = [f"{each.shapes} {each.attributes}" for frame in frames for each in frame.operations]
    arrays = [each for frame in frames for each in frame.known.values()]
    return unexplained(message, " ".join([text, *every, *(each.text for each in frames)]), arrays)


def _said(error: BaseException) -> Reading | Fault | None:
    """What the message of an error says: a mismatch, or else a fault; None if it is unknown."""
    text = f"{type(error).__name__}: {message(error)}"
    said = read(text.encode("utf-8", "replace")).findings
    return next(iter(sorted(said, key=lambda each: isinstance(each, Fault))), None)


def _shown_names(names: Sequence[str], found: Raised, frame: Operands) -> list[str]:
    """The names of operands as the user has them, in so many characters as a table takes."""
    renamed = _names_of_user(found, frame)
    return [shortened(renamed.get(name, name)) for name in names]


def _explain(reading: Reading, names: Sequence[str], found: Raised, frame: Operands) -> Explanation:
    """The answer to a reading whose operands have the user's names."""
    place = _where(frame)
    variables = " ".join(_variables(found.frames[0]))
    others = [""] * (len(reading.names) - len(names))  # as that of an output
    own = (*_shown_names(names, found, frame), *others)
    origin = Origin(place.file, place.line, variables, own)
    each = explain(reading._replace(origin=origin, message=found.message))
    origin = origin._replace(source=place.source)
    each = each._replace(reading=each.reading._replace(origin=origin))
    if reading.rule == MATMUL and not _is_linear(found):
        each = each._replace(notes=tuple(note for note in each.notes if note.kind != "sizes"))
    # The weights of a layer, and what a library made, are not for the user to change.
    is_layer = any(name.endswith(".T") and name not in frame.arrays for name in names)
    if is_layer or frame is not found.frames[0]:
        return each._replace(lines=())
    lines = (line._replace(write=line.write.replace(".T.T", "")) for line in each.lines)
    return each._replace(lines=tuple(lines))


def _is_linear(found: Raised) -> bool:
    """Whether a line, or a function on the way to the error, says that it is a linear layer."""
    codes = [trace.tb_frame.f_code for trace in traces(found.error)]
    texts = [f"{code.co_filename} {code.co_name}" for code in codes]
    return "linear" in " ".join([*texts, *(frame.text for frame in found.frames)]).lower()


def _by_shape(
    reading: Reading, known: Mapping[str, Array], unknown: Sequence[str]
) -> Sequence[str]:
    """The names of the arrays that have the shapes of a message; empty where none is certain."""
    left = {name: each.shape for name, each in known.items()}
    told = reading.shapes or ()
    names = [""] * len(told)
    for place, shape in enumerate(told):
        found = [name for name in left if left[name] == shape]
        if reading.names[place] != "result" and 1 <= len(found) <= told.count(shape):
            names[place] = found[0]
            del left[found[0]]
    if names.count("") == len(unknown) == 1 and reading.names[names.index("")] != "result":
        names[names.index("")] = unknown[0]
    return names
