"""The explanation of an error: its message, read as by `why`, with the shapes that were found.

The message's sizes must agree with these shapes. If the message is unknown, an operator that
refuses its operands' shapes gives the answer; otherwise the operands are shown without one.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, zip_longest
from math import prod
from types import CodeType, MappingProxyType
from typing import NamedTuple

from bcastcli.core.alignment import letters
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape
from bcastcli.operators.fits import Clash
from bcastcli.raising.frames import Raised, last_of_user, message, raised, traces, unexplained
from bcastcli.raising.functions import Asked
from bcastcli.raising.naming import Where, shortened
from bcastcli.raising.operands import Operands
from bcastcli.raising.places import is_library
from bcastcli.raising.values import LIST, Array
from bcastcli.rules import IDENTICAL, TO_A_TARGET, USUAL
from bcastcli.why.explained import Explanation, explain, of_message
from bcastcli.why.messages import Fault, Reading
from bcastcli.why.messages.reader import read
from bcastcli.why.messages.reading import MATMUL, Origin

_SETTLED = {
    *("flattened", "perhaps transposed", "padded", "perhaps batch axes", "cut"),
    *("leading ones dropped", "result so far"),
}
"""Caveats about shapes, which are known now."""
_ORDINALS = ("first", "second", "third", "fourth", "next")
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
    if found is None:
        return _by_message(error, message(error))
    said = _said(found)
    answered = _answer(found, said)
    if _is_contradicted(said, answered, found):
        return None
    fault, frames = answered.fault, answered.frames or found.frames
    shapes: dict[str, Shape | None] = {}
    for frame in frames:
        names = _names_of_user(found, frame)
        for name, each in frame.arrays.items():
            shape = each.shape if each else answered.shapes.get(name)
            shapes.setdefault(names.get(name, name), shape)
    shapes |= dict.fromkeys(_outdated(frames[0], found.message) if not answered.frames else ())
    for name in map(ast.unparse, getattr(frames[0].node, "targets", ())):
        if shapes.get(name, ()) is None:
            del shapes[name]
    alone = _by_message(found.error, found.message)
    if not any(shapes.values()):
        return alone
    is_answered = answered.explanation is not None or fault is not None
    if not is_answered and alone and (alone.fault or alone.explanation.answer):
        told = alone.explanation.answer.shapes if alone.explanation.answer else ()
        is_other = bool(told) and {*told}.isdisjoint(shapes.values())
        below = frames[0].trace.tb_next
        if below and is_library(below.tb_frame.f_code.co_filename):
            is_other = False  # it made arrays of its own of them
        return alone._replace(where=_where(frames[0]), operands={} if is_other else shapes)
    nothing = _alone(fault, found.message)
    where, inner, *_ = (*map(_where, frames), None)
    explanation = answered.explanation or nothing
    is_last = found.error is error
    return AtTheRaise(found.message, where, inner, shapes, explanation, fault, is_last)


def _by_message(error: BaseException, text: str) -> AtTheRaise | None:
    """What the message says by itself, where no operand can be read; None if that is nothing."""
    trace = last_of_user(error)
    if trace is None:
        return None
    code = trace.tb_frame.f_code
    variables = " ".join((*code.co_varnames, *code.co_freevars, *code.co_names))
    origin = Origin(code.co_filename, trace.tb_lineno, variables)
    said = of_message(f"{type(error).__name__}: {text}", origin)
    if said is None:
        return None
    fault = said if isinstance(said, Fault) else None
    explanation = said if isinstance(said, Explanation) else _alone(fault, text)
    where = Where(code.co_filename, trace.tb_lineno, _function(code), "")
    return AtTheRaise(text, where, None, {}, explanation, fault, True)


def _alone(fault: Fault | None, message: str) -> Explanation:
    """The explanation that has a fault, or nothing but the message."""
    ok, text = (None, None) if fault is None else (False, fault.text)
    return Explanation(Reading((), "", message=message), None, ok, text, (), ())


def _is_contradicted(said: Reading | Fault | None, answered: "_Answered", found: Raised) -> bool:
    """Whether a message does not fit the operands of its operation: they were changed in place."""
    frame = found.frames[-1]
    if said is None or any(
        "vmap" in each.tb_frame.f_code.co_filename for each in traces(found.error)
    ):
        return False  # under vmap a message has axes that the program does not see
    told = said.shapes if isinstance(said, Reading) and not said.caveats else None
    names = said.names if isinstance(said, Reading) else ()
    whole = [shape for shape, name in zip(told or (), names, strict=False) if name != "result"]
    pairs = [*_asked(frame)]
    asked = [shapes for _, shapes, _, _ in pairs] + [call.shapes for call in frame.asked]
    has_rules = any("" in libraries for *_, libraries in pairs)
    if not asked or has_rules or any(None in shapes for shapes in asked):
        return False
    if answered.explanation is None and answered.fault is None:
        return bool(pairs or _left(found.message, [frame]))
    own = asked[0]
    return len(whole) == len(own) and sorted(map(str, own)) != sorted(map(str, whole))


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
    for name in {*frame.arrays, *(each for call in frame.asked for each in call.names)}:
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


def _outdated(found: Operands, message: str) -> set[str]:
    """Return the names that a later call may have changed: no size is in the message."""
    stated, local = unexplained(message, "", ()), {*found.trace.tb_frame.f_code.co_varnames}
    every = [each for each in ast.walk(found.node or ast.Pass()) if isinstance(each, ast.expr)]
    last = max([_place(each)[:2] for each in every if isinstance(each, ast.Call)], default=(0, 0))
    before = {ast.unparse(each) for each in every if _place(each)[2:] <= last}
    known = {name: each.shape for name, each in found.known.items() if name in before - local}
    sizes = {name: {*map(str, (*shape, prod(shape)))} - {"1"} for name, shape in known.items()}
    return {name for name in sizes if stated and sizes[name] and stated.isdisjoint(sizes[name])}


def _place(node: ast.expr) -> tuple[int, ...]:
    """Return the lines and columns of an expression: its first ones, then its last."""
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _where(found: Operands) -> Where:
    code = found.trace.tb_frame.f_code
    return Where(code.co_filename, found.trace.tb_lineno, _function(code), found.text)


def _function(code: CodeType) -> str:
    """The qualified name of a function; empty for the code of a module."""
    name = code.co_qualname.rpartition("<locals>.")[2]
    return "" if name == "<module>" else name


class _Answered(NamedTuple):
    """The explanation, and the shapes of operands that follow from it."""

    explanation: Explanation | None = None
    shapes: Mapping[str, Shape] = MappingProxyType({})
    fault: Fault | None = None
    frames: tuple[Operands, ...] = ()
    """The frames that it is about; empty: all of them."""


def _answer(found: Raised, said: Reading | Fault | None) -> _Answered:
    """Return the answer that agrees with the message and the shapes."""
    reading = said if isinstance(said, Reading) else None
    for place, frame in enumerate(found.frames, 1):
        frames = found.frames[:place] if frame.asked else ()
        for call in frame.asked:
            renamed = _names_of_user(found, frame)
            own = [shortened(renamed.get(name, name)) for name in call.names]
            for clash in call.clashes(own):
                if _is_meant(said, call, clash) and not _left(found.message, [frame], clash.text):
                    at_fault = [each for each in clash.operands if each < len(own)]
                    figures = {own[each]: call.shapes[each] or () for each in at_fault}
                    fault = Fault(call.kind, clash.text, figures, found.message)
                    return _Answered(fault=fault, frames=frames)
        agreeing = []
        for question, names in _questions(reading, frame):
            each = _explain(question, names, found, frame)
            if each.answer and _agrees(each.answer, reading, frame, found.message):
                shapes = dict(zip(names, question.shapes or (), strict=True))
                agreeing.append(_Answered(each, shapes, None, frames))
        if len(agreeing) == 1:
            return agreeing[0]
    if not isinstance(said, Fault) or not said.is_final or _left(found.message, found.frames):
        return _Answered()
    known = {each.shape for frame in found.frames for each in frame.known.values()}
    whole = known | {(1, *each) for each in known}  # a batch of one
    told = {each for each in said.figures.values() if isinstance(each, tuple)}
    return _Answered(fault=None if told and whole.isdisjoint(told) else said)


def _is_meant(said: Reading | Fault | None, call: Asked, clash: Clash) -> bool:
    """Return whether the sizes, the axis and the target in a message, if any, are those of a call.

    If they differ, a value has changed since.
    """
    figures = getattr(said, "figures", {})
    axis, target = figures.get("axis"), figures.get("target", ())
    rank, own = len(call.shapes[0] or ()), (clash.axis, call.attributes.get("axis"))
    axes = {each % rank for each in own if isinstance(each, int) and rank}
    is_there = not (isinstance(axis, int) and axes) or axis % rank in axes
    sizes = getattr(said, "sizes", ()) or [figures.get(name) for name in ("one", "other")]
    are_told = all(str(n) in clash.text.replace(",", "") for n in sizes if isinstance(n, int))
    both = target, call.attributes.get("shape", target)
    told, asked = ([size for size in each if size != -1] for each in both)  # NumPy drops the first
    return is_there and are_told and told in ([], asked)


def _left(message: str, frames: Sequence[Operands], text: str = "") -> set[str]:
    """Return the sizes of a message that are neither in the shapes of frames nor in a text."""
    calls = [f"{call.shapes} {call.attributes}" for frame in frames for call in frame.asked]
    arrays = [each for frame in frames for each in frame.known.values()]
    return unexplained(message, " ".join([text, *calls, *(each.text for each in frames)]), arrays)


def _said(found: Raised) -> Reading | Fault | None:
    """Return the reading of an error's message, or else its fault; None if it is unknown."""
    text = f"{type(found.error).__name__}: {found.message}"
    said = read(text.encode("utf-8", "replace")).findings
    return next(iter(sorted(said, key=lambda each: isinstance(each, Fault))), None)


def _explain(reading: Reading, names: Sequence[str], found: Raised, frame: Operands) -> Explanation:
    """The answer to a reading whose operands have the user's names."""
    place = _where(frame)
    renamed = _names_of_user(found, frame)
    own = [shortened(renamed.get(name, name)) for name in names]
    for number, name in enumerate(own):
        if not name and reading.names[number] in _variables(found.frames[0]):
            own[number] = f"the {_ORDINALS[number % len(_ORDINALS)]} operand"
    origin = Origin(place.file, place.line, place.source, tuple(own))
    each = explain(reading._replace(origin=origin, message=found.message))
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
    texts = [text for code in codes for text in (code.co_filename, code.co_name)]
    texts += [frame.text for frame in found.frames]
    return any("linear" in text.lower() for text in texts)


_Named = tuple[Reading, Sequence[str]]
"""A reading with shapes, and the user's names of its operands; empty where one has no name."""


def _questions(reading: Reading | None, found: Operands) -> Iterator[_Named]:
    """Yield the questions that an expression asks; the message may supply an unknown shape.

    Without a known operator or function, the operands are those with the shapes in the message.
    """
    told = reading.shapes or () if reading else ()
    asked = [*_asked(found)]
    for names, own, rule, libraries in asked:
        shapes = [b if a is None else a for a, b in zip_longest(own, told)]
        known = tuple(each for each in shapes if each is not None)
        is_told = None in own[: len(told)]
        is_other = any(a not in (None, b) for a, b in zip(own, told, strict=False))
        is_unsure = reading is None and {"", LIST} & {*libraries}
        if len(known) < len(shapes) or (is_told and is_other) or is_unsure:
            continue
        base = reading or Reading(tuple(libraries[:1]), rule)
        rule = rule if found.asked or rule == MATMUL else base.rule
        roles = base.names if told and len(base.names) == len(known) else letters(len(known))
        # The shape that a message calls the result's is no operand's.
        given = zip_longest(names, own, roles)
        names = ["" if (a, role) == (None, "result") else name or "" for name, a, role in given]
        base = base._replace(rule=rule, names=roles, shapes=known)
        yield base if is_told else _settled(base), names
    if asked or reading is None or not (found.is_operation or found.checked):
        return
    usable = {*found.known} - {*found.parts} if found.is_operation else {*found.checked}
    whole = {name: each for name, each in found.known.items() if name in usable}
    arrays = {name: each for name, each in whole.items() if found.node or each.library != LIST}
    if told:
        yield from _with_names(reading, arrays, [n for n in found.arrays if n not in found.known])
    # Another function of the table may have operands that need not broadcast.
    for pair in combinations(() if told or found.asked else arrays, 2):
        both = arrays[pair[0]].shape, arrays[pair[1]].shape
        yield _settled(reading._replace(names=("A", "B"), shapes=both)), pair


def _settled(reading: Reading) -> Reading:
    """Return a reading without the caveats on shapes that are known now."""
    return reading._replace(caveats=tuple(each for each in reading.caveats if each not in _SETTLED))


_OfOperands = tuple[Sequence[str], Sequence[Shape | None], str, Sequence[str]]
"""The names of operands, their shapes, a rule, and the libraries of those that are known."""


def _asked(found: Operands) -> Iterator[_OfOperands]:
    """Yield the operands of a call, or each two of an operator, with their rule."""
    for call in found.asked:
        if call.operator in _RULES:
            yield call.names, call.shapes, _RULES[call.operator], [call.library]
    for left, right, rule in _pairs(found.node):
        names = ast.unparse(left), ast.unparse(right)
        arrays = [found.known.get(name) for name in names]
        libraries = [each.library for each in arrays if each]
        yield names, [each and each.shape for each in arrays], rule, libraries


def _pairs(node: ast.AST | None) -> Iterator[tuple[ast.expr, ast.expr, str]]:
    """Yield each two operands of an operator, with its rule."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            yield left, right, MATMUL if isinstance(op, ast.MatMult) else USUAL
        case ast.AugAssign(target=left, op=op, value=right):
            yield left, right, MATMUL if isinstance(op, ast.MatMult) else TO_A_TARGET
        case ast.Assign(targets=[ast.Subscript() as left], value=right):
            yield left, right, TO_A_TARGET
        case ast.Compare(left=left, comparators=others):
            yield from ((*each, USUAL) for each in pairwise((left, *others)))


def _with_names(
    reading: Reading, known: Mapping[str, Array], unknown: Sequence[str]
) -> Iterator[_Named]:
    """Yield a message's question with the names of the operands that have its shapes."""
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
    if any(names):
        yield _settled(reading), names


def _agrees(answer: Answer, reading: Reading | None, found: Operands, message: str) -> bool:
    """Return whether shapes are refused, on an axis that the message names with its sizes."""
    if answer.ok is not False:
        return False
    if reading is None or reading.shapes or found.asked:
        return not _left(message, [found], f"{answer.reason} {answer.shapes}")
    sizes = {*(reading.sizes or ())}
    clashes = [each for each in answer.axes or () if each.conflict]
    contraction = answer.question.contraction
    if contraction and contraction.conflict:
        return sizes <= {*contraction.sizes}
    # torch names the rightmost one.
    clashes = clashes[-1:] if "torch" in reading.framework else clashes
    return any(sizes <= {*each.sizes} for each in clashes if reading.axis in (None, each.number))
