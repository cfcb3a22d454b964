"""One line for each report, for shells."""

from collections.abc import Mapping, Sequence

from bcastcli.render.user_text import escaped


def write(lines: Sequence[Sequence[str]]) -> str:
    """Return the cells of lines, joined by tabs; unprintable characters are escaped."""
    return "".join(["\t".join(map(escaped, cells)) + "\n" for cells in lines])


def with_tags(text: str, tags: Mapping[str, object]) -> str:
    """Return a report's text with its label after the last line."""
    last = text.rstrip()
    return last + mark(tags) + text[len(last) :]


def mark(tags: Mapping[str, object]) -> str:
    """Return a label after a #; else an id that is a number or one word; empty for neither."""
    label, own = tags.get("label", ""), tags.get("id")
    is_brief = isinstance(own, str | int | float) and not isinstance(own, bool)
    if not label and is_brief and len(str(own).split()) == 1:
        label = own
    return f" # {escaped(str(label))}" if label != "" else ""
