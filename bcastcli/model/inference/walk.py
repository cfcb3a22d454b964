"""A model, gone through once in the order of execution: what each node asks, and what stops it.

Nodes that need the result of one that stops are not reached. Where sizes are open, onnx infers the
whole graph first, as it follows their names.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

from bcastcli.core.shapes import Shape, written
from bcastcli.model.inference import asking, known, protos
from bcastcli.model.inference.bodies import declare, inferred, never_run, of_lengths, of_states
from bcastcli.model.inference.protos import DOMAINS, UNKNOWN, Dims, Scope, name_of
from bcastcli.model.inference.reading import Prepared, notation
from bcastcli.model.inference.single import Inference
from bcastcli.model.nodes import Model, Node, Stop
from bcastcli.operators.facts import Clash

MAX_TURNS = 8
"""How often a loop's body is inferred, until it keeps the shapes that it is given."""
MAX_LOOPS = 3
"""How many loops within one another are inferred so; the body of one further within goes once."""
_NORMALIZATION, _FIRST_NORMALIZATION = "LayerNormalization", 17


class _Body(NamedTuple):
    """A graph within a node, or the main graph."""

    graph: Any
    inferred: Any
    """The same graph, with the types that onnx found."""
    title: str
    """Its path as it is shown: `If_0/then_branch`; empty for the main graph."""


class _At(NamedTuple):
    """A node at a place of a graph."""

    node: Any
    place: int
    body: _Body
    scope: Scope


class _Seen:
    """What was found at a node."""

    def __init__(self, kind: str, value: Any, doubt: int) -> None:
        self.kind = kind
        """`node` of one that broadcasts, `stop`, `checked`, `open`, `unchecked`, `behind`."""
        self.value = value
        self.doubt = doubt
        """How many branches and loops around it run only with some data of an input."""


class Walk:
    """What is found in a model."""

    def __init__(self, prepared: Prepared, operators: frozenset[str]) -> None:
        """Take the model, and the names of ONNX's operators that broadcast."""
        self._prepared = prepared
        self._operators = operators
        self._opset = prepared.opset
        self._inference = Inference(prepared.proto, prepared.opset)
        self._has_all_sizes = not prepared.model.sizes and not prepared.model.open_inputs
        self._made_up: dict[str, str] = {}
        self._doubt = 0
        self._loops = 0
        self._seen: list[_Seen] = []
        model = prepared.proto
        # A negative size would end onnx's inference of a whole graph.
        found = model if self._has_all_sizes else inferred(model)
        defaults = {each.name for each in model.graph.initializer}
        data = [each.name for each in model.graph.input if each.name not in defaults]
        self.scope = Scope.empty()
        """The values of the main graph."""
        self._graph(_Body(model.graph, found.graph, ""), self.scope, {}, data)

    def model(self) -> Model:
        """The model with its nodes, its stops and what is not known."""
        prepared, remarks = self._prepared, []
        nodes = [each.value._replace(may_not_run=each.doubt > 0) for each in self._of_kind("node")]
        operators = {each.operator for each in nodes}
        named, opset = prepared.named_opset, self._opset
        if named is None and nodes:
            remarks.append(f"the file names no opset: read as opset {opset}")
        if named not in (None, opset):
            remarks.append(f"opset {named} is not supported yet: read as opset {opset}")
        if opset < _FIRST_NORMALIZATION and _NORMALIZATION in operators:
            first = f"ONNX has {_NORMALIZATION} from opset {_FIRST_NORMALIZATION} on"
            remarks.append(f"{first}: ONNX Runtime runs it in older opsets too")
        for name, (declared, given) in prepared.replaced.items():
            refuses = f"ONNX Runtime refuses {notation(name)}={written(given)}"
            remarks.append(f"{refuses}: the file declares it as {written(declared)}")
        return prepared.model._replace(
            nodes=nodes,
            remarks=tuple(remarks),
            refused=tuple(map(notation, prepared.replaced)),
            stops=[each.value for each in self._of_kind("stop") if not each.doubt],
            possible_stops=[each.value for each in self._of_kind("stop") if each.doubt],
            checked=sum(1 for _ in self._of_kind("checked")),
            open=[each.value for each in self._of_kind("open")],
            unchecked=[each.value for each in self._of_kind("unchecked")],
            not_reached=sum(1 for _ in self._of_kind("behind")),
        )

    def _of_kind(self, kind: str) -> Iterator[_Seen]:
        return (each for each in self._seen if each.kind == kind)

    def _add(self, kind: str, value: Any) -> None:
        self._seen.append(_Seen(kind, value, self._doubt))

    def _graph(
        self, body: _Body, scope: Scope, given: Mapping[str, Any], data: Sequence[str] = ()
    ) -> None:
        """Go through a graph.

        `given` are the types of its inputs, None for an unknown one, `data` those of its inputs
        that depend on data.
        """
        declare(body.graph, body.inferred, scope)
        scope.data.update(dict.fromkeys(data, ""))
        for name, type_ in given.items():
            scope.types.pop(name, None)
            if type_ is not None:
                scope.types[name] = type_
        for place, node in enumerate(body.graph.node):
            self._node(_At(node, place, body, scope))

    def _node(self, at: _At) -> None:
        """Judge a node, and find what its outputs are."""
        node, scope = at.node, at.scope
        if node.op_type == "Constant" and node.domain in DOMAINS:
            self._inference.constant(node, scope)
            scope.kinds.update(dict.fromkeys(node.output, "constant"))
            return
        inputs = [name for name in node.input if name]
        behind = next((scope.behind[name] for name in inputs if name in scope.behind), "")
        if behind:
            self._add("behind", behind)
            if self._is_listed(node):
                self._add("node", self._asked(at, behind))
        elif any(protos.subgraphs(node)):
            behind = self._control(at)
        else:
            behind = self._single(at)
        outputs = [name for name in node.output if name]
        if behind:
            for name in outputs:
                scope.forget(name)
                scope.behind[name] = behind
            return
        if inputs and all(name in scope.kinds for name in inputs):
            scope.kinds.update(dict.fromkeys(outputs, "constant"))
        if node.op_type not in ("Shape", "Size") and any(name in scope.data for name in inputs):
            scope.data.update(dict.fromkeys(outputs, ""))

    # Nodes

    def _is_listed(self, node: Any) -> bool:
        own = node.domain in DOMAINS and node.op_type in self._operators
        return own or known.asked(node) is not None

    def _single(self, at: _At) -> str:
        """Judge a node without graphs; return its label if it stops."""
        node, scope = at.node, at.scope
        complaint = self._inference.node(node, scope)
        found: Clash | None = None
        if node.op_type != "Einsum":  # whose question says more than its constraint
            found = asking.clash(node, scope, self._opset)
        if not self._is_listed(node):
            if found is None:
                found = Clash(complaint) if complaint else asking.too_few(node, self._opset)
            standing = known.standing(node, scope, self._opset)
            return self._stop(at, found) if found else self._pass(at, standing)
        asked = self._asked(at)
        refusal, result = asking.decided(asked)
        if found:  # there is no question about shapes that cannot be
            self._add("node", asked._replace(inputs=(None,) * len(asked.inputs)))
        else:
            self._add("node", asked)
        found = found or refusal
        if found:
            return self._stop(at, found, asked)
        if result is not None and (node.op_type == "Einsum" or known.asked(node)):
            self._inference.give(scope, node.output[0], scope.types.get(node.input[0]), result)
        return self._pass(at, "")

    def _stop(self, at: _At, found: Clash, asked: Node | None = None) -> str:
        """Add a stop, and return its label."""
        node, scope = at.node, at.scope
        shown = asked
        if shown is None:
            shapes = asking.shapes_of(node, node.input, scope)
            shown = self._shown(at, node.input, node.op_type, shapes)
        fixed = asking.fixed_sizes(node, found, at.body.graph.node, scope)
        self._add("stop", Stop(shown, found.text, found.axis, tuple(found.operands), fixed))
        return str(shown.where)

    def _pass(self, at: _At, standing: str) -> str:
        """Add a node that does not stop, and note whether it leaves sizes open."""
        node = at.node
        label = f"{node.name or next(iter(node.output), '') or node.op_type} ({name_of(node)})"
        if standing:
            self._add(standing, name_of(node) if standing == "unchecked" else label)
        self._blame(node, at.scope, label, is_own=standing == "unchecked")
        return ""

    def _blame(self, node: Any, scope: Scope, label: str, *, is_own: bool) -> None:
        """Note which node leaves sizes open that a node's outputs have."""
        types = [scope.types.get(name) for name in node.output if name]
        if all(protos.is_static(each) for each in types):
            return
        inputs = [name for name in node.input if name]
        if (is_own or self._has_all_sizes) and all(
            protos.is_static(scope.types.get(name)) for name in inputs
        ):
            scope.open.update(dict.fromkeys(node.output, label))
            return
        blamed = next((scope.open[name] for name in inputs if name in scope.open), "")
        if blamed:
            scope.open.update(dict.fromkeys(node.output, blamed))

    def _asked(self, at: _At, behind: str = "") -> Node:
        """A node that broadcasts, with its question; all is unknown of one behind a stop."""
        node, scope = at.node, at.scope
        name, names, shapes, options = asking.asked(node, scope, self._opset)
        shown = self._shown(at, names, name, [None] * len(names) if behind else shapes)
        remarks: tuple[str, ...] = ()
        target = scope.constants.get(node.input[1]) if len(node.input) > 1 else None
        if node.op_type == "Expand" and target is not None and -1 in target.flatten().tolist():
            remarks = ("its target holds -1, which ONNX does not define",)
        cause = behind or next((scope.open[each] for each in node.input if each in scope.open), "")
        problem = "" if all(names) else f"its input {[*names].index('')} is left out"
        return shown._replace(options=options, problem=problem, remarks=remarks, behind=cause)

    def _shown(
        self, at: _At, names: Sequence[str], question: str, shapes: Sequence[Dims | None]
    ) -> Node:
        """A node with these inputs."""
        node = at.node
        output = node.output[0] if node.output else ""
        return Node(
            operator=node.op_type,
            question_name=question,
            inputs=tuple(map(self._shape, shapes)),
            output=output,
            label=node.name or output or f"{node.op_type}_{at.place}",
            name=node.name,
            position=at.place,
            number=len(self._seen),
            graph=at.body.title,
            opset=self._opset,
            names=tuple(names),
            constant=tuple(at.scope.kinds.get(name, "") for name in names),
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

    # Graphs within

    def _control(self, at: _At) -> str:
        """Go through the graphs within a node; return the label of a stop that it meets."""
        node, scope = at.node, at.scope
        operator = node.op_type if node.domain in DOMAINS else ""
        never = never_run(node, scope.constants)
        bodies = list(self._bodies(at, never))
        decisive = [name for name in node.input[:2] if name and name not in scope.constants]
        by_data = operator in ("If", "Loop") and any(name in scope.data for name in decisive)
        by_sizes = operator == "If" and bool(decisive) and not self._has_all_sizes
        start = len(self._seen)
        doubt = 1 if by_data or by_sizes else 0
        self._doubt += doubt
        found = None
        if operator == "Loop":
            self._loop(node, bodies, scope)
        elif operator == "Scan":
            found = self._scan(node, bodies[0], scope)
        else:
            starts = self._branches(node, bodies, scope)
            if operator == "If" and doubt and all(map(self._stops_in, pairwise(starts))):
                for each in self._seen[start:]:  # whichever branch is taken
                    each.doubt -= 1
        self._doubt -= doubt
        for each in self._seen[start:]:
            if each.kind in ("stop", "behind") and each.doubt <= self._doubt:
                return str(each.value.node.where if each.kind == "stop" else each.value)
        if found:
            return self._stop(at, found)
        return self._pass(at, "checked" if operator else "unchecked")

    def _stops_in(self, part: tuple[int, int]) -> bool:
        """Whether a part of what was seen has a stop that is sure there."""
        seen = self._seen[slice(*part)]
        return any(each.kind == "stop" and each.doubt == self._doubt for each in seen)

    def _bodies(self, at: _At, never: frozenset[str]) -> Iterator[_Body]:
        """Yield the graphs within a node that may run."""
        node = at.node
        types = dict(protos.subgraphs(at.body.inferred.node[at.place]))
        name = node.name or f"{node.op_type}_{at.place}"
        for attribute, inner in protos.subgraphs(node):
            if attribute not in never:
                title = "/".join(filter(None, (at.body.title, name, attribute)))
                yield _Body(inner, types.get(attribute, inner), title)

    def _branches(self, node: Any, bodies: Sequence[_Body], scope: Scope) -> list[int]:
        """Go through each graph within a node, and return where what was seen in each begins.

        The outputs of an If are those of the branch that is taken, or what both agree on.
        """
        scopes, starts = [], [len(self._seen)]
        for body in bodies:
            scopes.append(scope.within())
            self._graph(body, scopes[-1], {})
            starts.append(len(self._seen))
        is_if = node.op_type == "If" and node.domain in DOMAINS
        ends = [[value.name for value in body.graph.output] for body in bodies]
        if is_if and len(bodies) == 1:
            for name, output in zip(ends[0], node.output, strict=False):
                scope.copy(scopes[0], name, output)
        elif is_if:
            for output, *names in zip(node.output, *ends, strict=False):
                pairs = zip(scopes, names, strict=True)
                ends_there = [pair for pair in pairs if pair[1] not in pair[0].behind]
                if ends_there:  # a branch that stops gives nothing
                    shapes = [own.shape(name) for own, name in ends_there]
                    like = ends_there[0][0].types.get(ends_there[0][1])
                    self._inference.give(scope, output, like, reduce(protos.common, shapes))
        return starts

    def _loop(self, node: Any, bodies: Sequence[_Body], scope: Scope) -> None:
        """Infer the body of a Loop, and set its outputs."""
        names = node.input[2:]
        if not bodies:  # it never runs
            for name, output in zip(names, node.output, strict=False):
                scope.copy(scope, name, output)
            return
        inputs, ends = bodies[0].graph.input[2:], bodies[0].graph.output[1:]  # past the condition
        kept, inner = self._carried(node, bodies[0], scope, names, inputs, ends, {})
        for place, (output, end) in enumerate(zip(node.output, ends, strict=False)):
            like, sizes = inner.types.get(end.name), inner.shape(end.name)
            if place < len(kept):
                like = like or scope.types.get(names[place])
                self._inference.give(scope, output, like, kept[place])
            elif sizes is not None:
                self._inference.give(scope, output, like, [UNKNOWN, *sizes])  # of each iteration

    def _scan(self, node: Any, body: _Body, scope: Scope) -> Clash | None:
        """Infer the body of a Scan, which takes slices of its inputs, and set its outputs."""
        given = protos.attributes(node)
        count = len(node.input) - given.get("num_scan_inputs", len(node.input))
        states, scanned = node.input[:count], node.input[count:]
        inputs, ends = body.graph.input, body.graph.output
        lengths: dict[str, int] = {}
        slices: dict[str, Any] = {}
        axes = given.get("scan_input_axes") or [0] * len(scanned)
        for name, value, axis in zip(scanned, inputs[count:], axes, strict=False):
            sizes = scope.shape(name)
            if sizes is not None and -len(sizes) <= axis < len(sizes):
                taken = sizes.pop(axis)
                if isinstance(taken, int):
                    lengths[name] = taken
                slices[value.name] = self._inference.typed(scope.types[name], sizes)
        kept, inner = self._carried(node, body, scope, states, inputs[:count], ends, slices)
        length = next(iter(lengths.values()), UNKNOWN)
        axes = given.get("scan_output_axes") or [0] * len(ends)
        for place, (output, end) in enumerate(zip(node.output, ends, strict=False)):
            like, sizes = inner.types.get(end.name), inner.shape(end.name)
            if place < count:
                self._inference.give(scope, output, like, kept[place])
            elif sizes is not None:
                axis = axes[place - count] % (len(sizes) + 1)
                sizes.insert(axis, length)
                self._inference.give(scope, output, like, sizes)
        return of_lengths(lengths) or of_states(states, ends, scope, inner)

    def _carried(
        self,
        node: Any,
        body: _Body,
        scope: Scope,
        names: Sequence[str],
        inputs: Sequence[Any],
        ends: Sequence[Any],
        slices: Mapping[str, Any],
    ) -> tuple[list[Dims | None], Scope]:
        """Infer a body; return the shapes that it keeps from turn to turn, and its last scope.

        Those of `names`, before the first turn, are assumed for all; the sizes that a turn changes
        are dropped, until all are kept.
        """
        kept = [scope.shape(name) for name in names]
        start = len(self._seen)
        data = [value.name for value in body.graph.input]
        if node.op_type == "Loop":
            data = data[1:]  # but for its counter
        if not any(name in scope.data for name in node.input):
            data = []
        turns = MAX_TURNS if self._loops < MAX_LOOPS else 1
        self._loops += 1
        for turn in range(turns):
            if turn == turns - 1:
                kept = [None] * len(names)  # nothing is kept for sure
            given = dict(slices)
            inner = scope.within()
            for value, name, sizes in zip(inputs, names, kept, strict=False):
                like = scope.types.get(name)
                given[value.name] = None if sizes is None else self._inference.typed(like, sizes)
            del self._seen[start:]
            self._graph(body, inner, given, data)
            after = [inner.shape(end.name) for _, end in zip(kept, ends, strict=False)]
            if any(each.kind == "stop" for each in self._seen[start:]):
                break  # there is no second turn
            before, kept = kept, [*map(protos.common, kept, after)]
            if kept == before:
                break
        self._loops -= 1
        return kept, inner
