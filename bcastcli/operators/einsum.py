"""Einsum: its equation, shapes that do not fit it, and the sizes of its letters."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.conditions import any_equal
from bcastcli.core.rule import Note
from bcastcli.core.shapes import Size, stretch
from bcastcli.core.wording import axes, joined_with_and
from bcastcli.notation.pieces import shortened
from bcastcli.operators.facts import Clash, Dims, Facts, Made, Refused, numbers_in
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
        """The labels of the result's axes, if the dots stand for this number of axes."""
        before, dots, after = self.output.partition(DOTS)
        return [*before, *(range(-rank, 0) if dots else ()), *after]


def parse(text: str) -> Equation:
    """An equation; raise OperatorError if the text is not one.

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
    parsed = parse(equation)
    capitals = [each for each in parsed.output if each.isupper()]
    if parsed.is_implicit and capitals:
        text = f"it takes no capital letters such as {capitals[0]} without ->"
        yield Note("engine", f"ONNX Runtime refuses this: {text}")


def labelled(term: str, shape: Dims) -> list[tuple[Label, Size]] | None:
    """The sizes of a shape by the labels of their axes; None if the ranks differ."""
    before, dots, after = term.partition(DOTS)
    between = len(shape) - len(before) - len(after)
    if between < 0 or (between and not dots):
        return None
    return list(zip([*before, *range(-between, 0), *after], shape, strict=True))


def made(facts: Facts) -> Made:
    """Axes are matched by their letters, and a size of 1 stretches."""
    parsed = parse(facts.attributes["equation"])
    count, given = len(parsed.terms), len(facts.shapes)
    if count != given:
        terms = f"the equation takes {count} operand{'s' * (count != 1)}"
        raise Refused(Clash(f"{terms}, but there {'is' if given == 1 else 'are'} {given}"))
    columns: dict[Label, dict[int, Size]] = {}
    required = []
    dots: dict[int, int] = {}
    for place, term in enumerate(parsed.terms):
        found = labelled(term, facts.shape(place))
        if found is None:
            text = f"{facts.has_axes(place)}, but its term is {shortened(term) or 'empty'}"
            raise Refused(Clash(text, operands=(place,)))
        if DOTS in term:
            dots.setdefault(len(found) - len(term.replace(DOTS, "")), place)
        for label, size in found:
            its = columns.setdefault(label, {}).setdefault(place, size)
            if its != size and isinstance(its, int) and isinstance(size, int):
                text = f"{label} is {its} and {size} in {facts.names[place]}"
                raise Refused(Clash(text, operands=(place,)))
            required.append((any_equal((its, size)), f"axis {label}"))
    for label, column in columns.items():
        _refuse_sizes(_named(label), column, facts.names)
    if len(dots) > 1:
        has = [f"{axes(count)} in {facts.names[place]}" for count, place in dots.items()]
        text = f"the dots stand for {joined_with_and(has)}, but must stand for the same number"
        raise Refused(Clash(text, operands=tuple(dots.values())))
    rank = max(dots, default=0)
    _refuse_output(parsed, rank)
    verdicts = {label: stretch(tuple(column.values())) for label, column in columns.items()}
    required += [(each.condition, f"axis {label}") for label, each in verdicts.items()]
    return Made([[verdicts[label].result or 0 for label in parsed.labels(rank)]], required)


def _refuse_sizes(label: str, column: Mapping[int, Size], names: Sequence[str]) -> None:
    """Raise Refused if operands have different numbers for a label; a 1 stretches."""
    places = [place for number, place in numbers_in(column).items() if number != 1]
    if len(places) > 1:
        one, other, *_ = places
        text = f"{label} is {column[one]} in {names[one]} and {column[other]} in {names[other]}"
        raise Refused(Clash(text, operands=(one, other)))


def _refuse_output(parsed: Equation, dotted: int) -> None:
    """Raise Refused for a faulty output, if the dots stand for this number of axes."""
    for letter, count in Counter(parsed.output.replace(DOTS, "")).items():
        if count > 1:
            raise Refused(Clash(f"the output has {letter} twice"))
        if not any(letter in term for term in parsed.terms):
            raise Refused(Clash(f"the output has {letter}, but no term does"))
    if dotted and DOTS not in parsed.output:
        raise Refused(Clash(f"the output lacks the dots, which stand for {axes(dotted)}"))


def _named(label: Label) -> str:
    return f"axis {label} of the dots" if isinstance(label, int) else label
