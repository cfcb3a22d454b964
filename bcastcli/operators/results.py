"""Operators that do not broadcast: Concat, Reshape, Transpose and Einsum have a result here.

For the others `equations` refuses what does not fit, and `inference` has the result.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.alignment import Layout, Operand, automatic_names, is_placeholder
from bcastcli.core.answer import Answer, contradiction, notes_on_expressions
from bcastcli.core.conditions import NEVER, Condition, names_in, solve
from bcastcli.core.question import Suggestion
from bcastcli.core.rule import Note, Options, Reason, Rule
from bcastcli.core.shapes import UNKNOWN, Shape, Size, written
from bcastcli.core.wording import joined_with_and
from bcastcli.operators import einsum
from bcastcli.operators.computed import COMPUTED
from bcastcli.operators.equations import clashes, with_names
from bcastcli.operators.facts import Clash, Dims, Facts, Refused, Unknown
from bcastcli.operators.inference import infer
from bcastcli.operators.operator import Operator, OperatorQuestion, Unaligned
from bcastcli.operators.table import MAX_OPSET, OWN, OperatorError, Version, signatures
from bcastcli.rules import RULES

_NEEDED = {"Concat": "axis=1", "Reshape": "shape=2,-1", "Einsum": "equation=ij,jk"}
"""The attribute without which nothing is known of a result, and a value."""


class Own(Rule):
    """In place of a rule: the operator has constraints of its own."""

    name = OWN

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        """No layout: nothing is aligned."""
        return Layout(0, ())


class Outcome(NamedTuple):
    """What is known of a result."""

    outputs: Sequence[Dims | None] = (None,)
    """The shapes of the outputs; None where even the number of axes is open."""
    required: Sequence[tuple[Condition, str]] = ()
    """Conditions on unknown sizes, each with its subject."""
    clash: Clash | None = None
    """Why the inputs are impossible."""
    open_sizes: Sequence[str] = ()
    """The unknown sizes that may not fit, where no condition says which do."""


class ComputedAnswer(Unaligned):
    """The answer of an operator with constraints of its own."""

    def __init__(self, question: "ComputedQuestion", found: Outcome) -> None:
        super().__init__(question)
        self._open_sizes = found.open_sizes
        condition = tuple(clause for each, _ in found.required for clause in each)
        self.unknown_sizes = question.unknown_sizes
        self._solution = solve(NEVER if found.clash else condition, self.unknown_sizes)
        self.ok = self._solution.satisfiable
        if self.ok and (self._solution.condition or found.open_sizes):
            self.ok = None
        result, *others = found.outputs
        if found.clash:
            kind = "fit" if found.clash.axis is None else "sizes"
            self.reason = Reason(kind, found.clash.text)
        elif self.ok is False:
            self.reason = contradiction(found.required, self.unknown_sizes)
        elif result is not None:
            shown = tuple([UNKNOWN if is_placeholder(size) else size for size in result])
            self.result = self.result_by_rule = shown
            self.notes = tuple(_notes(question, shown, others))
        self.notes += notes_on_expressions(names_in(self.condition))

    @property
    def when(self) -> str | None:
        """The condition, or else which sizes have to be known."""
        if self.ok is not None or self.condition:
            return super().when
        are = "is" if len(self._open_sizes) == 1 else "are"
        return f"{joined_with_and(self._open_sizes)} {are} known"


def _notes(
    question: "ComputedQuestion", result: Shape, others: Sequence[Dims | None]
) -> Iterator[Note]:
    name, options = question.name, question.options
    if UNKNOWN in result and not question.unknown_sizes:
        yield Note("rule", f"the size ? depends on the values that {name} gets")
    if options.get("ceil_mode"):
        yield from _windows_in_padding(question.inputs[0].shape, result, options)
    if name == "Einsum":
        yield from einsum.notes(str(options["equation"]))
    if others:
        shown = ["..." if shape is None else written(tuple(shape)) for shape in (result, *others)]
        yield Note("rule", f"the {len(shown)} outputs are {joined_with_and(shown)}")


def _windows_in_padding(given: Shape, result: Shape, options: Options) -> Iterator[Note]:
    """Notes where ONNX Runtime parts from onnx's shape inference of a pool."""
    pads, strides = options.get("pads"), options.get("strides")
    for axis in range(2, len(given)):
        size, made = given[axis], result[axis]
        before = pads[axis - 2] if isinstance(pads, tuple) else 0
        stride = strides[axis - 2] if isinstance(strides, tuple) else 1
        if not isinstance(size, int) or not isinstance(made, int):
            continue
        if (made - 1) * stride >= size + before:
            text = f"ONNX Runtime gives {made - 1} on axis {axis}"
            yield Note("engine", f"{text}: it leaves out a window that starts in the padding")


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

    def __init__(self, version: Version, opset: int | None) -> None:
        super().__init__(version, opset)
        own = signatures()[version.op]
        self.options = dict.fromkeys(own.attributes, 0)  # type: ignore[misc]  # of each its own
        self.default_names = () if own.is_variadic else own.inputs
        self.min_operands = len(own.inputs) - len(own.optional)
        self.max_operands = None if own.is_variadic else len(own.inputs)
        self.rule = RULES.get(version.rule, Own())

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        example = _NEEDED.get(self.name, "")
        needed = example.partition("=")[0]
        if needed and needed not in options:
            raise OperatorError(f"{self.name} needs {needed}=, such as {example}", len(inputs))
        if needed == "equation":
            einsum.parse(str(options["equation"]))
        return ComputedQuestion(self, inputs, options)

    def outcome(self, question: OperatorQuestion) -> Outcome:
        """The result as far as it is known: our own, or onnx's."""
        facts = self._facts(question, question.shapes)
        if self.name not in COMPUTED:
            clash = next(clashes(facts), None)
            return Outcome(clash=clash) if clash else self._inferred(question)
        try:
            made = COMPUTED[self.name](facts)
        except Refused as error:
            return Outcome(clash=error.clash)
        except Unknown:
            return Outcome(open_sizes=question.unknown_sizes)
        return Outcome([made.sizes], made.required)

    def _facts(self, question: OperatorQuestion, given: Sequence[Shape]) -> Facts:
        """What constraints need to know of the question, with these sizes of its inputs."""
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
        return with_names(Facts(self.name, shapes, question.options, names, opset))

    def _inferred(self, question: OperatorQuestion) -> Outcome:
        """What onnx's inference says of inputs against which we know nothing."""
        found = self._infer(question, {})
        unknown = question.unknown_sizes
        if found.clash or not unknown:
            return found
        trials = _trials(question)
        tried = [_Tried(sizes, self._infer(question, sizes)) for sizes in trials]
        fitting = [each for each in tried if each.found.clash is None]
        if not fitting:
            return Outcome(open_sizes=unknown)
        open_sizes = []
        if len(fitting) < len(trials):
            base, fitting = fitting[0].sizes, []
            for name in unknown:
                varied = [{**base, name: sizes[name]} for sizes in trials]
                tried = [_Tried(sizes, self._infer(question, sizes)) for sizes in varied]
                fits = [each for each in tried if each.found.clash is None]
                fitting += fits
                if len(fits) < len(tried):
                    open_sizes.append(name)
            open_sizes = open_sizes or [*unknown]
        outputs = [_common(place, fitting) for place in range(len(found.outputs))]
        return Outcome(outputs, open_sizes=open_sizes)

    def _infer(self, question: OperatorQuestion, sizes: Mapping[Size, Size]) -> Outcome:
        """The same with numbers for unknown sizes."""
        shapes = [tuple([sizes.get(size, size) for size in shape]) for shape in question.shapes]
        facts = self._facts(question, shapes)
        clash = next(clashes(facts), None)
        if clash:
            return Outcome(clash=clash)
        by_name = zip(self.default_names, facts.shapes, strict=False)
        inputs = {name: shape for name, shape in by_name if shape is not None}
        try:
            return Outcome(infer(self.name, self.opset, inputs, question.options))
        except Refused as error:
            return Outcome(clash=error.clash)


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


class _Tried(NamedTuple):
    """Numbers for the unknown sizes, and what is known of the result with them."""

    sizes: Mapping[Size, Size]
    found: Outcome


def _common(place: int, tried: Sequence[_Tried]) -> Dims | None:
    """The shape of an output for all numbers: its sizes are numbers, names, or open."""
    shapes = [each.found.outputs[place] for each in tried]
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes) or len({len(shape) for shape in known}) > 1:
        return None
    return [_name(column, tried) for column in zip(*known, strict=True)]


def _name(column: Sequence[Size], tried: Sequence[_Tried]) -> Size:
    """The number that a size always has, or the name of the size that it always equals."""
    if len({*column}) == 1:
        return column[0]
    for name in tried[0].sizes:
        if all(size == each.sizes[name] for size, each in zip(column, tried, strict=True)):
            return name
    return UNKNOWN
