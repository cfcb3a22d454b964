"""ONNX Runtime judges `op` by random questions to every operator, and models that stop."""

import re
import warnings
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bcastcli.core.answer import Answer
from bcastcli.notation import text as notation
from bcastcli.operators import operators, table
from bcastcli.operators.matrices import MatrixProduct
from bcastcli.operators.questions import ask
from bcastcli.rules import RULES
from tests import effort, in_memory
from tests.cases.operator_documents import Document, multidirectional, random_question
from tests.effort import in_turn
from tests.engines.judging import engine, fresh, judged, several
from tests.engines.single_op import load, np, refusals, run
from tests.model_files import inferred_here, model_of_line, parsed
from tests.operators.asking import line_of
from tests.strategies import SIZES, Known

engine("onnxruntime")
NODES = "onnx.backend.test.case.node"
onnx_nodes = engine(NODES)

TABLE = table.table()
FIRST, LAST = 7, 28
"""The opsets that ONNX Runtime runs."""
NOT_RUN = {"Einsum", "SwiGLU"}
"""Einsum is listed only, and ONNX Runtime has no SwiGLU yet."""
DTYPES = {
    **dict.fromkeys(("And", "Or", "Xor"), np.bool_),
    **dict.fromkeys(("BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mod", "Equal"), np.int32),
    **dict.fromkeys(("BitShift", "MatMulInteger", "QLinearMatMul"), np.uint8),
    "StringConcat": object,
}
Options = dict[str, int]


def executed(op: str, opset: int, shapes: tuple[Known, ...], options: Options) -> Known | None:
    """The shape of the output, where ONNX Runtime executes an operator; None where it refuses."""
    value: Any = "a" if op == "StringConcat" else 1
    arrays = [np.full(shape, value, DTYPES.get(op, np.float32)) for shape in shapes]
    names = {"trans_a": "transA", "trans_b": "transB"}
    attributes: dict[str, Any] = {names.get(name, name): each for name, each in options.items()}
    if op == "Where":
        arrays[0] = arrays[0].astype(np.bool_)
    elif op == "Expand":
        arrays[1] = np.array(shapes[1], np.int64)
    elif op == "QLinearMatMul":
        quantized = np.array(1, np.float32), np.array(0, np.uint8)
        arrays = [arrays[0], *quantized, arrays[1], *quantized, *quantized]
    elif op == "BitShift":
        attributes["direction"] = "LEFT"
    shape: Known | None = getattr(run(op, arrays, opset, **attributes), "shape", None)
    return shape


def expected(answer: Answer) -> Known | None:
    """The result that ONNX Runtime gives by our answer: ours, unless a note says otherwise."""
    notes = " ".join(note.text for note in answer.notes if note.kind == "engine")
    returned = re.findall(r"accepts this and returns (\S+)", notes)
    if returned:
        assert answer.ok is False
        [shape] = notation.read(*returned).shapes
        return tuple(map(int, shape))
    if "Runtime refuses this" in notes:
        assert answer.ok
        return None
    return None if answer.result is None else tuple(map(int, answer.result))


def random_opset(op: str, chance: Random) -> int:
    """An opset in which an operator follows a rule of today."""
    first = next(row.since_opset for row in TABLE[op] if row.rule in RULES)
    opsets: list[int] = [*range(max(FIRST, first), LAST + 1), LAST]
    return chance.choice(opsets)


def asked_at_random(
    op: str, opset: int, chance: Random
) -> tuple[tuple[Known, ...], dict[str, int]]:
    """Shapes and options for an operator, near the line between yes and no."""
    asked = operators.operator(table.version_at_or_error(table.versions_of(op), opset), opset)
    counts = range(asked.min_operands, (asked.max_operands or 4) + 1)
    like = "MatMul" if isinstance(asked, MatrixProduct) else op
    values = {"axis": (-4, -3, -2, -1, -1, 0, 1, 2, 3), "trans_a": (0, 1), "trans_b": (0, 1)}
    options = {name: values[name] for name in asked.options}
    document = Document(like, opset, tuple(counts), multidirectional, options)
    made = random_question(document, chance, SIZES)
    return tuple(tuple(map(int, shape)) for shape in made.shapes), made.options


@pytest.mark.parametrize("op", sorted(TABLE.keys() - NOT_RUN))
def test_every_operator(op: str) -> None:
    """An operator runs where we say yes, with our result, and nowhere else, but for our notes."""
    chance = fresh(f"operator {op}")
    count, wrong = several(1_000), []
    for _ in range(count):
        opset = random_opset(op, chance)
        shapes, options = asked_at_random(op, opset, chance)
        if op == "Gemm" and len(shapes[0]) == 1:
            continue  # where no rank is declared, as here, ONNX Runtime takes A as a row
        ours = expected(ask(line_of(shapes, options), opset, op))
        theirs = executed(op, opset, shapes, options)
        if ours != theirs:
            wrong.append((opset, shapes, options, ours, theirs))
    judged["onnxruntime"] += count
    assert not wrong, wrong[:20]


def test_valid_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No node of ONNX's own tests is a mismatch, in its model or on the line that `model` writes.

    A quick run tries LayerNormalization's.
    """
    if not effort.thorough:  # to collect all takes long
        module = f"{NODES}.layernormalization"
        monkeypatch.setattr(onnx_nodes, "import_recursive", lambda _: engine(module))
    with warnings.catch_warnings(), inferred_here():
        warnings.simplefilter("ignore")
        models = [each.model for each in onnx_nodes.collect_testcases()]
        models = [each for each in models if len(each.graph.node) == 1]
        models = [each for each in models if each.graph.node[0].op_type in TABLE]
        file = tmp_path / "node.onnx"
        for made in in_turn(models):
            file.write_bytes(made.SerializeToString())
            lines = in_memory.run(["model", str(file), "-f", "lines"])
            assert lines.status in (0, 3), (made.graph.name, lines)
            answers = in_memory.run(["op", "-"], lines.out.encode())
            assert answers.status in (0, 3), (made.graph.name, lines, answers)
    judged["onnx"] += len(in_turn(models))
    assert len(models) > 10


ANSWERS = (Path(__file__).parents[1] / "model" / "shapes.txt").read_text("utf-8")
STOPS = re.findall(r"(?m)^(\S.*)\n(?:  asks .*\n)?  fails: ", ANSWERS)
OTHER_TYPES = re.compile(r"Integer|Quantize|QLinear|ArgM|Loss|Where|Embed|Sequence|N,")
"""Operators that do not take floats, and open sizes."""


@pytest.mark.parametrize("line", [each for each in STOPS if not OTHER_TYPES.search(each)])
def test_stops(line: str) -> None:
    """ONNX Runtime refuses each node that stops: when it loads it, or when it runs it."""
    data, shapes = model_of_line(line)
    made = parsed(data)
    made.opset_import.add(domain="com.microsoft", version=1)
    feed = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    with pytest.raises(refusals()):
        load(made).run(None, feed)
