"""Graphs within nodes that never run, as a constant decides: a branch not taken, no iteration."""

from collections.abc import Mapping
from typing import Any

_NONE: frozenset[str] = frozenset()


def never_run(node: Any, constants: Mapping[str, Any]) -> frozenset[str]:
    """Return the attributes of the graphs within a node that never run."""
    if node.op_type not in ("If", "Loop") or node.domain not in ("", "ai.onnx"):
        return _NONE
    values = [constants.get(name) for name in node.input[:2]]
    known = [None if each is None or each.size != 1 else each.item() for each in values]
    if node.op_type == "If":
        [condition] = known or [None]
        return _NONE if condition is None else frozenset({_OTHER[bool(condition)]})
    count, condition = (*known, None, None)[:2]
    is_never = condition is False or (count is not None and count <= 0)
    return frozenset({"body"}) if is_never else _NONE


_OTHER = {True: "else_branch", False: "then_branch"}
