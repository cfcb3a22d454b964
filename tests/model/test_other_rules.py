"""The nodes of a model under other rules, each beside the rule of its own operator."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.in_memory import run
from tests.model_files import constant, graph, inferred_here, layer, model, node, openvino, pnnx
from tests.rows import each_row

Save = Callable[[Any], str]
NODES = [
    node("Add", "x bias", "y", "proj"),
    node("Mul", "y gate", "z", "gated"),
    node("Add", "z last", "w", "shift"),
    node("MatMul", "w m", "p", "product"),
]
INPUTS: dict[str, Any] = {"x": ["batch", 4, 8, 4]}
CONSTANTS = [
    constant("bias", [1.0] * 4),
    constant("gate", [1.0] * 4, [4, 1, 1]),
    constant("last", [1.0] * 8, [8, 1]),
    constant("m", [1.0] * 8, [4, 2]),
]


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Save]:
    """Write a model to a file, and return its name; infer shapes in this process."""
    monkeypatch.chdir(tmp_path)

    def saved(data: Any) -> str:
        made = data if isinstance(data, bytes) else model(data)
        Path("m.onnx").write_bytes(made)
        return "m.onnx"

    with inferred_here():
        yield saved


@pytest.fixture
def gated(save: Save) -> str:
    """Return the name of a file whose first node alone ncnn answers otherwise."""
    return save(graph(NODES, INPUTS, constants=CONSTANTS))


def test_the_nodes_that_another_rule_answers_otherwise(gated: str) -> None:
    """These alone are shown; the last line counts all, and says how many agree."""
    ended = run(["model", gated, "--rules", "ncnn"])
    assert ended.status == 1
    assert [" ".join(line.split()) for line in ended.out.splitlines()[2:]] == [
        "proj Add batch,4,8,4 4 onnx batch,4,8,4; ncnn batch,4,8,4 on other axes",
        "shift Add batch,4,8,4 8,1 ncnn mismatch",
        "note ncnn has no batch axis: 3 nodes are compared without it, the first as 4,8,4 4",
        "note skipped 1 node (not elementwise): MatMul",
        "note proj: pnnx keeps NumPy's meaning: it inserts a Reshape of B to 1,1,4",
        (
            "note shift: A has 8 and B has 1 on axis h (2, -2), and B must equal A's h there; "
            "axis c (1, -3) clashes as well"
        ),
        "note shift: ncnn does not detect this: it returns 0 (success) and meaningless values",
        "note shift: pnnx keeps NumPy's meaning: it inserts a Reshape of B to 1,8,1",
        "3 nodes under ncnn: 1 agrees, 2 differ",
    ]


@each_row(
    ("arguments", "status", "last"),
    [
        ("ncnn --name gated", 0, ["1 node agrees under ncnn"]),
        (
            "onnxruntime,trt",
            0,
            ["all 3 nodes agree under onnxruntime", "all 3 nodes agree under trt"],
        ),
        ("ncnn --batch keep", 1, ["3 nodes under ncnn: 2 differ, 1 depends on unknown sizes"]),
        (
            "pdpd,none --operator Mul",
            1,
            ["1 node agrees under pdpd", "1 node under none: 1 differs"],
        ),
        ("none", 1, ["3 nodes under none: 3 differ"]),
        ("numpy --operator MatMul", 0, ["no nodes to ask under numpy"]),
    ],
)
def test_each_rule_is_counted(gated: str, arguments: str, status: int, last: list[str]) -> None:
    """The status is that of compare: 0 where the rules agree, 1 where they differ."""
    ended = run(["model", gated, "--rules", *arguments.split()])
    assert (ended.status, ended.out.splitlines()[-1].split("; ")) == (status, last)


def test_tensorrt_of_onnx(gated: str) -> None:
    """TensorRT's parser adds the leading axes that an operand of an ONNX node lacks."""
    out = run(["model", gated, "--rules", "tensorrt"]).out
    adds = "note  tensorrt: its ONNX parser adds leading axes: 3 nodes are compared with them"
    assert f"{adds}, the first as batch,4,8,4 1,1,1,4\n" in out
    # The rule itself binds who calls the layers.
    assert run(["model", gated, "--rules", "same-rank"]).status == 1


def test_what_is_not_known_is_no_agreement(save: Save) -> None:
    """Unknown sizes decide, and a shape that is not known is undecided: the status is 3."""
    made = graph([node("Add", "x k", "y", "a")], {"x": ["n", 3], "k": [3]})
    ended = run(["model", save(made), "--rules", "ncnn"])
    assert ended.status == 3
    assert "agree when n != 3\n" in ended.out
    nodes = [node("NonZero", "x", "i"), node("Reshape", "x open", "r"), node("Add", "r k", "y")]
    name = save(graph(nodes, {"x": ["n", 3], "k": [3], "open": None}))
    ended = run(["model", name, "--rules", "numpy"])
    assert ended.status == 3
    assert "skipped 1 node (unknown shapes): Add" in ended.out
    assert ended.out.endswith("1 node under numpy: 1 is undecided\n")


def test_a_model_that_stops(save: Save) -> None:
    """Where another rule refuses it too, these agree; what is behind the stop is undecided."""
    nodes = [node("Add", "x k", "y", "add"), node("Mul", "y k", "z", "mul")]
    name = save(graph(nodes, {"x": [2, 4], "k": [3]}))
    ended = run(["model", name, "--rules", "numpy"])
    assert (ended.status, ended.out.splitlines()) == (
        3,
        [
            "note  the model stops at add (Add)",
            "note  skipped 1 node (unknown shapes): Mul",
            "2 nodes under numpy: 1 agrees, 1 is undecided",
        ],
    )


def test_a_batch_that_is_chosen(save: Save) -> None:
    """Its number is still known as the batch of a node of three axes."""
    name = save(graph([node("Add", "x k", "y")], {"x": ["batch", 5, 8], "k": [8]}))
    for given, shape in ([], "5,8 8"), (["batch=2"], "5,8 8"), (["x=2,5,8"], None):
        ended = run(["model", name, *given, "--rules", "ncnn"])
        assert (f"no batch axis: asked as {shape}" in ended.out) is (shape is not None)


def test_more_operands_than_the_rule_takes(save: Save) -> None:
    """A node of three operands is not asked under a rule of two, and a note says so."""
    nodes = [node("Max", "x x x", "y"), node("Add", "y x", "z")]
    ended = run(["model", save(graph(nodes, {"x": [2, 3]})), "--rules", "ncnn"])
    assert ended.status == 0
    assert "skipped 1 node (ncnn does not take 3 operands): Max" in ended.out
    assert ended.out.endswith("1 node agrees under ncnn\n")


def test_each_format(gated: str) -> None:
    """Lines, tsv and JSON are those of compare; JSON's last line has the counts of each rule."""
    asked = ["model", gated, "--rules", "ncnn", "--name", "proj"]
    told = "differ: onnx batch,4,8,4; ncnn batch,4,8,4 on other axes"
    assert run([*asked, "-p"]).out == f"{told} # proj\n1 node under ncnn: 1 differs\n"
    lines = run([*asked, "-f", "lines"]).out
    assert lines == "Add batch,4,8,4 4 # proj\n"
    assert run(["compare", "--rules", "onnx,ncnn", "-"], lines.encode()).out == f"{told} # proj\n"
    assert run([*asked, "-f", "github"]).out == f"::error file=m.onnx::proj (Add): {told}\n"
    head, *rows = run([*asked, "-f", "tsv"]).out.splitlines()
    assert head.split("\t")[:3] == ["operands", "agree", "rule"]
    assert [row.split("\t")[2] for row in rows] == ["onnx", "ncnn"]
    assert {row.split("\t")[-3] for row in rows} == {"proj"}
    node, last = map(json.loads, run([*asked, "--json"]).out.splitlines())
    assert (node["command"], node["label"], node["agree"]) == ("compare", "proj", False)
    assert {each["kind"] for each in node["notes"]} == {"engine"}
    assert (last["command"], last["status"]) == ("model", "no")
    assert last["rules"] == {
        "ncnn": {"agree": 0, "differ": 1, "depends": 0, "undecided": 0, "not_compared": 0}
    }
    assert "proj" in run([*asked, "-f", "markdown"]).out
    every = run(["model", gated, "--rules", "ncnn", "--all", "-p"]).out
    assert "agree: batch,4,8,4 # gated\n" in every
    table = run(["model", gated, "--rules", "ncnn", "--all", "--color", "always"]).out
    colored = [row for row in table.splitlines() if "\x1b[" in row and "batch," in row]
    assert ["proj" in row or "shift" in row for row in colored] == [True, True]


@each_row(
    ("data", "rules", "last"),
    [
        (
            openvino(layer(0, "PReLU", "1,3,2,3", ["1,3,2,3", "3"])),
            "openvino",
            "1 node under openvino: 1 differs",
        ),
        (
            model(graph([node("PRelu", "x s", "y")], {"x": [1, 3, 2, 3], "s": [3]})),
            "openvino",
            "1 node under openvino: 1 differs",
        ),
        (
            pnnx("pnnx.Expression a 2 1 0 1 2 expr=add(@0,@1) #0=(1,3,8,3)f32 #1=(3)f32"),
            "ncnn",
            "1 node under ncnn: 1 differs",
        ),
    ],
)
def test_each_file(save: Save, data: bytes, rules: str, last: str) -> None:
    """Files of each kind are asked; OpenVINO puts a slope of one axis on axis 1."""
    assert run(["model", save(data), "--rules", rules]).out.splitlines()[-1] == last


@each_row(
    ("arguments", "complaint"),
    [
        (["--rules", "nunpy"], "there is no rule nunpy; did you mean numpy?"),
        (["--rules", "stablehlo"], "--rules stablehlo cannot be asked: explicit needs the axes of"),
        (["--batch", "keep"], "--batch has no effect without --rules ncnn"),
        (["--rules", "pdpd", "--batch", "keep"], "--batch has no effect with --rules pdpd"),
        (["--rules", "ncnn", "--only", "no"], "--only has no effect with --rules"),
        (["--rules", "ncnn", "--strict"], "--strict has no effect with --rules"),
        (["batch=1,2", "--rules", "ncnn"], "--rules takes one value for each size"),
    ],
)
def test_what_does_not_go_together(gated: str, arguments: list[str], complaint: str) -> None:
    """An option without an effect, and a rule that needs more, are named."""
    ended = run(["model", gated, *arguments])
    assert (ended.status, ended.out) == (2, "")
    assert complaint in ended.err
