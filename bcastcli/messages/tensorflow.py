"""TensorFlow's messages. The operator decides: several that do not broadcast use the words."""

import re

from bcastcli.messages.catalogue import catalogue
from bcastcli.messages.reading import MATMUL, Found, Reading

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
    if rule == "none":
        return None
    if operator == "broadcastto" and reading.shapes:
        source, target = reading.shapes
        return reading._replace(rule="onnx-uni").named("target", "source", shapes=(target, source))
    return reading._replace(rule=MATMUL) if rule == MATMUL else reading


def by_operator(reading: Reading, found: Found) -> Reading | None:
    """Derive the rule from the operator."""
    rule = catalogue().rules["tensorflow"].get((reading.operation or "").lower())
    if rule == MATMUL:
        is_transposed = re.search("(?:transpose_|adj_)[abxy]=true", found.match[0])
        caveats = ("transposed",) if is_transposed else ()
        return reading._replace(rule=MATMUL, caveats=caveats)
    return reading if rule == "numpy" else None
