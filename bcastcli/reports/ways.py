"""The ways in which an answer with unknown sizes can be a yes, each with small numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from bcastcli.analysis.agreement import assignments
from bcastcli.core import conditions
from bcastcli.core.answer import Answer
from bcastcli.core.domains import Assignment
from bcastcli.core.wording import joined_with_and

MAX_NAMES = 3
"""The most unknown sizes for which all kinds of choices are tried."""


class Way(NamedTuple):
    """Numbers for the unknown sizes, and the rule's answer with these."""

    label: str
    answer: Answer


def ways(answer: Answer) -> list[Way]:
    """Return a way for each pattern of stretches; the likeliest alone where any sizes will do.

    Empty if there are too many unknown sizes.
    """
    names = answer.unknown_sizes
    if len(names) > MAX_NAMES:
        return []
    typed = {size for shape in answer.shapes for size in shape if isinstance(size, int)}
    numbers = sorted({1, *typed})

    def plainness(chosen: Assignment) -> tuple[object, ...]:
        """Return what sorts the likeliest example first: few ones, and numbers of its own."""
        values = [*chosen.values()]
        return values.count(1), sum(value in typed for value in values), values

    # The others are open: an example is enough.
    decisive = names if answer.axes is None else conditions.names_in(answer.condition) or names
    seen: set[tuple[int, ...]] = set()
    found: dict[object, tuple[Assignment, Answer]] = {}
    for chosen in sorted(assignments(names, numbers, answer.domains), key=plainness):
        fixed = tuple(chosen[name] for name in decisive)
        if fixed in seen:
            continue
        asked = answer.with_sizes(chosen)
        if asked.ok:
            seen.add(fixed)
            axes = asked.axes or ()
            kind = tuple((axis.stretched, axis.sizes.count(None)) for axis in axes)
            found.setdefault(kind, (chosen, asked))
    chosen_ways = list(found.values())[: 1 if answer.ok and answer.axes else None]
    chosen_ways.sort(key=lambda way: [*way[0].values()])
    return [Way(_label(answer, chosen, asked, numbers), asked) for chosen, asked in chosen_ways]


def _has_names(sizes: Sequence[object]) -> bool:
    return any(isinstance(size, str) for size in sizes)


def _label(answer: Answer, chosen: Assignment, asked: Answer, numbers: Sequence[int]) -> str:
    """Return the numbers, and what stretches on the axes that they are on."""
    alike: dict[int, list[str]] = {}
    for name, value in chosen.items():
        alike.setdefault(value, []).append(name)
    said = [
        f"{' = '.join(names)} = {value}{'' if value in numbers else ', say'}"
        for value, names in sorted(alike.items(), key=lambda pair: pair[0] not in numbers)
    ]
    pairs = zip(answer.axes or asked.axes or (), asked.axes or (), strict=False)
    concerned = [own for axis, own in pairs if answer.axes is None or _has_names(axis.sizes)]
    names = dict.fromkeys(name for axis in concerned for name in axis.stretched)
    verb = f" stretch{'es' if len(names) == 1 else ''}" if names else "equal"
    if len(asked.operands) == 1:
        return ", ".join(said)
    return f"{', '.join(said)}: {joined_with_and([*names] or [''])}{verb}"
