"""The blocks of questions on a page of Markdown, and the fences of blocks that are not read."""

import re
from collections.abc import Sequence
from typing import NamedTuple

_LANGUAGE = "bcastcli"
"""The word after the fence of a block of questions."""
_NO_BLOCK = f"a block of questions begins with ```{_LANGUAGE}"
_UNREAD = {"code_block": "it is inside indented code", "html_block": "it is inside HTML"}
_SHOWN = ("it is inside a comment", "it is inside a block of another language")
"""Why a block is not meant to be read."""
_NESTED = {"maxNesting": 100}
# Before a fence there may be the marks of lists, quotes, footnotes and definitions, and tags.
_MARKS = r"(?:[^\w`~<]|\d+[.)]|\[[xX]\]|\[\^\w[^\]]*\]:|<(?:!--|[^>]*>))*?"
_OPENING = re.compile(rf"({_MARKS})(?:`{{3,}}(?!.*`)|~{{3,}}|:{{3,}}|\.\. (?=[\w-]+::))(.*)")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+\S")
"""An admonition or a tab of MkDocs, the content of which is indented."""
_DIRECTIVE = re.compile(r"[ \t]*\{([\w:-]+)\}(.*)")
"""A directive of MyST."""
_CODE = ("code", "code-block", "code-cell", "sourcecode")
_IS_FIRST = re.compile(rf"[\s{{.]*{_LANGUAGE}|\s*{{", re.IGNORECASE)
"""Text after a fence that names its language, rather than a title or the like."""


class Block(NamedTuple):
    """The lines of a block of questions, or the fence of one that is not read."""

    first: int
    """The number of the first line, counted from 1."""
    lines: Sequence[str]
    unread: str = ""
    """Why it is not read."""
    column: int = 1
    """Where the fence is, counted from 1."""
    fails: bool = True
    """Whether it is meant to be read."""


def blocks(lines: Sequence[str]) -> list[Block]:
    """The blocks fenced by ```bcastcli, and what looks like the fence of one and is not read.

    Lines of questions keep their columns. A block in a comment, or in one of another language, is
    only shown, and does not fail.
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
        why = page.inside.get(number, _NO_BLOCK)
        if why:
            text = f"this block is not read: {why}"
            page.blocks.append(Block(number, [], text, column, why not in _SHOWN))
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
        """What lines are inside of, by their numbers; empty for those that are read."""

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
            elif token.type == "html_block" and token.content.lstrip().startswith("<!--"):
                self.inside |= dict.fromkeys(numbers, _SHOWN[0])
            elif token.type in _UNREAD:
                self.inside |= dict.fromkeys(numbers, _UNREAD[token.type])

    def _read_fence(self, info: str, content: list[str], numbers: range) -> None:
        """Read a fenced block of questions; one of another language only shows what it holds."""
        if _is_ours(info) and _IS_FIRST.match(info):
            pairs = zip(self._lines[numbers[0] :], content, strict=False)
            # The marks of lists are blank. An overlong line keeps its type.
            inside = [type(line)(text.rjust(len(line))) for line, text in pairs]
            self.blocks.append(Block(numbers[0] + 1, inside))
            self.inside |= dict.fromkeys(numbers, "")
        elif not _DIRECTIVE.match(info):
            self.inside |= dict.fromkeys(numbers[1:], _SHOWN[1])
