"""The nodes of a model that broadcast, as plain data."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.rule import Value
from bcastcli.core.shapes import UNKNOWN_RANK, Shape, Size, written


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


class Contradiction(NamedTuple):
    """A shape that the file declares, and the one that the inputs give instead."""

    value: str
    declared: Shape
    found: Shape


class Node(NamedTuple):
    """A node that broadcasts, and its question."""

    operator: str
    """As the file names it: `Multiply`."""
    question_name: str
    """The ONNX operator or the rule that answers: `Mul`, `pdpd`."""
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
    """The names of the inputs in the file; empty if the format lacks them."""
    constant: tuple[str, ...] = ()
    """For each input the kind of constant it is, such as `initializer`; empty for others."""
    problem: str = ""
    """Why the node is invalid; empty for most."""
    remarks: tuple[str, ...] = ()
    """Remarks that apply whatever the answer is."""
    contradictions: tuple[Contradiction, ...] = ()

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
    """Why, in the words of the operator's rule or of `operators.fits`; else of onnx or OpenVINO."""
    axis: int | None = None
    """The axis at fault, where there is one."""
    fixed: str = ""
    """The sizes that the file fixes, and where: `the 256 of its target, a constant of /Concat`."""


class Model(NamedTuple):
    """A model file as far as broadcasting is concerned."""

    format: str
    nodes: Sequence[Node]
    opset: int | None = None
    sizes: tuple[str, ...] = ()
    """The names of the sizes that the inputs leave open."""
    remarks: tuple[str, ...] = ()
    """Remarks on the whole file."""
    needs: Sequence[Sequence[int]] = ()
    """For each node of the file, in the order of execution, the nodes whose outputs it takes."""
    stops: Sequence[Stop] = ()
    """The nodes with impossible shapes, except those that `nodes` decides."""
    open_ends: Sequence[tuple[int, str]] = ()
    """The nodes with open sizes though their inputs' sizes are known: number and label."""
    unchecked: Sequence[str] = ()
    """The operator of each unchecked node."""
    refused: Sequence[str] = ()
    """The inputs that ONNX Runtime refuses: the given shape is not the declared one."""
    may_not_run: Sequence[int] = ()
    """The numbers of nodes in branches and loops that run only with some data of an input.

    A number is there once for each branch and loop around it.
    """
    choices: Sequence[tuple[int, Sequence[tuple[int, int]]]] = ()
    """The If nodes with a condition from data, each with the node numbers of its branches."""
    open_inputs: Mapping[str, Shape] = {}  # a tuple's default is never changed
    """The inputs with unnamed open sizes."""
    chosen: Mapping[str, int] = {}  # a tuple's default is never changed
    """The values given to its sizes."""
    checked: int = 0
    """How many nodes that do not broadcast were checked, without constants."""
    problem: str = ""
    """Why inference failed with these sizes; empty for most."""


Given = Mapping[str, Shape]
"""The user's values for inputs and sizes, by name; a size may have several."""


def contradict(declared: Sequence[Size], found: Sequence[Size]) -> bool:
    """Return whether two shapes of one value cannot both be right.

    >>> contradict((2, "N"), (2, 3)), contradict((2, 3), (2, 4))
    (False, True)
    """
    return len(declared) != len(found) or any(
        isinstance(one, int) and isinstance(other, int) and one != other
        for one, other in zip(declared, found, strict=True)
    )


def shown(shape: Shape | None) -> str:
    """Return a shape as text, `...` for an unknown one."""
    return written(UNKNOWN_RANK if shape is None else shape)
