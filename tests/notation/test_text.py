"""The notation: every way to type a shape, and what is said of everything else."""

import pytest

from bcastcli.core.shapes import Shape, Size
from bcastcli.notation.text import (
    NotationError,
    may_be_shape,
    named_size,
    read,
    span,
)
from bcastcli.render import with_carets
from tests.effort import many
from tests.rows import each_row


def refused(line: str) -> NotationError:
    """The error that a line gives."""
    with pytest.raises(NotationError) as caught:
        read(line)
    return caught.value


@each_row(
    ("line", "shape"),
    [
        ("TensorShape([2, None])", (2, "?")),
        ("{2,3}", (2, 3)),
        ("Shape{2, N}", (2, "N")),
        ("tensor<2x3xf32>", (2, 3)),
        ("tensor<?x3xbf16>", ("?", 3)),
        ("memref<4xi8>", (4,)),
        ("tensor<f32>", ()),
        ("(,)", ()),
        ("( )", ()),
        ("scalar", ()),
        ("batch_size,", ("batch_size",)),
        ("(x,)", ("x",)),
        ("max,", ("max",)),
        ("batchx3,", ("batchx3",)),
        ("-1x3", ("?", 3)),
        pytest.param("9" * 4300, (int("9" * 4300),), id="4300 digits"),
        pytest.param(f"({'9' * 4300})", (int("9" * 4300),), id="4300 digits in brackets"),
    ],
)
def test_one_shape(line: str, shape: Shape) -> None:
    """Each documented way to type a shape means that shape, and gives it no name."""
    typed = read(line)
    assert typed.shapes == (shape,)
    assert typed.names == (None,)


@each_row(
    ("line", "shapes"),
    [
        ("2;3", [(2,), (3,)]),
        ("  2 ; 3 ;", [(2,), (3,)]),
        ("2,;3", [(2,), (3,)]),
        ("1 2,;3", [(1,), (2,), (3,)]),
        ("2 (x) [batch]", [(2,), ("x",), ("batch",)]),
        ("batch,;(x)", [("batch",), ("x",)]),
        ("(2,3), (3,)", [(2, 3), (3,)]),
        ("[2,3], [], (4)", [(2, 3), (), (4,)]),
        ("torch.Size([2, 3]), torch.Size([3])", [(2, 3), (3,)]),
        ("(2, 3) [2, 4]", [(2, 3), (2, 4)]),
        ("() [] scalar", [(), (), ()]),
        ("", []),
    ],
)
def test_several_shapes(line: str, shapes: list[Shape]) -> None:
    """Blanks, tabs and ; separate shapes; blanks within brackets do not."""
    assert list(read(line).shapes) == shapes


@each_row(
    ("line", "shapes"),
    [
        ("batch,n n", [("batch", "n"), ("n",)]),
        ("n batch,n", [("n",), ("batch", "n")]),
        ("x=n y=batch,n", [("n",), ("batch", "n")]),
        ("2,hidden+1 hidden", [(2, "hidden+1"), ("hidden",)]),
        ("(hidden,) hidden", [("hidden",), ("hidden",)]),
    ],
)
def test_a_lone_word_that_names_a_size(line: str, shapes: list[Shape]) -> None:
    """A lone word is a shape where it names a size of another operand of the question."""
    assert list(read(line).shapes) == shapes


@each_row("line", ["n n", "batch,n m", "2,3 vs 3", "scalar n", "n=2,3 n"])
def test_a_lone_word_that_names_nothing(line: str) -> None:
    """A lone word is not a shape unless an operand that is not a lone word has its size."""
    assert "is not a shape; for one axis" in refused(line).message


@each_row(
    ("line", "number", "place"),
    [
        ("2,3 3", 0, (0, 3)),
        ("2,3 3", 1, (4, 5)),
        ("x=2,3; (3, 4)", 1, (7, 13)),
        ("axis=1 2,3", 0, (7, 10)),
        ("x=2 axis=1 y=2", 1, (11, 14)),
        ("2 3", 2, (3, 4)),
        ("2 3 axis=1", 2, (10, 11)),
    ],
)
def test_span(line: str, number: int, place: tuple[int, int]) -> None:
    """An operand of a line that was read is found again, or its absence past the end."""
    assert span(line, number) == place


@each_row(
    ("word", "is_shape"),
    [
        *((word, True) for word in ("2,3", "5", "?", "()", "[", "x=3", "", "scalar", "N", "NxM")),
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
    ],
)
def test_an_enormous_text_is_refused(line: str) -> None:
    """Deep brackets and a token of 1 MB are refused like small ones, in few words."""
    assert len(carets_of(refused(line))) < 1000
