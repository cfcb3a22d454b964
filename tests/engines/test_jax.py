"""JAX judges explicit: jax.lax.broadcast_in_dim."""

import pytest

import bcastcli
from bcastcli.rules.explicit import JAX_RETURNS_IT
from tests.engines.judging import answered, answered_unknown, engine, fresh, judge
from tests.strategies import Known, Question, inferred, questions

jax = engine("jax")


def broadcast_in_dim(question: Question) -> Known | None:
    """The shape of the result; None if JAX refuses the question."""
    given, target = question.shapes
    axes = question.axes or ()
    # An input whose axes are left out is returned as it is, which is no answer about axes.
    if len(axes) != len(given):
        return None
    array = jax.ShapeDtypeStruct(given, "float32")
    try:
        made = jax.eval_shape(lambda x: jax.lax.broadcast_in_dim(x, target, axes), array)
    except (TypeError, ValueError):
        return None
    return tuple(made.shape)


@pytest.mark.parametrize("target", [(2, 3), (4, 4), (3,)])
def test_without_axes(target: tuple[int, ...]) -> None:
    """JAX returns an input of the target's rank where no axes are given, as the note says."""
    array = jax.numpy.ones((2, 3))
    refused = bcastcli.broadcast((2, 3), target, rule="explicit", axes=())
    if JAX_RETURNS_IT in [note.text for note in refused.notes]:
        assert jax.lax.broadcast_in_dim(array, target, ()) is array
    else:
        with pytest.raises(TypeError, match="must have length equal to operand ndim"):
            jax.lax.broadcast_in_dim(array, target, ())


def test_known_sizes() -> None:
    """JAX takes what we say that broadcasts, axes in any order, and gives our result."""
    asked = questions(inferred("explicit"), 4_000, fresh("jax"))
    judge("jax", answered(asked), broadcast_in_dim)


def test_unknown_sizes() -> None:
    """So it does with numbers put for sizes that were not known when we answered."""
    asked = questions(inferred("explicit"), 1_500, fresh("jax unknown"))
    judge("jax", answered_unknown(asked, fresh("jax numbers")), broadcast_in_dim)
