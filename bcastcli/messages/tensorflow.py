"""TensorFlow's messages. The operator decides: several that do not broadcast use the words."""

import re

from bcastcli.messages.reading import MATMUL, Found, Message, Reading, letters

_OP = re.compile(r"[^\[]{0,20}\[Op:([A-Za-z]\w{0,60})\]", re.IGNORECASE)
_NODE = re.compile(
    r" ?(?:\[Op:\w{1,60}\] ?)?\[\[ ?(?:\{\{node ([^\s}]{1,200})\}\}|node:? ([^\s\]]{1,200}))",
    re.IGNORECASE,
)
_ATTRIBUTES = r"(?:\[[^'\n]{0,400}\])?(?:\([^'\n]{0,300}\))?"
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


def _where(reading: Reading, found: Found) -> Reading | None:
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


def _by_operator(reading: Reading, found: Found) -> Reading | None:
    """Read the rule off the operator."""
    shapes = found.shapes("shapes")
    reading = reading.named(*letters(shapes), shapes=shapes)
    reading = reading._replace(is_whole=shapes is not None)
    operator = (reading.operation or "").lower()
    if operator in _PRODUCTS:
        is_transposed = re.search("(?:transpose_|adj_)[abxy]=true", found.match[0])
        caveats = ("transposed",) if is_transposed else ()
        return reading._replace(rule=MATMUL, caveats=caveats)
    return reading if operator in _BROADCAST else None


MESSAGES = (
    Message(
        "tensorflow",
        r"Incompatible shapes: {A:shape} vs\. {B:shape}",
        source="tensorflow/core/kernels/cwise_ops_common.cc",
        operands=("A", "B"),
        around=_where,
        goes_on=True,
        examples=(
            (
                "InvalidArgumentError: Incompatible shapes: [2,3] vs. [4] [Op:AddV2] name: ",
                "tensorflow, numpy, A=2,3, B=4, operation AddV2",
            ),
            (
                "Incompatible shapes: [64,100,7] vs. [32,28]\n\t [[{{node add}}]] [Op:__inf_3]",
                "tensorflow, numpy, A=64,100,7, B=32,28, node add",
            ),
            (
                "Incompatible shapes: [2,3] vs. [2,4]\n\t [[Node: add_6 = Add[T=DT_FLOAT](a, b)]]",
                "tensorflow, numpy, A=2,3, B=2,4, node add_6",
            ),
            (
                "Incompatible shapes: [2,3] vs. [3] [Op:BroadcastTo]",
                "tensorflow, onnx-uni, target=3, source=2,3, operation BroadcastTo",
            ),
        ),
    ),
    Message(
        "tensorflow",
        r"required broadcastable shapes(?: at loc\([^)\n]{0,60}\))?",
        source="tensorflow/core/util/bcast.h",
        around=_where,
        goes_on=True,
        examples=(
            (
                "InvalidArgumentError: required broadcastable shapes at loc(unknown) [Op:Mul]",
                "tensorflow, numpy, operation Mul",
            ),
        ),
    ),
    Message(
        "tensorflow",
        r"must be broadcastable",
        lead=r"condition {condition:shape}, then {then:shape}, and else {otherwise:shape}",
        needs_lead=True,
        source="tensorflow/core/kernels/cwise_op_select.cc",
        operands=("condition", "then", "otherwise"),
        operation="SelectV2",
        examples=(
            (
                "condition [2,3], then [4], and else [2,3] must be broadcastable [Op:SelectV2]",
                "tensorflow, numpy, condition=2,3, then=4, otherwise=2,3, operation SelectV2",
            ),
        ),
    ),
    Message(
        "tensorflow",
        r"Dimensions must be equal, but are {one:int} and {other:int} for"
        rf" '\{{\{{node {{node:name}}\}}\}} = {{operation:word}}{_ATTRIBUTES}'"
        r"(?: with input shapes: {shapes:shapes})?",
        source="tensorflow/core/framework/common_shape_fns.cc",
        sizes=("one", "other"),
        refine=_by_operator,
        examples=(
            (
                (
                    "ValueError: Dimensions must be equal, but are 3 and 4 for '{{node mul}} = "
                    "Mul[T=DT_FLOAT](x, y)' with input shapes: [2,3], [4]."
                ),
                "tensorflow, numpy, A=2,3, B=4, sizes 3 4, operation Mul, node mul",
            ),
        ),
    ),
    Message(
        "tensorflow",
        r"Dimensions must be equal, but are {one:int} and {other:int} for"
        r" '{node:name}' \(op: '{operation:word}'\)(?: with input shapes: {shapes:shapes})?",
        source="tensorflow/core/framework/common_shape_fns.cc",
        sizes=("one", "other"),
        refine=_by_operator,
        examples=(
            (
                (
                    "ValueError: Dimensions must be equal, but are 6 and 28 for 'MatMul_2' "
                    "(op: 'MatMul') with input shapes: [?,6], [28,7]."
                ),
                "tensorflow, op MatMul, A=?,6, B=28,7, sizes 6 28, operation MatMul, node MatMul_2",
            ),
        ),
    ),
    Message(
        "tensorflow",
        r"Incompatible shapes for broadcasting\. Two shapes are compatible if"
        r"[^.()]{0,160}\. Received: {A:shape} and {B:shape}",
        source="tensorflow/python/framework/common_shapes.py",
        operands=("A", "B"),
        examples=(
            (
                (
                    "ValueError: Incompatible shapes for broadcasting. Two shapes are compatible "
                    "if "
                    "for each dimension pair they are either equal or one of them is 1. "
                    "Received: (2, 3) and (4,)."
                ),
                "tensorflow, numpy, A=2,3, B=4",
            ),
        ),
    ),
    Message(
        "tensorflow",
        r"Matrix size-incompatible: In\[0\]: {A:shape}, In\[1\]: {B:shape}",
        source="tensorflow/core/kernels/matmul_op_impl.h",
        rule=MATMUL,
        operands=("A", "B"),
        around=_where,
        goes_on=True,
        examples=(
            (
                "Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5] [Op:MatMul] name: ",
                "tensorflow, op MatMul, A=2,3, B=4,5, operation MatMul",
            ),
        ),
    ),
    Message(
        "tensorflow",
        r"In\[0\] and In\[1\] must have compatible batch dimensions: {A:shape} vs\. {B:shape}",
        source="tensorflow/core/kernels/matmul_op_impl.h",
        rule=MATMUL,
        operands=("A", "B"),
        around=_where,
        goes_on=True,
        examples=(
            (
                (
                    "In[0] and In[1] must have compatible batch dimensions: [3,4,3] vs. [13,3,3] "
                    "[Op:BatchMatMulV2] name: "
                ),
                "tensorflow, op MatMul, A=3,4,3, B=13,3,3, operation BatchMatMulV2",
            ),
        ),
    ),
    Message(
        "tensorflow",
        r"Rank of input \(\d{1,3}\) must be no greater than rank of output shape \(\d{1,3}\)",
        source="tensorflow/core/ops/array_ops.cc",
        rule="onnx-uni",
        operation="BroadcastTo",
        caveats=("rank",),
        examples=(
            (
                "Rank of input (2) must be no greater than rank of output shape (1).",
                "tensorflow, onnx-uni, operation BroadcastTo",
            ),
        ),
    ),
)
