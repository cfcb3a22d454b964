"""The source of a program with the shapes of its values in the margin: `bcastcli run --shapes`."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.shapes import written
from bcastcli.raising import watching
from bcastcli.raising.naming import Where, place, shown_file
from bcastcli.raising.rewriting import sources
from bcastcli.raising.trees import DEFINITIONS
from bcastcli.raising.watching import MOST_SHAPES, Part, Site

_WIDEST = 62
"""The column of margins, unless all lines are shorter; those of longer lines are beside them."""


class Stop(NamedTuple):
    """Where a program failed, and with what."""

    file: str
    line: int
    error: str


def of_functions(stop: Stop | None = None) -> str:
    """The source of each function that saw an array, with its shapes, up to where one failed."""
    found = []
    for file, margins in _margins().items():
        if stop and stop.file == file:
            margins[stop.line] = stop.error
        lines = sources[file].splitlines()
        shown: dict[str, list[tuple[str, str]]] = {}
        done = 0
        for first, last, function in _units(ast.parse(sources[file]).body, ""):
            if stop and stop.file == file and first <= stop.line <= last:
                last = stop.line
            own = range(max(first, done + 1), last + 1)
            done = last
            if margins.keys() & set(own):
                head = place(Where(file, first, function, "")) if function else shown_file(file)
                rows = [(lines[number - 1], margins.get(number, "")) for number in own]
                shown.setdefault(head, []).extend(rows)
        found += [f"{head}\n{_with_margins(rows)}" for head, rows in shown.items()]
    return "\n".join(found)


def of_files() -> str:
    """The files that saw an array, whole, with their shapes; a comment names each of several."""
    found = {}
    for file, margins in _margins().items():
        lines = enumerate(sources[file].splitlines(), 1)
        found[file] = _with_margins([(line, margins.get(number, "")) for number, line in lines])
    if len(found) == 1:
        return "".join(found.values())
    return "\n".join(f"# {shown_file(file)}\n{text}" for file, text in found.items())


def records() -> list[Mapping[str, object]]:
    """An object for each place that saw an array."""
    found: list[Mapping[str, object]] = []
    for site, shapes in _seen():
        where = {"file": site.file, "line": site.line, "function": site.function}
        seen = [[part and part[0] for part in parts] for parts in list(shapes)[:MOST_SHAPES]]
        own = {"names": site.names, "shapes": seen, "times": _times(shapes)}
        found.append({"command": "run", "where": where, **own})
    return found


_Shapes = Mapping[tuple[Part | None, ...], list[int]]


def _seen() -> list[tuple[Site, _Shapes]]:
    """The places that saw an array, in the order of the source."""
    return [
        (watching.sites[number], watching.margins[number]) for number in sorted(watching.margins)
    ]


def _times(shapes: _Shapes) -> int:
    return sum(count for [count] in shapes.values())


def _margins() -> dict[str, dict[int, str]]:
    """The margins of each file, by line."""
    found: dict[str, dict[int, str]] = {}
    types: dict[tuple[str, str], str] = {}
    for site, shapes in sorted(_seen(), key=lambda pair: pair[0].line):
        own = found.setdefault(site.file, {})
        text = _margin(site, shapes, types)
        own[site.line] = f"{own[site.line]}; {text}" if site.line in own else text
    return found


def _margin(site: Site, shapes: _Shapes, types: dict[tuple[str, str], str]) -> str:
    """The shapes at a place; `types` has the type of numbers so far of each function."""
    texts = []
    for parts in list(shapes)[:MOST_SHAPES]:
        names = site.names if len(parts) == len(site.names) > 1 else [""] * len(parts)
        words = []
        for name, part in zip(names, parts, strict=True):
            if part is not None:
                shape, kind = part
                word = f"{name} {written(shape)}".lstrip()
                now = str(kind).rpartition(".")[2]
                function = site.file, site.function
                if kind is not None and types.setdefault(function, now) != now:
                    types[function] = now
                    word = f"{word} {now}"
                words.append(word)
        texts.append("; ".join(words))
    if len(shapes) > MOST_SHAPES:
        texts.append("…")
    texts = list(dict.fromkeys(texts))  # where jax.jit traces, an array has no type
    often = f"  {_times(shapes):,} times" if len(texts) == 1 and _times(shapes) > 1 else ""
    return " | ".join(texts) + often


def _with_margins(lines: Sequence[tuple[str, str]]) -> str:
    """Lines of source, each with its margin."""
    column = min(_WIDEST, max(len(line) for line, _ in lines))
    texts = [f"{line:{column}}  # {margin}" if margin else line for line, margin in lines]
    return "".join(f"{text}\n" for text in texts)


def _units(body: Sequence[ast.stmt], owner: str) -> Iterator[tuple[int, int, str]]:
    """The first and the last line of each function and of each statement outside, with its name."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _units(node.body, f"{owner}{node.name}.")
        else:
            name = f"{owner}{node.name}" if isinstance(node, DEFINITIONS) else ""
            yield node.lineno, node.end_lineno or node.lineno, name
