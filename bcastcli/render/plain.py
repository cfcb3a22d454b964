"""One line for each report, for shells."""

from collections.abc import Mapping, Sequence

from bcastcli.render import escaped


def begin(lines: Sequence[Sequence[str]]) -> str:
    """The cells of lines, joined by tabs; unprintable characters are escaped."""
    return "\n".join(["\t".join(map(escaped, cells)) for cells in lines])


def end(tags: Mapping[str, object], number: int | None = None) -> str:
    """The end of an answer: its label."""
    return f"{mark(tags)}\n" if tags else "\n"


def mark(tags: Mapping[str, object]) -> str:
    """A label after a #; else an id that is a number or one word; empty for neither."""
    label, own = tags.get("label", ""), tags.get("id")
    is_brief = isinstance(own, str | int | float) and not isinstance(own, bool)
    if not label and is_brief and len(str(own).split()) == 1:
        label = own
    return f" # {escaped(str(label))}" if label != "" else ""
