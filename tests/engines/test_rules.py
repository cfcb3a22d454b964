"""Engines judge the rules: each takes what we say that broadcasts, gives our result, no more.

For numbers put in for sizes that were not known when we answered, the condition and the result are
what the engine gives.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from bcastcli.rules.explicit import JAX_RETURNS_IT
from tests.engines.judging import answered, answered_unknown, engine, fresh, judge, several
from tests.engines.single_op import model, np, onnx, run
from tests.strategies import LARGE, SIZES, Kind, Known, Question, inferred, questions

Says = Callable[[Any, Question], Known | None]
"""What an engine, given as its module, makes of a question; None, or an error, if it refuses."""


class Judge(NamedTuple):
    """An engine for a kind of questions."""

    engine: str
    kind: Kind
    says: Says
    known: int = 4_000
    unknown: int = 0
    """How many questions of known sizes it judges, and how many of unknown ones."""


def numpys_shapes(_: Any, question: Question) -> Known | None:
    shape: Known = np.broadcast_shapes(*question.shapes)
    return shape


def numpys_target(_: Any, question: Question) -> Known | None:
    target, source = question.shapes
    shape: Known = np.broadcast_to(np.empty(source, np.int8), target).shape
    return shape


def times_ones(_: Any, question: Question) -> Known | None:
    given, target = question.shapes
    shape: Known = (np.empty(given, np.int8) * np.ones(target, np.int8)).shape
    return shape


def equal(_: Any, question: Question) -> Known | None:
    first, *others = question.shapes
    return first if all(np.array_equal(first, other) for other in others) else None


def broadcast_in_dim(jax: Any, question: Question) -> Known | None:
    given, target = question.shapes
    axes = question.axes or ()
    # An input whose axes are left out is returned as it is, which is no answer about axes.
    if len(axes) != len(given):
        return None
    array = jax.ShapeDtypeStruct(given, "float32")
    return tuple(jax.eval_shape(lambda x: jax.lax.broadcast_in_dim(x, target, axes), array).shape)


@cache
def _context(ir: Any) -> Any:
    """A context of MLIR for all questions, as each takes long to load."""
    return ir.Context()


def add_of_tosa(ir: Any, question: Question) -> Known | None:
    """The only result type that the verifier takes for an addition."""
    engine("iree.compiler.dialects.func")
    # Of every axis the largest size, which is right if any result is.
    sizes = zip(*(s[::-1] for s in question.shapes), strict=len({*map(len, question.shapes)}) == 1)
    result = tuple(max(each) for each in sizes)[::-1]
    types = (f"tensor<{''.join(f'{n}x' for n in s)}f32>" for s in (*question.shapes, result))
    one, other, total = types
    text = (
        f"func.func @f(%a: {one}, %b: {other}) -> {total} {{ "
        f"%0 = tosa.add %a, %b : ({one}, {other}) -> {total} return %0 : {total} }}"
    )
    with _context(ir):
        ir.Module.parse(text).operation.verify()
    return result


def strictly_inferred(built: Any) -> Known | None:
    """The output's shape by strict inference."""
    found = onnx.shape_inference.infer_shapes(built, check_type=True, strict_mode=True)
    output = found.graph.output[0].type.tensor_type
    assert output.HasField("shape")
    assert all(axis.HasField("dim_value") for axis in output.shape.dim)
    return tuple(axis.dim_value for axis in output.shape.dim)


def types_of(op: str, count: int) -> list[Any]:
    return [np.bool_ if op == "Where" and not place else np.float32 for place in range(count)]


def by_inference(op: str) -> Says:
    return lambda _, question: strictly_inferred(
        model(op, types_of(op, len(question.shapes)), question.shapes)
    )


def expand(_: Any, question: Question) -> Known | None:
    given, target = question.shapes
    built = model("Expand", [np.float32, np.int64], [given, (len(target),)])
    constant = onnx.numpy_helper.from_array(np.array(target, np.int64), built.graph.input[1].name)
    built.graph.initializer.append(constant)
    return strictly_inferred(built)


def executed(op: str) -> Says:
    def by_onnxruntime(_: Any, question: Question) -> Known | None:
        arrays = map(np.ones, question.shapes, types_of(op, len(question.shapes)))
        output = run(op, list(arrays))
        return None if output is None else output.shape

    return by_onnxruntime


def added(rule: str) -> Says:
    """OpenVINO's Add; its operator Broadcast for the rule bidirectional."""

    def by_openvino(ov: Any, question: Question) -> Known | None:
        ops = engine("openvino.opset13")
        inputs = [ops.parameter(shape, np.float32) for shape in question.shapes]
        if rule == "bidirectional":
            target = np.array(question.shapes[1], np.int64)
            node = ops.broadcast(inputs[0], target, broadcast_spec="BIDIRECTIONAL")
        else:
            node = ops.add(*inputs, auto_broadcast=rule)
        return tuple(node.get_output_shape(0))

    return by_openvino


COUNTS = {"Add": (2,), "Pow": (2,), "Sum": (1, 2, 3, 4, 5), "Max": (1, 2, 3, 4, 5), "Where": (3,)}
"""How many inputs operators take."""


def small(counts: Sequence[int]) -> Kind:
    """Questions for operators that are executed."""
    return Kind("onnx", most_axes=5, counts=counts)


NONEMPTY = Kind("same-rank", [size for size in LARGE if size], most_elements=10**18)
"""TOSA has no size 0."""
JUDGES = {
    "numpy": Judge("numpy", inferred("numpy", (1, 2, 2, 2, 3, 4)), numpys_shapes, 5_000, 1_000),
    "onnx": Judge("numpy", inferred("onnx", (2, 2, 3, 4, 5)), numpys_shapes, 5_000, 1_000),
    "bidirectional": Judge("numpy", Kind("bidirectional"), times_ones, 5_000, 1_000),
    "onnx-uni": Judge("numpy", Kind("onnx-uni"), numpys_target, 5_000, 1_000),
    "none": Judge("numpy", inferred("none", (2, 2, 3)), equal, 5_000, 1_000),
    "explicit": Judge("jax", inferred("explicit"), broadcast_in_dim, 4_000, 1_500),
    **{
        f"onnx, {op} inferred": Judge("onnx", inferred("onnx", counts), by_inference(op), 2_500)
        for op, counts in COUNTS.items()
    },
    "onnx, Expand inferred": Judge("onnx", inferred("onnx"), expand, 2_500),
    **{
        f"onnx, {op} executed": Judge("onnxruntime", small(COUNTS[op]), executed(op), 3_000, 500)
        for op in ("Add", "Sum", "Where")
    },
    **{
        f"{rule}, OpenVINO": Judge("openvino", inferred(rule), added(rule))
        for rule in ("none", "numpy", "bidirectional")
    },
    "same-rank": Judge("iree.compiler.ir", NONEMPTY, add_of_tosa, 4_000, 1_000),
}


@pytest.mark.parametrize("rule", JUDGES)
def test_known_and_unknown_sizes(rule: str) -> None:
    """The verdict and the result are the engine's."""
    own = JUDGES[rule]
    module = engine(own.engine)
    name = "tosa" if rule == "same-rank" else own.engine.partition(".")[0]
    refusals: tuple[type[Exception], ...]
    refusals = (ValueError, TypeError, RuntimeError, *refusals_of(module))

    def says(question: Question) -> Known | None:
        try:
            return own.says(module, question)
        except refusals:
            return None

    chance = fresh(f"{own.engine} {rule}")
    asked: Sequence[Question] = questions(own.kind, several(own.known), chance)
    judge(name, answered(asked), says)
    if own.unknown:
        asked = questions(own.kind, several(own.unknown), chance)
        judge(name, answered_unknown(asked, chance), says)


def refusals_of(module: Any) -> list[type[Exception]]:
    """The errors of an engine's own by which it refuses."""
    own = getattr(module, "MLIRError", None), getattr(module, "shape_inference", None)
    return [own[0]] if own[0] else [own[1].InferenceError] if own[1] else []


def test_limits_of_numpy() -> None:
    """NumPy stops where our note says: broadcast_shapes after 32 axes, arrays after 64."""
    assert np.broadcast_shapes((1,) * 32) == (1,) * 32
    with pytest.raises((ValueError, RuntimeError), match="32"):
        np.broadcast_shapes((1,) * 33)
    assert np.empty((1,) * 64).ndim == 64
    with pytest.raises(ValueError, match="64"):
        np.empty((1,) * 65)
    [(_, within), (_, past)] = answered([Question("numpy", ((1,) * rank,)) for rank in (32, 33)])
    note = "NumPy itself allows at most 64 axes, and numpy.broadcast_shapes 32"
    assert (within.notes, past.notes) == ((), (note,))


@pytest.mark.parametrize("target", [(2, 3), (4, 4), (3,)])
def test_jax_without_axes(target: Known) -> None:
    """JAX returns an input of the target's rank where no axes are given, as the note says."""
    jax = engine("jax")
    array = jax.numpy.ones((2, 3))
    answer = Question("explicit", ((2, 3), target), axes=()).answer()
    if JAX_RETURNS_IT in [note.text for note in answer.notes]:
        assert jax.lax.broadcast_in_dim(array, target, ()) is array
    else:
        with pytest.raises(TypeError, match="must have length equal to operand ndim"):
            jax.lax.broadcast_in_dim(array, target, ())


def test_unidirectional_is_not_inferred() -> None:
    """Strict shape inference lets a slope of PRelu and a C of Gemm pass, as our note says."""
    note = "ONNX's shape inference, strict mode included, does not check this rule"
    asked = questions(Kind("onnx-uni", sizes=SIZES[1:]), 1_000, fresh("onnx unchecked"))
    refused = [(question, said) for question, said in answered(asked) if not said.ok]
    assert len(refused) > 100
    for question, said in refused:
        kept, follower = question.shapes
        assert note in said.notes
        assert by_inference("PRelu")(onnx, question) == kept, question.line
        if len(kept) == 2:
            shapes = [(kept[0], 2), (2, kept[1]), follower]
            built = model("Gemm", [np.float32] * 3, shapes)
            assert strictly_inferred(built) == kept, question.line
