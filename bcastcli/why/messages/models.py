"""Code for messages of what runs models from files: the node decides.

ONNX's shape inference, which ONNX Runtime runs as well, and OpenVINO.
"""

import re
from collections.abc import Sequence

from bcastcli.why.messages import fields
from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.reading import Found, Reading

_NODES = (
    re.compile(r"\(op_type: ?(?P<operator>\w{1,80})(?:, node name: ?(?P<name>[^()\s]{0,200}))?\):"),
    re.compile(r"Node \((?P<name>[^()]{0,200})\) Op \((?P<operator>\w{1,80})\)"),
    re.compile(r"running (?P<operator>\w{1,80}) node\. Name: ?'(?P<name>[^'\n]{0,200})'"),
)
"""How ONNX and ONNX Runtime write a node."""
_NODES_OF_OPENVINO = (
    re.compile(
        r"(?:\[CPU\]|inference of) (?P<operator>\w{1,80}) node with name '?(?P<name>[^\s']{1,200})"
    ),
    re.compile(
        r"While validating node '(?:\w{1,20}::)?(?P<operator>\w{1,80}) (?P<name>\S{1,200}) ?"
        r"\((?P<inputs>.{0,3000}?)\) ?->"
    ),
)
_REACH = 1500
"""The most characters between a message and its node, whose inputs are not shown."""
_NO_RULE = re.compile(r"Check '(?:\w{1,30}::)?merge_into\(")
"""What OpenVINO checks where nothing stretches."""
_RUNTIME = ("ONNXRuntimeError", "onnxruntime", ") Op (")
_INPUT = re.compile(
    r"(?:^|, )(?:\w{1,20}::\w{1,80} )?(?P<name>.{1,300}?)(?P<output>\[\d{1,4}\])"
    r":\w{1,12}(?P<shape>[\[{][^\[\]{}]{0,500}[\]}])"
)
"""An input: the operator that gives it, its name, which output it is, its type and shape."""


def node(reading: Reading, found: Found) -> Reading | None:
    """Read the innermost node, which decides on the rule: ONNX's operators share words."""
    before = found.before[-_REACH:]
    if reading.framework == ("onnx",) and any(words in before for words in _RUNTIME):
        reading = reading._replace(framework=("onnxruntime",))
    innermost = _last(_NODES, before)
    if innermost is None:
        return reading
    operator, name = innermost["operator"], innermost["name"] or None
    rule = catalogue().rules["onnx"].get(operator)
    return None if rule is None else reading._replace(operation=operator, node=name, rule=rule)


def node_of_openvino(reading: Reading, found: Found) -> Reading:
    """Read the node that was validated or run."""
    node = _last(_NODES_OF_OPENVINO, found.before)
    return reading._replace(operation=node["operator"], node=node["name"]) if node else reading


def inputs(reading: Reading, found: Found) -> Reading:
    """Read the node that was validated with its inputs, and whether it broadcasts."""
    node = _last(_NODES_OF_OPENVINO[-1:], found.before)
    reading = reading._replace(is_whole=reading.sizes is not None)
    if node is None:
        return reading
    reading = reading._replace(operation=node["operator"], node=node["name"])
    if _NO_RULE.match(found.before, found.before.rfind("Check '")):
        reading = reading._replace(rule="none")
    given = [*_INPUT.finditer(node["inputs"])]
    shapes = [fields.shape(each["shape"]) for each in given]
    known = tuple(shape for shape in shapes if shape is not None)
    is_read = "".join(each[0] for each in given) == node["inputs"]
    if not is_read or not 1 < len(known) == len(shapes):
        return reading
    names = [each["name"] + each["output"].replace("[0]", "") for each in given]
    return reading.named(*names, shapes=known)._replace(is_whole=True)


def _last(patterns: Sequence[re.Pattern[str]], text: str) -> re.Match[str] | None:
    """The match of one of the patterns that begins last."""
    matches = [each for pattern in patterns for each in pattern.finditer(text)]
    return max(matches, key=lambda each: each.start(), default=None)
