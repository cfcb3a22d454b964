"""The weights of a file that differ from a model's: however many, they are one answer."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from bcastcli.core.shapes import Shape, written
from bcastcli.why.messages.reading import Fault, Figure

_SAME_HEAD = 4
"""The most weights that are named one by one."""


def joined(faults: Sequence[Fault]) -> Fault:
    """One fault for those of weights that a file and a model have in different shapes."""
    weights = {str(f.figures["weights"]): f.figures for f in faults if "weights" in f.figures}
    if len(weights) < 2:
        return faults[0]
    pairs = Counter(pair for figures in weights.values() for pair in _differing(figures))
    name, figures = next(iter(weights.items()))
    kind, *others = dict.fromkeys(re.sub(r"\d+", "*", each) for each in weights)
    if len(weights) > _SAME_HEAD:
        name = kind
    file, model = _shapes(figures)
    example = f"{name}: {written(file)} and {written(model)}{', ...' if others else ''}"
    return faults[0]._replace(
        text=f"{len(weights):,} weights differ: {_what(pairs)} ({example})",
        cure=_cure(pairs, len(weights)),
        figures={"count": len(weights), "file": file, "model": model},
    )


def _shapes(figures: Mapping[str, Figure]) -> tuple[Shape, Shape]:
    """The shapes of a weight in the file and in the model."""
    return cast("Shape", figures["file"]), cast("Shape", figures["model"])


def _differing(figures: Mapping[str, Figure]) -> list[tuple[int, int]]:
    """The sizes of a file and a model on the axes on which a weight differs."""
    file, model = _shapes(figures)
    if len(file) != len(model):
        return []
    pairs = [(file[axis], model[axis]) for axis in range(len(file))]
    return [(a, b) for a, b in pairs if a != b and isinstance(a, int) and isinstance(b, int)]


def _what(pairs: Counter[tuple[int, int]]) -> str:
    """What the sizes of all the weights have in common, or else the commonest ones."""
    if not pairs:
        return "they have different numbers of axes"
    [((file, model), _), *_] = pairs.most_common(1)
    if any(a * model != b * file for a, b in pairs):
        return "mostly " + ", ".join(f"{a:,} and {b:,}" for (a, b), _ in pairs.most_common(2))
    if len(pairs) > 1:
        file, model = min(pairs)
        return f"the file is {file:,} wide, the model {model:,}"
    return f"the file has {file:,} on one axis, the model {model:,}"


def _cure(pairs: Counter[tuple[int, int]], count: int) -> str:
    """What to do about it."""
    if len(pairs) == 1 and count <= _SAME_HEAD:
        return "leave these weights out of the state dict, and load it with strict=False"
    return "build the model with the configuration that the file was saved with"
