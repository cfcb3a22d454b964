"""The blocks of questions on a page of Markdown, and the fences of blocks that are not read."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_LANGUAGE = "bcastcli"
"""The word after the fence of a block of questions."""
_NO_BLOCK = f"a block of questions begins with ```{_LANGUAGE}"
_NESTED = {"maxNesting": 100}
# Before a fence there may be the marks of lists, quotes, footnotes and definitions, and tags.
_MARKS = r"(?:[^\w`~<]|\d+[.)]|\[[xX]\]|\[\^\w[^\]]*\]:|<(?:!--|[^>]*>))*?"
_OPENING = re.compile(rf"({_MARKS})(?:`{{3,}}(?!.*`)|~{{3,}}|:{{3,}}|\.\. (?=[\w-]+::))(.*)")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+\S")
"""An admonition or a tab of MkDocs, the content of which is indented."""
_DIRECTIVE = re.compile(r"[ \t]*\{([\w:-]+)\}(.*)")
"""A directive of MyST, which holds Markdown unless it holds code."""
_CODE = ("code", "code-block", "code-cell", "sourcecode")
_OPTION = re.compile(r":[\w-]+:")
_IS_FIRST = re.compile(rf"[\s{{.]*{_LANGUAGE}|\s*{{", re.IGNORECASE)
"""Text after a fence that names its language, rather than a title or the like."""
_READ = "a block of questions"
_QUOTING = ("a block of another language", "a comment")
"""Where a page only shows a block, or hides it."""


class Block(NamedTuple):
    """The lines of a block of questions, or the fence of one that is not read."""

    first: int
    """The number of the first line, counted from 1."""
    lines: Sequence[str]
    unread: str = ""
    """Why it is not read."""
    column: int = 1
    """Where the fence is, counted from 1."""
    is_quoted: bool = False


def blocks(lines: Sequence[str]) -> list[Block]:
    """The blocks fenced by ```bcastcli, and what looks like the fence of one and is not read.

    Lines of questions keep their columns.
    """
    openings = {}
    for number, line in enumerate(lines, 1):
        opening = _OPENING.match(line)
        if opening and _is_ours(opening[2]):
            openings[number] = len(opening[1]) + 1
    if not openings:  # parsing is slow
        return []
    page = _Page(lines)
    page.read(lines, 1)
    for number, column in openings.items():
        where = page.inside.get(number, "")
        if where != _READ:
            why = f"it is inside {where}" if where else _NO_BLOCK
            text = f"this block is not read: {why}"
            page.blocks.append(Block(number, [], text, column, where in _QUOTING))
    return sorted(page.blocks)


def _is_ours(info: str) -> bool:
    """Whether the text after a fence names our language.

    >>> [_is_ours(info) for info in (" {.bcastcli}", "{code-cell} BCASTCLI", 'sh a="bcastcli"')]
    [True, True, False]
    """
    directive = _DIRECTIVE.match(info)
    if directive:
        info = directive[2] if directive[1] in _CODE else directive[1]
    words = re.findall(r"[\w-]+", re.sub(r"\"[^\"]*\"|'[^']*'", "", info))
    return _LANGUAGE in [word.lower() for word in words]


class _Page:
    """The blocks of questions on a page, and what else the parser finds on its lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self.blocks: list[Block] = []
        self.inside: dict[int, str] = {}
        """What a line is inside of, by its number."""

    def read(self, lines: Sequence[str], first: int) -> None:
        """Read lines of Markdown, of which the first has this number on the page."""
        from markdown_it import MarkdownIt  # for Markdown alone

        parser = MarkdownIt("commonmark", _NESTED).disable("inline")
        is_in_admonition = False
        for token in parser.parse("\n".join([*lines, ""])):
            if token.map is None:
                is_in_admonition &= token.type == "paragraph_close"
                continue
            numbers = range(first + token.map[0], first + token.map[1])
            content = token.content.split("\n")
            if token.type == "fence":
                self._read_fence(token.info, content[:-1], numbers)
            elif token.type == "inline" and _ADMONITION.match(token.content):
                is_in_admonition = True
                wide = [line.expandtabs(4) for line in content]
                inner = [line[4:] if line.startswith("    ") else "" for line in wide]
                self.read(inner, numbers[0])
            elif token.type == "code_block" and is_in_admonition:
                self.read(content, numbers[0])
            elif token.type == "code_block":
                self.inside |= dict.fromkeys(numbers, "indented code")
            elif token.type == "html_block":
                is_comment = token.content.lstrip().startswith("<!--")
                self.inside |= dict.fromkeys(numbers, "a comment" if is_comment else "HTML")

    def _read_fence(self, info: str, content: list[str], numbers: range) -> None:
        """Read a fenced block: of questions, of Markdown, or of another language."""
        directive, where = _DIRECTIVE.match(info), _READ
        if _is_ours(info) and _IS_FIRST.match(info):
            own = zip(self._lines[numbers[0] :], content, strict=False)
            # The marks of lists and the options of a directive are blank. An overlong line keeps
            # its type.
            inside = [
                type(line)("" if directive and _OPTION.match(text) else text.rjust(len(line)))
                for line, text in own
            ]
            self.blocks.append(Block(numbers[0] + 1, inside))
        elif directive and directive[1] not in _CODE:
            self.read(content, numbers[0] + 1)
            return
        else:
            where = "a block of another language"
        self.inside |= dict.fromkeys(numbers, where)
