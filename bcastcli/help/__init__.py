"""The topics of `bcastcli help`: Markdown files, whose examples the tests run."""

import re
from importlib.resources import files

SCHEMA = "json-schema"
"""The one page that is not Markdown: the JSON Schema of all objects."""
LIST = "topics"
"""The word for the list of all topics."""
CHANGELOG = "changelog"
"""The file that is not a topic, but the last section of the reference."""
_REFERENCE = "reference"


def names() -> list[str]:
    """Return the topics' names, in alphabetical order."""
    pages = (page.name for page in files(__name__).iterdir())
    found = (name.removesuffix(".md") for name in pages if name.endswith(".md"))
    return sorted(name for name in found if name != CHANGELOG)


def text(name: str) -> str:
    """Return a topic as Markdown."""
    page = _read(f"{name}.md")
    if name == _REFERENCE:
        changes = re.sub(r"^#", "##", _read(f"{CHANGELOG}.md"), flags=re.MULTILINE)
        return f"{page}\n{changes}"
    return page


def title(name: str) -> str:
    """Return a topic's title: its first heading."""
    return text(name).partition("\n")[0].removeprefix("# ")


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


def schema() -> str:
    """Return the JSON Schema."""
    return _read("schema.json")


def _read(file: str) -> str:
    """Return the text of a file in this folder."""
    return (files(__name__) / file).read_text("utf-8")
