"""ONNX models, read in two steps: without the weights, then shapes in a separate process."""

import json  # noqa: TID253  # this module is loaded only where an ONNX model is read
from collections.abc import Mapping, Sequence
from itertools import starmap
from math import prod
from typing import Any

from bcastcli.model import processes, wire
from bcastcli.model.inference import MAX_COMBINATIONS
from bcastcli.model.nodes import Given, Model, ModelError, Node, Stop, UnknownName


def read(
    data: memoryview, given: Given, operators: Sequence[str], ranges: Sequence[str] = ()
) -> list[Model]:
    """An ONNX model with those of its nodes that are among the operators.

    Where sizes are given several values, there is a model for each combination, in order; `ranges`
    are the names given as `1..8`. Raise ModelError if it is not a model, or its shapes cannot be
    inferred.
    """
    options = {"operators": list(operators), "given": given, "ranges": list(ranges)}
    stripped = wire.strip(data)
    most = min(MAX_COMBINATIONS, prod(max(1, len(each)) for each in given.values()))
    models: list[Model] = []
    combinations: Sequence[Any] = []
    while not combinations or len(models) < len(combinations):
        asked = {**options, "start": len(models)}
        failure = None
        try:
            lines = _infer(json.dumps(asked).encode() + b"\n" + stripped, most)
        except processes.Failure as error:
            lines, failure = error.lines, error
        for line in lines:
            combinations = line.get("combinations", combinations)
            _take(line, models)
        if failure and len(models) < max(1, len(combinations)):
            if len(combinations) < 2:
                raise failure
            models.append(Model(chosen=combinations[len(models)], problem=str(failure)))
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
        nodes=[*starmap(Node, model.nodes)],
        stops=_stops(model.stops),
        possible_stops=_stops(model.possible_stops),
    )


def _stops(fields: Sequence[Any]) -> list[Stop]:
    return [each._replace(node=Node(*each.node)) for each in starmap(Stop, fields)]


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
