"""The pages of `bcastcli help`: Markdown files with examples that the tests run.

Those of the base are here, that of a feature is in its folder.
"""

from pathlib import Path

LIST = "topics"
"""The word for the list of all pages."""


def names() -> list[str]:
    """The names of the pages, in alphabetical order."""
    return sorted(_pages())


def words() -> list[str]:
    """The words that open a page: the list, and each page's name."""
    return [LIST, *names()]


def text(name: str) -> str:
    """A page as Markdown."""
    return _pages()[name].read_text("utf-8")


def page(name: str) -> str | None:
    """The page of a name; None for another name."""
    return text(name) if name in names() else None


def title(name: str) -> str:
    """What a page is about: its first line, without its name."""
    return text(name).partition("\n")[0].partition(": ")[2]


def _pages() -> dict[str, Path]:
    return {page.stem: page for page in Path(__file__).parents[1].glob("*/*.md")}
