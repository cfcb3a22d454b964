"""Operators that do not broadcast: why inputs do not fit, and for a few operators the result.

Concat, Reshape, Transpose and Einsum have a result here; for the others `fits` finds impossible
shapes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import ClassVar, NamedTuple, cast

from bcastcli.core.alignment import Operand, automatic_names, is_placeholder
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import NEVER, Condition, any_equal, names_in, solve
from bcastcli.core.question import Suggestion
from bcastcli.core.rule import Alternative, Note, Options, Reason, Rule, Value, whole
from bcastcli.core.shapes import UNKNOWN, Shape, Size, must_be_equal, stretch
from bcastcli.core.unknowns import contradiction, notes_on_expressions
from bcastcli.core.wording import joined_with_and
from bcastcli.operators import einsum
from bcastcli.operators.equations import clashes
from bcastcli.operators.facts import Clash, Facts
from bcastcli.operators.operator import Operator, OperatorQuestion, Unaligned
from bcastcli.operators.table import MAX_OPSET, OWN, OperatorError, Version, signatures

NOTHING_AGAINST = "no fault found in these shapes; their result is not computed"
_EXAMPLES = {"axis": "axis=1", "shape": "shape=2,-1", "equation": "equation=ij,jk"}


class Own(Rule):
    """In place of a rule: the operator has constraints of its own."""

    name = OWN


class Outcome(NamedTuple):
    """What is known of a result."""

    shape: Sequence[Size] | None = None
    required: Sequence[tuple[Condition, str]] = ()
    """Conditions on unknown sizes, each with its subject and its reason."""
    clash: Clash | None = None
    notes: Sequence[Note] = ()


class ComputedAnswer(Unaligned):
    """The answer of an operator with constraints of its own."""

    def __init__(self, question: "ComputedQuestion", found: Outcome) -> None:
        super().__init__(question)
        condition = tuple(clause for each, _ in found.required for clause in each)
        sizes = [size for shape in self.shapes for size in shape if isinstance(size, str)]
        self.unknown_sizes = tuple(dict.fromkeys([*sizes, *names_in(condition)]))
        self._solution = solve(NEVER if found.clash else condition, self.unknown_sizes)
        is_open = bool(self._solution.condition) or found.shape is None
        self.ok = (None if is_open else True) if self._solution.satisfiable else False
        if found.clash:
            kind = "fit" if found.clash.axis is None else "sizes"
            self.reason = Reason(kind, found.clash.text)
        elif self.ok is False:
            self.reason = contradiction(found.required, self.unknown_sizes)
        elif found.shape is None:
            self.reason = Reason("undecided", NOTHING_AGAINST)
        else:
            shown = [UNKNOWN if is_placeholder(size) else size for size in found.shape]
            self.result = self.result_by_rule = tuple(shown)
        notes = () if self.ok is False else found.notes
        typed = [size for size in names_in(self.condition) if size in sizes]
        self.notes = (*notes, *notes_on_expressions(typed))


class ComputedQuestion(OperatorQuestion):
    """An operator that does not broadcast, applied to inputs."""

    operator: "Computed"

    def answer(self) -> Answer:
        return ComputedAnswer(self, self.operator.outcome(self))

    def suggestions(self, answer: Answer) -> tuple[Suggestion, ...]:
        """None: there is no other way to ask for what the operator does."""
        return ()


class Computed(Operator):
    """An operator with constraints of its own, and whatever is known of its result."""

    is_elementwise = False
    own_rule: ClassVar[Rule | None] = Own()
    required: ClassVar[str] = ""
    """The attribute without which the result is unknown."""

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        own = signatures()[version.op]
        self.options = dict.fromkeys(own.attributes, 0)  # type: ignore[misc]  # of each its own
        self.default_names = () if own.is_variadic else own.inputs
        self.min_operands = len(own.inputs) - len(own.optional)
        self.max_operands = None if own.is_variadic else len(own.inputs)

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        return ComputedQuestion(self, inputs, options)

    def lacks(self, options: Options) -> str:
        if not self.required or self.required in options:
            return ""
        return f"{self.name} needs {self.required}=, such as {_EXAMPLES[self.required]}"

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        yield from ()

    def clash(self, question: OperatorQuestion) -> Clash | None:
        """Return the first reason that the inputs are impossible; None if they are possible."""
        names: Sequence[str] = question.operand_names
        shapes: Sequence[Shape | None] = [shape for _, shape in question.inputs]
        usual = automatic_names([shape for _, shape in question.inputs], self.default_names)
        if self.default_names and {*names} <= {*self.default_names}:
            by_name = dict(question.inputs)
            names = [name if name in by_name else "" for name in self.default_names]
            shapes = [by_name.get(name) for name in self.default_names]
        elif [*names] == usual:
            names = ()
        opset = self.opset or MAX_OPSET
        return next(clashes(Facts(self.name, opset, names, shapes, (), question.options, 0)), None)

    def outcome(self, question: OperatorQuestion) -> Outcome:
        """Return the result as far as it is known."""
        return Outcome(clash=self.clash(question))


class Concat(Computed):
    """Concat: the sizes on one axis are added, and all others are equal."""

    required = "axis"

    def outcome(self, question: OperatorQuestion) -> Outcome:
        clash = self.clash(question)
        if clash or len({*question.ranks}) > 1:  # ONNX Runtime skips empty inputs
            return Outcome(clash=clash)
        shapes, axis = question.shapes, whole(question.options["axis"]) % question.ranks[0]
        filled = [shape for shape in shapes if 0 not in shape] or shapes[:1]
        result, required = list(filled[0]), []
        for other, column in enumerate(zip(*filled, strict=True)):
            if other != axis:
                size, condition = must_be_equal(column)
                result[other] = size or 0
                required.append((condition, f"axis {other}"))
        parts = [shape[axis] for shape in shapes]
        numbers = [size for size in parts if isinstance(size, int)]
        open_sum = parts[0] if len(parts) == 1 else UNKNOWN
        result[axis] = sum(numbers) if len(numbers) == len(parts) else open_sum
        empty = [name for name, shape in question.inputs if 0 in shape]
        kept = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
        if empty and len(kept) > 1:
            text = "ONNX Runtime takes this only in a model that declares no shapes, for"
            text += f" {joined_with_and(empty)} {'is' if len(empty) == 1 else 'are'} empty"
            return Outcome(result, required, notes=[Note("engine", text)])
        return Outcome(result, required)


class Reshape(Computed):
    """Reshape: as many elements in another shape."""

    required = "shape"

    def outcome(self, question: OperatorQuestion) -> Outcome:
        [given], target = question.shapes, _numbers(question.options["shape"])
        clash, copies = self.clash(question), not question.options.get("allowzero")
        copied = [axis for axis, size in enumerate(target) if size == 0 and copies]
        if max(copied, default=-1) >= len(given) or min(target, default=0) < -1:
            return Outcome(clash=clash)
        result: list[Size] = [given[n] if n in copied else size for n, size in enumerate(target)]
        # An unknown size that is copied is on both sides, and cancels out.
        equal = [size for axis in copied if isinstance(size := given[axis], str)]
        left = [*(Counter(given) - Counter(equal)).elements()]
        count = prod(size for size in left if isinstance(size, int))
        names = [size for size in left if isinstance(size, str)]
        wanted = prod(size for size in result if isinstance(size, int) and size != -1)
        if -1 not in target:  # both are empty if a copied size is 0
            return Outcome(None if clash or names else result, clash=None if equal else clash)
        if clash or not wanted or count % wanted:
            return Outcome(clash=clash)
        same = names[0] if len(names) == 1 and count == wanted else UNKNOWN
        result[result.index(-1)] = same if names else count // wanted
        text = f"ONNX Runtime refuses this where {' or '.join(dict.fromkeys(equal))} is 0"
        return Outcome(result, notes=[Note("engine", text)] if equal else [])


class Transpose(Computed):
    """Transpose: the axes in another order, by default the reverse one."""

    def outcome(self, question: OperatorQuestion) -> Outcome:
        if clash := self.clash(question):
            return Outcome(clash=clash)
        [shape] = question.shapes
        order = question.options.get("perm")
        return Outcome(shape[::-1] if order is None else [shape[n] for n in _numbers(order)])


class Einsum(Computed):
    """Einsum: axes are matched by their letters, and a size of 1 stretches."""

    own_rule = None
    required = "equation"

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        try:
            einsum.parse(str(options.get("equation", "")))
        except ValueError as error:
            raise OperatorError(f"this is not an equation: {error}", "equation") from error
        return super().question(inputs, options)

    def outcome(self, question: OperatorQuestion) -> Outcome:
        if clash := self.clash(question):
            return Outcome(clash=clash)
        asked = einsum.parse(str(question.options["equation"]))
        columns: dict[einsum.Label, list[Size]] = {}
        required: list[tuple[Condition, str]] = []
        rank = 0
        for term, shape in zip(asked.terms, question.shapes, strict=True):
            rank = max(rank, einsum.dotted(term, shape))
            own: dict[einsum.Label, Size] = {}
            for label, size in einsum.labelled(term, shape) or ():
                if label in own:
                    required.append((any_equal((own[label], size)), f"axis {label}"))
                else:
                    own[label] = size
                    columns.setdefault(label, []).append(size)
        verdicts = {label: stretch(tuple(column)) for label, column in columns.items()}
        required += [(each.condition, f"axis {label}") for label, each in verdicts.items()]
        labels = asked.labels(rank)
        result = [verdicts[label].result or 0 for label in labels]
        return Outcome(result, required, notes=list(_refusals(asked)))


def _refusals(asked: einsum.Equation) -> Iterator[Note]:
    """Yield the parts of an equation that ONNX allows and ONNX Runtime refuses."""
    capitals = [each for each in asked.output if each.isupper()]
    if asked.is_implicit and capitals:
        text = f"without ->, the output has no capital letters such as {capitals[0]}"
        yield Note("engine", f"ONNX Runtime refuses this: {text}")


def _numbers(value: Value) -> tuple[int, ...]:
    """Return the value of an attribute that takes several whole numbers."""
    return cast("tuple[int, ...]", value)


OPERATORS: Mapping[str, type[Computed]] = {
    "Concat": Concat,
    "Einsum": Einsum,
    "Reshape": Reshape,
    "Transpose": Transpose,
}
"""The operators that have a computed result."""
