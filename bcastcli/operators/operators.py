"""What ONNX's operators answer to shapes.

What is here is what their table cannot say: which operands an operator makes of its inputs, what
must hold of these besides, and what to write instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import prod
from typing import ClassVar, cast

from bcastcli.core import conditions
from bcastcli.core.answer import (
    Answer,
    Constraint,
    Note,
    Operand,
    Options,
    Reason,
    Rule,
    lazy,
    placed,
)
from bcastcli.core.shapes import UNKNOWN, Column, Shape, written
from bcastcli.core.wording import axes
from bcastcli.notation import questions
from bcastcli.notation import text as notation
from bcastcli.operators.legacy import OnnxLegacy, OnnxLegacyPRelu
from bcastcli.operators.rules import Expand, Followers, MatMul
from bcastcli.operators.table import OperatorError, Version, history
from bcastcli.rules import RULES, rewriting
from bcastcli.rules.rewriting import Rewritten

LISTED_ONLY = ("Attention", "Einsum", "QLinearMatMul")


class Operator:
    """An operator in one opset: which inputs it takes, and what it answers."""

    options: ClassVar[Mapping[str, int]] = {}
    """What may be asked besides shapes, with the defaults."""
    aligns: ClassVar[bool] = True
    """Whether each element of the result is made of the elements aligned with it, and no others."""
    counts_back: ClassVar[bool] = False
    """Whether an axis may be counted from the last one."""

    def __init__(self, version: Version, opset: int | None) -> None:
        self.version = version
        self.opset = opset
        self.name = version.op
        self.operands = () if version.is_variadic else version.inputs
        self.min_operands = 1 if version.is_variadic else len(self.operands)
        self.max_operands = None if version.is_variadic else len(self.operands)
        self.rule: Rule = RULES.get(version.rule) or OnnxLegacy()

    def ask(self, line: str, given: Options) -> "OperatorAnswer":
        """The answer to the inputs on a line; NotationError if they are none."""
        typed = questions.read(line, tuple(self.options), counts_back=self.counts_back)
        questions.refuse_count(
            line, typed, self.name, self.min_operands, self.max_operands, self.operands
        )
        on_the_line = {} if typed.axis is None else {"axis": typed.axis}
        inputs = notation.operands(typed, self.operands)
        return self.answer(inputs, {**self.options, **given, **on_the_line})

    def answer(self, inputs: Sequence[Operand], options: Options) -> "OperatorAnswer":
        """The answer to inputs, as many as it takes."""
        return OperatorAnswer(self, inputs, inputs, options)

    def notes(self, answer: "OperatorAnswer") -> Sequence[Note]:
        """What to know beside what the rule notes."""
        return ()

    def alternatives(self, answer: "OperatorAnswer") -> Iterator[tuple[str, "OperatorAnswer"]]:
        """What may be asked of it instead: how it is written, and the answer."""
        for write, operands, options in answer.rewritten():
            yield write, self.answer(self.inputs_of(answer, operands), options)

    def inputs_of(self, answer: "OperatorAnswer", operands: Sequence[Operand]) -> Sequence[Operand]:
        """The inputs that are made into other operands than those of an answer."""
        return operands

    def then(
        self, write: str, inputs: Sequence[Operand], options: Options
    ) -> Iterator[tuple[str, "OperatorAnswer"]]:
        """An alternative, and as it may not be enough, what may be done besides."""
        answer = self.answer(inputs, options)
        yield write, answer
        if answer.ok is False and not answer.cannot_be:
            for more, other in Operator.alternatives(self, answer):
                yield f"{write}, {more}", other


class OperatorAnswer(Answer):
    """What an operator says of its inputs."""

    def __init__(
        self,
        operator: Operator,
        inputs: Sequence[Operand],
        operands: Sequence[Operand],
        options: Options,
        constraints: Sequence[Constraint] = (),
        *,
        laid: tuple[Column, ...] | None = None,
    ) -> None:
        """`laid` are the operands' sizes with their places, where inputs were made into them."""
        super().__init__(operator.rule, operands, options, constraints=constraints)
        self.operator = operator
        self._inputs = tuple(inputs)
        self._made = laid

    def of(self, operator: Operator, inputs: Sequence[Operand]) -> "OperatorAnswer":
        """Return the same answer to the inputs of which these operands were made."""
        made = self.shapes if self._made is None else self._made
        return OperatorAnswer(
            operator, inputs, self.operands, self.given, self.constraints, laid=made
        )

    @property
    def asked_name(self) -> str:
        return self.operator.name

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return self._inputs

    @property
    def default_names(self) -> tuple[str, ...]:
        return self.operator.operands

    @lazy
    def shapes(self) -> tuple[Shape, ...]:
        # To lay shapes, it does not matter that one may lack an axis between others.
        return super().shapes if self._made is None else cast("tuple[Shape, ...]", self._made)

    @lazy
    def unknown_sizes(self) -> tuple[str, ...]:
        typed = (size for each in self.inputs for size in placed(*each) if isinstance(size, str))
        return tuple(dict.fromkeys((*typed, *super().unknown_sizes)))

    @lazy
    def options(self) -> dict[str, int | str]:
        resolved = self.rule.resolve(self.ranks, self.given)
        return {name: resolved.get(name, value) for name, value in self.given.items()}

    @property
    def about(self) -> dict[str, object]:
        return {
            "op": self.operator.name,
            "opset": self.operator.opset,
            "since_opset": self.operator.version.since_opset,
            "inputs": [each._asdict() for each in self.inputs],
        }

    @lazy
    def reason(self) -> Reason | None:
        return self.cannot_be or super().reason

    @lazy
    def all_stretch(self) -> bool:
        return self._made is None and super().all_stretch

    @lazy
    def notes(self) -> tuple[Note, ...]:
        return (*super().notes, *self.operator.notes(self))

    @lazy
    def cannot_be(self) -> Reason | None:
        """Why it is no whatever the operands are; None where that depends on these."""
        never = (
            constraint.reason
            for constraint in self.constraints
            if constraint.condition == conditions.NEVER
        )
        return next(never, None)

    @property
    def question(self) -> dict[str, object]:
        return {
            "op": self.operator.name,
            "opset": self.operator.opset,
            "shapes": [shape for _, shape in self.inputs],
            "options": self.options,
        }

    def alternatives(self) -> Iterator[tuple[str, Answer]]:
        if rewriting.legible(self.inputs):
            yield from self.operator.alternatives(self)
            yield from self._in_newer_opsets()

    def rewritten(self) -> Iterator[tuple[str, Sequence[Operand], Options]]:
        """What the rule proposes, as far as it keeps to it and to the operands' order."""
        for write, rule, operands, options in self.rule.alternatives(self):
            if rule is self.rule and tuple(each.name for each in operands) == self.operand_names:
                yield write, operands, options

    def _in_newer_opsets(self) -> Iterator[tuple[str, Answer]]:
        """The same question, where the operator broadcasts by another rule."""
        for version in history(self.operator.name):
            if version.since_opset > self.operator.version.since_opset:
                newer = operator(version, version.since_opset)
                lost = self.given.keys() - newer.options.keys()
                if all(self.given[name] == self.operator.options[name] for name in lost):
                    given = {name: self.given[name] for name in newer.options}
                    write = f"--opset {version.since_opset}"
                    yield write, newer.answer(self.inputs, given)


class Legacy(Operator):
    """An operator of two inputs, asked with the attribute broadcast=1."""

    options: ClassVar = {"axis": -1}


class Mean(Operator):
    """Mean, which has a note of its own."""

    def notes(self, answer: "OperatorAnswer") -> Sequence[Note]:
        if not answer.ok or answer.operands[0].shape == answer.result:
            return ()
        first = answer.operands[0].name
        text = f"ONNX's reference evaluator fails unless {first} has the result's shape"
        return (Note("engine", text),)


class PRelu(Operator):
    """PRelu: X and its slope."""

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.operands = ("X", "slope")
        self.min_operands = self.max_operands = 2
        if version.rule == "none":
            self.rule = OnnxLegacyPRelu()


class ExpandTo(Operator):
    """Expand: an array and the shape that it is given."""

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.rule = Expand()


class Gemm(Operator):
    """Gemm: A and B make a matrix of shape (M,N), to which C goes."""

    aligns = False
    options: ClassVar = {"trans_a": False, "trans_b": False}

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.operands = ("A", "B", "C")
        self.min_operands = 2 if version.since_opset >= 11 else 3
        self.max_operands = 3
        if version.rule == Followers.name:
            self.rule = Followers()

    def answer(self, inputs: Sequence[Operand], options: Options) -> OperatorAnswer:
        left, right, *added = inputs
        flipped = (bool(options["trans_a"]), bool(options["trans_b"]))
        name = "@".join(
            f"{each.name}.T" if flip else each.name
            for each, flip in zip((left, right), flipped, strict=True)
        )
        constraints = [_constrain_matrix(each) for each in (left, right) if len(each.shape) != 2]
        typed: Shape = (UNKNOWN, UNKNOWN)
        sizes = placed(name, typed)
        if not constraints:
            # The axes of the result, M of A and N of B; K is what is left of either.
            places = (int(flipped[0]), int(not flipped[1]))
            constraints = [_constrain_equal((left, 1 - places[0]), (right, 1 - places[1]))]
            typed = left.shape[places[0]], right.shape[places[1]]
            sizes = placed(*left)[places[0]], placed(*right)[places[1]]
        operands = (Operand(name, typed), *added)
        laid = (sizes, *(placed(*each) for each in added))
        return OperatorAnswer(self, inputs, operands, options, constraints, laid=laid)

    def alternatives(self, answer: OperatorAnswer) -> Iterator[tuple[str, OperatorAnswer]]:
        ways = (self._of_matrices(answer), self._flipped(answer), super().alternatives(answer))
        yield from chain(*(ways if answer.cannot_be else reversed(ways)))

    def inputs_of(self, answer: OperatorAnswer, operands: Sequence[Operand]) -> Sequence[Operand]:
        return (*answer.inputs[:2], *operands[1:])

    def _flipped(self, answer: OperatorAnswer) -> Iterator[tuple[str, OperatorAnswer]]:
        """With B transposed, with A, with both; what was so already, then is not."""
        for names in (("trans_b",), ("trans_a",), ("trans_a", "trans_b")):
            options = {**answer.given, **{name: not answer.given[name] for name in names}}
            flags = {name: f"--{name.replace('_', '-')}" for name in names}
            added = [flag for name, flag in flags.items() if options[name]]
            dropped = [flag for name, flag in flags.items() if not options[name]]
            write = " ".join((*added, *(("without", *dropped) if dropped else ())))
            yield from self.then(write, answer.inputs, options)

    def _of_matrices(self, answer: OperatorAnswer) -> Iterator[tuple[str, OperatorAnswer]]:
        """With matrices of what is none."""
        made = {
            number: each
            for number, operand in enumerate(answer.inputs[:2])
            for each in _as_matrix(operand, is_left=number == 0)
        }
        if made:
            inputs = [
                Operand(operand.name, made[number].shape) if number in made else operand
                for number, operand in enumerate(answer.inputs)
            ]
            write = ", ".join(each.write for each in made.values())
            yield from self.then(write, inputs, answer.given)

    def notes(self, answer: "OperatorAnswer") -> Sequence[Note]:
        left, *others = answer.inputs
        if len(left.shape) != 1 or isinstance(self.rule, OnnxLegacy):
            return ()
        row = Operand(left.name, (1, *left.shape))
        lenient = self.answer((row, *others), answer.given)
        if not lenient.ok or lenient.result is None:
            return ()
        text = (
            f"ONNX Runtime takes {left.name} as {written(row.shape)} in a model that does not "
            f"declare {left.name}'s shape: it accepts this and returns {written(lenient.result)}"
        )
        return (Note("engine", text),)


class MatrixProduct(Operator):
    """MatMul and its like: two stacks of matrices."""

    aligns = False

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.rule = MatMul()

    def answer(self, inputs: Sequence[Operand], options: Options) -> OperatorAnswer:
        left, right = inputs
        ranks = len(left.shape), len(right.shape)
        if 0 in ranks:
            return super().answer(inputs, options)
        constraint = _constrain_equal((left, ranks[0] - 1), (right, max(ranks[1] - 2, 0)))
        (*rows, _), whole = placed(*left), placed(*right)
        columns = whole[-1:] if len(whole) > 1 else ()
        # Where both are matrices, each lacks one of the result's last two axes.
        gap = (None,) if 1 not in ranks else ()
        laid = ((*rows, *gap), (*whole[:-2], *gap, *columns))
        return OperatorAnswer(self, inputs, inputs, options, [constraint], laid=laid)

    def notes(self, answer: "OperatorAnswer") -> Sequence[Note]:
        left, right = (operand.shape for operand in answer.inputs)
        if 0 not in left + right or len(left) == len(right) == 2:
            return ()
        text = "ONNX Runtime goes its own ways where an axis is empty, other than in two matrices"
        return (Note("engine", text),)


class Normalization(Operator):
    """LayerNormalization and RMSNormalization: X, its scale, and for the former B."""

    aligns = False
    options: ClassVar = {"axis": -1}
    counts_back = True

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        self.operands = ("X", *version.inputs)
        self.min_operands, self.max_operands = 2, len(self.operands)
        self.rule = Followers()

    def answer(self, inputs: Sequence[Operand], options: Options) -> OperatorAnswer:
        given, axis = inputs[0], int(options["axis"])
        rank = len(given.shape)
        if -rank <= axis < rank:
            return OperatorAnswer(self, inputs, inputs, {"axis": axis % rank})
        text = f"axis {axis} is none of {given.name} {written(given.shape)}, which has {axes(rank)}"
        constraint = Constraint(conditions.NEVER, "", Reason("fit", text))
        return OperatorAnswer(self, inputs, inputs, options, [constraint])

    def alternatives(self, answer: OperatorAnswer) -> Iterator[tuple[str, OperatorAnswer]]:
        if not answer.cannot_be:
            yield from super().alternatives(answer)
            return
        given, scale, *_ = answer.inputs
        for axis in (len(given.shape) - len(scale.shape), -1):
            if -len(given.shape) <= axis < len(given.shape):
                yield from self.then(f"--axis {axis}", answer.inputs, {"axis": axis})

    def notes(self, answer: "OperatorAnswer") -> Sequence[Note]:
        given = answer.operands[0]
        axis = int(answer.given["axis"])
        if answer.ok is False or 0 not in given.shape[axis:]:
            return ()
        text = f"ONNX Runtime refuses this: {given.name} is empty from axis {axis} on"
        return (Note("engine", text),)


def _as_matrix(operand: Operand, *, is_left: bool) -> Iterator[Rewritten]:
    """A vector as a row on the left and as a column on the right; a stack as rows below rows."""
    name, shape = operand
    if len(shape) == 1:
        row, column = (f"{name}[None, :]", (1, *shape)), (f"{name}[:, None]", (*shape, 1))
        yield Rewritten(*(row if is_left else column))
    elif len(shape) > 2:
        *rows, last = shape
        numbers = [size for size in rows if isinstance(size, int)]
        if len(numbers) == len(rows) and last != UNKNOWN:
            yield rewriting.in_shape(operand, (prod(numbers), last))


def _constrain_matrix(operand: Operand) -> Constraint:
    """That an operand has two axes, where it has not."""
    name, shape = operand
    text = f"{name} {written(shape)} has {axes(len(shape))}, and a matrix has 2"
    return Constraint(conditions.NEVER, "", Reason("rank", text))


def _constrain_equal(*ends: tuple[Operand, int]) -> Constraint:
    """That the sizes on two axes, each of an operand, are equal."""
    (left, left_axis), (right, right_axis) = ends
    sizes = placed(*left)[left_axis], placed(*right)[right_axis]
    shown = left.shape[left_axis], right.shape[right_axis]
    where = [f"axis {axis} ({axis - len(operand.shape)})" for operand, axis in ends]
    text = (
        f"{left.name} {written(left.shape)} has {shown[0]} on {where[0]} and "
        f"{right.name} {written(right.shape)} has {shown[1]} on {where[1]}, and these must be equal"
    )
    return Constraint(
        conditions.require(sizes),
        f"{left.name}'s {where[0]} and {right.name}'s {where[1]}",
        Reason("sizes", text),
    )


_OPERATORS: Mapping[str, type[Operator]] = {
    "Expand": ExpandTo,
    "Gemm": Gemm,
    "LayerNormalization": Normalization,
    "MatMul": MatrixProduct,
    "MatMulInteger": MatrixProduct,
    "Mean": Mean,
    "PRelu": PRelu,
    "RMSNormalization": Normalization,
}


def operator(version: Version, opset: int | None) -> Operator:
    """What answers for a version of an operator; OperatorError if nothing does."""
    if version.op in LISTED_ONLY:
        message = f"{version.op} is listed only: it answers no shapes"
        raise OperatorError(f"{message} (bcastcli op {version.op} tells what is known)")
    usual = Legacy if version.rule == OnnxLegacy.name else Operator
    return _OPERATORS.get(version.op, usual)(version, opset)
