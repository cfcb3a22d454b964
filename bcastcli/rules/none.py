"""The rule None of OpenVINO's "Broadcast Rules For Elementwise Operations"."""

from collections.abc import Iterator, Sequence

from bcastcli.core.alignment import Alignment, Layout, Operand
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Meeting, Options, Reason, Rule
from bcastcli.core.shapes import must_be_equal, right_aligned
from bcastcli.core.wording import clash_words, other_ranks

MAX_REWRITTEN = 4
"""Operands: people would not read longer advice."""


class Identical(Rule):
    name = "none"
    document = """
    OpenVINO without broadcasting: all shapes must be the same

    Two or more shapes of the same rank with the same sizes. This includes scalars: a scalar and
    a shape of one element do not match.

    Source: OpenVINO 2025, "Broadcast Rules For Elementwise Operations", None.

    Examples:
        2,3 2,3   ->  2,3
        2,3 1     ->  mismatch
        scalar 1  ->  mismatch
        N,3 2,3   ->  2,3 when N == 2
    """

    max_operands = None
    compared_by_default = False

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        refusal = "rank" if len(set(ranks)) > 1 else ""
        return Layout(max(ranks), (Alignment(right_aligned(ranks), must_be_equal),), refusal)

    def refuse(self, operands: Sequence[Operand], options: Options) -> str:
        return f"{other_ranks(operands)}, and nothing stretches"

    def clash(self, meeting: Meeting, axis: int) -> Reason:
        sides, _, _ = clash_words(meeting.column(axis), meeting.names)
        return Reason.of_sizes(meeting.label(axis), axis, sides, "nothing stretches")

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import RULES, rewriting  # only where the answer is no

        operands = question.operands
        if len(operands) > MAX_REWRITTEN or not rewriting.is_readable(operands):
            return
        numpy = question.under(RULES["numpy"])
        broadcast = numpy.answer()
        if broadcast.ok and broadcast.result is not None and not broadcast.all_stretch:
            yield rewriting.stretched_by_hand(question, {}, broadcast.result)
        else:
            for each in numpy.alternatives():
                answer = each.question.answer()
                numbers = map(question.operand_names.index, (own.name for own in each.changes))
                if answer.result and not (each.is_last_resort or answer.all_stretch):
                    changes = dict(zip(numbers, each.changes, strict=True))
                    yield rewriting.stretched_by_hand(question, changes, answer.result)
        yield from rewriting.under(numpy.rule, question)
