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
