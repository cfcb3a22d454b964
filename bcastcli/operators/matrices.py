"""Matrix products: Gemm, MatMul and similar operators."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcastcli.core import conditions
from bcastcli.core.alignment import Contraction, Operand, name_unknowns
from bcastcli.core.question import Constraint
from bcastcli.core.rule import Alternative, Options
from bcastcli.core.shapes import UNKNOWN, Column, Shape
from bcastcli.core.wording import other_ranks
from bcastcli.operators.operator import Operator, OperatorQuestion, equate, refuse
from bcastcli.operators.rules import MatMul, UnidirectionalMany
from bcastcli.operators.table import Version
from bcastcli.rules import rewriting


class Gemm(Operator):
    """Gemm: A and B make a matrix of shape (M,N), to which C is added."""

    is_elementwise = False
    own_names = ("A", "B", "C")
    own_rule = UnidirectionalMany()
    options: ClassVar = {"trans_a": False, "trans_b": False}

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.min_operands = 2 if version.since_opset >= 11 else 3

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        left, right, *added = inputs
        # The axes of the result, M of A and N of B; K is the remaining axis of either.
        m, n = int(bool(options["trans_a"])), int(not options["trans_b"])
        factors = [
            Operand(f"{name}.T", shape[::-1]) if is_flipped else Operand(name, shape)
            for (name, shape), is_flipped in ((left, m == 1), (right, n == 0))
        ]
        name = "@".join(each.name for each in factors)
        typed: Shape = (UNKNOWN, UNKNOWN)
        sizes = name_unknowns(name, typed)
        wrong = [each for each in (left, right) if len(each.shape) != 2]
        needs = "but a matrix has 2"
        constraints = [refuse("rank", f"{other_ranks([each])}, {needs}") for each in wrong]
        contraction = None
        if not wrong:
            constraints = [equate(left, right, (1 - m, 1 - n))]
            typed = left.shape[m], right.shape[n]
            sizes = name_unknowns(*left)[m], name_unknowns(*right)[n]
            contraction = _contraction(factors, constraints[0])
        operands = (Operand(name, typed), *added)
        shapes = (sizes, *(name_unknowns(*each) for each in added))
        return OperatorQuestion(
            self, inputs, options, operands, shapes, constraints, contraction=contraction
        )

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        for name in ("trans_b", "trans_a"):
            options = {**question.options, name: not question.options[name]}
            write = f"{name}=1" if options[name] else f"without {name}"
            first = Alternative(self.question(question.inputs, options), "rule", setting=write)
            yield from rewriting.after(first, self.further)
        yield from super().alternatives(question)


class MatrixProduct(Operator):
    """MatMul and its variants: two stacks of matrices."""

    is_elementwise = False
    own_rule = MatMul()

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        left, right = inputs
        ranks = len(left.shape), len(right.shape)
        if 0 in ranks:
            return super().question(inputs, options)
        constraint = equate(left, right, (ranks[0] - 1, max(ranks[1] - 2, 0)))
        shapes = _on_result(name_unknowns(*left), name_unknowns(*right))
        contraction = _contraction(inputs, constraint)
        return OperatorQuestion(
            self, inputs, options, inputs, shapes, [constraint], contraction=contraction
        )


def _on_result(left: Shape, right: Shape) -> tuple[Column, Column]:
    """The sizes of two factors on the axes of their product, each without the axis K."""
    # Where both are matrices, each lacks one of the result's last two axes.
    gap = (None,) if len(left) > 1 and len(right) > 1 else ()
    columns = right[-1:] if len(right) > 1 else ()
    return (*left[:-1], *gap), (*right[:-2], *gap, *columns)


def _contraction(factors: Sequence[Operand], constraint: Constraint) -> Contraction:
    """The axis K of a product, whose sizes a constraint equates."""
    names = tuple(each.name for each in factors)
    left, right = (each.shape for each in factors)
    rows = _on_result(left, right)
    rank = max(map(len, rows))
    aligned = tuple((None,) * (rank - len(row)) + row for row in rows)
    labels = (*("M",) * (len(left) > 1), *("N",) * (len(right) > 1))
    # K is between M and N, or if one of them is missing, after M or before N.
    place = rank - (len(right) > 1)
    summed = left[-1], right[max(len(right) - 2, 0)]
    # Whether the sizes differ; None: it depends.
    conflict = {conditions.NEVER: True, conditions.ALWAYS: False}.get(constraint.condition)
    return Contraction(names, aligned, summed, place, labels, conflict)
