"""OpenVINO's IR, versions 10 and 11: layers whose ports have sizes, in XML.

The sizes on the port that an edge comes from count: the port it leads to only repeats them.
"""

import json  # noqa: TID253  # this module is loaded only where an IR is read
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from xml.parsers import expat

from bcastcli.core.shapes import UNKNOWN_RANK, Shape, Size, written
from bcastcli.models.nodes import (
    Contradiction,
    Given,
    Model,
    ModelError,
    Node,
    Stop,
    UnknownName,
    contradict,
)

MAX_DEPTH = 12
MIN_VERSION = 10
_PIECE = 1 << 20

# Layers that broadcast, by the ONNX operator that asks the same; those that have none follow
# NumPy's rule all the same.
_OPERATORS = {
    "Add": "Add", "Subtract": "Sub", "Multiply": "Mul", "Divide": "Div", "Power": "Pow",
    "Maximum": "Max", "Minimum": "Min", "Equal": "Equal", "Less": "Less",
    "LessEqual": "LessOrEqual", "Greater": "Greater", "GreaterEqual": "GreaterOrEqual",
    "LogicalAnd": "And", "LogicalOr": "Or", "LogicalXor": "Xor", "Mod": "Mod",
    "BitwiseAnd": "BitwiseAnd", "BitwiseOr": "BitwiseOr", "BitwiseXor": "BitwiseXor",
    "Select": "Where", "NotEqual": "numpy", "FloorMod": "numpy", "SquaredDifference": "numpy",
    "BitwiseLeftShift": "numpy", "BitwiseRightShift": "numpy", "FakeQuantize": "numpy",
}  # fmt: skip
_OTHERS = ("Broadcast", "MatMul", "PReLU")
_BODIES = ("body", "then_body", "else_body")
# In place of a tag: what was begun by it, and ends with it.
_LAYER, _BODY = "a layer", "a body"


class _Layer:
    """A layer, as in the file."""

    def __init__(self, attributes: Mapping[str, str], graph: str, place: int) -> None:
        self.id = attributes.get("id", "")
        self.name = attributes.get("name", "")
        self.type = attributes.get("type", "")
        self.graph = graph
        self.place = place
        self.data: Mapping[str, str] = {}
        self.inputs: list[_Port] = []
        self.outputs: list[_Port] = []


class _Port(NamedTuple):
    id: str
    sizes: list[Size]
    names: str


class _Graph(NamedTuple):
    path: str
    layers: list[_Layer]
    edges: dict[tuple[str, str], tuple[str, str]]
    """For each layer and port that an edge leads to, those that it comes from."""


class _Parser:
    """The handlers that expat calls as it reads."""

    def __init__(self) -> None:
        self.graphs: list[_Graph] = []
        self._open: list[_Graph] = []
        self._path: list[str] = []
        self._layers: list[_Layer] = []
        self._ports: list[_Port] = []
        self._text = ""

    def refuse_doctype(self, *_: Any) -> None:
        raise ModelError("the XML declares a document type, which an OpenVINO IR never does")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        path = self._path
        if not path:
            _check_root(tag, attributes)
            self._enter("")
        within = path[-1] if path else ""
        path.append(tag)
        if len(path) > MAX_DEPTH:
            raise ModelError(f"the XML is nested more than {MAX_DEPTH} levels deep")
        layer = self._layers[-1] if self._layers else None
        if tag == "layer" and within == "layers":
            graph = self._open[-1]
            self._layers.append(_Layer(attributes, graph.path, len(graph.layers)))
            graph.layers.append(self._layers[-1])
            path[-1] = _LAYER
        elif tag == "edge" and within == "edges":
            source = attributes.get("from-layer", ""), attributes.get("from-port", "")
            target = attributes.get("to-layer", ""), attributes.get("to-port", "")
            self._open[-1].edges[target] = source
        elif tag == "dim":
            self._text = ""
        elif layer is not None:
            self._start_in_layer(layer, tag, within, attributes)

    def _start_in_layer(
        self, layer: _Layer, tag: str, within: str, attributes: dict[str, str]
    ) -> None:
        if tag in _BODIES and within == _LAYER:
            above = f"{layer.graph}/" if layer.graph else ""
            self._enter(f"{above}{layer.name}/{tag}")
            self._path[-1] = _BODY
        elif tag == "data" and within == _LAYER:
            layer.data = attributes
        elif tag == "port" and within in ("input", "output"):
            port = _Port(attributes.get("id", ""), [], attributes.get("names", ""))
            (layer.inputs if within == "input" else layer.outputs).append(port)
            self._ports = [port]

    def _enter(self, path: str) -> None:
        self._open.append(_Graph(path, [], {}))
        self.graphs.append(self._open[-1])

    def characters(self, text: str) -> None:
        if self._path[-1] == "dim":
            self._text += text[:100]

    def end(self, _: str) -> None:
        tag = self._path.pop()
        if tag == "dim" and self._ports and self._path[-1] == "port":
            self._ports[0].sizes.append(_size(self._text))
        elif tag == "port":
            self._ports = []
        elif tag == _LAYER:
            self._layers.pop()
        elif tag == _BODY:
            self._open.pop()


def read(data: memoryview, given: Given, path: Path | None = None) -> Model:
    """Return the model in an OpenVINO IR; raise ModelError if there is none.

    The ports have the shapes; for others that are given, OpenVINO reads the file at the path.
    """
    parser = _Parser()
    xml = expat.ParserCreate()
    xml.buffer_text = True
    xml.StartDoctypeDeclHandler = parser.refuse_doctype
    xml.StartElementHandler = parser.start
    xml.EndElementHandler = parser.end
    xml.CharacterDataHandler = parser.characters
    try:
        for start in range(0, len(data), _PIECE):
            xml.Parse(bytes(data[start : start + _PIECE]), False)
        xml.Parse(b"", True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise ModelError(f"line {error.lineno} is not XML: {what}") from error
    own = _Reader(parser.graphs[0]).inputs()
    reshaped = _reshaped(path, len(data), given, own)
    if "error" in reshaped:
        raise ModelError(reshaped["error"])
    readers = [
        _Reader(graph, {} if place else reshaped) for place, graph in enumerate(parser.graphs)
    ]
    nodes = [node for reader in readers for node in reader.nodes()]
    if "message" not in reshaped:
        left = {name: shape for name, shape in own.items() if shape and "?" in shape}
        return Model("openvino", nodes, open_inputs={} if given else left)
    names, inputs = tuple(reshaped["names"]), tuple(map(tuple, reshaped["inputs"]))
    name, operator = reshaped["name"], reshaped["operator"]
    refused = Node(operator, "", inputs, name, name, name, number=0, names=names)
    # OpenVINO tells no shape then: everything else counts as behind it.
    behind = [node._replace(number=1, contradictions=(), declared=None) for node in nodes]
    stops = [Stop(refused, f"OpenVINO says: {reshaped['message']}")]
    return Model("openvino", behind, needs=([], [0]), stops=stops)


def _reshaped(
    path: Path | None, size: int, given: Given, own: Mapping[str, Shape | None]
) -> Mapping[str, Any]:
    """Return what OpenVINO says of the given shapes; nothing where they are the file's own."""
    if all(name in own and own[name] == shape for name, shape in given.items()):
        return {}
    for name in given:
        if name not in own:
            raise UnknownName(name, [*own], [])
    if path is None:
        raise ModelError("OpenVINO reshapes files, not standard input")
    from bcastcli.models import processes

    name = next(iter(given))
    declared = own[name]
    shown = written(UNKNOWN_RANK if declared is None else declared)
    way = "to give another shape, pip install 'bcastcli[openvino]'"
    without = f"the file is made for {name}={shown}: {way}"
    request = json.dumps(given).encode()
    module, limited = "bcastcli.models.reshaping", processes.limits(size)
    [found] = processes.run(module, [str(path)], request, limited, without, 1)
    return found


def _check_root(tag: str, attributes: Mapping[str, str]) -> None:
    if tag != "net":
        raise ModelError("this XML file is not an OpenVINO IR: its root element is not <net>")
    version = attributes.get("version", "")
    if not (version.isdecimal() and len(version) < 9 and int(version) >= MIN_VERSION):
        raise ModelError(
            "this OpenVINO IR is older than version 10: convert the model again with "
            "today's OpenVINO"
        )


def _size(text: str) -> Size:
    """Return the size in a <dim>, unknown for -1 and bounds; raise ModelError for other text."""
    text = text.strip()
    if not re.fullmatch(r"[0-9]{1,18}|-1|\?|[0-9]*\.\.[0-9]*", text):
        raise ModelError(f"a <dim> holds {text or 'nothing'}, which is not a size")
    return int(text) if text.isdecimal() else "?"


class _Reader:
    """The nodes of a graph."""

    def __init__(self, graph: _Graph, reshaped: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Take OpenVINO's shapes of the layers' outputs, where it has reshaped the model."""
        self._graph = graph
        self._axes: Mapping[str, list[int]] = reshaped.get("axes", {})
        self._known: dict[tuple[str, str], Shape | None] = {
            (layer.id, port.id): None if shape is None else tuple(shape)
            for layer in graph.layers
            for port, shape in zip(
                layer.outputs, reshaped.get("shapes", {}).get(layer.name, ()), strict=False
            )
        }
        self._by_id = {layer.id: layer for layer in graph.layers}
        # A port without sizes is a scalar's, or one of unknown rank: the file writes both alike.
        self._ranks_are_known = all(
            "..." not in layer.data.get("shape", "")
            for layer in graph.layers
            if layer.type == "Parameter"
        )

    def inputs(self) -> dict[str, Shape | None]:
        """Return the model's inputs, by all of their names."""
        found = {}
        for layer in self._graph.layers:
            for port in layer.outputs if layer.type == "Parameter" else ():
                for name in (layer.name, *port.names.split(",")):
                    found[name] = self._shape(layer, port)
        return {name: shape for name, shape in found.items() if name}

    def nodes(self) -> Iterator[Node]:
        for layer in self._graph.layers:
            if layer.type in _OTHERS or layer.type in _OPERATORS:
                yield self._node(layer)

    def _node(self, layer: _Layer) -> Node:
        found = [self._input(layer, port) for port in layer.inputs]
        output = layer.outputs[0] if layer.outputs else None
        result = None if output is None else self._shape(layer, output)
        node = Node(
            operator=layer.type,
            question_name=_OPERATORS.get(layer.type, ""),
            inputs=tuple(shape for shape, *_ in found),
            names=tuple(name for *_, name in found),
            output=(output.names if output else "") or layer.name,
            label=layer.name or f"{layer.type} {layer.place}",
            name=layer.name,
            position=layer.place,
            graph=layer.graph,
            constant=tuple("constant" if is_constant else "" for _, is_constant, *_ in found),
            contradictions=tuple(wrong for _, _, wrong, _ in found if wrong),
            declared=result,
        )
        ask = _ASK.get(layer.type, _elementwise)
        if layer.name in self._axes:
            return _explicit(node, layer.data, self._axes[layer.name])
        return ask(node, layer.data)

    def _input(
        self, layer: _Layer, port: _Port
    ) -> tuple[Shape | None, bool, Contradiction | None, str]:
        """Return the shape at a port, whether it is a constant's, any objection, and its name."""
        declared = tuple(port.sizes)
        source_id, port_id = self._graph.edges.get((layer.id, port.id), ("", ""))
        source = self._by_id.get(source_id)
        outputs = [each for each in source.outputs if each.id == port_id] if source else []
        if source is None or not outputs:
            return self._scalar_unless(declared), False, None, ""
        shape = self._shape(source, outputs[0])
        wrong = None
        is_declared = (source.id, port_id) not in self._known
        if is_declared and shape is not None and contradict(declared, shape):
            wrong = Contradiction(f"port {port.id}", declared, shape)
        return shape, source.type == "Const", wrong, source.name

    def _shape(self, layer: _Layer, port: _Port) -> Shape | None:
        """Return the shape at a port of a layer; None where its rank is not known."""
        if (layer.id, port.id) in self._known:
            return self._known[layer.id, port.id]
        if port.sizes:
            return tuple(port.sizes)
        if layer.type in ("Const", "Parameter"):
            return None if "..." in layer.data.get("shape", "") else ()
        if layer.type == "Reshape" and len(layer.inputs) > 1:
            # A scalar is what an empty list of sizes asks for.
            return () if layer.inputs[1].sizes == [0] else None
        if layer.type in _OPERATORS and any(each.sizes for each in layer.inputs):
            return None
        return self._scalar_unless(())

    def _scalar_unless(self, sizes: Shape) -> Shape | None:
        return sizes if sizes or self._ranks_are_known else None


def _elementwise(node: Node, data: Mapping[str, str]) -> Node:
    mode = data.get("auto_broadcast", "numpy")
    if mode == "numpy":
        return node
    if mode in ("none", "explicit"):
        return node._replace(question_name="none")
    if mode == "pdpd":
        if node.operator == "Select" or len(node.inputs) != 2:
            return node._replace(undecidable="its three inputs follow pdpd's rule two at a time")
        axis = data.get("auto_broadcast.auto_broadcast_axis", "0").strip()
        if not axis.removeprefix("-").isdecimal() or len(axis) > 18:
            return node._replace(
                question_name="pdpd", problem="its auto_broadcast_axis is not a number"
            )
        remarks = (_AXIS_IS_NOT_READ,) if "axis" in data else ()
        return node._replace(question_name="pdpd", options={"axis": int(axis)}, remarks=remarks)
    return node._replace(problem=f"its auto_broadcast is {mode}, not numpy, none or pdpd")


_AXIS_IS_NOT_READ = (
    "auto_broadcast.auto_broadcast_axis decides (0 if missing): OpenVINO does not read axis"
)


def _prelu(node: Node, _: Mapping[str, str]) -> Node:
    slope = node.inputs[1] if len(node.inputs) == 2 else None
    given = node.inputs[0] if node.inputs else None
    if given is None or slope is None or len(slope) != 1 or len(given) < 2:
        return node._replace(question_name="PRelu")
    # A slope of one axis is OpenVINO's channels, axis 1.
    return node._replace(
        question_name="pdpd", options={"axis": 1 if slope != (1,) else len(given) - 1}
    )


def _broadcast(node: Node, data: Mapping[str, str]) -> Node:
    """Ask about the result's shape, since the target's values are in another file."""
    mode = data.get("mode", "numpy")
    return node._replace(
        question_name="bidirectional",
        inputs=(*node.inputs[:1], node.declared),
        constant=node.constant[:2],
        undecidable="" if mode in ("numpy", "bidirectional") else f"its mode is {mode}",
        declared=None,
    )


def _explicit(node: Node, data: Mapping[str, str], axes: Sequence[int]) -> Node:
    """Ask about the axes that the axes of the input go to."""
    asked = _broadcast(node, data)
    if data.get("mode") != "explicit":
        return asked
    return asked._replace(question_name="explicit", options={"axes": tuple(axes)}, undecidable="")


def _matmul(node: Node, data: Mapping[str, str]) -> Node:
    flips = {f"trans_{side}": data.get(f"transpose_{side}", "").lower() for side in "ab"}
    options = {name: 1 for name, value in flips.items() if value in ("true", "1")}
    return node._replace(question_name="MatMul", options=options)


_ASK: Mapping[str, Callable[[Node, Mapping[str, str]], Node]] = {
    "Broadcast": _broadcast,
    "MatMul": _matmul,
    "PReLU": _prelu,
}
