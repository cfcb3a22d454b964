"""Small wrong changes of a module: one operator, constant, condition, argument or statement."""

import ast
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

SWAPPED: dict[type, type] = {
    one: other
    for first, second in (
        (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn),
        (ast.Is, ast.IsNot), (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv),
        (ast.BitOr, ast.BitAnd), (ast.Break, ast.Continue),
    )
    for one, other in ((first, second), (second, first))
}  # fmt: skip
NOT_READ = {"annotation", "returns", "decorator_list", "type_comment"}
NOT_CHANGED = (ast.Import, ast.ImportFrom, ast.Assert)
ONLY_TYPES = {"TypeVar", "cast", "NewType", "TYPE_CHECKING", "overload"}


class Change(NamedTuple):
    """A wrong change: the line it is on, what stands there, and what is to."""

    line: int
    old: ast.AST
    new: ast.AST

    def __str__(self) -> str:
        old, new = (ast.unparse(node).partition("\n")[0] for node in (self.old, self.new))
        return f"{self.line}: {old}  →  {new}"


def changes(tree: ast.Module) -> Iterator[Change]:
    """Yield each change of a module; until the next is asked for, the module has it."""
    for parent, field, index, node in list(places(tree)):
        for new in variants(node):
            inner = (each for each in ast.walk(node) if isinstance(each, ast.expr | ast.stmt))
            _put(parent, field, index, new)
            yield Change(next(inner).lineno, node, new)
            _put(parent, field, index, node)


def places(parent: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Yield each node that runs, with where it stands; docstrings and types are left out."""
    for field, value in ast.iter_fields(parent):
        if field in NOT_READ:
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or isinstance(node, NOT_CHANGED) or _is_type(node):
                continue
            if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
                yield parent, field, index, node
                yield from places(node)


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand wrongly in place of a node."""
    yield from _of_conditions(node)
    yield from _of_calls(node)
    match node:
        case ast.BinOp() | ast.AugAssign() if type(node.op) in SWAPPED:
            yield _with(node, op=SWAPPED[type(node.op)]())
        case ast.Constant(value=bool(value)):
            yield _with(node, value=not value)
        case ast.Constant(value=int(value) | float(value)):
            yield _with(node, value=value + 1)
        case ast.Constant(value=str(value)) if value:
            yield _with(node, value=f"XX{value}")
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value):
            if not isinstance(value, ast.Constant):
                yield _with(node, value=ast.Constant(None))
        case ast.Continue() | ast.Break():
            yield SWAPPED[type(node)]()
    if isinstance(node, ast.Expr | ast.AugAssign | ast.Raise | ast.Delete):
        yield ast.Pass()


def _of_conditions(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                yield _with(node, ops=[*ops[:at], SWAPPED[type(op)](), *ops[at + 1 :]])
        case ast.BoolOp():
            yield _with(node, op=SWAPPED[type(node.op)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.If() | ast.While() | ast.IfExp() if not isinstance(node.test, ast.UnaryOp):
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.comprehension(ifs=[_, *others]):
            yield _with(node, ifs=others)


def _of_calls(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call):
        for field in ("args", "keywords"):
            given = getattr(node, field)
            for at in range(len(given)):
                yield _with(node, **{field: given[:at] + given[at + 1 :]})


def _is_type(node: ast.AST) -> bool:
    """Tell whether a node is read by a checker of types alone."""
    named = getattr(node, "func", None) or getattr(node, "test", None)
    return isinstance(named, ast.Name) and named.id in ONLY_TYPES


def _with(node: ast.AST, **fields: object) -> ast.AST:
    new = copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node
