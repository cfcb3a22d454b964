"""Where a model stops: the first node, of any operator, whose shapes cannot be.

The module is model/findings.py.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

import pytest
from onnx import helper

from bcastcli.cli.console import UsageError
from bcastcli.model import command
from tests.in_memory import run
from tests.model_files import Shape, constant, graph, inferred_here, model, node
from tests.rows import each_row

Save = Callable[..., str]


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Save]:
    """Write a model of a graph to a file, and return its name; infer shapes in this process."""
    monkeypatch.chdir(tmp_path)

    def saved(made: Any, opset: int = 17) -> str:
        Path("m.onnx").write_bytes(model(made, opset=opset))
        return "m.onnx"

    with inferred_here():
        yield saved


def with_token(*more: Any) -> Any:
    """Return a graph that joins a token of batch 1 to an input, as an export for one image does."""
    return graph(
        [node("Concat", "cls x", "y", "join", axis=1), node("Relu", "y", "r"), *more],
        {"x": ["batch", "seq", 4]},
        constants=[constant("cls", [0.5] * 4, [1, 1, 4]), constant("k", [1.0] * 4)],
    )


CONCAT = with_token(node("Add", "r k", "z", "behind"), node("Mul", "x k", "w", "aside"))


def test_several_sizes(save: Save) -> None:
    """Each combination is a line, in order, and the last one says where it first stops."""
    made = with_token(node("Add", "r y", "z"))
    stop = "stops at join (Concat): cls has 1 and x has 2 on axis 0, but only axis 1 may differ"
    ended = run(["model", name := save(made), "batch=1,2", "seq=5,9", "-p"])
    assert ended.status == 1
    assert ended.out.splitlines() == [
        "batch=1 seq=5  1 node broadcasts; 2 other nodes were checked",
        "batch=1 seq=9  1 node broadcasts; 2 other nodes were checked",
        f"batch=2 seq=5  {stop}",
        f"batch=2 seq=9  {stop}",
        "first failure: batch=2 seq=5",
    ]
    table = run(["model", name, "batch=1,2", "seq=5,9"]).out
    assert table.endswith(
        "batch=2 seq=9  stops at join (Concat); 2 later nodes were not reached\n"
        f"no    {stop.removeprefix('stops at ')}\n"
        "note  the 1 on axis 0 of cls is a constant, fixed at export\n"
        "first failure: batch=2 seq=5\n"
    )
    assert run(["model", name, "batch=1..3", "seq=5"]).out.endswith("failure: batch=2 seq=5\n")
    good = run(["model", name, "batch=1", "seq=5,9"])
    assert (good.status, good.out.splitlines()[-1]) == (0, "no failure in 2 combinations")
    records = map(json.loads, run(["model", name, "batch=1", "seq=5,9", "--json"]).out.splitlines())
    assert [each["sizes"]["seq"] for each in records] == [5, 5, 9, 9]


KNOWN = {"pads": [0, -5, 0, 0], "parts": [2, 3], "open": [3, -1]}
STOPS: list[tuple[Any, Sequence[Sequence[int]], str]] = [
    (
        node("Reshape", "x open", "y"),
        [[4, 5]],
        "x has 20 elements, which do not fill 3,-1: 20 / 3 is about 6.67",
    ),
    (node("Split", "x parts", "y z", axis=1), [[4, 6]], "Mismatch between the sum of 'split' (5)"),
    (node("Split", "x parts", "y z u", axis=1), [[4, 5]], "number of splits (2) and outputs (3)"),
    (node("Pad", "x pads", "y"), [[2, 3]], "x has 3 on axis 1, but pads of -5 and 0 leave -2"),
    (
        node("Conv", "x w", "y", group=2),
        [[1, 4, 8], [6, 3, 3]],
        "x has 4 on axis 1, but w and group=2 need 6",
    ),
    (
        node("GRU", "x w r - - h", "y", hidden_size=4),
        [[7, 3, 2], [1, 12, 2], [1, 12, 4], [1, 1, 4]],
        "h has 1 on axis 1, but x needs 3",
    ),
    (
        helper.make_node("BiasGelu", ["x", "w"], ["y"], domain="com.microsoft"),
        [[2, 8], [7]],
        "w has 7 on axis 0, but x needs 8",
    ),
]  # fmt: skip


def stopping_graph(stopping: Any, shapes: Sequence[Sequence[int]]) -> Any:
    """Return a graph of a node that stops, with inputs x, w, r, h and the known constants."""
    constants = [constant(*each) for each in KNOWN.items()]
    return graph([stopping], dict(zip("xwrh", shapes, strict=False)), constants=constants)


@each_row(("stopping", "shapes", "message"), STOPS)
def test_where_shapes_cannot_be(
    save: Save, stopping: Any, shapes: Sequence[Sequence[int]], message: str
) -> None:
    """Each operator has its constraint; the message has the sizes, and the names of the file."""
    made = stopping_graph(stopping, shapes)
    *_, last = map(json.loads, run(["model", save(made), "--json"]).out.splitlines())
    [stop] = last["stops"]
    assert message in stop["message"]


def test_onnx_complains_of_the_others(save: Save) -> None:
    """For an operator without a constraint here, it stops where onnx says so."""
    made = graph([node("Flatten", "x", "y", "flat", axis=5)], {"x": [2, 3]})
    ended = run(["model", save(made)])
    assert ended.status == 1
    assert ended.out.endswith("opset 17: stops at flat (Flatten)\n")


@each_row(
    "fine",
    [
        (node("Concat", "x e", "y", axis=0), {"x": [2, 3], "e": [0, 5]}),
        (node("Concat", "x e", "y", axis=0), {"x": [2, 0], "e": [0, 5]}),
        (node("Reshape", "x zero", "y"), {"x": [2, 3]}),
        (node("Reshape", "x minus", "y"), {"x": ["n", 3]}),
        (node("Reshape", "x zero", "y"), {"x": ["n", 3]}),
        (node("Einsum", "x w", "y", equation="ij,jk->ik"), {"x": [2, 1], "w": [4, 5]}),
        (node("Gather", "x last", "y"), {"x": [4]}),
        (node("Pad", "x none", "y", mode="edge"), {"x": [0, 3]}),
        (node("GatherND", "x minus", "y"), {"x": [4, 3, 0]}),
        (node("BatchNormalization", "x w w w w", "y"), {"x": [2, "n"], "w": [4]}),
    ],
)
def test_what_runs_does_not_stop(save: Save, fine: tuple[Any, dict[str, Shape | None]]) -> None:
    """No stop where ONNX Runtime runs, nor where a size that matters is not known."""
    nodes, inputs = fine
    constants = [constant("zero", [0, 3]), constant("minus", [-1, 6]), constant("last", [-4])]
    constants.append(constant("none", [0] * 4))
    ended = run(["model", save(graph([nodes], inputs, constants=constants))])
    assert ended.status != 1
    assert "stops at" not in ended.out.splitlines()[-1]


def test_parts_that_an_attribute_holds(save: Save) -> None:
    """Up to opset 12 the parts are no input, and none of its sizes is fixed by a constant."""
    made = graph([node("Split", "x", "y z", "split", axis=1, split=[3, 4])], {"x": [2, 6]})
    ended = run(["model", save(made, 11), "-p"])
    assert (ended.status, "the sum of 'split' (7)" in ended.out) == (1, True)


@pytest.mark.parametrize(("outputs", "stops"), [("a b c d e f", False), ("a b c d", True)])
def test_a_split_into_a_number_of_parts(save: Save, outputs: str, stops: bool) -> None:
    """The last part may be smaller than the others, or empty, but not less."""
    count = len(outputs.split())
    split = node("Split", "x", outputs, "split", axis=0, num_outputs=count)
    *_, last = run(["model", save(graph([split], {"x": [5]}), 18), "--json"]).out.splitlines()
    messages = [stop["message"] for stop in json.loads(last)["stops"]]
    assert messages == (["x has 5 on axis 0, which cannot be split into 4 parts"] if stops else [])


def chosen(condition: Any) -> Any:
    """Return a graph of two branches, of which one stops for a size of 4."""
    branches = {
        "then_branch": graph([node("Reshape", "x s", "t", "inner")], {}),
        "else_branch": graph([node("Relu", "x", "t")], {}),
    }
    nodes = [
        node("Shape", "x", "sizes"),
        node("Gather", "sizes zero", "first"),
        node(condition, "first three", "c"),
        node("If", "c", "y", "choice", **branches),
        node("Add", "y k", "z", "after"),
    ]
    constants = [constant("s", [3, 2]), constant("k", [1.0] * 2)]
    constants += [constant("zero", [0], []), constant("three", [3], [])]
    return graph(nodes, {"x": ["n", 2]}, constants=constants)


def test_branches_that_are_never_taken(save: Save) -> None:
    """What a constant condition rules out does not count; the other branch has the result."""
    ended = run(["model", save(chosen("Greater")), "n=4"])
    assert ended.status == 1
    assert "choice/then_branch/inner (Reshape)" in ended.out.splitlines()[-1]
    lines = run(["model", save(chosen("Less")), "n=4", "-f", "lines"])
    assert lines.out == "Less () () # c\nAdd 4,2 2 # after\n"


def loop(trips: str, step: str = "Add v k") -> Any:
    """Return a graph that applies a step to what it carries, again and again.

    `k` is a constant of three rows, `two` one of two sizes.
    """
    operator, _, inputs = step.partition(" ")
    turn = [node("Identity", "on", "on2"), node(operator, inputs, "w", "inner")]
    body = graph(turn, {}, outputs={}, constants=[])
    for name, kind, shape in (("i", 7, []), ("on", 9, []), ("v", 1, None)):
        body.input.append(helper.make_tensor_value_info(name, kind, shape))
    for name, kind in (("on2", 9), ("w", 1)):
        body.output.append(helper.make_tensor_value_info(name, kind, None))
    nodes = [
        node("Shape", "x", "sizes"),
        node("Gather", "sizes zero", "rows"),
        node("Loop", f"{trips} - x", "y", "turns", body=body),
        node("Add", "y x", "z", "after"),
    ]
    constants = [constant("k", [1.0] * 6, [3, 2]), constant("zero", [0], [])]
    constants.append(constant("two", [3, 2]))
    return graph(nodes, {"x": ["n", 2]}, constants=constants)


def test_the_body_of_a_loop(save: Save) -> None:
    """A body that fails in its first turn stops the model; one that never runs does not count."""
    ended = run(["model", save(loop("rows")), "n=4"])
    assert ended.status == 1
    assert "opset 17: stops at turns/body/inner (Add)" in ended.out
    *_, after, _ = map(json.loads, run(["model", "m.onnx", "n=4", "--json"]).out.splitlines())
    assert (after["label"], after["behind"]) == ("after", "turns/body/inner (Add)")
    reshaped = run(["model", save(loop("rows", "Reshape v two")), "n=4"])
    assert reshaped.status == 1
    assert "opset 17: stops at turns/body/inner (Reshape)" in reshaped.out
    assert "stops" not in run(["model", save(loop("rows", "Reshape v two")), "n=3"]).out
    assert run(["model", save(loop("zero")), "n=4", "-f", "lines"]).out == "Add 4,2 4,2 # after\n"


def test_a_loop_that_may_never_run(save: Save) -> None:
    """Where an input is the number of turns, a body that would fail is a note: zero turns run."""
    model = loop("trips")
    model.input.append(helper.make_tensor_value_info("trips", 7, []))
    ended = run(["model", save(model), "n=4"])
    assert ended.status == 3
    assert (
        "note  turns/body/inner (Add) would fail, but only runs if its branch or loop is taken: "
        in ended.out
    )


def test_behind_another_domain(save: Save) -> None:
    """Behind an operator that ONNX does not know nothing is decided, and it is named."""
    own = helper.make_node("Warp", ["x"], ["y"], "warp", domain="com.acme")
    like = helper.make_node("FastGelu", ["x", "k"], ["g"], "gelu", domain="com.microsoft")
    nodes = [own, like, node("Add", "y k", "z"), node("Add", "g k", "w")]
    made = graph(nodes, {"x": [4, 2]}, constants=[constant("k", [1.0] * 2)])
    ended = run(["model", save(made)])
    assert ended.status == 3
    assert (
        "note  1 node is undecided: the result of warp (com.acme::Warp) is not known" in ended.out
    )
    assert run(["model", save(made), "-f", "lines"]).out == (
        "# 1 operator is not checked: com.acme::Warp\n"
        "onnx-uni 4,2 2 # gelu\nAdd ... 2 # z\nAdd 4,2 2 # w\n"
    )


def test_for_github(save: Save) -> None:
    """GitHub gets a line for each node that fails."""
    made = with_token(node("Add", "x three", "w", "50%"))
    made.initializer.append(constant("three", [1.0] * 3))
    ended = run(["model", name := save(made), "batch=4", "seq=5", "-f", "github"])
    mismatch = "x has 4 and three has 3 on axis 2 (-1), and neither is 1"
    joining = "cls has 1 and x has 4 on axis 0, but only axis 1 may differ"
    assert ended.status == 1
    assert ended.out.splitlines() == [
        f"::error file={name}::batch=4 seq=5: 50%25 (Add): {mismatch}",
        f"::error file={name}::batch=4 seq=5: join (Concat): {joining}",
    ]
    swept = run(["model", name, "batch=1,2", "seq=5", "-f", "github"]).out.splitlines()
    assert [line.split("::")[2].split(":")[0] for line in swept] == [
        "batch=1 seq=5",
        *["batch=2 seq=5"] * 2,
    ]


def test_a_model_on_standard_input(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash reads the model from standard input, which is open."""
    data = Path(save(CONCAT)).read_bytes()
    ended = run(["model", "-", "batch=4", "seq=5", "-p"], data)
    assert (ended.status, ended.out.splitlines()[0].split(":")[0]) == (1, "fails here")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UsageError, match="standard input is closed"):
        command._load("-")


@each_row(
    ("operator", "x", "w"),
    [
        ("Conv", [1, 4, 8], [6, 3, 3]),
        ("ConvTranspose", [1, 4, 8], [3, 6, 3]),
        ("Gemm", [2, 4], [3, 5]),
        ("MatMul", [2, 4], [3, 5]),
    ],
)
def test_weights(save: Save, operator: str, x: Shape, w: list[int]) -> None:
    """Weights are meant to fix sizes: of these it is not said that they were baked in."""
    made = graph(
        [node(operator, "x w", "y")], {"x": x}, constants=[constant("w", [0.5] * prod(w), w)]
    )
    ended = run(["model", save(made)])
    assert (ended.status, "stops" in ended.out, "fixed" in ended.out) == (1, True, False)


def test_a_row_has_80_columns(save: Save) -> None:
    """A node is one row: names lose their middle, sizes nothing; of many nodes 20 are shown."""
    names = [f"/model/layers.{each}/self_attention/attn" for each in range(30)]
    nodes = [node("Mul", "/model/layers.0/column /model/layers.0/row", f"y{n}", n) for n in names]
    inputs = {"/model/layers.0/column": [4096, 1], "/model/layers.0/row": [1, 4096]}
    name = save(graph(nodes, inputs))
    assert run(["model", name]).out == ("opset 17: 30 nodes broadcast\n")
    out = run(["model", name, "--all"]).out.splitlines()
    assert len(out) == 2 + 30 + 1
    assert max(map(len, out[:-1])) <= 80
    assert out[2].split()[0] == "/model/…f_attention/attn"
    assert all("4096,1" in line and "1,4096   4096,4096" in line for line in out[2:-1])
    row = [node("Mul", "x y", f"y{n}", n) for n in names]
    shown = run(["model", save(graph(row, {"x": ["n"], "y": [3]}))]).out.splitlines()
    assert shown[22] == "and 10 more: --all"
