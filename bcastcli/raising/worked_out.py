"""The shape of what an expression computes, worked out from those of its arrays.

Only where all arrays are a library's own. A shape that does not follow is None, or one of NOT_READ
is raised.
"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from math import prod
from types import EllipsisType, ModuleType
from typing import Any

from bcastcli.core.shapes import Shape
from bcastcli.raising.evaluation import Scope
from bcastcli.raising.functions import NO_MATTER, TABLE, Asked, asked
from bcastcli.raising.values import ARRAYS, LIST, NOT_READ, Array, array, contents, integer
from bcastcli.rules import TO_A_TARGET, USUAL


def operations(scope: Scope, node: ast.AST | None) -> Iterator[Asked]:
    """The operation that a node is: a known call, an operator or each two of a comparison.

    Its library is empty where the shapes may follow other rules than those of arrays.
    """
    pairs: Sequence[tuple[ast.expr, ast.expr]] = ()
    operator = USUAL
    match node:
        case ast.Call():
            yield from asked(scope, node)
        case ast.BinOp(left=left, right=right):
            pairs = [(left, right)]
        case (
            ast.AugAssign(target=left, value=right)
            | ast.Assign(targets=[ast.Subscript() as left], value=right)
        ):
            pairs = [(left, right)]
            operator = TO_A_TARGET
        case ast.Compare(left=left, ops=kinds, comparators=others):
            if any(isinstance(each, ast.In | ast.NotIn | ast.Is | ast.IsNot) for each in kinds):
                return
            pairs = [*pairwise([left, *others])]
    if isinstance(getattr(node, "op", None), ast.MatMult):
        operator = "product"
    for pair in pairs:
        arrays = [scope.array(each) for each in pair]
        # A number has no axes in any library.
        libraries = {each.library for each in arrays if each and (each.library or each.shape)}
        library = libraries.pop() if len(libraries) == 1 else ""
        shapes = [each and each.shape for each in arrays]
        own = "" if library == LIST else library
        yield Asked(own, "", operator, [*map(ast.unparse, pair)], shapes, {})


def computed(scope: Scope, node: ast.expr) -> Array | None:
    """Return the shape of an expression's result."""
    match node:
        case ast.Subscript(value=owner, slice=key):
            [shape], library = scope.known(owner)
            keys = key.elts if isinstance(key, ast.Tuple) else [key]
            return Array(_indexed(shape, [*map(scope.value, keys)]), library)
        case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=owner):
            return scope.array(owner)
        case ast.Attribute(value=owner, attr="T" | "data" as name):
            [shape], library = scope.known(owner)
            return Array(shape[::-1] if name == "T" else shape, library)
        case ast.Call() | ast.BinOp() | ast.Compare(ops=[_]):
            with suppress(*NOT_READ):
                for each in operations(scope, node):
                    return Array(each.result, each.library) if each.library else None
            return _of_call(scope, node) if isinstance(node, ast.Call) else None
    return None


def _of_call(scope: Scope, node: ast.Call) -> Array | None:
    """Return the shape that a method of an array returns, or a function that takes it first."""
    called, given = node.func, [*node.args]
    if not isinstance(called, ast.Attribute):
        return None
    module: Any = None
    with suppress(*NOT_READ):
        module = scope.value(called.value)
    name = contents(module)["__name__"] if type(module) is ModuleType else ""
    named = {str(each.arg): each.value for each in node.keywords if each.arg not in NO_MATTER}
    library = name.partition(".")[0]
    if library not in ARRAYS:
        given.insert(0, called.value)
    elif called.attr in _NEW and not named:
        sizes = [*map(scope.value, given)]
        return Array(tuple(map(integer, sizes[0] if type(sizes[0]) is tuple else sizes)), library)
    [shape], library = scope.known(given[0])
    way = _WAYS.get(f"{library}.{called.attr}") or _WAYS[called.attr]
    options = {_AS_IN_NUMPY.get(name, name): scope.value(each) for name, each in named.items()}
    return Array(way(shape, *map(scope.value, given[1:]), **options), library)


def _indexed(shape: Shape, keys: Sequence[object]) -> Shape:
    """Return the shape of a part; the keys are numbers, slices, None and at most one `...`."""
    kept: list[Any] = []
    rest = [*shape]
    skipped = len(shape) - sum(key is not None and key is not ... for key in keys)
    for key in keys:
        if key is None:
            kept.append(1)
        elif isinstance(key, EllipsisType):
            kept, rest = kept + rest[:skipped], rest[skipped:]
        elif type(key) is slice:
            kept.append(len(range(*key.indices(integer(rest.pop(0))))))
        else:
            range(integer(rest.pop(0)))[integer(key)]
    return (*kept, *rest)


def _axes(shape: Shape, axis: Any) -> Sequence[int]:
    """Return axes, counted from the start; all of them for None."""
    every = range(len(shape))
    given = every if axis is None else axis if type(axis) is tuple else (axis,)
    return [every[integer(each)] for each in given]


def _reduced(shape: Shape, axis: Any = None, *, keepdims: bool = False) -> Shape:
    gone = _axes(shape, axis)
    kept = [[1] * keepdims if place in gone else [size] for place, size in enumerate(shape)]
    return tuple(size for each in kept for size in each)


def _squeezed(shape: Shape, axis: Any = None) -> Shape:
    gone = _axes(shape, axis)
    return tuple(size for place, size in enumerate(shape) if size != 1 or place not in gone)


def _exchanged(shape: Shape, one: int, other: int) -> Shape:
    sizes = [*shape]
    sizes[one], sizes[other] = sizes[other], sizes[one]
    return tuple(sizes)


def _with_axis(shape: Shape, axis: int) -> Shape:
    place = range(len(shape) + 1)[axis]
    return (*shape[:place], 1, *shape[place:])


def _flattened(shape: Shape, start_dim: int = 0, end_dim: int = -1) -> Shape:
    first, last = _axes(shape, (start_dim, end_dim))
    return (*shape[:first], prod(map(integer, shape[first : last + 1])), *shape[last + 1 :])


def _same(shape: Shape, *given: Any, **named: Any) -> Shape:
    if {*named} & {"shape", "out", "ndmin"} or any(map(array, (*given, *named.values()))):
        raise TypeError
    return shape


_AS_IN_NUMPY = {"dim": "axis", "keepdim": "keepdims"}
_NAMES = dict(re.findall(r"^(\w+) = (.+)$", TABLE, re.MULTILINE))
_NEW = _NAMES["new"].split()
_WAYS: dict[str, Callable[..., Shape]] = {
    name: way
    for way in (_same, _reduced, _squeezed, _exchanged, _with_axis, _flattened)
    for name in _NAMES[way.__name__.lstrip("_")].split()
}
