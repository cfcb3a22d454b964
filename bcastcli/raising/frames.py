"""Which error of a chain, and which of its frames, show the operands."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from inspect import CO_OPTIMIZED
from itertools import chain
from types import FrameType, TracebackType
from typing import NamedTuple

from bcastcli.core.shapes import element_count
from bcastcli.raising import positions
from bcastcli.raising.changes import changed
from bcastcli.raising.operands import Operands, operands
from bcastcli.raising.places import is_library
from bcastcli.raising.values import ARRAYS, LIST, Array, library

_OF_WORKERS = "Traceback (most recent call last)"
"""Part of the message of an error that a worker process wrote as text."""
_OWN_REFERENCES = 3
"""The references to a frame's variables: the frame's, ours, and that of the count."""
_MAX_ERRORS, _MAX_FRAMES, _MAX_OWN, _MAX_INNER = 9, 60, 4, 12
_NEVER = (
    *(SystemExit, KeyboardInterrupt, GeneratorExit, KeyError, NameError, ImportError, OSError),
    *(ZeroDivisionError, StopIteration, StopAsyncIteration, RecursionError, SyntaxError),
    *(MemoryError, UnicodeError),
)
_WORDS = re.compile(
    r"shape|size|\blen\b|dimension|\bdims?\b|-dim|broadcast|length|mismatch|multipl|stack|concat"
    r"|unpack|elements|features|samples|rank\b|ax[ie]s|align|incompat|inconsist|square|not equal"
    r"|must (be|have|match)|expect|[1-4]-?d\b|split|chunk|index|reshape|view|columns|rows|channels"
    r"|label|subscript",
    re.IGNORECASE,
)
_OF_ASSERTIONS = re.compile(r"shape|ndim|\bsize\b|allclose|array_equal|broadcast", re.IGNORECASE)
_OF_OTHERS = re.compile(r"\) (?:missing|takes|got)|argument (?:'|for)|scalar type|same d(?:t|ev)")
"""The words of messages about arguments, types and devices."""
_NO_SIZE = re.compile(
    r"\b(?:dim(ension)?s?|ax[ei]s|index|number|operand|entry|arg(ument)?)[ #:=]{1,2}\d+|(?<!\d)-\d+"
)
"""Numbers that are not sizes: the number of an axis or an operand."""


class Raised(NamedTuple):
    """An error, and the frames that show its operands: the user's, then perhaps a library's."""

    error: BaseException
    frames: tuple[Operands, ...]


def raised(error: BaseException) -> Raised | None:
    """Where an error was raised, with the operands; None if it is not about shapes."""
    texts = [(each, text_of(each)) for each in _chain(error, ())]
    if any(_OF_WORKERS in text for _, text in texts):
        return None  # the frames were in another process
    texts = [pair for pair in texts if not _OF_OTHERS.search(pair[1])]
    errors = [pair for pair in texts if not issubclass(type(pair[0]), _NEVER)]
    try:
        for each, text in errors:
            found = _of_error(each, text)
            if found and _is_about_shapes(each, text, found[0].text):
                return Raised(each, found)
        return None
    finally:
        positions.forget()
        for each, _ in errors:
            for trace in traces(each):
                _release(trace.tb_frame)


def _release(frame: FrameType) -> None:
    """Let go of the variables of a function: until 3.13, to look at them makes it keep a copy."""
    if sys.version_info < (3, 13) and frame.f_code.co_flags & CO_OPTIMIZED:
        names = frame.f_locals
        if sys.getrefcount(names) <= _OWN_REFERENCES:  # the program may have it by locals()
            names.clear()


def _chain(error: BaseException | None, seen: tuple[BaseException, ...]) -> Iterator[BaseException]:
    """The errors that led to one, the first raised first."""
    if error is None or len(seen) > _MAX_ERRORS or any(error is each for each in seen):
        return
    seen = (*seen, error)
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions[:3]:
            yield from _chain(each, seen)
    before = error.__cause__
    if before is None and not error.__suppress_context__:
        before = error.__context__
    yield from _chain(before, seen)
    yield error


def text_of(error: BaseException) -> str:
    """The text of an error, without calling a method of the program's own."""
    owner = next(each for each in type(error).__mro__ if "__str__" in vars(each))
    if library(owner) in ARRAYS | {"builtins", "multiprocessing", "concurrent"}:
        with suppress(Exception):  # it may not have a text
            return str(error)[:4096]
    return " ".join(each for each in error.args if type(each) is str)[:4096]


def _is_about_shapes(error: BaseException, text: str, source: str) -> bool:
    """Whether an error is about shapes by its text, or by what an assertion compares."""
    if issubclass(type(error), AssertionError):
        return bool(_OF_ASSERTIONS.search(f"{text} {source}"))
    return bool(_WORDS.search(text or source))


def _of_error(error: BaseException, text: str) -> tuple[Operands, ...]:
    """The user's innermost frame with a shape, and a library's if it leaves sizes open."""
    every = [*traces(error)][-_MAX_FRAMES:]
    pairs = [*zip(every, changed(every), strict=True)]
    files = [trace.tb_frame.f_code.co_filename for trace in every]
    own = [place for place, file in enumerate(files) if not is_library(file)]
    found = [(place, operands(*pairs[place])) for place in reversed(own[-_MAX_OWN:])]
    found.sort(key=lambda pair: (not pair[1].known, not pair[1].arrays))
    if not found or not found[0][1].arrays:
        return ()
    last, best = found[0]
    known = best.known
    if not best.is_operation:
        inner = operands(*pairs[-1])
        if inner.known and inner.is_operator:
            return best, _as_user_has(inner, best)
        handed = {key for name, key in inner.objects.items() if name not in inner.parts}
        if isinstance(inner.node, ast.Raise):  # it checks what it was given
            handed = {id(value) for value in every[-1].tb_frame.f_locals.values()}
        best = best._replace(checked=[name for name, key in best.objects.items() if key in handed])
    left = unexplained(text, best.text, known.values())
    if len(known) > 1 and not left and len(known) == len(best.arrays):
        return (best,)
    ranked = []
    for depth, pair in enumerate(pairs[last + 1 :][-_MAX_INNER:]):
        inner = operands(*pair)
        arrays = [each for each in inner.known.values() if each.shape and each.library != LIST]
        explained = len(left & _sizes(arrays))
        if explained or (len(arrays) > 1 and len(known) < 2):
            ranked.append((explained, depth, inner))
    if not ranked:
        return (best,)
    *_, inner = max(ranked, key=lambda each: each[:2])
    return best, _as_user_has(inner, best)


def _as_user_has(inner: Operands, user: Operands) -> Operands:
    """A library's frame, whose operands are called as the user has them, if it is that object.

    A name that the user has for something else is followed by the library's function.
    """
    own = {key: name for name, key in reversed([*user.objects.items()])}
    used, function = variables(user.trace), inner.trace.tb_frame.f_code.co_name

    def named(name: str) -> str:
        key = inner.objects.get(name)
        if key in own:
            return own[key]
        parts = {each.id for each in ast.walk(ast.parse(name)) if isinstance(each, ast.Name)}
        return f"{name} in {function}" if parts & used else name

    arrays: dict[str, Array | None] = {}
    for name, each in inner.arrays.items():
        arrays.setdefault(named(name), each)
    operations = [each._replace(names=[*map(named, each.names)]) for each in inner.operations]
    return inner._replace(arrays=arrays, operations=operations)


def variables(trace: TracebackType) -> set[str]:
    """The variables that a frame's code uses."""
    code, of_module = trace.tb_frame.f_code, trace.tb_frame.f_globals
    own = {*code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return own | (of_module.keys() & {*code.co_names})


def unexplained(text: str, reason: str, known: Iterable[Array]) -> set[str]:
    """The sizes in a message that appear neither in arrays nor in another text."""
    numbers = {*_numbers(_NO_SIZE.sub("", text[:600]))}
    return numbers - {"0", "1", *_numbers(reason)} - _sizes(known)


def traces(error: BaseException) -> Iterator[TracebackType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def last_of_user(error: BaseException) -> TracebackType | None:
    """The innermost frame of an error that is the user's own."""
    own = [each for each in traces(error) if not is_library(each.tb_frame.f_code.co_filename)]
    return own[-1] if own else None


def _numbers(text: str) -> list[str]:
    """The numbers in a text, not those in a name such as float32."""
    return re.findall(r"(?<![\w.])\d+", text)


def _sizes(arrays: Iterable[Array]) -> set[str]:
    """The sizes of arrays, how many elements they have, and how many rows as a matrix."""
    shapes = [each.shape for each in arrays]
    counts = [element_count(part)[0] for each in shapes for part in (each, each[:-1])]
    return {*map(str, chain(counts, *shapes))}
