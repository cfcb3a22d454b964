"""One node: whether it fits, what it asks, and the shapes or the values of its outputs.

The modules are model/inference: walk.py, asking.py, known.py and single.py.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bcastcli.model import nodes
from bcastcli.model.inference import reading
from bcastcli.model.inference.protos import shape
from bcastcli.model.inference.walk import Walk
from bcastcli.model.nodes import Model
from bcastcli.operators import questions
from tests.model_files import model_of_line
from tests.rows import keep, node_line


def lines_of(line: str) -> Iterator[str]:
    """Yield how a node stands, unless it was checked and fits, and each of its outputs."""
    outputs = [f"o{place}" for place in range(node_line(line)[2].get("outputs", 1))]
    data, _ = model_of_line(line)
    [(proto, known)] = reading.read(data, {})
    walk = Walk(proto, known)
    yield from _standing(walk.model())
    for each in outputs:
        if each in walk.scope.constants:
            yield str(walk.scope.constants[each].tolist())
        elif each not in walk.scope.behind:
            sizes = shape(walk.scope.types.get(each))
            yield "?" if sizes is None else f"({', '.join(map(str, sizes))})"


def _standing(model: Model) -> Iterator[str]:
    for each in model.nodes:
        yield f"asks {questions.line(nodes.answer(each).question)}"
    if model.open:
        yield "open"
    if model.unchecked:
        yield "not checked"
    for stop in model.stops:
        yield f"fails: {stop.message}"
        yield from stop.fixed


def test_one_node(pytestconfig: pytest.Config) -> None:
    """A list of numbers is the values, where the inputs have them; else it is a shape."""
    assert keep(Path(__file__).with_name("shapes.txt"), pytestconfig, lines_of)
