"""Attention: its mask, broadcast one way to the scores of all queries and keys."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from bcastcli.core import conditions
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Constraint
from bcastcli.core.rule import Alternative, Note, Options, Reason, whole
from bcastcli.core.shapes import UNKNOWN, UNKNOWN_RANK, Shape, Size, written
from bcastcli.core.wording import axes
from bcastcli.operators.operator import Operator, OperatorQuestion
from bcastcli.operators.rules import UnidirectionalMany
from bcastcli.operators.table import Version

_PADS_FROM = 24
"""The first opset in which a mask with a shorter last axis is padded."""
_Q, _K, _V, _MASK, _PAST = 0, 1, 2, 3, 4


class _Answer(Answer):
    """The answer on the mask; its result is the operator's output."""

    @cached_property
    def result(self) -> Shape | None:
        scores = self.result_by_rule
        if self.ok is False or scores is None:
            return None
        return *scores[:3], self.question.inputs[_V].shape[-1]


class _Question(OperatorQuestion):
    def answer(self) -> Answer:
        return _Answer(self)


class Attention(Operator):
    """Attention of Q, K and V of four axes: batch, heads, length and size."""

    is_elementwise = False
    own_rule = UnidirectionalMany()

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.default_names = ("Q", "K", "V", "attn_mask", "past_key", "past_value")
        self.min_operands, self.max_operands = 3, 6

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        constraints = [
            Constraint(conditions.NEVER, "", Reason("rank", _needs_four(each)))
            for place, each in enumerate(inputs)
            if place != _MASK and len(each.shape) != 4
        ]
        masks = inputs[_MASK:_PAST]
        if constraints:
            operands = [Operand("scores", (UNKNOWN,) * 4), *masks]
            return _Question(self, inputs, options, operands=operands, constraints=constraints)
        batch, heads, length, _ = inputs[_Q].shape
        past = inputs[_PAST].shape[2] if len(inputs) > _PAST else 0
        scores = batch, heads, length, _sum(past, inputs[_K].shape[2])
        padded = [mask._replace(shape=self._padded(mask, scores)) for mask in masks]
        return _Question(self, inputs, options, operands=[Operand("scores", scores), *padded])

    def _padded(self, mask: Operand, scores: Shape) -> Shape:
        """Return the shape of a mask, as long as the scores if the operator pads it."""
        *others, last = mask.shape or (1,)
        total = scores[-1]
        is_shorter = isinstance(last, int) and isinstance(total, int) and last < total
        if self.version.since_opset >= _PADS_FROM and mask.shape and is_shorter:
            return *others, total
        return mask.shape

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        return iter(())

    def notes(self, answer: Answer) -> Sequence[Note]:
        if answer.ok is False or len(answer.operands) < 2:
            return ()
        given, (scores, mask) = answer.question.inputs[_MASK].shape, answer.operands
        if mask.shape != given:
            text = f"the last axis of {mask.name} is padded from {given[-1]} to {mask.shape[-1]}"
            return (Note("rule", text),)
        if mask.shape[-2:] == scores.shape[-2:] or UNKNOWN in mask.shape[-2:]:
            return ()
        text = "ONNX Runtime wants the last two axes of the mask to be as long as the scores'"
        return (Note("engine", text),)


def _needs_four(operand: Operand) -> str:
    shape = operand.shape
    shown = "unknown" if shape == UNKNOWN_RANK else written(shape)
    return f"{operand.name} {shown} has {axes(len(shape))}: write it as batch,heads,length,size"


def _sum(one: Size, other: Size) -> Size:
    """Return a sum of sizes: of two that are not both numbers, an unknown one by its text."""
    if one == 0:
        return other
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    return UNKNOWN if UNKNOWN in (one, other) else f"{one}+{other}"


def of_node(inputs: Sequence[Shape | None], attributes: Options) -> Sequence[Shape | None]:
    """Return a node's inputs with an axis for the heads, as ONNX reads those of three axes.

    The attribute has_mask says whether one of them is the mask; without one, no other counts.
    """
    names = ("q_num_heads", "kv_num_heads", "kv_num_heads")
    found = [*inputs[: 6 if attributes.get("has_mask", 1) else 3]]
    for place, (shape, name) in enumerate(zip(inputs, names, strict=False)):
        heads = whole(attributes.get(name, 0))
        if shape is not None and len(shape) == 3 and heads:
            batch, length, size = shape
            each = size // heads if isinstance(size, int) else UNKNOWN
            found[place] = batch, heads, length, each
    return found
