"""What ONNX Runtime runs does not stop, and what it refuses is not called good.

The verdicts are those of ONNX Runtime 1.32 on these models with these shapes.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.in_memory import Ended, run
from tests.model_files import Shape, constant, graph, inferred_here, model, node
from tests.rows import each_row

Ask = Callable[..., Ended]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Ask for a graph of nodes with inputs, and return how the command ended."""
    monkeypatch.chdir(tmp_path)

    def asked(
        nodes: Sequence[Any], inputs: dict[str, Shape], opset: int = 18, **rest: Any
    ) -> Ended:
        made = graph(nodes, inputs, outputs={nodes[-1].output[0]: None}, **rest)
        Path("m.onnx").write_bytes(model(made, opset=opset))
        return run(["model", "m.onnx"])

    with inferred_here():
        yield asked


def runtime(operator: str, inputs: str, output: str, name: str = "", **attributes: Any) -> Any:
    """Return a node of ONNX Runtime's own domain."""
    return node(operator, inputs, output, name, domain="com.microsoft", **attributes)


def classic(operator: str, inputs: str, output: str, name: str = "", **attributes: Any) -> Any:
    """Return a node of the domain of classic models."""
    return node(operator, inputs, output, name, domain="ai.onnx.ml", **attributes)


DOTS = node("Einsum", "q x", "e", "ein", equation="...i,...i->...")
CAPITALS = node("Einsum", "x", "e", "ein", equation="aBc")
EINSUM = node("Einsum", "q x", "e", "ein", equation="bld,btd->blt")
FUSED = runtime("FusedMatMul", "x y", "e", "mul", transB=1)
NMS = node("NonMaxSuppression", "b s", "o", "nms")
GROUPS = node("GroupNormalization", "x s b", "o", "gn", num_groups=2)
QUANTIZE = node("QuantizeLinear", "x s z", "o", "q")
INTEGER = node("MatMulInteger", "a b az bz", "o", "mi")
JOINED = runtime("QLinearConcat", "s z x s z y s z", "o", "qc", axis=1)
SEQUENCE = [
    node("SequenceConstruct", "x y", "s"),
    node("ConcatFromSequence", "s", "o", "cfs", axis=0),
]
TAKEN = [SEQUENCE[0], node("SequenceAt", "s one", "z"), node("Add", "z x", "o", "add")]
TOTAL = node("Add", "o ones", "z", "total")
PRODUCTS = [
    runtime("FusedMatMul", "x y", "e", "mul"),
    *(node("SequenceConstruct", "e e", "s"), *SEQUENCE[1:], TOTAL),
]
ROTARY = node("RotaryEmbedding", "q c s", "o", "rot")
SLICES = node("Scan", "x y", "o", "pairs", num_scan_inputs=2, body=graph(
    [node("Add", "a b", "c")], {"a": None, "b": None}, outputs={"c": None}
))  # fmt: skip
STATES = node("Scan", "y x", "s o", "carry", num_scan_inputs=1, body=graph(
    [node("Add", "a b", "c"), node("Identity", "c", "d")],
    {"a": None, "b": None},
    outputs={"c": None, "d": None},
))  # fmt: skip
LSTM = runtime("DynamicQuantizeLSTM", "x w r", "o", "lstm", hidden_size=2)
STATE = [
    runtime("DynamicQuantizeLSTM", "x w r", "o h", "lstm", hidden_size=2),
    node("Add", "h ones", "z", "add"),
]
NORM = [
    node("SimplifiedLayerNormalization", "x ones", "y", "n"),
    node("MatMul", "y matrix", "z", "mm"),
]
BODY = graph([node("Add", "row ones", "both", "inner")], {"row": None}, outputs={"both": None})
SCAN = node("Scan", "x", "s", "scan", num_scan_inputs=1, body=BODY)
SCAN.attribute.sort(key=lambda each: each.name, reverse=True)
COUNTED = [
    *(node("Size", "x", "n"), node("Reshape", "n vector", "v")),
    *(node("ConstantOfShape", "v", "zeros"), node("Add", "zeros ones", "o", "add")),
]
LOSS = node("SoftmaxCrossEntropyLoss", "x y", "o", "loss")
HEADS = runtime("MultiHeadAttention", "q k v", "o", "mha", num_heads=2)

RUNS: list[tuple[Any, dict[str, Shape]]] = [
    (EINSUM, {"q": [1, 5, 8], "x": [4, 7, 8]}),
    (EINSUM, {"q": [4, 5, 1], "x": [1, 7, 8]}),
    (FUSED, {"x": [4, 5, 8], "y": [4, 7, 8]}),
    (NMS, {"b": [1, 6, 4], "s": [1, 2, 6]}),
    (GROUPS, {"x": [1, 4, 3, 3], "s": [2], "b": [1]}),
    (QUANTIZE, {"x": [2, 4, 5], "s": [4], "z": [4]}),
    (QUANTIZE, {"x": [2, 4, 5], "s": [], "z": [1]}),
    (INTEGER, {"a": [3, 4], "b": [4, 5], "az": [1], "bz": [5]}),
    (JOINED, {"x": [1, 2, 4], "y": [1, 3, 4], "s": [], "z": []}),
    (TAKEN, {"x": [2, 3], "y": [2, 3]}),
    (LSTM, {"x": [5, 1, 3], "w": [1, 3, 8], "r": [1, 2, 8]}),
    (NORM, {"x": [2, 5, 3]}),
    (LOSS, {"x": [3, 4], "y": [3]}),
    (HEADS, {"q": [2, 3, 8], "k": [2, 5, 8], "v": [2, 5, 8]}),
    (classic("LabelEncoder", "x", "l"), {"x": [3]}),
    ([node("NonZero", "x", "n"), node("Transpose", "n", "t")], {"x": [3, 4]}),
]
REFUSED: list[tuple[Any, dict[str, Shape], str]] = [
    (EINSUM, {"q": [2, 5, 8], "x": [4, 7, 8]}, "stops at ein (Einsum)"),
    (DOTS, {"q": [2, 5, 8], "x": [5, 8]}, "stops at ein (Einsum)"),
    (
        CAPITALS,
        {"x": [1, 3, 3]},
        "ONNX Runtime refuses this: without ->, the output has no capital",
    ),
    (
        FUSED,
        {"x": [4, 5, 8], "y": [3, 7, 8]},
        "x has 4 and y.T has 3",
    ),
    (NMS, {"b": [1, 7, 4], "s": [1, 2, 6]}, "b has 7 on axis 1, but s needs 6"),
    (GROUPS, {"x": [1, 4, 3, 3], "s": [4], "b": [4]}, "s has 4 on axis 0, but num_groups=2"),
    (QUANTIZE, {"x": [2, 4, 5], "s": [4], "z": [3]}, "z has 3 on axis 0, but s needs 4"),
    (
        INTEGER,
        {"a": [3, 4], "b": [4, 5], "az": [3], "bz": []},
        "az has 3 on axis 0",
    ),
    (INTEGER, {"a": [3, 4], "b": [4, 5], "az": [], "bz": [4]}, "bz has 4 on axis 0, but b needs 5"),
    (JOINED, {"x": [1, 2, 4], "y": [1, 3, 5], "s": [], "z": []}, "stops at qc (QLinearConcat)"),
    ([*SEQUENCE, TOTAL], {"x": [2, 4], "y": [4, 4]}, "o u1,4  ones 3"),
    (PRODUCTS, {"x": [2, 5], "y": [5, 4]}, "o u1,4"),
    (LOSS, {"x": [3, 4], "y": [4]}, "y has 4 on axis 0, but x allows at most 3"),
    (ROTARY, {"q": [2, 4, 3, 8], "c": [1, 3, 4], "s": [1, 3, 4]}, "c has 1 on axis 0, but q needs"),
    (LSTM, {"x": [5, 1, 4], "w": [1, 3, 8], "r": [1, 2, 8]}, "x has 4 on axis 2, but w needs 3"),
    (SCAN, {"x": [2, 4]}, "stops at scan/body/inner (Add)"),
    (COUNTED, {"x": [2, 3]}, "zeros has 6 and ones has 3 on axis 0"),
    (HEADS, {"q": [2, 3, 7], "k": [2, 5, 7], "v": [2, 5, 7]}, "not a multiple of 2 (num_heads=2)"),
    (node("Split", "x", "o u", "split", num_outputs=3), {"x": [6]}, "3 parts, but 2 outputs"),
    (STATE, {"x": [5, 1, 3], "w": [1, 3, 8], "r": [1, 2, 8]}, "h has 2 and ones has 3 on axis 2"),
    (NORM, {"x": [2, 5, 4]}, "stops at n (SimplifiedLayer"),
    (HEADS, {"q": [2, 3, 8], "k": [2, 5, 6], "v": [2, 5, 8]}, "k has 6 on axis 2, but q needs 8"),
]
CONSTANTS = [
    constant("target", [4, -1, 7]),
    constant("vector", [1]),
    constant("one", [1], []),
    constant("ones", [1.0] * 3),
    constant("matrix", [1.0] * 6, [3, 2]),
]


def _nodes(made: Any) -> Sequence[Any]:
    return made if isinstance(made, list) else [made]


@each_row(("made", "shapes"), RUNS)
def test_what_runs(ask: Ask, made: Any, shapes: dict[str, Shape]) -> None:
    """With all sizes given, every node is decided: nothing stops, and nothing is unchecked."""
    ended = ask(_nodes(made), shapes, constants=CONSTANTS)
    assert (ended.status, "stops" in ended.out, "not checked" in ended.out) == (0, False, False)


@each_row(("made", "shapes", "told"), REFUSED)
def test_what_is_refused(ask: Ask, made: Any, shapes: dict[str, Shape], told: str) -> None:
    """The node that stops is named, with the sizes at fault."""
    ended = ask(_nodes(made), shapes, constants=CONSTANTS)
    assert ended.status == 1
    assert told in ended.out


@each_row(
    ("made", "inputs"),
    [(SLICES, {"x": [5, 3], "y": [4, 3]}), (STATES, {"y": [1], "x": [5, 3]})],
)
def test_a_scan_that_does_not_fit(ask: Ask, made: Any, inputs: dict[str, Shape]) -> None:
    """Slices of other lengths, or a state that its body changes, are no yes."""
    ended = ask([made], inputs)
    assert (ended.status, "1 operator is not checked: Scan" in ended.out) == (3, True)


UNCHECKED = [
    (runtime("GroupQueryAttention", "x a", "y"), "com.microsoft::GroupQueryAttention"),
    (node("Newest", "x", "y"), "Newest"),
    (node("Concat", "", "o", "none", axis=0), "Concat"),
    (node("AffineGrid", "x v", "y"), "AffineGrid"),
    (node("Clip", "x x", "y"), "Clip"),
    (runtime("FusedMatMul", "x x", "y", transBatchA=1), "com.microsoft::FusedMatMul"),
    (node("DequantizeLinear", "x x", "y", block_size=1), "DequantizeLinear"),
    (
        runtime("MultiHeadAttention", "x x x a", "y", num_heads=1),
        "com.microsoft::MultiHeadAttention",
    ),
    (classic("Scaler", "x", "y"), "ai.onnx.ml::Scaler"),
]


OPEN = [
    (node("Tile", "x v", "y", "t"), "t (Tile)"),
    (node("Reshape", "x v", "y", "r"), "r (Reshape)"),
    (node("Pad", "x v", "y", "p"), "p (Pad)"),
    (node("TopK", "x k", "y i", "k"), "k (TopK)"),
]


@each_row(("made", "name"), OPEN)
def test_what_values_decide(ask: Ask, made: Any, name: str) -> None:
    """Where values that count are an input's, nothing is decided, and the node is named."""
    ended = ask([made], {"x": [2, 3], "v": [4], "k": [1]})
    assert ended.status == 3
    assert f"note  {name} cannot be decided: sizes or values there depend on data\n" in ended.out


@each_row(("made", "name"), UNCHECKED)
def test_what_nothing_checks(ask: Ask, made: Any, name: str) -> None:
    """An operator that nobody knows is never all good: the last line counts it, the status is 3."""
    inputs: dict[str, Shape] = {"x": [2, 3], "v": [4]}
    ended = ask([node("Add", "x ones", "a"), made], inputs, opset=21, constants=CONSTANTS)
    last = ended.out.splitlines()[-1]
    assert ended.status == 3
    assert last.endswith(f"1 node broadcasts; 1 operator is not checked: {name}")
    for output in ("lines", "github", "plain", "json"):
        assert run(["model", "m.onnx", "-f", output]).status == 3
    assert run(["model", "m.onnx", "-f", "lines"]).out.startswith("# 1 operator is not checked: ")
    assert f'"unchecked": ["{name}"]' in run(["model", "m.onnx", "--json"]).out
