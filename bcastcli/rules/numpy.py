"""NumPy's rule, and ONNX's identical multidirectional one."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcastcli.core.alignment import Alignment, Layout
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Meeting, Note, Options, Reason, Rule
from bcastcli.core.shapes import right_aligned, stretch
from bcastcli.core.wording import clash_words


class NumPy(Rule):
    name = "numpy"
    document = """
    NumPy, PyTorch, JAX, TensorFlow: last axes lined up, sizes of 1 stretch

    Any number of shapes. The last axes are aligned, and an axis that a shape lacks counts as 1.
    On every axis, the sizes other than 1 must all be equal; the result has that size there, or 1
    if all sizes are 1. A size of 0 follows the same rule: it broadcasts with 0 and with 1.

    Source: NumPy 2.4 user guide, "Broadcasting"; OpenVINO 2025, "Broadcast Rules For Elementwise
    Operations", Numpy.

    Examples:
        8,1,6,1 7,1,5   ->  8,7,6,5
        2,3,5 scalar    ->  2,3,5
        0 1             ->  0
        3,1,5 4,4,5     ->  mismatch
        N,4 3,4         ->  3,4 when N in (1, 3)
    """

    min_operands = 1
    max_operands: ClassVar[int | None] = None
    like_numpy = True

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        return Layout(max(ranks), (Alignment(right_aligned(ranks), stretch, skips_missing=True),))

    def clash(self, meeting: Meeting, axis: int) -> Reason:
        sides, rest, count = clash_words(meeting.column(axis), meeting.names, 1)
        why = "neither is 1" if count == 2 else "none is 1"
        return Reason.of_sizes(meeting.label(axis), axis, sides, why, rest)

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        if answer.layout.rank > 32:
            text = "NumPy itself allows at most 64 axes, and numpy.broadcast_shapes 32"
            yield Note("engine", text)

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        return rewriting.alternatives(question, range(len(question.operands)))


class OnnxMultidirectional(NumPy):
    name = "onnx"
    document = """
    ONNX: like NumPy, for Add, Where and most other operators

    Any number of shapes. The last axes are aligned, and an axis that a shape lacks counts as 1.
    On every axis, the sizes other than 1 must all be equal; the result has that size there, or 1
    if all sizes are 1.

    Source: ONNX 1.23, Broadcasting.md, "Multidirectional Broadcasting".

    Examples:
        4,5 2,3,4,5     ->  2,3,4,5
        1,4,5 2,3,1,1   ->  2,3,4,5
        2,3 4,1         ->  mismatch
        N,1 1,M         ->  N,M
    """

    words = "onnx"

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        return iter(())
