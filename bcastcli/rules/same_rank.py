"""NumPy's rule for shapes of one rank: TensorRT, TOSA, Burn."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcastcli.core.alignment import Alignment, Layout, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, MissingAxes, Note, Options
from bcastcli.core.shapes import CLASH, Column, Verdict, right_aligned, stretch
from bcastcli.core.wording import other_ranks
from bcastcli.rules.numpy import NumPy


class SameRank(NumPy):
    name = "same-rank"
    document = """
    TensorRT, TOSA, Burn: like NumPy, but the ranks must be equal

    Two or more shapes of the same rank. On every axis, the sizes other than 1 must all be equal;
    the result has that size there, or 1 if all sizes are 1. This includes scalars: a scalar
    broadcasts only with scalars.

    Source: TensorRT 8.6 operator reference, "ElementWise"; MLIR, TOSA dialect as in IREE 3.13;
    Burn, issue 1499.

    Examples:
        2,3 2,1    ->  2,3
        2,1 1,3    ->  2,3
        2,3 3      ->  mismatch
        N,3 2,3    ->  2,3 when N in (1, 2)
    """

    min_operands = 2
    missing_axes: ClassVar[MissingAxes] = "none"
    compared_by_default = False
    like_numpy = False

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        refusal = "rank" if len(set(ranks)) > 1 else ""
        return Layout(max(ranks), (Alignment(right_aligned(ranks), _stretch_own),), refusal)

    def refuse(self, operands: Sequence[Operand], options: Options) -> str:
        return f"{other_ranks(operands)}, and the ranks must be equal"

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        ranks = {*answer.ranks}
        if answer.question.framework in ("", "jax") and 0 in ranks and len(ranks) == 2:
            yield Note("engine", 'JAX with numpy_rank_promotion="raise" lets scalars through')

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        yield from super().alternatives(question)
        yield from rewriting.in_full_rank(question)


def _stretch_own(column: Column) -> Verdict:
    """A size 1 stretches; a missing axis does not."""
    return CLASH if None in column else stretch(column)
