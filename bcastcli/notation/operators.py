"""Lines that begin with an operator: `Gemm 8,64 10,64 10 trans_b=1`, or the same as JSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.rule import FORMS, Value, typed
from bcastcli.core.shapes import Shape, written
from bcastcli.notation import questions, text
from bcastcli.notation.pieces import QUOTES, compiled
from bcastcli.notation.text import NotationError

_KINDS = {
    **{name: name for name in ("axis", "axes")},
    **dict.fromkeys(text.OPERATORS_SETTINGS, "count"),
    **dict.fromkeys(("trans_a", "trans_b", "broadcast"), "flag"),
}
"""The settings that any operator may have on its line, each with its kind."""
_FLOAT = r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?"
_FLOATS = f"{_FLOAT}(?:,{_FLOAT})*,?"
_PATTERNS = {
    "axis": (r"-?[0-9]{1,18}", "expected a whole number, such as 0, 1 or -1"),
    "axes": FORMS["axes"],
    "int": (r"-?[0-9]{1,18}", "{} takes a whole number"),
    "ints": (r"-?[0-9]{1,18}(?:,-?[0-9]{1,18})*,?", "{0} takes whole numbers, such as {0}=1,2"),
    "floats": (_FLOATS, "{0} takes numbers, such as {0}=1,2.5"),
    "flag": ("[01]", "{} must be 0 or 1"),
    "count": ("0*[1-9][0-9]{0,17}", "{} must be a whole number, 1 or higher"),
    "other": (r"\b\B", "{} does not affect shapes: leave it out"),
}
"""For each kind of value its pattern, and the error for a value that does not match."""
_SETTING = r"""(?<!\S)({})=(\[[^\]]*\]|\([^)]*\)|"[^"]*"|'[^']*'|\S*)"""
NO_ATTRIBUTES: Mapping[str, str] = {}


class OperatorLine(NamedTuple):
    """A line as it was read."""

    name: str
    typed: text.ParsedLine
    """The inputs; one of unknown rank has the shape `UNKNOWN_RANK`."""
    settings: Mapping[str, Value]
    """The settings and attributes on the line, such as `axis=1`."""
    spans: Mapping[str, tuple[int, int]]
    """The spans of the settings, and under the empty name that of the operator."""
    inputs: str
    """The line with blanks in place of all but the inputs; empty for JSON."""

    def span(self, part: str | int) -> tuple[int, int]:
        """The span of a setting, the operator (the empty name), or an input by number."""
        if isinstance(part, str):
            return self.spans.get(part, (0, 1))
        return text.span(self.inputs, part) if self.inputs else (0, 1)


def line(name: str, shapes: Sequence[Shape], settings: Mapping[str, Value]) -> str:
    """The line that `read` reads as this.

    >>> line("Gemm", [(8, 64), (10, 64)], {"trans_b": True})
    'Gemm 8,64 10,64 trans_b=1'
    >>> line("explicit", [(3,), (2, 3)], {"axes": (1,)})
    'explicit 3 2,3 axes=1'
    """
    values = (f"{setting}={typed(value)}" for setting, value in settings.items())
    return " ".join((name, *map(written, shapes), *values))


def read(
    line: str,
    attributes: Callable[[str], Mapping[str, str]] = lambda _: NO_ATTRIBUTES,
    operator: str = "",
) -> OperatorLine:
    """The content of a line; raise NotationError, with the place, if it cannot be read.

    `attributes` returns those that an operator has beyond the usual settings, each with its kind.
    `operator` is that of a line that does not begin with one.
    """
    if questions.is_json(line):
        return _read_json(line, attributes, operator)
    if operator:
        return _read_inputs(operator, line, line, {}, attributes(operator))
    found = compiled(r"[^\s;]+").search(line)
    if found is None:
        raise NotationError("an operator is missing", line, (0, 1))
    rest = _blank_out(line, *found.span())
    return _read_inputs(found[0], line, rest, {"": found.span()}, attributes(found[0]))


def _read_inputs(
    operator: str,
    line: str,
    rest: str,
    spans: dict[str, tuple[int, int]],
    attributes: Mapping[str, str],
) -> OperatorLine:
    settings: dict[str, Value] = {}
    kinds = {**_KINDS, **attributes}
    for each in compiled(_SETTING.format("|".join(kinds))).finditer(rest):
        name, value = each.groups()
        if name in settings:
            raise NotationError(f"{name} is given twice", line, each.span())
        settings[name] = _value(name, kinds[name], value, line, each.span())
        spans[name] = each.span()
        rest = _blank_out(rest, *each.span())
    try:
        typed = questions.read(rest, (text.RANK_UNKNOWN,))
    except NotationError as error:
        raise NotationError(error.message, line, error.span) from error
    return OperatorLine(operator, typed, settings, spans, rest)


def _read_json(
    line: str, attributes: Callable[[str], Mapping[str, str]], default: str
) -> OperatorLine:
    from bcastcli.notation.json import as_typed, from_value, loaded  # rarely met

    question = loaded(line)
    if not isinstance(question, dict):
        question = {"shapes": question}
    operator = question.pop("op", default)
    if not isinstance(operator, str) or not operator:
        raise NotationError('an operator is missing: {"op": "Add", "shapes": …}', line, (0, 1))
    own = attributes(operator)
    kinds = {**_KINDS, **own}
    settings: dict[str, Value] = {}
    for name in kinds.keys() & question.keys():
        typed_value = as_typed(question.pop(name), kinds[name])
        settings[name] = _value(name, kinds[name], typed_value, line, (0, 1))
    if not question.keys() <= {"shapes", "names", "id"}:
        keys = dict.fromkeys(("op", "shapes", "names", *(own or _KINDS), "opset", "id"))
        raise NotationError(f"the keys of {operator} are {', '.join(keys)}", line, (0, 1))
    inputs = from_value(question, line, (text.RANK_UNKNOWN,))
    return OperatorLine(operator, inputs, settings, {}, "")


def _value(name: str, kind: str, value: str, line: str, where: tuple[int, int]) -> Value:
    """The value of a setting, or of an attribute of a kind."""
    if kind == "string":
        return "".join(value.strip(QUOTES).split())
    is_list = kind in text.LISTS
    bare = "".join(value.split()).strip("[]()") if is_list else value
    if is_list and (bare == "none" or (value and not bare)):
        return ()
    pattern, takes = _PATTERNS[kind]
    if not compiled(pattern).fullmatch(bare):
        raise NotationError(takes.format(name), line, where)
    if kind == "floats":
        return bare  # an option has whole numbers or words
    return tuple(map(int, bare.rstrip(",").split(","))) if is_list else int(bare)


def _blank_out(line: str, start: int, end: int) -> str:
    """A line with blanks in place of a part, so that the rest keeps its columns."""
    return line[:start] + " " * (end - start) + line[end:]
