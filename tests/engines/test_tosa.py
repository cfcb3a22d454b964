"""The verifier of MLIR's TOSA dialect judges same-rank."""

import pytest

from tests.engines.judging import answered, answered_unknown, engine, fresh, judge
from tests.strategies import LARGE, Kind, Known, Question, questions

ir = engine("iree.compiler.ir")
engine("iree.compiler.dialects.func")
CONTEXT = ir.Context()
NONEMPTY = Kind("same-rank", [size for size in LARGE if size], most_elements=10**18)
"""TOSA has no size 0."""


def typed(shape: Known) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


def tosa(question: Question) -> Known | None:
    """The only result type that the verifier takes for an addition; None if it takes none."""
    # Of every axis the largest size, which is right if any result is.
    shapes = question.shapes
    sizes = zip(*(s[::-1] for s in shapes), strict=len({*map(len, shapes)}) == 1)
    result = tuple(max(each) for each in sizes)[::-1]
    one, other, total = map(typed, (*shapes, result))
    text = (
        f"func.func @f(%a: {one}, %b: {other}) -> {total} {{ "
        f"%0 = tosa.add %a, %b : ({one}, {other}) -> {total} return %0 : {total} }}"
    )
    try:
        with CONTEXT:
            ir.Module.parse(text).operation.verify()
    except ir.MLIRError:
        return None
    return result


def test_it_reads_what_it_judges() -> None:
    """An addition that fits is taken: the refusals are not about the text."""
    assert tosa(Question("same-rank", ((2, 1), (1, 3)))) == (2, 3)


def test_known_sizes() -> None:
    """The verifier takes what we say that broadcasts, with the result that we say."""
    judge("tosa", answered(questions(NONEMPTY, 4_000, fresh("tosa"))), tosa)


def test_unknown_sizes() -> None:
    """So it does with numbers put for sizes that were not known when we answered."""
    asked = questions(NONEMPTY, 1_000, fresh("tosa unknown"))
    judge("tosa", answered_unknown(asked, fresh("tosa numbers")), tosa)


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((2,), ())])
def test_ranks(shapes: tuple[Known, Known]) -> None:
    """It is the ranks that it refuses, before any size."""
    assert tosa(Question("same-rank", shapes)) is None
