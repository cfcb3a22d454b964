"""Makes text from users and files safe to show, so that it is never interpreted."""

FOR_RUNNERS = ("##[", "\\x23#[")
"""Text that GitHub's runner takes for a command anywhere in a line, and its replacement."""


def escaped(text: str, encoding: str = "utf-8") -> str:
    r"""Return a text with unprintable characters, and those not in the encoding, escaped.

    Control characters could steer a terminal, and others reverse the text after them; a log
    of GitHub Actions may hold commands.

    >>> escaped("a\tb\u202e")
    'a\\tb\\u202e'
    """
    shown = text if text.isprintable() else "".join(map(_escaped, text))
    shown = shown.replace(*FOR_RUNNERS)
    return shown if shown.isascii() else shown.encode(encoding, "backslashreplace").decode(encoding)


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def with_carets(text: str, span: tuple[int, int], encoding: str = "utf-8") -> str:
    """Return a text on one line, cut around a span, and carets under the span on the next."""
    start, after = span
    room = 60
    first = max(0, start - room // 2) if len(text) > room else 0
    shown = text[first : first + room]
    lead = "..." if first else ""
    trail = "..." if first + room < len(text) else ""
    before = escaped(text[first:start], encoding)
    at_fault = escaped(text[start : min(after, first + room)], encoding)
    carets = "^" * max(1, _columns(at_fault))
    line = f"{lead}{escaped(shown, encoding)}{trail}"
    return f"  {line}\n  {' ' * (len(lead) + _columns(before))}{carets}"


def _columns(text: str) -> int:
    """Return the width of a text in columns of a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)
