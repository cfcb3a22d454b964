"""ONNX's unidirectional rule, and what the rules that keep the first operand's shape share."""

from collections.abc import Callable, Iterator, Sequence

from bcastcli.core.answer import (
    Alignment,
    Alternative,
    Answer,
    Axis,
    Layout,
    Note,
    Options,
    Reason,
    Rule,
)
from bcastcli.core.shapes import follow, right_aligned, written
from bcastcli.core.wording import more_axes, swapping
from bcastcli.rules.numpy import OnnxMultidirectional


class OnnxUnidirectional(Rule):
    """ONNX unidirectional: only B stretches, for Gemm, PRelu

    Two shapes, and their order counts. The last axes are aligned. B has at most as many axes as A,
    and each of its sizes is 1 or equals A's. The result is A, always: A never stretches.

    Source: ONNX, Broadcasting.md, "Unidirectional Broadcasting".

    Examples:
        2,3,4,5 1,3,1,5  ->  2,3,4,5
        2,3,4,5 5        ->  2,3,4,5
        4,5 2,3,4,5      ->  mismatch
        3,N N,2          ->  mismatch
    """

    name = "onnx-uni"
    frameworks = ("unidirectional", "onnx-unidirectional")
    keeps_first = True
    axis_by_axis = True

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        target, source = ranks
        refusal = "rank" if source > target else None
        return Layout(max(ranks), (Alignment(right_aligned(ranks), follow),), refusal)

    def refuse(self, answer: Answer) -> str:
        target, source = answer.operands
        return more_axes(target, source, f"{target.name} never stretches")

    def clash(self, answer: Answer, axis: Axis) -> Reason:
        return kept_clash(answer, axis)

    def notes(self, answer: Answer) -> Iterator[Note]:
        if answer.ok is not False:
            return
        both_ways = Answer(OnnxMultidirectional(), answer.operands, {})
        if both_ways.ok and both_ways.result is not None:
            yield Note(
                "engine",
                "ONNX Runtime runs PRelu multidirectionally, as PRelu-16's function body does: "
                f"it accepts this and returns {written(both_ways.result)}",
            )
        yield Note(
            "engine", "ONNX's shape inference, strict mode included, does not check this rule"
        )

    def alternatives(self, answer: Answer) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        def rewritten(asked: Answer) -> Iterator[Alternative]:
            return rewriting.alternatives(asked, [1])

        yield from rewritten(answer)
        yield swapped(answer)
        yield under(OnnxMultidirectional(), answer)
        yield from swapped_and(answer, rewritten)


def under(rule: Rule, answer: Answer) -> Alternative:
    """The same operands under another rule."""
    return Alternative(f"rule {rule.name}", rule, answer.operands, {})


def swapped(answer: Answer) -> Alternative:
    """The question with its two operands in the other order."""
    first, second = answer.operands
    write = swapping(first.name, second.name)
    return Alternative(write, answer.rule, (second, first), answer.given)


def swapped_and(
    answer: Answer, propose: Callable[[Answer], Iterator[Alternative]]
) -> Iterator[Alternative]:
    """What is proposed for the two operands in the other order, if that is not enough."""
    swap = swapped(answer)
    turned = Answer(swap.rule, swap.operands, swap.options)
    for each in () if turned.ok else propose(turned):
        yield each._replace(write=f"{swap.write}, {each.write}")


def kept_clash(answer: Answer, axis: Axis) -> Reason:
    """Why B does not follow A on an axis, under the rules that keep A."""
    (target, _), (source, _) = answer.operands
    kept, own = axis.sizes
    why = (
        f"and {target} never stretches"
        if kept == 1
        else f"and only a {source} of {kept} or 1 goes there"
    )
    return Reason(
        "sizes", f"{target} has {kept} and {source} has {own} on {answer.spell(axis.number)}, {why}"
    )
