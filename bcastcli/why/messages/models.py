"""Code for messages of what runs models from files: the node decides.

ONNX's shape inference, which ONNX Runtime runs as well, OpenVINO and TensorRT.
"""

import re
from collections.abc import Iterator

from bcastcli.core.shapes import Shape
from bcastcli.why.messages import fields
from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.reading import MATMUL, Found, Reading

_NODES = (
    (
        "(op_type:",
        re.compile(
            r"\(op_type: ?(?P<operator>\w{1,80})(?:, node name: ?(?P<name>[^()\s]{0,200}))?\):"
        ),
    ),
    ("Node (", re.compile(r"Node \((?P<name>[^()]{0,200})\) Op \((?P<operator>\w{1,80})\)")),
)
_RUNNING = re.compile(r"running (\w{1,80}) node\. Name: ?'([^'\n]{0,200})'")
MAX_REACH = 1500
"""The most characters between a message and its node."""
_RUNTIME = ("ONNXRuntimeError", "onnxruntime", ") Op (")

_VALIDATED = re.compile(
    r"While validating node '(?:\w{1,20}::)?(\w{1,80}) (\S{1,200}) ?\((.{0,3000}?)\) ?->"
)
_INPUT = re.compile(
    r"(?:\w{1,20}::\w{1,80} )?(?P<name>.{1,300}?)\[(?P<output>\d{1,4})\]"
    r":\w{1,12}(?P<shape>[\[{][^\[\]{}]{0,500}[\]}])(?:, |$)"
)
"""An input: the operator that gives it, its name, which output it is, its type and shape."""
_CHECK = re.compile(r"Check '(?:\w{1,30}::)?(broadcast_merge_into|merge_into)\(")
_CPU = re.compile(r"(?:\[CPU\]|inference of) (\w{1,80}) node with name '?([^\s']{1,200})")


# ONNX and ONNX Runtime


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


# OpenVINO and TensorRT


def validated(reading: Reading, found: Found) -> Reading:
    """Read the node that was validated."""
    node = found.last("While validating node ", _VALIDATED)
    return reading._replace(operation=node[1], node=node[2]) if node else reading


def inputs(reading: Reading, found: Found) -> Reading:
    """Read the node with its inputs' names and shapes."""
    node = found.last("While validating node ", _VALIDATED)
    if node is None:
        return reading._replace(is_whole=False)
    reading = reading._replace(operation=node[1], node=node[2])
    given = [*_inputs(node[3])]
    shapes = tuple(shape for _, shape in given if shape is not None)
    if len(shapes) < len(given) or len(given) < 2:
        return reading._replace(is_whole=False)
    return reading.named(*(name for name, _ in given), shapes=shapes)


def _inputs(text: str) -> Iterator[tuple[str, Shape | None]]:
    """Yield the inputs' names and shapes, None for a shape that cannot be read."""
    place = 0
    while place < len(text):
        each = _INPUT.match(text, place)
        if not each:
            yield "", None
            return
        output = "" if each["output"] == "0" else f"[{each['output']}]"
        yield each["name"] + output, fields.shape(each["shape"])
        place = each.end()


def merged(reading: Reading, found: Found) -> Reading | None:
    """Distinguish a broadcasting rule from the rule none."""
    if found.after.startswith("; they"):
        return None
    reading = inputs(reading, found)
    check = found.last("Check '", _CHECK)
    is_none = check is not None and check[1] == "merge_into"
    return reading._replace(rule="none") if is_none else reading


def run(reading: Reading, found: Found) -> Reading:
    """Read the node that was run."""
    node = found.last("[CPU] ", _CPU, 700) or found.last("inference of ", _CPU, 700)
    return reading._replace(operation=node[1], node=node[2]) if node else reading


def layer(reading: Reading, found: Found) -> Reading:
    """Tell a matrix product from the elementwise layers, and name the node."""
    is_product = reading.operation == "IMatrixMultiplyLayer"
    return reading._replace(rule=MATMUL) if is_product else reading
