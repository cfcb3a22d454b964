"""PaddlePaddle's messages."""

import re

from bcastcli.messages.reading import MATMUL, Found, Message, Reading

_OPERATOR = re.compile(r"\[ ?operator ?< ?(\w{1,80}) ?> ?error ?\]")


def _operator(reading: Reading, found: Found) -> Reading:
    """Read the operator that stands behind the hint."""
    after = found.after[:1200]
    operator = _OPERATOR.search(after, max(0, after.find("operator") - 2))
    return reading._replace(operation=operator[1]) if operator else reading


def _from_the_right(reading: Reading, found: Found) -> Reading:
    """Count the axis from the end, as the message does."""
    return reading._replace(axis=None if reading.axis is None else -1 - reading.axis)


MESSAGES = (
    Message(
        "paddle",
        r"Broadcast dimension mismatch\. Operands could not be broadcast together with the"
        r" shape of X = {X:shape} and the shape of Y = {Y:shape}"
        r"(?: \. Received \[{one:int}\] in X is not equal to \[{other:int}\] in Y at "
        r"i:{axis:int})?",
        source="paddle/phi/kernels/funcs/common_shape.h",
        operands=("X", "Y"),
        sizes=("one", "other"),
        around=_operator,
        goes_on=True,
        examples=(
            (
                (
                    "ValueError: (InvalidArgument) Broadcast dimension mismatch. Operands could "
                    "not be "
                    "broadcast together with the shape of X = [2, 3] and the shape of Y = [4]. "
                    "Received [3] in X is not equal to [4] in Y at i:1.\n"
                    "      [operator < elementwise_add > error]"
                ),
                "paddle, numpy, X=2,3, Y=4, sizes 3 4, axis 1 of result, operation elementwise_add",
            ),
        ),
    ),
    Message(
        "paddle",
        r"x_dims\[i \+ axis\] == y_dims\[i\], but received x_dims\[i \+ axis\]: ?{one:int} !="
        r" y_dims\[i\]: ?{other:int}",
        lead="Expected",
        source="paddle/fluid/operators/elementwise/elementwise_op_function.h",
        rule="pdpd",
        sizes=("one", "other"),
        owners=("X", "Y"),
        around=_operator,
        goes_on=True,
        examples=(
            (
                (
                    "[Hint: Expected x_dims[i + axis] == y_dims[i], but received x_dims[i + "
                    "axis]:1 "
                    "!= y_dims[i]:12.]"
                ),
                "paddle, pdpd, sizes 1 12",
            ),
        ),
    ),
    Message(
        "paddle",
        r"The value \({one:int}\) of the non-singleton dimension does not match the"
        r" corresponding value \({other:int}\) in shape for {operation:word} op",
        source="paddle/phi/kernels/impl/expand_kernel_impl.h",
        rule="onnx-uni",
        sizes=("one", "other"),
        examples=(
            (
                (
                    "The value (3) of the non-singleton dimension does not match the corresponding "
                    "value (4) in shape for expand_v2 op."
                ),
                "paddle, onnx-uni, sizes 3 4, operation expand_v2",
            ),
        ),
    ),
    Message(
        "paddle",
        r"The number of elements \(\d{1,3}\) of 'shape' for {operation:word} op must be greater"
        r" than or equal to the rank",
        source="paddle/phi/infermeta/unary.cc",
        rule="onnx-uni",
        caveats=("rank",),
        examples=(
            (
                (
                    "The number of elements (2) of 'shape' for expand_v2 op must be greater than "
                    "or "
                    "equal to the rank (3) of the input."
                ),
                "paddle, onnx-uni, operation expand_v2",
            ),
        ),
    ),
    Message(
        "paddle",
        r"in reverse order, dim_size\[{one:int}\] != target_dim_size\[{other:int}\]",
        lead="axis = {axis:int}",
        source="paddle/phi/kernels/funcs/broadcast_function.h",
        sizes=("one", "other"),
        refine=_from_the_right,
        examples=(
            (
                "please check axis = 0 in reverse order, dim_size[4] != target_dim_size[3]",
                "paddle, numpy, sizes 4 3, axis -1 of result",
            ),
        ),
    ),
    Message(
        "paddle",
        r"The shape of broadcast output {result:shape} is different from that of inplace tensor"
        r" {output:shape}",
        source="paddle/phi/infermeta/binary.cc",
        rule="onnx-uni",
        operands=("output", "result"),
        caveats=("result so far",),
        examples=(
            (
                (
                    "The shape of broadcast output [2, 3] is different from that of inplace tensor "
                    "[1, 3]. Please check the shape of inputs."
                ),
                "paddle, onnx-uni, output=1,3, result=2,3",
            ),
        ),
    ),
    Message(
        "paddle",
        r"The size of tensor x \({x:size}\) must match the size of tensor y \({y:size}\)"
        r"(?: at non-singleton dimension {axis:int})?",
        source="paddle/phi/infermeta/binary.cc",
        sizes=("x", "y"),
        owners=("x", "y"),
        examples=(
            (
                (
                    "The size of tensor x (3) must match the size of tensor y (4) at non-singleton "
                    "dimension 1"
                ),
                "paddle, numpy, sizes 3 4, axis 1 of result",
            ),
        ),
    ),
    Message(
        "paddle",
        r"dimension of Input\(X\) must be equal to the \[-?\d{1,3}\] dimension of Input\(Y\)"
        r"(?:\. But receiving the \[-?\d{1,3}\] dimension of Input\(X\) is \[{one:int}\],"
        r" and the \[-?\d{1,3}\] dimension of Input\(Y\) is \[{other:int}\])?",
        lead=r"In operator {operation:word}, the \[-?\d{1,3}\]",
        source="paddle/phi/infermeta/binary.cc",
        rule=MATMUL,
        sizes=("one", "other"),
        operation="matmul",
        examples=(
            (
                (
                    "(InvalidArgument) In operator matmul, the [1] dimension of Input(X) must be "
                    "equal "
                    "to the [0] dimension of Input(Y). But receiving the [1]dimension of Input(X) "
                    "is "
                    "[6], and the [0] dimension of Input(Y) is [3]."
                ),
                "paddle, op MatMul, sizes 6 3, operation matmul",
            ),
        ),
    ),
    Message(
        "paddle",
        r"Input\(X\) and Input\(Y\) has error dim\. X_broadcast's shape\[{axis:int}\] must be equal"
        r" to Y_broadcast's shape\[\d{1,3}\][^\d]{0,40}\d{1,3}\] <= 1[^\d]{0,40}\d{1,3}\] <= 1, "
        r"but received X_broadcast's"
        r" shape\[\d{1,3}\] = \[{one:int}\],? received Y_broadcast's shape\[\d{1,3}\] ="
        r" \[{other:int}\]",
        source="paddle/phi/kernels/impl/matmul_kernel_impl.h",
        rule=MATMUL,
        sizes=("one", "other"),
        axis_of="batch",
        operation="matmul",
        examples=(
            (
                (
                    "(InvalidArgument) Input(X) and Input(Y) has error dim. X_broadcast's shape[0] "
                    "must be equal to Y_broadcast's shape[0], or X_broadcast's shape[0] <= 1, or "
                    "Y_broadcast's shape[0] <= 1, but received X_broadcast's shape[0] = "
                    "[6]received "
                    "Y_broadcast's shape[0] = [12]."
                ),
                "paddle, op MatMul, sizes 6 12, axis 0 of batch, operation matmul",
            ),
        ),
    ),
    Message(
        "paddle",
        r"Input\(Y\) has error dim\. Y'dims\[\d{1,3}\] must be equal to {one:int} \.?"
        r" But received Y'dims\[\d{1,3}\] is {other:int}",
        source="paddle/fluid/operators/matmul_v2_op.h",
        rule=MATMUL,
        sizes=("one", "other"),
        operation="matmul",
        examples=(
            (
                "Input(Y) has error dim. Y'dims[0] must be equal to 3 But received Y'dims[0] is 4",
                "paddle, op MatMul, sizes 3 4, operation matmul",
            ),
        ),
    ),
)
