"""Matrix products: Gemm, MatMul and similar operators."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcastcli.core import conditions
from bcastcli.core.alignment import Contraction, Operand, name_unknowns
from bcastcli.core.question import Constraint
from bcastcli.core.rule import Alternative, Options
from bcastcli.core.shapes import UNKNOWN, Shape
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
        flipped = (bool(options["trans_a"]), bool(options["trans_b"]))
        name = "@".join(
            f"{each.name}.T" if flip else each.name
            for each, flip in zip((left, right), flipped, strict=True)
        )
        pair = (left, right)
        wrong = [
            f"{other_ranks([each])}, and a matrix has 2" for each in pair if len(each.shape) != 2
        ]
        constraints = [refuse("rank", each) for each in wrong]
        typed: Shape = (UNKNOWN, UNKNOWN)
        sizes = name_unknowns(name, typed)
        contraction = None
        if not constraints:
            # The axes of the result, M of A and N of B; K is the remaining axis of either.
            places = (int(flipped[0]), int(not flipped[1]))
            constraint = equate(left, right, (1 - places[0], 1 - places[1]))
            constraints = [constraint]
            typed = left.shape[places[0]], right.shape[places[1]]
            sizes = name_unknowns(*left)[places[0]], name_unknowns(*right)[places[1]]
            summed = left.shape[1 - places[0]], right.shape[1 - places[1]]
            rows = ((typed[0], None), (None, typed[1]))
            contraction = Contraction(
                tuple(name.split("@")), rows, summed, 1, ("M", "N"), _conflict(constraint)
            )
        operands = (Operand(name, typed), *added)
        shapes = (sizes, *(name_unknowns(*each) for each in added))
        asked = OperatorQuestion(
            self, inputs, options, operands=operands, shapes=shapes, constraints=constraints
        )
        asked.contraction = contraction
        return asked

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        yield from self._flipped(question)
        yield from super().alternatives(question)

    def inputs_of(
        self, question: OperatorQuestion, operands: Sequence[Operand]
    ) -> Sequence[Operand]:
        return (*question.inputs[:2], *operands[1:])

    def _flipped(self, question: OperatorQuestion) -> Iterator[Alternative]:
        """Yield the question with trans_b or trans_a toggled."""
        for name in ("trans_b", "trans_a"):
            options = {**question.options, name: not question.options[name]}
            write = f"{name}=1" if options[name] else f"without {name}"
            first = Alternative(self.question(question.inputs, options), "rule", setting=write)
            yield from rewriting.after(first, self.further)


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
        (*rows, _), whole = name_unknowns(*left), name_unknowns(*right)
        columns = whole[-1:] if len(whole) > 1 else ()
        # Where both are matrices, each lacks one of the result's last two axes.
        gap = (None,) if 1 not in ranks else ()
        shapes = ((*rows, *gap), (*whole[:-2], *gap, *columns))
        labels = (*("M",) * (ranks[0] > 1), *("N",) * (ranks[1] > 1))
        summed = left.shape[-1], right.shape[max(ranks[1] - 2, 0)]
        rank = max(map(len, shapes))
        on_axes = (
            tuple(left.shape[:-1]) + gap,
            tuple(right.shape[:-2]) + gap + tuple(right.shape[-1:] if columns else ()),
        )
        aligned = tuple((None,) * (rank - len(row)) + row for row in on_axes)
        # K is between M and N, or if one of them is missing, after M or before N.
        place = rank - (ranks[1] > 1)
        contraction = Contraction(
            (left.name, right.name), aligned, summed, place, labels, _conflict(constraint)
        )
        asked = OperatorQuestion(self, inputs, options, shapes=shapes, constraints=[constraint])
        asked.contraction = contraction
        return asked


def _conflict(constraint: Constraint) -> bool | None:
    """Return whether sizes that must be equal differ; None: it depends."""
    return {conditions.NEVER: True, conditions.ALWAYS: False}.get(constraint.condition)
