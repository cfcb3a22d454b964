"""ONNX's shape inference, which ONNX Runtime runs as well. It has no shapes: the node decides."""

import re

from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.reading import Found, Reading

_NODES = (
    (
        "(op_type:",
        re.compile(
            r"\(op_type: ?(?P<operator>\w{1,80})(?:, node name: ?(?P<name>[^()\s]{0,200}))?\):"
        ),
    ),
    ("Node (", re.compile(r"Node \((?P<name>[^()]{0,200})\) Op \((?P<operator>\w{1,80})\)")),
)
MAX_REACH = 1500
"""The most characters between a message and its node."""
_RUNTIME = ("ONNXRuntimeError", "onnxruntime", ") Op (")


def rule_of(operator: str | None) -> str | None:
    """Return the rule of an operator, None if it does not broadcast; ONNX's if none is named."""
    return "onnx" if operator is None else catalogue().rules["onnx"].get(operator)


def node(reading: Reading, found: Found) -> Reading | None:
    """Read the innermost node, and derive the rule from its operator."""
    nodes = [found.last(words, pattern, MAX_REACH) for words, pattern in _NODES]
    innermost = max((each for each in nodes if each), key=lambda each: each.start(), default=None)
    operator, name = (innermost["operator"], innermost["name"]) if innermost else (None, None)
    before = found.before[-MAX_REACH:]
    is_runtime = any(words in before for words in _RUNTIME)
    rule = reading.rule if operator is None else rule_of(operator)
    if rule is None:
        return None
    return reading._replace(
        framework=("onnxruntime",) if is_runtime else ("onnx",),
        rule=rule,
        operation=operator or reading.operation,
        node=name or None,
    )
