"""Shapes that a Loop carries from one iteration to the next: kept if an iteration preserves them.

The shapes before the first iteration are assumed for every iteration; those that the end of an
iteration contradicts are dropped, until none is contradicted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bcastcli.model.inference.clashes import clash
from bcastcli.model.inference.folding import Folding, Scopes
from bcastcli.model.inference.protos import UNKNOWN, Dims, common, set_shape, shape, walk

Carried = Mapping[tuple[str, int], Dims]
"""The shapes assumed for the inputs of loop bodies, by the path of a body and the input's place."""


def declare(graph: Any, carried: Carried) -> None:
    """Declare the shapes of what loops carry."""
    for _, _, there, inner in walk(graph):
        for number, value in enumerate(inner.input):
            if (there, number) in carried:
                set_shape(value.type, carried[there, number])


def initial_shapes(graph: Any, scopes: Scopes) -> dict[tuple[str, int], Dims]:
    """Return the shapes of what loops carry before the first iteration."""
    firsts = ((key, first) for key, first, _ in _carried(graph, scopes) if first is not None)
    return {
        key: [UNKNOWN if isinstance(size, str) else size for size in first] for key, first in firsts
    }


def invariant_shapes(
    graph: Any, folding: Folding, carried: Carried, opset: int
) -> dict[tuple[str, int], Dims]:
    """Return the assumptions that hold before the first iteration and after each."""
    found = {}
    scopes = folding.scopes
    failing = {
        there
        for *_, there, inner in walk(graph)
        if there in scopes and any(clash(each, scopes[there], opset) for each in inner.node)
    }
    for key, first, after in _carried(graph, scopes):
        body, _ = key
        # There is no second iteration where the first one fails.
        fails = after is None and any(path.startswith(body) for path, _ in folding.complaints)
        is_last = fails or body in failing
        kept = common(common(carried.get(key), first), first if is_last else after)
        if kept is not None:
            found[key] = kept
    return found


_Change = tuple[tuple[str, int], Dims | None, Dims | None]


def _carried(graph: Any, scopes: Scopes) -> Iterator[_Change]:
    """Yield each value that a loop carries, with its shapes before and after an iteration."""
    for path, node, there, body in walk(graph):
        if node.op_type == "Loop" and there in scopes:  # else it never runs
            # A count and a condition are its first inputs; the body's outputs begin with one.
            ends = zip(node.input[2:], body.output[1:], body.input[2:], strict=False)
            for number, (outer, inner, _) in enumerate(ends, 2):
                before = shape(scopes[path].types.get(outer))
                after = shape(scopes[there].types.get(inner.name))
                yield (there, number), before, after
