"""NumPy judges numpy, onnx, bidirectional, onnx-uni and none."""

from collections.abc import Callable

import pytest

from tests.effort import many
from tests.engines.judging import answered, answered_unknown, engine, fresh, judge
from tests.strategies import Kind, Known, Question, inferred, questions

np = engine("numpy")


def broadcast_shapes(question: Question) -> Known | None:
    return shape_or_none(lambda: np.broadcast_shapes(*question.shapes))


def broadcast_to(question: Question) -> Known | None:
    target, source = question.shapes
    return shape_or_none(lambda: np.broadcast_to(np.empty(source, np.int8), target).shape)


def times_ones(question: Question) -> Known | None:
    given, target = question.shapes
    return shape_or_none(lambda: (np.empty(given, np.int8) * np.ones(target, np.int8)).shape)


def equal(question: Question) -> Known | None:
    first, *others = question.shapes
    return first if all(np.array_equal(first, other) for other in others) else None


def shape_or_none(run: Callable[[], Known]) -> Known | None:
    try:
        return run()
    except ValueError:
        return None


JUDGES = {
    "numpy": (inferred("numpy", counts=(1, 2, 2, 2, 3, 4)), broadcast_shapes),
    "onnx": (inferred("onnx", counts=(2, 2, 3, 4, 5)), broadcast_shapes),
    "bidirectional": (Kind("bidirectional"), times_ones),
    "onnx-uni": (Kind("onnx-uni"), broadcast_to),
    "none": (inferred("none", counts=(2, 2, 3)), equal),
}


@pytest.mark.parametrize("rule", JUDGES)
def test_known_sizes(rule: str) -> None:
    """NumPy broadcasts what we say that broadcasts, to what we say, and nothing else."""
    kind, says = JUDGES[rule]
    judge("numpy", answered(questions(kind, many(5_000), fresh(f"numpy {rule}"))), says)


@pytest.mark.parametrize("rule", JUDGES)
def test_unknown_sizes(rule: str) -> None:
    """For whatever numbers, the condition and the result are what NumPy says."""
    kind, says = JUDGES[rule]
    chance = fresh(f"numpy {rule} unknown")
    judge("numpy", answered_unknown(questions(kind, many(1_000), chance), chance), says)


def test_most_axes() -> None:
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
