"""The rules of ONNX's operators up to opset 6, which had the attributes broadcast and axis."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

from bcastcli.core.alignment import Alignment, Axis, Layout, Refusal
from bcastcli.core.answer import Answer
from bcastcli.core.changes import change
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Note, Options, Reason, Rule, whole
from bcastcli.core.shapes import (
    CLASH,
    Column,
    Shape,
    Verdict,
    must_be_one,
    must_equal,
    right_aligned,
    written,
)
from bcastcli.rules import rewriting
from bcastcli.rules.pdpd import Pdpd, has_more_axes


class OnnxLegacy(Pdpd):
    name = "onnx-legacy"
    document = """
    ONNX up to opset 6, broadcast=1: put B at axis k of A; nothing stretches but one element

    Two shapes; their order matters. B has at most as many axes as A. Either B has exactly one
    element, or its sizes equal A's from axis k on, where k = -1, the default, means
    rank(A) - rank(B): a 1 among them does not stretch. The result always has A's shape.

    Source: ONNX 1.23, the texts of the operators up to opset 6, "limited broadcast support".

    Examples:
        2,3,4,5 3,4 --axis 1  ->  2,3,4,5
        2,3,4,5 1,1           ->  2,3,4,5
        2,3,4,5 1,5           ->  mismatch
        2,3 N --axis 0        ->  2,3 when N in (1, 2)
    """

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        target, source = ranks
        if source > target:
            refusal = Refusal("rank", has_more_axes)
            return Layout(source, (Alignment(right_aligned(ranks), _equal),), refusal)
        start = whole(self.resolve(ranks, options)["axis"])
        equal = Alignment((0, min(start, target)), _equal)
        one = Alignment((0, min(start, target - source)), _one)
        return Layout(target, (equal, one), gap_before=max(start, target))

    def trim(self, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        return shapes

    def clash(self, answer: Answer, axis: Axis) -> Reason:
        if axis.number >= answer.layout.rank:
            return super().clash(answer, axis)
        (target, _), (source, _) = answer.operands
        kept, own = axis.sizes
        return Reason.of_sizes(
            answer,
            axis,
            f"{target} has {kept} and {source} has {own}",
            f"{source} must equal {target} there or have one element",
        )

    def notes(self, answer: Answer) -> Iterator[Note]:
        if "axis" in answer.question.options:
            yield from (note for note in super().notes(answer) if note.kind == "axis")
        if answer.ok is not False and len(set(answer.shapes)) > 1:
            text = "asked with the attribute broadcast=1: without it the shapes must be identical"
            yield Note("broadcast", text)

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        yield from _on_each_axis(question)
        # A 1 does not stretch, but without it the other sizes may do.
        found = rewriting.of_pair(question.operands, (0, 1), [1], "leading")
        for changes in (_bare(question), *(changes for changes, last in found if not last)):
            if changes[1].shape != question.operands[1].shape:
                yield from rewriting.after(rewriting.with_changes(question, changes), _on_each_axis)


def _bare(question: Question) -> rewriting.Changes:
    """Return the second operand without its axes of size 1."""
    name, shape = question.operands[1]
    kept = tuple([axis for axis, size in enumerate(shape) if size != 1])
    return {1: change(name, shape, kept)}


def _on_each_axis(question: Question) -> Iterator[Alternative]:
    if "axis" in question.options:
        target, source = question.ranks
        for axis in range(target - source + 1):
            asked = question.with_options(axis=axis)
            yield Alternative(asked, "rule", setting=f"--axis {axis}")


class OnnxLegacyPRelu(OnnxLegacy):
    name = "onnx-legacy-prelu"
    document = """
    PRelu up to opset 6: a slope of one element, or one for each channel

    Two shapes, X and the slope. The slope has exactly one element, or one axis, whose size is that
    of X's axis 1. The result always has X's shape.

    Source: ONNX 1.23, the text of PRelu up to opset 6.

    Examples:
        2,3,4 3    ->  2,3,4
        2,3,4 1,1  ->  2,3,4
        2,3,4 4    ->  mismatch
        2,N,4 3    ->  2,3,4 when N == 3
    """
    options: ClassVar = {}

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        target, source = ranks
        channels = Alignment((0, min(1, target)), _equal)
        # Past X's end, ones do no harm.
        one = Alignment((0, max(target - source, 0)), _one)
        return Layout(target, (channels, one) if source == 1 else (one,))

    def clash(self, answer: Answer, axis: Axis) -> Reason:
        given, slope = answer.operands
        return Reason(
            "sizes",
            f"{slope.name} {written(slope.shape)} has neither one element nor one for each "
            f"channel, axis 1 of {given.name} {written(given.shape)}",
        )

    def notes(self, answer: Answer) -> Iterator[Note]:
        yield from ()

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        changes = _bare(question)
        if changes[1].dropped:
            yield rewriting.with_changes(question, changes)


def _equal(column: Column) -> Verdict:
    return CLASH if column[0] is None else must_equal(column, kept=0)


_one = partial(must_be_one, kept=0)

RULES: Mapping[str, Rule] = {rule.name: rule for rule in (OnnxLegacy(), OnnxLegacyPRelu())}
"""Rules that have no command of their own, by name."""
