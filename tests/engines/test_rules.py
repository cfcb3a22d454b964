"""Engines judge the rules: each takes what we say that broadcasts, gives our result, no more.

For numbers put in for sizes that were not known when we answered, the condition and the result are
what the engine gives.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from bcastcli.rules.explicit import JAX_RETURNS_IT
from tests.engines.judging import answered, answered_unknown, engine, fresh, judge, several
from tests.strategies import LARGE, Kind, Known, Question, inferred, questions

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


def numpys_shapes(np: Any, question: Question) -> Known | None:
    shape: Known = np.broadcast_shapes(*question.shapes)
    return shape


def numpys_target(np: Any, question: Question) -> Known | None:
    target, source = question.shapes
    shape: Known = np.broadcast_to(np.empty(source, np.int8), target).shape
    return shape


def times_ones(np: Any, question: Question) -> Known | None:
    given, target = question.shapes
    shape: Known = (np.empty(given, np.int8) * np.ones(target, np.int8)).shape
    return shape


def equal(np: Any, question: Question) -> Known | None:
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
    with ir.Context():
        ir.Module.parse(text).operation.verify()
    return result


NONEMPTY = Kind("same-rank", [size for size in LARGE if size], most_elements=10**18)
"""TOSA has no size 0."""
JUDGES = {
    "numpy": Judge("numpy", inferred("numpy", (1, 2, 2, 2, 3, 4)), numpys_shapes, 5_000, 1_000),
    "onnx": Judge("numpy", inferred("onnx", (2, 2, 3, 4, 5)), numpys_shapes, 5_000, 1_000),
    "bidirectional": Judge("numpy", Kind("bidirectional"), times_ones, 5_000, 1_000),
    "onnx-uni": Judge("numpy", Kind("onnx-uni"), numpys_target, 5_000, 1_000),
    "none": Judge("numpy", inferred("none", (2, 2, 3)), equal, 5_000, 1_000),
    "explicit": Judge("jax", inferred("explicit"), broadcast_in_dim, 4_000, 1_500),
    "same-rank": Judge("iree.compiler.ir", NONEMPTY, add_of_tosa, 4_000, 1_000),
}


@pytest.mark.parametrize("rule", JUDGES)
def test_known_and_unknown_sizes(rule: str) -> None:
    """The verdict and the result are the engine's."""
    own = JUDGES[rule]
    module = engine(own.engine)
    name = "tosa" if rule == "same-rank" else own.engine
    refusals = (ValueError, TypeError, getattr(module, "MLIRError", ValueError))

    def says(question: Question) -> Known | None:
        try:
            return own.says(module, question)
        except refusals:
            return None

    chance = fresh(f"{own.engine} {rule}")
    asked: Sequence[Question] = questions(own.kind, several(own.known), chance)
    judge(name, answered(asked), says)
    asked = questions(own.kind, several(own.unknown), chance)
    judge(name, answered_unknown(asked, chance), says)


def test_limits_of_numpy() -> None:
    """NumPy stops where our note says: broadcast_shapes after 32 axes, arrays after 64."""
    np = engine("numpy")
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
