"""The pages of `bcastcli help`: Markdown files with examples that the tests run.

Those of the base are here, that of a feature is in its folder.
"""

from pathlib import Path


def names() -> list[str]:
    """The names of the pages, in alphabetical order."""
    return sorted(_pages())


def text(name: str) -> str:
    """A page as Markdown."""
    return _pages()[name].read_bytes().decode()


def title(name: str) -> str:
    """What a page is about: its first line, without its name."""
    return text(name).partition("\n")[0].partition(": ")[2]


def _pages() -> dict[str, Path]:
    return {page.stem: page for page in Path(__file__).parents[1].glob("*/*.md")}
