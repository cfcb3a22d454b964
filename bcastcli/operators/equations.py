"""Constraints between the shapes of an operator's inputs, for known sizes.

`equations.txt` is the table: which sizes must be equal, or a multiple. Anything beyond that has a
function, in `constraints`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
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
    """Why the inputs of an operator with its own constraints are impossible."""
    facts = with_names(facts)
    for check in (_equations, _computed, CONSTRAINTS.get(facts.operator)):
        try:
            yield from check(facts) if check else ()
        except Refused as error:
            yield error.clash
        except (Unknown, TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
            pass  # it is undecided, or the operator does not take such an attribute


def with_names(facts: Facts) -> Facts:
    """Facts in which each input has a name: its own, or by default ONNX's."""
    count = max(len(facts.shapes), len(facts.values))
    known = signatures().get(facts.operator)
    usual = known.inputs if known and not known.is_variadic else ()
    usual = (*usual, *letters(count)[len(usual) :])
    return facts._replace(names=[*facts.names, *usual[len(facts.names) : count]])


_LAST = 1_000
"""Later than any opset."""


class _Row(NamedTuple):
    """An equation of an operator."""

    until: int
    """The last opset in which it holds."""
    places: Mapping[str, int]
    """The places of the inputs, by the names that they have in it."""
    text: str
    verdict: str = ""
    """The answer to which its note belongs."""
    note: str = ""


def _table(file: str) -> defaultdict[str, list[_Row]]:
    """The rows of each operator in a file, the oldest first."""
    found = defaultdict[str, list[_Row]](list)
    text = Path(__file__).with_name(file).read_text("utf-8")
    blocks = re.findall(r"(?m)^(\w\S*(?: \S+)*): (.+)\n((?:  .+\n)+)", text)
    for operators, inputs, equations in blocks:
        places = {name: place for place, name in enumerate(inputs.split())}
        for each in operators.split():
            name, _, until = each.partition("@")
            for row in re.split(r"; |\n", equations.strip()):
                own = _Row(int(until or _LAST), places, *row.strip().split(" | "))
                found[name].append(own)
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
    """The equations of the table that do not hold."""
    # Other layouts: of recurrent networks, scales of blocks, and an old normalization.
    given = facts.attributes
    if given.get("layout") or given.get("block_size") or given.get("spatial") == 0:
        return
    rows = [row for row in _EQUATIONS[facts.operator] if facts.opset <= row.until]
    for row in rows:
        if row.until == rows[0].until:
            with suppress(Unknown):
                yield from _equation(row, facts)


def runtime_notes(facts: Facts, verdict: str) -> Iterator[str]:
    """What ONNX Runtime does otherwise than an answer has it, which is `yes` or `no`."""
    for row in _RUNTIME[facts.operator]:
        with suppress(Unknown):
            if row.verdict == verdict and [*_equation(row, facts)]:
                yield row.note


def _equation(row: _Row, facts: Facts) -> Iterator[Clash]:
    """Why an equation does not hold."""
    left, sign, right = re.split(r" (1?=|[<>]=|%) ", row.text)
    own = _term(left, facts, row.places)
    wanted, owners = _wanted(right, facts, row.places)
    asks = joined_with_and(owners or [facts.operator])
    at_fault = tuple(row.places[each] for each in re.findall(r"(\w+)\[", row.text))
    needs, allows = ("need", "allow") if len(owners) > 1 else ("needs", "allows")
    needed = f"{own.has}, but {asks} {needs}"
    if sign == "%" and wanted and own.value % wanted:
        yield Clash(f"{own.has}, not a multiple of {wanted} ({asks})", own.axis, at_fault)
    if sign == "<=" and own.value > wanted:
        yield Clash(f"{own.has}, but {asks} {allows} at most {wanted}", own.axis, at_fault)
    if sign == ">=" and own.value < wanted:
        yield Clash(f"{needed} at least {wanted}", own.axis, at_fault)
    if (sign == "=" or (sign == "1=" and own.value != 1)) and own.value != wanted:
        text = f"{needed} {wanted}" if own.axis is not None else f"{own.has} instead of {wanted}"
        if own.axis is not None and at_fault[0] == 0:
            text += elsewhere(wanted, facts.shape(0), own.axis)
        yield Clash(text, own.axis, at_fault)


def _wanted(text: str, facts: Facts, places: Mapping[str, int]) -> tuple[int, list[str]]:
    """The value of the right side of an equation, and the inputs and attributes in it."""
    value = 1
    owners: dict[str, None] = {}
    for signed in re.split(r" (?=[*/+])", text):
        sign, own = signed[0], signed.strip("*/+ ")
        if sign == "+" and not facts.is_given(places[own.partition("[")[0]]):
            continue
        term = _term(own, facts, places)
        if sign == "+":
            value += term.value
        else:
            value = value // term.value if sign == "/" else value * term.value
        if "[" in own or (term.value != 1 and not own.isdecimal()):
            owners[term.owner] = None  # an attribute of 1 changes nothing
    return value, [*owners]


class _Term(NamedTuple):
    """A size, an attribute or a number in an equation."""

    value: int
    owner: str
    has: str
    """What its owner has, in words."""
    axis: int | None = None


def _term(text: str, facts: Facts, places: Mapping[str, int]) -> _Term:
    """A term with its value; raise Unknown if that is open."""
    [(name, index, rank)] = _TERM.findall(text)
    if name.isdecimal():
        return _Term(int(name), name, name)
    if not index:
        if name == "hidden_size" and name not in facts.attributes:  # it has no default
            raise Unknown
        number = int(facts.attributes.get(name, 1))
        return _Term(number, f"{name}={number}", f"{name} is {number}")
    place = places[name]
    shape, owner = facts.shape(place), facts.names[place]
    if index == "rank" and owner:
        return _Term(len(shape), owner, facts.has_axes(place))
    axis = int(index) if index.lstrip("-").isdecimal() else int(facts.attributes.get(index, 1))
    has_rank = not rank or len(shape) == int(rank)
    if not owner or not has_rank or not -len(shape) <= axis < len(shape):
        raise Unknown
    return _Term(facts.size(place, axis), owner, facts.has(place, axis), axis % len(shape))
