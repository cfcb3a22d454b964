"""The constraints of a library's function on its operands, by the table `functions.txt`.

A function is recognized by the object that its library has under that name, and nothing is called.
If the value of an argument is unknown, there is no constraint.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bcastcli.core.rule import Value
from bcastcli.core.shapes import Shape
from bcastcli.operators.facts import Clash, Facts
from bcastcli.operators.fits import fits
from bcastcli.operators.questions import answer, of_node
from bcastcli.operators.table import MAX_OPSET
from bcastcli.raising.evaluation import Scope
from bcastcli.raising.values import LIST, NOT_READ, Array, array, contents, integer, is_one_of

TABLE = Path(__file__).with_name("functions.txt").read_text("utf-8")
"""The table of functions."""
NO_MATTER = {"dtype", "device", "order", "generator", "requires_grad"}
"""The options of functions that leave the shape as it is."""
_ROW = re.compile(r"^(\w+) (\S+): (.+) \((.+)\)$", re.MULTILINE)
_PARAMETER = re.compile(
    r"(?!$)(\.?)(\w*)((?:\.{3})?):?(?:(\d|\*)(T?)/?(\d*))?([a-z]\w*)?=?(\S*)(?:\s+|$)"
)
_MOST = 64
"""The most arrays in a list that are looked at."""


class Asked(NamedTuple):
    """The constraints of a call: the row of its function, with its operands and attributes."""

    library: str
    kind: str
    operator: str
    names: Sequence[str]
    shapes: Sequence[Shape | None]
    attributes: Mapping[str, Any]

    def clashes(self, names: Sequence[str]) -> Iterator[Clash]:
        """Yield why the operators refuse it, with these names of the operands."""
        outputs = self.attributes.get("outputs", len(self.attributes.get("split", "1")))
        for each in self.operator.split("+"):
            operator, _, opset = each.partition("@")
            given = operator, self.shapes, self.attributes, names, int(opset or MAX_OPSET)
            yield from fits(Facts(*given, outputs))

    @property
    def result(self) -> Shape:
        """Return the shape of its result; raise one of NOT_READ if unknown."""
        match self.kind, self.operator, self.shapes:
            case ("normalization", _, [tuple(shape), *_]) | (_, "same", [tuple(shape)]):
                return shape
            case _, "gathered", [tuple(places), (_, *sizes)]:
                return (*places, *sizes)
        return result(self.operator.replace("product", "MatMul"), self.shapes, self.attributes)


def result(
    operator: str, shapes: Sequence[Shape | None], attributes: Mapping[str, Value] | None = None
) -> Shape:
    """Return the result's shape under an operator or a rule; raise ValueError if unknown."""
    found = answer(of_node(operator, shapes, attributes or {}, MAX_OPSET))
    if not found.ok or found.result is None:
        raise ValueError
    return found.result


_Row = tuple[str, str, Sequence[Sequence[str]]]


@cache
def _table() -> Mapping[str, _Row]:
    """Return the kind, the operator and the parameters of each function."""
    found: dict[str, _Row] = {}
    for count in range(1, 4):
        filled = TABLE.replace("{n}", str(count)).replace("{rank}", str(count + 2))
        for kind, operator, functions, parameters in _ROW.findall(filled):
            row = (kind, operator, _PARAMETER.findall(parameters))
            found |= dict.fromkeys(functions.split(), row)
    return found


def asked(scope: Scope, node: ast.AST | None) -> Iterator[Asked]:
    """Yield the constraints of a call, if its function is known."""
    with suppress(*NOT_READ):
        yield from [_asked(scope, node)] if isinstance(node, ast.Call) else []


def _asked(scope: Scope, node: ast.Call) -> Asked:
    called, given = node.func, [*node.args]
    named = {each.arg: each.value for each in node.keywords if each.arg not in NO_MATTER}
    owner = scope.array(called.value) if isinstance(called, ast.Attribute) else None
    if isinstance(called, ast.Attribute) and owner and owner.library not in ("", LIST):
        given.insert(0, called.value)
        function = f"{owner.library}.Array.{called.attr}"
    else:
        value = scope.value(called)
        function = next((name for name in _table() if _is(value, name)), "")
    kind, operator, parameters = _table()[function]
    # Of numbers, lists and unknown operands of these, the message says more than the call.
    unread = ("", LIST) if kind in ("arithmetic", "where") else ("",)
    operands: dict[int, tuple[str, Shape | None]] = {}
    attributes: dict[str, Any] = {}
    for layer, name, rest, place, is_turned, ranks, role, default in parameters:
        taken = len(given) if rest else int(not layer)
        nodes, given = given[:taken], given[taken:]
        if layer or (not nodes and name in named):
            nodes = [ast.Attribute(called, name) if layer else named.pop(name)]
        if not rest and any(isinstance(each, ast.Starred) for each in nodes):
            raise LookupError
        if place:
            arrays = (pair for each in nodes for pair in _arrays(scope, each, place))
            for at, (text, own) in enumerate(arrays, int(place.replace("*", "0"))):
                is_right = own and (not ranks or str(len(own.shape)) in ranks)
                shape = own.shape if own and is_right and own.library not in unread else None
                operands[at] = (f"{text}.T", shape and shape[::-1]) if is_turned else (text, shape)
        elif role and nodes:
            attributes[role] = _integers(scope, nodes, is_rest=bool(rest))
        elif default:
            attributes[role] = int(default) if default.lstrip("-").isdigit() else default
    every = [operands.get(place, ("", None)) for place in range(max(operands) + 1)]
    names, shapes = zip(*every, strict=True)
    if given or named or (LIST in unread and None in shapes):
        raise LookupError
    options = _of_onnx(attributes, shapes[0] or ())
    return Asked(function.partition(".")[0], kind, operator, names, shapes, options)


def _is(value: Any, name: str) -> bool:
    """Return whether a value is a library's function of that name, or a layer of that class."""
    root, *path = name.split(".")
    there: Any = sys.modules.get(root)
    for part in path:
        there = contents(there).get(part)
    own = contents(value)
    is_changed = own.get("_forward_pre_hooks") or own.get("_forward_hooks") or "forward" in own
    return there is not None and (there is value or (there is type(value) and not is_changed))


def _arrays(scope: Scope, node: ast.expr, place: str) -> Iterator[tuple[str, Array | None]]:
    """Yield the array that an argument is, or those of a list."""
    inner = node.value if isinstance(node, ast.Starred) else node
    name, own = ast.unparse(inner), scope.array(inner)
    if isinstance(inner, ast.List | ast.Tuple) and place == "*":
        yield from (pair for each in inner.elts for pair in _arrays(scope, each, place))
    elif inner is node and (own or place != "*"):
        yield name, own
    else:
        value: Any = scope.value(inner) if scope.has_items else None
        if not is_one_of(type(value), (list, tuple)) or len(value) > _MOST:
            raise LookupError
        yield from ((f"{name}[{at}]", array(each)) for at, each in enumerate(value))


def _integers(scope: Scope, nodes: Sequence[ast.expr], *, is_rest: bool) -> int | str | list[int]:
    """Return the number, the text or the row of numbers that an argument is."""
    found: list[Any] = []
    for node in nodes:
        value = scope.value(node.value if isinstance(node, ast.Starred) else node)
        if is_one_of(type(value), (int, str)) and not is_rest:
            return value  # type: ignore[no-any-return]  # as asked
        row = tuple.__getitem__(value, slice(None)) if issubclass(type(value), tuple) else value
        found += row if is_one_of(type(row), (list, tuple)) else [row]
    return [*map(integer, found)]


def _of_onnx(given: dict[str, Any], shape: Shape) -> Mapping[str, Any]:
    """Return attributes as ONNX has them; the shape is the first operand's."""
    found = {**given}
    for name in given.keys() & {"dilations", "kernel_shape", "pads"}:
        row = [given[name]] if isinstance(given[name], int) else given[name]
        found[name] = row * (len(shape) - 2) if len(row) == 1 else row
    if pads := found.pop("pads", None):
        auto = {"auto_pad": f"{pads}_UPPER".upper()}
        found |= auto if isinstance(pads, str) else {"pads": 2 * pads}
    if "perm" in given:
        found["perm"] = [axis + len(shape) * (axis < 0) for axis in given["perm"]]
    if isinstance(found.get("split"), int) or isinstance(found.get("outputs"), list):
        raise TypeError  # sizes of equal parts, or the places to split at
    return found
