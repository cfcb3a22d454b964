"""The rule PDPD of OpenVINO's "Broadcast Rules For Elementwise Operations"."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcastcli.core.alignment import Alignment, Layout, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import (
    Alternative,
    Meeting,
    Note,
    Option,
    Options,
    Reason,
    Rule,
    Value,
    whole,
)
from bcastcli.core.shapes import Shape, right_aligned, second_stretches, written
from bcastcli.core.wording import axes, more_axes
from bcastcli.rules import RULES
from bcastcli.rules.onnx_uni import kept_clash

OPENVINO_REFUSES_TO_TRIM = "OpenVINO from 2023.1 on does not ignore trailing 1s, and refuses this"
OPENVINO_REFUSES_0 = "OpenVINO from 2023.1 refuses a 1 that meets a 0"
OPENVINO_SHRINKS = "OpenVINO from 2023.1 lets a 0 of {b} shrink a 1 of {a}, and accepts this"
OPENVINO_IN_PYTHON = (
    "OpenVINO's Python operator factories use axis 0 if "
    'auto_broadcast="PDPD" is given without an axis'
)


class Pdpd(Rule):
    name = "pdpd"
    document = """
    OpenVINO, old PaddlePaddle: B starts at axis k of A, and only B stretches

    Two shapes; their order matters. B has at most as many axes as A. Its first axis is aligned with
    A's axis k; the default, k = -1, means rank(A) - rank(B). Trailing ones of B are dropped. Each
    remaining size of B is 1 or equals A's, and B must not extend past A's last axis. The result
    always has A's shape.

    Source: OpenVINO 2025, "Broadcast Rules For Elementwise Operations", PDPD (PaddlePaddle's old
    elementwise rule).

    Examples:
        2,3,4,5 3,4 --axis 1   ->  2,3,4,5
        2,3,4,5 3,1 --axis 1   ->  2,3,4,5
        2,3,4,5 4,5            ->  2,3,4,5
        2,3,4,5 3,4            ->  mismatch
        2,3 3,N --axis 1       ->  2,3 when N == 1
    """

    keeps_first = True
    options: ClassVar = {
        "axis": Option(
            default=-1,
            help="The axis of A where B starts; -1 means rank(A) - rank(B).",
            metavar="K",
        )
    }

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        target, source = ranks
        start = _start(ranks, options)
        if source > target:
            return Layout(source, (Alignment(right_aligned(ranks), second_stretches),), "rank")
        if start > target:
            return Layout(target, (Alignment((0, target), second_stretches),), "fit", start)
        return Layout(target, (Alignment((0, start), second_stretches),))

    def refuse(self, operands: Sequence[Operand], options: Options) -> str:
        target, source = operands
        ranks = len(target.shape), len(source.shape)
        if ranks[1] > ranks[0]:
            return more_axes(target, source, f"{source.name} must not have more")
        return (
            f"{source.name} {written(source.shape)} at axis {_start(ranks, options)} is past the "
            f"end of {target.name} {written(target.shape)}, which has {axes(ranks[0])}"
        )

    def resolve(self, ranks: Sequence[int], options: Options) -> dict[str, Value]:
        target, source = ranks
        fits = source <= target or _is_given(options)
        return {"axis": _start(ranks, options) if fits else -1}

    def trim(self, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        target, source = shapes
        return target, _trimmed(source)

    def describe_alignment(self, answer: Answer) -> str:
        # The default is not an axis of A if B has more axes.
        options = answer.question.options
        if answer.layout.refusal == "rank" and not _is_given(options):
            return ""
        return f"{answer.operand_names[1]} starts at {_axis_words(answer.ranks, options)}"

    def clash(self, meeting: Meeting, axis: int) -> Reason:
        if axis < meeting.rank:
            return kept_clash(meeting, axis)
        question = meeting.question()
        return Reason("fit", self.refuse(question.operands, question.options))

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        target, source = answer.operands
        where = self.describe_alignment(answer)
        if where:
            yield Note("axis", where)
        if answer.layout.refusal:
            return
        kept = _trimmed(source.shape)
        if kept != source.shape:
            treated = f"{written(source.shape)} is treated as {written(kept)}"
            yield Note("trim", f"trailing 1s of {source.name} are ignored: {treated}")
        yield from _engine_notes(answer, target, source)

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        unset = question.with_options()
        yield from _on_each_axis(unset)
        yield from rewriting.alternatives(unset, [1])
        yield from rewriting.after(rewriting.swapped(unset), _on_each_axis)
        yield from rewriting.under(RULES["numpy"], question)


def _engine_notes(answer: Answer, a: Operand, b: Operand) -> Iterator[Note]:
    """How OpenVINO's releases differ from its document on this question."""
    target, source = a.shape, b.shape
    start = _start(answer.ranks, answer.question.options)
    meeting = list(zip(target[start:], source, strict=False))
    if answer.ok is not False:
        if start + len(source) > len(target):
            yield Note("engine", OPENVINO_REFUSES_TO_TRIM)
        elif (0, 1) in meeting:
            yield Note("engine", f"{OPENVINO_REFUSES_0}, as here")
        # A 1 is within B where a size that follows is not 1, and so not trimmed with it.
        sizes = [place for place, own in enumerate(source) if isinstance(own, int) and own != 1]
        inner = meeting[: max(sizes, default=0)]
        if any(own == 1 and isinstance(size, int) and size != 1 for size, own in inner):
            yield Note(
                "engine",
                f"OpenVINO up to 2023.0 refuses a 1 within {b.name} that meets another size",
            )
    elif (1, 0) in meeting:
        # The zeros are the only fault if B broadcasts with ones in their place.
        end = start + len(source)
        ones = [1 if pair == (1, 0) else pair[1] for pair in meeting]
        lenient = Question(
            answer.rule, (a, b._replace(shape=tuple(ones))), answer.question.options
        ).answer()
        if lenient.ok and end <= len(target) and (0, 1) not in meeting:
            yield Note("engine", OPENVINO_SHRINKS.format(b=b.name, a=a.name))
    if start and not _is_given(answer.question.options):
        yield Note("engine", OPENVINO_IN_PYTHON)


def _on_each_axis(question: Question) -> Iterator[Alternative]:
    from bcastcli.rules import rewriting  # only where the answer is no

    if rewriting.is_readable(question.operands):
        for axis in range(question.ranks[0] + 1):
            instead = question.with_options(axis=axis)
            yield Alternative(instead, "rule", setting=f"--axis {axis}")


def _start(ranks: Sequence[int], options: Options) -> int:
    target, source = ranks
    return whole(options["axis"]) if _is_given(options) else target - source


def _is_given(options: Options) -> bool:
    return bool(options.get("axis", -1) != -1)


def _axis_words(ranks: Sequence[int], options: Options) -> str:
    """The axis that is used, and where it comes from."""
    target, source = ranks
    start = _start(ranks, options)
    origin = f"--axis {start}" if _is_given(options) else f"default: {target} - {source}"
    return f"axis {start} ({origin})"


def _trimmed(shape: Shape) -> Shape:
    end = len(shape)
    while end and shape[end - 1] == 1:
        end -= 1
    return shape[:end]
