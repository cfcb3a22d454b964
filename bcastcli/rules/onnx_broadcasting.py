"""The rules of ONNX's Broadcasting.md: multidirectional, which is NumPy's, and unidirectional."""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from bcastcli.answers import (
    Alternative,
    Answer,
    Axis,
    Note,
    Options,
    Placement,
    Plan,
    Reason,
    Rule,
)
from bcastcli.rules.wording import clashing, more_axes, swapping
from bcastcli.shapes import follow, right_aligned, stretch, written


class NumPy(Rule):
    """NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches

    Any number of shapes. The last axes are aligned, and an axis that a shape lacks counts as 1.
    On every axis, the sizes other than 1 must all be equal; the result has that size there, or 1
    if there is none. A size of 0 is a size like any other: it goes with 0 and with 1.

    Source: NumPy user guide, "Broadcasting"; OpenVINO, "Broadcast Rules For Elementwise
    Operations", Numpy.

    Examples:
        8,1,6,1 7,1,5   ->  8,7,6,5
        2,3,5 scalar    ->  2,3,5
        0 1             ->  0
        3,1,5 4,4,5     ->  mismatch
        N,4 3,4         ->  3,4 when N in (1, 3)
    """

    name = "numpy"
    fewest = 1
    most: ClassVar[int | None] = None
    axis_by_axis = True
    frameworks: ClassVar[tuple[str, ...]] = (
        *("np", "torch", "pytorch", "jax", "tensorflow", "tf", "keras", "cupy"),
        *("paddle", "paddlepaddle", "openvino"),
    )

    def lay(self, ranks: Sequence[int], options: Options) -> Plan:
        return Plan(max(ranks), (Placement(right_aligned(ranks), stretch, skips_missing=True),))

    def clash(self, answer: Answer, axis: Axis) -> Reason:
        who, rest, count = clashing(axis.sizes, answer.called, 1)
        neither = "neither" if count == 2 else "none"
        return Reason("sizes", f"{who} on {answer.spell(axis.number)}, and {neither} is 1{rest}")

    def notes(self, answer: Answer) -> Iterator[Note]:
        if answer.plan.rank > 32:
            yield Note("engine", "NumPy itself stops at 64 axes, and numpy.broadcast_shapes at 32")

    def alternatives(self, answer: Answer) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        return rewriting.alternatives(answer, range(len(answer.operands)))


class OnnxMultidirectional(NumPy):
    """ONNX multidirectional: NumPy's rule, for Add, Where, Max

    Any number of shapes. The last axes are aligned, and an axis that a shape lacks counts as 1.
    On every axis, the sizes other than 1 must all be equal; the result has that size there, or 1
    if there is none.

    Source: ONNX, Broadcasting.md, "Multidirectional Broadcasting".

    Examples:
        4,5 2,3,4,5     ->  2,3,4,5
        1,4,5 2,3,1,1   ->  2,3,4,5
        2,3 4,1         ->  mismatch
        N,1 1,M         ->  N,M
    """

    name = "onnx"
    frameworks = ("onnxruntime", "ort", "multidirectional")

    def notes(self, answer: Answer) -> Iterator[Note]:
        yield from ()


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

    def lay(self, ranks: Sequence[int], options: Options) -> Plan:
        target, source = ranks
        refusal = "rank" if source > target else None
        return Plan(max(ranks), (Placement(right_aligned(ranks), follow),), refusal)

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
