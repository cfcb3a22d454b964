"""The nodes of a model: those that broadcast, those that stop it, and what is not known."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bcastcli.core.shapes import Shape, written
from bcastcli.model.inference import asking, known, protos
from bcastcli.model.inference.protos import CONTROL, DOMAINS, Dims, Scope, name_of
from bcastcli.model.inference.reading import Prepared, notation
from bcastcli.model.inference.trace import Trace, never_run
from bcastcli.model.nodes import Model, Node, Stop
from bcastcli.operators.facts import Clash

_NORMALIZATION, _FIRST_NORMALIZATION = "LayerNormalization", 17


def model(prepared: Prepared, trace: Trace, operators: frozenset[str]) -> Model:
    """A model with its nodes of these operators, and what is found about the others."""
    listing = _Listing(prepared, trace, operators)
    listing.graph(prepared.proto.graph, "", "", {}, {})
    opset, named, remarks = prepared.opset, prepared.named_opset, []
    operators_asked = {each.operator for each in listing.nodes}
    if named is None and operators_asked:
        remarks.append(f"the file names no opset: read as opset {opset}")
    if named not in (None, opset):
        remarks.append(f"opset {named} is not supported yet: read as opset {opset}")
    if opset < _FIRST_NORMALIZATION and _NORMALIZATION in operators_asked:
        first = f"ONNX has {_NORMALIZATION} from opset {_FIRST_NORMALIZATION} on"
        remarks.append(f"{first}: ONNX Runtime runs it in older opsets too")
    for name, (declared, given) in prepared.replaced.items():
        refuses = f"ONNX Runtime refuses {notation(name)}={written(given)}"
        remarks.append(f"{refuses}: the file declares it as {written(declared)}")
    return prepared.model._replace(
        nodes=listing.nodes,
        remarks=tuple(remarks),
        refused=tuple(map(notation, prepared.replaced)),
        needs=listing.needs,
        stops=listing.stops,
        checked=listing.checked,
        open=listing.open,
        unchecked=listing.unchecked,
        open_ends=listing.open_ends,
        may_not_run=listing.may_not_run,
        choices=listing.choices,
    )


class _At(NamedTuple):
    """A node at a place of a graph."""

    node: Any
    place: int
    path: str
    """The graph's path."""
    title: str
    """The graph's title."""
    scope: Scope
    constants: Mapping[str, str]
    """The names of constants, each with its kind."""
    siblings: Sequence[Any]
    """The nodes of its graph."""


class _Listing:
    def __init__(self, prepared: Prepared, trace: Trace, operators: frozenset[str]) -> None:
        self._trace = trace
        self._operators = operators
        self._opset = prepared.opset
        self._has_all_sizes = not prepared.model.sizes and not prepared.model.open_inputs
        self._made_up: dict[str, str] = {}
        self.nodes: list[Node] = []
        self.stops: list[Stop] = []
        self.needs: list[list[int]] = []
        """For each node, those that make its inputs; those of the graphs within go before it."""
        self.checked: list[int] = []
        self.open: list[tuple[int, str]] = []
        self.unchecked: list[tuple[int, str]] = []
        self.open_ends: list[tuple[int, str]] = []
        self.may_not_run: list[int] = []
        self.choices: list[tuple[int, list[tuple[int, int]]]] = []
        self._of_data: set[int] = set()
        """The nodes whose outputs depend on the data of inputs."""

    def graph(
        self, graph: Any, path: str, title: str, constants: dict[str, str], makers: dict[str, int]
    ) -> None:
        """Add the nodes of a graph, and those of the graphs within.

        `constants` are the names of constants around it, each with its kind, `makers` the nodes
        there by their outputs; the nodes of this graph are added.
        """
        constants |= {each.name: "initializer" for each in graph.initializer}
        scope = self._trace.scopes[path]
        for place, node in enumerate(graph.node):
            at = _At(node, place, path, title, scope, constants, graph.node)
            is_constant = node.op_type == "Constant" and node.domain in DOMAINS
            needs = [makers[name] for name in node.input if name in makers]
            depends = self._depends(node.input, constants, makers)
            needs += self._within(at, depends, makers)  # where a node within fails, this one does
            inputs = {*filter(None, node.input)}
            if is_constant or (inputs and inputs <= constants.keys()):
                constants |= dict.fromkeys(node.output, "constant")
            if not is_constant:
                self._judge(at)
            makers.update((name, len(self.needs)) for name in node.output if name)
            self._add(needs, of_data=depends and node.op_type not in ("Shape", "Size"))

    def _within(self, at: _At, depends: bool, makers: Mapping[str, int]) -> list[int]:
        """Add the nodes of the graphs within a node that may run, and return their numbers."""
        node, scope = at.node, at.scope
        never = never_run(node, scope.constants)
        decisive = [name for name in node.input[:2] if name not in scope.constants]
        by_sizes = node.op_type == "If" and bool(decisive) and not self._has_all_sizes
        by_data = node.op_type in ("If", "Loop") and self._depends(decisive, at.constants, makers)
        start, branches = len(self.needs), []
        for attribute, inner in protos.subgraphs(node):
            if attribute in never:
                continue
            inner_makers = dict(makers)
            for number, value in enumerate(inner.input):
                if number < 2:  # the counter of a loop, and what it carries
                    needed = [makers[name] for name in node.input if name in makers]
                    self._add(needed, of_data=depends and number > 0)
                inner_makers[value.name] = len(self.needs) - 1
            first = len(self.needs)
            there = protos.inner_path(at.path, at.place, attribute)
            name = node.name or f"{node.op_type}_{at.place}"
            title = "/".join(filter(None, (at.title, name, attribute)))
            self.graph(inner, there, title, dict(at.constants), inner_makers)
            if by_sizes or by_data:
                self.may_not_run += range(first, len(self.needs))
                branches.append((first, len(self.needs)))
        if node.op_type == "If" and branches:
            self.choices.append((len(self.needs), branches))
        return [*range(start, len(self.needs))]

    def _add(self, needs: list[int], *, of_data: bool) -> None:
        """Add a node."""
        if of_data:
            self._of_data.add(len(self.needs))
        self.needs.append(needs)

    def _depends(
        self, names: Iterable[str], constants: Mapping[str, str], makers: Mapping[str, int]
    ) -> bool:
        """Whether values depend on the data of an input of the model."""
        return any(
            makers[name] in self._of_data if name in makers else name not in constants
            for name in names
            if name
        )

    def _judge(self, at: _At) -> None:
        """List a node if it broadcasts or is impossible, else whether its inputs are compared."""
        node, scope, number = at.node, at.scope, len(self.needs)
        label = f"{node.name or next(iter(node.output), '') or node.op_type} ({name_of(node)})"
        is_own = node.domain in DOMAINS and node.op_type in self._operators
        standing = "listed" if is_own or known.asked(node) else ""
        if standing:
            self.nodes.append(self._asked(at))
        # An Einsum's question says more than its constraint.
        found = (
            None if is_own and node.op_type == "Einsum" else asking.clash(node, scope, self._opset)
        )
        complaint = self._trace.complaints.get((at.path, at.place))
        if not found and not standing:
            found = Clash(complaint) if complaint else asking.too_few(node, self._opset)
        if found:
            fixed = asking.fixed_sizes(node, found, at.siblings, scope, at.constants)
            at_fault = found.text, found.axis, tuple(found.operands), fixed
            self.stops.append(Stop(self._node(at, node.input, node.op_type), *at_fault))
        elif not standing:
            is_control = node.op_type in CONTROL and node.domain in DOMAINS
            standing = "checked" if is_control else known.standing(node, scope, self._opset)
        if standing == "checked":
            self.checked.append(number)
        elif standing == "open":
            self.open.append((number, label))
        elif standing == "unchecked":
            self.unchecked.append((number, name_of(node)))
        # Open sizes of inputs explain open results, except those of unknown operators.
        if (standing == "unchecked" or self._has_all_sizes) and _leaves_open(node, scope):
            self.open_ends.append((number, label))

    def _asked(self, at: _At) -> Node:
        """A node that broadcasts, with its question."""
        node, asked = at.node, asking.asked(at.node, at.scope, self._opset)
        remarks: tuple[str, ...] = ()
        target = at.scope.constants.get(node.input[1]) if len(node.input) > 1 else None
        if node.op_type == "Expand" and target is not None and -1 in target.flatten().tolist():
            remarks = ("its target holds -1, which ONNX does not define",)
        problem = "" if all(asked.names) else f"its input {[*asked.names].index('')} is left out"
        return self._node(at, asked.names, asked.name, asked.shapes)._replace(
            options=asked.options, problem=problem, remarks=remarks
        )

    def _node(
        self,
        at: _At,
        names: Sequence[str],
        question: str,
        shapes: Sequence[Dims | None] | None = None,
    ) -> Node:
        """A node with these inputs."""
        node = at.node
        if shapes is None:
            shapes = asking.shapes_of(node, names, at.scope)
        output = node.output[0] if node.output else ""
        return Node(
            operator=node.op_type,
            question_name=question,
            inputs=tuple(map(self._shape, shapes)),
            output=output,
            label=node.name or output or f"{node.op_type}_{at.place}",
            name=node.name,
            position=at.place,
            number=len(self.needs),
            graph=at.title,
            opset=self._opset,
            names=tuple(names),
            constant=tuple(at.constants.get(name, "") for name in names),
        )

    def _shape(self, sizes: Dims | None) -> Shape | None:
        """A shape; sizes that inference made up are called u1, u2 and so on, in order."""
        if sizes is None:
            return None
        return tuple(
            self._made_up.setdefault(size, f"u{len(self._made_up) + 1}")
            if isinstance(size, str) and size.startswith(protos.MADE_UP)
            else size
            for size in sizes
        )


def _leaves_open(node: Any, scope: Scope) -> bool:
    """Whether sizes of a node's outputs are open, though those of its inputs are known."""
    types = scope.types
    made = [types.get(name) for name in node.output if name]
    if all(protos.is_static(each) or (each and not each.HasField("tensor_type")) for each in made):
        return False
    return all(protos.is_static(types.get(name)) for name in node.input if name)
