"""Nodes of a model as lines: each asks what its node does."""

from bcastcli.core.shapes import UNKNOWN_RANK, written
from bcastcli.models.nodes import Node
from bcastcli.operators.legacy import OnnxLegacy
from bcastcli.operators.table import counting, history
from bcastcli.rules import RULES

NOT_ASKED = "-"
"""The end of a line that cannot be asked: it is no shape."""
_IDENTICAL = "none"
_COUNTS = {"MatMulInteger": 2}
"""The number of inputs that broadcast, for operators that have others besides."""


def line(node: Node) -> str:
    """Return the line that asks what a node asks, and that the same node in a file comes to.

    >>> line(Node("Multiply", "Mul", ((2, 3), (3,)), "y", "y"))
    'Mul 2,3 3'
    """
    inputs = node.inputs[: _COUNTS.get(node.asked)]
    is_open = bool(node.undecidable)
    shapes = [UNKNOWN_RANK if each is None or is_open else each for each in inputs]
    name, options = _question(node)
    settings = (f"{option}={int(value)}" for option, value in options.items())
    marks = (NOT_ASKED,) if node.problem else ()
    return " ".join((name, *map(written, shapes), *settings, *marks))


def _question(node: Node) -> tuple[str, dict[str, int]]:
    """Return the operator or the rule that answers, and what stands on the line besides shapes."""
    options = {name: value for name, value in node.options.items() if name != "broadcast"}
    if node.asked in RULES:
        return node.asked, options
    versions = history(node.asked)
    version = counting(versions, node.opset)
    is_legacy = version is not None and version.rule == OnnxLegacy.name
    if is_legacy and not node.options.get("broadcast") and node.asked != "Gemm":
        return _IDENTICAL, {}
    known = _OPTIONS.get(node.asked, ("axis",) if is_legacy else ())
    options = {name: value for name, value in options.items() if name in known}
    if version != versions[-1] and node.opset:
        options["opset"] = node.opset
    return node.asked, options


_OPTIONS = {
    "Gemm": ("trans_a", "trans_b"),
    "MatMul": ("trans_a", "trans_b"),
    "LayerNormalization": ("axis",),
    "RMSNormalization": ("axis",),
}
