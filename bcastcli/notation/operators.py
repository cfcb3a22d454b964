"""Lines that begin with an operator: `Gemm 8,64 10,64 10 trans_b=1`, or the same as JSON."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.rule import Value, whole
from bcastcli.core.shapes import Shape, written
from bcastcli.notation import questions, text
from bcastcli.notation.quotes import compiled
from bcastcli.notation.text import NotationError

_FLAGS = ("trans_a", "trans_b", "broadcast")
SETTINGS = ("axis", "axes", *text.OPERATORS_SETTINGS)
_SETTING = rf"(?<!\S)({'|'.join(SETTINGS)})=(\S*)"


class OperatorLine(NamedTuple):
    """A line as it was read."""

    name: str
    typed: text.ParsedLine
    """The inputs; one of unknown rank has the shape `UNKNOWN_RANK`."""
    settings: Mapping[str, Value]
    """The values besides the operator and its shapes, such as that of `axis=1`."""
    spans: Mapping[str, tuple[int, int]]
    """The spans of the settings, and under the empty name that of the operator."""
    inputs: str
    """The line with blanks in place of all but the inputs; empty for JSON."""

    def span(self, part: str | int) -> tuple[int, int]:
        """Return the span of a setting, the operator (the empty name), or an input by number."""
        if isinstance(part, str):
            return self.spans.get(part, (0, 1))
        return text.span(self.inputs, part) if self.inputs else (0, 1)


def line(name: str, shapes: Sequence[Shape], settings: Mapping[str, Value]) -> str:
    """Return the line that `read` reads as this.

    >>> line("Gemm", [(8, 64), (10, 64)], {"trans_b": True})
    'Gemm 8,64 10,64 trans_b=1'
    >>> line("explicit", [(3,), (2, 3)], {"axes": (1,)})
    'explicit 3 2,3 axes=1'
    """
    values = (f"{setting}={_typed(value)}" for setting, value in settings.items())
    return " ".join((name, *map(written, shapes), *values))


def _typed(value: Value) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return str(int(whole(value)))


def read(line: str) -> OperatorLine:
    """Return the content of a line; raise NotationError, with the place, if it cannot be read."""
    if questions.is_json(line):
        return _read_json(line)
    found = compiled(r"[^\s;]+").search(line)
    if found is None:
        raise NotationError("an operator is missing", line, (0, 1))
    settings: dict[str, Value] = {}
    spans = {"": found.span()}
    rest = _blank_out(line, *found.span())
    for each in compiled(_SETTING).finditer(rest):
        name, value = each.groups()
        if name in settings:
            raise NotationError(f"{name} is given twice", line, each.span())
        settings[name] = _value(name, value, line, each.span())
        spans[name] = each.span()
        rest = _blank_out(rest, *each.span())
    try:
        typed = questions.read(rest, (text.RANK_UNKNOWN,))
    except NotationError as error:
        raise NotationError(error.message, line, error.span) from error
    return OperatorLine(found[0], typed, settings, spans, rest)


def _read_json(line: str) -> OperatorLine:
    from bcastcli.notation.json import from_value, loaded  # rarely met

    question = loaded(line)
    if not isinstance(question, dict) or not isinstance(question.get("op"), str):
        if not isinstance(question, dict) or "op" not in question:
            questions.read(line, ())  # it says what is wrong with other JSON
        raise NotationError('an operator is missing: {"op": "Add", "shapes": …}', line, (0, 1))
    settings = {}
    for name in SETTINGS:
        if name in question:
            value = question.pop(name)
            whole = int(value) if isinstance(value, bool) and name in _FLAGS else value
            if name == "axes" and isinstance(value, list):
                typed_value = ",".join(map(str, value)) or "none"
            else:
                typed_value = str(whole) if type(whole) is int else ""
            settings[name] = _value(name, typed_value, line, (0, 1))
    operator = question.pop("op")
    typed = from_value(question, line, (text.RANK_UNKNOWN,))
    return OperatorLine(operator, typed, settings, {}, "")


def _value(name: str, value: str, line: str, where: tuple[int, int]) -> Value:
    if name in ("axis", "axes"):
        return text.setting(name, value, line, where, allows_negative=True)
    if name in _FLAGS and value not in ("0", "1"):
        raise NotationError(f"{name} must be 0 or 1", line, where)
    if not compiled(r"[0-9]{1,18}").fullmatch(value) or (name == "opset" and int(value) == 0):
        raise NotationError("an opset is a whole number, 1 or higher", line, where)
    return int(value)


def _blank_out(line: str, start: int, end: int) -> str:
    """Return a line with blanks in place of a part: what follows stays where it is."""
    return line[:start] + " " * (end - start) + line[end:]
