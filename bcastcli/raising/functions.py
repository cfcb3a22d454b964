"""What a library's function does with the shapes of its operands, by the table `functions.txt`.

A function is recognized by the object that its library has under that name, and nothing is called.
If the value of an argument is unknown, nothing is known of the call.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bcastcli.core.shapes import Shape
from bcastcli.operators.facts import Clash, Facts
from bcastcli.operators.fits import fits
from bcastcli.operators.questions import answer, of_node
from bcastcli.operators.table import MAX_OPSET
from bcastcli.raising.evaluation import Scope
from bcastcli.raising.values import LIST, NOT_READ, Array, array, contents, integer, is_one_of

TABLE = Path(__file__).with_name("functions.txt").read_text("utf-8")
"""The table of functions."""
NO_MATTER = {"dtype", "device", "order", "generator", "requires_grad", "alpha", "precision"}
"""The options of functions that leave the shape as it is."""
_ROW = re.compile(
    r"^(\w+) (\S+) (\d|\*)(?:/(\d+))?(?: (\w+(?:\.T)?))?(?: =(\w+))?: (.+)$", re.MULTILINE
)
_OF_WINDOWS = ("stride", "padding", "dilation")
"""The attributes of a layer that decide how many places its window has."""
_MOST = 64
"""The most arrays in a list that are looked at."""
_Named = tuple[str, Array | None]


class Asked(NamedTuple):
    """An operation: its rule or operator, with its operands and attributes."""

    library: str
    kind: str
    operator: str
    names: Sequence[str]
    shapes: Sequence[Shape | None]
    attributes: Mapping[str, Any]

    def clashes(self, names: Sequence[str]) -> Iterator[Clash]:
        """Yield why the operator refuses it, with these names of the operands."""
        yield from fits(Facts(self.operator, self.shapes, self.attributes, names, MAX_OPSET))

    @property
    def result(self) -> Shape:
        """Return the shape of its result; raise one of NOT_READ if unknown."""
        match self.operator, self.shapes:
            case "same", [tuple(shape)]:
                return shape
            case "gathered", [tuple(places), (_, *sizes)]:
                return (*places, *sizes)
            case "convolved", [tuple(shape), tuple(weight)]:
                return _convolved(shape, weight, self.attributes)
        operator = self.operator.replace("product", "MatMul")
        found = answer(of_node(operator, self.shapes, self.attributes, MAX_OPSET))
        if not found.ok or found.result is None:
            raise ValueError
        return found.result


def _convolved(shape: Shape, weight: Shape, layer: Mapping[str, Any]) -> Shape:
    """The shape after a convolution: of each axis as many places as the window has there."""
    batch, _, *sizes = shape
    outputs, _, *windows = weight
    settings = [layer[name] for name in _OF_WINDOWS]
    places = []
    for size, width, stride, pad, dilation in zip(sizes, windows, *settings, strict=True):
        last = integer(size) + 2 * pad - dilation * (integer(width) - 1) - 1
        places.append(last // stride + 1)
    return (batch, outputs, *places)


class _Row(NamedTuple):
    """A row of the table, whose columns it explains."""

    kind: str
    operator: str
    amount: str
    ranks: str
    weight: str
    attribute: str


@cache
def _table() -> Mapping[str, _Row]:
    """Return the row of each function."""
    rows = _ROW.findall(TABLE)
    return {name: _Row(*row) for *row, names in rows for name in names.split()}


def asked(scope: Scope, node: ast.Call) -> Iterator[Asked]:
    """Yield what a call does, if its function is known."""
    with suppress(*NOT_READ):
        yield _asked(scope, node)


def _asked(scope: Scope, node: ast.Call) -> Asked:
    called, given = node.func, [*node.args]
    owner = scope.array(called.value) if isinstance(called, ast.Attribute) else None
    if isinstance(called, ast.Attribute) and owner and owner.library not in ("", LIST):
        given.insert(0, called.value)
        function = f"{owner.library}.Array.{called.attr}"
    else:
        value = scope.value(called)
        function = next((name for name in _table() if _is(value, name)), "")
    row = _table()[function]
    named = {each.arg: each.value for each in node.keywords if each.arg not in NO_MATTER}
    axes = [named.pop(name) for name in ("axis", "dim") if name in named]
    equation: dict[str, Any] = {}
    if row.attribute == "equation":
        equation = {"equation": scope.value(given[0])}
        given = given[1:] if len(given) == 2 else [ast.Tuple(given[1:], ast.Load())]
    places = 1 if row.amount == "*" else int(row.amount)
    if named or len(given) < places:
        raise LookupError
    operands = _operands(scope, row, called, given[:places])
    unread = ["", LIST] if row.kind == "arithmetic" else [""]
    shapes = [own.shape if own and own.library not in unread else None for _, own in operands]
    # Of numbers, lists and unknown operands of these, the message says more than the call.
    if row.kind == "arithmetic" and (None in shapes or len(given) > places):
        raise LookupError
    rest = [*given[places:], *axes]
    attributes = equation or _attributes(scope, row.attribute, rest, shapes[0])
    if row.operator == "convolved":
        layer = {name: ast.Attribute(called, name) for name in _OF_WINDOWS}
        attributes = {name: _integers(scope, [node]) for name, node in layer.items()}
    names = [name for name, _ in operands]
    return Asked(function.partition(".")[0], row.kind, row.operator, names, shapes, attributes)


def _operands(scope: Scope, row: _Row, called: ast.expr, given: Sequence[ast.expr]) -> list[_Named]:
    """Return the operands of a call, with their names."""
    operands = _listed(scope, given[0]) if row.amount == "*" else _each(scope, given)
    if row.weight and row.amount == "1":
        operands += _each(scope, [ast.Attribute(called, row.weight.removesuffix(".T"))])
    if row.weight.endswith(".T"):
        name, weight = operands[1]
        operands[1] = f"{name}.T", weight and weight._replace(shape=weight.shape[::-1])
    ranks = [str(len(own.shape)) for _, own in operands if own]
    if row.ranks and not {*row.ranks}.issuperset(ranks):
        raise LookupError
    return operands


def _attributes(
    scope: Scope, name: str, given: Sequence[ast.expr], shape: Shape | None
) -> Mapping[str, Any]:
    """Return the attribute that the arguments after the operands are, if it is given."""
    numbers = _integers(scope, given) if name else []
    if name == "axis":
        return {name: numbers[0] if numbers else 0}
    if name == "perm":
        numbers = [axis + len(shape or ()) * (axis < 0) for axis in numbers]
    return {name: numbers} if numbers else {}


def _is(value: Any, name: str) -> bool:
    """Return whether a value is a library's function of that name, or a layer of that class."""
    root, *path = name.split(".")
    there: Any = sys.modules.get(root)
    for part in path:
        there = contents(there).get(part)
    own = contents(value)
    is_changed = own.get("_forward_pre_hooks") or own.get("_forward_hooks") or "forward" in own
    return there is not None and (there is value or (there is type(value) and not is_changed))


def _each(scope: Scope, nodes: Sequence[ast.expr]) -> list[_Named]:
    """Return the arrays that arguments are, with their names."""
    if any(isinstance(each, ast.Starred) for each in nodes):
        raise LookupError
    return [(ast.unparse(each), scope.array(each)) for each in nodes]


def _listed(scope: Scope, node: ast.expr) -> list[_Named]:
    """Return the arrays in a list, with their names."""
    if isinstance(node, ast.List | ast.Tuple):
        return _each(scope, node.elts)
    value: Any = scope.value(node) if scope.has_items else None
    if not is_one_of(type(value), (list, tuple)) or len(value) > _MOST:
        raise LookupError
    return [(f"{ast.unparse(node)}[{at}]", array(each)) for at, each in enumerate(value)]


def _integers(scope: Scope, nodes: Sequence[ast.expr]) -> list[int]:
    """Return the numbers that arguments are or hold."""
    found: list[Any] = []
    for node in nodes:
        value = scope.value(node.value if isinstance(node, ast.Starred) else node)
        row = tuple.__getitem__(value, slice(None)) if issubclass(type(value), tuple) else value
        found += row if is_one_of(type(row), (list, tuple)) else [row]
    return [*map(integer, found)]
