"""PyTorch's messages."""

import re

from bcastcli.messages import fields
from bcastcli.messages.reading import MATMUL, Found, Message, Reading, letters

_CALL = re.compile(r"call_\w{1,20} (?:<(?:built-in )?(?:function|method) )?([\w.]{1,80})")
_FAKE = re.compile(r"FakeTensor\([^()]{0,80}size=(\([^()]{0,300}\))")
_REFUSED = re.compile(r"is deprecated|Please ensure they have the same size")


def _matrices(reading: Reading, found: Found) -> Reading:
    """Read `6x4 and 5x6`: the first may have been flattened, the second transposed."""
    sizes = [found.group(name) for name in ("rows", "inner", "other", "columns")]
    known = [int(size) for size in sizes if size is not None]
    if len(known) < 4:
        return reading._replace(is_whole=False)
    shapes = (known[0], known[1]), (known[2], known[3])
    return reading.named("mat1", "mat2", shapes=shapes)


def _vector(reading: Reading, found: Found) -> Reading:
    """Read the matrix and the vector of torch.mv."""
    rows, columns, length = (int(found.group(name) or 0) for name in ("rows", "columns", "length"))
    return reading.named("mat", "vec", shapes=((rows, columns), (length,)))


def _vectors(reading: Reading, found: Found) -> Reading | None:
    """Take it for torch.dot only if both are vectors: other operators have the words as well."""
    shapes = reading.shapes or ()
    return reading if all(len(shape) == 1 for shape in shapes) else None


def _so_far(reading: Reading, found: Found) -> Reading:
    """Take the operands that compilation shows instead of what earlier ones came to."""
    number = found.group("number")
    if number is None:
        return reading
    if reading.shapes:
        reading = reading._replace(names=("expected", f"arg{number}"))
    call = found.last("call_", _CALL, 1500)
    if call is None:
        return reading
    reading = reading._replace(operation=call[1])
    fakes = [
        fields.shape(text) for text in _FAKE.findall(found.before, found.before.rfind(call[0]))
    ]
    operands = tuple(shape for shape in fakes if shape is not None)
    mismatching = found.shape("arg")
    place = int(number)
    if len(operands) != len(fakes) or not place < len(fakes) or operands[place] != mismatching:
        return reading
    return reading.named(*letters(operands), shapes=operands)._replace(caveats=(), is_whole=True)


def _both(reading: Reading, found: Found) -> Reading:
    """Read the sizes of both batches' first two axes."""
    one, other = found.shape("one"), found.shape("other")
    sizes = one + other if one and other else None
    return reading._replace(sizes=sizes, is_whole=sizes is not None)


def _warning(reading: Reading, found: Found) -> Reading | None:
    """Leave out the loss that refuses such a target."""
    return None if _REFUSED.search(found.after[:200]) else reading


def _listed(reading: Reading, found: Found) -> Reading:
    shapes = found.shapes("shapes")
    return reading.named(*letters(shapes), shapes=shapes)._replace(is_whole=shapes is not None)


def _moved(reading: Reading, found: Found) -> Reading:
    """Read the operands of einsum with their axes in order."""
    first, *rest = (found.group("pairs") or "").split("\n")
    pairs = " ".join([first, *(line for line in rest if "->" in line)])
    shapes = fields.shapes(re.sub(r"\[[^\]]*\]->", "", pairs))
    return reading.named(*letters(shapes), shapes=shapes)._replace(is_whole=shapes is not None)


MESSAGES = (
    Message(
        "torch",
        r"The size of tensor a \({a:size}\) must match the size of tensor b \({b:size}\)"
        r"(?: at non-singleton dimension {axis:int})?",
        source="aten/src/ATen/ExpandUtils.cpp",
        sizes=("a", "b"),
        owners=("a", "b"),
        caveats=("perhaps batch axes",),
        examples=(
            (
                (
                    "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) "
                    "at non-singleton dimension 1"
                ),
                "torch, numpy, sizes 3 4, axis 1 of result",
            ),
            (
                (
                    "got RuntimeError('The size of tensor a (s0: hint = 2) must match the size of "
                    "tensor b (s48: hint = 5) at non-singleton dimension 3)')"
                ),
                "torch, numpy, sizes s0 s48, axis 3 of result",
            ),
            (
                "the size of tensor a (6) must match the size of tensor b (12)",
                "torch, numpy, sizes 6 12",
            ),
        ),
    ),
    Message(
        "torch",
        r"The expanded size of the tensor \({one:size}\) must match the existing size"
        r" \({other:size}\)(?: at non-singleton dimension {axis:int})?"
        r"(?:\. Target sizes: {target:shape}\. Tensor sizes: {tensor:shape})?",
        source="aten/src/ATen/ExpandUtils.cpp",
        rule="onnx-uni",
        operands=("target", "tensor"),
        sizes=("one", "other"),
        axis_of="target",
        caveats=("leading ones dropped",),
        goes_on=True,
        examples=(
            (
                (
                    "RuntimeError: The expanded size of the tensor (5) must match the existing "
                    "size "
                    "(4) at non-singleton dimension 1.  Target sizes: [32, 5].  Tensor sizes: [4]"
                ),
                "torch, onnx-uni, target=32,5, tensor=4, sizes 5 4, axis 1 of target",
            ),
            (
                (
                    "The expanded size of the tensor (5) must match the existing size (4) "
                    "at non-singleton dimension 1"
                ),
                "torch, onnx-uni, sizes 5 4, axis 1 of target",
            ),
        ),
    ),
    Message(
        "torch",
        r"output with shape {output:shape} doesn.t match the broadcast shape {result:shape}",
        source="aten/src/ATen/TensorIterator.cpp",
        rule="onnx-uni",
        operands=("output", "result"),
        caveats=("result so far",),
        examples=(
            (
                "RuntimeError: output with shape [1, 3] doesn't match the broadcast shape [2, 3]",
                "torch, onnx-uni, output=1,3, result=2,3",
            ),
            (
                "output with shape torch.Size([3]) doesn't match the broadcast shape (2, 3)",
                "torch, onnx-uni, output=3, result=2,3",
            ),
        ),
    ),
    Message(
        "torch",
        r"expand\([\w.]{1,60}\{{tensor:shape}\}, size={target:shape}\):"
        r" the number of sizes provided",
        source="aten/src/ATen/native/TensorShape.cpp",
        rule="onnx-uni",
        operands=("target", "tensor"),
        operation="expand",
        examples=(
            (
                (
                    "RuntimeError: expand(torch.FloatTensor{[4, 2, 3]}, size=[2, 3]): the number "
                    "of "
                    "sizes provided (2) must be greater or equal to the number of dimensions (3)"
                ),
                "torch, onnx-uni, target=2,3, tensor=4,2,3, operation expand",
            ),
        ),
    ),
    Message(
        "torch",
        r"value tensor of shape {value:shape} cannot be broadcast to indexing result"
        r"(?: of shape {indexed:shape})?",
        lead="shape mismatch:",
        source="aten/src/ATen/native/TensorAdvancedIndexing.cpp",
        rule="onnx-uni",
        operands=("indexed", "value"),
        caveats=("leading ones dropped",),
        examples=(
            (
                (
                    "RuntimeError: shape mismatch: value tensor of shape [3, 3] cannot be "
                    "broadcast "
                    "to indexing result of shape [2, 3]"
                ),
                "torch, onnx-uni, indexed=2,3, value=3,3",
            ),
        ),
    ),
    Message(
        "torch",
        r"indexing tensors could not be broadcast together(?: with shapes {shapes:shapes})?",
        lead="shape mismatch:",
        source="aten/src/ATen/native/TensorAdvancedIndexingUtils.h",
        caveats=("index arrays",),
        refine=_listed,
        examples=(
            (
                (
                    "IndexError: shape mismatch: indexing tensors could not be broadcast together "
                    "with shapes [2], [3]"
                ),
                "torch, numpy, A=2, B=3",
            ),
        ),
    ),
    Message(
        "torch",
        r"Attempting to broadcast a dimension of length {size:int} at {axis:int}!"
        r"(?: Mismatching argument at index {number:int} had {arg:shape};"
        r" but expected shape should be broadcastable to {expected:shape})?",
        source="torch/_refs/__init__.py",
        operands=("expected", "arg"),
        sizes=("size",),
        caveats=("result so far",),
        around=_so_far,
        examples=(
            (
                (
                    "RuntimeError: Attempting to broadcast a dimension of length 4 at -1! "
                    "Mismatching "
                    "argument at index 1 had torch.Size([4]); but expected shape should be "
                    "broadcastable to [2, 3]"
                ),
                "torch, numpy, expected=2,3, arg1=4, sizes 4, axis -1 of result",
            ),
            (
                (
                    "call_function <built-in function mul>(*(FakeTensor(..., size=(7, 1, 1)), "
                    "FakeTensor(..., size=(3, 1, 2))), **{}): got RuntimeError('Attempting to "
                    "broadcast a dimension of length 3 at -3! Mismatching argument at index 1 had "
                    "torch.Size([3, 1, 2]); but expected shape should be broadcastable to [7, 1, "
                    "2]')"
                ),
                "torch, numpy, A=7,1,1, B=3,1,2, sizes 3, axis -3 of result, operation mul",
            ),
        ),
    ),
    Message(
        "torch",
        r"attempting to expand a dimension of length {one:size} -> {other:size}!",
        lead="expand:",
        source="torch/_refs/__init__.py",
        rule="onnx-uni",
        sizes=("one", "other"),
        operation="expand",
        examples=(
            (
                "RuntimeError: expand: attempting to expand a dimension of length 3 -> 4!",
                "torch, onnx-uni, sizes 3 4, operation expand",
            ),
        ),
    ),
    Message(
        "torch",
        r"mat1 and mat2 shapes cannot be multiplied"
        r"(?: \({rows:int}x{inner:int} and {other:int}x{columns:int}\))?",
        source="aten/src/ATen/native/LinearAlgebra.cpp",
        rule=MATMUL,
        operation="mm",
        caveats=("flattened", "perhaps transposed"),
        refine=_matrices,
        examples=(
            (
                "RuntimeError: mat1 and mat2 shapes cannot be multiplied (6x4 and 5x6)",
                "torch, op MatMul, mat1=6,4, mat2=5,6, operation mm",
            ),
        ),
    ),
    Message(
        "torch",
        r"size mismatch, m1: \[{rows:int} x {inner:int}\], m2: \[{other:int} x {columns:int}\]",
        source="aten/src/TH/generic/THTensorMath.cpp",
        rule=MATMUL,
        operation="mm",
        caveats=("flattened", "perhaps transposed"),
        refine=_matrices,
        examples=(
            (
                "RuntimeError: size mismatch, m1: [6 x 4], m2: [5 x 6] at /pytorch/aten/src/TH",
                "torch, op MatMul, mat1=6,4, mat2=5,6, operation mm",
            ),
        ),
    ),
    Message(
        "torch",
        r"size mismatch, got input \(\d{1,18}\), mat \({rows:int}x{columns:int}\),"
        r" vec \({length:int}\)",
        source="aten/src/ATen/native/Blas.cpp",
        rule=MATMUL,
        operation="mv",
        refine=_vector,
        examples=(
            (
                "RuntimeError: size mismatch, got input (2), mat (2x3), vec (4)",
                "torch, op MatMul, mat=2,3, vec=4, operation mv",
            ),
        ),
    ),
    Message(
        "torch",
        r"inconsistent tensor size, expected tensor {A:shape} and src {B:shape}"
        r" to have the same number of elements",
        source="aten/src/ATen/native/Blas.cpp",
        rule=MATMUL,
        operands=("A", "B"),
        operation="dot",
        refine=_vectors,
        examples=(
            (
                (
                    "RuntimeError: inconsistent tensor size, expected tensor [3] and src [4] to "
                    "have "
                    "the same number of elements, but got 3 and 4 elements respectively"
                ),
                "torch, op MatMul, A=3, B=4, operation dot",
            ),
        ),
    ),
    Message(
        "torch",
        r"a and b must have same reduction dim, but got {a:shape} X {b:shape}",
        source="torch/_meta_registrations.py",
        rule=MATMUL,
        operands=("a", "b"),
        operation="mm",
        caveats=("flattened", "perhaps transposed"),
        examples=(
            (
                "a and b must have same reduction dim, but got [2, 3] X [4, 5].",
                "torch, op MatMul, a=2,3, b=4,5, operation mm",
            ),
        ),
    ),
    Message(
        "torch",
        r"Expected size for first two dimensions of batch2 tensor to be:"
        r" {one:shape} but got: {other:shape}",
        source="aten/src/ATen/native/LinearAlgebra.cpp",
        rule=MATMUL,
        operation="bmm",
        refine=_both,
        examples=(
            (
                (
                    "RuntimeError: Expected size for first two dimensions of batch2 tensor to be: "
                    "[2, 4] but got: [2, 5]."
                ),
                "torch, op MatMul, sizes 2 4 2 5, operation bmm",
            ),
        ),
    ),
    Message(
        "torch",
        r"Expected tensor to have size {one:int} at dimension {axis:int},"
        r" but got size {other:int} for argument #2 'batch2'",
        source="aten/src/ATen/TensorUtils.cpp",
        rule=MATMUL,
        sizes=("one", "other"),
        axis_of="batch2",
        operation="bmm",
        examples=(
            (
                (
                    "RuntimeError: Expected tensor to have size 2 at dimension 0, but got size 3 "
                    "for "
                    "argument #2 'batch2' (while checking arguments for bmm)"
                ),
                "torch, op MatMul, sizes 2 3, axis 0 of batch2, operation bmm",
            ),
        ),
    ),
    Message(
        "torch",
        r"subscript \w{1,8} has size {one:int} for operand \d{1,3}"
        r" which does not broadcast with previously seen size {other:int}",
        lead=r"einsum\(\):",
        source="aten/src/ATen/native/Linear.cpp",
        sizes=("one", "other"),
        operation="einsum",
        examples=(
            (
                (
                    "RuntimeError: einsum(): subscript j has size 4 for operand 1 which does not "
                    "broadcast with previously seen size 3"
                ),
                "torch, numpy, sizes 4 3, operation einsum",
            ),
        ),
    ),
    Message(
        "torch",
        r"operands do not broadcast with remapped shapes \[original->remapped\]:"
        r" {pairs:remapped}",
        lead=r"einsum\(\):",
        source="aten/src/ATen/native/Linear.cpp",
        operation="einsum",
        caveats=("remapped",),
        refine=_moved,
        examples=(
            (
                (
                    "RuntimeError: einsum(): operands do not broadcast with remapped shapes "
                    "[original->remapped]: [2, 3]->[2, 1, 3] [4, 5]->[1, 5, 4]"
                ),
                "torch, numpy, A=2,1,3, B=1,5,4, operation einsum",
            ),
        ),
    ),
    Message(
        "torch",
        r"Value is not broadcastable with batch_shape\+event_shape:"
        r" {value:shape} vs {expected:shape}",
        source="torch/distributions/distribution.py",
        operands=("value", "expected"),
        examples=(
            (
                (
                    "ValueError: Value is not broadcastable with batch_shape+event_shape: "
                    "torch.Size([4]) vs torch.Size([3])."
                ),
                "torch, numpy, value=4, expected=3",
            ),
        ),
    ),
    Message(
        "torch",
        r"Using a target size \({target:shape}\) that is different to the input size"
        r" \({input:shape}\)",
        source="torch/nn/functional.py",
        operands=("target", "input"),
        caveats=("warning",),
        around=_warning,
        examples=(
            (
                (
                    "UserWarning: Using a target size (torch.Size([64])) that is different to the "
                    "input size (torch.Size([64, 1])). This will likely lead to incorrect results "
                    "due to broadcasting."
                ),
                "torch, numpy, target=64, input=64,1",
            ),
        ),
    ),
)
