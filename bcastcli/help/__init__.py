"""The topics of `bcastcli help`: Markdown files with examples that the tests run.

Those of the base are here, that of a feature is in its folder.
"""

import re
from pathlib import Path

LIST = "topics"
"""The word for the list of all topics."""


def names() -> list[str]:
    """Return the topics' names, in alphabetical order."""
    return sorted(_pages())


def text(name: str) -> str:
    """Return a topic as Markdown."""
    return _pages()[name].read_text("utf-8")


def page(name: str) -> str | None:
    """Return the topic or the section of a name as Markdown; None for another name."""
    return text(name) if name in names() else sections().get(name)


def words() -> list[str]:
    """Return the words that open a page: the list, the topics and the sections."""
    return [LIST, *names(), *sections()]


def sections() -> dict[str, str]:
    """Return the sections that a word opens, in alphabetical order, each as Markdown.

    Their headings begin with the word and a colon, as the topics' titles do.
    """
    found = {}
    for name in names():
        for section in re.split(r"^(?=## )", text(name), flags=re.MULTILINE)[1:]:
            heading = re.match(r"## (\w+): ", section)
            if heading:
                found[heading[1].lower()] = f"{section.rstrip()}\n"
    return dict(sorted(found.items()))


def _pages() -> dict[str, Path]:
    """Return the files of the topics by their names."""
    return {page.stem: page for page in Path(__file__).parents[1].glob("*/*.md")}
