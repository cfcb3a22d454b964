"""Sizes to propose for open ones: unequal, and greater than 1."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count

from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.model.nodes import Given, Model

_LARGE = 448
"""A size that windows, patches and the strides of most models divide."""
_WAYS = ((False, 1), (True, 1), (True, _LARGE), (True, 0))


def proposals(model: Model, wanted: Mapping[str, int] | None = None) -> Iterator[Given]:
    """Yield a number for each size; then one for all sizes that are in one place of their inputs.

    Sizes without a name have one for each place from the start: inputs are often alike. After these
    come large numbers behind the first axis, as pictures need them, unequal and then equal. Sizes
    that are wanted have their numbers.
    """
    if not model.sizes and not model.open_inputs:
        return
    nodes = (*model.nodes, *(each.node for each in model.stops))
    pairs = (pair for each in nodes for pair in zip(each.inputs, each.constant, strict=False))
    taken = {size for shape, kind in pairs if kind for size in shape or ()} | {*model.taken}
    before: Given = {}
    for by_place, step in _WAYS:
        small = (number for number in count(2) if number not in taken)
        first = others = defaultdict[Size, int](partial(next, small))
        if step != 1:
            others = defaultdict(partial(next, count(_LARGE, step)))
        places = {name: model.places.get(name, 0) for name in model.sizes}
        values = {
            name: (others if place else first)[place if by_place else name]
            for name, place in places.items()
        }
        values |= wanted or {}
        given: dict[str, Shape] = {name: (size,) for name, size in values.items()}
        for name, shape in model.open_inputs.items():
            given[name] = tuple(
                (others if place else first)[place]
                if size == UNKNOWN
                else values.get(str(size), size)
                for place, size in enumerate(shape)
            )
        if given != before:
            yield given
        before = given
