"""The onnx package judges the table of operators, and ONNX Runtime what op answers."""

from collections.abc import Callable
from typing import Any

import pytest

from bcastcli.core.shapes import written
from bcastcli.notation import text as notation
from bcastcli.notation.questions import answer_line
from bcastcli.operators import operators, table
from bcastcli.operators.legacy import OnnxLegacyPRelu
from bcastcli.operators.table import Version
from tests.cases.operator_documents import (
    Document,
    gemm,
    matmul,
    multidirectional,
    normalization,
    random_question,
    unidirectional,
)
from tests.engines.judging import Answered, Said, engine, fresh, judge
from tests.engines.questions import SIZES, Known, Question
from tests.engines.single_op import OPSET, load, model, np, onnx, refusals, result_shape, run

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
        said = "none" if row.rule == OnnxLegacyPRelu.name else row.rule
        assert said_by(schema) == said, schema.since_version
        check_inputs(schema, row)


def check_inputs(schema: Any, row: Version) -> None:
    """The inputs of a row are those of the schema, and op takes as many, under the same names."""
    given = schema.inputs
    variadic = given[0].option == onnx.defs.OpSchema.FormalParameterOption.Variadic
    if row.op in ("MatMulInteger", "QLinearMatMul"):
        given = [each for each in given if "zero_point" not in each.name]
        given = [each for each in given if "scale" not in each.name]
    if row.op in ("Attention", "Einsum"):
        assert set(row.inputs) <= {each.name for each in given}
        return
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
    assert speaking - set(TABLE) <= {"Tile", "SwiGLU"}


# Answers.


def random_answers(document: Document, count: int) -> list[Answered]:
    """Our answers to random questions of known sizes near the line between yes and no."""
    chance = fresh(f"op {document.name} {document.opset} {document.options}")
    versions = table.versions_of(document.name)
    operator = operators.operator(
        table.version_at_or_error(versions, document.opset), document.opset
    )
    answers = []
    for _ in range(count):
        shapes, options = random_question(document, chance, SIZES)
        answer = answer_line(operator, " ".join(map(written, shapes)), options)
        inputs = tuple(tuple(map(int, operand.shape)) for operand in answer.question.inputs)
        result = None if answer.result is None else tuple(map(int, answer.result))
        notes = tuple(note.text for note in answer.notes if note.kind == "engine")
        question = Question(document.name, inputs, options.get("axis"))
        answers.append((question, Said(answer.ok, result, (), notes)))
    return answers


def for_runtime(_: Question, said: Said) -> Known | None:
    """What we say that ONNX Runtime does: the answer, unless a note has it otherwise."""
    others = [note for note in said.notes if note.startswith("ONNX Runtime ")]
    if not others:
        return said.result
    [note] = others
    if "refuses" in note:
        assert said.ok
        return None
    assert not said.ok
    return tuple(map(int, notation.read(note.split()[-1]).shapes[0]))


def executed(op: str, opset: int = OPSET, **attributes: int) -> Callable[[Question], Known | None]:
    return lambda question: result_shape(op, question.shapes, opset, **attributes)


@pytest.mark.parametrize("opset", [7, 9, 11, 13])
@pytest.mark.parametrize(("trans_a", "trans_b"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_gemm(opset: int, trans_a: int, trans_b: int) -> None:
    """Gemm runs where K fits and C goes to the product; where else it runs, our note says so."""
    counts = (3, 3, 2) if opset >= 11 else (3,)
    options = {"trans_a": (trans_a,), "trans_b": (trans_b,)}
    answers = random_answers(Document("Gemm", opset, counts, gemm, options), 500)
    judge(
        "onnxruntime",
        answers,
        executed("Gemm", opset, transA=trans_a, transB=trans_b),
        for_runtime,
    )


@pytest.mark.parametrize(
    ("trans_a", "question", "result"), [(0, "3 3,4 4", (1, 4)), (1, "3 1,4 4", (3, 4))]
)
def test_gemm_of_a_row(trans_a: int, question: str, result: Known) -> None:
    """What our note says of a rank that only ONNX Runtime takes, it was seen to do."""
    operator = operators.operator(TABLE["Gemm"][-1], None)
    [note] = answer_line(operator, question, {"trans_a": trans_a}).notes
    assert note.text == (
        "ONNX Runtime takes A as 1,3 in a model that does not declare A's shape: "
        f"it accepts this and returns {written(result)}"
    )
    shapes = [tuple(map(int, shape)) for shape in notation.read(question).shapes]
    assert result_shape("Gemm", shapes, transA=trans_a) == result
    for declared in ([None, *shapes[1:]], [shapes[0], None, None], shapes):
        built = model("Gemm", [np.float32] * 3, declared, transA=trans_a)
        if declared[0] is None:
            load(built)
        else:
            with pytest.raises(refusals(), match="expected to have rank 2"):
                load(built)


@pytest.mark.parametrize("opset", [7, 9, 16])
def test_prelu(opset: int) -> None:
    """PRelu runs where we say yes; where we say no and it runs, our note says so."""
    answers = random_answers(Document("PRelu", opset, (2,), unidirectional), 1_000)
    judge("onnxruntime", answers, executed("PRelu", opset), for_runtime)
    assert any("runs PRelu" in note for _, said in answers for note in said.notes)


@pytest.mark.parametrize(
    ("name", "counts"), [("LayerNormalization", (2, 3)), ("RMSNormalization", (2,))]
)
def test_normalization(name: str, counts: tuple[int, ...]) -> None:
    """A normalization runs where we say yes, on whatever axis, unless our note says otherwise."""
    options = {"axis": (-4, -3, -2, -1, -1, 0, 0, 1, 2, 3)}
    answers = random_answers(Document(name, None, counts, normalization, options), 3_000)
    judge(
        "onnxruntime",
        answers,
        lambda question: result_shape(name, question.shapes, axis=question.axis),
        for_runtime,
    )
    assert any("refuses" in note for _, said in answers for note in said.notes)


def where(question: Question) -> Known | None:
    condition, *others = question.shapes
    arrays = [np.ones(condition, np.bool_), *(np.ones(shape, np.float32) for shape in others)]
    return shape_of(run("Where", arrays))


def expand(question: Question) -> Known | None:
    given, target = question.shapes
    return shape_of(run("Expand", [np.ones(given, np.float32), np.array(target, np.int64)]))


def shape_of(output: Any) -> Known | None:
    return None if output is None else output.shape


@pytest.mark.parametrize(
    ("name", "counts", "says"),
    [
        ("Where", (3,), where),
        ("Expand", (2,), expand),
        ("Max", (2, 3, 4), executed("Max")),
        ("Mean", (2, 3, 4), executed("Mean")),
        ("Mul", (2,), executed("Mul")),
    ],
)
def test_multidirectional(
    name: str, counts: tuple[int, ...], says: Callable[[Question], Known | None]
) -> None:
    """An operator runs where we say yes, and gives what we say."""
    answers = random_answers(Document(name, None, counts, multidirectional), 1_500)
    judge("onnxruntime", answers, says)


def numpy_matmul(question: Question) -> Known | None:
    try:
        return shape_of(np.matmul(*(np.ones(shape, np.float32) for shape in question.shapes)))
    except ValueError:
        return None


OWN_WAYS = (
    "ONNX Runtime before 1.32 behaves differently where an axis is empty, except for two "
    "plain matrices"
)


def test_matmul() -> None:
    """MatMul gives what we say, in NumPy always, in ONNX Runtime unless a note speaks of it."""
    answers = random_answers(Document("MatMul", None, (2,), matmul), 4_000)
    judge("numpy", answers, numpy_matmul)
    usual = [each for each in answers if OWN_WAYS not in each[1].notes]
    assert len(usual) > len(answers) / 2
    judge("onnxruntime", usual, executed("MatMul"))


def test_matmul_integer() -> None:
    """MatMulInteger gives what we say, unless a note speaks of it."""
    answers = random_answers(Document("MatMulInteger", None, (2,), matmul), 2_000)
    judge(
        "onnxruntime",
        [each for each in answers if OWN_WAYS not in each[1].notes],
        lambda asked: shape_of(run("MatMulInteger", [np.ones(s, np.uint8) for s in asked.shapes])),
    )


@pytest.mark.parametrize("op", ["MatMul", "MatMulInteger"])
@pytest.mark.parametrize(
    ("question", "ours", "theirs"),
    [
        (((0, 3), (3,)), (0,), None),
        (((4, 3), (0, 3, 2)), (0, 4, 2), None),
        (((2, 2, 0), (5, 0, 4)), None, (2, 2, 4)),
        (((4, 1, 4, 0), (2, 0, 4)), (4, 2, 4, 4), (4, 1, 4, 4)),
    ],
)
def test_own_ways_of_matmul(
    op: str, question: tuple[Known, Known], ours: Known | None, theirs: Known | None
) -> None:
    """Where the note on empty axes stands, ONNX Runtime refused and accepted more before 1.32."""
    answer = answer_line(
        operators.operator(TABLE[op][-1], None), " ".join(map(written, question)), {}
    )
    dtype = np.float32 if op == "MatMul" else np.uint8
    assert answer.result == ours
    assert OWN_WAYS in [note.text for note in answer.notes]
    version = tuple(map(int, engine("onnxruntime").__version__.split(".")[:2]))
    expected = theirs if version < (1, 32) else ours
    assert shape_of(run(op, [np.ones(shape, dtype) for shape in question])) == expected


def test_mean_of_the_reference() -> None:
    """Where our note says that ONNX's reference evaluator fails, it does, and else it does not."""
    reference = engine("onnx.reference")
    answers = random_answers(Document("Mean", None, (2, 3), multidirectional), 300)
    verdicts = set()
    for question, said in answers:
        if said.ok:
            inputs = [np.ones(shape, np.float32) for shape in question.shapes]
            built = model("Mean", [np.float32] * len(inputs), [None] * len(inputs))
            evaluator = reference.ReferenceEvaluator(built)
            try:
                evaluator.run(None, dict(zip(evaluator.input_names, inputs, strict=True)))
                fails = False
            except ValueError:
                fails = True
            assert fails == any("reference evaluator fails" in note for note in said.notes)
            verdicts.add(fails)
    assert verdicts == {True, False}


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
