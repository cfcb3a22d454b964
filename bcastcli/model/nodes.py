"""The nodes of a model as plain data: those that broadcast, and those that stop it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.rule import Value
from bcastcli.core.shapes import UNKNOWN_RANK, Shape, written


class ModelError(Exception):
    """A file that cannot be read as a model, in one sentence."""


class UnknownName(ModelError):  # noqa: N818  # the name is what counts
    """A name that neither an input nor a size of the model has."""

    def __init__(self, name: str, inputs: Mapping[str, Shape | None], sizes: Sequence[str]) -> None:
        """Take the shapes of the inputs by their names, and the sizes that are open."""
        super().__init__(name)
        self.name = name
        self.inputs = inputs
        self.sizes = tuple(sizes)


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
    name: str = ""
    position: int = 0
    """Its index in its graph, counted from 0."""
    number: int = -1
    """Its place in the order of execution, as those before and after it have theirs."""
    graph: str = ""
    """The path of the subgraph that holds it: `If_0/then_branch`; empty for the model's own."""
    opset: int | None = None
    options: Mapping[str, Value] = {}  # a tuple's default is never changed
    names: tuple[str, ...] = ()
    """The names of the inputs in the file."""
    constant: tuple[str, ...] = ()
    """For each input the kind of constant it is, such as `initializer`; empty for others."""
    problem: str = ""
    """Why the node is invalid; empty for most."""
    remarks: tuple[str, ...] = ()
    """Remarks that apply whatever the answer is."""
    behind: str = ""
    """The node that stops, or leaves sizes open, whose result it needs; empty for most."""
    may_not_run: bool = False
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
    axis: int | None = None
    """The axis at fault, where there is one."""
    operands: tuple[int, ...] = ()
    """The places of the inputs at fault, where they are known."""
    fixed: str = ""
    """The constant behind an input that is at fault: `the 7 in the target shape is a constant`."""


class Model(NamedTuple):
    """A model file as far as shapes are concerned."""

    nodes: Sequence[Node] = ()
    """The nodes that broadcast."""
    opset: int | None = None
    sizes: tuple[str, ...] = ()
    """The names of the sizes that the inputs leave open."""
    open_inputs: Mapping[str, Shape | None] = {}  # a tuple's default is never changed
    """The inputs with unnamed open sizes."""
    chosen: Mapping[str, int] = {}  # a tuple's default is never changed
    """The values given to its sizes."""
    remarks: tuple[str, ...] = ()
    """Remarks on the whole file."""
    refused: Sequence[str] = ()
    """The inputs that ONNX Runtime refuses: the given shape is not the declared one."""
    stops: Sequence[Stop] = ()
    """The nodes at which it stops, in order and independent of each other."""
    possible_stops: Sequence[Stop] = ()
    """Those in branches and loops that only some input data runs."""
    checked: int = 0
    """How many nodes that do not broadcast were checked."""
    open: Sequence[str] = ()
    """The other nodes with open sizes that matter, each with its operator."""
    unchecked: Sequence[str] = ()
    """The operators of the nodes whose inputs nothing compares."""
    not_reached: int = 0
    """How many nodes are behind a stop."""
    problem: str = ""
    """Why inference failed with these sizes; empty for most."""


Given = Mapping[str, Shape]
"""The user's values for inputs and sizes, by name; a size may have several."""


def shown(shape: Shape | None) -> str:
    """A shape as text, `...` for an unknown one."""
    return written(UNKNOWN_RANK if shape is None else shape)
