"""TensorFlow's messages. The operator decides: several that do not broadcast use the words."""

import re

from bcastcli.why.messages import fields
from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.reading import MATMUL, Found, Reading

_PARTIAL = re.compile(
    r"[^\[]{0,10}and with input tensors computed as partial shapes: input\[1\] = (\[[^\]]{0,300}\])"
)
_OP = re.compile(r"[^\[]{0,20}\[Op:([A-Za-z]\w{0,60})\]", re.IGNORECASE)
_NODE = re.compile(
    r" ?(?:\[Op:\w{1,60}\] ?)?\[\[ ?(?:\{\{node ([^\s}]{1,200})\}\}|node:? ([^\s\]]{1,200}))",
    re.IGNORECASE,
)


def behind(reading: Reading, found: Found) -> Reading | None:
    """Read the operator and the node after the message."""
    after = found.after
    op, node = _OP.match(after), _NODE.match(after)
    if op and not op[1].startswith("__"):
        reading = reading._replace(operation=op[1])
    if node:
        reading = reading._replace(node=node[1] or node[2])
    operator = (reading.operation or "").lower()
    rule = catalogue().rules["tensorflow"].get(operator)
    # einsum has reshaped and transposed the matrices before.
    if rule == "none" or (operator == "einsum" and reading.rule == MATMUL):
        return None
    if operator == "broadcastto" and reading.shapes:
        source, target = reading.shapes
        return reading._replace(rule="onnx-uni").named("target", "source", shapes=(target, source))
    return reading._replace(rule=MATMUL) if rule == MATMUL else reading


def by_operator(reading: Reading, found: Found) -> Reading | None:
    """Derive the rule from the operator."""
    operator = (reading.operation or "").lower()
    rule = catalogue().rules["tensorflow"].get(operator)
    if operator == "einsum":  # the message has neither the axes that clash nor their letter
        return reading.named(shapes=None)._replace(rule="none")
    if operator == "broadcastto":
        return _to_partial_shape(reading, found)
    if rule == MATMUL:
        is_transposed = re.search("(?:transpose_|adj_)[abxy]=true", found.match[0])
        caveats = ("transposed",) if is_transposed else ()
        return reading._replace(rule=MATMUL, caveats=caveats)
    return reading if rule == "numpy" else None


def _to_partial_shape(reading: Reading, found: Found) -> Reading:
    """Read the shape to broadcast to, which is a value and not the shape of an input."""
    target = _PARTIAL.match(found.after)
    shape = fields.shape(target[1]) if target else None
    shapes = (shape, reading.shapes[0]) if shape is not None and reading.shapes else None
    names = ("target", "source") if shapes else ()
    return reading.named(*names, shapes=shapes)._replace(rule="onnx-uni")
