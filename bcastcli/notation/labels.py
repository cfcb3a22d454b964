"""Labels of questions, and the `id` of JSON ones: repeated with the answer, but not part of it."""

from bcastcli.notation.questions import is_json
from bcastcli.notation.quotes import compiled
from bcastcli.notation.text import NotationError

Tags = dict[str, object]
"""The keys that are copied from a question to its answer: `label`, `id`, both or neither."""

# A # inside a JSON string does not begin a label.
_LABEL = r"[ \t]#"
_STRING_OR_LABEL = rf'"(?:[^"\\]|\\.)*"?|{_LABEL}'


def split_label(line: str) -> tuple[str, Tags]:
    """Return the question on a line, and the keys to copy to its answer.

    >>> split_label("2,3 3 # enc.add")
    ('2,3 3', {'label': 'enc.add'})
    """
    tags: Tags = {}
    question = line
    if "#" in line and not line.lstrip(" \t").startswith("#"):
        found = compiled(_STRING_OR_LABEL if is_json(line) else _LABEL).finditer(line)
        mark = next((each for each in found if each[0][0] != '"'), None)
        if mark:
            question = line[: mark.start()]
            label = line[mark.end() :].strip(" \t")
            tags = {"label": label} if label else {}
    if '"id"' in question and is_json(question):
        tags |= _identity(question)
    return question, tags


def _identity(question: str) -> Tags:
    """Return the `id` of a question in JSON; null where it is not JSON."""
    from bcastcli.notation.json import loaded  # rarely met

    try:
        found = loaded(question)
    except NotationError:
        return {"id": None}
    return {"id": found["id"]} if isinstance(found, dict) and "id" in found else {}
