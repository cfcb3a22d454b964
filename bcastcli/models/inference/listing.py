"""The nodes that broadcast, as lines of plain data."""

from collections.abc import Iterator
from typing import Any

import onnx

from bcastcli.models.inference.folding import Scope, Scopes
from bcastcli.models.inference.model import Prepared, notation
from bcastcli.models.inference.protos import DOMAINS, Dims, inner_path, names_used, shape, subgraphs

_MADE_UP = "unk__"
"""The beginning of names that onnx's inference gives to sizes."""


def lines(
    prepared: Prepared, scopes: Scopes, operators: frozenset[str]
) -> Iterator[dict[str, Any]]:
    """Yield a line about the model, one for each node of these operators, and one about all."""
    yield {
        "opset": prepared.opset,
        "names_no_opset": prepared.names_no_opset,
        "newest_opset": prepared.newest_opset,
        "sizes": prepared.sizes,
        "replaced": [
            (notation(name), declared, prepared.given[name])
            for name, declared in prepared.replaced.items()
        ],
    }
    listing = _Listing(prepared, scopes, operators)
    yield from listing.graph(prepared.proto.graph, "", "", set(), {})
    yield {"needs": listing.needs}


class _Listing:
    def __init__(self, prepared: Prepared, scopes: Scopes, operators: frozenset[str]) -> None:
        self._declared = dict(prepared.declared)
        self._outputs = prepared.outputs
        self._scopes = scopes
        self._operators = operators
        self._opset = prepared.newest_opset or prepared.opset
        self._made_up: dict[str, str] = {}
        self._optional_inputs: dict[str, frozenset[int]] = {}
        self.needs: list[list[int]] = []
        """For each node, those that make its inputs; those of the graphs within go before it."""

    def graph(
        self, graph: Any, path: str, title: str, constants: set[str], makers: dict[str, int]
    ) -> Iterator[dict[str, Any]]:
        """Yield the nodes of a graph, and those of the graphs within.

        `constants` are the names of constants around it, `makers` the nodes there by their outputs;
        the nodes of this graph are added.
        """
        constants |= {each.name for each in graph.initializer}
        constants |= {
            each.output[0] for each in graph.node if each.op_type == "Constant" and each.output
        }
        for place, node in enumerate(graph.node):
            needs = [makers[name] for name in node.input if name in makers]
            for attribute, inner in subgraphs(node):
                there = inner_path(path, place, attribute)
                above = f"{title}/" if title else ""
                name = node.name or f"{node.op_type}_{place}"
                used = names_used(inner)
                within = {name: makers[name] for name in used if name in makers}
                within |= {value.name: len(self.needs) for value in inner.input}
                self.needs.append(needs)
                yield from self.graph(
                    inner, there, f"{above}{name}/{attribute}", constants & used, within
                )
                needs = [
                    *needs,
                    *(within[value.name] for value in inner.output if value.name in within),
                ]
            if node.domain in DOMAINS and node.op_type in self._operators:
                line = self._node(node, self._scopes[path], constants)
                yield {"index": place, "number": len(self.needs), "graph": title, **line}
            makers.update((name, len(self.needs)) for name in node.output if name)
            self.needs.append(needs)

    def _node(self, node: Any, scope: Scope, constants: set[str]) -> dict[str, Any]:
        inputs = [
            name
            for place, name in enumerate(node.input)
            if name or place not in self._optional(node.op_type)
        ]
        output = node.output[0] if node.output else ""
        shapes = {name: self._shape(scope.types.get(name)) for name in (*inputs, output) if name}
        target = scope.constants.get(inputs[1]) if len(inputs) > 1 else None
        return {
            "op": node.op_type,
            "name": node.name,
            "output": output,
            "inputs": [shapes.get(name) for name in inputs],
            "left_out": [place for place, name in enumerate(inputs) if not name],
            "result": shapes.get(output),
            "constant": [name in constants for name in inputs],
            "target": target.flatten().tolist()
            if node.op_type == "Expand" and target is not None
            else None,
            "attributes": {each.name: each.i for each in node.attribute if each.type == each.INT},
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
