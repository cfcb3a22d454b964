"""The nodes that broadcast, and those with impossible shapes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import onnx

from bcastcli.core.shapes import Shape, written
from bcastcli.model.inference import further, gaps, protos
from bcastcli.model.inference.clashes import clash, fixed_sizes, name_of
from bcastcli.model.inference.folding import Folding, Scope, never_run
from bcastcli.model.inference.model import Prepared, notation
from bcastcli.model.nodes import Contradiction, Model, Node, Stop, contradict
from bcastcli.operators.fits import Clash
from bcastcli.operators.questions import ATTRIBUTES

_WITH_TARGET = ("Expand", "Reshape")
"""Operators whose second input is a shape."""
_MOST_INPUTS = {"Attention": 6}
"""The number of first inputs that affect the answer; the others are left out."""
_MADE_UP = "unk__"
"""The prefix of size names that onnx's inference makes up."""
_NORMALIZATION, _FIRST_NORMALIZATION = "LayerNormalization", 17


def model(prepared: Prepared, inferred: Folding, operators: frozenset[str]) -> Model:
    """Return a model with its nodes of these operators, and those with impossible shapes."""
    listing = _Listing(prepared, inferred, operators)
    listing.graph(prepared.proto.graph, "", "", {}, {})
    own, asked = prepared.model, {each.operator for each in listing.nodes}
    opset, remarks = prepared.opset, []
    if prepared.named_opset is None and asked:
        remarks.append(f"the file names no opset: read as opset {opset}")
    if prepared.named_opset not in (None, opset):
        remarks.append(f"opset {prepared.named_opset} is not supported yet: read as opset {opset}")
    if opset < _FIRST_NORMALIZATION and _NORMALIZATION in asked:
        first = f"ONNX has {_NORMALIZATION} from opset {_FIRST_NORMALIZATION} on"
        remarks.append(f"{first}: ONNX Runtime runs it in older opsets too")
    for name, (declared, given) in prepared.replaced.items():
        refuses = f"ONNX Runtime refuses {notation(name)}={written(given)}"
        remarks.append(f"{refuses}: the file declares it as {written(declared)}")
    return own._replace(
        nodes=listing.nodes,
        remarks=tuple(remarks),
        needs=listing.needs,
        stops=listing.stops,
        open_ends=listing.open_ends,
        unchecked=listing.unchecked,
        refused=tuple(map(notation, prepared.replaced)),
        may_not_run=listing.may_not_run,
        choices=listing.choices,
        checked=listing.checked,
    )


class _At(NamedTuple):
    """A node at a place of a graph."""

    node: Any
    place: int
    title: str
    """The graph's title."""
    scope: Scope
    constants: Mapping[str, str]
    """The names of constants, each with its kind."""
    siblings: Sequence[Any]
    """The nodes of its graph."""


class _Listing:
    def __init__(self, prepared: Prepared, inferred: Folding, operators: frozenset[str]) -> None:
        # The file's shapes follow from the inputs that it declares.
        self._declared = {} if prepared.replaced else dict(prepared.declared)
        self._scopes, self._complaints = inferred.scopes, inferred.complaints
        self._operators = operators
        self._opset = prepared.opset
        self._has_all_sizes = not prepared.model.sizes and not prepared.model.open_inputs
        self._made_up: dict[str, str] = {}
        self.nodes: list[Node] = []
        self.stops: list[Stop] = []
        self.needs: list[list[int]] = []
        """For each node, those that make its inputs; those of the graphs within go before it."""
        self.open_ends: list[tuple[int, str]] = []
        """The nodes with open sizes though their inputs' sizes are known: number and label."""
        self.unchecked: list[str] = []
        """The operator of each unchecked node."""
        self.checked = 0
        """How many other nodes were checked."""
        self.may_not_run: list[int] = []
        """The nodes that only some input data runs, once for each such graph around them."""
        self.choices: list[tuple[int, list[tuple[int, int]]]] = []
        """The If nodes with a condition from data, each with the node numbers of its branches."""
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
        made = (each.output for each in graph.node if each.op_type == "Constant")
        constants |= dict.fromkeys(chain.from_iterable(made), "constant")
        scope = self._scopes[path]
        for place, node in enumerate(graph.node):
            if node.op_type == "Constant" and {*node.output} <= scope.constants.keys():
                makers.update((name, len(self.needs)) for name in node.output)
                self.needs.append([])
                continue
            needs = [makers[name] for name in node.input if name in makers]
            never = never_run(node, scope.constants)
            depends = self._depends(node.input, constants, makers)
            start = len(self.needs)
            branches = []
            for attribute, inner in protos.subgraphs(node):
                if attribute in never:
                    continue
                used = protos.names_used(inner)
                within = protos.only(makers, used)
                for number, value in enumerate(inner.input):
                    if number < 2:  # the counter of a loop, and what it carries
                        self._add(needs, of_data=depends and number > 0)
                    within[value.name] = len(self.needs) - 1
                first = len(self.needs)
                there = protos.inner_path(path, place, attribute)
                name = node.name or f"{node.op_type}_{place}"
                inner_title = "/".join(filter(None, (title, name, attribute)))
                self.graph(inner, there, inner_title, protos.only(constants, used), within)
                decisive = node.input[:2]  # a condition, or a count and a condition
                left = [name for name in decisive if name not in scope.constants]
                by_sizes = node.op_type == "If" and left and not self._has_all_sizes
                by_data = self._depends(left, constants, makers)
                if by_sizes or (by_data and node.op_type in ("If", "Loop")):
                    self.may_not_run += range(first, len(self.needs))
                    branches.append((first, len(self.needs)))
            if node.op_type == "If" and branches:
                self.choices.append((len(self.needs), branches))
            # Where a node within fails, this one does.
            needs = [*needs, *range(start, len(self.needs))]
            if len(node.input) and {*filter(None, node.input)} <= constants.keys():
                constants |= dict.fromkeys(node.output, "constant")
            self._judge(_At(node, place, title, scope, constants, graph.node), path)
            makers.update((name, len(self.needs)) for name in node.output if name)
            self._add(needs, of_data=depends and node.op_type not in ("Shape", "Size"))

    def _judge(self, at: _At, path: str) -> None:
        """List a node if it broadcasts, is impossible or unchecked, or leaves sizes open."""
        node, scope = at.node, at.scope
        is_listed = further.asked(node) is not None
        is_listed |= node.domain in protos.DOMAINS and node.op_type in self._operators
        if is_listed:
            self.nodes.append(self._asked(at))
        is_asked = is_listed and node.op_type == "Einsum"
        complaint = None if is_listed else self._complaints.get((path, at.place))
        found = None if is_asked else clash(node, scope, self._opset)
        found = found or (Clash(complaint) if complaint else None)
        if found:
            fixed = fixed_sizes(node, found, at.siblings, scope, at.constants)
            self.stops.append(Stop(self._node(at, node.input), found.text, found.axis, fixed))
        is_unchecked = not found and not is_listed and gaps.is_unchecked(node, scope, self._opset)
        if is_unchecked:
            self.unchecked.append(name_of(node))
        elif not (found or is_listed or node.op_type == "Constant"):
            self.checked += 1
        # Open sizes of inputs explain open results, except those of unknown operators.
        if (is_unchecked or self._has_all_sizes) and gaps.leaves_open(node, scope):
            label = node.name or next(iter(node.output), "") or node.op_type
            self.open_ends.append((len(self.needs), f"{label} ({name_of(node)})"))

    def _add(self, needs: list[int], *, of_data: bool) -> None:
        """Add a node."""
        if of_data:
            self._of_data.add(len(self.needs))
        self.needs.append(needs)

    def _depends(
        self, names: Iterable[str], constants: Mapping[str, str], makers: Mapping[str, int]
    ) -> bool:
        """Return whether values depend on the data of an input of the model."""
        return any(
            makers[name] in self._of_data if name in makers else name not in constants
            for name in names
            if name
        )

    def _node(self, at: _At, names: Sequence[str]) -> Node:
        """Return a node with these inputs."""
        node, place, graph, scope, constants, _ = at
        shapes = [self._shape(scope.types.get(name)) if name else None for name in names]
        target = _target(at, names)
        if target is not None:
            shapes[1] = tuple(protos.UNKNOWN if size < 0 else size for size in target)
        output = node.output[0] if node.output else ""
        return Node(
            operator=node.op_type,
            question_name=node.op_type,
            inputs=tuple(shapes),
            output=output,
            label=node.name or output or f"{node.op_type}_{place}",
            name=node.name,
            position=place,
            number=len(self.needs),
            graph=graph,
            opset=self._opset,
            names=tuple(names),
            constant=tuple(constants.get(name, "") for name in names),
        )

    def _asked(self, at: _At) -> Node:
        """Return a node that broadcasts, with its question."""
        node, scope = at.node, at.scope
        inputs = slice(_MOST_INPUTS.get(node.op_type))
        question, places = further.asked(node) or (node.op_type, inputs)
        optional = _optional(question, self._opset)
        names = [
            name for place, name in enumerate(node.input[places]) if name or place not in optional
        ]
        found = self._node(at, names)
        if node.op_type == "Expand" and len(names) == 2:
            target = _target(at, names)
            if target is None:  # the node's output has its sizes, at least
                result = self._shape(scope.types.get(found.output))
                found = found._replace(inputs=(found.inputs[0], result))
            elif -1 in target:
                found = found._replace(remarks=("its target holds -1, which ONNX does not define",))
        attributes: dict[str, Any] = {
            each.name: each.i for each in node.attribute if each.type == each.INT
        }
        for each in node.attribute:
            if each.name == "equation":
                attributes["equation"] = "".join(each.s.decode(errors="replace").split())
        if node.op_type == "FusedMatMul":
            found = _turned(found, attributes)
        return found._replace(
            question_name=question,
            options={
                name: attributes[own] for own, name in ATTRIBUTES.items() if own in attributes
            },
            problem="" if all(names) else f"its input {names.index('')} is left out",
            contradictions=tuple(self._contradictions([*names, found.output], scope)),
        )

    def _contradictions(self, names: Sequence[str], scope: Scope) -> Iterator[Contradiction]:
        """Yield the declared shapes of values that are not as they are inferred, each once."""
        for name in filter(None, names):
            found = self._shape(scope.types.get(name))
            declared = None if found is None else self._declared.pop(name, None)
            if declared is not None and contradict(declared, found or ()):
                # ONNX Runtime runs it, and warns where it is an output of the model.
                yield Contradiction(name, tuple(declared), found or ())

    def _shape(self, type_: Any) -> Shape | None:
        """Return a shape; sizes that inference made up are called u1, u2 and so on, in order."""
        sizes = protos.shape(type_)
        if sizes is None:
            return None
        return tuple(
            self._made_up.setdefault(size, f"u{len(self._made_up) + 1}")
            if isinstance(size, str) and size.startswith(_MADE_UP)
            else size
            for size in sizes
        )


@cache
def _optional(operator: str, opset: int) -> frozenset[int]:
    """Return the places of an operator's optional inputs."""
    try:
        inputs = onnx.defs.get_schema(operator, opset, "").inputs
    except onnx.defs.SchemaError:  # the opset lacks it
        return frozenset()
    optional = onnx.defs.OpSchema.FormalParameterOption.Optional
    return frozenset(place for place, each in enumerate(inputs) if each.option == optional)


def _turned(node: Node, attributes: Mapping[str, int]) -> Node:
    """Return a FusedMatMul with its inputs as it multiplies them."""
    pairs = zip("AB", node.inputs, strict=False)
    inputs = (sizes and tuple(further.turned([*sizes], attributes, side)) for side, sizes in pairs)
    names = (
        f"{name} by transBatch{side}" if attributes.get(f"transBatch{side}") else name
        for side, name in zip("AB", node.names, strict=False)
    )
    return node._replace(inputs=tuple(inputs), names=tuple(names))


def _target(at: _At, names: Sequence[str]) -> list[int] | None:
    """Return the values of an input that is a shape; None if they are unknown."""
    if at.node.op_type not in _WITH_TARGET or len(names) < 2 or names[1] not in at.scope.constants:
        return None
    target: list[int] = at.scope.constants[names[1]].flatten().tolist()
    return target
