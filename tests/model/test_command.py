"""The command that asks the nodes of a model."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol
from unittest.mock import patch

import pytest
from onnx import helper

from bcastcli.cli.console import UsageError
from bcastcli.model import command, onnx_model
from bcastcli.model.inference import __main__ as inference
from bcastcli.model.nodes import Model, ModelError, Node
from bcastcli.model.onnx_model import limits
from tests.effort import slow
from tests.in_memory import Ended, run
from tests.model_files import (
    Shape,
    constant,
    graph,
    inferred_here,
    model,
    node,
)
from tests.rows import each_row
from tests.terminal import screen


class Save(Protocol):
    """What writes a model to a file, with zeros behind it, and returns its name."""

    def __call__(self, data: bytes, zeros: int = 0) -> str: ...


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Save:
    """Write a model to a file, and return its name; the file is in the current directory."""
    monkeypatch.chdir(tmp_path)

    def saved(data: bytes, zeros: int = 0) -> str:
        path = tmp_path / "m.onnx"
        path.write_bytes(data)
        os.truncate(path, len(data) + zeros)
        return path.name

    return saved


@pytest.fixture
def in_process() -> Iterator[None]:
    """Infer shapes in this process."""
    with inferred_here():
        yield


def attention() -> bytes:
    """Return a model whose answers depend on its sizes, as one with a baked-in length does."""
    nodes = [
        *(node("Add", "x bias", "y", "proj"), node("Add", "y mask", "z", "mask")),
        *(node("Mul", "column row", "grid", "grid"), node("NonZero", "z", "places")),
        node("Cast", "places", "real", to=1),
        *(node("Mul", "real real", "square", "square"), node("Add", "real weights", "sum", "sum")),
        node("Einsum", "column row", "product", equation="ij,jk->ik"),  # whose code is large
    ]
    inputs: Any = {"x": ["batch", "seq", 16], "mask": [7, 16], "column": [4, 1], "row": [1, 4]}
    made = graph(nodes, inputs | {"weights": [3, 5]}, constants=[constant("bias", [1.0] * 16)])
    return model(made)


NOTE = "note  2 nodes depend on unknown sizes: give sizes for batch, seq\n"
TABLE = f"""\
node   operator   inputs                      answer
{"─" * 75}
mask   Add        y batch,seq,16  mask 7,16   batch,7,16 when seq in (1, 7)
{NOTE}opset 17: of 6 broadcasting nodes, 4 broadcast, 1 depends on unknown sizes and 1 is \
undecided; 2 other nodes were checked
"""


@pytest.mark.usefixtures("in_process")
class TestOnnx:
    @pytest.mark.parametrize("given", [[], ["seq=7"], ["seq=9"], ["x=2,7,16"]], ids=str)
    def test_lines_are_answered_alike(self, save: Save, given: list[str]) -> None:
        """`-f lines | bcastcli op -` gives the same answers and the same status."""
        command = ["model", save(attention()), *given]
        lines = run([*command, "-f", "lines"])
        answers = run(["op", "-"], lines.out.encode())
        # A line has no names of operands.
        *rows, counts = run([*command, "-f", "plain", "--all"]).out.splitlines()
        named = [each.replace(": y has 9 and mask has 7", ": A has 9 and B has 7") for each in rows]
        assert answers.out.splitlines() == named
        assert counts.startswith("opset 17: ")
        assert answers.status == lines.status

    def test_on_a_terminal(self, save: Save) -> None:
        """No size is cut, however narrow the terminal; of long names the middle is left out."""
        long = "/model/decoder/layers.0/self_attention/scores"
        nodes = [node("Add", "x y", "z", long), node("Mul", "x y", "w", "short")]
        inputs: dict[str, Shape | None] = {
            "x": ["batch", 1, 12, 4096, 4096],
            "y": [1, 12, 1, "total_sequence_length"],
        }
        name = save(model(graph(nodes, inputs)))
        for columns in (40, 80, 200):
            shown = screen(["model", name], columns)
            words = {word for line in shown.lines for word in line.split()}
            assert {"batch,1,12,4096,4096", "1,12,1,total_sequence_length"} <= words
            assert any("…" in word for word in words)
            assert not shown.has_spaces_at_an_end()

    def test_names_are_escaped(self, save: Save) -> None:
        """Names of the file cannot steer a terminal."""
        evil = "\x1b[31mred\n[bold]\u202e"
        data = model(graph([node("Add", "x x", evil, evil)], {"x": [evil, "n"]}))
        name = save(data)
        lines, table = (run(["model", name, "--all", *more]).out for more in (["-p"], []))
        assert "\\x1b[31mred\\n[bold]\\u202e" in lines
        assert all(each.isprintable() or each == "\n" for each in lines + table)

    def test_names_are_escaped_once(self, save: Save) -> None:
        """The format that shows a name escapes it: JSON has it as the file has it."""
        name = 'a\\b\t=1"'
        data = save(model(graph([node("Add", "x y", "z", name)], {"x": [2], "y": [3]})))
        assert json.loads(run(["model", data, "--json"]).out.splitlines()[0])["label"] == name
        for form in ("plain", "lines", "table"):
            assert r'a\b\t=1"' in run(["model", data, "-f", form]).out

    def test_graphs_within(self, save: Save) -> None:
        """Nodes in the branches of another node are asked too, named after where they are."""
        branches = {
            "then_branch": graph([node("Add", "x k", "t", "inner")], {}),
            "else_branch": graph([node("Mul", "x k", "t")], {}),
        }
        nodes = [node("If", "c", "y", "if", **branches)]
        nodes += [node("Own", "x", "z", domain="own", all=[*branches.values()])]
        made = graph(nodes, {"x": [2, 3], "k": [3]})
        made.input.append(helper.make_tensor_value_info("c", 9, []))
        ended = run(["model", save(model(made)), "-f", "plain", "--all"])
        answers = "2,3 # if/else_branch/t\n2,3 # if/then_branch/inner\n"
        answers += "2,3 # Own_1/all_0/inner\n2,3 # Own_1/all_1/t\n"
        counts = "opset 17: 4 nodes broadcast; 1 other node was checked"
        assert ended.out == f"{answers}{counts}; 1 operator is not checked: own::Own\n"

    def test_20_rows(self, save: Save) -> None:
        """Of many nodes 20 are shown, and how many more there are."""
        nodes = [node("Mul", "x y", f"z{number}") for number in range(30)]
        shown = run(["model", save(model(graph(nodes, {"x": ["n"], "y": [3]})))]).out.splitlines()
        assert (shown[21].split()[0], shown[22]) == ("z19", "and 10 more; --all shows them")


@pytest.mark.usefixtures("in_process")
@each_row(
    ("title", "operand", "count", "size", "rooms"),
    [
        (51, 1, 1, 1, (51, 1)),  # just 80 columns
        (52, 1, 1, 1, (40, 1)),
        (70, 70, 1, 1, (24, 24)),
        (70, 70, 2, 1, (16, 12)),
        (70, 70, 2, 10**7, (24, 0)),
        (70, 70, 3, 10**9, (12, 0)),
    ],
)
def test_the_width_of_names(
    save: Save, title: int, operand: int, count: int, size: int, rooms: tuple[int, int]
) -> None:
    """A row has 80 columns where it can: names lose their middle, or stand nowhere."""
    name = "x" * operand
    nodes = [node("Max", f"{name} " * count, "z", "t" * title)]
    saved = save(model(graph(nodes, {name: [size]})))
    shown, operator, *inputs = run(["model", saved, "--all"]).out.splitlines()[2].split()
    names = [len(text) for text in inputs if text != str(size)] or [0]
    assert (operator, len(shown), {*names}) == ("Max", rooms[0], {rooms[1]})


# Files


ZIP = "this is a zip archive or a pickle (PyTorch?): export it to ONNX"


@each_row(
    ("name", "content", "complaint"),
    [
        ("m.onnx", b"", "the file is empty"),
        ("m.onnx", b"PK\x03\x04\x14\x00", ZIP),
        *(("m.onnx", bytes([0x80, version, 0x95, 0x2E]), ZIP) for version in range(2, 6)),
        ("m.onnx", b"\x80\x06", "this is not an ONNX model"),
        ("", b"", "not a file"),
        ("pipe", b"", "not a file"),
        ("no.onnx", b"", "No such file or directory"),
        ("-1,3", b"", "No such file or directory"),
    ],
)
def test_what_is_no_model(save: Save, name: str, content: bytes, complaint: str) -> None:
    """What is no model, or no file, gets one sentence; the content decides, not the name."""
    save(content)
    if name == "pipe":
        os.mkfifo(name)
    assert run(["model", name]) == Ended(2, "", f"bcastcli: {name}: {complaint}\n")


def test_standard_input_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash reads standard input, which has to be open."""
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UsageError, match="standard input is closed"):
        command._load("-")


# Processes


def ended(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bcastcli", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def test_a_model_is_read_by_a_process_of_its_own(save: Save) -> None:
    """A module beside the model is not what is imported."""
    name = save(attention())
    Path("onnx.py").write_text("raise SystemExit('imported from the current directory')")
    ran = subprocess.run(
        [shutil.which("bcastcli", path=Path(sys.executable).parent) or "bcastcli", "model", name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (3, TABLE, "")


@slow
def test_a_model_that_ends_the_process(save: Save) -> None:
    """Onnx 1.23.2 dies of a segmentation fault on it."""
    crash = node("LayerNormalization", "x s", "y mean dev", axis=2**31)
    ran = ended("model", save(model(graph([crash], {"x": [2, 3], "s": [3]}))))
    assert (ran.returncode, ran.stdout) in ((2, ""), (1, ran.stdout))
    assert ran.stderr in ("", "bcastcli: m.onnx: shape inference failed on this file\n")


def _doubled(count: int) -> bytes:
    """Return a model that joins a shape to itself, again and again."""
    nodes = [node("Concat", f"c{i} c{i}", f"c{i + 1}", axis=0) for i in range(count)]
    last = node("Add", f"c{count} c{count}", "z")
    return model(graph([node("Shape", "x", "c0"), *nodes, last], {"x": ["n", 3]}))


FAILED = "bcastcli: m.onnx: shape inference failed on this file: "
TOO_MUCH = f"{FAILED}it ran out of memory (at most 300 MiB)\n"


def _called(depth: int) -> bytes:
    """Return a model of functions of which each calls the one before twice."""
    functions = [
        helper.make_function(
            "local",
            f"f{number}",
            ["x"],
            ["y"],
            [helper.make_node(f"f{number - 1}", [one], [other], domain="local")
             for one, other in ("xm", "my")]
            if number
            else [node("Add", "x x", "y")],
            [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)],
        )
        for number in range(depth)
    ]  # fmt: skip
    call = helper.make_node(f"f{depth - 1}", ["x"], ["z"], domain="local")
    return model(graph([call], {"x": [2]}), functions=functions)


@slow
@pytest.mark.parametrize(
    ("data", "endings"),
    [
        # Whether the memory suffices depends on the versions of Python and NumPy.
        pytest.param(_doubled(40), [("", TOO_MUCH), ("2199023255552 # z", "")], id="joined"),
        pytest.param(_called(40), [("", TOO_MUCH)], id="called", marks=slow),
    ],
)
def test_a_small_file_gets_little_memory(
    save: Save, data: bytes, endings: list[tuple[str, str]]
) -> None:
    """What some hundred bytes make enormous ends soon, and the limit that was met is named."""
    code = (
        "import resource, sys\nfrom bcastcli.cli.main import main\n"
        f"main(['model', {save(data)!r}, '--all', '-f', 'plain'])\n"
        "sys.stdout.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *shown, mebibytes = ran.stdout.splitlines()
    assert int(mebibytes) <= 350  # 300 of data, and what is used of the code
    assert ("\n".join(shown[:1]), ran.stderr) in endings


@each_row(
    ("status", "stderr", "sentence"),
    [
        (None, b"", "shape inference failed on this file: it took more than 60 seconds"),
        (-24, b"", "shape inference failed on this file: it took more than 10 seconds"),
        (-6, b"std::bad_alloc", TOO_MUCH.removeprefix("bcastcli: m.onnx: ")),
        (1, b"x.so: failed to map segment", TOO_MUCH.removeprefix("bcastcli: m.onnx: ")),
        (1, b"MemoryError", TOO_MUCH.removeprefix("bcastcli: m.onnx: ")),
        (-11, b"", "shape inference failed on this file"),
        (0, b"", "shape inference failed on this file"),
    ],
)
def test_how_inference_may_end(
    save: Save, monkeypatch: pytest.MonkeyPatch, status: int | None, stderr: bytes, sentence: str
) -> None:
    """A process that ends without an answer is one sentence, which names the limit it met."""

    def end(command: list[str], **rest: Any) -> subprocess.CompletedProcess[bytes]:
        assert (command[-2:], rest["timeout"]) == (["10", "300"], 60)
        assert rest["env"]["PYTHONPATH"] == f"{Path(onnx_model.__file__).parents[2]}:/more"
        assert rest["env"]["OPENBLAS_NUM_THREADS"] == "1"  # each would claim memory
        if status is None:
            raise subprocess.TimeoutExpired(command, 60)
        return subprocess.CompletedProcess(command, status, b"{}\n{" if status else b"", stderr)

    monkeypatch.setattr(subprocess, "run", end)
    monkeypatch.setenv("PYTHONPATH", "/more")
    with pytest.raises(ModelError):
        onnx_model._infer(b"", 1)
    ended = run(["model", save(attention())])
    assert (ended.status, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert ended.err.startswith(f"bcastcli: m.onnx: {sentence}")


@slow
@pytest.mark.parametrize(("zeros", "status"), [(1 << 10, 0), (1 << 26, 1)])
def test_the_status_of_a_process_without_memory(zeros: int, status: int) -> None:
    """It ends in an error of its own if 30 MiB are too little for a file."""
    ran = subprocess.run(
        [sys.executable, "-m", "bcastcli.model.inference", "9", "30"],
        input=b"{}\n" + bytes(zeros),
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, bool(ran.stdout)) == (status, not status)
    assert (b"MemoryError" in ran.stderr) == bool(status)


@pytest.mark.parametrize(("size", "limit"), [(2**20 - 1, (10, 300)), (2**20, (60, 2048))])
def test_the_limits_of_a_file(size: int, limit: tuple[int, int]) -> None:
    """A file of less than 1 MiB without its weights gets 10 seconds and 300 MiB."""
    assert limits(size) == limit


def test_the_limits_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """It limits itself: no core is dumped, and once all is loaded no file is opened.

    The time of each combination begins anew. A limit that is lower stays.
    """
    limits: list[tuple[str, int, int]] = []
    resource = SimpleNamespace(
        **{f"RLIMIT_{name}": name for name in ("CPU", "CORE", "DATA", "NOFILE")},
        RLIM_INFINITY=-1,
        getrlimit=lambda name: (5, 1 << 20 if name == "DATA" else -1),
        setrlimit=lambda name, limit: limits.append((name, *limit)),
    )
    request = b'{"n": [2, 3]}\n' + model(graph([node("Add", "x x", "y", "zz")], {"x": ["n"]}))
    request = request.replace(b"zz", b"\xffz")  # JSON is UTF-8
    output = StringIO()
    monkeypatch.setitem(sys.modules, "resource", resource)
    monkeypatch.setattr(inference, "process_time", lambda: 4.5)
    monkeypatch.setattr("sys.argv", ["inference", "9", "30"])
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=BytesIO(request)))
    monkeypatch.setattr("sys.stdout", output)
    with patch("gc.disable") as collects_nothing:
        inference.main()
    collects_nothing.assert_called_once()
    data = ("DATA", 1 << 20, 1 << 20)
    again = ("CPU", 13, -1)
    assert limits == [("CPU", 9, -1), ("CORE", 0, -1), data, ("NOFILE", 0, -1), again, again]
    models = [json.loads(line)["model"] for line in output.getvalue().splitlines()]
    assert [Model(*each).chosen for each in models] == [{"n": 2}, {"n": 3}]
    assert [Node(*node).name for node in Model(*models[0]).nodes] == ["\ufffdz"]
    monkeypatch.setitem(sys.modules, "resource", None)
    inference.limit(RLIMIT_CPU=9)  # on Windows there are none


def test_onnx_is_needed_for_onnx_alone(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the onnx package a sentence names what to install."""
    blocked = Path("blocked")
    blocked.mkdir()
    # Wherever onnx is installed, it then cannot be imported.
    (blocked / "sitecustomize.py").write_text("import sys\nsys.modules['onnx'] = None\n")
    ran = ended("model", save(attention()), PYTHONPATH=str(blocked.resolve()))
    assert ran.returncode == 2
    assert ran.stderr == "bcastcli: m.onnx: reading ONNX needs: pip install 'bcastcli[onnx]'\n"


@slow
def test_nothing_but_the_child_imports_onnx(save: Save) -> None:
    """The process that answers loads neither onnx nor numpy."""
    code = (
        "import sys\nfrom bcastcli.cli.main import main\n"
        f"main(['model', {save(attention())!r}, '-q'])\n"
        "print(*sorted({'onnx', 'numpy', 'rich', 'google'} & {*sys.modules}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"


def test_no_file_but_the_model_is_opened(save: Save) -> None:
    """Every file that either process opens is told by an audit hook, up to the last import."""
    away = helper.make_tensor("w", 1, [3], [1.0, 2.0, 3.0])
    away.ClearField("float_data")
    away.data_location = 1
    away.external_data.add(key="location", value="secret.bin")
    Path("secret.bin").write_bytes(bytes(12))
    name = save(model(graph([node("Add", "x w", "y")], {"x": [2, 3]}, constants=[away])))
    Path("sitecustomize.py").write_text(
        "import sys\n"
        "def hook(event, args):\n"
        "    if event == 'open' and not str(args[0]).endswith(('.py', '.pyc')):\n"
        "        sys.stderr.write(f'opened {args[0]}\\n')\n"
        "sys.addaudithook(hook)\n"
    )
    ran = ended("model", name, "--all", PYTHONPATH=str(Path.cwd()))
    assert "x 2,3  w 3   2,3" in ran.stdout
    opened = [line for line in ran.stderr.splitlines() if str(Path.cwd()) in line or name in line]
    assert opened == [f"opened {name}"]
    assert "secret" not in ran.stderr


@slow
@pytest.mark.parametrize("is_external", [False, True])
def test_weights_are_never_read(save: Save, is_external: bool) -> None:
    """A sparse file of 1.9 GiB, or a tensor of 2 GiB elsewhere, costs no memory."""
    weight = helper.make_tensor("w", 1, [1], [0.0])
    weight.ClearField("float_data")
    count = 1900 << 18
    weight.dims[:] = [count]
    if is_external:
        weight.data_location = 1
        weight.external_data.add(key="location", value="weights.bin")
        with Path("weights.bin").open("wb") as file:
            file.truncate(2 << 30)
    made = graph([node("Add", "x b", "y")], {"x": [2, 3], "b": [3]}, constants=[weight])
    name = save(model(made)) if is_external else save(before_zeros(made, 4 * count), 4 * count)
    code = (
        "import resource, sys\nfrom bcastcli.cli.main import main\n"
        f"status = main(['model', {name!r}, '--all'])\n"
        # Of this process alone: its resource usage begins with that of the one that forked it.
        "own = [line for line in open('/proc/self/status') if line.startswith('VmHWM')]\n"
        "child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
        "print(status, int(own[0].split()[1]) + child >> 10)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *_, last = ran.stdout.splitlines()
    status, mebibytes = map(int, last.split())
    assert status == 0
    assert mebibytes < 150


def before_zeros(made: Any, size: int) -> bytes:
    """Return a model whose initializer ends in so many bytes of zeros, up to these."""
    [weight] = made.initializer
    made.ClearField("initializer")

    def field(number: int, length: int) -> bytes:
        encoded = bytearray([number << 3 | 2])
        while length > 127:
            encoded.append(length & 127 | 128)
            length >>= 7
        return bytes((*encoded, length))

    tensor = weight.SerializeToString() + field(9, size)
    inner = made.SerializeToString() + field(5, len(tensor) + size) + tensor
    whole = helper.make_model(helper.make_graph([], "", [], []), ir_version=8)
    whole.ClearField("graph")
    whole.opset_import[0].version = 17
    data: bytes = whole.SerializeToString() + field(7, len(inner) + size) + inner
    return data
