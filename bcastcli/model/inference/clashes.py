"""Why a node's shapes are impossible: `operators.fits` applied to onnx's messages."""

from collections.abc import Collection, Iterable
from math import prod
from typing import Any

import onnx.helper

from bcastcli.model.inference.folding import Scope
from bcastcli.model.inference.protos import DOMAINS, elements, shape
from bcastcli.model.inference.sequences import elements_of
from bcastcli.operators.fits import CHECKED, Clash, fits


def clash(node: Any, scope: Scope, opset: int) -> Clash | None:
    """Return why a node's shapes are impossible; None if they may be right."""
    operator = name_of(node)
    if operator not in CHECKED:
        return None
    inputs = list(node.input)
    if node.op_type == "ConcatFromSequence":
        inputs = elements_of(inputs[0], scope.types)
    found = fits(
        operator,
        [shape(scope.types.get(name)) if name else None for name in inputs],
        {each.name: _plain(onnx.helper.get_attribute_value(each)) for each in node.attribute},
        [_integers(scope.constants.get(name)) for name in inputs],
        inputs,
        opset,
        len(node.output),
        by_rule=False,  # nodes that broadcast are listed with their questions
    )
    return next(found, None)


def fixed_sizes(
    node: Any, found: Clash, siblings: Iterable[Any], scope: Scope, constants: Collection[str]
) -> str:
    """Return which constant sizes behind an input may be at fault; empty if unknown.

    These are in a Concat that makes a Reshape's target, or of what an Expand stretches; both are
    among its siblings, the nodes of its graph.
    """
    place = 1 if node.op_type == "Reshape" else next(iter(found.operands), len(node.input))
    name = node.input[place] if place < len(node.input) else ""
    for maker in siblings if name else ():
        if name in maker.output and maker.op_type == "Concat" and node.op_type == "Reshape":
            return _in_target(scope.types.get(node.input[0]), maker, scope, constants)
        if name in maker.output and maker.op_type == "Expand" and maker.input[0] in constants:
            ranks = [len(shape(scope.types.get(each)) or ()) for each in (name, maker.input[0])]
            axis = -1 if found.axis is None else found.axis - ranks[0] + ranks[1]
            size = (shape(scope.types.get(maker.input[0])) or [])[axis] if axis >= 0 else 1
            return "" if size == 1 else f"the {size} on axis {axis} of {maker.input[0]}, a constant"
    return ""


def _in_target(given: Any, maker: Any, scope: Scope, constants: Collection[str]) -> str:
    """Return the constant sizes with another number for which the target of a Reshape would fit."""
    count, there = elements(given), shape(given) or []
    pieces = [(_integers(scope.constants.get(name)), name in constants) for name in maker.input]
    sizes = [(size, is_fixed) for values, is_fixed in pieces for size in values or ()]
    wanted = prod(size for size, _ in sizes if size > 0)
    fixed = [size for size, is_fixed in sizes if is_fixed and size > 1]
    fitting = [size for size in fixed if count is not None and count % (wanted // size) == 0]
    fitting = [size for size in fitting if size not in there] or fitting
    if not fitting or any(values is None for values, _ in pieces):
        return ""
    sizes_there = " or ".join(dict.fromkeys(map(str, fitting)))
    return f"the {sizes_there} of its target, a constant of {maker.name or maker.output[0]}"


def name_of(node: Any) -> str:
    """Return the operator of a node, with its domain if that is not ONNX's."""
    # Of a damaged file a name may be bytes.
    return str(node.op_type) if node.domain in DOMAINS else f"{node.domain}::{node.op_type}"


def _plain(value: Any) -> Any:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _integers(array: Any) -> list[int] | None:
    """Return the values of an array; None unless they are known integers."""
    if array is None or array.dtype.kind not in "iu":
        return None
    values: list[int] = array.flatten().tolist()
    return values
