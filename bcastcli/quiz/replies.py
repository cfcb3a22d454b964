"""Replies to the quiz, as people type them."""

import re
from enum import Enum

from bcastcli.notation import text as notation
from bcastcli.quiz.exercises import DEPENDS, NO, Exercise, Kind, Reply

_NO = {"no", "n", "-", "none", "error", "valueerror", "mismatch", "raises", "incompatible"}


class Request(Enum):
    """Words that may be typed instead of a reply."""

    HINT = ("?", "h", "help", "hint")
    SKIP = ("s", "skip", "pass")
    QUIT = ("q", "quit", "exit")


class InvalidReplyError(Exception):
    """A line that is not a reply; the message explains what to type."""


def read(text: str, exercise: Exercise) -> Reply | Request:
    """Return the reply that a line is, or the request."""
    word = text.strip().lower()
    for request in Request:
        # ? is also the shape of one unknown size, but never the right reply.
        if word in request.value:
            return request
    if exercise.is_of_lines:
        return _letter(word, exercise)
    if exercise.kind in (Kind.COUNT, Kind.START, Kind.ELEMENT):
        return _number(word, exercise)
    return _shape(text, word, exercise)


def _letter(word: str, exercise: Exercise) -> Reply:
    letters = list(exercise.lettered)
    if word in _NO:
        return NO  # not one of them
    letter = word.removeprefix("line").strip(" ().")
    if letter not in letters:
        raise InvalidReplyError(f"type the letter of a line: {', '.join(letters)}")
    return letter


def _number(word: str, exercise: Exercise) -> Reply:
    if word in _NO:
        return NO
    number = word.removeprefix("axis").strip(" ()")
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", number):
        raise InvalidReplyError("type a number")
    found = int(number)
    if exercise.kind is Kind.START and found < 0:
        return found + len(exercise.answer.axes or ())
    return found


def _shape(text: str, word: str, exercise: Exercise) -> Reply:
    names = exercise.answer.unknown_sizes
    if word in _NO and not (text.strip() == "N" and "N" in names):
        return NO
    if word in (DEPENDS, "d", "it depends"):
        if names:
            return DEPENDS
        raise InvalidReplyError(f"all sizes are known here: type a shape such as 2,3, or {NO}")
    try:
        # A single shape is expected, so a space after a comma does not separate shapes.
        [shape] = notation.read(re.sub(r"\s*,\s*", ",", text)).shapes
    except ValueError:  # not a shape, or several
        raise InvalidReplyError(_WHAT_A_SHAPE_IS) from None
    if any(isinstance(size, str) and size not in names for size in shape):
        raise InvalidReplyError(_WHAT_A_SHAPE_IS)
    return shape


_WHAT_A_SHAPE_IS = f"not a shape: type one such as 2,3, or {NO}"
