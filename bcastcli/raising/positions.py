"""The expression that a frame was at when it raised: from its source, or else from its bytecode."""

import ast
import dis
import linecache
import sys
import warnings
from ast import Add, BitAnd, BitOr, BitXor, Div, MatMult, Mod, Mult, Sub
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

MAX_LINES = 3_000
"""The most lines of a file that is read whole, for a lambda or the code of a module."""
_OF_ONE_SIGN = (Add, Sub, Mult, Div, MatMult, Mod, BitAnd, BitOr, BitXor)
_SIGNS: dict[str, type] = dict(zip("+-*/@%&|^", _OF_ONE_SIGN, strict=True))
_SIGNS |= {"**": ast.Pow, "//": ast.FloorDiv, "<<": ast.LShift, ">>": ast.RShift}
_NAMES = ("LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLASSDEREF")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR")
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Expression(NamedTuple):
    """A part of the source, and the nodes around it, the innermost first."""

    node: ast.AST
    around: Sequence[ast.AST]


@lru_cache(maxsize=64)
def instructions(code: CodeType) -> Sequence[dis.Instruction]:
    """Return the instructions of a code object."""
    return [*dis.get_instructions(code)]


def names_of(instruction: dis.Instruction) -> tuple[str, ...]:
    """Return the names of an instruction: from 3.13 on some have two."""
    name = instruction.argval
    return name if isinstance(name, tuple) else (str(name),)


def forget() -> None:
    """Forget the sources and the code that were read."""
    instructions.cache_clear()
    _parsed.cache_clear()


def _at(trace: TracebackType) -> dis.Instruction:
    """Return the instruction that raised."""
    own = instructions(trace.tb_frame.f_code)
    return [each for each in own if each.offset <= trace.tb_lasti][-1]


def _place(each: dis.Instruction) -> tuple[Any, Any, Any, Any]:
    """Return the first and last line of an instruction's source, and its first and last column."""
    return each.positions or (None,) * 4


def expression(trace: TracebackType) -> Expression | None:
    """Return the expression that raised; None without source, or if the source has changed."""
    first, last, start, end = _place(_at(trace))
    nodes = _nodes(trace.tb_frame) if end is not None else {}
    here: Any = [each for each in nodes.get((last, end), ()) if not isinstance(each.node, ast.Expr)]
    # A call of a method is placed at the line of the method's name.
    exact = [each for each in here if (each.node.lineno, each.node.col_offset) == (first, start)]
    calls = [each for each in here if isinstance(each.node, ast.Call) and each.node.lineno <= first]
    found = next(iter([*exact, *calls]), None)
    return found if found and _is_still(found.node, trace) else None


def _nodes(frame: FrameType) -> Mapping[tuple[int, int], list[Expression]]:
    """Return the nodes of a frame's function, or else of its whole file, by where they end."""
    code = frame.f_code
    lines = linecache.getlines(code.co_filename, frame.f_globals)
    if not lines and code.co_filename == "<string>" and "-c" in sys.orig_argv:  # before 3.13
        lines = sys.orig_argv[sys.orig_argv.index("-c") + 1].splitlines(keepends=True)
    if not code.co_name.startswith("<"):
        first = code.co_firstlineno
        last = max((each[1] or 0 for each in code.co_positions()), default=0)
        for more in range(4):  # closing brackets
            if found := _parsed("".join(lines[first - 1 : last + more]), first):
                return found
    return _parsed("".join(lines), 1) if len(lines) <= MAX_LINES else {}


@lru_cache(maxsize=16)
def _parsed(text: str, first: int) -> Mapping[tuple[int, int], list[Expression]]:
    """Return the nodes of a source, given the number of its first line; empty if it is invalid."""
    is_indented = text[:1].isspace()
    filters = warnings.filters
    # The compiler has warned before. Set in due form, filters would show other warnings again.
    warnings.filters = [("ignore", None, Warning, None, 0)]
    try:
        tree = ast.parse(f"if 1:\n{text}" if is_indented else text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    finally:
        warnings.filters = filters
    ast.increment_lineno(tree, first - 1 - is_indented)
    found: dict[tuple[int, int], list[Expression]] = {}
    waiting: list[Expression] = [Expression(tree, ())]
    for each in waiting:
        inner = (each.node, *each.around)
        waiting += (Expression(child, inner) for child in ast.iter_child_nodes(each.node))
        if place := getattr(each.node, "end_lineno", None):
            found.setdefault((place, each.node.end_col_offset), []).append(each)  # type: ignore[attr-defined]
    return found


def _is_still(node: ast.AST, trace: TracebackType) -> bool:
    """Whether a node was compiled to this code: its operator, and the names that are loaded."""
    at, operator = _at(trace), type(getattr(node, "op", None))
    if at.opname == "BINARY_OP" and _SIGNS.get(at.argrepr.rstrip("="), type(None)) != operator:
        return False
    every = _names(node, into_scopes=True)
    private = [each for each in every if each.startswith("__") and not each.endswith("__")]
    of_code = set()
    for step in _loads(trace, is_whole=True):
        for name in names_of(step):
            mangled = [each for each in private if name.endswith(each)]
            of_code.add(mangled[0] if mangled else name)
    is_rewritten = any(each.startswith("@py") for each in of_code)  # by pytest
    own = {each for each in of_code if not each.startswith("__bcastcli_")}
    # From 3.13 on an instruction for two names is placed where the first of them is.
    paired = {
        name
        for step in instructions(trace.tb_frame.f_code)
        if isinstance(step.argval, tuple) and "FAST_" in step.opname
        for name in names_of(step)
    }
    is_of_source = own - paired <= every or is_rewritten
    is_exact = _place(at)[:1] + _place(at)[2:3] == (node.lineno, node.col_offset)  # type: ignore[attr-defined]
    is_whole = _names(node, into_scopes=False) <= of_code | paired
    return is_of_source and (is_whole or not is_exact)


def _names(node: ast.AST, *, into_scopes: bool) -> set[str]:
    """The names and attributes that a part of the source loads."""
    found = set()
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
    if isinstance(getattr(node, "ctx", None), ast.Load):
        found |= {getattr(node, "id", ""), getattr(node, "attr", "")} - {""}
    for child in ast.iter_child_nodes(node):
        if into_scopes or not isinstance(child, _SCOPES):
            found |= _names(child, into_scopes=into_scopes)
    return found


def _loads(trace: TracebackType, *, is_whole: bool = False) -> Iterator[dis.Instruction]:
    """The instructions that loaded a name or an attribute within the place that raised.

    With `is_whole` those that would have followed are among them.
    """
    at = _at(trace)
    first, last, start, end = _place(at)
    top, bottom = (first or trace.tb_lineno, start or 0), (last or trace.tb_lineno, end or 9**9)
    for each in instructions(trace.tb_frame.f_code):
        line, to, left, right = _place(each)
        is_meant = each.opname.startswith((*_NAMES, *_ATTRIBUTES)) and line is not None
        if not is_meant or (each.offset >= at.offset and not is_whole):
            continue
        if top <= (line, left or 0) and (to or line, right or 0) <= bottom:
            yield each


def loaded(trace: TracebackType) -> list[ast.expr]:
    """The names and attributes that were loaded within the place that raised."""
    found: list[ast.expr] = []
    for each in _loads(trace):
        names = [name for name in names_of(each) if not name.startswith("__bcastcli_")]
        if each.opname.startswith(_NAMES):
            found += map(ast.Name, names)
        elif found:
            found[-1] = ast.Attribute(found[-1], each.argval)
    return found
