"""Readers of model files: what becomes of a file, and what is said of one that is none (model/)."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from bcastcli.model import files, openvino, pnnx
from bcastcli.model.findings import find
from bcastcli.model.nodes import Contradiction, ModelError, Node
from tests.model_files import layer, layers
from tests.model_files import openvino as ir
from tests.model_files import pnnx as param
from tests.rows import each_row

EDGES = [(0, 0, 2, 0), (1, 0, 2, 1)]


def read_ir(data: bytes) -> Sequence[Node]:
    return openvino.read(memoryview(data), {}).nodes


def read_param(*lines: str) -> Sequence[Node]:
    return pnnx.read(memoryview(param(*lines)), {}).nodes


# Files


PICKLE = "this is a pickle (PyTorch?), which is never loaded: export it to ONNX"
TORCH = "this is a PyTorch file (.pt, .pt2): export it with torch.onnx.export"
ZIP = "this is a zip archive: unpack it, and name the model in it"


@each_row(
    ("content", "complaint"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04\x14\x00", ZIP),
        (b"PK\x03\x04" + bytes(25) + b"a/data.pkl", ZIP),
        (b"PK\x03\x04" + bytes(26) + b"a/data/weights", TORCH),
        (b"PK\x03\x04" + bytes(26) + b"archive/data.pkl", TORCH),
        (b"PK\x03\x04" + bytes(26) + b"a" * 99 + b"/models/", TORCH),
        (b"PK\x03\x04" + bytes(26) + b"a/archive_format", TORCH),
        (b"PK\x05\x06", "this is an empty zip archive"),
        (b"\x1f\x8b\x08", "this is a gzip file: unpack it first"),
        (b"\x89HDF\r\n", "this is an HDF5 file (Keras?): export it to ONNX first"),
        *((bytes([0x80, version, 0x95, 0x2E]), PICKLE) for version in range(2, 6)),
    ],
)
def test_files_that_hold_no_model(tmp_path: Path, content: bytes, complaint: str) -> None:
    """The content decides, whatever the name promises."""
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=f"^{re.escape(complaint)}$"):
        files.detect_format(files.map_file(path))


@each_row(
    ("content", "format_"),
    [
        (b'\xef\xbb\xbf<?xml version="1.0"?><net/>', "openvino"),
        (param("pnnx.Input a 0 1 0"), "pnnx"),
        (b"\x08\x08\x3a\x00", "onnx"),
    ],
)
def test_formats_are_told_by_content(tmp_path: Path, content: bytes, format_: str) -> None:
    """Each format is recognized by how the file begins."""
    path = tmp_path / "model.txt"
    path.write_bytes(content)
    assert files.detect_format(files.map_file(path)) == format_


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        *(("missing.onnx", "no such file"), ("", "this is a directory"), ("pipe", "not a file")),
        ("m.mlpackage", "Core ML package, which is not read: give the model that it was made of"),
    ],
)
def test_what_is_no_file(tmp_path: Path, name: str, complaint: str) -> None:
    """What is missing, or no file, gets one sentence."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "m.mlpackage").mkdir()
    with pytest.raises(ModelError, match=complaint):
        files.map_file(tmp_path / name)


def test_a_system_that_gives_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """It denied access."""
    monkeypatch.setattr("mmap.mmap", Mock(side_effect=OSError))
    with pytest.raises(ModelError, match=r"^cannot read: the system denied access"):
        files.map_file(Path(__file__))


# OpenVINO


def test_a_layer_that_broadcasts() -> None:
    """A layer becomes a node with its shapes, its name and which inputs are constant."""
    data = ir(
        layer(0, "Parameter", "2,3", name="x"),
        layer(1, "Const", "3"),
        layer(2, "Multiply", "2,3", ["2,3", "3"], auto_broadcast="numpy"),
        layer(3, "ReLU", "2,3", ["2,3"]),
        edges=EDGES,
    )
    [node] = read_ir(data)
    assert (node.operator, node.question_name, node.inputs) == ("Multiply", "Mul", ((2, 3), (3,)))
    assert (node.label, node.position, node.constant) == ("multiply2", 2, ("", "constant"))


PDPD = {"auto_broadcast": "pdpd"}
AXIS = "auto_broadcast__auto_broadcast_axis"


@each_row(
    ("type_", "shapes", "attributes", "asked", "told"),
    [
        ("Add", "2,3 3", {}, ("Add", {}), ""),
        ("Add", "2,3 3", {"auto_broadcast": "none"}, ("none", {}), ""),
        ("Add", "2,3 3", PDPD, ("pdpd", {"axis": 0}), ""),
        ("Add", "2,3 3", {**PDPD, AXIS: "1"}, ("pdpd", {"axis": 1}), ""),
        (
            *("Add", "2,3 3", {**PDPD, "axis": "1"}, ("pdpd", {"axis": 0})),
            AXIS.replace("__", ".") + " decides (0 if missing): OpenVINO does not read axis",
        ),
        (
            "Add",
            "2,3 3",
            {**PDPD, AXIS: "x"},
            ("pdpd", {}),
            "its auto_broadcast_axis is not a number",
        ),
        (
            *("Add", "2,3 3", {"auto_broadcast": "sideways"}, ("Add", {})),
            "its auto_broadcast is sideways, not numpy, none or pdpd",
        ),
        ("Select", "2,3 3 3", {"auto_broadcast": "numpy"}, ("Where", {}), ""),
        ("MatMul", "2,3 5,3", {"transpose_b": "true"}, ("MatMul", {"trans_b": 1}), ""),
        ("Broadcast", "3 2", {"mode": "bidirectional"}, ("bidirectional", {}), ""),
        # Its target and its axes are in another file.
        ("Broadcast", "3 2 1", {"mode": "explicit"}, ("bidirectional", {}), "its mode is explicit"),
        # OpenVINO takes a slope of one axis for channels, but a single element for all values.
        ("PReLU", "1,3,2,3 3", {}, ("pdpd", {"axis": 1}), ""),
        ("PReLU", "1,3,2,3 1", {}, ("pdpd", {"axis": 3}), ""),
        ("PReLU", "3 3", {}, ("PRelu", {}), ""),
        ("PReLU", "1,3,2,3 3,1,1", {}, ("PRelu", {}), ""),
    ],
)
def test_what_a_layer_asks(
    type_: str, shapes: str, attributes: dict[str, str], asked: Any, told: str
) -> None:
    """The type and the attributes of a layer decide the rule, and what is said of it."""
    [node] = read_ir(ir(layer(0, type_, "2,3", shapes.split(), **attributes)))
    assert (node.question_name, node.options) == asked
    assert [*node.remarks, *filter(None, (node.problem, node.undecidable))] == [told] * bool(told)


def test_the_sizes_that_an_edge_brings_count() -> None:
    """The sizes of the layer before count more than those of the port, and both are kept."""
    [node] = read_ir(
        ir(
            layer(0, "Parameter", "2,3"),
            layer(1, "Parameter", "-1"),
            layer(2, "Add", "2,3", ["9,9", "-1"]),
            edges=EDGES,
        )
    )
    assert node.inputs == ((2, 3), ("?",))
    assert node.contradictions == (Contradiction("port 0", (9, 9), (2, 3)),)


def test_a_port_without_sizes() -> None:
    """It is a scalar's, or that of a value whose rank is not known."""
    scalar, anything = (
        ir(
            layer(0, "Parameter", "", shape=shape),
            layer(1, "ReLU", "", [""]),
            layer(2, "Add", "", ["", "3"]),
            edges=[(0, 0, 1, 0), (1, 1, 2, 0)],
        )
        for shape in ("", "...")
    )
    assert [node.inputs[0] for data in (scalar, anything) for node in read_ir(data)] == [(), None]
    both = layer(0, "Parameter", "", shape="..."), layer(1, "Const", "", shape="")
    [node] = read_ir(ir(*both, layer(2, "Add", "", ["", ""]), edges=EDGES))
    assert node.inputs == (None, ())


@each_row(("text", "size"), [(" 3 ", 3), ("-1", "?"), ("?", "?"), ("1..7", "?")])
def test_the_text_of_a_size(text: str, size: int | str) -> None:
    """A size is a number; -1 and bounds stand for one that is not known."""
    [node] = read_ir(ir(layer(0, "Add", "", [text, "3"])))
    assert node.inputs[0] == (size,)


@pytest.mark.parametrize(
    ("shape", "given", "is_taken"),
    [
        ("2,3", (2, 3), True),
        ("2,3", (3,), False),
        ("-1,3", (2, 3), False),
        ("-1,3", ("?", 3), True),
    ],
)
def test_a_given_shape(shape: str, given: tuple[int | str, ...], is_taken: bool) -> None:
    """Another shape than the file's needs a file that OpenVINO reads again: it is not ignored."""
    data = memoryview(ir(layer(0, "Parameter", shape, name="x")))
    known = {"x": given}
    if is_taken:
        assert openvino.read(data, known).nodes == []
    else:
        with pytest.raises(ModelError, match="OpenVINO reshapes files, not standard input"):
            openvino.read(data, known)


def test_layers_within_layers() -> None:
    """Layers in the body of another one are read, named after where they are."""
    body = layers(layer(0, "Add", "2,3", ["2,3", "3"], name="inner"))
    [node] = read_ir(ir(layer(0, "If", "2,3", [], "if", f"<then_body>{body}</then_body>")))
    assert (node.graph, node.label) == ("if/then_body", "inner")


# pnnx


def test_an_expression_of_one_step() -> None:
    """An expression of one step is a node with the shapes of its annotations."""
    [node] = read_param(
        "pnnx.Attribute a 0 1 0 @data=(3)f32 #0=(3)f32",
        "pnnx.Input in 0 1 1 #1=(2,?)f32",
        "pnnx.Expression e 2 1 0 1 2 expr=add(@0,@1) #2=(2,3)f32",
    )
    assert (node.operator, node.question_name, node.label) == ("add", "Add", "e")
    assert (node.inputs, node.constant) == (((3,), (2, "?")), ("constant", ""))


def test_a_function_of_one_operand() -> None:
    """It broadcasts nothing, whether it stands alone or among others."""
    shapes = "#0=(2,3)f32 #1=(2,3)f32"
    assert read_param(f"pnnx.Expression e 1 1 0 1 expr=sin(@0) {shapes}") == []
    [node] = read_param(f"pnnx.Expression e 1 1 0 1 expr=sin(add(@0,2)) {shapes}")
    assert node.operator == "add"


@each_row(
    ("shapes", "remark"),
    [
        ("#0=(2,1,1,4,5)f32 #1=(5)f32", "more than four axes; ncnn has at most four"),
        ("#0=(1,3)f32 #1=(4,3)f32", "axis 0 stretches, but pnnx treats it as the batch"),
        ("#0=(4,3)f32 #1=(3)f32", ""),
    ],
)
def test_what_ncnn_cannot_do(shapes: str, remark: str) -> None:
    """A node that pnnx or ncnn refuses has a remark, though NumPy's rule allows it."""
    [node] = read_param(f"pnnx.Expression e 2 1 0 1 2 expr=add(@0,@1) {shapes}")
    assert [each[: len(remark)] for each in node.remarks] == ([remark] if remark else [])


def test_an_expression_of_several_steps() -> None:
    """Each step of an expression is a node, on the shapes that the steps before it gave."""
    nodes = read_param(
        "pnnx.Expression e 3 1 a b c d expr=div(add(@0,mul(@1,neg(@2))),2.0e-1)"
        " #a=(4,1,1)f32 #b=(3,1)f32 #c=(2)f32 #d=(4,3,2)f32"
    )
    assert [(node.label, node.question_name, node.inputs) for node in nodes] == [
        ("e/1", "Mul", ((3, 1), (2,))),
        ("e/2", "Add", ((4, 1, 1), (3, 2))),
        ("e/3", "Div", ((4, 3, 2), ())),
    ]
    assert not any(node.contradictions for node in nodes)


@each_row("operand", ["@9", "@99", "@99999999999"])
def test_an_operand_that_does_not_exist(operand: str) -> None:
    """An expression that takes an input that its line lacks makes the node malformed."""
    [node] = read_param(f"pnnx.Expression e 2 1 a b c expr=add(@0,{operand}) #a=(2,3)f32 #b=(3)f32")
    assert node.problem == f"its expression uses {operand}, but its last input is @1"


def test_a_deep_expression() -> None:
    """An expression nested 20,000 levels deep is read."""
    deep = "add(@0," * 20_000 + "@0" + ")" * 20_000
    nodes = read_param(f"pnnx.Expression e 1 1 a b expr={deep} #a=(2,3)f32")
    assert len(nodes) == 20_000
    assert nodes[-1].inputs == ((2, 3), (2, 3))


@each_row(
    "expression",
    ["add(@0,@x)", "add(@0,pr)", "add(@0", "add(@0,@1))", "mystery(@0,@1)", "", "add()", "@0(@1)"],
)
def test_an_expression_that_cannot_be_read(expression: str) -> None:
    """An expression that cannot be read is a node that is not decided."""
    [node] = read_param(
        f"pnnx.Expression e 2 1 a b c expr={expression} #a=(2,3)f32 #b=(3)f32 #c=(2,3)f32"
    )
    assert node.undecidable == "bcastcli cannot read its expression"
    assert node.inputs == ((2, 3), (3,))


def test_digits_of_other_scripts_are_no_numbers() -> None:
    """A superscript is a character like any other; without an annotation no shape is known."""
    data = (
        b"7767517\n\xc2\xb2 3\n" + b"pnnx.Expression e 1 1 a c expr=add(@0,1) #a=(2,\xc2\xb2)f32\n"
    )
    [node] = pnnx.read(memoryview(data), {}).nodes
    assert node.inputs == (None, ())


# OpenVINO reshapes


def test_a_shape_that_openvino_gives_an_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its shapes count then, not the file's, and so do the axes of an explicit Broadcast."""
    asked: list[str] = []

    def run(module: str, arguments: Sequence[str], *_: Any) -> list[dict[str, Any]]:
        asked.extend((module, *arguments))
        shapes = {"x": [[2, 7]], "bc": [[2, 7, 3]], "add": [[2, 7, 3]], "k": [[3]]}
        return [{"shapes": shapes, "axes": {"bc": [0, 1]}}]

    monkeypatch.setattr("bcastcli.model.processes.run", run)
    data = ir(
        layer(0, "Parameter", "-1,7", name="x"),
        layer(1, "Broadcast", "-1,7,3", ["-1,7", "3", "2"], name="bc", mode="explicit"),
        layer(2, "Const", "3", name="k"),
        layer(3, "Add", "-1,7,3", ["-1,7,3", "3"], name="add", auto_broadcast="numpy"),
        edges=[(0, 0, 1, 0), (1, 3, 3, 0), (2, 0, 3, 1)],
    )
    found = openvino.read(memoryview(data), {"x": (2, 7)}, Path("m.xml"))
    assert asked == ["bcastcli.model.reshaping", "m.xml"]
    broadcast, add = found.nodes
    assert (broadcast.question_name, broadcast.inputs) == ("explicit", ((2, 7), (2, 7, 3)))
    assert broadcast.options == {"axes": (0, 1)}
    assert (add.inputs, add.names, add.contradictions) == (((2, 7, 3), (3,)), ("bc", "k"), ())
    with pytest.raises(ModelError, match="OpenVINO reshapes files, not standard input"):
        openvino.read(memoryview(data), {"x": (2, 7)})
    monkeypatch.setattr("bcastcli.model.processes.run", lambda *_: [{"error": "no weights"}])
    with pytest.raises(ModelError, match=r"^no weights$"):
        openvino.read(memoryview(data), {"x": (2, 7)}, Path("m.xml"))


def test_shapes_that_openvino_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stops at the layers that it names; those that need none of these are decided."""
    inputs = {"names": ["x", "k"], "inputs": [[2, 9], [7]], "message": "shapes are inconsistent"}
    joined = {"operator": "Concat", "name": "cat", **inputs}
    added = {"operator": "Add", "name": "sum", **inputs}
    alone = {**inputs, "operator": "Add", "name": "alone", "inputs": [[2]], "names": ["x"]}
    shapes = {"x": [[2, 9]], "k": [[7]], "one": [[1]], "before": [[2, 9]]}
    behind = {"cat": "cat", "sum": "sum", "after": "sum"}
    told = {"refused": [joined, added, alone], "shapes": shapes, "axes": {}, "behind": behind}
    monkeypatch.setattr("bcastcli.model.processes.run", lambda *_: [told])
    data = ir(
        layer(0, "Parameter", "-1,-1", name="x"),
        layer(1, "Const", "7", name="k"),
        layer(2, "Const", "1", name="one"),
        layer(3, "Multiply", "-1,-1", ["-1,-1", "1"], name="before", auto_broadcast="numpy"),
        layer(4, "Add", "-1,7", ["-1,-1", "7"], name="sum", auto_broadcast="numpy"),
        layer(5, "Add", "-1,7", ["-1,7", "1"], name="after", auto_broadcast="numpy"),
        layer(6, "Add", "-1", ["-1"], name="alone"),
        edges=[(0, 0, 3, 0), (2, 0, 3, 1), (0, 0, 4, 0), (1, 0, 4, 1), (4, 2, 5, 0), (2, 0, 5, 1)],
    )
    found = find(openvino.read(memoryview(data), {"x": (2, 9)}, Path("m.xml")))
    assert [(each.node.label, each.verdict) for each in found.nodes] == [
        ("before", "yes"),
        ("sum", "no"),
        ("after", "undecided"),
        ("alone", "malformed"),
    ]
    reports = "OpenVINO reports: shapes are inconsistent"
    assert [(each.node.where, each.node.name, each.message) for each in found.stops] == [
        ("cat (Concat)", "cat", reports),
        ("sum (Add)", "sum", "x has 9 and k has 7 on axis 1 (-1), and neither is 1"),
        ("alone (Add)", "alone", reports),
    ]
    assert found.nodes[2].behind == "sum (Add)"
    monkeypatch.setattr("bcastcli.model.processes.run", lambda *_: [{"refused": [joined]}])
    found = find(openvino.read(memoryview(data), {"x": (2, 9)}, Path("m.xml")))
    assert {each.behind for each in found.nodes} == {"cat (Concat)"}


OPENVINO = """
from resource import RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, getrlimit
from types import SimpleNamespace as Some

PartialShape = list
LIMITED = RLIMIT_CPU, RLIMIT_CORE, RLIMIT_AS
INPUTS = "opset1::Parameter x[0]:f32[2,?], Constant k[0]:f32[7,]"
AT = "While validating node 'v1::{0} {0} (%s) -> (y[0]:f32[1])' with friendly_name '{0}':" % INPUTS
FAILS = {"m.xml": ["sum", "cat"], "odd.xml": [""], "late.xml": ["sum", ""], "same.xml": ["a", "a"],
         "many.xml": [f"n{n}" for n in range(9)]}

class Shape(list):
    pass

def size(number):
    return Some(is_dynamic=number is None, get_length=lambda: number)

def op(kind, name, *inputs, sizes=(2, None)):
    shape = Shape(map(size, sizes or ()))
    shape.rank = Some(is_dynamic=sizes is None)
    values = Some(flatten=lambda: Some(tolist=lambda: [0, 2]))
    made = Some(get_friendly_name=lambda: name, get_type_name=lambda: kind, get_data=lambda: values,
                get_input_size=lambda: len(inputs), get_output_size=lambda: 1,
                input_value=lambda at: Some(get_node=lambda: inputs[at]),
                output=lambda at: Some(get_partial_shape=lambda: shape, node=made))
    made.outputs = lambda: [made.output(0)]
    return made

X, AXES = op("Parameter", "x"), op("Constant", "axes", sizes=(2,))
SUM, CAT = op("Add", "sum", X, AXES), op("Concat", "cat", X)
AFTER = op("Relu", "after", SUM, sizes=None)
WIDE = [op("Broadcast", "fixed", X, X, AXES), op("Broadcast", "open", X, AXES, X),
        op("Broadcast", "numpy", X, AXES), op("Tile", "tile", X, X, AXES)]

class Model:
    inputs = [Some(get_node=lambda node=node: Some(get_friendly_name=lambda: node),
                   get_names=lambda name=name: {name})
              for node, name in (("x", "x:0"), ("y", "in"))]

    def __init__(self, ends, parameters):
        self.get_parameters, self.get_ordered_ops = list, lambda: [end.node for end in ends]

    def reshape(self, shapes):
        for name in FAILS[self.file][:1] if self.file else ():
            cpu, core, memory = (getrlimit(of)[0] for of in LIMITED)
            limited = f"{cpu} s, {core}, {memory >> 29} times 512 MiB"
            del FAILS[self.file][0]
            raise RuntimeError(f"{AT.format(name) if name else name}\\n {shapes} {limited}. \\n\\n")

class Core:
    def read_model(self, file):
        if file not in ("fits.xml", *FAILS):
            raise RuntimeError("Check failed\\nno weights")
        Model.file = file if file in FAILS else ""
        nodes = [X, AXES, SUM, CAT, AFTER, *WIDE, op("Result", "end", AFTER)]
        return Model([each.output(0) for each in nodes], [])
"""


def test_the_process_of_openvino(tmp_path: Path) -> None:
    """It has limits, reshapes inputs by any of their names, and says what is refused."""
    (tmp_path / "openvino.py").write_text(OPENVINO)
    (tmp_path / "here.bin").touch()
    with (tmp_path / "late.bin").open("wb") as weights:
        weights.truncate(1 << 30)
    path = os.pathsep.join([str(tmp_path), str(Path(openvino.__file__).parents[2])])
    given = json.dumps({"x": [2, "n"], "in": [3], "more": [1]}).encode()

    def ask(name: str, *before: str) -> Any:
        command = [
            *before,
            sys.executable,
            "-m",
            "bcastcli.model.reshaping",
            "9",
            "512",
            f"{name}.xml",
        ]
        options: Any = {"input": given, "env": {"PYTHONPATH": path}, "cwd": tmp_path}
        return json.loads(
            subprocess.run(command, capture_output=True, check=True, **options).stdout
        )

    words = "{0: [2, -1], 1: [3]} 9 s, 0, 1 times 512 MiB"
    stop = {"message": words, "names": ["x", "k"], "inputs": [[2, "?"], [7]]}
    stops = {name: {"operator": name, "name": name, **stop} for name in ("sum", "cat", "a")}
    shapes = {name: [[2, "?"]] for name in ("x", "fixed", "open", "numpy", "tile")}
    shapes["axes"] = [[2]]
    later = {"sum": [[2, "?"]], "cat": [[2, "?"]], "end": [[2, "?"]], "after": [None]}
    assert ask("fits") == {"shapes": shapes | later, "axes": {"fixed": [0, 2]}}
    assert ask("m") == {
        "shapes": shapes,
        "axes": {"fixed": [0, 2]},
        "refused": [stops["sum"], stops["cat"]],
        "behind": {"sum": "sum", "after": "sum", "end": "sum", "cat": "cat"},
    }
    assert ask("same") == {"refused": [stops["a"]]}
    late = ask("late", "bash", "-c", 'ulimit -t 5; exec "$0" "$@"')
    less = words.replace("9 s, 0, 1", "5 s, 0, 3")
    assert late == {"refused": [stops["sum"] | {"message": less}]}
    assert [each["name"] for each in ask("many")["refused"]] == [f"n{n}" for n in range(8)]
    assert [ask(name)["error"] for name in ("odd", "here", "gone")] == [
        f"OpenVINO refuses these shapes: {words}.",
        "OpenVINO cannot read it: no weights",
        "OpenVINO needs its weights to reshape it: gone.bin is missing",
    ]
