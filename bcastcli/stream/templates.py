"""Answers to lines with one signature, written from a template.

A rule's decisions depend only on which sizes are equal, and which are 0 or 1; any other number may
only be quoted. So the answers to two lines differ only in the quoted numbers if the lines have the
same text between their numbers, and equal numbers in the same places: one *signature*.

The first line of a signature is asked, and its answer is kept in case the line recurs. When a
second line of the signature arrives, the first is asked again with *placeholders*, numbers unlikely
to occur in input, in place of its own. That answer, with the placeholders cut out, is the template
for all further lines of the signature, under any rule and in any format for programs.

Each template is verified: filled with the numbers of the first line, it must reproduce that line's
answer exactly; otherwise the lines of the signature are asked one by one. Answers that show sizes
in order fail this check, since placeholders are in the opposite order. So do those that count
elements, except in the note on operands that all stretch, which is written anew. Answers that
depend on the magnitude of a size in any other way must not be cached here.
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
from bcastcli.stream.signatures import FIRST_PLACEHOLDER, Signature, Signatures, placeholder

MAX_TEMPLATES = 16 << 20
MAX_SEEN_ONCE = 12 << 20
"""Bytes, as estimated: of all templates, and of lines seen once."""
# Measured over many signatures, without the texts in them.
_BYTES_OF_AN_ENTRY = 250

_PLACEHOLDER = re.compile(rf"{FIRST_PLACEHOLDER // 1000}([0-9]{{3}})")
_NOTE = 999
"""The placeholder of the note on operands that all stretch; lines here have fewer numbers."""
Growing = tuple[Sequence[Shape], Shape]
"""The shapes of operands that all stretch, and the result's."""


class Template(NamedTuple):
    """A text with places for numbers."""

    text: str
    pick: Callable[[Sequence[str]], object]
    """Pick the contents of the places, in their order."""
    growing: Sequence[Sequence[int]] = ()
    """Which numbers are in the shapes and the result, if the text has the note on their growth."""

    def filled(self, numbers: Sequence[str]) -> str:
        """Return the text with numbers in its places."""
        if self.growing:
            *counts, count = [prod([int(numbers[i]) for i in shape]) for shape in self.growing]
            numbers = [*numbers, growth_note_of_counts(counts, count)]
        return self.text % self.pick(numbers)


def template(text: str, index: Sequence[int], growing: Growing | None = None) -> Template:
    """Return the template of a text; placeholder i in it stands for the number at index[i]."""
    stands_for = dict(enumerate(index))
    number: dict[Size, int] = {0: 0, 1: 1}
    number |= {FIRST_PLACEHOLDER + i: place for i, place in stands_for.items()}
    places: list[list[int]] = []
    if growing:
        shapes = (*growing[0], growing[1])
        if all(size in number for shape in shapes for size in shape):
            text = text.replace(growth_note(*growing), placeholder(_NOTE))
            places = [[number[size] for size in shape] for shape in shapes]
            stands_for[_NOTE] = -1
    parts = _PLACEHOLDER.split(text)
    picked = [stands_for[int(each)] for each in parts[1::2]]
    return Template(
        "%s".join(part.replace("%", "%%") for part in parts[::2]),
        itemgetter(*picked) if picked else lambda _: (),
        places if -1 in picked else (),
    )


class SeenOnce(NamedTuple):
    """A line with a signature that has been seen once."""

    signatures: Signatures
    """How its signature was found."""
    line: str
    text: str | NotationError
    """The answer."""


class Templates:
    """The answers to lines; those of lines with equal signatures are written from templates."""

    def __init__(
        self,
        ask: Callable[[str], str | NotationError],
        reply: Callable[[str], tuple[str, Growing | None]],
    ) -> None:
        """Take the function that answers lines, and the one that also returns growing shapes."""
        self._ask = ask
        self._reply = reply
        self._templates: Bounded[Signature, Template | None] = Bounded(_bytes_of, MAX_TEMPLATES)
        """By signature; None where lines have to be asked one by one."""
        self._seen_once: Bounded[Signature, SeenOnce] = Bounded(_bytes_of, MAX_SEEN_ONCE)

    def answers(self, lines: Sequence[str], signatures: Signatures) -> list[str | NotationError]:
        """Return the answer to each line."""
        signature_of, known = signatures.of, self._templates.get
        answers: list[str | NotationError] = []
        add = answers.append
        for line in lines:
            signature, numbers = signature_of(line)
            found = known(signature)
            if found is None:
                add(self._without_template(line, signature, numbers, signatures))
            elif found.growing:
                add(found.filled(numbers))
            else:
                add(found.text % found.pick(numbers))
        return answers

    def _without_template(
        self, line: str, signature: Signature, numbers: list[str], signatures: Signatures
    ) -> str | NotationError:
        """Answer a line without a template; learn it from another line of its signature."""
        met = self._seen_once.get(signature)
        if met and met.line == line:
            return met.text
        if met:
            found = self._templates[signature] = self._learned(*met)
            if found:
                return found.filled(numbers)
        text = self._ask(line)
        if signature not in self._templates:
            self._seen_once[signature] = SeenOnce(signatures, line, text)
        return text

    def _learned(
        self, signatures: Signatures, line: str, text: str | NotationError
    ) -> Template | None:
        """Return the template of a line with this answer, if it has one."""
        if isinstance(text, NotationError) or not text or _PLACEHOLDER.search(line):
            return None
        filled_in, stands_for = signatures.with_placeholders(line)
        if not filled_in:
            return None
        try:
            reply, growing = self._reply(filled_in)
        except NotationError:
            return None
        found = template(reply, stands_for, growing)
        return found if found.filled(signatures.of(line)[1]) == text else None


def _bytes_of(signature: Signature, entry: Template | SeenOnce | None) -> int:
    # Python shares ASCII strings of one character.
    texts = [part for part in signature if isinstance(part, str) and len(part.encode()) > 1]
    own = sum(map(getsizeof, [*texts, *map(str, entry or ())]))
    return _BYTES_OF_AN_ENTRY + 8 * len(signature) + own
