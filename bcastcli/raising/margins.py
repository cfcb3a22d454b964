"""The source of a program with the shapes of its values in the margin: `bcastcli run --shapes`."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from bcastcli.core.shapes import written
from bcastcli.raising import watching
from bcastcli.raising.naming import Where, place, shown_file
from bcastcli.raising.rewriting import sources
from bcastcli.raising.trees import DEFINITIONS
from bcastcli.raising.watching import MOST_SHAPES, Part, Site

_WIDEST = 62
"""The column of margins, unless all lines are shorter; those of longer lines are beside them."""


_Shapes = Mapping[tuple[Part | None, ...], list[int]]


class Stop(NamedTuple):
    """Where a program failed, and with what."""

    file: str
    line: int
    error: str


class _Unit(NamedTuple):
    """Lines of a file: a function, or a statement outside of all functions."""

    first: int
    last: int
    function: str


def of_functions(stop: Stop | None = None) -> str:
    """The source of each function that saw an array, with its shapes, up to where one failed."""
    found = []
    for file, margins in _margins().items():
        margins |= {stop.line: stop.error} if stop and stop.file == file else {}
        lines = sources[file].splitlines()
        outer: list[str] = []
        done = 0
        for unit in _units(file):
            last = unit.last
            if stop and stop.file == file and unit.first <= stop.line <= unit.last:
                last = stop.line
            own = range(max(unit.first, done + 1), last + 1)
            done = last
            if not own or margins.keys().isdisjoint(own):
                continue
            text = _with_margins([(lines[number - 1], margins.get(number, "")) for number in own])
            if unit.function:
                found.append(f"{place(Where(file, unit.first, unit.function, ''))}\n{text}")
            else:
                outer.append(text)
        if outer:
            found.append(f"{shown_file(file)}\n{''.join(outer)}")
    return "\n".join(found)


def of_files() -> str:
    """The files that saw an array, whole, with their shapes; a comment names each of several."""
    found = []
    for file, margins in _margins().items():
        lines = enumerate(sources[file].splitlines(), 1)
        text = _with_margins([(line, margins.get(number, "")) for number, line in lines])
        found.append((file, text))
    if len(found) == 1:
        return found[0][1]
    return "\n".join(f"# {shown_file(file)}\n{text}" for file, text in found)


def records() -> list[Mapping[str, object]]:
    """An object for each place that saw an array."""
    found: list[Mapping[str, object]] = []
    for number in sorted(watching.margins):
        site, shapes = watching.sites[number], watching.margins[number]
        where = {"file": site.file, "line": site.line, "function": site.function}
        seen = [[part and part[0] for part in parts] for parts in list(shapes)[:MOST_SHAPES]]
        own = {
            "names": site.names,
            "shapes": seen,
            "times": sum(count for [count] in shapes.values()),
        }
        found.append({"command": "run", "where": where, **own})
    return found


def _with_margins(lines: Sequence[tuple[str, str]]) -> str:
    """Lines of source, each with its margin."""
    column = min(_WIDEST, max(len(line) for line, _ in lines))
    return "".join(
        f"{line:{column}}  # {margin}\n" if margin else f"{line}\n" for line, margin in lines
    )


def _margins() -> dict[str, dict[int, str]]:
    """The margins of each file, by line."""
    found: dict[str, dict[int, str]] = {}
    types: dict[tuple[str, str], str] = {}
    numbers = sorted(watching.margins, key=lambda each: watching.sites[each].line)
    for number in numbers:
        site = watching.sites[number]
        own = found.setdefault(site.file, {})
        text = _margin(site, watching.margins[number], types)
        own[site.line] = f"{own[site.line]}; {text}" if site.line in own else text
    return found


def _margin(site: Site, shapes: _Shapes, types: dict[tuple[str, str], str]) -> str:
    """The shapes at a place; `types` has the type of numbers so far of each function."""
    function = site.file, site.function
    texts = []
    for parts in list(shapes)[:MOST_SHAPES]:
        words = []
        for at, part in enumerate(parts):
            if part is None:
                continue
            shape, kind = part[0], str(part[1] or "").rpartition(".")[2]
            word = written(shape)
            if len(parts) == len(site.names) > 1:
                word = f"{site.names[at]} {word}"
            if kind and kind != types.setdefault(function, kind):
                word = f"{word} {kind}"
                types[function] = kind
            words.append(word)
        texts.append("; ".join(words))
    if len(shapes) > MOST_SHAPES:
        texts.append("…")
    times = sum(count for [count] in shapes.values())
    often = f"  {times:,} times" if len(texts) == 1 and times > 1 else ""
    return " | ".join(texts) + often


@cache
def _units(file: str) -> Sequence[_Unit]:
    """The functions of a file and its statements outside of them, in their order."""
    return tuple(_units_in(ast.parse(sources[file]).body, ""))


def _units_in(body: Sequence[ast.stmt], owner: str) -> Iterator[_Unit]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _units_in(node.body, f"{owner}{node.name}.")
        elif isinstance(node, DEFINITIONS):
            yield _Unit(node.lineno, node.end_lineno or node.lineno, f"{owner}{node.name}")
        else:
            yield _Unit(node.lineno, node.end_lineno or node.lineno, "")
