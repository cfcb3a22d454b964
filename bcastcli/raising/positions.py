"""The expression that a frame was at when it raised: from its source, or else from its bytecode."""

import ast
import dis
import linecache
import sys
import warnings
from ast import Add, BitAnd, BitOr, BitXor, Div, MatMult, Mod, Mult, Sub
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

MAX_LINES = 3_000
"""The most lines of a file that is read whole, for a lambda or the code of a module."""
_OF_ONE_SIGN = (Add, Sub, Mult, Div, MatMult, Mod, BitAnd, BitOr, BitXor)
_SIGNS: dict[str, type] = dict(zip("+-*/@%&|^", _OF_ONE_SIGN, strict=True))
_SIGNS |= {"**": ast.Pow, "//": ast.FloorDiv, "<<": ast.LShift, ">>": ast.RShift}
_NAMES = ("LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLASSDEREF")


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
    """Return whether a node was compiled to this code: its operator and names are in it."""
    at, operator = _at(trace), type(getattr(node, "op", None))
    if at.opname == "BINARY_OP" and _SIGNS.get(at.argrepr.rstrip("="), type(None)) != operator:
        return False
    known = _names_in(trace.tb_frame.f_code)
    return all(each.id in known for each in ast.walk(node) if isinstance(each, ast.Name))


def _names_in(code: CodeType) -> set[str]:
    own = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return own.union(*(_names_in(each) for each in code.co_consts if isinstance(each, CodeType)))


def loaded(trace: TracebackType) -> list[ast.expr]:
    """Return the names and attributes that were loaded within the place that raised."""
    at = _at(trace)
    first, last, start, end = _place(at)
    top, bottom = (first or trace.tb_lineno, start or 0), (last or trace.tb_lineno, end or 9**9)
    found: list[ast.expr] = []
    for each in instructions(trace.tb_frame.f_code):
        line, to, left, right = _place(each)
        is_before = line is not None and each.offset < at.offset
        if is_before and top <= (line, left or 0) and (to or line, right or 0) <= bottom:
            if each.opname.startswith(_NAMES):
                found += map(ast.Name, names_of(each))
            elif each.opname in ("LOAD_ATTR", "LOAD_METHOD") and found:
                found[-1] = ast.Attribute(found[-1], each.argval)
    return found
