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
    """Its number among the nodes of all graphs, as in `Model.needs`."""
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
    needs: Sequence[Sequence[int]] = ()
    """For each node of the file, in the order of execution, the nodes whose outputs it takes."""
    stops: Sequence[Stop] = ()
    """The nodes with impossible shapes, except those that `nodes` decides."""
    checked: Sequence[int] = ()
    """The numbers of the other nodes whose inputs were compared."""
    open: Sequence[tuple[int, str]] = ()
    """The other nodes with open sizes that matter: number, and node with its operator."""
    unchecked: Sequence[tuple[int, str]] = ()
    """The nodes whose inputs nothing compares: number and operator."""
    open_ends: Sequence[tuple[int, str]] = ()
    """The nodes with open results though their inputs' sizes are known: number and label."""
    may_not_run: Sequence[int] = ()
    """The numbers of nodes in branches and loops that run only with some data of an input.

    A number is there once for each branch and loop around it.
    """
    choices: Sequence[tuple[int, Sequence[tuple[int, int]]]] = ()
    """The If nodes with a condition from data, each with the node numbers of its branches."""
    problem: str = ""
    """Why inference failed with these sizes; empty for most."""


Given = Mapping[str, Shape]
"""The user's values for inputs and sizes, by name; a size may have several."""


def shown(shape: Shape | None) -> str:
    """A shape as text, `...` for an unknown one."""
    return written(UNKNOWN_RANK if shape is None else shape)
