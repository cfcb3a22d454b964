"""The weights of a file that differ from a model's: however many, they are one answer."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from bcastcli.core.shapes import Shape, written
from bcastcli.why.messages.reading import Fault, Figure

_SAME_HEAD = 4
"""The most weights that are named one by one."""


def joined(faults: Sequence[Fault]) -> Fault:
    """One fault for those of weights that a file and a model have in different shapes."""
    weights = {str(each.figures.get("weights", "")): each.figures for each in faults}
    weights.pop("", None)
    if len(weights) < 2:
        return faults[0]
    pairs = Counter(pair for figures in weights.values() for pair in _differing(figures))
    text = f"{len(weights):,} weights differ: {_what(pairs)}"
    [(name, example), *_] = weights.items()
    kinds = {re.sub(r"\d+", "*", each) for each in weights}
    if len(weights) > _SAME_HEAD:
        name = re.sub(r"\d+", "*", name)
    file, model = (written(_shape(example[each])) for each in ("file", "model"))
    text += f" ({name}: {file} and {model}{', ...' * (len(kinds) > 1)})"
    figures = {"count": len(weights), "file": example["file"], "model": example["model"]}
    return faults[0]._replace(text=text, cure=_cure(pairs, len(weights)), figures=figures)


def _differing(figures: Mapping[str, Figure]) -> list[tuple[int, int]]:
    """The sizes of a file and a model on the axes on which a weight differs."""
    file, model = _shape(figures["file"]), _shape(figures["model"])
    pairs = zip(file, model, strict=True) if len(file) == len(model) else ()
    return [(a, b) for a, b in pairs if a != b and isinstance(a, int) and isinstance(b, int)]


def _shape(figure: Figure) -> Shape:
    """A figure that is a shape."""
    if not isinstance(figure, tuple):
        return ()
    return tuple(size for size in figure if not isinstance(size, tuple))


def _what(pairs: Counter[tuple[int, int]]) -> str:
    """What the sizes of all the weights have in common, or else the commonest ones."""
    if not pairs:
        return "they have another number of axes"
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
