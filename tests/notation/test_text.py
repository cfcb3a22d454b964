"""The notation: every way to type a shape, and what is said of everything else."""

import pytest

from bcastcli.core.shapes import Size
from bcastcli.notation.questions import read
from bcastcli.notation.text import NotationError, may_be_shape, named_size
from bcastcli.render import with_carets
from tests.effort import many
from tests.rows import each_row


def refused(line: str) -> NotationError:
    """The error that a line gives."""
    with pytest.raises(NotationError) as caught:
        read(line, ())
    return caught.value


@each_row(("line", "place"), [("2,\u200b3 3", 2), ("(2)\x1b", 3), ("\x00", 0)])
def test_what_cannot_be_seen(line: str, place: int) -> None:
    """A character that is not shown is refused where it stands, in few words."""
    error = refused(line)
    assert error.args == ("unexpected character in a shape",)
    assert (error.text, error.span) == (line, (place, place + 1))


def test_deep_json() -> None:
    """Lists that Python cannot nest as deeply are refused."""
    assert refused("[" * 100_000 + "]" * 100_000).message == "the brackets are nested too deeply"


def test_lines_within_brackets() -> None:
    """A shape may stand on several lines, each with a comma at its end."""
    assert read("(2,\n3,\n4)", ()).shapes == ((2, 3, 4),)
    assert refused("(2\n3\n4)").message == "a comma is missing between two sizes"


def test_no_places_of_plain_shapes() -> None:
    """Of a line of numbers and names alone, no places are kept, as most such lines are right."""
    assert read("2,3 N", ()).spans == ()
    assert read("(2,3) N", ()).spans == ((0, 5), (6, 7))


@each_row("line", ["9" * 4300, f"({'9' * 4300})", f"[[{'9' * 4300}]]"])
def test_the_largest_size(line: str) -> None:
    """A size has at most 4300 digits, as many as Python converts."""
    assert read(line, ()).shapes == ((int("9" * 4300),),)
    longer = line.replace("9", "99", 1)
    with pytest.raises(NotationError, match=r"^a size has at most 4300 digits$"):
        read(longer, ())


@each_row(
    ("word", "is_shape"),
    [
        *((word, True) for word in ("2,3", "5", "?", "()", "[", "x=3", "scalar", "N", "NxM")),
        *((word, True) for word in ("", " ", "...", "…")),
        *((word, False) for word in ("numpy", "ONNX", "xx", "nxm", "N-M", "scalars", "é")),
    ],
)
def test_looks_like_a_shape(word: str, is_shape: bool) -> None:
    """A word that could only be a shape is told from one that may be the name of a rule."""
    assert may_be_shape(word) is is_shape


@each_row(
    ("text", "size"),
    [
        *((text, text) for text in ("N", "batch_size", "x", "batchx3", "SCALAR", "none", "?")),
        *((text, None) for text in ("class", "None", "scalar", "Nx3", "NxM", "3N", "-1", "")),
    ],
)
def test_named_size(text: str, size: Size | None) -> None:
    """A name stands for a size if nothing else is written like that."""
    assert named_size(text) == size


def carets_of(error: NotationError) -> str:
    return with_carets(error.text, error.span)


@each_row(
    "line",
    [
        pytest.param("(" * many(100_000), id="opened"),
        pytest.param("(" * many(100_000) + ")" * many(100_000), id="nested"),
        pytest.param("()" * many(500_000), id="in a row"),
        pytest.param("7" * many(1_000_000), id="digits"),
        pytest.param("1" * many(500_000) + "e3", id="exponent"),
        pytest.param("1.1" * many(333_333), id="dots"),
        pytest.param("22x" * many(333_333) + "!", id="product"),
        pytest.param("a" * many(1_000_000) + "+", id="calculation"),
        pytest.param("(2" + " " * many(1_000_000) + "3)", id="blanks"),
        pytest.param("1," * many(500_000) + ",", id="commas"),
        pytest.param(f"[[-{'7' * 5000}]]", id="digits in JSON"),
        pytest.param(f'{{"shapes": [[2]], "axis": {"7" * 5000}}}', id="an axis in JSON"),
        pytest.param("[" * 100_000, id="opened lists"),
        pytest.param("[" * 100_000 + "]" * 100_000, id="nested lists"),
        pytest.param('{"shapes":' * 100_000 + "1" + "}" * 100_000, id="nested objects"),
        pytest.param('[[2,3],[3]] "\x1b"', id="an escape behind JSON"),
    ],
)
def test_an_enormous_text_is_refused(line: str) -> None:
    """Deep brackets and a token of 1 MB are refused like small ones, in few words."""
    assert len(carets_of(refused(line))) < 1000
