"""Whole answers as text: a file of questions, each with what was found below it.

    # What is promised of the questions below it.
    numpy 2,3 4
      no, sizes on 1: A has 3 and B has 4 on axis 1 (-1), and neither is 1
      0: 2 - = 2 B; 1: 3 4 !

Below the verdict are the axes, if they are few: the sizes that meet (`-` if an operand lacks the
axis), the result's, and who stretches; `!` marks a clash and `?` an axis that depends. Then come
the options, how the operands lie, the notes, and what to write instead. `pytest --update` writes
what is found now, which is read in review.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bcastcli.core.alignment import Axis, Change
from bcastcli.core.answer import Answer
from bcastcli.core.rule import typed
from bcastcli.core.shapes import written
from bcastcli.operators.questions import ask
from tests.rows import keep

Facts = Callable[[Answer], Iterator[str]]


def keep_answers(file: Path, config: pytest.Config, facts_of: Facts) -> None:
    """Compare what a file says of answers with that of now; its questions begin with a rule."""
    keep(file, config, lambda line: () if line[0] == "#" else facts_of(ask(line)))


def facts(answer: Answer) -> Iterator[str]:
    """Yield what an answer holds, one fact on a line."""
    verdict = "no" if answer.result is None else written(answer.result)
    if answer.reason:
        kind, text, why, axes = answer.reason
        verdict += f", {kind}{f' on {typed(axes)}' if axes else ''}: {text}"
        assert why in text
    yield verdict + (f" when {answer.when}" if answer.when else "")
    if answer.axes and len(answer.axes) < 9:
        yield "; ".join(map(_axis, answer.axes))
    if answer.options:
        yield ", ".join(f"{name}={typed(value)}" for name, value in answer.options.items())
    lies = answer.rule.describe_alignment(answer)
    if lies and lies not in [note.text for note in answer.notes]:
        yield lies
    yield from (f"{note.kind}: {note.text}" for note in answer.notes)
    yield from suggestions(answer)


def suggestions(answer: Answer) -> Iterator[str]:
    """Yield what to write instead, before the rule's syntax is chosen."""
    for found in answer.suggestions:
        assert found[5:] == ("", False, "", False), "filled in by advice alone"
        does = found.setting or ", ".join(map(_change, found.changes))
        changed = ", ".join(f"{name} {written(shape)}" for name, shape in found.changed)
        result = written(found.answer.result or ())
        yield f"{found.kind} {does}{changed and ': '}{changed} gives {result}"


def _axis(axis: Axis) -> str:
    sizes = " ".join("-" if size is None else str(size) for size in axis.sizes)
    result = "" if axis.result is None else f" = {axis.result}"
    stretched = "".join(f" {name}" for name in axis.stretched)
    mark = {True: " !", None: " ?", False: ""}[axis.conflict]
    return f"{axis.number}{axis.label}: {sizes}{result}{stretched}{mark}"


def _change(change: Change) -> str:
    order = ",".join("new" if axis is None else str(axis) for axis in change.order)
    wide = f" to {written(change.wide)}" if change.wide else ""
    return f"{change.name}({order}){wide}"
