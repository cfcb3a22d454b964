"""Attention: its mask, broadcast one way to the scores of all queries and keys."""

from collections.abc import Callable, Iterator, Sequence
from operator import add, floordiv, mod, mul
from typing import ClassVar

from bcastcli.core.alignment import Operand, is_placeholder, name_unknowns
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import Condition, any_equal
from bcastcli.core.question import Constraint, Question
from bcastcli.core.rule import Alternative, Note, Options, whole
from bcastcli.core.shapes import UNKNOWN, Shape, Size, Verdict, stretch, written
from bcastcli.core.wording import other_ranks
from bcastcli.operators.operator import Operator, OperatorQuestion, constrain, equate, refuse
from bcastcli.operators.rules import UnidirectionalMany

_PADS_FROM, _COMPOSED_FROM = 24, 25
"""The first opset in which a mask with a shorter last axis is padded, and the first in which
ONNX Runtime composes Attention from other operators."""
_Q, _K, _V, _PAST_KEY, _PAST_VALUE = range(5)
_EQUAL = (
    *((_Q, _K, 0), (_Q, _V, 0), (_K, _V, 1), (_K, _V, 2), (_Q, _K, 3)),
    *((_Q, _PAST_KEY, 0), (_K, _PAST_KEY, 1), (_K, _PAST_KEY, 3)),
    *((_Q, _PAST_VALUE, 0), (_K, _PAST_VALUE, 1), (_V, _PAST_VALUE, 3)),
    (_PAST_KEY, _PAST_VALUE, 2),
)
"""Pairs of inputs, by their places without the mask, and the axis on which they must agree."""
_HEADS = ("q_num_heads", "kv_num_heads", "kv_num_heads")
"""The options with the numbers of heads of Q, K and V."""
_WITHOUT_MASK = {"attn_mask": "past_key", "past_key": "past_value"}
"""The names of the last two of five inputs, if the mask is left out."""
_MASK_OF_ONNX_RUNTIME = (
    "up to opset 24, ONNX Runtime wants the last two axes of the mask to be as long as the scores'"
)


class _Answer(Answer):
    """The answer on the mask; its result is the operator's output."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.result = self._output()

    def _output(self) -> Shape | None:
        scores = self.result_by_rule
        if self.ok is False or scores is None:
            return None
        *others, last = name_unknowns(*self.question.inputs[_V])
        heads, own_heads, _ = (whole(self.options[name]) for name in _HEADS)
        is_flat = len(others) == 2
        if is_flat and heads != own_heads:
            last = _calculated(mul, "{1}*{0}", last, heads // own_heads)
        last = self._size((last,), Verdict(last), stretch)
        return (scores[0], scores[2], last) if is_flat else (*scores[:3], last)


class _Question(OperatorQuestion):
    def answer(self) -> Answer:
        return _Answer(self)


class Attention(Operator):
    """Attention of Q, K and V: batch, heads, length and size, or batch, length and all heads' size.

    They come alone, with a mask, with past_key and past_value, or with all three.
    """

    is_elementwise = False
    own_rule = UnidirectionalMany()
    own_names = ("Q", "K", "V", "attn_mask", "past_key", "past_value")
    least = 3
    options: ClassVar = {"q_num_heads": 0, "kv_num_heads": 0}

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        if len(inputs) == 5:
            inputs = [Operand(_WITHOUT_MASK.get(name, name), shape) for name, shape in inputs]
        masks, arrays = _masks(inputs), [*inputs[:3], *(inputs[-2:] if len(inputs) > 4 else ())]
        wrong = _wrong_rank(arrays, options)
        if wrong or not all(mask.shape for mask in masks):
            operands = [Operand("scores", (UNKNOWN,) * 4), *masks]
            never = refuse("rank", wrong or f"{other_ranks(masks)}, and a mask has 1 to 4")
            return _Question(self, inputs, options, operands=operands, constraints=[never])
        heads = (whole(options[name]) for name in _HEADS)
        by_heads = list(map(_by_heads, arrays, _HEADS, heads))
        arrays[:3] = [each for each, _ in by_heads]
        pairs = [each for each in _EQUAL if each[1] < len(arrays)]
        constraints = [constraint for _, constraint in by_heads]
        constraints += [equate(arrays[a], arrays[b], (axis, axis)) for a, b, axis in pairs]
        query, key, _, *past = (name_unknowns(*each) for each in arrays)
        (first, _), (second, _), *_ = inputs
        groups = f"{first} has {query[1]} heads and {second} has {key[1]}, "
        groups += f"and {query[1]} is not a multiple of {key[1]}"
        where = f"the heads of {first} and {second}"
        constraints.append(constrain(_multiple(query[1], key[1]), where, groups))
        total = _calculated(add, "{}+{}", past[0][2], key[2]) if past else key[2]
        shapes = [(*query[:3], total)]
        for name, shape in masks:
            *others, last = name_unknowns(name, shape)
            longest = _calculated(max, "max({}, {})", total, last)
            if self.version.since_opset >= _PADS_FROM and last not in (1, total, longest):
                fits = any_equal((longest, total), (last, 1))
                constraints.append(constrain(fits, f"the last axis of {name}", ""))
                last = total
            shapes.append((*others, last))
        shown = [tuple([UNKNOWN if is_placeholder(each) else each for each in s]) for s in shapes]
        operands = list(map(Operand, ("scores", *(each.name for each in masks)), shown))
        return _Question(
            self, inputs, options, operands=operands, shapes=shapes, constraints=constraints
        )

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        if not question.impossible and [*question.operands[1:]] == [*_masks(question.inputs)]:
            yield from super().alternatives(question)

    def inputs_of(
        self, question: OperatorQuestion, operands: Sequence[Operand]
    ) -> Sequence[Operand]:
        return *question.inputs[:3], *operands[1:], *question.inputs[4:]

    def notes(self, answer: Answer) -> Iterator[Note]:
        inputs, (scores, *masks) = answer.question.inputs, answer.operands
        if answer.ok is False:
            return
        for (name, given), (_, padded) in zip(_masks(inputs), masks, strict=True):
            if given != padded:
                text = f"the last axis of {name} is padded from {given[-1]} to {padded[-1]}"
                yield Note("rule", text)
            if (self.opset or 0) < _COMPOSED_FROM and given[-2:] != scores.shape[-2:]:
                yield Note("engine", _MASK_OF_ONNX_RUNTIME)
        for name, _ in [each for each in inputs[:3] if 0 in each.shape][:1]:
            yield Note("engine", f"ONNX Runtime may refuse this: {name} is empty")


def _masks(inputs: Sequence[Operand]) -> Sequence[Operand]:
    """Return the mask, if there is one."""
    return inputs[3:4] if len(inputs) in (4, 6) else ()


def _wrong_rank(arrays: Sequence[Operand], options: Options) -> str | None:
    """Return why an input's number of axes is wrong; None if it is right."""
    is_flat = len(arrays[_Q].shape) == 3
    for place, each in enumerate(arrays):
        form = "batch,length,size" if is_flat and place < _PAST_KEY else "batch,heads,length,size"
        if len(each.shape) != form.count(",") + 1:
            return f"{other_ranks([each])}: write it as {form}"
    if is_flat and not all(options.values()):
        return f"{other_ranks(arrays[:1])}: it takes q_num_heads and kv_num_heads"
    return None


def _by_heads(operand: Operand, option: str, number: int) -> tuple[Operand, Constraint]:
    """Return an input with an axis for its heads, and the constraints that their number sets."""
    name, shape = operand
    sizes, axis = name_unknowns(name, shape), 1 if len(shape) == 4 else 2
    where = f"axis {axis} ({axis - len(shape)})"
    text = f"{name} {written(shape)} has {shape[axis]} on {where}, "
    if axis == 1:
        fits = any_equal((sizes[1], number or sizes[1]))
        return operand, constrain(fits, f"{name}'s {where}", f"{text}not {option}={number}")
    view = sizes[0], number, sizes[1], _calculated(floordiv, "{}//{}", sizes[2], number)
    fits = _multiple(sizes[2], number)
    text += f"not a multiple of {option}={number}"
    return Operand(f"{name} by heads", view), constrain(fits, f"{name}'s {where}", text)


def _multiple(size: Size, of: Size) -> Condition:
    """Return the condition that a size is a multiple of another."""
    if of in (0, 1, size):
        return any_equal((size if of == 0 else of, of))
    return any_equal((_calculated(mod, "{} % {}", size, of), 0))


def _calculated(function: Callable[[int, int], int], text: str, one: Size, other: Size) -> Size:
    """Return a function's result; for sizes that are not both numbers, its text."""
    if isinstance(one, int) and isinstance(other, int):
        return function(one, other)
    return text.format(one, other)
