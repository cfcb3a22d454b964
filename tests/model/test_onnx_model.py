"""ONNX models: the weights that stay behind, and the shapes that are inferred.

The module is model/onnx_model.py.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import cycle, islice
from typing import Any
from unittest.mock import patch

import onnx
import pytest
from onnx import helper

from bcastcli.model import onnx_model, wire
from bcastcli.model.findings import find
from bcastcli.model.nodes import Model, ModelError, Node
from tests.effort import slow
from tests.model_files import constant, graph, inferred_here, model, node, parsed
from tests.rows import each_row


@pytest.fixture(autouse=True)
def in_process(request: pytest.FixtureRequest) -> Iterator[None]:
    """Infer shapes in this process, unless that may end it."""
    with nullcontext() if "ends_the_process" in request.node.name else inferred_here():
        yield


def read(data: bytes, **given: Sequence[int | str]) -> Model:
    """Read a model; a size is given as a shape of one axis."""
    known = {name: tuple(shape) for name, shape in given.items()}
    [result] = onnx_model.read(memoryview(data), known)
    return result


def only(result: Model) -> Node:
    [one] = result.nodes
    return one


ADD = [node("Add", "x y", "z")]


# The wire format


def strip(data: bytes) -> Any:
    return parsed(wire.strip(memoryview(data)))


def parts(message: Any) -> Iterator[Any]:
    """Yield a message and all that are in it."""
    yield message
    for field, value in message.ListFields():
        for each in (value if field.is_repeated else [value]) if field.message_type else ():
            yield from parts(each)


def test_small_tensors_stay() -> None:
    """A small constant keeps its values, since shapes may be made of them."""
    target = constant("s", [2, -1])
    most = onnx.TensorProto(name="t", data_type=2, dims=[4096], raw_data=bytes(4096))
    nodes = [node("Reshape", "x s", "y")]
    data = model(graph(nodes, {"x": ["n"]}, constants=[target, most]))
    assert strip(data) == parsed(data)


@each_row(
    ("field", "values"),
    [
        ("raw_data", bytes(4097)),
        ("float_data", [0.5] * 2000),
        ("double_data", [0.5] * 2000),
        ("string_data", [b"text"] * 2000),
        *((name, [1] * 5000) for name in ("int32_data", "int64_data", "uint64_data")),
    ],
)
def test_large_tensors_lose_their_values(field: str, values: Any) -> None:
    """Of a large tensor its name, its shape and its type are kept."""
    weight = onnx.TensorProto(name="w", data_type=1, dims=[2, 1], doc_string="long")
    weight.MergeFrom(onnx.TensorProto(**{field: values}))
    [left] = strip(model(graph(ADD, {"x": [2]}, constants=[weight]))).graph.initializer
    assert left == onnx.TensorProto(name="w", data_type=1, dims=[2, 1], data_location=1)


def test_large_tensors_wherever_they_are() -> None:
    """Attributes and their lists, graphs within, sparse tensors and functions may hold some."""
    large = constant("w", [1] * 5000)
    sparse = helper.make_sparse_tensor(large, large, [5000])
    inner = helper.make_graph(
        [node("Relu", "x", "t")], "g", [], [], [large], sparse_initializer=[sparse]
    )
    held = {"t": large, "ts": [large], "g": inner, "gs": [inner], "s": sparse, "ss": [sparse]}
    unusual = node("Own", "x", "y", domain="local", **held)
    opsets = [helper.make_opsetid("local", 1)]
    function = helper.make_function("local", "F", ["x"], ["y"], [unusual], opsets)
    function.attribute_proto.add(name="k", type=onnx.AttributeProto.TENSOR, t=large)
    made = graph([unusual], {"x": [3]})
    made.sparse_initializer.append(sparse)
    left = wire.strip(memoryview(model(made, functions=[function])))
    assert len(left) < 2500
    tensors = [each for each in parts(parsed(left)) if isinstance(each, onnx.TensorProto)]
    assert [[*each.dims] for each in tensors] == [[5000]] * 27


def test_no_path_of_external_data_is_kept() -> None:
    """No path of external data reaches the package that infers shapes."""
    away = onnx.TensorProto(name="w", data_type=1, dims=[3], data_location=1)
    away.external_data.add(key="location", value="/dev/sda")
    data = model(graph([node("Add", "x w", "y")], {"x": [2, 3]}, constants=[away]))
    assert b"/dev/sda" not in wire.strip(memoryview(data))
    assert only(read(data)).inputs == ((2, 3), (3,))
    away.ClearField("data_location")  # whose path alone says that it is external
    [left] = strip(model(graph([], {}, outputs={}, constants=[away]))).graph.initializer
    assert (left.data_location, left.external_data) == (onnx.TensorProto.EXTERNAL, [])


@each_row(
    ("data", "complaint"),
    [
        (b"\x08\x08", "this is not an ONNX model"),
        (b"\xff" * 20, "this is not an ONNX model"),
        (b"\x0f\x00", "this is not an ONNX model"),
        (b"\x3a\x00\x00\x00", "this is not an ONNX model"),  # fields are counted from 1
        (b"\x3a\x00\x80\x80\x80\x80\x10\x00", "this is not an ONNX model"),  # up to 2**29 - 1
        (b"\x08\x08\x3a\x7f\x0a\x00", "the file is truncated: the end of the model is missing"),
        (b"\x08" + b"\x80" * 10 + b"\x00\x3a\x00", "this is not an ONNX model"),  # ten are allowed
        (b"\x09" + bytes(8), "this is not an ONNX model"),  # that has no graph
        (b"\x0d" + bytes(4) + b"\x3a", "this is not an ONNX model"),
        (b"\x3a\x02\x0a\x05", "this is not an ONNX model"),
    ],
)
def test_bytes_that_are_no_model(data: bytes, complaint: str) -> None:
    """Bytes that are not a model, or part of one, get one sentence."""
    with pytest.raises(ModelError, match=f"^{complaint}$"):
        wire.strip(memoryview(data))


@each_row(
    "data",
    [
        b"\x3a\x00",
        b"\x08" + b"\x80" * 9 + b"\x01\x3a\x00",  # a number of ten bytes
        b"\x09" + bytes(8) + b"\x0d" + bytes(4) + b"\x3a\x00",  # of eight bytes, and of four
        b"\xfa\xff\xff\xff\x0f\x00\x3a\x00",  # the last number that a field may have
        b"\x3a\x00\x38\x07",  # a number where a message is expected
        b"\x3a\x00\xca\x01\x00",
    ],
)
def test_bytes_that_may_be_a_model(data: bytes) -> None:
    """Whatever has a graph is copied, with fields that onnx does not know."""
    assert wire.strip(memoryview(data)) == data


def test_how_much_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its weights a model has so many bytes at most, and so many parts."""
    assert (wire.MAX_STRIPPED, wire.MAX_FIELDS) == (256 << 20, 8_000_000)
    data = model(graph(ADD, {"x": [3], "y": [3]}))
    size = len(wire.strip(memoryview(data)))
    for name, most, complaint in (
        ("MAX_STRIPPED", size, "^without its weights the model still has 0 MiB, but at most 0 are"),
        ("MAX_FIELDS", 13, "^the model has more than 12 parts$"),
    ):
        monkeypatch.setattr(wire, name, most)
        assert strip(data)
        monkeypatch.setattr(wire, name, most - 1)
        with pytest.raises(ModelError, match=complaint):
            strip(data)
        monkeypatch.undo()


def test_messages_too_deep() -> None:
    """A model nested more than 100 levels deep is refused."""

    def nested(depth: int) -> memoryview:
        data = b""
        tags = [0x3A, *islice(cycle([0x0A, 0x2A, 0x32]), depth - 1)]  # node, attribute, graph
        for tag in reversed(tags):
            data = bytes([tag, len(data) & 127 | 128, len(data) >> 7]) + data
        return memoryview(data)

    wire.strip(nested(100))
    with pytest.raises(ModelError, match="nested more than 100 levels deep"):
        wire.strip(nested(101))


# Inference


PLACES = [node("NonZero", "x", "i"), node("Cast", "i", "j", to=1), node("Add", "j j", "y")]


@each_row(
    ("nodes", "inputs", "given", "shapes"),
    [
        # A size that inference makes up has one name wherever it stands.
        (PLACES, {"x": [2, 3]}, {}, ((2, "u1"), (2, "u1"))),
        # Others have the file's, written so that they can be typed; without one a size is ?.
        (ADD, {"x": ["batch", None], "y": ["a.b", -1]}, {}, (("batch", "?"), ("a_b", "?"))),
        # Names that would be written alike stay different.
        (ADD, {"x": ["a.b", "a_b"], "y": ["a/b", "u1"]}, {}, (("a_b", "a_b_"), ("a_b__", "_u1"))),
        # What is given counts wherever its name stands; an input goes before a size of its name.
        (ADD, {"x": ["n", 3], "y": ["n", "m"]}, {"n": [5]}, ((5, 3), (5, "m"))),
        (ADD, {"x": ["n", 3], "y": ["n", "m"]}, {"n": [5], "x": [7, 3]}, ((7, 3), (5, "m"))),
        (ADD, {"x": ["n"], "y": ["x"]}, {"x": [5]}, ((5,), ("x",))),
    ],
)
def test_sizes(nodes: Any, inputs: Any, given: dict[str, list[int]], shapes: Any) -> None:
    """The sizes of a node are those given, the file's or those of inference, by their names."""
    assert only(read(model(graph(nodes, inputs)), **given)).inputs == shapes


def test_a_given_shape_that_the_file_contradicts() -> None:
    """A given shape counts more than the file's; ONNX Runtime would refuse it, so it is no yes."""
    data = model(graph([node("Add", "x x", "y")], {"x": [1, 3]}, outputs={"y": [1, 3]}))
    result = read(data, x=[2, 3])
    assert result.refused == ("ONNX Runtime refuses x=2,3 because the file declares 1,3",)
    assert find(result).ok is False


def test_an_unknown_name() -> None:
    """A name that the model lacks is refused, with the names that it has."""
    data = model(graph([node("Add", "x w", "y")], {"x": ["n"]}, constants=[constant("w", [1.0])]))
    message = "the model has no input or size named y; its inputs are x=(n,)"
    with pytest.raises(ModelError, match=re.escape(message)):
        read(data, y=[5])
    with pytest.raises(ModelError, match="n is a size: give it a number, or several, as in n=1,2"):
        read(data, n=[2, "?"])


def test_names_that_are_not_text() -> None:
    """A damaged file is read with a replacement for what is not UTF-8 in a name."""
    nodes = [node("Add", "x w", "y", "zz")]
    made = model(graph(nodes, {"x": ["nnnnn", 3]}, constants=[constant("w", [1.0] * 3)]))
    result = read(made.replace(b"zz", b"\xffz").replace(b"nnnnn", b"\xffnnnn"))
    assert (only(result).title, only(result).inputs) == ("\ufffdz", (("b__xffnnnn_", 3), (3,)))


def test_local_functions_are_inlined() -> None:
    """A function of the model is read as the nodes that it stands for."""
    function = helper.make_function(
        "local", "Scale", ["a", "b"], ["c"], [node("Mul", "a b", "c")],
        [helper.make_opsetid("", 17)],
    )  # fmt: skip
    call = helper.make_node("Scale", ["x", "k"], ["y"], domain="local")
    made = graph([call], {"x": [2, 3]}, constants=[constant("k", [1.0] * 3)])
    data = model(made, functions=[function])
    assert only(read(data)).inputs == ((2, 3), (3,))
    # They may need more memory than the process has, and it ends; this is no damaged file.
    out_of_memory = patch("onnx.inliner.inline_local_functions", side_effect=MemoryError)
    with out_of_memory, pytest.raises(MemoryError):
        read(data)


def test_an_initializer_that_is_also_an_input() -> None:
    """The shape of an initializer counts, unless its input is given another one."""
    default = constant("k", [1.0, 2.0])
    data = model(graph([node("Add", "x k", "y")], {"x": [3, 1], "k": [2]}, constants=[default]))
    assert only(read(data)).inputs == ((3, 1), (2,))
    assert only(read(data, k=[4])).inputs == ((3, 1), (4,))


def test_a_sparse_initializer() -> None:
    """It is a value that nodes may read, though nothing is inferred of its shape."""
    sparse = helper.make_sparse_tensor(constant("w", [1.0]), constant("places", [0]), [3])
    made = graph([node("Add", "x w", "y")], {"x": [2, 3]})
    made.sparse_initializer.append(sparse)
    assert only(read(model(made))).inputs == ((2, 3), None)


def test_an_opset_that_is_not_known() -> None:
    """A file of an opset that is not known yet is refused; one without is read as of the newest."""
    newest = onnx.defs.onnx_opset_version()
    made = parsed(model(graph([node("Add", "x x", "y")], {"x": [3]}), opset=99))
    with pytest.raises(ModelError, match=f"opset 99, but onnx .* supports opsets up to {newest}"):
        read(made.SerializeToString())
    made.ClearField("opset_import")
    result = read(made.SerializeToString())
    assert (result.opset, only(result).inputs) == (newest, ((3,), (3,)))


def _branches(name: str, *, output: str = "r") -> Any:
    """Return an If whose branches read a name, and write another."""
    inner = {f"{side}_branch": graph([node("Relu", name, output)], {}) for side in ("then", "else")}
    return node("If", "c", "y", **inner)


NO_GRAPHS = [
    (
        [node("Relu", "x", "a"), node("Neg", "x", "a", "two")],
        "two (Neg) writes a, which already",
    ),
    ([node("Relu", "x", "x")], "x (Relu) writes x, which already exists"),
    ([node("Add", "x from", "y", "sum")], "sum (Add) reads from, which no node before it produces"),
    ([_branches("from")], "r (Relu) reads from, which no node before it produces"),
    (
        [_branches("x"), node("Add", "r x", "z", "out")],
        "out (Add) reads r, which no node before it produces",
    ),
    ([node("Relu", "x", "r"), _branches("x")], "r (Relu) writes r, which already exists"),
]


@each_row(("nodes", "complaint"), NO_GRAPHS)
def test_graphs_that_are_none(nodes: Sequence[Any], complaint: str) -> None:
    """A value is written once, before it is read: ONNX Runtime loads no other model."""
    with pytest.raises(ModelError, match=re.escape(f"this graph cannot run: {complaint}")):
        read(model(graph(nodes, {"x": [3], "c": []})))
    with pytest.raises(ModelError, match="nothing produces its output nowhere"):
        read(model(graph([node("Relu", "x", "y")], {"x": [3]}, outputs={"nowhere": None})))


def test_inner_names_may_recur() -> None:
    """A graph within may write a name that a node behind it writes too."""
    assert read(model(graph([_branches("x", output="y")], {"x": [3], "c": []}))).nodes == []


@slow
def test_a_crop_that_ends_the_process() -> None:
    """A size below 0 stops at the node that makes it; the other combinations are answered."""
    pads = constant("p", [-5, 0, -1, 0])
    ends = constant("zero", [0]), constant("two", [2])
    nodes = [node("Pad", "x p", "a", "crop"), node("Slice", "a zero two", "y")]
    data = model(graph(nodes, {"x": ["b", 8]}, constants=[pads, *ends]))
    result = onnx_model.read(memoryview(data), {"b": (9, 4, 8)})
    stops = [[(each.node.label, each.message) for each in model.stops] for model in result]
    message = "x has 4 on axis 0, but pads of -5 and -1 leave -2"
    assert stops == [[], [("crop", message)], []]
