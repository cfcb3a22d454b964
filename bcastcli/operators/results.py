"""Operators that do not broadcast: Concat, Reshape, Transpose and Einsum have a result here.

For the others `equations` refuses what does not fit, and `inference` has the result.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import ClassVar, NamedTuple, cast

from bcastcli.core.alignment import Layout, Operand, automatic_names, is_placeholder
from bcastcli.core.answer import Answer, contradiction, notes_on_expressions
from bcastcli.core.conditions import NEVER, Condition, any_equal, names_in, solve
from bcastcli.core.question import Suggestion
from bcastcli.core.rule import Alternative, Note, Options, Reason, Rule, Value, whole
from bcastcli.core.shapes import UNKNOWN, Shape, Size, must_be_equal, stretch, written
from bcastcli.core.wording import axes, joined_with_and
from bcastcli.operators import einsum, runtime
from bcastcli.operators.equations import clashes
from bcastcli.operators.facts import Clash, Facts
from bcastcli.operators.inference import Inferred, infer
from bcastcli.operators.operator import Operator, OperatorQuestion, Unaligned
from bcastcli.operators.table import MAX_OPSET, OWN, OperatorError, Version, signatures

_EXAMPLES = {"axis": "axis=1", "shape": "shape=2,-1", "equation": "equation=ij,jk"}


def needed(sizes: Sequence[str]) -> str:
    """Which sizes have to be known for an answer, in place of a condition."""
    return f"{joined_with_and(sizes)} {'is' if len(sizes) == 1 else 'are'} known"


class Own(Rule):
    """In place of a rule: the operator has constraints of its own."""

    name = OWN

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        """No layout: nothing is aligned."""
        return Layout(0, ())


class Outcome(NamedTuple):
    """What is known of a result."""

    shape: Sequence[Size] | None = None
    required: Sequence[tuple[Condition, str]] = ()
    """Conditions on unknown sizes, each with its subject and its reason."""
    clash: Clash | None = None
    notes: Sequence[Note] = ()
    open_sizes: Sequence[str] = ()
    """The unknown sizes that may not fit, where no condition says which do."""


class ComputedAnswer(Unaligned):
    """The answer of an operator with constraints of its own."""

    def __init__(self, question: "ComputedQuestion", found: Outcome) -> None:
        super().__init__(question)
        self._open_sizes = found.open_sizes
        condition = tuple(clause for each, _ in found.required for clause in each)
        sizes = [size for shape in self.shapes for size in shape if isinstance(size, str)]
        self.unknown_sizes = tuple(dict.fromkeys([*sizes, *names_in(condition)]))
        self._solution = solve(NEVER if found.clash else condition, self.unknown_sizes)
        is_open = bool(self._solution.condition) or found.shape is None or bool(found.open_sizes)
        self.ok = (None if is_open else True) if self._solution.satisfiable else False
        if found.clash:
            kind = "fit" if found.clash.axis is None else "sizes"
            self.reason = Reason(kind, found.clash.text)
        elif self.ok is False:
            self.reason = contradiction(found.required, self.unknown_sizes)
        elif found.shape is not None:
            shown = [UNKNOWN if is_placeholder(size) else size for size in found.shape]
            self.result = self.result_by_rule = tuple(shown)
        notes = () if self.ok is False and not found.clash else found.notes
        typed = [size for size in names_in(self.condition) if size in sizes]
        self.notes = (*notes, *notes_on_expressions(typed))

    @property
    def when(self) -> str | None:
        """The condition, or else which sizes have to be known."""
        if self.ok is not None or self.condition:
            return super().when
        return needed(self._open_sizes or self.unknown_sizes)


class ComputedQuestion(OperatorQuestion):
    """An operator that does not broadcast, applied to inputs."""

    operator: "Computed"

    def answer(self) -> Answer:
        found = self.operator.outcome(self)
        return ComputedAnswer(self, found)

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
        return self.clash_of(question, [shape for _, shape in question.inputs])

    def clash_of(self, question: OperatorQuestion, given: Sequence[Shape]) -> Clash | None:
        """The same for other sizes of the inputs."""
        names: Sequence[str] = question.operand_names
        shapes: Sequence[Shape | None] = given
        usual = automatic_names(given, self.default_names)
        if self.default_names and {*names} <= {*self.default_names}:
            by_name = dict(zip(names, given, strict=True))
            names = [name if name in by_name else "" for name in self.default_names]
            shapes = [by_name.get(name) for name in self.default_names]
        elif [*names] == usual:
            names = ()
        opset = self.opset or MAX_OPSET
        return next(clashes(Facts(self.name, opset, names, shapes, (), question.options, 0)), None)

    def outcome(self, question: OperatorQuestion) -> Outcome:
        """The result as far as it is known; by default onnx's, if nothing is against the inputs."""
        clash = self.clash(question)
        return Outcome(clash=clash) if clash else self.inferred(question)

    def inferred(self, question: OperatorQuestion) -> Outcome:
        """What onnx's inference says of inputs against which we know nothing."""
        shapes = [shape for _, shape in question.inputs]
        found = self._infer(question, shapes)
        if found.refusal:
            notes = list(runtime.notes_on_refusal(self.name, shapes[0])) if shapes else []
            return Outcome(clash=Clash(f"onnx refuses this: {found.refusal}"), notes=notes)
        result = found.outputs[0]
        if result is None:
            text = f"how many axes the result of {self.name} has depends on values"
            give = joined_with_and([f"{name.lower()}=" for name in found.unknown] or ["others"])
            raise OperatorError(f"{text}: give {give}")
        notes = list(self._notes(found, question))
        return Outcome(result, notes=notes, open_sizes=self._decisive(question))

    def _infer(self, question: OperatorQuestion, shapes: Sequence[Shape]) -> Inferred:
        """What onnx says of the question with these sizes of its inputs."""
        names = question.operand_names
        if not {*names} <= {*self.default_names}:
            names = self.default_names[: len(shapes)]
        by_name = dict(zip(names, shapes, strict=True))
        return infer(self.name, self.opset, by_name, question.options)

    def _decisive(self, question: OperatorQuestion) -> Sequence[str]:
        """The unknown sizes that may not fit, by trial; all of them where no trial fits."""
        unknown = question.unknown_sizes
        trials = _trials(question)
        if all(self._takes(question, trial) for trial in trials):
            return ()
        fitting = next((trial for trial in trials if self._takes(question, trial)), None)
        if fitting is None:
            return unknown
        return [
            name
            for name in unknown
            if not all(self._takes(question, {**fitting, name: trial[name]}) for trial in trials)
        ] or unknown

    def _takes(self, question: OperatorQuestion, sizes: Mapping[Size, Size]) -> bool:
        """Whether nothing is against the inputs with these numbers for the unknown sizes."""
        shapes = _with_numbers(question, sizes)
        return not (self.clash_of(question, shapes) or self._infer(question, shapes).refusal)

    def _notes(self, found: Inferred, question: OperatorQuestion) -> Iterator[Note]:
        first = self._infer(question, _with_numbers(question, _trials(question)[0]))
        if any(UNKNOWN in shape for shape in first.outputs[:1] if shape is not None):
            yield Note("rule", f"the size ? depends on the values that {self.name} gets")
        result = found.outputs[0]
        if question.inputs and result is not None:
            given = question.inputs[0].shape
            yield from runtime.notes_on_result(self.name, given, result, question.options)
        if len(found.outputs) > 1:
            shown = ["..." if shape is None else written(shape) for shape in found.outputs]
            yield Note("rule", f"the {len(shown)} outputs are {joined_with_and(shown)}")


_TRIED = (2, 3, 5, 7, 11, 1, 4, 6)


def _trials(question: OperatorQuestion) -> list[Mapping[Size, Size]]:
    """Numbers for the unknown sizes, different from each other in each trial."""
    typed = {size for shape in question.shapes for size in shape if isinstance(size, int)}
    numbers = [*_TRIED, *sorted(typed - {*_TRIED, 0})]
    trials: list[Mapping[Size, Size]] = []
    for first in range(len(numbers)):
        turned = numbers[first:] + numbers[:first]
        named = enumerate(question.unknown_sizes)
        trials.append({name: turned[place % len(turned)] for place, name in named})
    return trials


def _with_numbers(question: OperatorQuestion, sizes: Mapping[Size, Size]) -> list[Shape]:
    return [tuple([sizes.get(size, size) for size in shape]) for shape in question.shapes]


class Concat(Computed):
    """Concat: the sizes on one axis are added, and all others are equal."""

    required = "axis"

    def outcome(self, question: OperatorQuestion) -> Outcome:
        clash = self.clash(question)
        if clash:
            return Outcome(clash=clash)
        shapes = question.shapes
        filled = [shape for shape in shapes if 0 not in shape] or shapes[:1]
        rank = len(filled[0])  # ONNX Runtime takes empty inputs with more axes
        axis = whole(question.options["axis"])
        if not -rank <= axis < rank:
            return Outcome(clash=Clash(f"axis {axis} is out of range for shapes with {axes(rank)}"))
        axis %= rank
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
        kept = {(*shape[:axis], *shape[axis + 1 :]) for shape in question.shapes}
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
        if not clash and not copies and 0 in target and -1 in target:
            text = f"the target {written(target)} has 0 and -1, and allowzero=1 takes one"
            # It leaves the sizes of 0 out, and divides the others.
            rest = prod(size for size in given if isinstance(size, int) and size)
            is_run = 0 in given and rest % prod(size for size in target if size > 0) == 0
            accepts = [Note("engine", "ONNX Runtime accepts this")] if is_run else []
            return Outcome(clash=Clash(text), notes=accepts)
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
