"""What a node asks: the question of one that broadcasts, or why its shapes are impossible."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from math import prod
from typing import Any, NamedTuple

from bcastcli.core.rule import Value
from bcastcli.core.shapes import UNKNOWN, written
from bcastcli.model.inference import known
from bcastcli.model.inference.protos import (
    DOMAINS,
    Dims,
    Scope,
    attributes,
    elements,
    is_named,
    name_of,
    shape,
)
from bcastcli.model.nodes import Node
from bcastcli.operators.equations import CHECKED, clashes
from bcastcli.operators.facts import Clash, Facts
from bcastcli.operators.questions import ATTRIBUTES
from bcastcli.operators.table import table

_WITH_TARGET = ("Expand", "Reshape")
"""Operators whose second input is a shape."""


class Question(NamedTuple):
    """The question of a node that broadcasts."""

    name: str
    """The operator of ONNX, or the rule, that answers."""
    names: Sequence[str]
    """The names of its inputs."""
    shapes: Sequence[Dims | None]
    options: Mapping[str, Value]


def question(node: Any, scope: Scope) -> Question | None:
    """The question of a node; None if it does not broadcast."""
    rule = known.rule(node)
    if rule is None and (node.domain not in DOMAINS or node.op_type not in table()):
        return None
    given = attributes(node)
    names = [name for name in node.input if name]
    if rule:
        names = [node.input[place] for place in rule.places if place < len(node.input)]
    shapes = shapes_of(node, names, scope)
    if node.op_type == "Expand" and len(names) == 2 and names[1] not in scope.constants:
        made = scope.types.get(node.output[0])  # onnx may know the names of the target's sizes
        shapes[1] = shape(made) if is_named(made) else None
    for place, side in enumerate("AB" if node.op_type == "FusedMatMul" else ""):
        sizes = shapes[place]
        if given.get(f"trans{side}") and sizes is not None and len(sizes) > 1:
            names[place], shapes[place] = f"{names[place]}.T", [*sizes[:-2], sizes[-1], sizes[-2]]
    options = {option: given[name] for name, option in ATTRIBUTES.items() if name in given}
    if "equation" in options:
        options["equation"] = "".join(str(options["equation"]).split())
    return Question(rule.name if rule else node.op_type, names, shapes, options)


def shapes_of(node: Any, names: Sequence[str], scope: Scope) -> list[Dims | None]:
    """The shapes of inputs; of a target that is known, the sizes that it holds."""
    shapes = [scope.shape(name) if name else None for name in names]
    if node.op_type in _WITH_TARGET and len(names) > 1 and names[1] in scope.constants:
        target = scope.constants[names[1]].flatten().tolist()
        shapes[1] = [UNKNOWN if size < 0 else size for size in target]
    return shapes


def clash(node: Any, scope: Scope, opset: int) -> Clash | None:
    """Why a node's shapes are impossible; None if they may be right."""
    operator = name_of(node)
    inputs = list(node.input)
    if operator not in CHECKED:
        return None
    shapes = [scope.shape(name) if name else None for name in inputs]
    values = [_integers(scope.constants.get(name)) for name in inputs]
    given = operator, shapes, attributes(node), inputs, opset, len(node.output), values
    return next(clashes(Facts(*given)), None)


_WITH_WEIGHTS = ("Conv", "ConvTranspose", "Gemm", "MatMul")
"""Operators with weights, which fix sizes on purpose."""


def fixed(shown: Node, clash: Clash, siblings: Iterable[Any], scope: Scope) -> list[str]:
    """Notes on the sizes at fault that the file fixes; siblings are the nodes of its graph."""
    constants = [*compress(shown.names, shown.constant)]
    if shown.operator == "Reshape" and len(shown.names) == 2:
        data, target = shown.names
        if target not in constants:
            return _fixed_in_target(data, target, siblings, scope)
        sizes = shown.inputs[1]
        if data not in constants and sizes is not None:
            text = written(sizes).replace(UNKNOWN, "-1")
            return [f"the target shape {text} is a constant, fixed at export"]
    if shown.operator in _WITH_WEIGHTS or len(constants) == len(shown.names) or clash.axis is None:
        return []
    notes = []
    rank = max(len(shape or ()) for shape in shown.inputs)
    for place in clash.operands:
        if place >= len(shown.names):  # an attribute of old opsets, which is an input now
            continue
        name, shape = shown.names[place], shown.inputs[place] or ()
        axis = clash.axis - rank + len(shape)
        if name in constants and axis >= 0:
            what = f"the {shape[axis]} on axis {axis} of {name}"
            notes.append(f"{what} is a constant, fixed at export")
    return notes


def _fixed_in_target(data: str, target: str, siblings: Iterable[Any], scope: Scope) -> list[str]:
    """A note on the constant in a Concat that makes a target, with which another would fit."""
    maker = next((each for each in siblings if target in each.output), None)
    shape, count = scope.shape(data) or [], elements(scope.types.get(data))
    if maker is None or maker.op_type != "Concat" or count is None:
        return []
    sizes, constants = [], []
    for name in maker.input:
        values = _integers(scope.constants.get(name))
        if values is None:
            return []
        positive = [size for size in values if size > 0]
        sizes += positive
        if name in scope.fixed:
            constants += [size for size in positive if size not in shape]
    fitting = {size for size in constants if count % (prod(sizes) // size) == 0}
    where = f"in the target shape is a constant (from {maker.name or maker.output[0]})"
    return [f"the {size} {where}, fixed at export" for size in fitting if len(fitting) == 1]


def _integers(array: Any) -> list[int] | None:
    """The values of an array; None unless they are known integers."""
    if array is None or array.dtype.kind not in "iu":
        return None
    values: list[int] = array.flatten().tolist()
    return values
