"""What a node asks: the question of one that broadcasts, or why its shapes are impossible."""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

from bcastcli.core.rule import Value
from bcastcli.model.inference import known
from bcastcli.model.inference.protos import (
    DOMAINS,
    MADE_UP,
    UNKNOWN,
    Dims,
    Scope,
    attributes,
    elements,
    name_of,
)
from bcastcli.operators.equations import CHECKED, clashes
from bcastcli.operators.facts import Clash, Facts
from bcastcli.operators.questions import ATTRIBUTES
from bcastcli.operators.table import table

_WITH_TARGET = ("Expand", "Reshape")
"""Operators whose second input is a shape."""


class Asked(NamedTuple):
    """The question of a node that broadcasts."""

    name: str
    """The operator of ONNX, or the rule, that answers."""
    names: Sequence[str]
    """The names of its inputs."""
    shapes: Sequence[Dims | None]
    options: Mapping[str, Value]


def question(node: Any, scope: Scope) -> Asked | None:
    """The question of a node; None if it does not broadcast."""
    other = known.asked(node)
    if other is None and (node.domain not in DOMAINS or node.op_type not in table()):
        return None
    given = attributes(node)
    names = [name for name in node.input if name]
    if other:
        names = [node.input[place] for place in other.places if place < len(node.input)]
    shapes = shapes_of(node, names, scope)
    if node.op_type == "Expand" and len(names) == 2 and names[1] not in scope.constants:
        made = scope.shape(node.output[0])  # onnx may know the names of the target's sizes
        if made is not None and any(str(size).startswith((UNKNOWN, MADE_UP)) for size in made):
            made = None
        shapes[1] = made
    for place, side in enumerate("AB" if node.op_type == "FusedMatMul" else ""):
        sizes = shapes[place]
        if given.get(f"trans{side}") and sizes is not None and len(sizes) > 1:
            names[place], shapes[place] = f"{names[place]}.T", [*sizes[:-2], sizes[-1], sizes[-2]]
    options = {option: given[own] for own, option in ATTRIBUTES.items() if own in given}
    if "equation" in options:
        options["equation"] = "".join(str(options["equation"]).split())
    return Asked(other.name if other else node.op_type, names, shapes, options)


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


def fixed_size(node: Any, siblings: Iterable[Any], scope: Scope) -> str:
    """The constant in a Reshape's target with which another number would fit; empty if unknown.

    The target is made by a Concat, which is among its siblings, the nodes of its graph.
    """
    if node.op_type != "Reshape" or len(node.input) < 2:
        return ""
    makers = (each for each in siblings if node.input[1] in each.output)
    maker = next(makers, None)
    if maker is None or maker.op_type != "Concat":
        return ""
    given, count = scope.shape(node.input[0]), elements(scope.types.get(node.input[0]))
    pieces = [(_integers(scope.constants.get(name)), name in scope.kinds) for name in maker.input]
    if given is None or count is None or any(values is None for values, _ in pieces):
        return ""
    sizes = [(size, is_fixed) for values, is_fixed in pieces for size in values or ()]
    wanted = prod(size for size, _ in sizes if size > 0)
    fixed = [size for size, is_fixed in sizes if is_fixed and size > 0]
    fitting = {size for size in fixed if count % (wanted // size) == 0}
    fitting = fitting - {*given} or fitting
    if len(fitting) != 1:
        return ""
    [size] = fitting
    return f"the {size} in the target shape is a constant (from {maker.name or maker.output[0]})"


def _integers(array: Any) -> list[int] | None:
    """The values of an array; None unless they are known integers."""
    if array is None or array.dtype.kind not in "iu":
        return None
    values: list[int] = array.flatten().tolist()
    return values
