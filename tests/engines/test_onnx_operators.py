"""The onnx package judges the table of operators, and ONNX Runtime what op answers."""

from collections import Counter
from typing import Any

import pytest

from bcastcli.operators import operators, table
from bcastcli.operators.questions import ask
from bcastcli.operators.table import Version, signatures
from tests.cases.operator_documents import Document, normalization, random_question
from tests.engines.judging import Answered, Said, engine, fresh
from tests.engines.single_op import model, np, onnx
from tests.operators.asking import line_of
from tests.strategies import SIZES, Question

engine("onnxruntime")

TABLE = table.table()
NEWEST = onnx.defs.onnx_opset_version()
SCHEMAS: dict[str, list[Any]] = {}
for _schema in onnx.defs.get_all_schemas_with_history():
    if _schema.domain == "":
        SCHEMAS.setdefault(_schema.name, []).append(_schema)

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


# Answers.


def random_answers(document: Document, count: int) -> list[Answered]:
    """Our answers to random questions of known sizes near the line between yes and no."""
    chance = fresh(f"op {document.name} {document.opset} {document.options}")
    answers = []
    for _ in range(count):
        shapes, options = random_question(document, chance, SIZES)
        answer = ask(line_of(shapes, options), document.opset, document.name)
        inputs = tuple(tuple(map(int, operand.shape)) for operand in answer.question.inputs)
        result = None if answer.result is None else tuple(map(int, answer.result))
        notes = tuple(note.text for note in answer.notes if note.kind == "engine")
        question = Question(document.name, inputs, options.get("axis"))
        answers.append((question, Said(answer.ok, result, (), notes)))
    return answers


def test_inference_does_not_check() -> None:
    """Strict shape inference lets pass what our note says that it does not check."""
    answers = random_answers(
        Document("LayerNormalization", None, (2, 3), normalization, {"axis": (-1,)}), 500
    )
    noted = [each for each in answers if any("does not check" in note for note in each[1].notes)]
    assert len(noted) > 50
    for question, _ in noted:
        built = model("LayerNormalization", [np.float32] * len(question.shapes), question.shapes)
        found = onnx.shape_inference.infer_shapes(built, check_type=True, strict_mode=True)
        sizes = found.graph.output[0].type.tensor_type.shape.dim
        assert tuple(size.dim_value for size in sizes) == question.shapes[0]


def test_other_names() -> None:
    """The operators without a question are those of sequences and graphs, and two of old opsets."""
    rows = (row.split() for row in table.OTHERS.read_text("utf-8").splitlines())
    names = {name for name, _ in rows}
    assert names | {"Scatter", "Upsample"} == SCHEMAS.keys() - table.operators().keys()
