"""The values and shapes of expressions in a frame, without calling any code of the program."""

import ast
from collections import ChainMap
from collections.abc import Sequence
from operator import add, floordiv, mul, sub
from types import FrameType
from typing import Any

from bcastcli.raising.changes import ITEMS
from bcastcli.raising.values import NUMBERS, Array, array, attribute, integer, is_one_of, item

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_INLINED = (ast.ListComp, ast.SetComp, ast.DictComp)
_INTEGERS: dict[type, Any] = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.FloorDiv: floordiv}


class Scope:
    """The names of a frame as they were when it raised."""

    def __init__(self, frame: FrameType, nodes: Sequence[ast.AST], changed: set[str]) -> None:
        """Take the expression and what is around it, and the names that may have changed."""
        self._names = ChainMap(frame.f_locals, frame.f_globals, frame.f_builtins)
        self._gone, self.has_items = {*changed}, ITEMS not in changed
        """Whether lists and the like hold what they held when it raised."""
        self._owner = frame.f_code.co_qualname.split(".")[:-1]
        self.iterables: list[ast.expr] = []
        """The iterables of comprehensions whose own names are gone."""
        inside = [part for node in nodes[:1] for part in ast.walk(node)]
        self._rebound = {each.target.id for each in inside if isinstance(each, ast.NamedExpr)}
        """The names that the expression binds: before `x := y`, x had another value."""
        for node in nodes:
            if isinstance(node, _SCOPES):
                break
            # From 3.12 on they have no frame of their own.
            if isinstance(node, _INLINED) and not frame.f_code.co_name.endswith("comp>"):
                parts = [part for each in node.generators for part in ast.walk(each.target)]
                self._gone |= {part.id for part in parts if isinstance(part, ast.Name)}
                self.iterables += [each.iter for each in node.generators]

    def value(self, node: Any) -> Any:  # noqa: C901, PLR0911, PLR0912  # a case for each kind
        """The value of an expression; one of NOT_READ is raised where that takes a call."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name not in self._gone | self._rebound:
                return self._names[name]
            case ast.Attribute(value=owner, attr="shape"):
                return self._shape(owner)
            case ast.Attribute(value=owner, attr=name) if f".{name}" not in self._gone:
                if name.startswith("__") and not name.endswith("__") and self._owner:
                    name = f"_{self._owner[-1].lstrip('_')}{name}"
                return attribute(self.value(owner), name)
            case ast.Subscript(value=owner, slice=key) if self.has_items:
                return item(self.value(owner), self.value(key))
            case ast.Slice(lower=lower, upper=upper, step=step):
                return slice(*(each and self._integer(each) for each in (lower, upper, step)))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._integer(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return _INTEGERS[type(op)](self._integer(left), self._integer(right))
            case ast.NamedExpr(target=ast.Name(id=name)) if name not in self._gone:
                return self._names[name]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple(map(self.value, parts))
            case ast.Call(func=ast.Attribute(value=owner, attr="size"), args=given):
                shape = self._shape(owner)
                return shape[self._integer(given[0])] if given else shape
            case ast.Call(func=ast.Name(id="len"), args=[whole]):
                return self._shape(whole)[0]
        raise LookupError

    def _integer(self, node: ast.expr) -> int:
        return integer(self.value(node))

    def _shape(self, node: ast.expr) -> Any:
        found: Any = self.array(node)
        return found.shape  # for None, raises one of NOT_READ

    def array(self, node: ast.expr) -> Array | None:
        """The array that an expression is; one of NOT_READ is raised where that takes a call."""
        value = self.value(node)
        return Array(()) if is_one_of(type(value), NUMBERS) else array(value)
