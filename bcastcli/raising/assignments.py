"""Rewrites the assignments of a program so that the shapes of its values are remembered.

`x = f(y)` becomes `x = seen(f(y), 7)`. Parameters, the variables of loops and those of
`with` are looked at by a statement of their own, on the line of the statement that follows.
"""

import ast
from collections.abc import Sequence
from typing import Any

from bcastcli.raising.trees import after_docstring, are_numbers, helper, place_of, placed
from bcastcli.raising.watching import Site, sites

_NEVER = (ast.Constant, ast.JoinedStr, ast.Lambda, ast.Dict, ast.Set, ast.DictComp, ast.SetComp)


class Assignments(ast.NodeTransformer):
    """Rewrites the assignments of one file."""

    def __init__(self, file: str, left_alone: set[ast.AST]) -> None:
        self._file, self._left_alone = file, left_alone
        self._functions: list[str] = []

    def visit(self, node: ast.AST) -> Any:
        """The node in place of this one."""
        return node if node in self._left_alone else super().visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class: its own values are left alone, which others may read."""
        self._functions.append(node.name)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        node.body = [self.visit(each) if isinstance(each, kinds) else each for each in node.body]
        self._functions.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        """A function, whose parameters are looked at first."""
        self._functions.append(node.name)
        given = node.args
        rest = [each for each in (given.vararg, given.kwarg) if each]
        parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]
        names = [each.arg for each in parameters if each.arg not in ("self", "cls")]
        self.generic_visit(node)
        self._look_at(names, node, node.body, after_docstring(node.body))
        self._functions.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """A lambda, which has no line of its own."""
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """An assignment; that to a name is looked at when it is done."""
        names = _names(node.targets[0]) if len(node.targets) == 1 else []
        if len(names) == 1 and not isinstance(node.value, _NEVER):
            return self._and_look(node, names)
        return self._with_value(node, names)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """An assignment with an annotation."""
        return self._with_value(node, _names(node.target)) if node.value else node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """What a function returns."""
        return self._with_value(node, []) if node.value else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        """An assignment such as `+=`, which is looked at when it is done."""
        return self._and_look(node, _names(node.target))

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        """A loop: its variables in each round."""
        self.generic_visit(node)
        self._look_at(_names(node.target), node.target, node.body, 0)
        return node

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_With(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        """What `with` binds."""
        self.generic_visit(node)
        targets = [each.optional_vars for each in node.items if each.optional_vars]
        names = [name for each in targets for name in _names(each)]
        if names:
            self._look_at(names, targets[-1], node.body, 0)
        return node

    visit_AsyncWith = visit_With  # noqa: N815

    def _and_look(self, node: ast.stmt, names: Sequence[str]) -> list[ast.stmt]:
        done = [node]
        self._look_at(names, node, done, 1)
        return done

    def _with_value(
        self, node: ast.Assign | ast.AnnAssign | ast.Return, names: Sequence[str]
    ) -> ast.AST:
        """A statement whose value is looked at."""
        value = node.value
        if value is None or isinstance(value, _NEVER):
            return node
        site = self._site(node.end_lineno or node.lineno, node, names)
        node.value = placed(ast.Call(helper("seen"), [value, ast.Constant(site)], []), value)
        return node

    def _look_at(
        self, names: Sequence[str], node: ast.AST, body: list[ast.stmt], place: int
    ) -> None:
        """Insert a statement that looks at names, on the line of the one before which it is."""
        if not names or not body:
            return
        line = _last_line_of_head(node)
        site = self._site(line, node, names)
        values: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
        each = values[0] if len(values) == 1 else ast.Tuple(values, ast.Load())
        seen: ast.expr = ast.Call(helper("seen"), [each, ast.Constant(site)], [])
        if len(names) == 1:
            seen = ast.BoolOp(ast.Or(), [are_numbers([ast.Name(names[0], ast.Load())]), seen])
        looks = ast.Expr(seen)
        body.insert(place, placed(looks, body[min(place, len(body) - 1)]))

    def _site(self, line: int, node: ast.AST, names: Sequence[str]) -> int:
        function = ".".join(self._functions)
        sites.append(Site(self._file, line, place_of(node), function, tuple(names)))
        return len(sites) - 1


def _names(target: ast.expr) -> list[str]:
    """The names that a target binds; none if it binds other things too."""
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    names = [each.id for each in parts if isinstance(each, ast.Name)]
    return names if len(names) == len(parts) else []


def _last_line_of_head(node: ast.AST) -> int:
    """The line of a statement's head, before its block."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = [each for each in ast.walk(node.args) if isinstance(each, ast.arg | ast.expr)]
        return max([node.lineno, *(each.end_lineno or 0 for each in arguments)])
    return getattr(node, "end_lineno", 0) or 0
