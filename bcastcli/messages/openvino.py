"""OpenVINO's messages. The node that was validated stands before the sentence, with shapes."""

import re

from bcastcli.messages import fields
from bcastcli.messages.reading import MATMUL, Found, Message, Reading, letters

_NODE = re.compile(
    r"While validating node '(?:\w{1,20}::)?(\w{1,80}) (\S{1,200}) ?\(([^'>]{0,3000})\) ?->"
)
_INPUT = re.compile(r":\w{1,12}([\[{][^\[\]{}]{0,500}[\]}])")
_CHECK = re.compile(r"Check '(?:\w{1,30}::)?(broadcast_merge_into|merge_into)\(")
_CPU = re.compile(r"(?:\[CPU\]|inference of) (\w{1,80}) node with name '?([^\s']{1,200})")


def _node(reading: Reading, found: Found) -> Reading:
    """Read the node that was validated."""
    node = found.last("While validating node ", _NODE)
    return reading._replace(operation=node[1], node=node[2]) if node else reading


def _inputs(reading: Reading, found: Found) -> Reading:
    """Read the node with its inputs' shapes."""
    node = found.last("While validating node ", _NODE)
    if node is None:
        return reading._replace(is_whole=False)
    inputs = [fields.shape(text) for text in _INPUT.findall(node[3])]
    known = tuple(shape for shape in inputs if shape is not None)
    shapes = known if len(known) == len(inputs) > 1 and "..." not in node[3] else None
    reading = reading._replace(operation=node[1], node=node[2], is_whole=shapes is not None)
    return reading.named(*letters(shapes), shapes=shapes)


def _merged(reading: Reading, found: Found) -> Reading | None:
    """Tell broadcasting from the rule that allows none."""
    if found.after.startswith("; they"):
        return None
    reading = _inputs(reading, found)
    check = found.last("Check '", _CHECK)
    is_none = check is not None and check[1] == "merge_into"
    return reading._replace(rule="none") if is_none else reading


def _run(reading: Reading, found: Found) -> Reading:
    """Read the node that was run."""
    node = found.last("[CPU] ", _CPU, 700) or found.last("inference of ", _CPU, 700)
    return reading._replace(operation=node[1], node=node[2]) if node else reading


def _dotted(reading: Reading, found: Found) -> Reading:
    """Read shapes whose sizes are parted by dots."""
    one, other = (fields.shape(found.group(name) or "?", ".") for name in ("one", "two"))
    shapes = (one, other) if one is not None and other is not None else None
    return reading.named(*letters(shapes), shapes=shapes)._replace(is_whole=shapes is not None)


MESSAGES = (
    Message(
        "openvino",
        r"Argument shapes are inconsistent",
        source="src/core/src/op/util/elementwise_args.cpp",
        around=_merged,
        examples=(
            (
                (
                    "RuntimeError: Check 'TRShape::broadcast_merge_into(output_shape, "
                    "input_shapes[1], "
                    "autob)' failed at eltwise_shape_inference.hpp:26:\nWhile validating node "
                    "'opset1::Add Add_3 (opset1::Parameter x[0]:f32[2,3], opset1::Parameter "
                    "y[0]:f32[4]) -> ()' with friendly_name 'Add_3':\n"
                    "Argument shapes are inconsistent."
                ),
                "openvino, numpy, A=2,3, B=4, operation Add, node Add_3",
            ),
            (
                (
                    "Check 'TRShape::merge_into(output_shape, input_shapes[1])' failed:\nWhile "
                    "validating node 'v1::Add Add_3 (x[0]:f32{?,3}, y[0]:f32{1..10,4}) -> ()' with "
                    "friendly_name 'Add_3':\nArgument shapes are inconsistent."
                ),
                "openvino, none, A=?,3, B=?,4, operation Add, node Add_3",
            ),
        ),
    ),
    Message(
        "openvino",
        r"Input shape dimension equal {one:int} cannot be broadcasted \(numpy mode\) to"
        r" {other:int}",
        source="src/core/shape_inference/include/broadcast_shape_inference.hpp",
        rule="onnx-uni",
        sizes=("one", "other"),
        operation="Broadcast",
        around=_node,
        examples=(
            (
                (
                    "Input shape dimension equal 3 cannot be broadcasted (numpy mode) to 4. "
                    "Allowed "
                    "input dimension value would be 1 or 4"
                ),
                "openvino, onnx-uni, sizes 3 4, operation Broadcast",
            ),
        ),
    ),
    Message(
        "openvino",
        r"Broadcast target_shape has smaller rank \d{1,3} than arg shape \d{1,3}",
        source="src/core/shape_inference/include/broadcast_shape_inference.hpp",
        rule="onnx-uni",
        operation="Broadcast",
        caveats=("rank",),
        around=_node,
        examples=(
            (
                "Broadcast target_shape has smaller rank 1 than arg shape 2",
                "openvino, onnx-uni, operation Broadcast",
            ),
        ),
    ),
    Message(
        "openvino",
        r"Broadcast incorrect target shape\. Expecting either 1 or {one:int}\. Got {other:int}",
        source="src/core/shape_inference/include/broadcast_shape_inference.hpp",
        rule="bidirectional",
        sizes=("one", "other"),
        operation="Broadcast",
        around=_node,
        examples=(
            (
                "Broadcast incorrect target shape. Expecting either 1 or 3. Got 4",
                "openvino, bidirectional, sizes 3 4, operation Broadcast",
            ),
        ),
    ),
    Message(
        "openvino",
        r"Eltwise shape infer input shapes dim index: {axis:int} mismatch",
        source="src/plugins/intel_cpu/src/shape_inference/custom/eltwise.cpp",
        around=_run,
        examples=(
            (
                (
                    "[CPU] Add node with name 'Add_1' Check 'input_shape[j] == 1' failed at "
                    "eltwise.cpp:52:\nEltwise shape infer input shapes dim index: 1 mismatch"
                ),
                "openvino, numpy, axis 1 of result, operation Add, node Add_1",
            ),
        ),
    ),
    Message(
        "openvino",
        r"Incompatible MatMul matrix dimension\. First input dimension={one:int}"
        r"[^=]{0,60}=\d{1,3} doesn.t match the second input"
        r" dimension={other:int}",
        source="src/core/shape_inference/include/matmul_shape_inference.hpp",
        rule=MATMUL,
        sizes=("one", "other"),
        operation="MatMul",
        around=_inputs,
        examples=(
            (
                (
                    "While validating node 'opset1::MatMul MatMul_20 (opset1::Parameter "
                    "x[0]:f32[2,3], "
                    "opset1::Parameter y[0]:f32[4,5]) -> ()' with friendly_name 'MatMul_20':\n"
                    "Incompatible MatMul matrix dimension. First input dimension=3 at "
                    "COL_INDEX_DIM=1 "
                    "doesn't match the second input dimension=4 at ROW_INDEX_DIM=0"
                ),
                "openvino, op MatMul, A=2,3, B=4,5, sizes 3 4, operation MatMul, node MatMul_20",
            ),
        ),
    ),
    Message(
        "openvino",
        r"Incompatible MatMul batch dimension\. Can.t merge first input dimension={one:int}"
        r" with second input dimension={other:int} at index={axis:int}",
        source="src/core/shape_inference/include/matmul_shape_inference.hpp",
        rule=MATMUL,
        sizes=("one", "other"),
        axis_of="batch",
        operation="MatMul",
        around=_inputs,
        examples=(
            (
                (
                    "While validating node 'opset1::MatMul mm (opset1::Parameter x[0]:f32[2,3,4], "
                    "opset1::Parameter y[0]:f32[3,4,5]) -> ()' with friendly_name 'mm':\n"
                    "Incompatible MatMul batch dimension. Can't merge first input dimension=2 with "
                    "second input dimension=3 at index=0"
                ),
                (
                    "openvino, op MatMul, A=2,3,4, B=3,4,5, sizes 2 3, axis 0 of batch, "
                    "operation MatMul, node mm"
                ),
            ),
        ),
    ),
    Message(
        "openvino",
        r"Matmul input shapes are incompatible shape A: {one:shape} shape B: {two:shape}",
        source="src/plugins/intel_cpu/src/shape_inference/custom/matmul.cpp",
        rule=MATMUL,
        operation="MatMul",
        refine=_dotted,
        around=_run,
        examples=(
            (
                "Matmul input shapes are incompatible shape A: (2.3) shape B: (4.5)",
                "openvino, op MatMul, A=2,3, B=4,5, operation MatMul",
            ),
        ),
    ),
)
