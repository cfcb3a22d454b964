"""Engines and frameworks judge the rules: each takes what we say that broadcasts, and no more.

For numbers put in for sizes that were not known when we answered, the condition and the result are
what the engine gives.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from bcastcli.rules.explicit import JAX_RETURNS_IT
from bcastcli.rules.frameworks import REMARKS, RULE_OF
from tests.engines.judging import (
    REQUIRED,
    answered,
    answered_unknown,
    engine,
    fresh,
    has,
    judge,
    several,
)
from tests.engines.single_op import expand, model, np, onnx, run
from tests.strategies import LARGE, SIZES, Kind, Known, Question, inferred, questions

# TensorFlow and tinygrad warn of what they themselves do.
pytestmark = pytest.mark.filterwarnings("ignore")

Says = Callable[[Any, Question], Any]
"""What an engine, given as its module, makes of a question; None, or an error, if it refuses."""


class Judge(NamedTuple):
    """An engine for a kind of questions."""

    engine: str
    kind: Kind
    says: Says
    known: int = 4_000
    unknown: int = 0
    """How many questions of known sizes it judges, and how many of unknown ones."""


def numpys_shapes(_: Any, question: Question) -> Any:
    return np.broadcast_shapes(*question.shapes)


def numpys_target(_: Any, question: Question) -> Any:
    target, source = question.shapes
    return np.broadcast_to(np.empty(source, np.int8), target).shape


def times_ones(_: Any, question: Question) -> Any:
    given, target = question.shapes
    return (np.empty(given, np.int8) * np.ones(target, np.int8)).shape


def equal(_: Any, question: Question) -> Known | None:
    first, *others = question.shapes
    return first if all(np.array_equal(first, other) for other in others) else None


def broadcast_in_dim(jax: Any, question: Question) -> Any:
    given, target = question.shapes
    axes = question.axes or ()
    # An input whose axes are left out is returned as it is, which is no answer about axes.
    if len(axes) != len(given):
        return None
    array = jax.ShapeDtypeStruct(given, "float32")
    return jax.eval_shape(lambda x: jax.lax.broadcast_in_dim(x, target, axes), array).shape


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


def executed(op: str) -> Says:
    def by_onnxruntime(_: Any, question: Question) -> Any:
        arrays = map(np.ones, question.shapes, types_of(op, len(question.shapes)))
        return getattr(run(op, list(arrays)), "shape", None)

    return by_onnxruntime


def added(rule: str) -> Says:
    """OpenVINO's Add; its operator Broadcast for the rule bidirectional."""

    def by_openvino(ov: Any, question: Question) -> Any:
        ops = engine("openvino.opset13")
        inputs = [ops.parameter(shape, np.float32) for shape in question.shapes]
        if rule == "bidirectional":
            target = np.array(question.shapes[1], np.int64)
            node = ops.broadcast(inputs[0], target, broadcast_spec="BIDIRECTIONAL")
        else:
            node = ops.add(*inputs, auto_broadcast=rule)
        return node.get_output_shape(0)

    return by_openvino


def _of_zeros(package: Any, question: Question) -> Any:
    one, other = map(package.zeros, question.shapes)
    return (one + other).shape


def _jax(jax: Any, question: Question, add: Any = None) -> Any:
    structs = [jax.ShapeDtypeStruct(shape, "float32") for shape in question.shapes]
    return jax.eval_shape(add or jax.numpy.add, *structs).shape


def _keras(keras: Any, question: Question) -> Any:
    return keras.ops.add(*map(keras.KerasTensor, question.shapes)).shape


def _tinygrad(tinygrad: Any, question: Question) -> Any:
    one, other = (tinygrad.Tensor.empty(*shape, device="PYTHON") for shape in question.shapes)
    return (one + other).shape


def _pytensor(tensor: Any, question: Question) -> Any:
    one, other = (tensor.tensor(shape=shape, dtype="float32") for shape in question.shapes)
    return (one + other).type.shape


def _tflite(tf: Any, question: Question) -> Any:
    """The shape by an interpreter whose inputs, of any sizes, are resized."""
    made = tf.lite.Interpreter(model_content=_converted(tf, *map(len, question.shapes)))
    inputs = sorted(made.get_input_details(), key=lambda each: str(each["name"]))
    for each, shape in zip(inputs, question.shapes, strict=True):
        made.resize_tensor_input(each["index"], shape)
    made.allocate_tensors()
    made.invoke()
    return made.get_tensor(made.get_output_details()[0]["index"]).shape


@cache
def _converted(tf: Any, *ranks: int) -> Any:
    inputs = [tf.TensorSpec([None] * rank) for rank in ranks]
    add = tf.function(lambda a, b: a + b, input_signature=inputs)
    made = tf.lite.TFLiteConverter.from_concrete_functions([add.get_concrete_function()])
    return made.convert()


ADD: dict[str, tuple[str, Says]] = {
    "torch": ("torch", _of_zeros),
    "jax": ("jax", _jax),
    "tensorflow": ("tensorflow", _of_zeros),
    "keras": ("keras", _keras),
    "tflite": ("tensorflow", _tflite),
    "mlx": ("mlx.core", _of_zeros),
    "dask": ("dask.array", _of_zeros),
    "tinygrad": ("tinygrad", _tinygrad),
    "pytensor": ("pytensor.tensor", _pytensor),
}
"""The package of each framework's word, and what gives the shape of a sum with it."""
MOST_AXES = 4
"""Some kernels of TensorFlow Lite stretch no more."""


def those_asked(words: Iterable[str]) -> list[str]:
    """The words whose packages a run asks: where engines are required, only these are."""
    return [word for word in words if word not in ADD or not REQUIRED or has(ADD[word][0])]


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
    "onnx, Expand inferred": Judge(
        "onnx", inferred("onnx"), lambda _, asked: strictly_inferred(expand(*asked.shapes)), 2_500
    ),
    **{
        f"onnx, {op} executed": Judge("onnxruntime", small(COUNTS[op]), executed(op), 3_000, 500)
        for op in ("Add", "Sum", "Where")
    },
    **{
        f"{rule}, OpenVINO": Judge("openvino", inferred(rule), added(rule))
        for rule in ("none", "numpy", "bidirectional")
    },
    "same-rank": Judge("iree.compiler.ir", NONEMPTY, add_of_tosa, 4_000, 1_000),
    **{
        word: Judge(package, Kind(RULE_OF[word], most_axes=MOST_AXES), says, 2_000)
        for word, (package, says) in ADD.items()
    },
}


@pytest.mark.parametrize("rule", those_asked(JUDGES))
def test_known_and_unknown_sizes(rule: str) -> None:
    """The verdict and the result are the engine's."""
    own = JUDGES[rule]
    module = engine(own.engine)
    name = "tosa" if rule == "same-rank" else own.engine.partition(".")[0]
    says, chance = without_errors(own.says, module), fresh(f"{own.engine} {rule}")
    judge(name, answered(questions(own.kind, several(own.known), chance)), says)
    if own.unknown:
        asked = questions(own.kind, several(own.unknown), chance)
        judge(name, answered_unknown(asked, chance), says)


def without_errors(says: Says, module: Any) -> Callable[[Question], Known | None]:
    """What an engine says to a question; None where it refuses, by an error of its own."""

    def said(question: Question) -> Known | None:
        try:
            shape = says(module, question)
        except AssertionError:
            raise
        except Exception:
            return None
        return None if shape is None else tuple(shape)

    return said


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
    note = "ONNX's shape inference does not check this rule, even in strict mode"
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


# The notes on words


def _lax(jax: Any) -> None:
    """jax.lax takes equal ranks, of which 1 stretches, or a scalar."""
    drawn = questions(Kind("same-rank", most_axes=MOST_AXES), 400, fresh("lax"))
    answers = answered([each for each in drawn if () not in each.shapes][:200])
    lax = without_errors(lambda jax, question: _jax(jax, question, jax.lax.add), jax)
    judge("jax", answers, lax)
    assert lax(Question("same-rank", ((2, 3), ()))) == (2, 3)


def _merging_layers(keras: Any) -> None:
    """Keras's merging layers apply NumPy's rule behind the first axis, which must be equal."""
    layers = [keras.layers.Add, keras.layers.Multiply, keras.layers.Maximum, keras.layers.Average]

    def merged(_: Any, question: Question) -> Any:
        layer = layers[sum(map(len, question.shapes)) % len(layers)]()
        batch, *rest = layer([keras.Input(batch_shape=(2, *s)) for s in question.shapes]).shape
        assert batch == 2
        return rest

    drawn = questions(Kind("numpy", most_axes=MOST_AXES - 1), 200, fresh("merging"))
    judge("keras", answered(drawn), without_errors(merged, keras))
    with pytest.raises(ValueError, match="different batch sizes"):
        layers[0]()([keras.Input(batch_shape=(rows, 3)) for rows in (1, 2)])
    one, other = np.arange(9.0).reshape(3, 3), np.arange(27.0).reshape(3, 3, 3)
    made = np.asarray(layers[0]()([one, other]))
    assert np.array_equal(made, one[:, None] + other)
    assert not np.array_equal(made, one + other)


def _size_found_to_be_1(tensor: Any) -> None:
    """PyTensor refuses to stretch a size that it did not know to be 1 as it built the graph."""
    other, known, unknown = (tensor.tensor(shape=(rows, 3)) for rows in (None, 1, None))
    two, one = (np.zeros((rows, 3), other.dtype) for rows in (2, 1))
    assert (known + other).eval({known: one, other: two}).shape == (2, 3)
    with pytest.raises(ValueError, match=r"untime broadcasting|incompatible shape"):
        (unknown + other).eval({unknown: one, other: two})


NOTES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "jax": ("take equal ranks (bcastcli same-rank) or a scalar", _lax),
    "keras": ("insert missing axes after the batch; batch sizes must be equal", _merging_layers),
    "pytensor": ("only where it is known to be 1 when the graph is built", _size_found_to_be_1),
}


@pytest.mark.parametrize("word", those_asked(NOTES))
def test_the_note_on_a_word(word: str) -> None:
    """What the note says of a framework is what it does."""
    text, is_true = NOTES[word]
    assert text in REMARKS[word]
    is_true(engine(ADD[word][0]))
