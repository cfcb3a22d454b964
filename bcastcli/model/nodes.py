"""The nodes of a model: those that broadcast, with their answers, and those that stop it."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Value
from bcastcli.core.shapes import UNKNOWN, UNKNOWN_RANK, Shape, Size, written
from bcastcli.operators import questions
from bcastcli.operators.facts import Clash


class ModelError(Exception):
    """A file that cannot be read as a model, in one sentence."""


class Node(NamedTuple):
    """A node of a model; where it broadcasts, with its question."""

    operator: str
    question_name: str
    """The ONNX operator or the rule that answers: `Mul`, `onnx-uni`."""
    inputs: tuple[Shape | None, ...]
    """The shapes; None where the rank is unknown."""
    output: str
    label: str
    """Its name, or its output's if it is unnamed."""
    name: str
    position: int
    """Its index in its graph, counted from 0."""
    number: int
    """Its place in the order of execution, as those before and after it have theirs."""
    graph: str
    """The path of the subgraph that holds it: `If_0/then_branch`; empty for the model's own."""
    opset: int
    options: Mapping[str, Value]
    names: tuple[str, ...]
    """The names of the inputs in the file."""
    constant: tuple[bool, ...]
    """For each input whether the file fixes it."""
    behind: str
    """The node that stops, or leaves sizes open, whose result it needs; empty for most."""
    may_not_run: bool
    """Whether it is in a branch or a loop that runs only with some data of an input."""

    @property
    def title(self) -> str:
        """Its label, with the path of its graph in front."""
        return f"{self.graph}/{self.label}" if self.graph else self.label

    @property
    def where(self) -> str:
        """Its title and its operator, as a sentence names it: `/Concat (Concat)`."""
        return f"{self.title} ({self.operator})"


class Stop(NamedTuple):
    """A node of any operator with impossible shapes."""

    node: Node
    message: str
    """Why, in the words of the operator's rule or of `operators.fits`; else of onnx."""
    axis: int | None
    """The axis at fault, where there is one."""
    fixed: tuple[str, ...]
    """Notes on the sizes at fault that the file fixes."""


class Model(NamedTuple):
    """A model file as far as shapes are concerned."""

    opset: int
    inputs: Mapping[str, Sequence[Size] | None]
    """The inputs without a default."""
    chosen: Mapping[str, int]
    """The values given to its sizes."""
    refused: Sequence[str]
    """Why ONNX Runtime refuses inputs: the given shape is not the declared one."""
    nodes: Sequence[Node] = ()
    """The nodes that broadcast."""
    stops: Sequence[Stop] = ()
    """The nodes at which it stops, in order and independent of each other."""
    possible_stops: Sequence[Stop] = ()
    """Those in branches and loops that only some input data runs."""
    checked: Sequence[str] = ()
    """The nodes that do not broadcast and were checked, each with its operator."""
    open: Sequence[str] = ()
    """Those with open sizes that matter."""
    unchecked: Sequence[str] = ()
    """The operators of the nodes whose inputs nothing compares."""
    not_reached: Sequence[str] = ()
    """The stops, for each node behind one."""

    @property
    def sizes(self) -> list[str]:
        """The names of the sizes that the inputs leave open."""
        known = [size for shape in self.inputs.values() for size in shape or ()]
        return [size for size in dict.fromkeys(known) if isinstance(size, str) and size != UNKNOWN]

    @property
    def open_inputs(self) -> Mapping[str, Sequence[Size] | None]:
        """The inputs with unnamed open sizes."""
        items = self.inputs.items()
        return {name: shape for name, shape in items if shape is None or UNKNOWN in shape}


Given = Mapping[str, Shape]
"""The user's values for inputs and sizes, by name; a size may have several."""


def shown(shape: Sequence[Size] | None) -> str:
    """A shape as text, `...` for an unknown one."""
    return written(UNKNOWN_RANK if shape is None else shape)


# Questions


def answer(node: Node) -> Answer:
    """The answer to a node's question, with the file's names if it is refused.

    Raise OperatorError for an invalid node.
    """
    answer = _answer(node.question_name, node.inputs, tuple(node.options.items()), node.opset)
    if answer.reason is None:
        return answer
    question = node.question_name, node.inputs, node.options, node.opset, node.names
    return questions.answer(questions.of_node(*question))


@cache  # the nodes of a model ask few questions, many times
def _answer(
    name: str,
    inputs: tuple[Shape | None, ...],
    options: tuple[tuple[str, Value], ...],
    opset: int,
) -> Answer:
    return questions.answer(questions.of_node(name, inputs, dict(options), opset))


def refusal(answer: Answer) -> Clash | None:
    """Why the rule refuses a node; None if it does not."""
    if answer.reason is None:
        return None
    conflicts = [axis for axis in answer.axes or () if axis.conflict]
    if not conflicts:
        return Clash(answer.reason.text)
    last = conflicts[-1]
    at_fault = tuple(place for place, size in enumerate(last.sizes) if size not in (1, None))
    return Clash(answer.reason.text, last.number, at_fault)
