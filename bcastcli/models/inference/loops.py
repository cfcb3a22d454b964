"""Shapes that a Loop carries from one iteration to the next: kept if an iteration preserves them.

The shapes before the first iteration are assumed for every iteration; those that the end of an
iteration contradicts are dropped, until none is contradicted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bcastcli.models.inference.constraints import clash
from bcastcli.models.inference.folding import Complaints, Scopes
from bcastcli.models.inference.protos import UNKNOWN, Dims, inner_path, set_shape, shape, subgraphs

Carried = Mapping[tuple[str, int], Dims]
"""The shapes assumed for the inputs of loop bodies, by the path of a body and the input's place."""

_COUNTER_AND_CONDITION = 2
"""The inputs of a Loop, and of its body, before those that it carries."""


def declare(graph: Any, carried: Carried, path: str = "") -> None:
    """Declare the shapes of what loops carry."""
    for place, node in enumerate(graph.node):
        for attribute, inner in subgraphs(node):
            there = inner_path(path, place, attribute)
            for number, value in enumerate(inner.input):
                if (there, number) in carried:
                    set_shape(value.type, carried[there, number])
            declare(inner, carried, there)


def initial_shapes(graph: Any, scopes: Scopes) -> dict[tuple[str, int], Dims]:
    """Return the shapes of what loops carry before the first iteration."""
    return {
        key: [UNKNOWN if isinstance(size, str) else size for size in first]
        for key, first, _ in _carried(graph, scopes)
        if first is not None
    }


def invariant_shapes(
    graph: Any, scopes: Scopes, complaints: Complaints, carried: Carried, opset: int
) -> dict[tuple[str, int], Dims]:
    """Return the assumptions that hold before the first iteration and after each."""
    found = {}
    failing = set(_failing(graph, scopes, opset))
    for key, first, after in _carried(graph, scopes):
        body, _ = key
        # There is no second iteration where the first one fails.
        fails = after is None and any(path.startswith(body) for path, _ in complaints)
        is_last = fails or body in failing
        kept = _common(_common(carried.get(key), first), first if is_last else after)
        if kept is not None:
            found[key] = kept
    return found


def _failing(graph: Any, scopes: Scopes, opset: int, path: str = "") -> Iterator[str]:
    """Yield the paths of the bodies in which the shapes of a node cannot be."""
    for place, node in enumerate(graph.node):
        for attribute, inner in subgraphs(node):
            there = inner_path(path, place, attribute)
            if there in scopes:
                if any(clash(each, scopes[there], opset) for each in inner.node):
                    yield there
                yield from _failing(inner, scopes, opset, there)


def _carried(
    graph: Any, scopes: Scopes, path: str = ""
) -> Iterator[tuple[tuple[str, int], Dims | None, Dims | None]]:
    """Yield each value that a loop carries, with its shapes before and after an iteration."""
    for place, node in enumerate(graph.node):
        for attribute, body in subgraphs(node):
            there = inner_path(path, place, attribute)
            if there not in scopes:  # it never runs
                continue
            if node.op_type == "Loop":
                first = node.input[_COUNTER_AND_CONDITION:]
                after = body.output[1:]  # past the condition
                count = len(body.input) - _COUNTER_AND_CONDITION
                for number, (outer, inner) in enumerate(zip(first, after, strict=False)):
                    if number < count:
                        yield (
                            (there, number + _COUNTER_AND_CONDITION),
                            shape(scopes[path].types.get(outer)),
                            shape(scopes[there].types.get(inner.name)),
                        )
            yield from _carried(body, scopes, there)


def _common(one: Dims | None, other: Dims | None) -> Dims | None:
    """Return the sizes on which two shapes agree; None if their ranks differ."""
    if one is None or other is None or len(one) != len(other):
        return None
    return [size if size == its else UNKNOWN for size, its in zip(one, other, strict=True)]
