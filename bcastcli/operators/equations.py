"""Constraints between the shapes of an operator's inputs, for known sizes.

`equations.txt` is the table: which sizes must be equal, or a multiple. Anything beyond that has a
function, in `constraints`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from bcastcli.core.alignment import letters
from bcastcli.core.amounts import elsewhere
from bcastcli.core.wording import joined_with_and
from bcastcli.operators.computed import COMPUTED
from bcastcli.operators.constraints import CONSTRAINTS
from bcastcli.operators.facts import Clash, Facts, Refused, Unknown
from bcastcli.operators.table import signatures


def clashes(facts: Facts) -> Iterator[Clash]:
    """Yield why the inputs of an operator with its own constraints are impossible."""
    facts = with_names(facts)
    for check in (_equations, _computed, CONSTRAINTS.get(facts.operator)):
        try:
            yield from check(facts) if check else ()
        except Refused as error:
            yield error.clash
        except Unknown:
            pass
        except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
            pass  # the operator does not take such an attribute


def with_names(facts: Facts) -> Facts:
    """Return facts in which each input has a name: its own, or by default ONNX's."""
    count = max(len(facts.shapes), len(facts.values))
    known = signatures().get(facts.operator)
    usual = known.inputs if known and not known.is_variadic else ()
    if facts.operator == "Einsum":  # a single letter would look like an axis
        usual = _ORDINALS + tuple(f"operand {place + 1}" for place in range(4, count))
    usual = (*usual, *letters(count)[len(usual) :])
    return facts._replace(names=[*facts.names, *usual[len(facts.names) : count]])


_ORDINALS = ("the first", "the second", "the third", "the fourth")


_LAST = 1_000
"""Later than any opset."""


class _Row(NamedTuple):
    """Equations of an operator."""

    until: int
    """The last opset in which they hold."""
    inputs: Sequence[str]
    equations: Sequence[str]

    @property
    def places(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.inputs)}


def _table(file: str) -> dict[str, list[_Row]]:
    """The rows of each operator in a file, the oldest first."""
    found: dict[str, list[_Row]] = {}
    text = Path(__file__).with_name(file).read_text("utf-8")
    blocks = re.findall(r"(?m)^(\w\S*(?: \S+)*): (.+)\n((?:  .+\n)+)", text)
    for operators, inputs, equations in blocks:
        for each in operators.split():
            name, _, until = each.partition("@")
            rows = re.split(r"; |\n", equations.strip())
            row = _Row(int(until or _LAST), inputs.split(), [row.strip() for row in rows])
            found.setdefault(name, []).append(row)
    return found


_EQUATIONS = _table("equations.txt")
_RUNTIME = _table("runtime.txt")
_TERM = re.compile(r"(\w+)(?:\[(-?\w+)(?:/(\d))?\])?")
CHECKED = frozenset({*_EQUATIONS, *COMPUTED, *CONSTRAINTS})
"""The operators with constraints of their own; those that broadcast have their rules."""


def _computed(facts: Facts) -> Iterator[Clash]:
    """Raise Refused if the result that needs no onnx does not exist."""
    if facts.operator in COMPUTED:
        COMPUTED[facts.operator](facts)
    yield from ()


def _equations(facts: Facts) -> Iterator[Clash]:
    """Yield the equations of the table that do not hold."""
    # Other layouts: of recurrent networks, scales of blocks, and an old normalization.
    given = facts.attributes
    if given.get("layout") or given.get("block_size") or given.get("spatial") == 0:
        return
    rows = [row for row in _EQUATIONS.get(facts.operator, ()) if facts.opset <= row.until]
    for row in rows[:1]:
        for equation in row.equations:
            with suppress(Unknown):
                yield from _equation(equation, facts, row.places)


def runtime_notes(facts: Facts, *, is_refused: bool) -> Iterator[str]:
    """What ONNX Runtime does otherwise than our answer has it."""
    for row in _RUNTIME.get(facts.operator, ()):
        for each in row.equations:
            equation, verdict, note = each.split(" | ")
            with suppress(Unknown):
                if verdict == ("no" if is_refused else "yes"):
                    yield from [note for _ in _equation(equation, facts, row.places)]


def _equation(equation: str, facts: Facts, places: Mapping[str, int]) -> Iterator[Clash]:
    """Yield why an equation does not hold."""
    left, sign, right = re.split(r" (1?=|<=|%) ", equation)
    (size, owner, axis), wanted = _product(left, facts, places), 1
    words: dict[str, None] = {}
    for signed in re.split(r" (?=[*/+])", right):
        term = signed.strip("*/+ ")
        if signed.startswith("+") and not facts.is_given(places[term.partition("[")[0]]):
            continue
        factor, word, _ = _product(term, facts, places)
        if signed.startswith("+"):
            wanted += factor
        else:
            wanted = wanted // factor if signed.startswith("/") else wanted * factor
        if "[" in term or (factor != 1 and not term.isdecimal()):
            words[word] = None  # an attribute of 1 changes nothing
    asks = joined_with_and([*words]) if words else facts.operator
    at_fault = tuple(places[each] for each in re.findall(r"(\w+)\[", equation))
    has = f"{owner} has {size} on axis {axis}" if "[" in left else owner
    if sign == "%" and wanted and size % wanted:
        yield Clash(f"{has}, not a multiple of {wanted} ({asks})", axis, at_fault)
    if sign == "<=" and size > wanted:
        yield Clash(f"{has}, and {asks} has {wanted}", axis, at_fault)
    if (sign == "=" or (sign == "1=" and size != 1)) and size != wanted:
        verb = "need" if len(words) > 1 else "needs"
        where = "" if at_fault[0] else elsewhere(wanted, facts.shape(0), axis)
        yield Clash(f"{has}, and {asks} {verb} {wanted}{where}", axis, at_fault)


def _product(term: str, facts: Facts, places: Mapping[str, int]) -> tuple[int, str, int]:
    """Return the value of a term, its owner in words, and its axis; raise Unknown if it is open."""
    [(name, index, rank)] = _TERM.findall(term)
    if name.isdecimal():
        return int(name), name, 0
    if not index:
        if name == "hidden_size" and name not in facts.attributes:  # it has no default
            raise Unknown
        number = int(facts.attributes.get(name, 1))
        return number, f"{name}={number}", 0
    place = places[name]
    shape = facts.shape(place)
    if index == "rank":
        return len(shape), name, 0
    axis = int(index) if index.lstrip("-").isdecimal() else int(facts.attributes.get(index, 1))
    has_rank = not rank or len(shape) == int(rank)
    if not facts.names[place] or not has_rank or not -len(shape) <= axis < len(shape):
        raise Unknown
    size = shape[axis]
    if not isinstance(size, int):
        raise Unknown
    return size, facts.names[place], axis % len(shape)
