"""User text: what of it is escaped, and where the carets stand.

The module is render/__init__.py.
"""

from bcastcli.render import escaped, with_carets
from tests.rows import each_row


@each_row(
    ("text", "encoding", "shown"),
    [
        ("2,3", "utf-8", "2,3"),
        ("2×é名", "utf-8", "2×é名"),
        ("[bold]", "utf-8", "[bold]"),
        ("\x1b[31m", "utf-8", r"\x1b[31m"),
        ("\x00\x07\x7f", "utf-8", r"\x00\x07\x7f"),
        ("a\tb\r\n", "utf-8", r"a\tb\r\n"),
        ("\x85\x9b", "utf-8", r"\x85\x9b"),
        ("\u202e\u2066\u200f\u061c", "utf-8", r"\u202e\u2066\u200f\u061c"),
        ("\u200b\u2028\ufeff", "utf-8", r"\u200b\u2028\ufeff"),
        ("\U000e0001", "utf-8", r"\U000e0001"),
        ("\udcff", "utf-8", r"\udcff"),
        ("a ##[error]###[x] #[y]", "utf-8", r"a \x23#[error]#\x23#[x] #[y]"),
        ("2×é名", "ascii", r"2\xd7\xe9\u540d"),
        ("2×é名", "latin-1", r"2×é\u540d"),
    ],
)
def test_escaped(text: str, encoding: str, shown: str) -> None:
    """Characters that could steer a terminal, or that it cannot show, are escaped; no others."""
    assert escaped(text, encoding) == shown
    if encoding == "utf-8":
        assert escaped(text) == shown


@each_row(
    ("text", "span", "encoding", "line", "carets"),
    [
        ("2,,3", (2, 3), "utf-8", "2,,3", "  ^"),
        ("2 for 3", (2, 5), "utf-8", "2 for 3", "  ^^^"),
        ("2 3", (3, 4), "utf-8", "2 3", "   ^"),
        ("", (0, 1), "utf-8", "", "^"),
        ("\x1b[31m3", (0, 1), "utf-8", r"\x1b[31m3", "^^^^"),
        ("2\x1b,,", (3, 4), "utf-8", r"2\x1b,,", "      ^"),
        ("\u202e,,2", (2, 3), "utf-8", r"\u202e,,2", "       ^"),
        ("A=2\tA=3", (4, 5), "utf-8", r"A=2\tA=3", "     ^"),
        ("2\n3,,", (4, 5), "utf-8", r"2\n3,,", "     ^"),
        ("名,,3", (2, 3), "utf-8", "名,,3", "   ^"),
        ("１,2", (0, 1), "utf-8", "１,2", "^^"),
        ("\U0001f600,,", (2, 3), "utf-8", "\U0001f600,,", "   ^"),
        ("e\u0301,,", (3, 4), "utf-8", "e\u0301,,", "  ^"),
        ("2×é", (2, 3), "ascii", r"2\xd7\xe9", "     ^^^^"),
        ("2×3,4", (1, 2), "utf-8", "2×3,4", " ^"),
    ],
)
def test_carets(text: str, span: tuple[int, int], encoding: str, line: str, carets: str) -> None:
    """The carets stand under what is wrong, also behind escaped and wide characters."""
    assert with_carets(text, span, encoding) == f"  {line}\n  {carets}"


@each_row(
    ("length", "place", "first", "after"),
    [(60, 0, 0, 60), (60, 59, 0, 60), (61, 30, 0, 60), (61, 31, 1, 61), (200, 100, 70, 130)],
)
def test_60_characters_are_shown(length: int, place: int, first: int, after: int) -> None:
    """A text is cut only if it is longer than 60 characters, and then 30 before the fault."""
    text = "".join(map(str, range(length)))[:length]
    before, behind = "..." if first else "", "..." if after < length else ""
    carets = " " * (len(before) + place - first) + "^"
    shown = with_carets(text, (place, place + 1))
    assert shown == f"  {before}{text[first:after]}{behind}\n  {carets}"
