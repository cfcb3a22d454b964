"""Answers that nobody can give yet, and a MatMul that is none of ONNX's."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from bcastcli.core.alignment import Layout, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Note, Options, Rule
from bcastcli.core.shapes import UNKNOWN_RANK, Shape
from bcastcli.operators.operators import (
    MatrixProduct,
    OperatorQuestion,
)
from bcastcli.rules import RULES


class Undecided(Answer):
    """No answer yet: something is missing that no condition on sizes can say."""

    def __init__(
        self, rule: str, inputs: Sequence[Operand], missing: str, about: Mapping[str, object]
    ) -> None:
        super().__init__(_UndecidedQuestion(rule, inputs, about))
        self.ok = None
        self._missing = missing

    @property
    def when(self) -> str:
        return self._missing

    @property
    def result(self) -> None:
        return None

    @property
    def axes(self) -> None:
        return None

    @property
    def notes(self) -> tuple[Note, ...]:
        return ()


class _UndecidedQuestion(Question):
    """A question that is only shown: no rule is asked."""

    def __init__(self, rule: str, inputs: Sequence[Operand], about: Mapping[str, object]) -> None:
        super().__init__(_Unaligned(rule), inputs)
        self._about = about

    @property
    def name(self) -> str:
        return str(self._about.get("op", self.rule.name))

    @property
    def unknown_sizes(self) -> tuple[str, ...]:
        return ()  # they decide nothing

    def details(self) -> Mapping[str, object]:
        inputs = [
            {"name": name, "shape": None if shape == UNKNOWN_RANK else shape}
            for name, shape in self.operands
        ]
        return {**self._about, "inputs": inputs} if self._about else {}


class _Unaligned(Rule):
    """A rule of which only the name is known here: it aligns nothing."""

    def __init__(self, name: str) -> None:
        self.name = name  # type: ignore[misc]  # other rules are classes each

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        return Layout(0, ())


class TransposableMatMul(MatrixProduct):
    """MatMul as OpenVINO has it: either input may be transposed first."""

    options: ClassVar = {"trans_a": False, "trans_b": False}

    def question(self, inputs: Sequence[Operand], options: Options) -> OperatorQuestion:
        options = {**self.options, **options}
        turned = [
            Operand(f"{each.name}.T", (*each.shape[:-2], each.shape[-1], each.shape[-2]))
            if flip and len(each.shape) > 1
            else each
            for each, flip in zip(inputs, (options["trans_a"], options["trans_b"]), strict=True)
        ]
        return super().question(turned, options).of(self, inputs)

    def alternatives(self, question: OperatorQuestion) -> Iterator[Alternative]:
        yield from ()


def broadcast(shapes: Sequence[Shape]) -> Shape | None:
    """Return the result of shapes by NumPy's rule; None where they do not broadcast."""
    return (
        Question(RULES["numpy"], [Operand(f"in{i}", shape) for i, shape in enumerate(shapes)])
        .answer()
        .result
    )
