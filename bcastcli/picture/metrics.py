"""The measures of a medium and of its type, for the layouts of cells and of boxes."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, repeat
from math import fsum
from typing import Any, NamedTuple

from bcastcli.picture.figure import Block, Size, Step
from bcastcli.picture.marks import Drawing, Mark, Role, Text

SANS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"
FIXED = "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
_BOLD_SENTENCES = {Role.HEADING, Role.CLASH, Role.YES, Role.DEPENDS}
BOLD = {Role.STORED, Role.RESULT, Role.DIFFERS, Role.TITLE, Role.SIGN, Role.SLOT, *_BOLD_SENTENCES}
"""The parts that are bold, so that they also show in black and white."""

# In hundredths of the type's size, for the characters from the space to ~: the larger of what
# DejaVu Sans and Liberation Sans have, whose letters are as wide as Arial's and Helvetica's.
_PLAIN_WIDTHS = """
32 41 46 84 64 96 78 28 40 40 50 84 32 37 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 56
102 69 69 73 78 67 62 78 76 30 50 67 56 87 75 79 67 79 73 67 62 74 69 99 69 67 69 40 34 40 84 56
50 62 64 55 64 62 36 64 64 28 28 58 28 98 64 62 64 64 42 53 40 64 60 82 60 60 53 64 34 64 84"""
_BOLD_WIDTHS = """
35 46 53 84 70 101 88 31 46 46 53 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 62
100 78 77 74 84 69 69 83 84 38 56 78 64 100 84 86 74 86 78 73 69 82 78 111 78 73 73 46 37 46 84
56 50 68 72 60 72 68 44 72 72 35 35 67 35 105 72 69 72 72 50 60 48 72 66 93 65 66 59 72 37 72 84"""
_OTHER = 1.0
"""The width of any other character: of the signs in pictures the arrows are the widest."""


def _by_letter(widths: str) -> dict[str, float]:
    return {chr(32 + n): int(width) / 100 for n, width in enumerate(widths.split())}


_PLAIN, _BOLD = _by_letter(_PLAIN_WIDTHS), _by_letter(_BOLD_WIDTHS)


def measure(text: str, size: float, role: Role = Role.LABEL) -> float:
    """Return the width of a text of a role in a proportional font.

    >>> measure("il", 24) < measure("WW", 24) < measure("WW", 24, Role.TITLE)
    True
    """
    widths = _BOLD if role in BOLD else _PLAIN
    return size * fsum(map(widths.get, text, repeat(_OTHER)))  # the same in every Python


def fixed(text: str, size: float) -> float:
    """Return the width of a text in a fixed-width font."""
    return 0.605 * size * len(text)


_SPACE = re.compile(r" (?!(?:[^\s,()[\]]+, )*[^\s,()[\]]+,?[)\]])")
"""A space between words, and not within a shape such as (4, 1) or an index such as [0, 1]."""
_WORD_END = re.compile(rf"{_SPACE.pattern}(?!\((?:-\d+|[\dA-Z?]\w*,[^()]*)?\))")
"""Such a space, except after a name before its shape, and in `axis 1 (-1)`."""


def wrapped(text: str, width: float, measured: Callable[[str], float]) -> list[str]:
    """Return lines of whole words, at most `width` wide unless a single word is wider.

    A text is as wide as its parts together. A shape is one word, with its name if both fit.

    >>> wrapped("one line and another", 8, len), wrapped("A (4, 1); B (3, 2)", 12, len)
    (['one line', 'and', 'another'], ['A (4, 1);', 'B (3, 2)'])
    """
    lines: list[list[str]] = [[]]
    blank, reach = measured(" "), 0.0
    words = (
        [each] if measured(each) <= width else _SPACE.split(each) for each in _WORD_END.split(text)
    )
    for word in chain.from_iterable(words):
        own = measured(word)
        if lines[-1] and reach + blank + own > width + 1e-6:  # more than sums are off
            lines.append([])
        reach = reach + blank + own if lines[-1] else own
        lines[-1].append(word)
    return [" ".join(words) for words in lines]


def short(name: str, most: int = 12) -> str:
    """Return a name in at most `most` letters, shortened in the middle.

    >>> short("attention_scores_of_the_heads"), short("mask")
    ('attent…heads', 'mask')
    """
    half = most // 2
    return name if len(name) <= most else f"{name[:half]}…{name[half + 1 - most :]}"


def on_page(text: str) -> str:
    """Return a sentence in the style of a page: without commands, and with shapes as tuples.

    >>> on_page("64,3 counts as 4,096 on axes 1,3: ask 2 3,1")
    '(64, 3) counts as 4,096 on axes 1,3: ask 2 (3, 1)'
    >>> on_page("B starts at axis 1 (--axis 1)"), on_page("bcastcli none: 4,3,(1)")
    ('B starts at axis 1 (axis=1)', 'the rule none: (4, 3, (1))')
    """
    for command, said in _COMMANDS.items():
        text = re.sub(command, said, text)
    return _SHAPE.sub(lambda found: f"({found[0].replace(',', ', ')})", text)


_COMMANDS = {
    r"bcastcli op MatMul (\S+) (\S+)": r"\1 @ \2",
    r"\bbcastcli ([a-z-]+)": r"the rule \1",
    r"--(axis|axes|order) (\w[\w,]*)": r"\1=\2",
}
"""Commands and options in notes, and their replacements on a page."""
_SIZE = r"(?:\d+|[A-Z?]\w*|\(1\))"
_NUMBER = r"(?<!gives )(?<!use )(?!^[\d,]+$)\d{1,3}(?:,\d{3})+\b(?! has)"
_SHAPE = re.compile(rf"(?<!axes )(?<![=\w,.([])(?!{_NUMBER}){_SIZE}(?:,{_SIZE})++(?![\w=])")
"""A shape as it is typed: not a number with thousands separators, an index or a list of axes."""


class Metrics(NamedTuple):
    """The measures of a medium."""

    cell: tuple[float, float]
    """From one cell to the next, across and down."""
    gap: float
    """Between neighbouring cells."""
    edge: float
    """The width that the border of the last cell adds to a block."""
    line: float
    """The height of a line of words."""
    type: float
    """The size of the type of words."""
    space: float
    """Between blocks side by side, where the sign is."""
    lane: tuple[float, float]
    """The width of an arrow that points down, and the height of one that points across."""
    measure: Callable[[str, Role], float]
    """The width of a text of a role in the type of words."""
    shape: Callable[[Sequence[Size]], str]
    numeral: float = 1
    """The size of the type in cells."""
    on_paper: bool = True
    """Whether it has lines of any length, rather than characters."""
    glyphs: bool = False
    """Whether a cell is one character, without a number."""

    def width(self, text: str, role: Role = Role.LABEL) -> float:
        """Return the width of a text in the type of words."""
        return self.measure(text, role)

    def wrapped(self, text: str, width: float, role: Role = Role.LABEL) -> list[str]:
        """Return a text as lines at most `width` wide, unless a single word is wider."""
        return wrapped(text, width, partial(self.width, role=role))

    def text(
        self, x: float, y: float, text: str, role: Role = Role.LABEL, tint: int = -1, **more: Any
    ) -> Text:
        """Return a text in the type of words; `more` holds further fields of Text."""
        return Text(x, y, text, self.type, role, tint, **more)

    def sign(self, x: float, y: float, sign: str, block: Block, anchor: str = "middle") -> Text:
        """Return the sign before a block."""
        return Text(
            x, y, sign, self.sign_size, Role.SIGN, anchor=anchor, step=max(block.step, Step.ALIGN)
        )

    def sizes(self, block: Block) -> str:
        """Return the shape of a block, with the names of its axes if it has any."""
        return f"({', '.join(block.named)})" if block.named else self.shape(block.shape)

    def name(self, block: Block) -> str:
        """Return the name of a block, shortened on paper, where cells need the width."""
        name, space, rest = block.name.partition(" ")
        return f"{short(name)}{space}{rest}" if self.on_paper else block.name

    def title(self, block: Block, x: float, y: float, text: str) -> Text:
        """Return a line of the title of a block, in its color."""
        return self.text(x, y, text, Role.TITLE, block.tint, step=block.step)

    @property
    def layer_line(self) -> float:
        """The height of a line of the names of layers, which are close to them on paper."""
        return self.line * 0.86 if self.on_paper else self.line

    @property
    def sign_size(self) -> float:
        """The size of the type of signs between blocks."""
        return self.type * 1.9

    @property
    def cross_size(self) -> float:
        """The size of a cross."""
        return min(self.cell) * 0.66


class Arrangement(NamedTuple):
    """The arrangement of the blocks of a row."""

    stacked: bool
    """Below each other, or side by side."""
    across: int
    """The layers of a block that are side by side."""


class Placed(NamedTuple):
    """A room from 0, 0 on, and where the cells in it begin and end.

    Many rooms are measured for one that is drawn: its marks are made when they are asked for.
    """

    marks: Callable[[], Iterable[Mark]]
    width: float
    height: float
    left: float = 0
    top: float = 0
    bottom: float = 0

    @property
    def middle(self) -> float:
        """The middle of the height of its cells."""
        return (self.top + self.bottom) / 2

    @property
    def drawing(self) -> Drawing:
        """Its marks."""
        return Drawing(tuple(self.marks()), self.width, self.height)
