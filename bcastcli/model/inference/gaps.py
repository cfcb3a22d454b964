"""Results that inference leaves open, and unchecked operators."""

from typing import Any

import onnx

from bcastcli.model.inference import further
from bcastcli.model.inference.clashes import name_of
from bcastcli.model.inference.folding import Scope
from bcastcli.model.inference.protos import DOMAINS, is_static
from bcastcli.model.inference.sequences import elements_of
from bcastcli.operators.fits import CHECKED

_CONTROL = frozenset({"If", "Loop", "Scan", "Constant"})
_SIZED_BY_VALUES = frozenset(
    {
        *("Compress", "ConstantOfShape", "NonZero", "OneHot", "Range", "Resize", "StringSplit"),
        *("StringNormalizer", "TensorScatter", "Unique", "Upsample"),
    }
)
"""Operators that take arrays of any shape, and whose results are sized by values."""


def leaves_open(node: Any, scope: Scope) -> bool:
    """Return whether sizes of a node's outputs are open, though those of its inputs are known."""
    types = scope.types
    made = [types.get(name) for name in node.output if name]
    if all(is_static(each) or (each and not each.HasField("tensor_type")) for each in made):
        return False
    return all(is_static(types.get(name)) for name in node.input if name)


def is_unchecked(node: Any, scope: Scope, opset: int) -> bool:
    """Return whether a node's shapes can be neither confirmed nor refused.

    The table of operators lacks it, and inference does not know its result.
    """
    if node.op_type == "ConcatFromSequence" and not elements_of(node.input[0], scope.types):
        return True  # of unknown arrays
    if name_of(node) in CHECKED or further.is_known(node) or further.asked(node):
        return False
    if node.domain not in DOMAINS:
        return node.domain != further.CLASSIC or leaves_open(node, scope)
    if node.op_type in _CONTROL:
        return False
    try:
        onnx.defs.get_schema(node.op_type, opset, "")
    except (onnx.defs.SchemaError, TypeError):  # an unknown operator, or a name that is not text
        return True
    return node.op_type not in _SIZED_BY_VALUES and leaves_open(node, scope)
