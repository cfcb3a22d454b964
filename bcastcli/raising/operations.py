"""Rewrites the operators and calls of a program so that their operands are looked at.

Each operator stays where it is, and runs in the program's own frame: `a - b` becomes
`sub(*watch(a, b, 7))`, with the function of the module `operator`. Numbers are told apart first,
since loops over them are the ones that would take longer.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bcastcli.raising.trees import DEFINITIONS, Imports, are_numbers, helper, place_of, placed
from bcastcli.raising.watching import Site, sites

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FUNCTIONS = "add sub mul truediv floordiv mod pow and_ or_ xor eq ne lt le gt ge"
_OPERATORS = dict(zip((*_ARITHMETIC, *_BITWISE, *_COMPARISONS), _FUNCTIONS.split(), strict=True))
"""The function of the module `operator` for each operator."""
_NO_ARRAYS = (
    *(ast.Constant, ast.JoinedStr, ast.Lambda, ast.Dict, ast.DictComp, ast.Set, ast.SetComp),
    *(ast.List, ast.ListComp, ast.Tuple, ast.GeneratorExp),
)
_TABLE = Path(__file__).with_suffix(".txt").read_text("utf-8")
_NAMES = {
    kind: {*names.split()} for kind, names in re.findall(r"^(\w+) = (.+)$", _TABLE, re.MULTILINE)
}
"""The names that decide what is looked at."""
_MOST_REPEATED = 14
"""The most nodes of an operand that is written twice, for numbers and for others."""
_LOSS = re.compile(r"loss|crit|mse|mae|l1|l2|huber|metric|error|score|dist", re.IGNORECASE)


class Operations(ast.NodeTransformer):
    """Rewrites the operators and calls of one file."""

    def __init__(self, file: str, tree: ast.Module, left_alone: set[ast.AST]) -> None:
        self._file, self._left_alone = file, left_alone
        self._functions: list[str] = []
        self._written = set(_written_lines(tree))
        self._imports = Imports(tree)
        self._own = {each.name for each in ast.walk(tree) if isinstance(each, DEFINITIONS)}

    def visit(self, node: ast.AST) -> Any:
        """The node in place of this one."""
        if node in self._left_alone:
            return node
        if not isinstance(node, DEFINITIONS):
            return super().visit(node)
        self._functions.append(node.name)
        node.body = [self.visit(each) for each in node.body]  # not its annotations and decorators
        self._functions.pop()
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """An assignment, whose annotation stays."""
        node.value = node.value and self.visit(node.value)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """A case, whose pattern stays."""
        node.guard = node.guard and self.visit(node.guard)
        node.body = [self.visit(each) for each in node.body]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """An operator."""
        return self._watched(node, node.op)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A comparison of two values."""
        if len(node.ops) != 1:
            return self.generic_visit(node)
        return self._watched(node, node.ops[0])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """An assignment such as `+=` to a name; attributes and items would be evaluated twice."""
        target = node.target
        if not isinstance(target, ast.Name) or not self._is_watched(node, node.op, [node.value]):
            return self.generic_visit(node)
        left = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        is_small = _count(node.value) <= _MOST_REPEATED
        right = self.visit(node.value)
        call = self._call_of_watch(node, left, right, is_in_place=True)
        watched: ast.expr = ast.Subscript(call, ast.Constant(1), ast.Load())
        if is_small:
            watched = ast.IfExp(are_numbers([left]), right, watched)
        node.value = placed(watched, node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call that may be one of an array's functions, of two arrays or more."""
        if not self._is_call_of_arrays(node):
            return self.generic_visit(node)
        site = self._site(node)
        self.generic_visit(node)
        arguments = [ast.Constant(site), node.func, *node.args]
        ready = placed(ast.Call(helper("called"), arguments, node.keywords), node)
        return placed(ast.Call(ready, [], []), node)

    def _is_watched(self, node: ast.AST, operator: ast.AST, operands: Sequence[ast.expr]) -> bool:
        is_known = type(operator) in _OPERATORS and not self._is_written(node)
        return is_known and all(map(_may_be_array, operands))

    def _is_written(self, node: ast.AST) -> bool:
        first, _, last, _ = place_of(node)
        return not self._written.isdisjoint(range(first, last + 1))

    def _watched(self, node: ast.BinOp | ast.Compare, operator: ast.AST) -> ast.AST:
        """An operator whose operands are looked at, unless the left one is made of numbers."""
        left, right = node.left, _right(node)
        if not self._is_watched(node, operator, [left, right]):
            return self.generic_visit(node)
        is_small = _count(right) <= _MOST_REPEATED
        self.generic_visit(node)
        pair = ast.Starred(self._call_of_watch(node, node.left, _right(node)), ast.Load())
        watched = placed(ast.Call(helper(_OPERATORS[type(operator)]), [pair], []), node)
        leaves = _leaves(left)
        if not leaves or not is_small:
            return watched
        node.left = left
        return placed(ast.IfExp(are_numbers(leaves), node, watched), node)

    def _call_of_watch(
        self, node: ast.AST, left: ast.expr, right: ast.expr, *, is_in_place: bool = False
    ) -> ast.expr:
        site = self._site(node, is_in_place=is_in_place)
        return placed(ast.Call(helper("watch"), [left, right, ast.Constant(site)], []), node)

    def _site(self, node: ast.AST, *, is_in_place: bool = False) -> int:
        place = place_of(node)
        function = ".".join(self._functions)
        sites.append(Site(self._file, place[0], function, place, (), is_in_place))
        return len(sites) - 1

    def _is_call_of_arrays(self, node: ast.Call) -> bool:
        given = [*node.args, *(each.value for each in node.keywords)]
        has_stars = any(isinstance(each, ast.Starred) for each in node.args)
        if has_stars or any(each.arg is None for each in node.keywords) or self._is_written(node):
            return False
        count = sum(map(_may_be_array, given))
        called = node.func
        if isinstance(called, ast.Attribute) and not self._imports.full_name(called.value):
            is_known = called.attr in _NAMES["methods"] or (count > 1 and _LOSS.search(called.attr))
            return bool(is_known) and count > 0
        if count < 2:
            return False
        module = self._imports.full_name(called)
        if module:
            name = module.rpartition(".")[2]
            return (
                module.partition(".")[0] in _NAMES["libraries"] and name not in _NAMES["products"]
            )
        if isinstance(called, ast.Name):
            return called.id not in self._own and bool(_LOSS.search(called.id))
        return isinstance(called, ast.Call)  # such as MSELoss()(x, y)


def _written_lines(tree: ast.AST) -> Iterator[int]:
    """The lines that say themselves that an axis is added."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=name):
                if name in _NAMES["written"] and not _is_false(node):
                    yield node.end_lineno or 0
            case ast.Subscript(slice=key):
                parts = key.elts if isinstance(key, ast.Tuple) else [key]
                if any(isinstance(each, ast.Constant) and each.value is None for each in parts):
                    yield node.end_lineno or 0


def _is_false(node: ast.AST) -> bool:
    value = getattr(node, "value", None)
    return isinstance(node, ast.keyword) and isinstance(value, ast.Constant) and not value.value


def _may_be_array(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and _may_be_array(node.operand)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id not in _NAMES["numbers"]
    return not isinstance(node, _NO_ARRAYS)


def _leaves(node: ast.expr) -> list[ast.Name]:
    """The names of which an operand is computed by arithmetic alone; none if there are others."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node]
    names = [each for each in parts if isinstance(each, ast.Name)]
    has_others = any(not isinstance(each, ast.Name | ast.Constant) for each in parts)
    return [] if has_others else names


def _right(node: ast.BinOp | ast.Compare) -> ast.expr:
    return node.right if isinstance(node, ast.BinOp) else node.comparators[0]


def _count(node: ast.AST) -> int:
    return sum(isinstance(each, ast.expr) for each in ast.walk(node))
