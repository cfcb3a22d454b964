"""The last resort: messages that no framework of the catalogue writes (why/messages/unknown.py)."""

import json

from bcastcli.why.messages import Reading
from tests.in_memory import run
from tests.rows import each_row
from tests.why import test_reader

UNKNOWN = "FooError: operands [1, 23] and [1, 10] do not broadcast"

SEEN = 'x.mlir:5:13: note: see current operation: %8 = "torch.aten.broadcast_to"(%6, %7) :'
MADE = "!torch.vtensor<[2,6],f16>"
ADDED = 'error: incompatible types; see current operation: %1 = "tosa.add"(%0, %arg1) {} :'


def read(text: str) -> list[tuple[tuple[int | str, ...], ...] | None]:
    """Return the shapes of each reading of a text."""
    return [each.shapes for each in test_reader.read(text) if isinstance(each, Reading)]


@each_row(
    ("text", "shapes"),
    [
        (UNKNOWN, ((1, 23), (1, 10))),
        ("shape mismatch: got (3, 4) and (5, 4)", ((3, 4), (5, 4))),
        ("[2,3] and [4,3] are incompatible", ((2, 3), (4, 3))),
        ("Error: tensor [3] vs tensor [4]: sizes do not match", ((3,), (4,))),
        ("left shape=(2, 3) right shape=(4,): incompatible operands", ((2, 3), (4,))),
        ("x.shape = [2, 3] and y.shape = [4, 3] are incompatible", ((2, 3), (4, 3))),
        ("'a.add' tensor<2x3xf32> and tensor<4x3xf32> do not broadcast", ((2, 3), (4, 3))),
        ("cannot broadcast !torch.vtensor<[?,3],f16> to tensor<?x4xi1>", (("?", 3), ("?", 4))),
        ("the shape of the mask (4, 5) does not match the image (3, 5)", ((4, 5), (3, 5))),
        ("image and label do not match: shapes (2, 5) vs (3, 5)", ((2, 5), (3, 5))),
        (f"{SEEN} (!torch.vtensor<[?,8],f16>, !torch.list<int>) -> {MADE}", (("?", 8), (2, 6))),
        (f"{ADDED} (tensor<2x8xf32>, tensor<6xf32>) -> tensor<2x8xf32>", ((2, 8), (6,))),
        ("cannot broadcast tensors of shape [2, 1], [3, 4] and [5]", ((2, 1), (3, 4), (5,))),
    ],
)
def test_shapes(text: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    """Two shapes and a word of a mismatch in a short line are read, wherever the line stands."""
    assert read(text) == [shapes]
    assert read(f"epoch 1\n2026-11-21 10:02:00 ERROR {text}\nbye") == [shapes]


@each_row(
    "text",
    [
        "[1234] [5678] version mismatch",
        "[12] [34] checksum mismatch in block [2, 3]",
        "Cannot reshape [2, 3] to [4, 5]: sizes do not match",
        "concat: shapes [2, 3] and [4, 5] do not match",
        "layer dense_1: shapes [2, 3] and [4, 5] are incompatible",
        "index shapes [2, 3] and [4, 5] do not broadcast",
        "matmul: shapes [2, 3] and [4, 5] mismatch in the inner dimension",
        "Pixel mismatch at (10, 20): expected (255, 0, 0), got (254, 0, 0)",
        "assert a.shape == (2, 3), f'mismatch {b.shape} vs (4, 5)'",
        "the shapes [2, 3] and [4, 5] were broadcast" + " and so on" * 30,
        "shapes [2, 3] and [3] are compatible",
        "mismatch: (a, b) and (c, d)",
        "shape mismatch in gather, lhs: [2, 3], rhs: [4]",
        "tensor [2, 3] cannot be unsqueezed to [2, 4]: shape mismatch",
        "could not put (3, 4) into (12): sizes do not match",
        "np.vstack: dimensions [2, 3] and [2, 4] must match",
        "screen size mismatch (1920, 1080) vs (1280, 720)",
        "Resolution mismatch: (1920, 1080) vs (1280, 720)",
        "port range mismatch: [8000, 8080] vs [9000]",
        "broadcast to peers (10, 20) and (30, 40) done",
        "coords mismatch (3, 4), (5, 6)",
        "shapes (2, 3) and (4, 3) do not match, using fallback",
        "cannot broadcast (2, 3) and (4, 3); falling back to a loop",
        "broadcast mismatch [left]: (3, 2) [right]: (4, 2)",
        "mask (3, 4) mismatches image (5, 4)",
        "the shape of mask (3, 4) does not match the weight (5, 4)",
        "AssertionError: the shapes of mask (3, 4) and image (5, 4) do not match",
        "'a.add' tensor<2x3xf32> and tensor<*xf32> do not broadcast",
        f"{SEEN} (!torch.vtensor<[?,8],f16>, !torch.list<int>) -> !torch.vtensor<*,f16>",
        f"{ADDED} (tensor<2x8xf32>, tensor<6xf32>, tensor<1xi8>) -> tensor<2x8xf32>",
        f"{ADDED.replace('add', 'add_shape')} (tensor<2x8xf32>, tensor<6xf32>) -> tensor<i1>",
        f"{ADDED.replace('add', 'matmul')} (tensor<2x8xf32>, tensor<6xf32>) -> tensor<i1>",
        "    shape = np.broadcast_shapes((6, 7), (5, 1), (3, 7))",
        "    broadcastable(a.shape[2], b.shape[3]), ((2, 3), (4, 5)))",
        "    ((1, 2), (3, 4)),    # mismatched operands",
    ],
)
def test_nothing(text: str) -> None:
    """Other sentences with shapes, or with brackets, are no messages about broadcasting."""
    assert read(text) == []


def test_only_where_nothing_is_known() -> None:
    """A text with a known message, or a known fault, has no last resort."""
    known = "operands could not be broadcast together with shapes (2,3) (4,)"
    assert read(f"{UNKNOWN}\n{known}") == [((2, 3), (4,))]
    assert read(f"{UNKNOWN}\nSizes of tensors must match except in dimension 1.") == []


def test_marked() -> None:
    """The answer says that the message is not known, and crops nothing; JSON has no framework."""
    ended = run(["why", UNKNOWN])
    assert (ended.status, "crop" in ended.out) == (1, False)
    note = "this message is not known: two shapes were found in it, and asked under numpy's rule"
    assert ended.out.startswith(f"note  {note}\n")
    assert ended.out.endswith("mismatch: A has 23 and B has 10 on axis 1 (-1), and neither is 1\n")
    record = json.loads(run(["why", "--json", UNKNOWN]).out)
    assert (record["framework"], record["caveats"]) == (None, ["message not known"])


def test_shapes_that_broadcast() -> None:
    """Shapes that broadcast explain nothing."""
    ended = run(["why", "FooError: operands [1, 23] and [1, 1] do not broadcast"])
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: nothing to explain: ")


def test_the_line_is_shown_as_it_is() -> None:
    """The message is the line of the text, whatever it was read as."""
    text = "'a.add' tensor<2x3xf32> and tensor<4x3xf32> do not broadcast"
    assert json.loads(run(["why", "--json", text]).out)["message"] == text
