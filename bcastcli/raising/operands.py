"""The operands of the expression that a frame was at, with their shapes."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import NamedTuple

from bcastcli.raising.evaluation import Scope
from bcastcli.raising.functions import Operation, array_of, operations
from bcastcli.raising.positions import expression, loaded
from bcastcli.raising.values import NOT_READ, Array, arrays, parameters

_MAX_OPERANDS, _MAX_PARAMETERS, _MAX_DEPTH = 12, 4, 3
_HOLDERS = (ast.List, ast.Tuple, ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.BoolOp)
_COMPUTED = (ast.Call, ast.BinOp, ast.Compare, ast.Subscript, ast.IfExp, ast.Await)
"""Expressions whose value was only on the stack, and is shown as unknown."""
_ABOUT = ("shape", "size", "ndim", "dtype")


class Operands(NamedTuple):
    """The state of a frame when it raised."""

    trace: TracebackType
    node: ast.AST | None
    arrays: Mapping[str, Array | None]
    """The operands, as Python writes them; None where the shape is unknown."""
    parts: Collection[str]
    """The names of arrays inside the operands whose shapes are unknown."""
    operations: Collection[Operation]
    """What the operands are for: a known call, an operator, or each two of a comparison."""
    checked: Collection[str] = ()
    """The operands that a library was handed and refused itself."""

    @property
    def is_operation(self) -> bool:
        """Whether it raised itself: an operator, a known function, or one that has no frame."""
        return self.is_operator or self.trace.tb_next is None

    @property
    def is_operator(self) -> bool:
        """Whether it is known what the operands are for: by an operator or a known function."""
        return isinstance(self.node, ast.Subscript | ast.UnaryOp) or bool(self.operations)

    @property
    def known(self) -> dict[str, Array]:
        """Those whose shapes are known."""
        return {name: each for name, each in self.arrays.items() if each is not None}

    @property
    def objects(self) -> dict[str, int]:
        """The ids of those that are stored."""
        return {name: each.key for name, each in self.known.items() if each.key}

    @property
    def text(self) -> str:
        """The expression; empty without its source."""
        return " ".join(ast.unparse(self.node).split()) if self.node else ""


def operands(trace: TracebackType, changed: set[str]) -> Operands:
    """The operands of the expression that a frame was at."""
    nodes = expression(trace)
    node = nodes[0] if nodes else None
    scope = Scope(trace.tb_frame, nodes, changed)
    shown = _Shown(scope)
    for part in [*(_parts(nodes) if nodes else loaded(trace)), *scope.iterables]:
        shown.add(part, int(isinstance(node, ast.Raise | ast.Assert)))
    if isinstance(node, ast.Call):
        shown.add_parameters(node.func)
    is_stored = isinstance(getattr(node, "ctx", None), ast.Store)
    whole = nodes[1] if is_stored else node
    shapes = dict([*shown.arrays.items()][:_MAX_OPERANDS])
    return Operands(trace, whole, shapes, shown.parts, [*operations(scope, whole)])


class _Shown:
    """The operands so far."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.arrays: dict[str, Array | None] = {}
        self.parts: set[str] = set()

    def add(self, node: ast.expr, depth: int) -> None:
        """Add an expression: its array or the arrays that it holds, or else those of its parts."""
        is_compared = depth and isinstance(node, ast.Compare)
        if is_compared or isinstance(node, _HOLDERS) or getattr(node, "attr", "") in _ABOUT:
            self._add_inside(node, depth)
            return
        name = ast.unparse(node)
        if isinstance(node, ast.Constant) or name in self.arrays:
            return
        found: dict[str, Array] = {}
        is_read = False
        with suppress(*NOT_READ):
            found = dict(arrays(name, self._scope.value(node), 2 * self._scope.has_items))
            is_read = True
        if not is_read and (own := array_of(self._scope, node)) and own.shape:
            found = {name: own}
        self.parts |= found.keys() - self.arrays.keys() if depth else set()
        self.arrays |= found
        if found and not depth:
            return
        is_stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if not (depth or is_read or is_stored) and isinstance(node, _COMPUTED):
            self.arrays[name] = None
        if depth < _MAX_DEPTH:
            self._add_inside(node, depth + 1)

    def _add_inside(self, node: ast.expr, depth: int) -> None:
        for each in _inside(node):
            self.add(each, depth)

    def add_parameters(self, called: ast.expr) -> None:
        """Add the parameters of a module of PyTorch that was called, or whose method was."""
        for node in (called, getattr(called, "value", called)):
            with suppress(*NOT_READ):
                own = [*parameters(self._scope.value(node))][:_MAX_PARAMETERS]
                self.arrays |= {f"{ast.unparse(node)}.{name}": each for name, each in own}


def _parts(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """The operands of an expression, in their order."""
    node, *around = nodes
    match node, around[0]:
        case (ast.AugAssign(target=target, value=value), _) | (
            (ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store())) as target,
            ast.Assign(value=value) | ast.AugAssign(value=value),
        ):
            yield from (target, value)
        case (ast.Assert(test=part), _) | (ast.Tuple(ctx=ast.Store()), ast.Assign(value=part)):
            yield part
        case ast.Raise(exc=error), _:
            tests = [each.test for each in around if isinstance(each, ast.If)]
            yield from filter(None, [error, *tests[:1]])
        case ((ast.BinOp() | ast.Compare() | ast.Call() | ast.Subscript() | ast.UnaryOp()), _):
            yield from _inside(node)
        case ast.expr() as whole, _:
            yield whole


def _inside(node: ast.AST) -> Iterator[ast.expr]:
    """The parts of an expression."""
    match node:
        case ast.Lambda() | ast.DictComp():
            return
        case ast.ListComp(generators=parts) | ast.GeneratorExp(generators=parts):
            yield parts[0].iter
        case ast.Call(func=called, args=given, keywords=named):
            owner = [called.value] if isinstance(called, ast.Attribute) else []
            yield from (*owner, *given, *(each.value for each in named))
        case _:
            yield from (each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))
