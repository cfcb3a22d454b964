"""The nodes of a model that broadcast, as plain data."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bcastcli.core.shapes import UNKNOWN_RANK, Shape, Size, written


class ModelError(Exception):
    """A file that cannot be read as a model, in one sentence."""


class UnknownName(ModelError):  # noqa: N818  # what is unknown
    """A name that neither an input nor a size of the model has."""

    def __init__(self, name: str, inputs: Sequence[str], sizes: Sequence[str]) -> None:
        super().__init__(name)
        self.name = name
        self.inputs = tuple(inputs)
        self.sizes = tuple(sizes)


class Contradiction(NamedTuple):
    """A shape that the file declares, and the one that the inputs give instead."""

    value: str
    declared: Shape
    found: Shape
    is_promise: bool = True
    """Whether engines enforce it; they ignore notes on values between nodes."""


class Node(NamedTuple):
    """A node that broadcasts, and its question."""

    operator: str
    """As the file names it: `Multiply`."""
    question_name: str
    """The ONNX operator or the rule that answers: `Mul`, `pdpd`."""
    inputs: tuple[Shape | None, ...]
    """The shapes; None where not even the rank is known."""
    output: str
    label: str
    """Its name, or where it has none, its output's."""
    name: str = ""
    position: int = 0
    """Its index in its graph, counted from 0."""
    number: int = -1
    """Its number among the nodes of all graphs, as in `Model.needs`."""
    graph: str = ""
    """The path of the subgraph that holds it: `If_0/then_branch`; empty for the model's own."""
    opset: int | None = None
    options: Mapping[str, int | tuple[int, ...]] = {}  # a tuple's default is never changed
    names: tuple[str, ...] = ()
    """The names of the inputs in the file; empty where it has none."""
    constant: tuple[str, ...] = ()
    """For each input whose values are in the file what it is, `initializer`; else nothing."""
    problem: str = ""
    """Why the node has no valid question; empty for most."""
    undecidable: str = ""
    """Why the shapes in the file do not decide the answer, if not because a size is missing."""
    remarks: tuple[str, ...] = ()
    """Remarks that apply whatever the answer is."""
    contradictions: tuple[Contradiction, ...] = ()
    result: Shape | None = None
    """The output's shape, where it is not the result of the question."""
    declared: Shape | None = None
    """The output's shape as the file declares it, where nothing has compared it with the inputs."""


class Stop(NamedTuple):
    """A node of any operator whose shapes cannot be."""

    node: Node
    message: str
    axis: int | None = None
    """The axis at fault, where there is one."""


class Model(NamedTuple):
    """The content of a model file that concerns broadcasting."""

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
    """The nodes whose shapes cannot be, but for those of which `nodes` decides it."""
    foreign: Sequence[tuple[int, str, str]] = ()
    """The nodes whose shapes another domain knows alone: number, label and domain."""
    may_not_run: frozenset[int] = frozenset()
    """The numbers of nodes in branches and loops that run only with some data of an input."""
    open_inputs: Mapping[str, Shape] = {}  # a tuple's default is never changed
    """The inputs with sizes that have no name."""
    chosen: Mapping[str, int] = {}  # a tuple's default is never changed
    """The values given to its sizes."""


Given = Mapping[str, Shape]
"""What the user gives inputs and sizes, by their names; a size may have several values."""


def contradict(declared: Sequence[Size], found: Sequence[Size]) -> bool:
    """Return whether two shapes of one value cannot both be right.

    >>> contradict((2, "N"), (2, 3)), contradict((2, 3), (2, 4))
    (False, True)
    """
    return len(declared) != len(found) or any(
        isinstance(one, int) and isinstance(other, int) and one != other
        for one, other in zip(declared, found, strict=True)
    )


def check_given(given: Given, inputs: Mapping[str, Shape | None], way: str) -> None:
    """Raise ModelError if a given shape is not the file's own: other shapes are not inferred again.

    `way` is what to do instead; UnknownName is raised if there is no such input.
    """
    for name, shape in given.items():
        if name not in inputs:
            raise UnknownName(name, [*inputs], [])
        own = inputs[name]
        if own != shape:
            shown = written(UNKNOWN_RANK if own is None else own)
            raise ModelError(f"the file is made for {name}={shown}: {way}")
