"""Lines that begin with an operator: `Gemm 8,64 10,64 10 trans_b=1`, or the same as JSON."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from bcastcli.core.option import parse_axis
from bcastcli.core.shapes import UNKNOWN_RANK, Shape
from bcastcli.notation import questions, text
from bcastcli.notation.text import NotationError

SETTINGS = ("axis", "opset", "trans_a", "trans_b")
_FLAGS = ("trans_a", "trans_b")
_pattern = cache(re.compile)
_SETTING = rf"(?<!\S)({'|'.join(SETTINGS)})=(\S*)"
_RANK_UNKNOWN = r"(?<![^\s;])\.\.\.(?![^\s;])"


class Setting(NamedTuple):
    """A value on a line besides the operator and its shapes, such as `axis=1`."""

    value: int
    span: tuple[int, int]


class OperatorLine(NamedTuple):
    """A line as it was read."""

    name: str
    span: tuple[int, int]
    """Where the name stands."""
    typed: text.Typed
    """The inputs; the shape of one whose rank is not known is `UNKNOWN_RANK`."""
    settings: Mapping[str, Setting]


def read(line: str) -> OperatorLine:
    """Read a line; raise NotationError with the place of what cannot be read."""
    if questions.is_json(line):
        return _read_json(line)
    found = _pattern(r"[^\s;]+").search(line)
    if found is None:
        raise NotationError("an operator is missing", line, (0, 1))
    settings: dict[str, Setting] = {}
    rest = _blank(line, *found.span())
    for each in _pattern(_SETTING).finditer(rest):
        name, value = each.groups()
        if name in settings:
            raise NotationError(f"{name} is given twice", line, each.span())
        settings[name] = Setting(_value(name, value, line, each.span()), each.span())
        rest = _blank(rest, *each.span())
    try:
        typed = _inputs(rest)
    except NotationError as error:
        raise NotationError(error.message, line, error.span) from error
    return OperatorLine(found[0], found.span(), typed, settings)


def _read_json(line: str) -> OperatorLine:
    import json  # rarely met

    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        question = {}
    if not isinstance(question, dict) or not isinstance(question.get("op"), str):
        if not isinstance(question, dict) or "op" not in question:
            questions.read(line, ())  # it says what is wrong with other JSON
        raise NotationError('an operator is missing: {"op": "Add", "shapes": …}', line, (0, 1))
    settings = {}
    for name in SETTINGS:
        if name in question:
            value = question.pop(name)
            whole = int(value) if isinstance(value, bool) and name in _FLAGS else value
            written = str(whole) if type(whole) is int else ""
            settings[name] = Setting(_value(name, written, line, (0, 1)), (0, 1))
    operator = question.pop("op")
    shapes = question.get("shapes")
    unknown = []
    if isinstance(shapes, list):
        unknown = [place for place, shape in enumerate(shapes) if shape is None]
        question["shapes"] = [[] if shape is None else shape for shape in shapes]
    try:
        typed = questions.read(json.dumps(question), ())
    except NotationError as error:
        raise NotationError(error.message, line, (0, 1)) from error
    known: list[Shape] = list(typed.shapes)
    for place in unknown:
        known[place] = UNKNOWN_RANK
    return OperatorLine(operator, (0, 1), typed._replace(shapes=tuple(known)), settings)


def _value(name: str, value: str, line: str, where: tuple[int, int]) -> int:
    if name == "axis":
        try:
            return parse_axis(value, counts_back=True)
        except ValueError as error:
            raise NotationError(str(error), line, where) from None
    if name in _FLAGS and value not in ("0", "1"):
        raise NotationError(f"{name} is 0 or 1", line, where)
    if not _pattern(r"[0-9]{1,18}").fullmatch(value) or (name == "opset" and int(value) == 0):
        raise NotationError("an opset is a whole number from 1 on", line, where)
    return int(value)


def _inputs(line: str) -> text.Typed:
    """Read the shapes on a line, `...` being one whose rank is not known."""
    marks = list(_pattern(_RANK_UNKNOWN).finditer(line))
    if not marks:
        return questions.read(line, ())
    names: list[str | None] = []
    shapes: list[Shape] = []
    begin = 0
    for mark in marks:
        before = _read(line, begin, mark.start())
        names += (*before.names, None)
        shapes += (*before.shapes, UNKNOWN_RANK)
        begin = mark.end()
    last = _read(line, begin, len(line))
    return text.Typed((*names, *last.names), (*shapes, *last.shapes))


def _read(line: str, start: int, end: int) -> text.Typed:
    part = line[start:end]
    return questions.read(" " * start + part, ()) if part.strip() else text.Typed((), ())


def _blank(line: str, start: int, end: int) -> str:
    """Return a line with blanks in place of a part: what follows stays where it is."""
    return line[:start] + " " * (end - start) + line[end:]
