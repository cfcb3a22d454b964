"""Messages to readings: every message's own examples, whatever stands around them."""

import codecs
import itertools
import json
import re
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from string import Formatter

import pytest

from bcastcli import help as topics
from bcastcli.rules import RULES, USUAL, names
from bcastcli.rules.frameworks import WITHOUT_A_RULE
from bcastcli.why.messages import Fault, Message, Reading, catalogue, reader
from bcastcli.why.messages.catalogue import parsed
from bcastcli.why.messages.cleaning import normalized
from bcastcli.why.messages.faults import KnownFault
from bcastcli.why.messages.fields import kinds
from bcastcli.why.messages.figures import FUNCTIONS
from tests.examples import CATALOGUE, EXAMPLES, examples, in_short
from tests.rows import each_row

SCHEMA = Path(__file__).parents[1] / "schema.json"
TEXTS = [
    pytest.param(example.text, example.summary, id=f"{message.words}-{number}")
    for message, found in EXAMPLES.items()
    for number, example in enumerate(found)
]
READINGS = {
    example.text: example.summary
    for message, found in EXAMPLES.items()
    if type(message) is Message
    for example in found
}


def read(text: str) -> Sequence[Reading | Fault]:
    """Return what a text says."""
    return reader.read(text.encode("utf-8", "surrogateescape")).findings


def summaries(text: str) -> list[str]:
    """Return what a text says, in short."""
    return [in_short(said) for said in read(text)]


def prefixed(prefix: str) -> Callable[[str], str]:
    """Return what puts a prefix before each line."""
    return lambda text: "\n".join(prefix + line for line in text.split("\n"))


def boxed(text: str) -> str:
    """Return the text within a box, its lines broken between words."""
    lines = textwrap.wrap(text, 72, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"│ {line:72} │" for line in lines)


SURROUNDINGS: dict[str, Callable[[str], str]] = {
    "pytest": prefixed("E       "),
    "quoted": prefixed("> "),
    "docker": prefixed("trainer-1  | "),
    "rank": prefixed("[rank3]: "),
    "log": prefixed("2026-11-21 10:02:00,123 - trainer - ERROR - "),
    "actions": prefixed("2026-11-21T09:12:33.1234510Z "),
    "ray": prefixed("(train pid=4021, ip=10.0.0.7) "),
    "vLLM": prefixed("(EngineCore pid=39) ERROR 07-23 21:03:03 [core.py:1231] "),
    "loguru": prefixed("2026-11-21 10:02:00.123 | ERROR    | trainer.loop:fit:12 - "),
    "hydra": prefixed("[2026-11-21 10:02:00,123][trainer][ERROR] - "),
    "CRLF": lambda text: text.replace("\n", "\r\n") + "\r\n",
    "progress": lambda text: f"Epoch 3/20: 45%|████▌     | 210/469 (3, 4)\r{text}",
    "JSON": lambda text: json.dumps({"level": "error", "exc": text}),
    "color": lambda text: re.sub(r"(\d+|\w+Error)", "\x1b[1;36m\\1\x1b[0m", text),
    "written color": lambda text: re.sub(r"(\d+|\w+Error)", r"\\u001b[1;36m\1\\u001b[0m", text),
    "box": boxed,
    "broken": lambda text: textwrap.fill(text, 70, break_long_words=False, break_on_hyphens=False),
    "prints above": lambda text: f"x: torch.Size([32, 3])  y: (32, 1)\n{text}",
    "prints below": lambda text: f"{text}\n(5, 6)\n[7, 8]\n(9, 1)",
    "prose": lambda text: f"I get `{text}` when I call fit(), what now?",
}


@each_row(("text", "summary"), TEXTS)
def test_example(text: str, summary: str) -> None:
    """Every message is read as its examples say."""
    assert summaries(text) == [summary]


@pytest.mark.parametrize("surrounding", SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_surroundings(surrounding: Callable[[str], str]) -> None:
    """What loggers, boxes, terminals and people put around a message changes nothing."""
    read_as = {text: summaries(surrounding(text)) for text in READINGS}
    assert read_as == {text: [summary] for text, summary in READINGS.items()}


@each_row(
    ("text", "said"),
    [
        ("operands could not be broadcast together with{} shapes (2,3) (4,)", "A=2,3, B=4"),
        ("operands could not be broadcast {}together with shapes (2,3) (4,)", "A=2,3, B=4"),
        ("operands could not be broadcast together with shapes (2,3) (1{}2,)", "cut"),
        ("operands could not be broadcast together with shapes (2,3) (4,) (1{}2,)", "cut"),
        ("operands could not be broadcast together with shapes (2,3) (4,) (1{},)", "cut"),
    ],
)
def test_broken_at_the_last_column(text: str, said: str) -> None:
    """A number that a console broke in two is never joined, nor read as two."""
    first, second = text.split("{}")
    for broken in (f"{first:>80}\n{second}", f"{first}\n{second}\nbye"):
        [summary] = summaries(broken)
        assert summary.split("\n")[0] == f"numpy, numpy, {said}"


def test_messages_are_found_fast() -> None:
    """The repeats of a pattern are bounded, and the screen lets the texts of messages through."""
    assert len(catalogue().screen) <= 40  # each is looked for in the whole of every text
    unbounded = re.compile(r"(?<!\\)[*+](?!\?)|\{\d+,\}")
    classes = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]")
    for message in catalogue().messages:
        for text, _ in EXAMPLES[message]:
            assert any(words in text.lower() for words in catalogue().screen), text
        assert not unbounded.search(classes.sub("", message.pattern + message.lead)), message


def test_every_message_has_an_example() -> None:
    """Each framework of the catalogue has messages, and each message an example."""
    every = catalogue().messages
    assert {each.framework for each in every if type(each) is Message} == {*catalogue().frameworks}
    assert all(EXAMPLES.values())


def test_help_lists_every_framework() -> None:
    """The page of why has each framework of the catalogue."""
    listed = " ".join(topics.text("why").partition("## The messages")[2].split())
    names = {*re.split(r"[,;:.] ", listed)}
    assert {*catalogue().frameworks.values()} <= names


def test_the_schema_lists_every_kind_of_fault() -> None:
    """The JSON Schema has each kind of fault, and no other."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    listed = schema["$defs"]["fault"]["properties"]["kind"]["enum"]
    known = {each.kind for each in catalogue().messages if isinstance(each, KnownFault)}
    assert listed == sorted(known)


NOT_USUAL = {"onnx-uni", "bidirectional", "pdpd", "none", "explicit", "same-rank"}
"""The rules of single operations, such as an assignment, or of a setting."""


@each_row("framework", catalogue().frameworks)
def test_a_framework_is_one_word_everywhere(framework: str) -> None:
    """The rule of a framework's messages is the one that its word means as a command."""
    # The rule of some frameworks depends on the operation.
    meant = names()[framework] if framework not in WITHOUT_A_RULE else USUAL
    asked = {
        message.rule
        for message in catalogue().messages
        if type(message) is Message and message.framework == framework
    }
    assert {rule for rule in asked if not rule.startswith("op ")} <= {meant, *NOT_USUAL}


def test_first_examples_are_whole() -> None:
    """The first example of a message shows each of its figures, and is not cut within brackets."""
    for message in catalogue().messages:
        text = EXAMPLES[message][0].text
        [said] = read(text)
        flat = normalized(text).text
        start = flat.lower().replace("\n", " ").find(message.words)
        [found] = message.found(flat, flat.replace("\n", " "), [start])
        figures = found.match.groupdict()
        missing = {name for name, figure in figures.items() if figure is None}
        assert not missing or "|" in message.pattern, text
        whole = re.sub(r"\[-?\d+, ?\d+\)", "", text)  # 0 to the last, half open
        assert all(whole.count(one) == whole.count(end) for one, end in ("()", "[]", "{}")), text
        assert isinstance(said, Fault) or "cut" not in said.caveats, text


def test_added_message() -> None:
    """Text alone adds a message: the example at the catalogue's head is read as it says."""
    indented = (
        line.removeprefix("#     ") for line in CATALOGUE.split("\n") if line[:6] == "#     "
    )
    block = "\n".join(itertools.islice(indented, 7))
    written = f"[torch: PyTorch]\n{block}"
    [message] = parsed(written).messages
    [[(text, summary)]] = examples(written)
    [found] = message.found(text, text, [text.index("The size")])
    said = message.read(found)
    assert said
    assert in_short(said) == summary


@pytest.mark.parametrize("pattern", ["(?:The )?size of tensor", "size {a:size}", "t(?:he) tensor"])
def test_pattern_without_words(pattern: str) -> None:
    """A pattern that begins with too few characters to search for is named with its line."""
    with pytest.raises(ValueError, match=r"line 2: .+ is too short to find"):
        parsed(f"[torch: PyTorch]\n{pattern}")


def test_fact_of_nothing() -> None:
    """A fact that is not there is named with its line."""
    with pytest.raises(ValueError, match="line 3: 'soruce:' is not a fact of a message"):
        parsed("[fault axis]\nThe size of tensor {a:int}\n  soruce: a")


def test_facts_name_what_is_there() -> None:
    """Each rule, function and field that a message names is there."""
    for message in catalogue().messages:
        assert message.rule in RULES or message.rule.startswith("op "), message.pattern
        if not isinstance(message, KnownFault):
            continue
        let = [line.split()[:2] for line in message.let]
        assert {function for _, function in let} <= {*FUNCTIONS}, message.pattern
        known = {*kinds(message.pattern), *kinds(message.lead), *(field for field, _ in let)}
        known |= {line.split()[0] for line in message.names}
        sentences = [Formatter().parse(each) for each in (*message.says, *message.cures)]
        shown = {field for each in sentences for _, field, *_ in each if field}
        assert message.refine or shown <= known, message.pattern


def test_long_text() -> None:
    """Messages are found wherever they stand in a long text, each once, with their lines."""
    message = "ValueError: operands could not be broadcast together with shapes ({},3) (4,) "
    filler = "2026-11-21 INFO step 12 loss 0.25 lr 0.001 the quick brown fox\n"
    lines = [filler * (300 + number) + message.format(number) for number in range(2, 22)]
    text = "\n".join(lines)
    said = [each for each in read(text) if isinstance(each, Reading)]
    assert [reading.shapes for reading in said] == [((number, 3), (4,)) for number in range(2, 22)]
    numbers = [place for place, line in enumerate(text.split("\n"), 1) if "operands" in line]
    assert [reading.line for reading in said] == numbers


REMAPPED = "operands could not be broadcast together with remapped shapes [original->remapped]:"


@each_row(
    "text",
    [
        "operands could not be broadcast together with shapes (2,3) (4",
        f"{REMAPPED} (2,3)->(2,newaxis,3) (4,5)-",
        f"{REMAPPED} (2,3)->(2,newaxis,3) (4,5)->(4,5) and requested shape (2",
        "Check 'x' failed\nArgument shapes are inconsistent.",
        "operands could not be broadcast together with shapes (2,3) (1\n0,4)",
        "operands could not be broadcast together with shapes (2,3) (224. 224,4)",
        "could not broadcast input array from shape (3,4) into shape (2",
        "add got incompatible shapes for broadcasting: (2, 3), (2, 4",
        "Incompatible shapes for broadcasting: shapes=[(2, 3), (4",
        "Incompatible shapes for broadcasting: (2, 3 4) and requested shape (2, 4)",
        "mat1 and mat2 shapes cannot be multiplied (6x4 and 5",
        (
            "The expanded size of the tensor (5) must match the existing size (4) at non-singleton "
            "dimension 1.  Target sizes: [32, 5].  Tensor sizes: [4"
        ),
    ],
)
def test_cut(text: str) -> None:
    """No shape is guessed where the text is cut, or a number broken in two."""
    for said in read(text):
        assert isinstance(said, Reading)
        assert said.shapes is None
        assert not said.is_whole


def reading_of(text: str) -> Reading:
    """Return the one reading of a text."""
    [reading] = read(text)
    assert isinstance(reading, Reading)
    return reading


OPENVINO = (
    "RuntimeError: Check 'TRShape::broadcast_merge_into(output_shape, input_shapes[1], autob)' "
    "failed at src/core/shape_inference/include/eltwise_shape_inference.hpp:26:\n"
    "While validating node 'opset1::Add {node} (opset1::Parameter {one}[0]:f32[2,32,32], "
    "opset1::Split {other}[{output}]:f32[2,30,32]) -> ()' with friendly_name '{node}':\n"
    "Argument shapes are inconsistent.\n"
)


@each_row(
    ("one", "other"),
    [
        ("onnx::Mul_1660", "/layer.0/Add_output_0"),
        ("x:0", "StatefulPartitionedCall/model/dense/BiasAdd:0"),
        ("aten::add/Add", "x"),
        ("it's (a) [b]:c", "two words, with a comma"),
    ],
)
@each_row("output", [0, 1])
def test_names_in_openvino(one: str, other: str, output: int) -> None:
    """Tensors keep the names that exporters gave them, and no part of a name becomes a shape."""
    reading = reading_of(OPENVINO.format(node="my::add:0", one=one, other=other, output=output))
    assert reading.shapes == ((2, 32, 32), (2, 30, 32))
    assert reading.names == (one, other + "[1]" * output)
    assert reading.node == "my::add:0"


@each_row("cut", ["a[0]:f32[2,3], b[0]:f32[...]", "a[0]:f32[2,3], b[0]", "", "x"])
def test_inputs_that_cannot_be_read(cut: str) -> None:
    """Where an input has no readable shape, no shape is claimed."""
    text = f"While validating node 'v1::Add n ({cut}) -> ()':\nArgument shapes are inconsistent."
    reading = reading_of(text)
    assert (reading.shapes, reading.node, reading.is_whole) == (None, "n", False)


@each_row(
    ("line", "count"),
    [
        ('    raise TypeError("TITLE")', 0),
        ('with pytest.raises(ValueError, match=r"TITLE"):', 0),
        ('    f"mat1 and mat2 shapes cannot be multiplied ({a.shape} and {b.shape})"', 0),
        ('    raise ValueError("shapes (2,3) and (4,5) not aligned: 3 (dim 1) != 4 (dim 0)")', 1),
        ("TITLE", 1),
        ('error="TITLE"', 1),
        ("I raise(d) 'TITLE' before, what now?", 1),
    ],
)
def test_message_in_a_line_of_code(line: str, count: int) -> None:
    """What a line of code raises is no message, but where it shows figures."""
    line = line.replace("TITLE", "grad can be implicitly created only for scalar outputs")
    assert len(summaries(line)) == count
    message = "\nValueError: shapes (7,3) and (4,5) not aligned: 3 (dim 1) != 4 (dim 0)"
    assert len(summaries(f"{line}{message}")) == count + 1
    assert len(summaries(f"{line} # {'x' * 500}{message}")) == count + 1


def test_what_one_of_two_has() -> None:
    """The same message with a node or an operator and without is one."""
    plain = "Incompatible shapes: [2] vs. [3]"
    for more, said in (("\n\t [[{{node a}}]]", "node a"), (" [Op:Sub]", "operation Sub")):
        for text in (f"{plain}{more}\n\n{plain}", f"{plain}\n\n{plain}{more}"):
            reading = reading_of(text)
            assert (in_short(reading), reading.times) == (f"tensorflow, numpy, A=2, B=3, {said}", 2)


@each_row("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_encodings(encoding: str) -> None:
    """What PowerShell writes is read: UTF-16, and UTF-8 with a mark."""
    mark = codecs.BOM_UTF16_BE if encoding == "utf-16-be" else b""
    text = reader.read(mark + "\r\nIncompatible shapes: [2] vs. [4]\r\n".encode(encoding))
    assert [(in_short(each), each.line) for each in text.findings] == [
        ("tensorflow, numpy, A=2, B=4", 2)
    ]
    assert text.lines == 2


def test_long_integers_of_python_2() -> None:
    """A size such as 4L is a number."""
    text = "ValueError: operands could not be broadcast together with shapes (2L,3L) (4L,)"
    assert reading_of(text).shapes == ((2, 3), (4,))


def test_lines() -> None:
    """Folding keeps where each line was."""
    text = "\n\nE   could not\n\n  broadcast\n"
    fold = normalized(text)
    assert fold.text == "could not\nbroadcast"
    assert [fold.line(fold.text.index(word)) for word in ("could", "not", "broad")] == [2, 2, 4]


@each_row("begun", ["<", "a", "a:", "-"])
def test_names_begin_where_words_do(begun: str) -> None:
    """A name is not looked for within a long run of its characters, which would take long."""
    shapes = "right operand cannot broadcast on dim 0 LeftShape: {162,15}, RightShape: {152,15}"
    assert reading_of(f"Add_80: {shapes}").node == "Add_80"
    assert reading_of(f"{begun * 300} {shapes}").node is None


DROP = "leave these weights out of the state dict, and load it with strict=False"
REBUILD = "build the model with the configuration that the file was saved with"


@each_row(
    ("weights", "text", "cure"),
    [
        (
            "a:8,9:16,9 a:8,9:16,9",
            "a is 8,9 in the file and 16,9 in the model: they have 8 and 16 on axis 0",
            None,
        ),
        (
            "l.0:8,9:16,9 l.1:9,8:9,16 l.2:8,9:16,9 l.3:8,9:16,9",
            "4 weights differ: the file has 8 on one axis, the model 16 (l.0: 8,9 and 16,9)",
            DROP,
        ),
        (
            "l.0:8,9:16,9 l.1:8,9:16,9 l.2:8,9:16,9 l.3:8,9:16,9 m:8:16",
            "5 weights differ: the file has 8 on one axis, the model 16 (l.*: 8,9 and 16,9, ...)",
            REBUILD,
        ),
        (
            "b:1600,2:3200,2 a:800,800:1600,1600",
            "2 weights differ: the file is 800 wide, the model 1,600 (b: 1600,2 and 3200,2, ...)",
            REBUILD,
        ),
        (
            "a:1,9:3,9 b:7,9:1200,9 c:7,9:1200,9 d:1000,7:9,1200 e:1000:9",
            "5 weights differ: mostly 7 and 1,200, 1,000 and 9 (a: 1,9 and 3,9, ...)",
            REBUILD,
        ),
        (
            "a:4,?:4,5 b:6,7:6",
            "2 weights differ: they have different numbers of axes (a: 4,? and 4,5, ...)",
            REBUILD,
        ),
    ],
)
def test_weights(weights: str, text: str, cure: str | None) -> None:
    """The weights of a file are one fault, however many differ."""
    lines = [
        f"size mismatch for {name}: copying a param with shape torch.Size([{file}]) from "
        f"checkpoint, the shape in current model is torch.Size([{model}])."
        for name, file, model in (each.split(":") for each in weights.split())
    ]
    [fault] = read("\n".join(lines))
    assert isinstance(fault, Fault)
    assert (fault.text, fault.cure) == (text, cure or fault.cure)
    assert {*fault.figures} == {"file", "model", "count" if cure else "weights"}
