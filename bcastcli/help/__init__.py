"""The topics of `bcastcli help`: Markdown files, whose examples the tests run."""

from importlib.resources import files

SCHEMA = "json-schema"
"""The page that is no Markdown: the JSON Schema of all objects."""


def names() -> list[str]:
    """Return the topics' names, in alphabetical order."""
    pages = (page.name for page in files(__name__).iterdir())
    return sorted(name.removesuffix(".md") for name in pages if name.endswith(".md"))


def text(name: str) -> str:
    """Return a topic as Markdown."""
    return (files(__name__) / f"{name}.md").read_text("utf-8")


def title(name: str) -> str:
    """Return a topic's title: its first heading."""
    return text(name).partition("\n")[0].removeprefix("# ")


def schema() -> str:
    """Return the JSON Schema."""
    return (files(__name__) / "schema.json").read_text("utf-8")
