"""ONNX Runtime judges `op` in the opsets that have an operator, and onnx the table of operators."""

import re
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bcastcli.core.answer import Answer
from bcastcli.notation import text as notation
from bcastcli.operators import operators, table
from bcastcli.operators.operators import MatrixProduct
from bcastcli.operators.questions import ask
from bcastcli.operators.table import Version, signatures
from bcastcli.rules import RULES
from tests import effort, in_memory
from tests.cases.operator_documents import (
    Document,
    multidirectional,
    normalization,
    random_question,
)
from tests.effort import in_turn
from tests.engines.judging import engine, fresh, judged, several
from tests.engines.single_op import load, model, np, onnx, refusals, run
from tests.model_files import inferred_here, model_of_line, parsed
from tests.operators.asking import line_of
from tests.strategies import SIZES, Known

engine("onnxruntime")
NODES = "onnx.backend.test.case.node"
onnx_nodes = engine(NODES)

TABLE = table.table()
NEWEST = onnx.defs.onnx_opset_version()
SCHEMAS: dict[str, list[Any]] = {}
for _schema in onnx.defs.get_all_schemas_with_history():
    if _schema.domain == "":
        SCHEMAS.setdefault(_schema.name, []).append(_schema)

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


@pytest.mark.parametrize("op", sorted(TABLE.keys() - NOT_RUN))
def test_every_operator(op: str) -> None:
    """An operator runs where we say yes, with our result, and nowhere else, but for our notes."""
    chance, wrong = fresh(f"operator {op}"), []
    first = max(FIRST, next(row.since_opset for row in TABLE[op] if row.rule in RULES))
    values = {"axis": (-4, -3, -2, -1, -1, 0, 1, 2, 3), "trans_a": (0, 1), "trans_b": (0, 1)}
    for _ in range(several(1_000)):
        opset = chance.choice([*range(first, LAST + 1), LAST])
        own = operators.operator(table.version_at_or_error(table.versions_of(op), opset), opset)
        counts = tuple(range(own.min_operands, (own.max_operands or 4) + 1))
        like = "MatMul" if isinstance(own, MatrixProduct) else op
        taken = {name: values[name] for name in own.options}
        document = Document(like, opset, counts, multidirectional, taken)
        made = random_question(document, chance, SIZES)
        shapes = tuple(tuple(map(int, shape)) for shape in made.shapes)
        if op == "Gemm" and len(shapes[0]) == 1:
            continue  # where no rank is declared, as here, ONNX Runtime takes A as a row
        ours = expected(ask(line_of(shapes, made.options), opset, op))
        theirs = executed(op, opset, shapes, made.options)
        if ours != theirs:
            wrong.append((opset, shapes, made.options, ours, theirs))
    judged["onnxruntime"] += several(1_000)
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


# The table

# What a schema says of broadcasting, in its own words; the first that it has.
SAYINGS = (
    ("multidirectional", "onnx"),
    ("unidirectional", "onnx-uni"),
    ("numpy.matmul", "onnx"),
    ("broadcasting is not applied", "none"),
    ("must be broadcastable to", "onnx-uni"),
    ("numpy.ones(shape)", "onnx"),
    ("NumPy-style broadcasting", "onnx"),
    ("ellipsis dimensions", "onnx"),
    ("same shape", "none"),
)


def said_by(schema: Any) -> str:
    """The rule that a schema speaks of."""
    if "broadcast" in schema.attributes:
        return "onnx-legacy"
    text = " ".join([schema.doc, *(given.description for given in schema.inputs)])
    found = (rule for saying, rule in SAYINGS if saying in " ".join(text.split()))
    if "roadcast" not in text:
        return next(found, "none")
    return next(found, f"unknown: {text}")


@pytest.mark.parametrize(
    "name", [name for name, rows in TABLE.items() if rows[0].since_opset <= NEWEST]
)
def test_schemas(name: str) -> None:
    """Each version of an operator's schema has the rule of the row that counts in its opset."""
    schemas = SCHEMAS[name]
    since = {schema.since_version for schema in schemas}
    rows = [row for row in TABLE[name] if row.since_opset <= NEWEST]
    assert {row.since_opset for row in rows} <= since
    assert rows[0].since_opset == min(since)
    for schema in schemas:
        row = table.version_at(rows, schema.since_version)
        assert row is not None
        said = "none" if row.rule == "onnx-legacy-prelu" else row.rule
        assert said_by(schema) == said, schema.since_version
        check_inputs(schema, row)


def check_inputs(schema: Any, row: Version) -> None:
    """The inputs of a row are those of the schema, and op takes as many, under the same names."""
    given = schema.inputs
    variadic = given[0].option == onnx.defs.OpSchema.FormalParameterOption.Variadic
    if row.op in ("MatMulInteger", "QLinearMatMul"):
        given = [each for each in given if "zero_point" not in each.name]
        given = [each for each in given if "scale" not in each.name]
    if row.op == "Einsum":
        assert set(row.inputs) <= {each.name for each in given}
        return
    if row.rule.startswith("onnx-legacy"):
        return  # ONNX Runtime has no operators of these opsets
    operator = operators.operator(row, None)
    assert row.is_variadic == variadic
    if variadic:
        assert (operator.min_operands, operator.max_operands) == (1, None)
        return
    names = tuple(each.name for each in given)
    required = [
        each for each in given if each.option == onnx.defs.OpSchema.FormalParameterOption.Single
    ]
    # The table has MatMulInteger's inputs in small letters.
    shown = (
        tuple(map(str.upper, operator.default_names))
        if row.op == "MatMulInteger"
        else operator.default_names
    )
    assert shown == names
    assert (operator.min_operands, operator.max_operands) == (len(required), len(given))
    assert ("axis" in schema.attributes) == ("axis" in operator.options)
    assert ("transA" in schema.attributes) == ("trans_a" in operator.options)


def test_no_operator_is_missing() -> None:
    """The others that speak of broadcasting say that they do none; SwiGLU is new in opset 28."""
    speaking = {
        name
        for name, schemas in SCHEMAS.items()
        for schema in schemas
        if "roadcast" in " ".join([schema.doc, *(each.description for each in schema.inputs)])
    }
    assert speaking - set(TABLE) <= {"Attention", "Tile", "SwiGLU"}


KINDS = {"INT": "int", "INTS": "ints", "FLOATS": "floats", "STRING": "string"}
OF_ACTIVATIONS = ("activation_alpha", "activation_beta", "weights")
"""Attributes with numbers that do not affect shapes."""


@pytest.mark.parametrize("op", signatures())
def test_signatures(op: str) -> None:
    """The table has the inputs of the newest schema, and the attributes of those that run."""
    schemas = SCHEMAS[op]
    newest = max(schemas, key=lambda each: each.since_version)
    at_seven = max((each.since_version for each in schemas if each.since_version <= 7), default=0)
    own = signatures()[op]
    options = Counter(str(each.option).rpartition(".")[2] for each in newest.inputs)
    assert own.is_variadic == bool(options["Variadic"])
    typed = {each.name for each in newest.inputs} - {*own.inputs}
    assert own.inputs == tuple(e.name for e in newest.inputs if e.name not in typed)
    kinds = {
        name: "other"
        if name in OF_ACTIVATIONS
        else KINDS.get(str(each.type).rpartition(".")[2], "other")
        for schema in schemas
        if schema.since_version >= at_seven
        for name, each in schema.attributes.items()
    }
    # Inputs with values are typed as attributes are.
    values = {"k" if name == "K" else name for name in typed}
    of_attributes = {name: kind for name, kind in own.attributes.items() if name not in values}
    assert of_attributes == {name: kind for name, kind in kinds.items() if name not in values}
    assert values <= own.attributes.keys()


def test_inference_does_not_check() -> None:
    """Strict shape inference lets pass what our note says that it does not check."""
    document = Document("LayerNormalization", None, (2, 3), normalization, {"axis": (-1,)})
    chance, noted = fresh("op LayerNormalization"), 0
    for _ in range(500):
        shapes, options = random_question(document, chance, SIZES)
        answer = ask(line_of(shapes, options), None, document.name)
        if any("does not check" in note.text for note in answer.notes):
            given = [operand.shape for operand in answer.question.inputs]
            built = model(document.name, [np.float32] * len(given), given)
            found = onnx.shape_inference.infer_shapes(built, check_type=True, strict_mode=True)
            sizes = found.graph.output[0].type.tensor_type.shape.dim
            assert tuple(size.dim_value for size in sizes) == given[0]
            noted += 1
    assert noted > 50


def test_other_names() -> None:
    """The operators without a question are those of sequences and graphs, and two of old opsets."""
    rows = (row.split() for row in table.OTHERS.read_text("utf-8").splitlines())
    names = {name for name, _ in rows}
    assert names | {"Scatter", "Upsample"} == SCHEMAS.keys() - table.operators().keys()
