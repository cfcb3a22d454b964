"""Questions written as JSON: `[[2,3],[3]]`, or an object with shapes, names, an axis and an id.

The id is ignored here and returned with the answer.
"""

import json  # noqa: TID253  # this module is loaded only where such a question is met
import re
from collections.abc import Sequence
from math import isfinite

from bcastcli.core.rule import SETTINGS, Value
from bcastcli.core.shapes import UNKNOWN, UNKNOWN_RANK, Shape, Size
from bcastcli.notation import text as notation
from bcastcli.notation.text import NotationError, ParsedLine

_KEYS = ("shapes", "names", *SETTINGS, "id")


def read(line: str, options: Sequence[str] = ()) -> ParsedLine:
    """The content of a line of JSON; `options` are those of `notation.read`.

    Raises NotationError if the line is not JSON, or not a question.
    """
    return from_value(loaded(line), line, options)


def from_value(question: object, line: str, options: Sequence[str]) -> ParsedLine:
    """The same for the value of a line of JSON; raises NotationError as `read` does."""
    if not isinstance(question, dict):
        question = {"shapes": question}
    strange = [key for key in question if key not in _KEYS]
    if strange:
        raise _invalid(f"the keys of a question are {', '.join(_KEYS)}", line)
    shapes = question.get("shapes")
    if not isinstance(shapes, list):
        raise _invalid("shapes must be a list of shapes", line)
    names = question.get("names")
    if names is None:
        names = [None] * len(shapes)
    if not isinstance(names, list) or len(names) != len(shapes):
        raise _invalid("names must be a list with a name, or null, for each shape", line)
    settings = {
        name: _setting(name, question[name], options, line) for name in SETTINGS if name in question
    }
    typed = ParsedLine(
        tuple(_name(name, line) for name in names),
        tuple(_shape(shape, options, line) for shape in shapes),
        settings,
        ((0, 1),) * len(shapes),
    )
    notation.check_names(line, typed)
    return typed


def loaded(line: str) -> object:
    """The value of a line of JSON.

    Raises NotationError if it is not JSON, or has an invalid number: NaN, 1e999.
    """
    try:
        return json.loads(
            line,
            parse_float=lambda text: _float(text, line),
            parse_constant=lambda text: _float("inf", line),
        )
    except NotationError:
        raise
    except json.JSONDecodeError as error:
        where = (error.pos, error.pos + 1)
        message = f"this is not JSON ({error.msg[:1].lower()}{error.msg[1:]})"
        raise NotationError(message, line, where) from error
    except RecursionError as error:
        raise _invalid("the brackets are nested too deeply", line) from error
    except ValueError as error:
        raise _invalid(f"a size has at most {notation.MAX_DIGITS} digits", line) from error


def _float(text: str, line: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise _invalid("this is not JSON (a number is too large or not finite)", line)
    return number


def _name(name: object, line: str) -> str | None:
    if name is None:
        return None
    if isinstance(name, str) and name not in SETTINGS and re.fullmatch(notation.NAME, name):
        return name
    raise _invalid("a name may contain only ASCII letters, digits and _", line)


def _shape(shape: object, options: Sequence[str], line: str) -> Shape:
    if shape is None and notation.RANK_UNKNOWN in options:
        return UNKNOWN_RANK
    if not isinstance(shape, list):
        raise _invalid("a shape must be a list of sizes", line)
    return tuple(_size(size, line) for size in shape)


def _size(size: object, line: str) -> Size:
    if size is None or (size == -1 and isinstance(size, int)):
        return UNKNOWN
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        return size
    named = notation.named_size(size) if isinstance(size, str) else None
    if named is None:
        raise _invalid('a size must be a whole number, a name, "?" or null', line)
    return named


def _setting(name: str, value: object, options: Sequence[str], line: str) -> Value:
    if name not in options:
        raise _invalid(f"this rule takes no {name}", line)
    return notation.setting(name, as_typed(value, name), line, (0, 1))


def as_typed(value: object, kind: str) -> str:
    """A setting of a kind as it is typed; a value of another type as a text that is none."""
    if isinstance(value, bool):
        return str(int(value)) if kind == "flag" else "?"
    if isinstance(value, list) and kind in notation.LISTS:
        return ",".join(map(str, value)) or "none"
    return str(value) if isinstance(value, str) == (kind in ("string", "order")) else "?"


def _invalid(message: str, line: str) -> NotationError:
    return NotationError(message, line, (0, 1))
