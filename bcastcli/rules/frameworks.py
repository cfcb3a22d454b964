"""The names of frameworks: the rule of each, or why it has none.

`frameworks.txt` is the only list of them, a line each: commands, `rules`, `compare --rules`, slides
and every hint find a name here. Words are in lower case. A note begins with the difference of the
operands without which it is not shown: of their ranks, their shapes, or their outer axes.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple


class Framework(NamedTuple):
    """A line of the list."""

    words: str
    title: str
    rule: str
    """The rule's name; `-` if it has none."""
    source: str = ""
    """The document or the source file that states the rule."""
    note: str = ""
    """The note on answers in its words, or why it has no rule."""


def _lines() -> list[Framework]:
    path = os.path.join(os.path.dirname(__file__), "frameworks.txt")  # noqa: PTH118, PTH120  # faster
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        return [Framework(*line.rstrip("\n").split("\t")) for line in file][1:]


_FRAMEWORKS = {word: each for each in _lines() for word in each.words.split()}
RULE_OF = {word: each.rule for word, each in _FRAMEWORKS.items() if each.rule not in (word, "-")}
"""The name of the rule that a word means."""
WITHOUT_A_RULE = {word: each.note for word, each in _FRAMEWORKS.items() if each.rule == "-"}
"""Why a framework has no rule, for each word without one."""
REMARKS = {
    word: _FRAMEWORKS[word].note.partition(": ")[2] for word in RULE_OF if _FRAMEWORKS[word].note
}
"""The notes shown when a framework's name selects the rule."""


def title(word: str) -> str:
    """The name of a rule or of a framework as a heading has it; any other word as it is.

    >>> title("tf"), title("none"), title("tinygrad")
    ('TensorFlow', 'OpenVINO None', 'tinygrad')
    """
    known = _FRAMEWORKS.get(word.lower())
    return word if known is None else known.title


def no_command(word: str) -> str:
    """The sentence that a framework has no command, and why; `word` is one without a rule."""
    return f"there is no command for {title(word)}: {WITHOUT_A_RULE[word]}"


def words_of(rule: str) -> tuple[str, ...]:
    """The words that mean a rule, by its name."""
    return tuple([word for word, name in RULE_OF.items() if name == rule])


def remark(word: str, shapes: Iterable[tuple[object, ...]]) -> str:
    """The note on a framework for operands of these shapes; empty if it has none for them.

    >>> remark("jax", [(2, 3), (3,)])[:12], remark("jax", [(2, 3), (1, 3)])
    ('JAX: jax.lax', '')
    >>> remark("ttnn", [(2, 1, 1, 1, 1, 3), (2, 1, 1, 1, 1, 1)])
    ''
    """
    if word not in REMARKS:
        return ""
    difference, _, text = _FRAMEWORKS[word].note.partition(": ")
    having: set[object] = {*shapes}
    if difference == "ranks":
        having = {*map(len, shapes)}
    elif difference == "outer":
        having = {_without_ones(shape[:-5]) for shape in shapes}
    return text if len(having) > 1 else ""


def _without_ones(shape: tuple[object, ...]) -> tuple[object, ...]:
    """The axes of a shape from the first that is not 1."""
    first = next((axis for axis, size in enumerate(shape) if size != 1), len(shape))
    return shape[first:]
