"""ONNX Runtime's messages. It prints the smaller size first, whichever operand has it."""

import re

from bcastcli.why.messages import fields
from bcastcli.why.messages.onnx import rule_of
from bcastcli.why.messages.reading import MATMUL, Found, Reading

_RUNNING = re.compile(r"running (\w{1,80}) node\. Name: ?'([^'\n]{0,200})'")


def running(reading: Reading, found: Found) -> Reading | None:
    """Read the node that was run, and derive the rule from its operator."""
    node = found.last("running ", _RUNNING, 700)
    if node is None:
        return reading
    rule = rule_of(node[1])
    if rule is None:
        return None
    if reading.rule.startswith("op "):
        rule = reading.rule
    return reading._replace(rule=rule, operation=node[1], node=node[2] or None)


def with_bias(reading: Reading, found: Found) -> Reading:
    """Add the bias where the node has one: otherwise its shape is empty."""
    bias = found.shape("B")
    if not (bias and reading.shapes):
        return reading
    return reading.named(*reading.names, "B", shapes=(*reading.shapes, bias))


def inner(reading: Reading, found: Found) -> Reading:
    """Read the sizes over which Gemm sums: W has N on its other axis, unless it is transposed."""
    weight, columns = found.shape("W") or (), int(found.group("N") or 0)
    if columns not in weight or len(weight) != 2:
        return reading._replace(is_whole=False)
    made = weight[0] if weight[1] == columns else weight[1]
    return reading._replace(sizes=(int(found.group("K") or 0), made), names=("X", "W"))


def side(reading: Reading, found: Found) -> Reading:
    """Tell elementwise operators from the matrix product, which writes no node."""
    left, right = (found.group(name) for name in ("left", "right"))
    shapes = [None if text is None else fields.shape(text) for text in (left, right)]
    if shapes[0] is not None and shapes[1] is not None:
        reading = reading.named("left", "right", shapes=(shapes[0], shapes[1]))
    lead = found.group("who") or ""
    if lead == "Compute":
        reading = reading._replace(rule=MATMUL, operation="MatMul", axis_of="batch")
    elif lead:
        reading = reading._replace(node=lead.removesuffix(":"))
    is_whole = reading.shapes is not None or reading.rule == MATMUL
    return reading._replace(is_whole=is_whole)
