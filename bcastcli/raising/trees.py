"""Parts of syntax trees, and the names by which a program is rewritten."""

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_TABLE = Path(__file__).with_name("rewriting.txt").read_text("utf-8")
NAMES = {kind: {*names.split()} for kind, names in re.findall(r"(?m)^(\w+) = (.+)$", _TABLE)}
"""The names that decide what is looked at."""
_Node = TypeVar("_Node", bound=ast.AST)


def helper(name: str) -> ast.expr:
    """What `workers.helpers` gives, as a program finds it."""
    return ast.Name(f"__bcastcli_{name}__", ast.Load())


def are_numbers(names: Sequence[ast.expr]) -> ast.expr:
    """The question whether names have numbers: by their classes, with no call of the program's."""
    tests: list[ast.expr] = []
    for name in names:
        own = ast.Call(helper("type"), [name], [])
        kinds = [ast.Compare(own, [ast.Is()], [helper(kind)]) for kind in ("float", "int")]
        tests.append(ast.BoolOp(ast.Or(), [*kinds]))
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def placed(node: _Node, old: ast.AST) -> _Node:
    """A new node at the place of an old one, as are its parts that have none."""
    return ast.fix_missing_locations(ast.copy_location(node, old))


class Imports:
    """What the names mean that a file imports."""

    def __init__(self, tree: ast.AST) -> None:
        self._names: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for each in node.names:
                    name = each.name if each.asname else each.name.partition(".")[0]
                    self._names[each.asname or name] = name
            elif isinstance(node, ast.ImportFrom) and not node.level:
                for each in node.names:
                    self._names[each.asname or each.name] = f"{node.module}.{each.name}"

    def full_name(self, node: ast.AST) -> str:
        """The name of an imported module, or of what it has; empty for other expressions."""
        if isinstance(node, ast.Attribute):
            owner = self.full_name(node.value)
            return owner and f"{owner}.{node.attr}"
        return self._names.get(node.id, "") if isinstance(node, ast.Name) else ""
