"""ONNX's operators: the rules of those that broadcast by opset, and the others.

`table.json` has those that broadcast, `signatures.json` the others, with their inputs (`?`:
optional, `*`: any number) and their attributes, among them the inputs that are typed as values
(`+`: of at least 1, `~`: not negative; the inference of others may end the process).
`others.txt` names those on which there is no question: they work on sequences or graphs.
"""

import json  # noqa: TID253  # this module is loaded only where an operator is asked for
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bcastcli.rules import find, names, nearest

_TABLE, _SIGNATURES, OTHERS = map(
    Path(__file__).with_name, ("table.json", "signatures.json", "others.txt")
)
OWN = "own"
"""In place of a rule: the operator has constraints of its own and does not broadcast."""
MAX_OPSET = 28
"""The newest opset that the table knows."""
AT_THE_END = 1_000
"""In place of the number of an operand: the place after the last one."""


class OperatorError(ValueError):
    """A request that an operator cannot answer, in one sentence."""

    def __init__(self, message: str, part: str | int = "") -> None:
        """Take the message and the part at fault: a setting, the number of an operand, the name."""
        super().__init__(message)
        self.part = part


class Version(NamedTuple):
    """An operator and how it broadcasts from an opset on."""

    op: str
    since_opset: int
    rule: str
    inputs: tuple[str, ...]
    """Those that broadcast."""
    direction: str | None = None
    scope: str | None = None
    note: str | None = None

    @property
    def is_variadic(self) -> bool:
        return bool(self.inputs) and self.inputs[0].endswith("(variadic)")


@cache
def table() -> dict[str, tuple[Version, ...]]:
    """The operators' versions, oldest first."""
    data = json.loads(_TABLE.read_text("utf-8"))
    return {
        op: tuple(Version(op, **{**row, "inputs": tuple(row["inputs"])}) for row in rows)
        for op, rows in data.items()
    }


class Signature(NamedTuple):
    """The inputs and the attributes of an operator that does not broadcast."""

    since_opset: int
    inputs: tuple[str, ...]
    optional: frozenset[str]
    is_variadic: bool
    attributes: Mapping[str, str]
    """The kind of each: "int", "ints", "floats" or "string"; "other" does not affect shapes."""
    least: Mapping[str, int]
    """The least number of an attribute, where there is one."""


@cache
def signatures() -> dict[str, Signature]:
    """The signatures of the operators that do not broadcast, and of Einsum."""
    found = {}
    for op, row in json.loads(_SIGNATURES.read_text("utf-8")).items():
        inputs = row["inputs"].split()
        kinds = ("int", "ints", "floats", "string", "other")
        typed = {name: kind for kind in kinds for name in row.get(kind, "").split()}
        found[op] = Signature(
            row["since_opset"],
            tuple(name.strip("*?") for name in inputs),
            frozenset(name[:-1] for name in inputs if name.endswith("?")),
            bool(inputs) and inputs[0].startswith("*"),
            {name.rstrip("+~"): kind for name, kind in typed.items()},
            {name[:-1]: int(name[-1] == "+") for name in typed if name[-1] in "+~"},
        )
    return found


@cache
def operators() -> dict[str, tuple[Version, ...]]:
    """The versions of all operators: those that broadcast, then the others."""
    others = {}
    for op, each in signatures().items():
        inputs = (f"{each.inputs[0]} (variadic)",) if each.is_variadic else each.inputs
        others[op] = (Version(op, each.since_opset, OWN, inputs),)
    return {**table(), **{op: found for op, found in others.items() if op not in table()}}


@cache
def by_letters() -> Mapping[str, str]:
    """The operators' names by their small letters."""
    return {op.lower(): op for op in operators()}


def versions_of(name: str) -> tuple[Version, ...]:
    """The versions of an operator, oldest first, in whatever case its name is written.

    Raise OperatorError for any other name.
    """
    own = by_letters().get(name.lower())
    if own is None:
        if find(name):
            raise OperatorError(f"{name} names a rule, not an operator: bcastcli {name}")
        without = _others().get(name.lower())
        if without:
            raise OperatorError(f"{name} works on {without}, which op does not support")
        longer = [each for each in by_letters() if each.startswith(name.lower())]
        near = longer[:3] or nearest(name, {**by_letters(), **names()})
        meant = " or ".join(by_letters().get(each, each) for each in near)
        hint = f"did you mean {meant}?" if near else "bcastcli op and bcastcli rules list the names"
        raise OperatorError(f"{name} is not known; {hint}")
    return operators()[own]


@cache
def _others() -> Mapping[str, str]:
    """What the operators that have no shapes work on, by their names in small letters."""
    rows = (row.split() for row in OTHERS.read_text("utf-8").lower().splitlines())
    return dict(rows)


def version_at(versions: Sequence[Version], opset: int | None) -> Version | None:
    """The version of an opset, by default the newest; None before its first version.

    Raise OperatorError for an opset that is not known yet.
    """
    if opset is None:
        return versions[-1]
    if opset > MAX_OPSET:
        raise OperatorError(f"opset {opset} is not supported: the newest is {MAX_OPSET}", "opset")
    return next((each for each in versions[::-1] if each.since_opset <= opset), None)


def version_at_or_error(versions: Sequence[Version], opset: int | None) -> Version:
    """The same version; raise OperatorError if the opset is unknown or too old."""
    found = version_at(versions, opset)
    if found is None:
        op, since, *_ = versions[0]
        text = f"{op} was introduced in opset {since} and does not exist in opset {opset}"
        raise OperatorError(text, "opset")
    return found
