"""Operators that do not broadcast: Concat, Reshape, Transpose and Einsum have a result here.

For the others `equations` refuses what does not fit, and `inference` has the result.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from bcastcli.core.alignment import Layout, Operand, is_placeholder
from bcastcli.core.answer import Answer, contradiction, notes_on_expressions
from bcastcli.core.conditions import NEVER, names_in, solve
from bcastcli.core.question import Suggestion
from bcastcli.core.rule import Note, Options, Reason, Rule
from bcastcli.core.shapes import UNKNOWN, Shape, Size, written
from bcastcli.core.wording import joined_with_and
from bcastcli.operators import einsum
from bcastcli.operators.computed import COMPUTED
from bcastcli.operators.equations import clashes, runtime_notes, with_names
from bcastcli.operators.facts import Clash, Dims, Facts, Made, Refused, Unknown
from bcastcli.operators.inference import infer
from bcastcli.operators.operator import Operator, OperatorQuestion, Unaligned
from bcastcli.operators.table import AT_THE_END, MAX_OPSET, OWN, OperatorError, Version, signatures
from bcastcli.rules import RULES

_NEEDED = {"Concat": "axis=1", "Reshape": "shape=2,-1", "Einsum": "equation=ij,jk"}
"""The attribute without which nothing is known of a result, and a value."""


class Own(Rule):
    """In place of a rule: the operator has constraints of its own."""

    name = OWN

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        """No layout: nothing is aligned.

        >>> Own().align((2, 1), {}).alignments
        ()
        """
        return Layout(0, ())


class ComputedAnswer(Unaligned):
    """The answer of an operator with constraints of its own."""

    def __init__(
        self, question: "ComputedQuestion", found: Made, clash: Clash | None = None
    ) -> None:
        """Take what is known of the result, and why there is none."""
        super().__init__(question)
        condition = tuple(clause for each, _ in found.required for clause in each)
        self.unknown_sizes = question.unknown_sizes
        self._solution = solve(NEVER if clash else condition, self.unknown_sizes)
        self.ok = self._solution.satisfiable
        if self.ok and (self._solution.condition or found.open_sizes):
            self.ok = None
        if self.ok is None and not self.condition:
            are = "is" if len(found.open_sizes) == 1 else "are"
            self.missing = f"{joined_with_and(found.open_sizes)} {are} known"
        result, *others = found.outputs
        if clash:
            self.reason = Reason("fit" if clash.axis is None else "sizes", clash.text)
        elif self.ok is False:
            self.reason = contradiction(found.required, self.unknown_sizes)
        elif result is not None:
            shown = tuple([UNKNOWN if is_placeholder(size) else size for size in result])
            self.result = self.result_by_rule = shown
            self.notes = tuple(_notes(question, shown, others))
        facts = question.operator.facts(question, question.shapes)
        parts = dict.fromkeys(runtime_notes(facts, "no" if self.ok is False else "yes"))
        self.notes += tuple([Note("engine", text) for text in parts])
        self.notes += notes_on_expressions(names_in(self.condition))


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
        try:
            return ComputedAnswer(self, self.operator.made(self))
        except Refused as error:
            return ComputedAnswer(self, Made(), error.clash)
        except Unknown:
            return ComputedAnswer(self, Made(open_sizes=self.unknown_sizes))

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
            raise OperatorError(f"{self.name} needs {needed}=, such as {example}", AT_THE_END)
        return ComputedQuestion(self, inputs, options)

    def made(self, question: OperatorQuestion) -> Made:
        """The result as far as it is known, our own or onnx's; raise Refused or Unknown."""
        if self.name in COMPUTED:
            return COMPUTED[self.name](self.facts(question, question.shapes))
        found = self._inferred(question, {})
        unknown = question.unknown_sizes
        return self._tried(question, len(found)) if unknown else Made(found)

    def facts(self, question: OperatorQuestion, given: Sequence[Shape]) -> Facts:
        """What constraints need to know of the question, with these sizes of its inputs."""
        names: Sequence[str] = question.operand_names
        shapes: Sequence[Shape | None] = given
        if self.default_names and {*names} <= {*self.default_names}:
            by_name = dict(zip(names, given, strict=True))
            names = [name if name in by_name else "" for name in self.default_names]
            shapes = [by_name.get(name) for name in self.default_names]
        opset = self.opset or MAX_OPSET
        return with_names(Facts(self.name, shapes, question.options, names, opset))

    def _inferred(
        self, question: OperatorQuestion, sizes: Mapping[Size, Size]
    ) -> Sequence[Dims | None]:
        """The outputs with numbers for unknown sizes, by onnx; raise Refused if there are none."""
        shapes = [tuple([sizes.get(size, size) for size in shape]) for shape in question.shapes]
        facts = self.facts(question, shapes)
        for clash in clashes(facts):
            raise Refused(clash)
        by_name = zip(self.default_names, facts.shapes, strict=False)
        inputs = {name: shape for name, shape in by_name if shape is not None}
        return infer(self.name, self.opset, inputs, question.options)

    def _tried(self, question: OperatorQuestion, count: int) -> Made:
        """What a number of outputs have in common with many numbers for the unknown sizes."""
        trials, open_sizes = _trials(question), []
        fitting = self._fitting(question, trials)
        if not fitting:
            raise Unknown
        base, fitting = fitting[0].sizes, []
        for name in question.unknown_sizes:
            fits = self._fitting(question, [{**base, name: each[name]} for each in trials])
            fitting += fits
            if len(fits) < len(trials):
                open_sizes.append(name)
        outputs = [_common(place, fitting) for place in range(count)]
        return Made(outputs, open_sizes=open_sizes)

    def _fitting(
        self, question: OperatorQuestion, trials: Sequence[Mapping[Size, Size]]
    ) -> "list[_Tried]":
        """The numbers for which there is a result, each with its outputs."""
        found = []
        for sizes in trials:
            with suppress(Refused):
                found.append(_Tried(sizes, self._inferred(question, sizes)))
        return found


_TRIED = (2, 3, 5, 7, 11, 1, 4, 6)


def _trials(question: OperatorQuestion) -> list[Mapping[Size, Size]]:
    """Numbers for the unknown sizes, different from each other in each trial.

    What has to be equal to a size, or a multiple of it or of a block's, is among them.
    """
    typed = {*question.options.values(), *(size for shape in question.shapes for size in shape)}
    whole = [each for each in typed if isinstance(each, int) and each > 0]
    more = {times * power for each in whole for power in (each, each * each) for times in (1, 2)}
    numbers = [*_TRIED, *sorted(more - {*_TRIED})]
    trials: list[Mapping[Size, Size]] = []
    for first in range(len(numbers)):
        turned = numbers[first:] + numbers[:first]
        named = enumerate(question.unknown_sizes)
        trials.append({name: turned[place % len(turned)] for place, name in named})
    return trials


class _Tried(NamedTuple):
    """Numbers for the unknown sizes, and the outputs with them."""

    sizes: Mapping[Size, Size]
    outputs: Sequence[Dims | None]


def _common(place: int, tried: Sequence[_Tried]) -> Dims | None:
    """The shape of an output for all numbers: its sizes are numbers, names, or open."""
    shapes = [each.outputs[place] for each in tried]
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes) or len({*map(len, known)}) > 1:
        return None
    return [_name(column, tried) for column in zip(*known, strict=True)]


def _name(column: Sequence[Size], tried: Sequence[_Tried]) -> Size:
    """The number that a size always has, or the name of the size that it always equals."""
    values = [[each.sizes[name] for each in tried] for name in tried[0].sizes]
    equal = [name for name, its in zip(tried[0].sizes, values, strict=True) if its == [*column]]
    if len({*column}) > 1:
        return equal[0] if equal else UNKNOWN
    return UNKNOWN if equal else column[0]  # where one number alone fits, it may be either
