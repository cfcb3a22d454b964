"""What is said of the sizes in a message, by what its operands are (why/sizes.py)."""

import json

from tests.in_memory import run
from tests.rows import each_row


@each_row(
    ("one", "other", "said"),
    [
        (8886, 4443, ["8,886 is 2 x 4,443"]),
        (77, 231, ["231 is 3 x 77"]),
        (8400, 537600, ["537,600 is 64 x 8,400"]),
        (31, 30, ["31 and 30 differ by 1"]),
        (1024, 1025, ["1,024 and 1,025 differ by 1"]),
        (300, 200, []),
        (2, 4, []),
        (3, 4, []),
        (0, 8, []),
        ("s7", 8, []),
    ],
)
def test_sizes_alone(one: int | str, other: int, said: list[str]) -> None:
    """Of two sizes without shapes it is said what they are of each other, if remarkable."""
    product = f"with gufunc signature (n?,k),(k,m?)->(n?,m?) (size {one} is different from {other})"
    for text in (
        f"The size of tensor a ({one}) must match the size of tensor b ({other})",
        f"matmul: Input operand 1 has a mismatch in its core dimension 0, {product}",
    ):
        record = json.loads(run(["why", "--json", text]).out or "{}")
        notes = [each["text"] for each in record.get("notes", ()) if each["kind"] == "sizes"]
        assert notes == said


FRAME = '  File "{}", line 3, in forward\n    {}\nRuntimeError: {}\n'
ATTENTION = "in attention axis 1 is heads, axes 2 and 3 are queries and keys"
SIZES = (
    "The size of tensor a (12) must match the size of tensor b (31) at non-singleton dimension {}"
)
EXPAND = (
    "The expanded size of the tensor (12) must match the existing size (31) at non-singleton "
    "dimension {}.  Target sizes: {}.  Tensor sizes: {}"
)
SDPA = "out = F.scaled_dot_product_attention(q, k, v, mask)"
TORCHS = "/venv/lib/python3.12/site-packages/torch/nn/functional.py"


@each_row(
    ("source", "message", "is_said"),
    [
        (SDPA, SIZES.format(3), True),
        (SDPA, EXPAND.format(3, "[2, 8, 31, 12]", "[2, 1, 31, 31]"), True),
        (SDPA, EXPAND.format(2, "[2, 8, 12, 31]", "[2, 1, 31, 31]"), True),
        ("scores = scores + attention_mask", SIZES.format(3), True),
        ("attn = attn.masked_fill(mask == 0, -1e9)", SIZES.format(3), True),
        ("qk = qk + mask[:n_ctx, :n_ctx]", SIZES.format(3), True),
        # Three axes or five, another frame, a mask over an image.
        (SDPA, SIZES.format(2), False),
        (SDPA, EXPAND.format(2, "[8, 31, 12]", "[1, 31, 31]"), False),
        (SDPA, SIZES.format(4), False),
        (SDPA, EXPAND.format(0, "[12, 8, 31, 31]", "[31, 8, 31, 31]"), False),
        ("x = x * attn_mask", SIZES.format(3), False),
        ("x = simple + mask", SIZES.format(3), False),
        ("x = inputs + position", SIZES.format(3), False),
        ("x = self.attention(x, mask) + x", SIZES.format(3), False),
    ],
)
def test_attention(source: str, message: str, is_said: bool) -> None:
    """In attention the axes are named, where there are four, in the user's or a library's code."""
    above = FRAME.format("model.py", source, message)
    library = FRAME.format("model.py", "y = self.layer(x)", "x").replace("RuntimeError: x\n", "")
    for text in (above, library + FRAME.format(TORCHS, source, message)):
        [record] = map(json.loads, run(["why", "--json", "-"], text.encode()).out.splitlines())
        assert (ATTENTION in [each["text"] for each in record["notes"]]) == is_said
