"""The command that explains error messages: what it shows, and what it does not claim."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from bcastcli.messages import Message, Reading
from bcastcli.messages.reader import Reader
from tests.effort import many
from tests.examples import EXAMPLES
from tests.in_memory import run
from tests.rows import each_row

NUMPY = "ValueError: operands could not be broadcast together with shapes (2,3) (2,) "
IN_PLACE = "operands could not be broadcast together with shapes (5305,10) (18027,) (5305,10)"
TORCH = (
    "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at "
    "non-singleton dimension 1"
)
PRODUCT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (6x4 and 5x6)"
LETTERS = "ValueError: Incompatible dim 1 in shapes (2, 3) vs. (1, is14)"
FITS = "operands could not be broadcast together with shapes (2,3) (3,)"
CONCAT = "RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 2"
PDPD = (
    "RuntimeError: Check 'TRShape::broadcast_merge_into(output_shape, input_shapes[1], autob)' "
    "failed at eltwise_shape_inference.hpp:26:\nWhile validating node 'opset1::Add Add_3 "
    "(opset1::Parameter x[0]:f32[2,3], opset1::Parameter y[0]:f32[1,2,3]) -> ()' with "
    "friendly_name 'Add_3':\nArgument shapes are inconsistent."
)
TEXTS = [
    text for message, found in EXAMPLES.items() if type(message) is Message for text, _ in found
]


def told(text: str) -> list[dict[str, object]]:
    """Return the objects that a text is explained by."""
    lines = run(["why", "--json", "-"], text.encode()).out.splitlines()
    return [json.loads(line) for line in lines]


def test_shapes() -> None:
    """A message with shapes gets the answer of its rule's command, below the message."""
    own = run(["numpy", "2,3", "2"])
    asked = run(["why", NUMPY])
    message = "NumPy: operands could not be broadcast together with shapes (2,3) (2,)\n"
    assert asked == (own.status, message + own.out, "")


def test_words_of_the_framework() -> None:
    """What to write instead is written as the framework does."""
    shapes = "[2,3] vs. [2] [Op:AddV2]"
    assert "tf.expand_dims(B, 1)" in run(["why", f"Incompatible shapes: {shapes}"]).out
    assert "B[:, None]" in run(["why", NUMPY]).out
    indexed = "shape mismatch: indexing tensors could not be broadcast together with shapes"
    assert "B.unsqueeze(1)" in run(["why", f"{indexed} [2, 3], [2]"]).out
    script = "Error: Operands could not be broadcast together with shapes 285 and 285,39."
    assert "A.expandDims(1)" in run(["why", script]).out
    cuda = "Add_80: right operand cannot broadcast on dim 1 LeftShape: {2,3}, RightShape: {2}"
    assert "Unsqueeze(right, axes=[1])" in run(["why", cuda]).out


DIMS = "DimensionMismatch: dimensions must match: a has dims {}, b has dims {}, mismatch at 1"
ONE_AXIS, TWO_AXES = "(Base.OneTo(4),)", "(Base.OneTo(3), Base.OneTo(4))"
NODE = """While validating node 'opset1::Add Add_6 (opset1::Parameter x[0]:f32[3,4], \
opset1::Parameter y[0]:f32[4]) -> ()' with friendly_name 'Add_6':
Argument shapes are inconsistent."""


@pytest.mark.parametrize(
    ("message", "write"),
    [
        (DIMS.format(TWO_AXES, ONE_AXIS), "a .+ reshape(b, 1, 4)  1,4  gives 3,4"),
        (DIMS.format(TWO_AXES, "(Base.OneTo(3),)"), "a .+ b    gives 3,4"),
        ("DimensionMismatch: a has size (2, 3), b has size (2,), mismatch at dim 2", "a .+ b"),
        ("shape mismatch in add, lhs: [3, 4], rhs: [4]", "lhs.broadcast_add(&rhs)    gives 3,4"),
        ("shape mismatch in sub, lhs: [3, 4], rhs: [3]", "lhs.broadcast_sub(&rhs.unsqueeze(1)?)"),
        ("shape mismatch in cmp, lhs: [3, 4], rhs: [4]", "rhs.broadcast_as(&[3, 4])?"),
        ("shape mismatch in broadcast_sub, lhs: [3, 4], rhs: [4, 3]", "rhs.t()?"),
        (f"Check 'merge_into(output_shape)' failed:\n{NODE}", "opset13.broadcast(y, [3, 4])"),
    ],
)
def test_operations_that_stretch(message: str, write: str) -> None:
    """Where a framework's operation does not stretch, its own that does is what to write."""
    ended = run(["why", message])
    assert ended.status == 1
    assert f" {write}" in ended.out
    assert "numpy." not in ended.out


def test_batch_axis_of_keras() -> None:
    """Keras leaves the batch axis out of its shapes; what to write counts it, or is left out."""
    merged = "ValueError: Inputs have incompatible shapes. Received shapes {} and {}"
    out = run(["why", merged.format("(5, 2)", "(5,)")]).out
    assert "tf.expand_dims(B, 2)  5,1  gives 5,2" in out
    assert "B[:, None, :, None, None]" in run(["why", merged.format("(9, 5, 2, 2)", "(5,)")]).out
    assert "tf.transpose(B, [0, 2, 1])" in run(["why", merged.format("(3, 4)", "(4, 3)")]).out
    assert "tf.reshape(A, [-1, 2, 3])" in run(["why", merged.format("(6,)", "(2, 3)")]).out


def test_sizes() -> None:
    """Where only sizes and an axis are shown, nothing else is claimed."""
    ended = run(["why", TORCH])
    assert ended.status == 1
    assert "(-1)" not in ended.out
    assert "unknown  the shapes; the number of axes (2 or more)" in ended.out
    assert ended.out.endswith("a has 3 and b has 4 on axis 1, and neither is 1\n")
    [record] = told(TORCH)
    assert record["operands"] == [{"name": "a", "shape": None}, {"name": "b", "shape": None}]
    assert (record["sizes"], record["axis"], record["axis_of"]) == ([3, 4], 1, "operands")
    assert (record["axes"], record["ok"], record["told"]) == (None, False, ["sizes", "axis"])


def test_axes_in_the_message() -> None:
    """Axes that a message lists are put to the rule explicit, and so is what to write instead."""
    text = (
        "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their "
        "corresponding dimensions in the target broadcast shape; got operand of shape (3,), target "
        "broadcast shape (4, 3), broadcast_dimensions (0,)"
    )
    asked = run(["explicit", "operand=3", "target=4,3", "--axes", "0"])
    ended = run(["why", text])
    assert ended.status == asked.status == 1
    assert ended.out.partition("\n")[2] == asked.out
    assert "try   --axes 1 " in ended.out


def test_only_names_are_printed() -> None:
    """What to print is Python: labels such as `operand 1` are no names."""
    product = (
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature"
    )
    assert "next     print(a.shape, b.shape) before that line" in run(["why", TORCH]).out
    out = run(["why", f"{product} (n?,k),(k,m?)->(n?,m?) (size 3 is different from 4)"]).out
    assert "next     print the shapes before that line" in out


def test_silent_square() -> None:
    """A loss that only warns is a success whose growth is told in numbers."""
    sizes = (
        "target size (torch.Size([32])) that is different to the input size (torch.Size([32, 1]))"
    )
    rest = "This will likely lead to incorrect results due to broadcasting. Please ensure they have"
    ended = run(["why", f"UserWarning: Using a {sizes}. {rest} the same size."])
    assert ended.status == 0
    assert "both operands stretch: 32 and 32 elements become 1,024" in ended.out
    assert ended.out.endswith("\n32,32\n")


@pytest.mark.parametrize(
    "text",
    [
        "Target size ({}) must be the same as input size ({})",
        "Using a target size ({}) that is different to the input size ({}) is deprecated.",
    ],
)
def test_refused_target(text: str) -> None:
    """A loss that refuses its target gets advice where only axes of size 1 are missing."""
    ended = run(["why", f"ValueError: {text.format('torch.Size([32])', 'torch.Size([32, 1])')}"])
    assert ended.status == 1
    assert "target.unsqueeze(1)" in ended.out
    assert "and nothing stretches" in ended.out
    other = run(["why", f"ValueError: {text.format('torch.Size([2])', 'torch.Size([2, 3])')}"])
    assert (other.status, other.out) == (2, "")
    assert "a loss: " in other.err


def test_order_unknown() -> None:
    """Where the text does not say which operand has which size, no operand is named."""
    init = "axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension"
    text = f"running Add node. Name:'Add_1' Status Message: {init} other than 1. 3 by 4"
    out = run(["why", text]).out
    assert "one operand has 3 and another 4 on the same axis, and neither is 1" in out
    assert "A has" not in out
    zero = run(["why", f"{init} other than 1. 0 by 1"])
    assert zero.status == 0
    assert "neither is 1" not in zero.out


def test_sides_of_a_product() -> None:
    """The reason of a product names who has which size, and claims nothing of a size of 1."""
    text = "got size {} for argument #2 'batch2' (while checking arguments for bmm)"
    tensor = f"RuntimeError: Expected tensor to have size 1 at dimension 0, but {text.format(3)}"
    assert run(["why", "-p", tensor]).out.endswith(
        "batch1 has 1 and batch2 has 3, and these must be equal\n"
    )
    solver = "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature"
    ended = run(["why", f"{solver} (m,m),(m,n)->(m,n) (size 4 is different from 3)"])
    assert (ended.status, ended.out) == (2, "")
    assert "linear algebra: " in ended.err


def test_letters() -> None:
    """A size without a number leaves it open; what the failure tells of it is said."""
    ended = run(["why", TORCH.replace("(3)", "(s7: hint = 3)")])
    assert ended.status == 3
    assert "it failed, so s7 is neither 1 nor 4" in ended.out
    ended = run(["why", "mul got incompatible shapes for broadcasting: (2*N, 3), (4, 3)."])
    assert ended.status == 3
    assert "a calculated size is treated as ?" in ended.out


def test_axis_of_pdpd() -> None:
    """Where only another axis of PDPD explains a message, the answer says that it is not told."""
    text = PDPD.replace("f32[2,3]", "f32[2,5,4]").replace("f32[1,2,3]", "f32[5,4]")
    ended = run(["why", text])
    assert ended.status == 1
    assert "axis is not in the message" in ended.out


def test_output() -> None:
    """An output takes no part in what to write instead."""
    [record] = told(IN_PLACE)
    operands = record["operands"]
    assert isinstance(operands, list)
    assert [operand["name"] for operand in operands] == ["A", "B", "out"]
    assert record["suggestions"] == []
    text = "operands could not be broadcast together with shapes (5,2) (5,) (5,2)"
    [record] = told(text)
    suggestions = record["suggestions"]
    assert isinstance(suggestions, list)
    assert [each["write"] for each in suggestions] == ["B[:, None]"]


def test_matrix_product() -> None:
    """A matrix product is answered by the operator MatMul."""
    [record] = told(PRODUCT)
    assert (record["rule"], record["op"], record["operation"]) == ("op MatMul", "MatMul", "mm")
    assert (
        record["reason"]
        == json.loads(run(["op", "MatMul", "mat1=6,4", "mat2=5,6", "--json"]).out)["reason"]
    )


def test_other_rule_of_the_same_words() -> None:
    """OpenVINO writes one sentence for two rules: the shapes tell them apart."""
    [record] = told(PDPD)
    assert (record["rule"], record["ok"]) == ("pdpd", False)


def test_engine_notes() -> None:
    """What ONNX's engines do is noted only where the message is theirs."""
    assert (
        "ONNX"
        not in run(["why", "could not broadcast input array from shape (3,) into shape (2,)"]).out
    )


@each_row(
    ("text", "status"),
    [
        (NUMPY, 1),
        (TORCH, 1),
        ("sub got incompatible shapes for broadcasting", 1),
        (LETTERS, 3),
        ("operands could not be broadcast together with shapes (2,3) (4", 3),
        (FITS, 0),
        (f"{FITS}\n{LETTERS}", 3),
        (f"{FITS}\n{LETTERS}\n{TORCH}", 1),
        (CONCAT, 2),
        (f"{CONCAT}\n{NUMPY}", 1),
        ("all is well", 2),
    ],
)
@each_row("option", ["--color=never", "--plain", "--json", "--format=tsv", "-q"])
def test_status(text: str, status: int, option: str) -> None:
    """The status says what was found, in every format."""
    assert run(["why", option, text]).status == status
    assert run(["why", option], text.encode()).status == status


@each_row(
    ("arguments", "typing"),
    [
        (["why", "-", "text"], True),
        (["why", "-", "text"], False),
        (["why", "--tee", "text"], False),
    ],
)
def test_no_text(arguments: list[str], typing: bool) -> None:
    """Two texts are a usage error and never a wait."""
    ended = run(arguments, typing=typing)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: ")


def test_nothing() -> None:
    """A text without a message reads as no yes."""
    ended = run(["why", "-"], b"")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: nothing to explain")


@each_row("options", [[], ["-q"], ["--json"]])
def test_clean_log_with_tee(options: list[str]) -> None:
    """A log without a message passes --tee unchanged, with status 0 and no other word."""
    log = b"epoch 1 loss 0.5\nepoch 2 loss 0.25\n"
    assert run(["why", "--tee", *options], log) == (0, log.decode(), "")
    assert run(["why", "--tee", *options], b"") == (0, "", "")


def test_another_fault_with_tee() -> None:
    """With --tee another kind of fault gets its sentence, and status 0; with -q neither."""
    ended = run(["why", "--tee"], CONCAT.encode())
    assert (ended.status, ended.out) == (0, CONCAT)
    assert ended.err.startswith("bcastcli: line 1: concatenation: ")
    assert run(["why", "--tee", "-q"], CONCAT.encode()) == (0, CONCAT, "")
    assert run(["why", "--tee", "-q"], NUMPY.encode()) == (1, NUMPY, "")


@each_row(
    ("arguments", "data", "sentence"),
    [
        ([], b"", "standard input was empty; errors go to standard error: add 2>&1 before the |"),
        (
            ["-"],
            b"",
            "standard input was empty; errors go to standard error: add 2>&1 before the |",
        ),
        ([], b"a\nb", "no message about shapes that do not broadcast in 2 lines"),
        (["-"], b"a\n", "no message about shapes that do not broadcast in 1 line"),
        ([], b"a\n" * 100_000, "no message about shapes that do not broadcast in 100,000 lines"),
        ([""], b"", "the text is empty"),
        (["python", "train.py"], b"", "did you mean: python train.py 2>&1 | bcastcli why"),
        (["python3.12 -m a"], b"", "did you mean: python3.12 -m a 2>&1 | bcastcli why"),
        (["train.py", "8"], b"", "did you mean: python train.py 8 2>&1 | bcastcli why"),
        (["runs/a.log"], b"", "did you mean: bcastcli why < runs/a.log"),
        (["it fails"], b"", "no message about shapes that do not broadcast in 1 line"),
    ],
)
def test_what_was_read(arguments: list[str], data: bytes, sentence: str) -> None:
    """Where nothing is explained, one sentence says what was read, and what may have been meant."""
    ended = run(["why", *arguments], data)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("bcastcli: nothing to explain: ")
    assert ended.err.endswith(f"{sentence}\n")


def test_another_fault() -> None:
    """A known fault that is no broadcasting gets one sentence, and an object in JSON."""
    ended = run(["why", "--json", f"first\n{CONCAT}"])
    assert json.loads(ended.out) == {
        "schema": 1,
        "command": "why",
        "status": "invalid",
        "line": 2,
        "recognised": "concat",
    }
    assert ended.err.startswith("bcastcli: line 2: concatenation: ")


def test_faults_of_joining() -> None:
    """A concatenation has the figures of its message; a stack wants equal shapes."""
    text = (
        "running Concat node. Name:'/Concat' Status Message: concatbase.h:133 "
        "PrepareForComputeImpl Non concat axis dimensions must match: "
        "Axis 0 has mismatched dimensions of 1 and 4"
    )
    said = " ".join(run(["why", text]).err.split())
    assert "in the node /Concat: axis 0 has 1 and 4, and only the axis being joined may" in said
    assert "bcastcli model FILE" in said
    stacked = run(["why", "ValueError: all input arrays must have the same shape"]).err
    assert stacked == "bcastcli: line 1: a stack: all input arrays must have the same shape\n"


def test_several() -> None:
    """One answer each, in the order of the text; equal ones once, with how often and where."""
    text = f"{TORCH}\n{NUMPY}\n{TORCH}\n"
    out = run(["why"], text.encode()).out
    first, second, last = out.split("\n\n")
    assert first.startswith("PyTorch: ")
    assert first.splitlines()[0].endswith("(2 times, first on line 1)")
    assert second.splitlines()[0].endswith("(line 2)")
    assert last == "2 messages explained\n"
    assert [record["count"] for record in told(text)] == [2, 1]
    assert run(["why", "-p"], text.encode()).out.count("\n") == 2


def test_equal_messages_far_apart() -> None:
    """However much stands between them, equal messages are one explanation, and counted."""
    between = "a step of the training\n" * 20_000
    text = f"{NUMPY}\n{between}{NUMPY}\n"
    out = run(["why"], text.encode()).out
    assert out.splitlines()[0].endswith("(2 times, first on line 1)")
    assert out.count("NumPy: ") == 1


def test_many() -> None:
    """Only twenty are shown; how many more there are is said."""
    text = "".join(NUMPY.replace("(2,)", f"({size},)") + "\n" for size in range(4, 34))
    out = run(["why"], text.encode()).out
    assert out.count("NumPy: ") == 20
    assert out.endswith("20 messages explained, and 10 more\n")


def test_tsv() -> None:
    """A row for each reading, below one header."""
    out = run(["why", "-f", "tsv"], f"{NUMPY}\n{TORCH}".encode()).out
    head, first, second = (line.split("\t") for line in out.splitlines())
    assert len(head) == len(first) == len(second)
    row = dict(zip(head, first, strict=True))
    assert (row["operands"], row["ok"], row["framework"]) == ("A=2,3 B=2", "false", "numpy")


@each_row("option", ["--steps", "--picture", "--format=svg", "--format=html"])
def test_one_with_shapes(option: str) -> None:
    """Steps, pictures and pages show one reading with shapes, and nothing else."""
    assert run(["why", option, NUMPY]).status == 1
    assert run(["why", option, PRODUCT]).status == 1
    for text in (TORCH, f"{NUMPY}\n{PRODUCT}"):
        ended = run(["why", option, text])
        assert (ended.status, ended.out) == (2, "")


def test_tee() -> None:
    """Standard input is copied as it is; what explains it goes to standard error."""
    data = b"step 1\r\n\xff\x1b[31m" + NUMPY.encode() + b"\x1b[0m"
    process = subprocess.run(
        [sys.executable, "-m", "bcastcli", "why", "--tee"],
        input=data,
        capture_output=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert (process.returncode, process.stdout) == (1, data)
    explained = process.stderr.decode()
    assert explained.startswith("NumPy: operands could not be broadcast together with shapes")
    assert "\x1b" not in explained


def test_as_it_comes() -> None:
    """An answer is out while the input stays open."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bcastcli", "why", "--plain"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin
    assert process.stdout
    with process:
        for text in (NUMPY, TORCH):
            process.stdin.write(f"some output\n{text}\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith("mismatch: ")
        process.stdin.close()
        assert process.wait() == 1


def test_privacy(tmp_path: Path) -> None:
    """Nothing but the text is read: no file of a traceback, no framework, no network."""
    file = tmp_path / "my_script.py"
    file.write_text("secret = 1\n")
    text = f'  File "{file}", line 1, in <module>\n{NUMPY}'
    program = (
        "import sys\n"
        "from bcastcli.__main__ import run\n"
        "opened = []\n"
        "def hook(event, arguments):\n"
        "    is_file = event == 'open' and 'my_script' in str(arguments[0])\n"
        "    if is_file or event.startswith('socket.'):\n"
        "        opened.append((event, arguments))\n"
        "sys.addaudithook(hook)\n"
        "sys.argv = ['bcastcli', 'why', sys.stdin.read()]\n"
        "try:\n"
        "    run()\n"
        "finally:\n"
        "    assert not opened, opened\n"
        "    assert not {'numpy', 'torch', 'jax', 'onnx', 'tensorflow'} & {*sys.modules}\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], input=text, capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr) == (1, "")


def mutated(text: str, chance: random.Random) -> str:
    """Return a text with a few of its characters changed, moved, doubled or left out."""
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(text) + 1)
        end = min(len(text), place + chance.randrange(12))
        piece = chance.choice(
            (
                "",
                "\n",
                "\r",
                "\x1b[31m",
                "\x1b",
                "\\x1b[0m",
                "(",
                ")",
                "[",
                "]",
                ",",
                "9" * 30,
                "-1",
                "?",
                "None",
                "\x07",
                "\x9b",
                "\u202e",
                "�",
                "İ",
                "x",
                text[place:end] * 2,
            )
        )
        text = text[:place] + piece + text[end:]
    return text


def test_mutated() -> None:
    """Whatever is done to a message, there is an answer, and no control character in it."""
    chance = random.Random("why")
    for _ in range(many(10_000)):
        text = mutated(chance.choice(TEXTS), chance)
        option = chance.choice(("--color=never", "--plain", "--json", "--format=tsv"))
        ended = run(["why", option, "-"], text.encode("utf-8", "surrogatepass"))
        assert ended.status in range(4)
        shown = set(ended.out + ended.err) - {"\n", "\t"}
        assert all(character.isprintable() for character in shown), text


def test_no_more_than_the_text() -> None:
    """No number is claimed that the text does not have."""
    for text in TEXTS:
        reader = Reader()
        said = [*reader.feed(text.encode()), *reader.end()]
        for reading in said:
            assert isinstance(reading, Reading)
            shapes = reading.shapes or ()
            sizes = [size for shape in shapes for size in shape] + list(reading.sizes or ())
            for size in sizes:
                added = size in (0, 1) and ("newaxis" in text or "0 by 0" in text)
                assert size == "?" or added or str(size) in text
