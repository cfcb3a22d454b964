"""The manual page, written from the app and the topics of its help.

python -m bcastcli.cli.man > bcastcli/help/bcastcli.1
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bcastcli import __version__
from bcastcli import help as topics
from bcastcli.cli.main import COMMANDS, group

_WIDTH = 72
_DATE = "2026-11-21"
_PURPOSE = "tell whether shapes broadcast, to what, and if not, why not"
_SYNOPSIS = "[\\fICOMMAND\\fR] [\\fIOPTION\\fR]... \\fISHAPE\\fR..."


def page() -> str:
    """Return the manual page in the man macros of roff."""
    lines = [*_lines()]
    # A paragraph begins anyway after a heading.
    kept = (
        line
        for line, before in zip(lines, ["", *lines], strict=False)
        if not (line == ".PP" and before.startswith((".SH", ".SS")))
    )
    return "".join(f"{line}\n" for line in kept)


def _lines() -> Iterator[str]:
    yield f'.TH BCASTCLI 1 {_DATE} "bcastcli {__version__}" "User Commands"'
    yield from (".SH NAME", f"bcastcli \\- {_PURPOSE}", ".SH SYNOPSIS", ".B bcastcli", _SYNOPSIS)
    app = group()
    context = app.make_context("bcastcli", [], resilient_parsing=True)
    yield ".SH DESCRIPTION"
    yield from _help(app.help)
    yield ".SH COMMANDS"
    for name in COMMANDS:
        command = app.get_command(context, name)
        yield f".SS {_text(f'{name}: {command.short_help}')}"
        yield from _command(name, command)
    yield from (".SH EXIT STATUS", *_filled(app.epilog.removeprefix("Exit status: ")))
    for name in topics.names():
        yield f".SH {_text(topics.title(name).upper())}"
        tree = SyntaxTreeNode(MarkdownIt().enable("table").parse(topics.text(name)))
        for node in tree.children[1:]:  # without the title
            yield from _block(node)


def _command(name: str, command: Any) -> Iterator[str]:
    """Yield the text of a command, and its options."""
    _, _, text = command.help.partition("\n\n")
    yield from _help(text)
    own = command.make_context(name, [], resilient_parsing=True)
    records = (each.get_help_record(own) for each in command.get_params(own))
    for names, explained in filter(None, records):
        yield from (".TP", f".B {_text(names)}", *_filled(explained))


def _help(text: str) -> Iterator[str]:
    r"""Yield a command's help; a paragraph after the mark \\b keeps its lines."""
    for paragraph in text.strip().split("\n\n"):
        lines = paragraph.strip("\n").splitlines()
        if lines and lines[0] == "\b":
            yield from _kept(lines[1:])
        else:
            yield from (".PP", *_filled(" ".join(lines)))


def _block(node: SyntaxTreeNode) -> Iterator[str]:
    """Yield a block of Markdown."""
    if node.type == "heading":
        yield f".SS {_text(_inline(node))}"
    elif node.type == "paragraph":
        yield from (".PP", *_filled(_inline(node)))
    elif node.type == "fence":
        yield from _kept(node.content.splitlines())
    elif node.type == "table":
        yield from _table([[_inline(cell) for cell in row.children] for row in _rows(node)])
    elif node.type in ("bullet_list", "ordered_list"):
        for item in node.children:
            first, *rest = item.children
            yield from ('.IP "\\(bu" 2', *_filled(_inline(first)))
            for each in rest:
                yield from _block(each)
    else:
        raise ValueError(f"no roff for {node.type}")


def _rows(table: SyntaxTreeNode) -> Iterator[SyntaxTreeNode]:
    for part in table.children:
        yield from part.children


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table as a list: each row's first cell, and below it the others."""
    head, *body = rows
    for first, *others in body:
        yield from (".TP", f".B {_text(first)}")
        named = zip_longest(head[1:], others, fillvalue="")
        is_only = len(others) == 1
        texts = (cell if is_only else f"{name}: {cell}" for name, cell in named)
        yield from _filled("; ".join(texts))


def _kept(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines as they are typed."""
    yield from (".PP", ".nf", ".RS 4", *map(_text, lines), ".RE", ".fi")


def _inline(node: SyntaxTreeNode) -> str:
    """Return the text of a node without its markup."""
    if node.type in ("softbreak", "hardbreak"):
        return " "
    if not node.children:
        return node.content
    return "".join(map(_inline, node.children))


def _filled(text: str) -> Iterator[str]:
    """Yield a paragraph in lines of moderate length."""
    yield from map(_text, wrap(" ".join(text.split()), _WIDTH, break_on_hyphens=False))


def _text(text: str) -> str:
    """Return a line of text such that roff takes none of it for a command."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    plain = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in plain)
    return f"\\&{plain}" if plain.startswith((".", "\\(aq")) else plain


if __name__ == "__main__":
    sys.stdout.write(page())
