"""The nodes that broadcast, and those whose shapes cannot be, as lines of plain data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import onnx

from bcastcli.models.inference import foreign
from bcastcli.models.inference.constraints import clash
from bcastcli.models.inference.facts import Clash
from bcastcli.models.inference.folding import Scope, never_run
from bcastcli.models.inference.model import Prepared, notation
from bcastcli.models.inference.protos import DOMAINS, Dims, inner_path, names_used, shape, subgraphs
from bcastcli.models.inference.rounds import Inferred

_WITH_TARGET = ("Expand", "Reshape")
"""Operators whose second input is a shape."""
_MADE_UP = "unk__"
"""The beginning of names that onnx's inference gives to sizes."""


def lines(
    prepared: Prepared, inferred: Inferred, operators: frozenset[str]
) -> Iterator[dict[str, Any]]:
    """Yield a line about the model, one for each node of these operators, and one about all.

    A node whose shapes cannot be has a line, too, in which `stop` says why.
    """
    yield {
        "opset": prepared.opset,
        "names_no_opset": prepared.names_no_opset,
        "newest_opset": prepared.newest_opset,
        "sizes": prepared.sizes,
        "open_inputs": prepared.open_inputs,
        "chosen": prepared.chosen,
        "replaced": [
            (notation(name), declared, prepared.given[name])
            for name, declared in prepared.replaced.items()
        ],
    }
    listing = _Listing(prepared, inferred, operators)
    yield from listing.graph(prepared.proto.graph, "", "", {}, {})
    yield {
        "needs": listing.needs,
        "foreign": listing.foreign,
        "may_not_run": listing.may_not_run,
    }


class _Listing:
    def __init__(self, prepared: Prepared, inferred: Inferred, operators: frozenset[str]) -> None:
        self._declared = dict(prepared.declared)
        self._outputs = prepared.outputs
        self._scopes, self._complaints = inferred
        self._operators = operators
        self._opset = prepared.newest_opset or prepared.opset
        self._made_up: dict[str, str] = {}
        self._optional_inputs: dict[str, frozenset[int]] = {}
        self.needs: list[list[int]] = []
        """For each node, those that make its inputs; those of the graphs within go before it."""
        self.foreign: list[tuple[int, str, str]] = []
        """The nodes whose shapes nobody but another domain knows: number, label and domain."""
        self.may_not_run: list[int] = []
        """The nodes in branches and loops that run only with some data of an input."""
        self._of_data: list[bool] = []
        """For each node, whether its outputs depend on the data of inputs."""

    def graph(
        self, graph: Any, path: str, title: str, constants: dict[str, str], makers: dict[str, int]
    ) -> Iterator[dict[str, Any]]:
        """Yield the nodes of a graph, and those of the graphs within.

        `constants` are the names of constants around it, each with what it is, `makers` the nodes
        there by their outputs; the nodes of this graph are added.
        """
        constants |= {each.name: "initializer" for each in graph.initializer}
        constants |= {
            each.output[0]: "constant"
            for each in graph.node
            if each.op_type == "Constant" and each.output
        }
        for place, node in enumerate(graph.node):
            needs = [makers[name] for name in node.input if name in makers]
            scope = self._scopes[path]
            never = never_run(node, scope.constants)
            depends = self._depends(node.input, constants, makers)
            start = len(self.needs)
            for attribute, inner in subgraphs(node):
                if attribute in never:
                    continue
                there = inner_path(path, place, attribute)
                above = f"{title}/" if title else ""
                name = node.name or f"{node.op_type}_{place}"
                used = names_used(inner)
                within = _only(makers, used)
                for number, value in enumerate(inner.input):
                    if number < 2:  # the counter of a loop, and what it carries
                        self._add(needs, of_data=depends and number > 0)
                    within[value.name] = len(self.needs) - 1
                first = len(self.needs)
                yield from self.graph(
                    inner, there, f"{above}{name}/{attribute}", _only(constants, used), within
                )
                if node.op_type in ("If", "Loop") and self._is_open(node, scope, constants, makers):
                    self.may_not_run += range(first, len(self.needs))
            # Where a node within fails, this one does.
            needs = [*needs, *range(start, len(self.needs))]
            where = {"index": place, "number": len(self.needs), "graph": title}
            own = self._operators if node.domain in DOMAINS else foreign.broadcasting(node)
            is_listed = node.op_type in own
            if is_listed:
                yield {**where, **self._node(node, scope, constants)}
            complaint = None if is_listed else self._complaints.get((path, place))
            found = clash(node, scope, self._opset) or (Clash(complaint) if complaint else None)
            if found:
                told = self._described(node, scope, constants, [*node.input])
                yield {**where, **told, "stop": found.message, "axis": found.axis}
            if foreign.is_foreign(node):
                label = node.name or next(iter(node.output), "") or node.op_type
                self.foreign.append((len(self.needs), label, node.domain))
            makers.update((name, len(self.needs)) for name in node.output if name)
            self._add(needs, of_data=depends and node.op_type not in ("Shape", "Size"))

    def _add(self, needs: list[int], *, of_data: bool) -> None:
        """Add a node."""
        self.needs.append(needs)
        self._of_data.append(of_data)

    def _is_open(
        self, node: Any, scope: Scope, constants: Mapping[str, str], makers: Mapping[str, int]
    ) -> bool:
        """Return whether data decides if the graphs within an If or a Loop run."""
        decisive = node.input[:2]  # a condition, or a count and a condition
        return self._depends(
            [name for name in decisive if name not in scope.constants], constants, makers
        )

    def _depends(
        self, names: Iterable[str], constants: Mapping[str, str], makers: Mapping[str, int]
    ) -> bool:
        """Return whether values depend on the data of an input of the model."""
        return any(
            self._of_data[makers[name]] if name in makers else name not in constants
            for name in names
            if name
        )

    def _described(
        self, node: Any, scope: Scope, constants: dict[str, str], inputs: Sequence[str]
    ) -> dict[str, Any]:
        """Return what a line tells of a node and these inputs."""
        values = [scope.constants.get(name) for name in inputs]
        target = values[1] if node.op_type in _WITH_TARGET and len(inputs) > 1 else None
        return {
            "op": node.op_type,
            "domain": node.domain,
            "name": node.name,
            "output": node.output[0] if node.output else "",
            "names": list(inputs),
            "inputs": [self._shape(scope.types.get(name)) if name else None for name in inputs],
            "constant": [constants.get(name, "") for name in inputs],
            "target": None if target is None else target.flatten().tolist(),
        }

    def _node(self, node: Any, scope: Scope, constants: dict[str, str]) -> dict[str, Any]:
        inputs = [
            name
            for place, name in enumerate(node.input)
            if name or place not in self._optional(node.op_type)
        ]
        told = self._described(node, scope, constants, inputs)
        output = told["output"]
        shapes = dict(zip(inputs, told["inputs"], strict=True))
        shapes[output] = self._shape(scope.types.get(output))
        shapes.pop("", None)
        return {
            **told,
            "left_out": [place for place, name in enumerate(inputs) if not name],
            "result": shapes.get(output),
            "attributes": {each.name: each.i for each in node.attribute if each.type == each.INT},
            "heads": _heads(node),
            "declared": [
                (name, declared, found, name in self._outputs)
                for name, found in shapes.items()
                if found is not None and (declared := self._declared.pop(name, found)) != found
            ],
        }

    def _optional(self, operator: str) -> frozenset[int]:
        """Return the indices of an operator's optional inputs."""
        if operator not in self._optional_inputs:
            try:
                inputs = onnx.defs.get_schema(operator, self._opset, "").inputs
            except onnx.defs.SchemaError:  # there is none in this opset
                inputs = []
            self._optional_inputs[operator] = frozenset(
                place
                for place, each in enumerate(inputs)
                if each.option == onnx.defs.OpSchema.FormalParameterOption.Optional
            )
        return self._optional_inputs[operator]

    def _shape(self, type_: Any) -> Dims | None:
        """Return a shape; sizes that inference made up are called u1, u2 and so on, in order."""
        sizes = shape(type_)
        return sizes and [
            self._made_up.setdefault(size, f"u{len(self._made_up) + 1}")
            if isinstance(size, str) and size.startswith(_MADE_UP)
            else size
            for size in sizes
        ]


_Value = TypeVar("_Value")


def _only(values: Mapping[str, _Value], names: Iterable[str]) -> dict[str, _Value]:
    """Return the values that have one of these names."""
    return {name: values[name] for name in names if name in values}


def _heads(node: Any) -> dict[str, int]:
    """Return what the question of an Attention needs to know of it; nothing for others."""
    if node.op_type != "Attention":
        return {}
    heads = {each.name: each.i for each in node.attribute if each.name.endswith("_num_heads")}
    return {**heads, "has_mask": int(any(node.input[3:4]))}
