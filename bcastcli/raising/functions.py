"""What an operator or a function of a library does with the shapes of its operands.

A function is recognized by the object that its library has under that name, and nothing is called.
If the value of an argument is unknown, nothing is known of the call.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from bcastcli.core.shapes import Shape
from bcastcli.operators.facts import Clash, Facts
from bcastcli.operators.fits import fits
from bcastcli.operators.questions import answer, of_node
from bcastcli.operators.table import MAX_OPSET
from bcastcli.raising.evaluation import Scope
from bcastcli.raising.results import RESULTS, indexed, integers
from bcastcli.raising.values import ARRAYS, LIST, NOT_READ, Array, array, contents, is_one_of
from bcastcli.rules import TO_A_TARGET, USUAL

_TABLE = Path(__file__).with_suffix(".txt")
_ROW = re.compile(r"(?m)^(\S+) (\S+) (\d|\*)(?:/(\d+))?(?: (\w+(?:\.T)?))?(?: =(\w+))?: (.+)$")
_NO_MATTER = {"dtype", "device", "order", "generator", "requires_grad", "alpha", "precision"}
"""The options of functions that leave the shape as it is."""
_AS_IN_NUMPY = {"dim": "axis", "keepdim": "keepdims"}
_MOST = 64
"""The most arrays in a list that are looked at."""
_Operand = tuple[str, Array | None]


class Operation(NamedTuple):
    """An operation: its rule or operator, with its operands and attributes."""

    library: str
    kind: str
    operator: str
    names: Sequence[str]
    shapes: Sequence[Shape | None]
    attributes: Mapping[str, Any]
    given: Sequence[Any] = ()
    """The values of the arguments after the operands of a function of `results`."""

    def clashes(self, names: Sequence[str]) -> Iterator[Clash]:
        """Why the operator refuses it, with these names of the operands."""
        yield from fits(Facts(self.operator, self.shapes, self.attributes, names, MAX_OPSET))

    @property
    def result(self) -> Array:
        """The result; one of NOT_READ is raised if it is unknown."""
        if None in self.shapes or not self.library:
            raise LookupError
        if self.operator in RESULTS:
            shape = RESULTS[self.operator](*self.shapes, *self.given, **self.attributes)
            return Array(shape, self.library)
        operator = self.operator.replace("product", "MatMul")
        found = answer(of_node(operator, self.shapes, self.attributes, MAX_OPSET))
        if not found.ok or found.result is None:
            raise ValueError
        return Array(found.result, self.library)


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
    """The row of each function; `-` stands before a name that is one of any library."""
    found = {}
    for *row, names in _ROW.findall(_TABLE.read_text("utf-8")):
        before = "-" if row[0] == "-" else ""
        found.update({f"{before}{name}": _Row(*row) for name in names.split()})
    return found


def array_of(scope: Scope, node: ast.expr) -> Array | None:
    """The array that an expression is, or that is worked out; None if it is unknown."""
    for read in (Scope.array, _computed):
        with suppress(*NOT_READ):
            return read(scope, node)
    return None


def _known(scope: Scope, node: ast.expr) -> Array:
    """The array of a library that an expression is; one of NOT_READ is raised for others."""
    found = array_of(scope, node)
    if found is None or not found.library:
        raise LookupError
    return found


def _computed(scope: Scope, node: ast.expr) -> Array:
    """The array that an expression gives; one of NOT_READ is raised if it is unknown."""
    match node:
        case ast.Subscript(value=owner, slice=key):
            whole = _known(scope, owner)
            keys = key.elts if isinstance(key, ast.Tuple) else [key]
            return whole._replace(shape=indexed(whole.shape, [*map(scope.value, keys)]))
        case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=owner):
            return _known(scope, owner)
        case ast.Attribute(value=owner, attr="data" | "T" as name):
            whole = _known(scope, owner)
            return whole._replace(shape=whole.shape[::-1]) if name == "T" else whole
        case ast.Call():
            return _call(scope, node).result
        case ast.BinOp() | ast.Compare():
            [operation] = operations(scope, node)
            return operation.result
    raise LookupError


def operations(scope: Scope, node: ast.AST | None) -> Iterator[Operation]:
    """The operation that a node is: a known call, an operator or each two of a comparison.

    Its library is empty where the shapes may follow other rules than those of arrays.
    """
    operands: Sequence[ast.expr] = ()
    operator = USUAL
    match node:
        case ast.Call():
            with suppress(*NOT_READ):
                call = _call(scope, node)
                if call.kind != "-":
                    yield call
        case ast.BinOp(left=left, right=right):
            operands = (left, right)
        case ast.AugAssign(target=left) | ast.Assign(targets=[ast.Subscript() as left]):
            operands, operator = (left, node.value), TO_A_TARGET
        case ast.Compare(left=left, ops=kinds, comparators=others):
            if not any(isinstance(each, ast.In | ast.NotIn | ast.Is | ast.IsNot) for each in kinds):
                operands = (left, *others)
    if isinstance(getattr(node, "op", None), ast.MatMult):
        operator = "product"
    for pair in pairwise(operands):
        arrays = [array_of(scope, each) for each in pair]
        # A number has no axes in any library.
        libraries = {each.library for each in arrays if each and (each.library or each.shape)}
        library = libraries.pop() if len(libraries) == 1 and LIST not in libraries else ""
        shapes = [each and each.shape for each in arrays]
        yield Operation(library, "", operator, [*map(ast.unparse, pair)], shapes, {})


def _call(scope: Scope, node: ast.Call) -> Operation:
    """What a call does; one of NOT_READ is raised if its function is unknown."""
    library, row, given = _recognized(scope, node)
    places = 1 if row.amount == "*" else int(row.amount)
    if len(given) < places:
        raise LookupError
    operands = _operands(scope, row, node.func, given[:places])
    unread = ["", LIST] if row.kind == "arithmetic" else [""]
    shapes = [own.shape if own and own.library not in unread else None for _, own in operands]
    names, rest = [name for name, _ in operands], given[places:]
    # Of numbers, lists and unknown operands of these, the message says more than the call.
    if row.kind == "arithmetic" and (None in shapes or rest):
        raise LookupError
    options = _options(scope, node)
    if row.operator in RESULTS:
        if row.operator == "convolved":
            rest = [ast.Attribute(node.func, name) for name in ("stride", "padding", "dilation")]
        values = [*map(scope.value, rest)]
        return Operation(library, row.kind, row.operator, names, shapes, options, values)
    nodes = [each.value if isinstance(each, ast.Starred) else each for each in rest]
    axes = [options.pop(name) for name in ("axis",) if name in options]
    if options:
        raise LookupError
    values = [*map(scope.value, nodes if row.attribute else []), *axes]
    attribute = _attribute(row.attribute, values, shapes[0])
    return Operation(library, row.kind, row.operator, names, shapes, attribute)


def _recognized(scope: Scope, node: ast.Call) -> tuple[str, _Row, list[ast.expr]]:
    """The library and the row of a function, and its arguments: of a method the array is one."""
    given = [*node.args]
    function = _function(scope, node.func)
    library, _, name = function.partition(".")
    short = name.rpartition(".")[2]
    if library not in ARRAYS:
        raise LookupError
    table = _table()
    row = table.get(function) or table.get(f"-{library}.{short}") or table[f"-{short}"]
    if isinstance(node.func, ast.Attribute) and name.startswith("Array."):
        given.insert(0, node.func.value)
    if row.attribute == "equation":
        listed = given[1] if len(given) == 2 else ast.Tuple(given[1:], ast.Load())
        given = [listed, given[0]]
    return library, row, given


def _options(scope: Scope, node: ast.Call) -> dict[str, Any]:
    """The values of the options of a call, by the names that they have in NumPy."""
    named = {str(each.arg): each.value for each in node.keywords if each.arg not in _NO_MATTER}
    return {_AS_IN_NUMPY.get(name, name): scope.value(named[name]) for name in named}


def _function(scope: Scope, called: Any) -> str:
    """The full name of a function: of a library, of the class of a layer, or of an array."""
    owner = array_of(scope, called.value) if isinstance(called, ast.Attribute) else None
    if isinstance(called, ast.Attribute) and owner and owner.library in ARRAYS:
        return f"{owner.library}.Array.{called.attr}"
    value = scope.value(called)
    for name in _table():
        if _is(value, name):
            return name
    # Of a name there is no owner: that raises one of NOT_READ.
    return f"{contents(scope.value(called.value))['__name__']}.{called.attr}"


def _is(value: Any, name: str) -> bool:
    """Whether a value is a library's function of that name, or a layer of that class."""
    root, *path = name.split(".")
    there: Any = sys.modules.get(root)
    for part in path:
        there = contents(there).get(part)
    own = contents(value)
    is_changed = own.get("_forward_pre_hooks") or own.get("_forward_hooks") or "forward" in own
    return there is not None and (there is value or (there is type(value) and not is_changed))


def _operands(scope: Scope, row: _Row, called: ast.expr, given: list[ast.expr]) -> list[_Operand]:
    """The operands of a call, with their names."""
    operands = _listed(scope, given[0]) if row.amount == "*" else _arrays(scope, given)
    if row.weight and row.amount == "1":
        operands += _arrays(scope, [ast.Attribute(called, row.weight.removesuffix(".T"))])
    if row.weight.endswith(".T"):
        name, weight = operands[1]
        operands[1] = f"{name}.T", weight and weight._replace(shape=weight.shape[::-1])
    ranks = [str(len(own.shape)) for _, own in operands if own]
    if row.ranks and not {*row.ranks}.issuperset(ranks):
        raise LookupError
    return operands


def _arrays(scope: Scope, nodes: Sequence[ast.expr]) -> list[_Operand]:
    """The arrays that arguments are, with their names."""
    if any(isinstance(each, ast.Starred) for each in nodes):
        raise LookupError
    return [(ast.unparse(each), array_of(scope, each)) for each in nodes]


def _listed(scope: Scope, node: ast.expr) -> list[_Operand]:
    """The arrays in a list, with their names."""
    if isinstance(node, ast.List | ast.Tuple):
        return _arrays(scope, node.elts)
    value: Any = scope.value(node) if scope.has_items else None
    if not is_one_of(type(value), (list, tuple)) or len(value) > _MOST:
        raise LookupError
    return [(f"{ast.unparse(node)}[{at}]", array(each)) for at, each in enumerate(value)]


def _attribute(name: str, values: Sequence[Any], shape: Shape | None) -> dict[str, Any]:
    """The attribute that the arguments after the operands are, if it is given."""
    if name == "equation":
        return {name: values[0]}
    numbers = integers(values) if name else []
    if name == "axis":
        return {name: numbers[0] if numbers else 0}
    if name == "perm":
        numbers = [axis + len(shape or ()) * (axis < 0) for axis in numbers]
    return {name: numbers} if numbers else {}
