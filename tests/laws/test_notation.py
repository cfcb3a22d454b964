"""Laws of the notation, for whatever text Hypothesis finds.

pytest tests/laws/test_notation.py --hypothesis-profile long tries many more.
"""

import re
from collections import Counter
from string import ascii_letters

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bcastcli.core.shapes import UNKNOWN, Shape, Size, written
from bcastcli.notation.text import NotationError, named_size, read
from bcastcli.render import with_carets
from tests.effort import many


def text(alphabet: str, most: int) -> st.SearchStrategy[str]:
    """As st.text, for which a fresh checkout would first build tables of Unicode."""
    return st.lists(st.sampled_from(alphabet), max_size=most).map("".join)


plain_names = st.builds(
    str.__add__, st.sampled_from(ascii_letters + "_"), text(ascii_letters + "_0189", 7)
)
any_text = st.lists(st.integers(0, 0x10FFFF).map(chr), max_size=20).map("".join)
sizes_typed: st.SearchStrategy[Size] = st.one_of(
    st.integers(0, 10**20),
    st.just("9" * 4300).map(int),
    st.just(UNKNOWN),
    plain_names.filter(lambda name: named_size(name) is not None),
)
shapes_typed = st.lists(sizes_typed, max_size=6).map(tuple)


@given(asked=st.lists(shapes_typed, min_size=1, max_size=5))
def test_what_is_written_can_be_read(asked: list[Shape]) -> None:
    """Lines of written shapes read as those shapes, and written again are the same text."""
    assume(("x",) not in asked)  # between two numbers it is the sign, and refused
    line = " ".join(map(written, asked))
    again = read(line).shapes
    assert again == tuple(asked)
    assert " ".join(map(written, again)) == line


@st.composite
def spellings(draw: st.DrawFn, shape: Shape) -> str:
    """A shape in one of the ways in which it may be typed or pasted."""
    blank = st.sampled_from(("", " ", "  ", "\t"))
    sizes = [draw(_spelled(size)) for size in shape]
    products = all(re.fullmatch(r"[0-9]+|[A-Z]|\?|-1", size) for size in sizes)
    if len(sizes) > 1 and products and draw(st.booleans()):
        inner = draw(st.sampled_from("x×")).join(sizes)
    else:
        comma = f"{draw(blank)},{draw(blank)}"
        inner = comma.join(sizes) + draw(st.sampled_from(("", ",")))
    word = st.sampled_from(("", "", "Shape", "f32", "torch.Size", "a.b.c"))
    opener, closer = draw(st.sampled_from((("(", ")"), ("[", "]"))))
    text = f"{draw(word)}{opener}{draw(blank)}{inner}{draw(blank)}{closer}"
    # Alone in such brackets, some words are markup: a comma tells that they are not.
    if draw(st.booleans()):
        text = f"{draw(word)}({text})"
    return draw(st.sampled_from(("", "operand="))) + text


def _spelled(size: Size) -> st.SearchStrategy[str]:
    if size == UNKNOWN:
        return st.sampled_from(("?", "-1", "None"))
    if isinstance(size, int) and size < 10**20:
        return st.sampled_from((str(size), f"0{size}", f"000{size}"))
    return st.just(str(size))


@given(data=st.data(), shape=shapes_typed)
def test_every_spelling_reads_the_same(data: st.DataObject, shape: Shape) -> None:
    """Blanks, brackets, words, zeros in front and names do not change a shape."""
    assert read(data.draw(spellings(shape))).shapes == (shape,)


def test_any_text_is_read_or_refused_with_a_place() -> None:
    """Any text is either shapes that can be written and read, or refused at a place in it."""
    met: Counter[str] = Counter()

    @settings(max_examples=many(1000))
    @given(text("0123 ,x×()[]N?=-.;'\t_é\x1b", 8) | text("0123 ,;N?", 6) | any_text)
    def law(line: str) -> None:
        try:
            asked = read(line).shapes
        except NotationError as caught:
            met["refused"] += 1
            error = caught
            start, after = error.span
            assert 0 <= start < after <= len(line) + 1
            shown = [error.message, *with_carets(error.text, error.span).split("\n")]
            assert [each.isprintable() for each in shown] == [True] * 3
        else:
            met["read"] += 1
            assert all(read(written(shape)).shapes == (shape,) for shape in asked)

    law()
    assert min(met["read"], met["refused"]) > many(50), met
