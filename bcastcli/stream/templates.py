"""Answers to lines that look alike, written from a template.

Of the sizes in a question a rule sees only which are equal and which are 0 or 1; any other number
it quotes. So lines with the same text between their numbers, whose numbers are equal in
the same places, have answers that differ in the quoted numbers alone: such lines have one *look*.

The first line of a look is asked, and has the same answer when it returns. With another one, the
first is asked once more, with *marks*, numbers that nobody types, in place of its own: that answer
with the marks cut out is the template from which lines of the look are written from then on, under
any rule and in any format for programs. This is checked rather than believed: where the template
filled with the numbers of the first line is not its answer to the letter, the lines of that look
are asked one by one. So an answer that shows sizes in order (the marks are in the opposite one)
makes no template; nor does one that counts elements, other than in the note on operands that all
stretch, which is made anew. What must not come here are answers that depend in other ways on how
large a size is.
"""

import re
from collections.abc import Callable, Sequence
from math import prod
from operator import itemgetter
from sys import getsizeof
from typing import NamedTuple

from bcastcli.core.shapes import Shape, Size
from bcastcli.core.wording import growth_note, growth_note_of_counts
from bcastcli.notation.text import NotationError
from bcastcli.stream.caches import Bounded
from bcastcli.stream.looks import MARK, Look, Looks, mark

MAX_TEMPLATES = 16 << 20
MAX_MET = 12 << 20
"""Bytes, as estimated: of all templates, and of lines met once."""
# Measured over many looks, without the texts in them.
_BYTES_OF_AN_ENTRY = 250
_BYTES_OF_A_LIST = 100

_MARKED = re.compile(rf"{MARK // 1000}([0-9]{{3}})")
_NOTE = 999
"""The mark in place of the note on operands that all stretch; no line here has so many numbers."""
Growing = tuple[Sequence[Shape], Shape]
"""The shapes of operands that all stretch, and the result's."""


class Template(NamedTuple):
    """A text with places for numbers."""

    text: str
    pick: Callable[[Sequence[str]], object]
    """Pick what stands in the places, in their order."""
    growing: Sequence[Sequence[int]] = ()
    """Which numbers are in the shapes and the result, if the text has the note on their growth."""

    @property
    def bytes(self) -> int:
        """About how many bytes it takes, beside its look."""
        return getsizeof(self.text) + _BYTES_OF_A_LIST * len(self.growing)

    def filled(self, numbers: Sequence[str]) -> str:
        """Return the text with numbers in its places."""
        if self.growing:
            *counts, count = [prod([int(numbers[i]) for i in shape]) for shape in self.growing]
            numbers = [*numbers, growth_note_of_counts(counts, count)]
        return self.text % self.pick(numbers)


def template(text: str, index: Sequence[int], growing: Growing | None = None) -> Template:
    """Return the template of a text with marks; mark i stands for the number at index[i]."""
    stands_for = dict(enumerate(index))
    number: dict[Size, int] = {0: 0, 1: 1}
    number |= {MARK + i: place for i, place in stands_for.items()}
    places: list[list[int]] = []
    if growing:
        shapes = (*growing[0], growing[1])
        if all(size in number for shape in shapes for size in shape):
            text = text.replace(growth_note(*growing), mark(_NOTE))
            places = [[number[size] for size in shape] for shape in shapes]
            stands_for[_NOTE] = -1
    parts = _MARKED.split(text)
    picked = [stands_for[int(each)] for each in parts[1::2]]
    return Template(
        "%s".join(part.replace("%", "%%") for part in parts[::2]),
        itemgetter(*picked) if picked else lambda _: (),
        places if -1 in picked else (),
    )


class Met(NamedTuple):
    """The only line of a look so far."""

    looks: Looks
    """How its look was found."""
    line: str
    text: str | NotationError
    """The answer."""

    @property
    def bytes(self) -> int:
        """About how many bytes it takes, beside its look."""
        return getsizeof(self.line) + getsizeof(str(self.text))


class Templates:
    """The answers to lines, of which those that look alike are written from templates."""

    def __init__(
        self,
        ask: Callable[[str], str | NotationError],
        reply: Callable[[str], tuple[str, Growing | None]],
    ) -> None:
        """Take what answers a line, and what also tells of operands that all stretch."""
        self._ask = ask
        self._reply = reply
        self._templates: Bounded[Look, Template | None] = Bounded(_bytes_of, MAX_TEMPLATES)
        """By look; None where lines have to be asked one by one."""
        self._met: Bounded[Look, Met] = Bounded(_bytes_of, MAX_MET)

    def answers(self, lines: Sequence[str], looks: Looks) -> list[str | NotationError]:
        """Return the answer to each line."""
        look_of, known = looks.of, self._templates.get
        answers: list[str | NotationError] = []
        add = answers.append
        for line in lines:
            look, numbers = look_of(line)
            found = known(look)
            if found is None:
                add(self._without_template(line, look, numbers, looks))
            elif found.growing:
                add(found.filled(numbers))
            else:
                add(found.text % found.pick(numbers))
        return answers

    def _without_template(
        self, line: str, look: Look, numbers: list[str], looks: Looks
    ) -> str | NotationError:
        """Answer a line without a template; learn it where another line of its look was met."""
        met = self._met.get(look)
        if met and met.line == line:
            return met.text
        if met:
            found = self._templates[look] = self._learned(*self._met.taken(look))
            if found:
                return found.filled(numbers)
        text = self._ask(line)
        if look not in self._templates:
            self._met[look] = Met(looks, line, text)
        return text

    def _learned(self, looks: Looks, line: str, text: str | NotationError) -> Template | None:
        """Return the template of a line with this answer, if it has one."""
        if isinstance(text, NotationError) or not text or _MARKED.search(line):
            return None
        marked, stands_for = looks.marked(line)
        if not marked:
            return None
        try:
            reply, growing = self._reply(marked)
        except NotationError:
            return None
        found = template(reply, stands_for, growing)
        return found if found.filled(looks.of(line)[1]) == text else None


def _bytes_of(look: Look, entry: Template | Met | None) -> int:
    # A string of one ASCII character is the same one everywhere.
    parts = [part for part in look if isinstance(part, str) and (len(part) > 1 or part > "\x7f")]
    own = entry.bytes if entry else 0
    return _BYTES_OF_AN_ENTRY + 8 * len(look) + sum(map(getsizeof, parts)) + own
