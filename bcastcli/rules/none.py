"""The rule None of OpenVINO's "Broadcast Rules For Elementwise Operations"."""

from collections.abc import Iterator, Sequence

from bcastcli.core.alignment import Alignment, Axis, Layout, Operand, Refusal
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Options, Reason, Rule
from bcastcli.core.shapes import right_aligned, same, written
from bcastcli.core.wording import axes, clashing, have, listed

MAX_REWRITTEN = 4
"""Operands; nobody would read how to rewrite more of them."""


class Identical(Rule):
    name = "none"
    text = """
    OpenVINO None: identical shapes, nothing stretches

    Two or more shapes of the same rank with the same sizes. Scalars are no exception: a scalar and
    a shape of one element do not match.

    Source: OpenVINO, "Broadcast Rules For Elementwise Operations", None.

    Examples:
        2,3 2,3   ->  2,3
        2,3 1     ->  mismatch
        scalar 1  ->  mismatch
        N,3 2,3   ->  2,3 when N == 2
    """

    max_operands = None
    axis_by_axis = True

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        refusal = Refusal("rank", _ranks_differ) if len(set(ranks)) > 1 else None
        return Layout(max(ranks), (Alignment(right_aligned(ranks), same),), refusal)

    def clash(self, answer: Answer, axis: Axis) -> Reason:
        sides, _, _ = clashing(axis.sizes, answer.operand_names)
        where = answer.spell(axis.number)
        return Reason("sizes", f"{sides} on {where}, and nothing stretches")

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import RULES, rewriting  # only where the answer is no

        count = len(question.operands)
        if count > MAX_REWRITTEN or not rewriting.legible(question.operands):
            return
        numpy = question.under(RULES["numpy"])
        broadcast = numpy.answer()
        unchanged: list[rewriting.Changes] = [{}]
        rewritten = rewriting.changes(numpy, range(count))
        # Where every operand stretches, that is hardly what was meant.
        for changed in unchanged if broadcast.ok and not broadcast.all_stretch else rewritten:
            answer = rewriting.replaced(numpy, changed)[1].answer()
            if answer.ok and not (changed and answer.all_stretch):
                yield rewriting.replaced(question, rewriting.spread(answer, changed))
        yield rewriting.under(numpy.rule, question)


def _ranks_differ(operands: Sequence[Operand]) -> str:
    having: dict[int, list[str]] = {}
    for name, shape in operands:
        having.setdefault(len(shape), []).append(f"{name} {written(shape)}")
    parts = [f"{have(names)} {axes(rank)}" for rank, names in having.items()]
    return f"{listed(parts)}, and nothing stretches"
