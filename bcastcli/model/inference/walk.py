"""A model, gone through once in the order of execution: what each node asks, and what stops it.

Nodes that need the result of one that stops are not reached. Where sizes are open, onnx infers the
whole graph first, as it follows their names.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any, NamedTuple

from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.model import nodes
from bcastcli.model.inference import asking, known, protos
from bcastcli.model.inference.protos import DOMAINS, Dims, Scope, name_of
from bcastcli.model.inference.single import Inference, declare, inferred, never_run
from bcastcli.model.nodes import Model, Node, Stop
from bcastcli.operators.facts import Clash
from bcastcli.operators.table import OperatorError


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


class Walk:
    """What is found in a model."""

    def __init__(self, proto: Any, model: Model) -> None:
        """Take the message, and what is known of it before."""
        self._model = model
        self._opset = model.opset
        self._inference = Inference(proto, model.opset)
        self._made_up: dict[str, str] = {}
        self._may_not_run = False
        self._seen: list[tuple[str, Any, bool]] = []
        """What was found at each node: a kind, a value, and whether the node may not run.

        The kinds: `node` of one that broadcasts, `stop`, `checked`, `open`, `unchecked`, `behind`.
        """
        self._has_all_sizes = not model.sizes and not model.open_inputs
        # A negative size would end onnx's inference of a whole graph.
        whole = proto if self._has_all_sizes else inferred(proto)
        self.scope = Scope.empty()
        """The values of the main graph."""
        self._graph(_Body(proto.graph, whole.graph, ""), self.scope, {})

    def model(self) -> Model:
        """The model with its nodes, its stops and what is not known."""
        values: dict[str, list[Any]] = defaultdict(list)
        for kind, value, may_not_run in self._seen:
            is_possible = kind == "stop" and may_not_run
            values["possible stop" if is_possible else kind].append(value)
        return self._model._replace(
            nodes=values["node"],
            stops=values["stop"],
            possible_stops=values["possible stop"],
            checked=values["checked"],
            open=values["open"],
            unchecked=values["unchecked"],
            not_reached=values["behind"],
        )

    def _add(self, kind: str, value: Any) -> None:
        self._seen.append((kind, value, self._may_not_run))

    def _graph(self, body: _Body, scope: Scope, given: Mapping[str, Any]) -> None:
        """Go through a graph; `given` are the types of its inputs, None for an unknown one."""
        declare(body.graph, body.inferred, scope)
        for name, type_ in given.items():
            scope.types.pop(name, None)
            if type_ is not None:
                scope.types[name] = type_
        for place, node in enumerate(body.graph.node):
            self._node(_At(node, place, body, scope))

    def _node(self, at: _At) -> None:
        """Judge a node, and find what its outputs are."""
        node, scope = at.node, at.scope
        outputs = [name for name in node.output if name]
        if node.op_type == "Constant" and node.domain in DOMAINS:
            self._inference.node(node, scope)
            scope.fixed.update(dict.fromkeys(outputs))
            return
        inputs = [name for name in node.input if name]
        behind = next((scope.behind[name] for name in inputs if name in scope.behind), "")
        if behind:
            self._add("behind", behind)
            question = asking.question(node, scope)
            with suppress(OperatorError):  # an invalid node is none that broadcasts
                if question:
                    shown = self._shown(at, question, behind)
                    nodes.answer(shown)
                    self._add("node", shown)
        elif any(protos.subgraphs(node)):
            behind = self._control(at)
        else:
            behind = self._single(at)
        if behind:
            scope.behind.update(dict.fromkeys(outputs, behind))
        elif inputs and all(name in scope.fixed for name in inputs):
            scope.fixed.update(dict.fromkeys(outputs))

    # Nodes

    def _single(self, at: _At) -> str:
        """Judge a node without graphs; return its label if it stops."""
        node, scope = at.node, at.scope
        complaint = self._inference.node(node, scope)
        clash: Clash | None = None
        if node.op_type != "Einsum":  # whose question says more than its constraint
            clash = asking.clash(node, scope, self._opset)
        question = asking.question(node, scope)
        if question is None:
            if complaint and clash is None:
                clash = Clash(complaint)
            if clash:
                return self._stop(at, clash)
            return self._pass(at, known.standing(node, scope, self._opset))
        shown = self._shown(at, question)
        if clash:  # there is no question about shapes that cannot be
            shown = shown._replace(inputs=(None,) * len(shown.inputs))
        try:
            answer = nodes.answer(shown)
        except OperatorError as error:
            return self._stop(at, Clash(str(error)), shown)
        self._add("node", shown)
        clash = clash or nodes.refusal(answer)
        if answer.result is not None and (node.op_type == "Einsum" or known.rule(node)):
            like = scope.types.get(node.input[0])
            self._inference.give(scope, node.output[0], like, [*answer.result])
        return self._stop(at, clash, shown) if clash else self._pass(at, "")

    def _stop(self, at: _At, clash: Clash, shown: Node | None = None) -> str:
        """Add a stop, and return its label."""
        node, scope = at.node, at.scope
        if shown is None:
            shapes = asking.shapes_of(node, node.input, scope)
            shown = self._shown(at, asking.Question(node.op_type, node.input, shapes, {}))
        fixed = asking.fixed(shown, clash, at.body.graph.node, scope)
        self._add("stop", Stop(shown, clash.text, clash.axis, tuple(fixed)))
        return shown.where

    def _pass(self, at: _At, standing: str) -> str:
        """Add a node that does not stop, and note which node leaves sizes of its outputs open."""
        node, scope = at.node, at.scope
        label = protos.label(node)
        if standing:
            self._add(standing, name_of(node) if standing == "unchecked" else label)
        outputs = [name for name in node.output if name]
        is_open = [name for name in outputs if not protos.is_static(scope.types.get(name))]
        if is_open:
            inputs = [name for name in node.input if name]
            blamed = next((scope.open[name] for name in inputs if name in scope.open), "")
            if self._has_all_sizes or standing == "unchecked":
                is_first = all(protos.is_static(scope.types.get(name)) for name in inputs)
                blamed = label if is_first else blamed
            if blamed:
                scope.open.update(dict.fromkeys(is_open, blamed))
        return ""

    def _shown(self, at: _At, question: asking.Question, behind: str = "") -> Node:
        """A node with its question; all is unknown of one behind a stop."""
        node, scope = at.node, at.scope
        output = node.output[0] if node.output else ""
        cause = behind or next((scope.open[each] for each in node.input if each in scope.open), "")
        return Node(
            operator=node.op_type,
            question_name=question.name,
            inputs=tuple(None if behind else self._shape(sizes) for sizes in question.shapes),
            output=output,
            label=node.name or output or f"{node.op_type}_{at.place}",
            name=node.name,
            position=at.place,
            number=len(self._seen),
            graph=at.body.title,
            opset=self._opset,
            options=question.options,
            names=tuple(question.names),
            constant=tuple(name in scope.fixed for name in question.names),
            behind=cause,
            may_not_run=self._may_not_run,
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
        node = at.node
        given = protos.attributes(node)
        operator = node.op_type if node.domain in DOMAINS else ""
        if any([*given.get("scan_input_axes", ()), *given.get("scan_output_axes", ())]):
            operator = ""  # slices of other axes than the first are not followed
        start, around = len(self._seen), self._may_not_run
        if operator in ("If", "Loop"):  # of all others every graph runs
            decisive = [name for name in node.input[:2] if name]
            self._may_not_run |= any(name not in at.scope.constants for name in decisive)
        is_known = True
        if operator in ("Loop", "Scan"):
            is_known = self._repeat(at)
        else:
            self._branches(at)
        self._may_not_run = around
        for kind, value, may_not_run in self._seen[start:]:
            if kind in ("stop", "behind") and may_not_run == around:
                return str(value.node.where if kind == "stop" else value)
        return self._pass(at, "checked" if operator and is_known else "unchecked")

    def _bodies(self, at: _At) -> Iterator[_Body]:
        """The graphs within a node that may run."""
        node = at.node
        types = dict(protos.subgraphs(at.body.inferred.node[at.place]))
        name = node.name or f"{node.op_type}_{at.place}"
        never = never_run(node, at.scope.constants)
        for attribute, inner in protos.subgraphs(node):
            if attribute != never:
                title = "/".join(filter(None, (at.body.title, name, attribute)))
                yield _Body(inner, types.get(attribute, inner), title)

    def _branches(self, at: _At) -> None:
        """Go through each graph within a node.

        The outputs of an If are those of the branch that is taken, or what both agree on.
        """
        node, ends = at.node, []
        for body in self._bodies(at):
            inner = at.scope.within()
            self._graph(body, inner, {})
            ends.append((inner, [value.name for value in body.graph.output]))
        if node.op_type != "If" or node.domain not in DOMAINS:
            return
        for place, output in enumerate(node.output):
            made = [(inner, names[place]) for inner, names in ends if place < len(names)]
            made = [(inner, name) for inner, name in made if name not in inner.behind]
            if len(made) == 1:  # a branch that stops gives nothing
                at.scope.copy(*made[0], output)
            elif made:
                (inner, name), *_ = made
                sizes = reduce(protos.common, [branch.shape(end) for branch, end in made])
                self._inference.give(at.scope, output, inner.types.get(name), sizes)

    def _repeat(self, at: _At) -> bool:
        """Infer the body of a Loop or a Scan, and set its outputs.

        Whether its shapes are known to fit: a Scan takes inputs of one length, and its body keeps
        the shapes of its states.
        """
        node, scope = at.node, at.scope
        body = next(self._bodies(at), None)
        if body is None:  # a Loop that never runs
            for name, output in zip(node.input[2:], node.output, strict=False):
                scope.copy(scope, name, output)
            return True
        lengths: dict[str, Size] = {}
        slices: dict[str, Any] = {}
        starts, ends = list(body.graph.input), list(body.graph.output)
        if node.op_type == "Loop":  # the first are its counter and its condition
            states, starts, ends = node.input[2:], starts[2:], ends[1:]
        else:
            given = protos.attributes(node)
            count = len(node.input) - given.get("num_scan_inputs", 0)
            states = node.input[:count]
            for name, value in zip(node.input[count:], starts[count:], strict=False):
                if sizes := scope.shape(name):
                    lengths[name] = sizes.pop(0)
                    slices[value.name] = self._inference.typed(scope.types[name], sizes)
        carried = list(zip(states, starts, ends, strict=False))
        kept, inner = self._turns(body, scope, carried, slices)
        length = next(iter(lengths.values()), UNKNOWN)
        for place, (output, end) in enumerate(zip(node.output, ends, strict=False)):
            like, sizes = inner.types.get(end.name), inner.shape(end.name)
            if place < len(kept):
                like, sizes = like or scope.types.get(states[place]), kept[place]
            elif sizes is not None:  # those of each turn, stacked
                sizes.insert(0, length)
            self._inference.give(scope, output, like, sizes)
        if node.op_type == "Loop":
            return True
        keeps_states = kept == [scope.shape(name) for name, _, _ in carried]
        return keeps_states and len({*lengths.values()}) <= 1

    def _turns(
        self,
        body: _Body,
        scope: Scope,
        carried: Sequence[tuple[str, Any, Any]],
        slices: Mapping[str, Any],
    ) -> tuple[list[Dims | None], Scope]:
        """Infer a body; return the shapes that it keeps from turn to turn, and its last scope.

        Of each value that is carried there is its name, what it is at the start of a turn, and at
        its end. Sizes that a turn changes are dropped, until all are kept.
        """
        kept = [scope.shape(name) for name, _, _ in carried]
        first = len(self._seen)
        while True:  # each turn knows less
            given = dict(slices)
            for (name, start, _), sizes in zip(carried, kept, strict=True):
                like = scope.types.get(name)
                given[start.name] = None if sizes is None else self._inference.typed(like, sizes)
            inner = scope.within()
            del self._seen[first:]
            self._graph(body, inner, given)
            if any(kind == "stop" for kind, _, _ in self._seen[first:]):
                return kept, inner  # there is no second turn
            after = [inner.shape(end.name) for _, _, end in carried]
            before, kept = kept, [*map(protos.common, kept, after)]
            if kept == before:
                return kept, inner
