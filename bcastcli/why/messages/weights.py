"""The weights of a file that differ from a model's: however many, they are one answer."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bcastcli.core.shapes import Shape, written
from bcastcli.why.messages.reading import Fault, Figure

_OF_COCO = 255
"""The channels of a head of three anchors that was trained on COCO's 80 classes."""
_FOR_A_BOX = 5
"""The channels of an anchor beside its classes: a box of four, and whether there is one."""
_SAME_HEAD = 4
"""The most weights that are named one by one."""


class _Weight(NamedTuple):
    name: str
    file: Shape
    model: Shape


def joined(faults: Sequence[Fault]) -> Fault:
    """One fault for those of weights that a file and a model have in different shapes."""
    known = [_weight(fault) for fault in faults]
    weights = [*dict.fromkeys(each for each in known if each is not None)]
    first = faults[0]
    if len(weights) < 2:
        return first
    pairs = Counter(pair for weight in weights for pair in _differing(weight))
    text = f"{len(weights):,} weights differ: {_what(pairs)}"
    example = weights[0]
    kinds = {re.sub(r"\d+", "*", weight.name) for weight in weights}
    name = re.sub(r"\d+", "*", example.name) if len(weights) > _SAME_HEAD else example.name
    more = ", ..." if len(kinds) > 1 else ""
    text += f" ({name}: {written(example.file)} and {written(example.model)}{more})"
    figures: dict[str, Figure] = {"count": len(weights)}
    figures |= {"file": example.file, "model": example.model}
    return first._replace(text=text, cure=_cure(pairs, weights), figures=figures, known=None)


def _weight(fault: Fault) -> _Weight | None:
    """The name and the shapes of a weight."""
    name, file, model = (fault.figures.get(each) for each in ("weights", "file", "model"))
    if isinstance(name, str) and isinstance(file, tuple) and isinstance(model, tuple):
        return _Weight(name, file, model)  # type: ignore[arg-type]
    return None


def _differing(weight: _Weight) -> list[tuple[int, int]]:
    """The sizes of the file and the model on the axes on which they differ."""
    if len(weight.file) != len(weight.model):
        return []
    pairs = zip(weight.file, weight.model, strict=True)
    return [(a, b) for a, b in pairs if a != b and isinstance(a, int) and isinstance(b, int)]


def _what(pairs: Counter[tuple[int, int]]) -> str:
    """What the sizes of all the weights have in common, or else the commonest ones."""
    if not pairs:
        return "they have more axes, or fewer"
    [((file, model), _), *_] = pairs.most_common(1)
    if any(a * model != b * file for a, b in pairs):
        return "mostly " + ", ".join(f"{a:,} and {b:,}" for (a, b), _ in pairs.most_common(2))
    if len(pairs) > 1:
        file, model = min(pairs)
        return f"the file is {file:,} wide, the model {model:,}"
    heads = _head(file), _head(model)
    if _OF_COCO in (file, model) and all(heads):
        return f"{file} and {model} are {heads[0]} and {heads[1]}"
    return f"the file has {file:,} on one axis, the model {model:,}"


def _head(channels: int) -> str:
    """The channels of a detector's head by its anchors and classes; empty if it is none."""
    classes, rest = divmod(channels, 3)
    classes -= _FOR_A_BOX
    return f"3 x ({classes} + {_FOR_A_BOX})" if classes > 0 and not rest else ""


def _cure(pairs: Counter[tuple[int, int]], weights: Sequence[_Weight]) -> str:
    """What to do about it."""
    if len(pairs) == 1 and len(weights) <= _SAME_HEAD:
        return "leave these weights out of the state dict, and load it with strict=False"
    return "build the model with the configuration that the file was saved with"
