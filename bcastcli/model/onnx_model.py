"""ONNX models, read in two steps: without the weights, then shapes in a separate process."""

import json  # noqa: TID253  # this module is loaded only where an ONNX model is read
from collections.abc import Mapping, Sequence
from itertools import starmap
from math import prod
from typing import Any

from bcastcli.model import processes, wire
from bcastcli.model.inference import MAX_COMBINATIONS
from bcastcli.model.nodes import Contradiction, Given, Model, ModelError, Node, Stop, UnknownName


def read(data: memoryview, given: Given, operators: Sequence[str]) -> list[Model]:
    """Return an ONNX model with those of its nodes that are among the operators.

    Where sizes are given several values, there is a model for each combination, in order. Raise
    ModelError if it is not a model, or its shapes cannot be inferred.
    """
    options = {"operators": list(operators), "given": given}
    stripped = wire.strip(data)
    most = min(MAX_COMBINATIONS, prod(max(1, len(each)) for each in given.values()))
    models: list[Model] = []
    combinations: Sequence[Any] = []
    is_careful = False
    while not combinations or len(models) < len(combinations):
        asked = {**options, "start": len(models), "is_careful": is_careful}
        try:
            lines, failure = _infer(json.dumps(asked).encode() + b"\n" + stripped, most), None
        except processes.Failure as error:
            lines, failure = error.lines, error
        for line in lines:
            combinations = line.get("combinations", combinations)
            _take(line, models)
        is_left = len(models) < max(1, len(combinations))
        if failure and is_left and (is_careful or not failure.is_crash):
            if len(combinations) < 2:
                raise failure
            problem = str(failure)
            models.append(Model("onnx", [], chosen=combinations[len(models)], problem=problem))
        is_careful = bool(failure) and not is_careful
    return models


def _take(line: Mapping[str, Any], models: list[Model]) -> None:
    """Add the content of a line from the process; raise ModelError if it reports a failure."""
    if "unknown" in line:
        raise UnknownName(*_frozen(line["unknown"]))
    if "error" in line:
        raise ModelError(line["error"])
    if "model" in line:
        models.append(_model(line["model"]))


def _infer(request: bytes, most: int) -> Sequence[Any]:
    """Return the output of the process that infers shapes; raise Failure if it fails.

    The time limit is multiplied by the number of models, up to a maximum.
    """
    limited = processes.limits(len(request))
    without = "reading ONNX needs: pip install 'bcastcli[onnx]'"
    return processes.run("bcastcli.model.inference", [], request, limited, without, most)


def _model(fields: Sequence[Any]) -> Model:
    """Return the model that the process wrote; JSON has lists instead of tuples."""
    model = Model(*map(_frozen, fields))
    return model._replace(
        nodes=[_node(*each) for each in model.nodes],
        stops=[each._replace(node=_node(*each.node)) for each in starmap(Stop, model.stops)],
    )


def _node(*fields: Any) -> Node:
    node = Node(*fields)
    return node._replace(contradictions=tuple(starmap(Contradiction, node.contradictions)))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
