"""The rules of Broadcasting.md as ONNX's operators follow them."""

from collections.abc import Iterator, Sequence

from bcastcli.core.alignment import Alignment, Layout, Operand, change, transposed
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Meeting, Note, Options, Reason
from bcastcli.core.shapes import CLASH, Column, Verdict, right_aligned, second_stretches, stretch
from bcastcli.core.wording import axes, with_verb
from bcastcli.rules import rewriting
from bcastcli.rules.bidirectional import Bidirectional
from bcastcli.rules.numpy import OnnxMultidirectional
from bcastcli.rules.onnx_uni import OnnxUnidirectional


class UnidirectionalMany(OnnxUnidirectional):
    """The unidirectional rule for any number of operands after the first one."""

    min_operands = 1
    max_operands = None

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        return Layout(max(ranks), (Alignment(right_aligned(ranks), _follow_first),))

    def clash(self, meeting: Meeting, axis: int) -> Reason:
        return _of_pairs(meeting.question().operands)

    def notes(self, answer: Answer) -> Iterator[Note]:
        if answer.ok is False and not answer.question.impossible:
            text = "ONNX's shape inference does not check this rule, even in strict mode; "
            yield Note("engine", f"{text}ONNX Runtime does when it runs")

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        return rewriting.alternatives(question, range(1, len(question.operands)))


def _follow_first(column: Column) -> Verdict:
    """The verdict that the operands after the first follow it on an axis."""
    kept, *others = column
    if kept is None:
        return CLASH
    each = [second_stretches((kept, other)).condition for other in others]
    return Verdict(kept, tuple(clause for condition in each for clause in condition))


def _of_pairs(operands: Sequence[Operand]) -> Reason:
    """Why a single operand does not follow the first; a reason about ranks goes first."""
    kept, *others = operands
    pairs = (Question(OnnxUnidirectional(), (kept, other)).answer() for other in others)
    reasons = [pair.reason for pair in pairs if pair.reason]
    return min(reasons, key=lambda reason: ("rank", "sizes", "names").index(reason.kind))


class MatMul(OnnxMultidirectional):
    """numpy.matmul: the axes before the last two broadcast, the last two are those of matrices.

    An operand of one axis is a row on the left and a column on the right, and the axis that this
    adds is not part of the result. It is asked of shapes without the axes that are summed over.
    """

    max_operands = 2

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        refusal = "rank" if 0 in ranks else ""
        laid = [rank - 1 for rank in ranks] if 1 in ranks and not refusal else ranks
        return Layout(max(laid), (Alignment(right_aligned(laid), stretch),), refusal)

    def refuse(self, operands: Sequence[Operand], options: Options) -> str:
        scalars = [name for name, shape in operands if not shape]
        return f"{with_verb(scalars)} {axes(0)}, but a matrix product takes no scalars"

    def notes(self, answer: Answer) -> Iterator[Note]:
        for constraint in answer.question.constraints if answer.ok is not False else ():
            text = f"the product sums over {constraint.where}, so neither is in the result"
            yield Note("sum", text)

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        operands = question.operands
        for number in (1, 0):  # to transpose both would be another product
            if len(operands[number].shape) > 1:
                turned = {number: transposed(*operands[number])}
                yield rewriting.with_changes(question, turned)
        for changed in _with_stacks_apart(operands):
            yield rewriting.with_changes(question, changed)


def _with_stacks_apart(operands: Sequence[Operand]) -> Iterator[rewriting.Changes]:
    """New axes or another order for those before the matrices, which stay as they are."""
    if min(len(shape) for _, shape in operands) < 2:
        return
    stacks = [Operand(name, shape[:-2]) for name, shape in operands]
    for changes, last in rewriting.of_pair(stacks, (0, 1), (0, 1), "leading"):
        [(number, made)] = changes.items()
        if not last and not made.splits:
            name, shape = operands[number]
            matrix = range(len(shape) - 2, len(shape))
            yield {number: change(name, shape, (*made.order, *matrix))}


class Expand(Bidirectional):
    """OpenVINO's bidirectional rule, under ONNX's name for it."""

    name = OnnxMultidirectional.name
