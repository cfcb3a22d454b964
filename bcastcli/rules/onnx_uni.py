"""ONNX's unidirectional rule, and sentences for all rules that keep A."""

from collections.abc import Iterator, Sequence
from functools import partial

from bcastcli.core.alignment import Alignment, Layout, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Meeting, Note, Options, Reason, Rule
from bcastcli.core.shapes import right_aligned, second_stretches, written
from bcastcli.core.wording import more_axes
from bcastcli.rules import RULES


class OnnxUnidirectional(Rule):
    name = "onnx-uni"
    document = """
    ONNX: only B stretches, for Gemm and PRelu

    Two shapes; their order matters. The last axes are aligned. B has at most as many axes as A,
    and each of its sizes is 1 or equals A's. The result always has A's shape.

    Source: ONNX 1.23, Broadcasting.md, "Unidirectional Broadcasting".

    Examples:
        2,3,4,5 1,3,1,5  ->  2,3,4,5
        2,3,4,5 5        ->  2,3,4,5
        4,5 2,3,4,5      ->  mismatch
        3,N N,2          ->  mismatch
    """

    keeps_first = True
    words = "onnx"

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        target, source = ranks
        refusal = "rank" if source > target else ""
        return Layout(max(ranks), (Alignment(right_aligned(ranks), second_stretches),), refusal)

    def refuse(self, operands: Sequence[Operand], options: Options) -> str:
        target, source = operands
        return more_axes(target, source, f"{target.name} never stretches")

    def clash(self, meeting: Meeting, axis: int) -> Reason:
        return kept_clash(meeting, axis)

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        if answer.ok is not False:
            return
        both_ways = answer.question.under(RULES["onnx"]).answer()
        if both_ways.ok and both_ways.result is not None:
            yield Note(
                "engine",
                "ONNX Runtime broadcasts PRelu both ways, as PRelu-16's function body does: "
                f"it accepts this and returns {written(both_ways.result)}",
            )
        text = "ONNX's shape inference does not check this rule, even in strict mode"
        yield Note("engine", text)

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        rewritten = partial(rewriting.alternatives, movable=[1])
        yield from rewritten(question)
        yield from rewriting.after(rewriting.swapped(question), rewritten)
        yield from rewriting.under(RULES["onnx"], question)


def kept_clash(meeting: Meeting, axis: int, kept: int = 0) -> Reason:
    """Why one operand does not follow the other, number `kept`, which never stretches."""
    names, sizes = meeting.names, meeting.column(axis)
    why = f"{names[1 - kept]} must be {sizes[kept]} or 1 there"
    if sizes[kept] == 1:
        why = f"{names[kept]} never stretches"
    sides = f"{names[0]} has {sizes[0]} and {names[1]} has {sizes[1]}"
    return Reason.of_sizes(meeting.label(axis), axis, sides, why)
