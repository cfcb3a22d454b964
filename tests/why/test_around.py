"""Shapes around a message that shows none (why/messages/around.py, why/beside.py)."""

import json
import time
from typing import Any

from tests.in_memory import run
from tests.rows import each_row

TRACEBACK = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    {}\n'
TORCH = (
    "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at "
    "non-singleton dimension 1"
)
ADDED = TRACEBACK.format("z = x + y") + TORCH
NUMPY = (
    "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
    "signature (n?,k),(k,m?)->(n?,m?) (size 5 is different from 4)"
)
MULTIPLIED = TRACEBACK.format("z = x @ y") + NUMPY
FAKE = (
    "Dynamo failed to run FX node with fake tensors: call_function <built-in function {}>(*("
    "FakeTensor(..., size={}), FakeTensor(..., size={})), **{{}}): got RuntimeError('{}')"
)
TOSA = "x.mlir:3:8: error: 'tosa.{}' op operands don't have broadcast-compatible shapes\n"
SEEN = 'x.mlir:3:8: note: see current operation: %3 = "{}"({}) : ({}) -> {}\n'
TYPES = "tensor<13x21x3xf32>, tensor<13x2x3xf32>"
BROADCAST = (
    "error: 'stablehlo.broadcast_in_dim' op size of operand dimension 0 (3) is not equal to 1 or "
    "size of result dimension 1 (2)\n"
)


def told(text: str) -> dict[str, Any]:
    """Return the object of the one message in a text."""
    record: dict[str, Any] = json.loads(run(["why", "--json", "-"], text.encode()).out)
    return record


def shapes(text: str) -> list[tuple[int | str, ...] | None]:
    """Return the shapes of the operands of the one message in a text."""
    found = [operand["shape"] for operand in told(text)["operands"]]
    return [None if shape is None else tuple(shape) for shape in found]


@each_row(
    ("text", "where", "expected"),
    [
        # Printed above the traceback, as `next` asks for it; also in each turn of a loop.
        (f"torch.Size([2, 3]) torch.Size([2, 4])\n{ADDED}", "above", [(2, 3), (2, 4)]),
        (f"torch.Size([2, 3])\ntorch.Size([2, 4])\n{ADDED}", "above", [(2, 3), (2, 4)]),
        (f"loss 3\nx: torch.Size([2, 3]), y: [1, 4]\n{ADDED}", "above", [(2, 3), (1, 4)]),
        ("(2, 4) (2, 4)\n" * 9 + f"(2, 3) (2, 4)\n{ADDED}", "above", [(2, 3), (2, 4)]),
        (f"x.shape = (2, 3) and y.shape = (2, 4)\n{TORCH}", "above", [(2, 3), (2, 4)]),
        (f"(2, 3) (2, 4)\n{'-' * 70}\n{ADDED}", "above", [(2, 3), (2, 4)]),
        (f"{ADDED}\n--- Captured stdout call ---\n(2, 3) (2, 4)\n", "below", [(2, 3), (2, 4)]),
        (
            f"(2, 3) (2, 4)\n{TRACEBACK.format('attention = attention + mask')}{TORCH}",
            "above",
            [(2, 3), (2, 4)],
        ),
        # The sizes tell which shape is whose; NumPy tells the second factor first.
        (f"(2, 4) (2, 3)\n{ADDED}", "above", [(2, 3), (2, 4)]),
        (f"(2, 4) (5, 6)\n{MULTIPLIED}", "above", [(2, 4), (5, 6)]),
        (f"(5,) (4,)\n{MULTIPLIED}", "above", [(4,), (5,)]),
        # Compiled by PyTorch.
        (
            FAKE.format("add", "(2, 3)", "(7, 2, 4)", TORCH[14:-1] + "2"),
            "same",
            [(2, 3), (7, 2, 4)],
        ),
        (FAKE.format("add", "(2, 3)", "(s7, 4)", TORCH[14:]), "same", [(2, 3), ("s7", 4)]),
        # MLIR: the line of the source, or the operation below.
        (
            TOSA.format("add") + SEEN.format("tosa.add", "%1, %2", TYPES, "tensor<13x21x3xf32>"),
            "below",
            [(13, 21, 3), (13, 2, 3)],
        ),
        (
            f"{TOSA.format('mul')}%3 = tosa.mul %1, %2, %0 : ({TYPES}, tensor<1xi8>) -> tensor<i1>",
            "below",
            [(13, 21, 3), (13, 2, 3)],
        ),
        (
            f"%3 = tosa.add %1, %2 : ({TYPES}) -> tensor<?xf32>\n{TOSA.format('add')}",
            "above",
            [(13, 21, 3), (13, 2, 3)],
        ),
        (
            (
                f"{BROADCAST}%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> "
                "tensor<2x2xf32>"
            ),
            "below",
            [(3,), (2, 2)],
        ),
    ],
)
def test_shapes_around(text: str, where: str, expected: object) -> None:
    """Shapes that agree with each size that is told are the operands', and are marked as such."""
    assert shapes(text) == expected
    record = told(text)
    [note] = [each["text"] for each in record["notes"] if "from the" in each["text"]]
    assert note.startswith("the shapes are from the ")
    assert where in note
    assert "shapes" not in record["told"]


@each_row(
    "text",
    [
        # A size, the axis, or the number of shapes differs.
        f"torch.Size([2, 3]) torch.Size([2, 5])\n{ADDED}",
        f"torch.Size([3, 2]) torch.Size([4, 2])\n{ADDED}",
        f"torch.Size([1, 2, 3]) torch.Size([1, 2, 4])\n{ADDED}",
        f"torch.Size([2, 3, 5]) torch.Size([2, 4, 6])\n{ADDED}",
        f"torch.Size([2, 3]) torch.Size([2, 4]) torch.Size([2, 4])\n{ADDED}",
        f"torch.Size([2, 4])\ntorch.Size([2, 3])\ntorch.Size([2, 4])\n{ADDED}",
        f"torch.Size([2, 3])\n{ADDED}",
        f"(2, 5) (4, 6)\n{MULTIPLIED}",
        # Other lines: a call, a list of numbers, shapes further up, prints below.
        f"x, y = np.ones((2, 3)), np.ones((2, 4))\n{ADDED}",
        f"torch.randn(2, 3) torch.randn(2, 4)\n{ADDED}",
        f"(2, 3) (2, 4)\nepoch 2\n{ADDED}",
        f"{ADDED}\n(2, 3) (2, 4)\n",
        f"the model was trained for ten days and nights before it wrote (2, 3) (2, 4)\n{ADDED}",
        # They may be only the batch axes of a product; einsum's axes have moved.
        f"(2, 3, 5, 5) (2, 4, 5, 5)\n{TRACEBACK.format('z = x @ y')}{TORCH}",
        f"(2, 3, 5, 5) (2, 4, 5, 5)\n{TRACEBACK.format('z = x@y')}{TORCH}",
        FAKE.format("matmul", "(2, 3, 5, 5)", "(2, 4, 5, 5)", TORCH[14:]),
        (
            "(3, 4)\n(5, 6)\nValueError: Size of label 'j' for operand 1 (5) does not match "
            "previous terms (4)."
        ),
        # A number that a wrap has cut, an operand that cannot be read, another operation.
        f"(2, 3) (2, 4\n0)\n{ADDED}",
        FAKE.format("add", "(2, 3)", "(224. 224,4)", TORCH[14:]),
        TOSA.format("add") + SEEN.format("tosa.sub", "%1, %2", TYPES, "tensor<13x21x3xf32>"),
        TOSA.format("add") + SEEN.format("tosa.add", "%1", "tensor<*xf32>, tensor<2xf32>", "i1"),
        TOSA.format("add") + SEEN.format("tosa.add", "%1", "tensor<2xf32>, tensor<2xf32>", "i1"),
        f"{BROADCAST}stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<3xi1>) -> tensor<4x2xi1>",
    ],
)
def test_nothing_uncertain(text: str) -> None:
    """Shapes that disagree, or that may be anything, are left alone."""
    assert set(shapes(text)) <= {None}


def test_again() -> None:
    """A message with shapes above it once is one explanation, wherever these are."""
    for text in (f"(2, 3) (2, 4)\n{ADDED}\nagain\n{ADDED}", f"{ADDED}\n(2, 3) (2, 4)\n{ADDED}\n"):
        record = told(text)
        assert (record["count"], shapes(text)) == (2, [(2, 3), (2, 4)])


def test_one_with_shapes_can_be_drawn() -> None:
    """Steps are shown of shapes from the lines above."""
    ended = run(["why", "--steps", "-"], f"(2, 3) (2, 4)\n{ADDED}".encode())
    assert ended.status == 1
    assert "axis 1" in ended.out


def test_time_is_linear() -> None:
    """Only a window around a few messages is looked at, and of a long line its beginning."""
    printed = "(2, 3) " * 28
    text = "".join(f"{printed}\n{TORCH.replace('(3)', f'({n})')}\n" for n in range(5, 20_000))
    word = "attn" * 3_500
    text += TRACEBACK.format(f"mask {word}").join(
        TORCH.replace("(3)", f"({n})\n") for n in range(60)
    )
    before = time.process_time()
    assert run(["why", "-"], text.encode()).status == 1
    assert time.process_time() - before < 5
