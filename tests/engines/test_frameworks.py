"""Frameworks judge the rules that their names mean, and the notes on them."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest

from bcastcli.rules.frameworks import REMARKS, RULE_OF
from tests.engines.judging import REQUIRED, answered, engine, fresh, has, judge
from tests.strategies import Kind, Known, Question, questions

# TensorFlow and tinygrad warn of what they themselves do.
pytestmark = pytest.mark.filterwarnings("ignore")

COUNT = 200
"""How many pairs of shapes each framework adds."""
MOST_AXES = 4
"""Some kernels of TensorFlow Lite stretch no more."""


def _of_zeros(package: Any, one: Known, other: Known) -> Any:
    return (package.zeros(one) + package.zeros(other)).shape


def _jax(jax: Any, one: Known, other: Known) -> Any:
    return jax.eval_shape(jax.numpy.add, *_structs(jax, one, other)).shape


def _structs(jax: Any, *shapes: Known) -> list[Any]:
    return [jax.ShapeDtypeStruct(shape, "float32") for shape in shapes]


def _keras(keras: Any, one: Known, other: Known) -> Any:
    return keras.ops.add(keras.KerasTensor(one), keras.KerasTensor(other)).shape


def _tinygrad(tinygrad: Any, one: Known, other: Known) -> Any:
    empty = tinygrad.Tensor.empty
    return (empty(*one, device="PYTHON") + empty(*other, device="PYTHON")).shape


def _pytensor(tensor: Any, one: Known, other: Known) -> Any:
    a, b = (tensor.tensor(shape=shape, dtype="float32") for shape in (one, other))
    return (a + b).type.shape


def _tflite(tf: Any, one: Known, other: Known) -> Any:
    """The shape by an interpreter whose inputs, of any sizes, are resized."""
    made = tf.lite.Interpreter(model_content=_converted(tf, len(one), len(other)))
    inputs = sorted(made.get_input_details(), key=lambda each: str(each["name"]))
    for each, shape in zip(inputs, (one, other), strict=True):
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


ADD: dict[str, tuple[str, Callable[[Any, Known, Known], Any]]] = {
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
"""The package of each word, and what gives the shape of a sum with it, or raises."""


def those_asked(words: Iterable[str]) -> list[str]:
    """The words whose packages a run asks: where engines are required, only these are."""
    return [word for word in words if not REQUIRED or has(ADD[word][0])]


def said(add: Callable[[Known, Known], Any]) -> Callable[[Question], Known | None]:
    """What a framework says to a question: a shape, or None where it refuses."""

    def of(question: Question) -> Known | None:
        one, other = question.shapes
        try:
            return tuple(add(one, other))
        except Exception:
            return None

    return of


@pytest.mark.parametrize("word", those_asked(ADD))
def test_the_rule_of_a_word(word: str) -> None:
    """A framework takes what the rule of its word takes, and gives the same shape."""
    package, add = engine(ADD[word][0]), ADD[word][1]
    drawn = questions(Kind(RULE_OF[word], most_axes=MOST_AXES), COUNT, fresh(word))
    judge(word, answered(drawn), said(lambda a, b: add(package, a, b)))


# The notes


def _lax(jax: Any) -> None:
    """jax.lax takes equal ranks, of which 1 stretches, or a scalar."""
    drawn = questions(Kind("same-rank", most_axes=MOST_AXES), 2 * COUNT, fresh("lax"))
    answers = answered([each for each in drawn if () not in each.shapes][:COUNT])
    lax = said(lambda a, b: jax.eval_shape(jax.lax.add, *_structs(jax, a, b)).shape)
    judge("jax.lax", answers, lax)
    assert lax(Question("same-rank", ((2, 3), ()))) == (2, 3)


def _merging_layers(keras: Any) -> None:
    """Keras's merging layers apply NumPy's rule behind the first axis, which must be equal."""
    layers = [keras.layers.Add, keras.layers.Multiply, keras.layers.Maximum, keras.layers.Average]

    def merged(one: Known, other: Known) -> Known:
        layer = layers[(len(one) + len(other)) % len(layers)]()
        batch, *rest = layer([keras.Input(batch_shape=(2, *shape)) for shape in (one, other)]).shape
        assert batch == 2
        return tuple(rest)

    drawn = questions(Kind("numpy", most_axes=MOST_AXES - 1), COUNT, fresh("merging"))
    judge("keras", answered(drawn), said(merged))
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
    "jax": ("take equal ranks, or a scalar: bcastcli same-rank", _lax),
    "keras": ("put missing axes after the batch, which must be equal", _merging_layers),
    "pytensor": ("only where it is known to be 1 when the graph is built", _size_found_to_be_1),
}


@pytest.mark.parametrize("word", those_asked(NOTES))
def test_the_note_on_a_word(word: str) -> None:
    """What the note says of a framework is what it does."""
    text, judged = NOTES[word]
    assert text in REMARKS[word]
    judged(engine(ADD[word][0]))
