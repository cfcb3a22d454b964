"""Einsum: its equation, shapes that do not fit it, and the sizes of its letters."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bcastcli.core.rule import Note
from bcastcli.core.shapes import Size
from bcastcli.core.wording import axes, joined_with_and
from bcastcli.notation.pieces import shortened
from bcastcli.operators.facts import Clash, Dims, Facts
from bcastcli.operators.table import OperatorError

DOTS = "..."
_TERM = re.compile(r"[A-Za-z]*+(?:\.\.\.)?[A-Za-z]*+")
Label = str | int
"""A letter; or an axis below the dots, counted from the last of them: -1, -2 and so on."""


class Equation(NamedTuple):
    """An equation of Einsum."""

    terms: tuple[str, ...]
    output: str
    is_implicit: bool

    def labels(self, rank: int) -> list[Label]:
        """Return the labels of the result's axes, if the dots stand for this number of axes."""
        before, dots, after = self.output.partition(DOTS)
        return [*before, *(range(-rank, 0) if dots else ()), *after]


def parse(text: str) -> Equation:
    """Return an equation; raise OperatorError if the text is not one.

    Without an arrow the output has the letters that occur once, capitals first, as ONNX sorts them.

    >>> parse("ij, jk"), parse("...i->i").is_implicit
    (Equation(terms=('ij', 'jk'), output='ik', is_implicit=True), False)
    """
    left, arrow, output = text.replace(" ", "").partition("->")
    terms = tuple(left.split(","))
    if not all(map(_TERM.fullmatch, (*terms, output))):
        expected = "expected letters and ..., such as bij,bjk->bik"
        raise OperatorError(f"this is not an equation: {expected}", "equation")
    if arrow:
        return Equation(terms, output, False)
    counts = Counter(letter for term in terms for letter in term if letter != ".")
    dots = DOTS if DOTS in left else ""
    once = sorted(letter for letter, count in counts.items() if count == 1)
    return Equation(terms, dots + "".join(once), True)


def notes(equation: str) -> Iterator[Note]:
    """Notes on what ONNX allows in an equation and ONNX Runtime refuses."""
    asked = parse(equation)
    capitals = [each for each in asked.output if each.isupper()]
    if asked.is_implicit and capitals:
        text = f"without ->, the output has no capital letters such as {capitals[0]}"
        yield Note("engine", f"ONNX Runtime refuses this: {text}")


def labelled(term: str, shape: Dims) -> list[tuple[Label, Size]] | None:
    """Return the sizes of a shape by the labels of their axes; None if the ranks differ."""
    before, dots, after = term.partition(DOTS)
    between = len(shape) - len(before) - len(after)
    if between < 0 or (between and not dots):
        return None
    return list(zip([*before, *range(-between, 0), *after], shape, strict=True))


def dotted(term: str, shape: Dims) -> int:
    """Return how many axes of a shape its dots stand for."""
    return len(shape) - len(term.replace(DOTS, ""))


def clashes(facts: Facts) -> Iterator[Clash]:
    """Yield why shapes do not fit an equation."""
    asked = parse(facts.attributes["equation"])
    count, given = len(asked.terms), len(facts.shapes)
    if count != given:
        terms = f"the equation takes {count} operand{'s' * (count != 1)}"
        yield Clash(f"{terms}, but there {'is' if given == 1 else 'are'} {given}")
        return
    seen: dict[Label, tuple[int, int]] = {}
    dots: dict[int, int] = {}
    for place, (term, shape) in enumerate(zip(asked.terms, facts.shapes, strict=True)):
        if shape is None:
            continue
        found = labelled(term, shape)
        if found is None:
            text = f"{facts.has_axes(place)}, and its term is {shortened(term) or 'empty'}"
            yield Clash(text, operands=(place,))
            return
        if DOTS in term:
            dots.setdefault(dotted(term, shape), place)
        yield from _diagonals(found, facts.names[place], place)
        for label, size in found:
            if isinstance(size, int) and size != 1:
                its, other = seen.setdefault(label, (size, place))
                if its != size and other != place:
                    names = facts.names
                    text = f"{_named(label)} is {its} in {names[other]} and {size} in "
                    yield Clash(text + names[place], operands=(other, place))
    if len(dots) > 1:
        has = [f"{axes(count)} in {facts.names[place]}" for count, place in dots.items()]
        text = f"the dots stand for {joined_with_and(has)}, and must stand for the same number"
        yield Clash(text, operands=tuple(dots.values()))
    yield from _of_output(asked, max(dots, default=0))


def _of_output(asked: Equation, dotted: int) -> Iterator[Clash]:
    """Yield the faults of the output, if the dots stand for this number of axes."""
    for letter, count in Counter(asked.output.replace(DOTS, "")).items():
        if count > 1:
            yield Clash(f"its output has {letter} twice")
        elif not any(letter in term for term in asked.terms):
            yield Clash(f"its output has {letter}, but its terms do not")
    if dotted and DOTS not in asked.output:
        yield Clash(f"its output lacks the dots, which stand for {axes(dotted)}")


def _diagonals(found: Sequence[tuple[Label, Size]], name: str, place: int) -> Iterator[Clash]:
    """Yield a clash if a letter has two sizes in one operand, where they cannot stretch."""
    sizes: dict[Label, int] = {}
    for label, size in found:
        if isinstance(size, int) and sizes.setdefault(label, size) != size:
            yield Clash(f"{label} is {sizes[label]} and {size} in {name}", operands=(place,))


def _named(label: Label) -> str:
    return f"axis {label} of the dots" if isinstance(label, int) else label
