"""The source of a program with the shapes of its values in the margin: `bcastcli run --shapes`."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from bcastcli.core.shapes import written
from bcastcli.raising import watching
from bcastcli.raising.frames import last_of_user
from bcastcli.raising.naming import Where, place, shown_file
from bcastcli.raising.rewriting import lines_of, sources
from bcastcli.raising.trees import DEFINITIONS
from bcastcli.raising.watching import MOST_SHAPES, Part, Shapes, Site

_WIDEST = 62
"""The column of margins, unless all lines are shorter; those of longer lines are beside them."""


def of_functions(error: BaseException | None = None) -> str:
    """The source of each function that saw an array, with its shapes, up to where one failed."""
    rows_of: dict[str, list[tuple[str, str | None]]] = {}
    trace = last_of_user(error) if error else None
    for file, margins in _margins().items():
        lines, end, stop = lines_of(file), 0, 0
        if trace and trace.tb_frame.f_code.co_filename == file:
            stop = trace.tb_lineno
            margins[stop] = type(error).__name__
        for first, last, function in _parts(ast.parse(sources[file]).body, ""):
            start, end = max(first, end + 1), last  # a line may hold two statements
            own = range(start, (stop if first <= stop <= last else last) + 1)
            if margins.keys() & {*own}:
                head = place(Where(file, first, function, "")) if function else shown_file(file)
                rows_of.setdefault(head, []).extend((lines[at - 1], margins.get(at)) for at in own)
    return "\n".join(f"{head}\n{_with_margins(rows)}" for head, rows in rows_of.items())


def of_files() -> str:
    """The files that saw an array, whole, with their shapes; a comment names each of several."""
    texts = {}
    for file, margins in _margins().items():
        lines = enumerate(lines_of(file), 1)
        texts[file] = _with_margins([(line, margins.get(number)) for number, line in lines])
    heads = {file: f"# {shown_file(file)}\n" if len(texts) > 1 else "" for file in texts}
    return "\n".join(f"{heads[file]}{text}" for file, text in texts.items())


def records() -> list[Mapping[str, object]]:
    """An object for each place that saw an array."""
    places: list[Mapping[str, object]] = []
    for site, shapes in _seen():
        where = {"file": site.file, "line": site.line, "function": site.function}
        sizes = [[part and part[0] for part in parts] for parts in [*shapes][:MOST_SHAPES]]
        more = {"names": site.names, "shapes": sizes, "times": sum(shapes.values())}
        places.append({"command": "run", "where": where, **more})
    return places


def _seen() -> list[tuple[Site, Shapes]]:
    """The places that saw an array, in the order of the source."""
    numbers = sorted(watching.margins, key=lambda number: (watching.sites[number].line, number))
    return [(watching.sites[number], watching.margins[number]) for number in numbers]


def _margins() -> dict[str, dict[int, str]]:
    """The margins of each file, by line."""
    found: dict[str, dict[int, str]] = {}
    types: dict[tuple[str, str], str] = {}
    """The type of numbers so far of each function."""
    for site, shapes in _seen():
        texts = []
        for parts in [*shapes][:MOST_SHAPES]:
            words = []
            for number, part in enumerate(parts):
                if part is not None:
                    name = f"{site.names[number]} " if len(parts) == len(site.names) > 1 else ""
                    words.append(f"{name}{written(part[0])}{_new_type(site, part, types)}")
            texts.append("; ".join(words))
        if len(shapes) > MOST_SHAPES:
            texts.append("…")
        texts = list(dict.fromkeys(texts))  # where jax.jit traces, an array has no type
        times = sum(shapes.values())
        often = f"  {times:,} times" if len(texts) == 1 and times > 1 else ""
        text, own = " | ".join(texts) + often, found.setdefault(site.file, {})
        own[site.line] = f"{own[site.line]}; {text}" if site.line in own else text
    return found


def _new_type(site: Site, part: Part, types: dict[tuple[str, str], str]) -> str:
    """The type of numbers of an array, where it is another one than so far in its function."""
    if part[1] is None:
        return ""
    now = str(part[1]).rpartition(".")[2]
    before = types.setdefault((site.file, site.function), now)
    types[site.file, site.function] = now
    return "" if before == now else f" {now}"


def _with_margins(lines: Sequence[tuple[str, str | None]]) -> str:
    """Lines of source, each with its margin."""
    column = min(_WIDEST, max(len(line) for line, _ in lines))
    texts = [f"{line:{column}}  # {margin}" if margin else line for line, margin in lines]
    return "".join(f"{text}\n" for text in texts)


def _parts(body: Sequence[ast.stmt], owner: str) -> Iterator[tuple[int, int, str]]:
    """The first and the last line of each function and of each statement outside, with its name."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _parts(node.body, f"{owner}{node.name}.")
        else:
            name = f"{owner}{node.name}" if isinstance(node, DEFINITIONS) else ""
            yield node.lineno, node.end_lineno or node.lineno, name
