"""Checks that a graph can run: each value is written once, and before it is read."""

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from typing import Any

from bcastcli.model.inference.protos import subgraphs
from bcastcli.model.nodes import ModelError


def check(graph: Any) -> None:
    """Put the nodes of a model's graph in the order of execution; raise ModelError if it has none.

    ONNX Runtime sorts them as well, though not those of the graphs within.
    """
    _sort(graph)
    _check(graph, frozenset())


def _given(graph: Any) -> set[str]:
    """Return the names of the values that a graph has before its first node."""
    sparse = (each.values for each in graph.sparse_initializer)
    return {each.name for each in (*graph.input, *graph.initializer, *sparse)}


def _read(node: Any) -> set[str]:
    """Return the names of the values that a node reads, and graphs within it of those around."""
    return {*node.input}.union(*(_free(inner) for _, inner in subgraphs(node)))


def _free(graph: Any) -> set[str]:
    names = {value.name for value in graph.output}.union(*map(_read, graph.node))
    return names - _given(graph) - {name for node in graph.node for name in node.output}


def _sort(graph: Any) -> None:
    makers = {name: place for place, node in enumerate(graph.node) for name in node.output if name}
    made = makers.keys() - _given(graph)
    needs = {
        place: {makers[name] for name in _read(each) & made}
        for place, each in enumerate(graph.node)
    }
    if all(max(each, default=-1) < place for place, each in needs.items()):
        return
    try:
        nodes = [graph.node[place] for place in TopologicalSorter(needs).static_order()]
    except CycleError as error:
        label = _label(graph.node[min(error.args[1])])
        raise ModelError(f"this graph cannot run: {label} needs itself") from error
    del graph.node[:]
    graph.node.extend(nodes)


def _check(graph: Any, around: Iterable[str]) -> None:
    known = {*around, *_given(graph)}
    for node in graph.node:
        for name in filter(None, node.input):
            if name not in known:
                fault = f"{_label(node)} reads {name}, which nothing produces"
                raise ModelError(f"this graph cannot run: {fault}")
        for _, inner in subgraphs(node):
            _check(inner, known)
        for name in filter(None, node.output):
            if name in known:
                fault = f"{_label(node)} writes {name}, which exists already"
                raise ModelError(f"this graph cannot run: {fault}")
            known.add(name)
    for value in graph.output:
        if value.name not in known:
            raise ModelError(f"this graph cannot run: nothing produces its output {value.name}")


def _label(node: Any) -> str:
    return f"{node.name or next(iter(node.output), '')} ({node.op_type})"
