"""The expression that a frame was at when it raised: from its source, or else from its bytecode."""

import ast
import dis
import inspect
import linecache
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType, FrameType, TracebackType

MAX_LINES = 3_000
"""The most lines of a file that is read whole, for a lambda or the code of a module."""
_NAMES = ("LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLASSDEREF")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR")
_HELPER, _OF_PYTEST = "__bcastcli_", "@py"
"""How the names start that a rewritten program has more than its source."""


@lru_cache(maxsize=64)
def instructions(code: CodeType) -> Sequence[dis.Instruction]:
    """The instructions of a code object."""
    return list(dis.get_instructions(code))


def names_of(instruction: dis.Instruction) -> tuple[str, ...]:
    """The names of an instruction: from 3.13 on some have two."""
    name = instruction.argval
    return name if isinstance(name, tuple) else (str(name),)


def forget() -> None:
    """Forget the sources and the code that were read."""
    instructions.cache_clear()
    _parents.cache_clear()


def expression(trace: TracebackType) -> Sequence[ast.AST]:
    """The expression that raised, and the nodes around it, the innermost first.

    Empty without source, or if the source has changed.
    """
    at = _at(trace).positions
    if at is None or at.lineno is None:
        return []
    parents = _parents(_source(trace.tb_frame), _first_line(trace.tb_frame.f_code))
    # A call of a method is placed at the line of the method's name.
    last = (at.end_lineno, at.end_col_offset)
    ended = [each for each in parents if not isinstance(each, ast.Expr) and _place(each)[1] == last]
    calls = [each for each in ended if isinstance(each, ast.Call) and each.lineno <= at.lineno]
    exact = [each for each in ended if _place(each)[0] == (at.lineno, at.col_offset)]
    nodes = [*exact, *calls][:1]
    if not nodes or not _is_still(nodes[0], trace):
        return []
    while (outer := parents[nodes[-1]]) is not None:
        nodes.append(outer)
    return nodes


def _at(trace: TracebackType) -> dis.Instruction:
    """The instruction that raised."""
    every = instructions(trace.tb_frame.f_code)
    return [each for each in every if each.offset <= trace.tb_lasti][-1]


def _place(node: ast.AST) -> Sequence[tuple[int | None, int | None]]:
    """The first line and column of a node, and its last."""
    pairs = (("lineno", "col_offset"), ("end_lineno", "end_col_offset"))
    return [(getattr(node, line, None), getattr(node, column, None)) for line, column in pairs]


def _first_line(code: CodeType) -> int:
    """The line where the source of a function starts; a lambda is looked for in the whole file."""
    return 1 if code.co_name.startswith("<") else code.co_firstlineno


def _source(frame: FrameType) -> str:
    """The source of a frame's function, or else of its whole file; empty if that is too long."""
    code = frame.f_code
    lines = linecache.getlines(code.co_filename, frame.f_globals)
    first = _first_line(code)
    if first > 1:
        lines = inspect.getblock(lines[first - 1 :])
    return "".join(lines) if len(lines) <= MAX_LINES else ""


@lru_cache(maxsize=16)
def _parents(text: str, first: int) -> Mapping[ast.AST, ast.AST | None]:
    """The nodes of a source, each with the one around it, the outer ones first.

    `first` is the number of its first line. There are none if the source is invalid.
    """
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
    parents: dict[ast.AST, ast.AST | None] = {tree: None}
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            parents[child] = node
    return parents


def _is_still(node: ast.AST, trace: TracebackType) -> bool:
    """Whether a node has the names and the operator of the code within the place that raised."""
    at = _at(trace)
    symbol = at.argrepr.removeprefix("bool(").rstrip(")")  # of 3.13 and later
    has_one = isinstance(node, ast.BinOp | ast.AugAssign | ast.Compare)
    is_one = at.opname in ("BINARY_OP", "COMPARE_OP")
    if has_one and is_one and f" {symbol} " not in ast.unparse(node):
        return False
    of_source = {getattr(each, "id", getattr(each, "attr", "")) for each in ast.walk(node)}
    for name, _ in _loads(trace):
        if name.startswith(_OF_PYTEST):
            return True
        if of_source.isdisjoint((name, name[name.find("__") :])):  # it may be a private one
            return False
    return True


def _loads(trace: TracebackType) -> Iterator[tuple[str, bool]]:
    """The names that were loaded within the place that raised, and whether it is an attribute."""
    at = _at(trace)
    place = at.positions or dis.Positions()
    top = trace.tb_lineno, place.col_offset or 0
    bottom = place.end_lineno or trace.tb_lineno, place.end_col_offset or sys.maxsize
    for each in instructions(trace.tb_frame.f_code):
        own = each.positions
        if each.offset >= at.offset or own is None or own.lineno is None:
            continue
        start = own.lineno, own.col_offset or 0
        end = own.end_lineno or own.lineno, own.end_col_offset or 0
        if each.opname.startswith((*_NAMES, *_ATTRIBUTES)) and top <= start and end <= bottom:
            names = [name for name in names_of(each) if not name.startswith(_HELPER)]
            yield from ((name, each.opname.startswith(_ATTRIBUTES)) for name in names)


def loaded(trace: TracebackType) -> list[ast.expr]:
    """The names and attributes that were loaded within the place that raised."""
    found: list[ast.expr] = []
    for name, is_attribute in _loads(trace):
        if not is_attribute:
            found.append(ast.Name(name))
        elif found:
            found[-1] = ast.Attribute(found[-1], name)
    return found
