"""OpenVINO's IR, versions 10 and 11: layers whose ports have sizes, in XML.

The sizes on the port that an edge comes from count: the port it leads to only repeats them.
"""

import json  # noqa: TID253  # this module is loaded only where an IR is read
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from bcastcli.core.shapes import Shape, Size
from bcastcli.model.nodes import (
    Contradiction,
    Given,
    Model,
    ModelError,
    Node,
    Stop,
    contradict,
    otherwise,
)
from bcastcli.operators import questions
from bcastcli.operators.table import OperatorError

MAX_DEPTH = 12
_PIECE = 1 << 20

# Layers that broadcast, with the equivalent ONNX operator; those without one follow NumPy's rule.
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


class _Port(NamedTuple):
    id: str
    sizes: list[Size]
    names: str


class _Layer(NamedTuple):
    """A layer, as in the file."""

    id: str
    name: str
    type: str
    data: Mapping[str, str]
    inputs: list[_Port]
    outputs: list[_Port]


class _Graph(NamedTuple):
    path: str
    layers: list[_Layer]
    edges: dict[tuple[str, str], tuple[str, str]]
    """The edges: from the target's layer and port to the source's."""


class _Builder(ElementTree.TreeBuilder):
    """The tree of an IR; other XML is read only until it is recognized as such."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0
        self.layers: dict[ElementTree.Element, _Layer] = {}
        """The layers that were read; of their elements only the bodies are kept."""

    def doctype(self, *_: Any) -> None:
        raise ModelError("the XML declares a document type, which OpenVINO IR files never do")

    def start(self, tag: str, attributes: dict[str, str], /) -> ElementTree.Element:
        if not self._depth:
            _check_root(tag, attributes)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ModelError(f"the XML is nested more than {MAX_DEPTH} levels deep")
        return super().start(tag, attributes)

    def end(self, tag: str, /) -> ElementTree.Element:
        self._depth -= 1
        element = super().end(tag)
        if tag == "layer":
            self.layers[element] = _layer(element)
            element[:] = [each for each in element if each.tag in _BODIES]
        return element


def _layer(element: ElementTree.Element) -> _Layer:
    return _Layer(
        element.get("id", ""),
        element.get("name", ""),
        element.get("type", ""),
        next((data.attrib for data in element.iterfind("data")), {}),
        [*map(_port, element.iterfind("input/port"))],
        [*map(_port, element.iterfind("output/port"))],
    )


def _graphs(
    root: ElementTree.Element, known: Mapping[ElementTree.Element, _Layer], path: str = ""
) -> Iterator[_Graph]:
    """Yield a graph, and those in its layers; `known` holds the layers by their elements."""
    elements = root.findall("layers/layer")
    layers = [known[each] for each in elements]
    keys = "to-layer", "to-port", "from-layer", "from-port"
    ends = [[each.get(key, "") for key in keys] for each in root.iterfind("edges/edge")]
    yield _Graph(path, layers, {(to, at): (source, port) for to, at, source, port in ends})
    for layer, each in zip(layers, elements, strict=True):
        for inner in each:
            if inner.tag in _BODIES:
                inner_path = "/".join(filter(None, (path, layer.name, inner.tag)))
                yield from _graphs(inner, known, inner_path)


def _port(element: ElementTree.Element) -> _Port:
    sizes = [_size((each.text or "")[:100]) for each in element.iterfind("dim")]
    return _Port(element.get("id", ""), sizes, element.get("names", ""))


def read(data: memoryview, given: Given, path: Path | None = None) -> Model:
    """Return the model in an OpenVINO IR; raise ModelError if it is not one.

    The ports have the shapes; for others that are given, OpenVINO reads the file at the path.
    """
    builder = _Builder()
    parser = ElementTree.XMLParser(target=builder)  # noqa: S314  # it refuses entities
    try:
        for start in range(0, len(data), _PIECE):
            parser.feed(data[start : start + _PIECE])
        found = [*_graphs(parser.close(), builder.layers)]
    except ElementTree.ParseError as error:
        what = expat.ErrorString(error.code)
        raise ModelError(f"line {error.position[0]} is not XML: {what}") from error
    own = _Reader(found[0]).inputs()
    reshaped = _reshaped(path, len(data), given, own)
    if "error" in reshaped:
        raise ModelError(reshaped["error"])
    readers = [_Reader(graph, {} if place else reshaped) for place, graph in enumerate(found)]
    nodes = [node for reader in readers for node in reader.nodes()]
    if "refused" not in reshaped:
        left = {name: shape for name, shape in own.items() if shape and "?" in shape}
        return Model("openvino", nodes, open_inputs={} if given else left)
    return _stopped(nodes, reshaped)


def _stopped(nodes: Sequence[Node], reshaped: Mapping[str, Any]) -> Model:
    """Return a model with layers that OpenVINO refuses; layers that need these lack shapes."""
    refused = {each["name"]: (number, each) for number, each in enumerate(reshaped["refused"])}
    numbers = {name: number for name, (number, _) in refused.items()}
    first = next(iter(numbers))
    decided = {*reshaped.get("shapes", ())} - {*reshaped.get("behind", ())}
    listed = []
    for node in nodes:
        if node.name in refused and not node.graph:
            number, refusal = refused[node.name]
            inputs = tuple(map(tuple, refusal["inputs"]))
            own = node._replace(number=number, inputs=inputs, contradictions=(), declared=None)
            try:
                asked = questions.of_node(own.question_name, own.inputs, own.options, None)
            except OperatorError:
                asked = None
            if asked and questions.answer(asked).ok is False:  # its rule explains why
                del refused[node.name]
            listed.append(own)
        elif node.name in decided and not node.graph:  # graphs within are not reshaped
            listed.append(node)
        else:
            source = reshaped.get("behind", {}).get(node.name, first)
            number = len(numbers) + numbers[source]
            listed.append(node._replace(number=number, contradictions=(), declared=None))
    stops = []
    for name, (number, each) in refused.items():
        shapes, names = tuple(map(tuple, each["inputs"])), tuple(each["names"])
        at = Node(each["operator"], "", shapes, name, name, name, number=number, names=names)
        stops.append(Stop(at, f"OpenVINO reports: {each['message']}"))
    needs = [*([] for _ in numbers), *([number] for number in numbers.values())]
    return Model("openvino", listed, needs=needs, stops=stops)


def _reshaped(
    path: Path | None, size: int, given: Given, own: Mapping[str, Shape | None]
) -> Mapping[str, Any]:
    """Return OpenVINO's result for the given shapes; empty if they are the file's own."""
    way = "to give another shape, pip install 'bcastcli[openvino]'"
    without = otherwise(given, own, way)
    if not without:
        return {}
    if path is None:
        raise ModelError("OpenVINO reshapes files, not standard input")
    from bcastcli.model import processes

    request = json.dumps(given).encode()
    module, limited = "bcastcli.model.reshaping", processes.limits(size)
    [found] = processes.run(module, [str(path)], request, limited, without, 1)
    return found


def _check_root(tag: str, attributes: Mapping[str, str]) -> None:
    if tag != "net":
        raise ModelError("this XML file is not an OpenVINO IR: its root element is not <net>")
    if not re.fullmatch("[1-9][0-9]+", attributes.get("version", "")):
        way = "convert the model again with today's OpenVINO"
        raise ModelError(f"this OpenVINO IR is older than version 10: {way}")


def _size(text: str) -> Size:
    """Return the size in a <dim>, unknown for -1 and bounds; raise ModelError for other text."""
    text = text.strip()
    if not re.fullmatch(r"[0-9]{1,18}|-1|\?|[0-9]*\.\.[0-9]*", text):
        raise ModelError(f"a <dim> holds {text or 'nothing'}, which is not a size")
    return int(text) if text.isdecimal() else "?"


class _Reader:
    """The nodes of a graph."""

    def __init__(self, graph: _Graph, reshaped: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Take the graph, and OpenVINO's result if it reshaped the model."""
        self._graph = graph
        self._axes: Mapping[str, list[int]] = reshaped.get("axes", {})
        shapes = reshaped.get("shapes", {})
        self._known: dict[tuple[str, str], Shape | None] = {
            (layer.id, port.id): None if shape is None else tuple(shape)
            for layer in graph.layers
            for port, shape in zip(layer.outputs, shapes.get(layer.name, ()), strict=False)
        }
        self._by_id = {layer.id: layer for layer in graph.layers}
        # A port without sizes is a scalar's, or one of unknown rank: the file writes both alike.
        inputs = (layer for layer in graph.layers if layer.type == "Parameter")
        self._ranks_are_known = all("..." not in each.data.get("shape", "") for each in inputs)

    def inputs(self) -> dict[str, Shape | None]:
        """Return the model's inputs, by all of their names."""
        found = {}
        for layer in self._graph.layers:
            for port in layer.outputs if layer.type == "Parameter" else ():
                for name in filter(None, (layer.name, *port.names.split(","))):
                    found[name] = self._shape(layer, port)
        return found

    def nodes(self) -> Iterator[Node]:
        for place, layer in enumerate(self._graph.layers):
            if layer.type in _OTHERS or layer.type in _OPERATORS:
                yield self._node(layer, place)

    def _node(self, layer: _Layer, place: int) -> Node:
        found = [self._input(layer, port) for port in layer.inputs]
        shapes, kinds, wrong, names = zip(*found, strict=True) if found else ((),) * 4
        output = layer.outputs[0] if layer.outputs else None
        node = Node(
            operator=layer.type,
            question_name=_OPERATORS.get(layer.type, ""),
            inputs=shapes,
            names=names,
            output=(output.names if output else "") or layer.name,
            label=layer.name or f"{layer.type} {place}",
            name=layer.name,
            position=place,
            graph=self._graph.path,
            constant=kinds,
            contradictions=tuple(filter(None, wrong)),
            declared=output and self._shape(layer, output),
        )
        if layer.type == "Broadcast":
            return _broadcast(node, layer.data, self._axes.get(layer.name))
        return _ASK.get(layer.type, _elementwise)(node, layer.data)

    def _input(
        self, layer: _Layer, port: _Port
    ) -> tuple[Shape | None, str, Contradiction | None, str]:
        """Return the shape at a port, the kind of constant, any contradiction, and the name."""
        declared = tuple(port.sizes)
        source_id, port_id = self._graph.edges.get((layer.id, port.id), ("", ""))
        source = self._by_id.get(source_id)
        for output in source.outputs if source else ():
            if source and output.id == port_id:
                shape, wrong = self._shape(source, output), None
                is_declared = (source.id, port_id) not in self._known
                if is_declared and shape is not None and contradict(declared, shape):
                    wrong = Contradiction(f"port {port.id}", declared, shape)
                return shape, "constant" if source.type == "Const" else "", wrong, source.name
        return self._scalar_unless(declared), "", None, ""

    def _shape(self, layer: _Layer, port: _Port) -> Shape | None:
        """Return the shape at a port of a layer; None if its rank is unknown."""
        if (layer.id, port.id) in self._known:
            return self._known[layer.id, port.id]
        if port.sizes:
            return tuple(port.sizes)
        if layer.type in ("Const", "Parameter"):
            return None if "..." in layer.data.get("shape", "") else ()
        if layer.type == "Reshape" and len(layer.inputs) > 1:
            # An empty list of sizes makes a scalar.
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
    if mode != "pdpd":
        return node._replace(problem=f"its auto_broadcast is {mode}, not numpy, none or pdpd")
    if node.operator == "Select" or len(node.inputs) != 2:
        return node._replace(undecidable="its three inputs follow pdpd's rule two at a time")
    node, axis = node._replace(question_name="pdpd"), data.get(_AXIS, "0").strip()
    if not axis.removeprefix("-").isdecimal() or len(axis) > 18:
        return node._replace(problem="its auto_broadcast_axis is not a number")
    remark = f"{_AXIS} decides (0 if missing): OpenVINO does not read axis"
    return node._replace(options={"axis": int(axis)}, remarks=(remark,) if "axis" in data else ())


_AXIS = "auto_broadcast.auto_broadcast_axis"


def _prelu(node: Node, _: Mapping[str, str]) -> Node:
    given, slope = node.inputs if len(node.inputs) == 2 else (None, None)
    if given is None or slope is None or len(slope) != 1 or len(given) < 2:
        return node._replace(question_name="PRelu")
    # A slope of one axis is OpenVINO's channels, axis 1.
    axis = 1 if slope != (1,) else len(given) - 1
    return node._replace(question_name="pdpd", options={"axis": axis})


def _broadcast(node: Node, data: Mapping[str, str], axes: Sequence[int] | None) -> Node:
    """Ask about the result's shape, since the target's values are in another file.

    `axes` are those that the axes of the input go to, where they are known.
    """
    mode, inputs = data.get("mode", "numpy"), (*node.inputs[:1], node.declared)
    node = node._replace(inputs=inputs, constant=node.constant[:2])
    if mode == "explicit" and axes is not None:
        return node._replace(question_name="explicit", options={"axes": tuple(axes)})
    why = "" if mode in ("numpy", "bidirectional") else f"its mode is {mode}"
    return node._replace(question_name="bidirectional", undecidable=why)


def _matmul(node: Node, data: Mapping[str, str]) -> Node:
    flips = {f"trans_{side}": data.get(f"transpose_{side}", "").lower() for side in "ab"}
    options = {name: 1 for name, value in flips.items() if value in ("true", "1")}
    return node._replace(question_name="MatMul", options=options)


_ASK = {"MatMul": _matmul, "PReLU": _prelu}
