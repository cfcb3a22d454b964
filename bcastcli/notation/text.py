"""Text to shapes and back: the notation in which questions are typed, pasted and piped.

A line holds shapes separated by spaces or `;`: `2,3,4`, `2x3x4`, `(2, 3)`, `torch.Size([2, 3])`,
`f32[2,3]`, `bias=3`, `scalar`. A size is a number, a name, or `?` (also `-1` and `None`).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from keyword import iskeyword
from types import MappingProxyType
from typing import NamedTuple

from bcastcli.core.alignment import Operand, automatic_names
from bcastcli.core.rule import SETTINGS, Value, parse_setting
from bcastcli.core.shapes import UNKNOWN, UNKNOWN_RANK, Shape, Size, names_in, reads_as_word
from bcastcli.notation import documents
from bcastcli.notation.pieces import compiled, expression, hint_for, mlir_shape, shortened

MAX_DIGITS = 4300
"""Python's default limit for converting integers to and from text."""

LISTS = ("ints", "floats", "axes")
"""The kinds of settings of which a value is a list."""
RANK_UNKNOWN = "..."
"""The text for a shape of unknown rank, on lines that may have one."""

_SPACES = " \t\n"
_CLOSER = {"(": ")", "[": "]", "{": "}"}
# Compiled when first needed: most questions are only digits and commas.
NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_OPERAND_NAME = rf"({NAME})="
_CALCULATION = r"(?i:max|min|floor|ceil|ceiling|mod|abs)\("
_UNKNOWN_RANK = r"(?:\w+\.)*TensorShape\(\s*None\s*\)"
_BRACKET = rf"(?!{_CALCULATION}|{_UNKNOWN_RANK})(?:{NAME}(?:\.{NAME})*)?([(\[{{{{])"
_FACTOR = r"(?:[0-9]+|[A-Z]|\?|-1)"
_PRODUCT = rf"{_FACTOR}(?:[x×]{_FACTOR})+"


class NotationError(ValueError):
    """A text that is not a question: the mistake, and the characters at fault."""

    def __init__(self, message: str, text: str, span: tuple[int, int]) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.span = span
        """The first character at fault and the one after the last, counted from 0."""


class ParsedLine(NamedTuple):
    """A line as it was read."""

    names: tuple[str | None, ...]
    """The operands' names; None if none was typed."""
    shapes: tuple[Shape, ...]
    settings: Mapping[str, Value] = MappingProxyType({})
    """The settings on the line, such as `axis=1`."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where each operand stands; empty for a line of numbers and names alone."""


OPERATORS_SETTINGS = ("opset", "trans_a", "trans_b", "broadcast")
_NOT_OF_RULES = {*SETTINGS, *OPERATORS_SETTINGS, "dim", "dims", "keepdim", "keepdims", "strict"}
"""Settings, and those of operators and functions: none of them names an operand of one number."""


def as_line(arguments: Sequence[str]) -> str:
    """Arguments as one line; a blank one stays visible, as quotes."""
    return " ".join(argument if argument.strip() else "''" for argument in arguments)


def read(line: str, options: Sequence[str] = ()) -> ParsedLine:
    """The content of a line; `options` names what else it may hold: "axis", "axes", "...".

    Raises NotationError with the place of the first character that cannot be read.
    """
    plain = _read_plain(line)
    if plain is not None:
        return plain
    try:
        return _read(documents.as_typed(line), options)
    except NotationError as error:
        raise NotationError(error.message, line, error.span) from None


def _read(line: str, options: Sequence[str]) -> ParsedLine:
    closers = _closers(line)
    names: list[str | None] = []
    shapes: list[Shape] = []
    spans: list[tuple[int, int]] = []
    settings: dict[str, Value] = {}
    tokens = _tokens(line, closers)
    _refuse_split_shape(line, tokens)
    for start, end in tokens:
        name = _name(line, start, end)
        begin = start + len(f"{name}=") if name else start
        if name is not None and name in SETTINGS:
            if name in settings or name not in options:
                is_twice = name in settings
                message = f"{name} is given twice" if is_twice else f"this rule takes no {name}"
                raise NotationError(message, line, (start, end))
            settings[name] = setting(name, line[begin:end], line, (start, end))
            continue
        number = line[begin:end]
        is_setting = name is not None and name.lower() in _NOT_OF_RULES
        if is_setting and number.isdigit() and RANK_UNKNOWN not in options:
            message = f"rules take no {name}; for a shape named {name} write {name}=({number},)"
            raise NotationError(message, line, (start, end))
        names.append(name)
        spans.append((start, end))
        if line[start:end] == RANK_UNKNOWN and RANK_UNKNOWN in options:
            shapes.append(UNKNOWN_RANK)
        else:
            shapes.append(_shape(line, begin, end, closers))
    _refuse_lone_words(line, shapes, spans)
    typed = ParsedLine(tuple(names), tuple(shapes), settings, tuple(spans))
    check_names(line, typed)
    return typed


def check_names(line: str, typed: ParsedLine) -> None:
    """Raise NotationError if an operand's name is a keyword, or also names another or a size."""
    sizes = set(names_in(typed.shapes)) if any(typed.names) else set()
    seen = set()
    for name, where in zip(typed.names, typed.spans, strict=True):
        if name is None:
            continue
        if iskeyword(name):
            message = f"{name} is a Python keyword and cannot be a name"
            raise NotationError(message, line, where)
        if name in seen:
            raise NotationError(f"two operands are named {shortened(name)}", line, where)
        if name in sizes:
            raise NotationError(f"{shortened(name)} names both an operand and a size", line, where)
        seen.add(name)


def span(line: str, number: int) -> tuple[int, int]:
    """The span of operand number `number` in a line; past its end if there are fewer."""
    spans = _read(documents.as_typed(line), (*SETTINGS, RANK_UNKNOWN)).spans
    return spans[number] if number < len(spans) else (len(line), len(line) + 1)


def _read_plain(line: str) -> ParsedLine | None:
    """Read a line of only numbers, names, `?`, commas and spaces; None for any other line."""
    if len(line) > MAX_DIGITS:
        return None
    shapes: list[Shape] = []
    for word in line.split(" "):
        sizes = list(map(_plain_size, word.split(",")))
        shape = tuple([size for size in sizes if size is not None])
        if len(shape) == len(sizes) and not _is_word(shape):
            shapes.append(shape)
        elif word:
            return None
    return ParsedLine((None,) * len(shapes), tuple(shapes))


@lru_cache(maxsize=2048)
def _plain_size(text: str) -> Size | None:
    """The size that a text is, a number, a name or `?`; None for any other text."""
    if text.isascii() and text.isdigit():
        return int(text)
    is_plain = text == UNKNOWN or (text.isascii() and text.isidentifier())
    return named_size(text) if is_plain else None


def _is_word(shape: Shape) -> bool:
    """Whether a shape is one name that reads as a word, and is perhaps no shape."""
    return len(shape) == 1 and isinstance(shape[0], str) and reads_as_word(shape[0])


def _name(line: str, start: int, end: int) -> str | None:
    """The operand's name that a token begins with."""
    named = compiled(_OPERAND_NAME).match(line, start, end) if "=" in line else None
    return named[1] if named else None


def operands(typed: ParsedLine, defaults: Sequence[str] = ()) -> tuple[Operand, ...]:
    """The shapes with their names: those typed, and automatic ones for the others."""
    names = automatic_names(typed.shapes, defaults, typed.names)
    return tuple(map(Operand, names, typed.shapes))


def _tokens(line: str, closers: dict[int, int]) -> list[tuple[int, int]]:
    """The spans between spaces and `;` outside brackets.

    Between two shapes in brackets, a comma separates as well.
    """
    tokens: list[tuple[int, int]] = []
    start = place = 0
    while place <= len(line):
        ends = place == len(line) or line[place] in _SPACES or line[place] == ";"
        if ends or (line[place] == "," and _is_between_brackets(line, place)):
            if start < place:
                tokens.append((start, place))
            start = place + 1
        place = closers.get(place, place) + 1
    return tokens


def _is_between_brackets(line: str, comma: int) -> bool:
    """Whether a shape in brackets ends before a comma, and another one begins after it."""
    return (
        comma > 0
        and line[comma - 1] in _CLOSER.values()
        and compiled(rf"[{_SPACES}]*(?:{_OPERAND_NAME})?{_BRACKET}").match(line, comma + 1)
        is not None
    )


def _closers(line: str) -> dict[int, int]:
    """For each opening bracket the place of its closing one; NotationError if one is unmatched."""
    closers: dict[int, int] = {}
    opened: list[int] = []
    for place, character in enumerate(line):
        here = (place, place + 1)
        if not character.isprintable() and character not in _SPACES:
            raise NotationError("unexpected character in a shape", line, here)
        if character in _CLOSER:
            opened.append(place)
        elif character in ")]}":
            if not opened or _CLOSER[line[opened[-1]]] != character:
                raise NotationError("this bracket was never opened", line, here)
            closers[opened.pop()] = place
    if opened:
        raise NotationError("this bracket is never closed", line, (opened[0], opened[0] + 1))
    return closers


def _refuse_split_shape(line: str, tokens: Sequence[tuple[int, int]]) -> None:
    """Raise NotationError for `2, 3`, which would be read as two shapes."""
    for (_, end), (start, _) in pairwise(tokens):
        if line[end - 1] == "," and ";" not in line[end:start]:
            message = "remove the space after the comma, or write '(2, 3)'; two shapes are 2 3"
            raise NotationError(message, line, (end - 1, end))


def setting(name: str, typed: str, line: str, where: tuple[int, int]) -> Value:
    """The value of a setting at a span of a line; raise NotationError if it is invalid."""
    try:
        return parse_setting(name, typed)
    except ValueError as error:
        raise NotationError(str(error), line, where) from None


def may_be_shape(word: str) -> bool:
    """Whether a word is more likely a shape than a name."""
    if word.strip(" .…") in ("", "''", '""', "scalar") or re.search(r"[0-9,?()\[\]{}=]", word):
        return True
    return bool(re.fullmatch(rf"[A-Z]|{_PRODUCT}", word))


def named_size(text: str) -> Size | None:
    """The unknown size that a text means: a name, an expression, `?`; None if it is not one."""
    if text == UNKNOWN:
        return UNKNOWN
    if not text.isidentifier():
        return expression(text)
    is_name = compiled(NAME).fullmatch(text) and not iskeyword(text) and text != "scalar"
    return text if is_name and not compiled(_PRODUCT).fullmatch(text) else None


def _shape(line: str, start: int, end: int, closers: dict[int, int]) -> Shape:
    """The shape at start:end."""
    whole = () if line[start:end] == "scalar" else mlir_shape(line[start:end])
    if whole is not None:
        return whole
    for _ in range(2):  # a word's bracket may hold another one: torch.Size([2, 3])
        bracket = compiled(_BRACKET).match(line, start, end)
        if not bracket:
            break
        closer = closers[bracket.start(1)]
        if closer != end - 1:
            is_calculation = line[closer + 1] in "-+*/"  # such as (N+1)//2
            if is_calculation and line[bracket.start()] == "(":
                break
            message = "nothing may follow a closing bracket; a space separates shapes"
            raise NotationError(message, line, (closer + 1, closer + 2))
        start, end = _stripped(line, bracket.end(), closer)
        if line[start:end] in ("", ","):
            return ()
    is_product = compiled(_PRODUCT).fullmatch(line, start, end)
    return _sizes(line, start, end, "x×" if is_product else ",")


def _refuse_lone_words(
    line: str, shapes: Sequence[Shape], spans: Sequence[tuple[int, int]]
) -> None:
    """Raise NotationError for a word such as `vs`, unless it names a size of another shape."""
    lone: dict[int, str] = {}
    for number, (start, end) in enumerate(spans):
        word = line[start:end].rpartition("=")[2]
        if shapes[number] == (word,) and reads_as_word(word):
            lone[number] = word
    named = {*names_in(shape for number, shape in enumerate(shapes) if number not in lone)}
    for number, word in lone.items():
        if word not in named:
            name = shortened(word)
            message = f"{name} is not a shape; for one axis named {name} write '({name},)'"
            if word == "x":
                message = "spaces around an x: write 2x3 or 2,3"
            start, end = spans[number]
            raise NotationError(message, line, (end - len(word), end))


def _stripped(line: str, start: int, end: int) -> tuple[int, int]:
    """The span without spaces at its ends."""
    text = line[start:end].lstrip(_SPACES)
    start = end - len(text)
    return start, start + len(text.rstrip(_SPACES))


def _sizes(line: str, start: int, end: int, separators: str) -> Shape:
    """The sizes between separators; the last one may be followed by a comma."""
    sizes: list[Size] = []
    begin = start
    for place in range(start, end + 1):
        if place == end or line[place] in separators:
            first, after = _stripped(line, begin, place)
            if first < after:
                sizes.append(_size(line, first, after))
            elif not (place == end and sizes and line[begin - 1] == ","):
                raise NotationError("a size is missing here", line, (place, place + 1))
            begin = place + 1
    return tuple(sizes)


def _size(line: str, start: int, end: int) -> Size:
    text = line[start:end]
    if text in ("-1", "None"):
        return UNKNOWN
    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        return int(text)
    named = named_size(text)
    if named is None:
        raise NotationError(hint_for(text), line, (start, end))
    return named
