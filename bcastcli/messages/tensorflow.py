"""TensorFlow's messages. The operator decides: several that do not broadcast use the words."""

import re

from bcastcli.messages.reading import MATMUL, Found, Reading

_OP = re.compile(r"[^\[]{0,20}\[Op:([A-Za-z]\w{0,60})\]", re.IGNORECASE)
_NODE = re.compile(
    r" ?(?:\[Op:\w{1,60}\] ?)?\[\[ ?(?:\{\{node ([^\s}]{1,200})\}\}|node:? ([^\s\]]{1,200}))",
    re.IGNORECASE,
)
_PRODUCTS = {"matmul", "batchmatmul", "batchmatmulv2", "batchmatmulv3", "sparsematmul"}
_OTHERS = {"biasadd", "assign", "assignadd", "assignsub", "concat", "concatv2", "addn", "pack"}
_BROADCAST = {
    *("add", "addv2", "sub", "mul", "div", "realdiv", "floordiv", "truncatediv", "divnonan"),
    *("mod", "floormod", "truncatemod", "pow", "maximum", "minimum", "squareddifference"),
    *("mulnonan", "xdivy", "xlogy", "xlog1py", "atan2", "complex", "equal", "notequal"),
    *("greater", "greaterequal", "less", "lessequal", "logicaland", "logicalor", "selectv2"),
    *("bitwiseand", "bitwiseor", "bitwisexor", "leftshift", "rightshift", "approximateequal"),
    *("nextafter", "igamma", "igammac", "zeta", "polygamma", "broadcastargs", "gcd", "lcm"),
    "broadcastgradientargs",
}


def behind(reading: Reading, found: Found) -> Reading | None:
    """Read the operator and the node that stand behind the message."""
    after = found.after
    op, node = _OP.match(after), _NODE.match(after)
    if op and not op[1].startswith("__"):
        reading = reading._replace(operation=op[1])
    if node:
        reading = reading._replace(node=node[1] or node[2])
    operator = (reading.operation or "").lower()
    if operator in _OTHERS:
        return None
    if operator == "broadcastto" and reading.shapes:
        source, target = reading.shapes
        return reading._replace(rule="onnx-uni").named("target", "source", shapes=(target, source))
    return reading._replace(rule=MATMUL) if operator in _PRODUCTS else reading


def by_operator(reading: Reading, found: Found) -> Reading | None:
    """Read the rule off the operator."""
    operator = (reading.operation or "").lower()
    if operator in _PRODUCTS:
        is_transposed = re.search("(?:transpose_|adj_)[abxy]=true", found.match[0])
        caveats = ("transposed",) if is_transposed else ()
        return reading._replace(rule=MATMUL, caveats=caveats)
    return reading if operator in _BROADCAST else None
