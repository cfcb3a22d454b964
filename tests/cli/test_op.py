"""The ONNX operators: their table, what each one makes of its inputs, and the command op."""

import csv
import io
import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from bcastcli import render
from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import MAX_SUGGESTIONS, Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import Shape, written
from bcastcli.notation.questions import answer_line as put
from bcastcli.operators import legacy, operators, table
from bcastcli.operators.legacy import OnnxLegacy
from bcastcli.operators.rules import Followers
from bcastcli.operators.table import OperatorError, Version
from bcastcli.render import Format, Terminal
from bcastcli.render.sheet import page_shape
from bcastcli.reports.listings import Listing
from bcastcli.reports.verdicts import verdict
from tests.cases.operator_documents import DOCUMENTS, Document, random_question
from tests.effort import many

Output = pytest.CaptureFixture[str]

TABLE = table.table()
LISTED_ONLY = {"Attention", "Einsum"}
VERSIONS = [
    version for name, versions in TABLE.items() if name not in LISTED_ONLY for version in versions
]


def plain(capsys: Output, *arguments: str) -> tuple[int, str]:
    """The status of `op` and the line that it writes."""
    status = main(["op", *arguments, "-f", "plain"])
    out, err = capsys.readouterr()
    assert err == ""
    return status, out.removesuffix("\n")


def complaint(capsys: Output, *arguments: str) -> str:
    """The sentence that `op` says of a command line that asks nothing."""
    assert main(["op", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("bcastcli: ")
    return err.removeprefix("bcastcli: ").partition("\n")[0]


def ask(name: str, line: str, opset: int | None = None, **options: int) -> Answer:
    version = table.existing(table.history(name), opset)
    return put(operators.operator(version, opset), line, options)


def of_shapes(name: str, shapes: Sequence[Shape], opset: int | None, **options: int) -> Answer:
    return ask(name, " ".join(map(written, shapes)), opset, **options)


# The table.


def test_table() -> None:
    """The table has 34 operators; each one's versions follow each other, and change something."""
    assert len(TABLE) == 34
    for name, versions in TABLE.items():
        opsets = [version.since_opset for version in versions]
        assert opsets == sorted(set(opsets)), name
        assert {version.op for version in versions} == {name}
        assert {version.rule for version in versions} <= {
            *("onnx", "onnx-uni", "none", "onnx-legacy", "onnx-legacy-prelu")
        }
        assert all(version.inputs for version in versions)


def until(version: Version) -> int:
    """The last opset in which a version counts."""
    later = [
        each.since_opset for each in TABLE[version.op] if each.since_opset > version.since_opset
    ]
    return min(later, default=table.MAX_OPSET + 1) - 1


# What tells the rules apart, for operators whose inputs are their operands; None: no broadcast.
ELEMENTWISE: dict[str, dict[str, str | None]] = {
    "onnx": {"2,1 1,3": "2,3", "3 2,3": "2,3", "2,3 2": None, "N 3": "3 when N in (1, 3)"},
    "onnx-legacy": {
        "2,3 3": "2,3",
        "2,3 2,1": None,
        "2,3 1,1": "2,3",
        "3 2,3": None,
        "2,3,4 3 --axis 1": "2,3,4",
        "2,3,4 3,1 --axis 1": None,
        "2,3,4 3": None,
    },
    "none": {"2,3 2,3": "2,3", "2,3 1,3": None, "2,3 3": None, "N 3": "3 when N == 3"},
}
OF_OTHERS: dict[tuple[str, int], dict[str, str | None]] = {
    ("Expand", 8): {"3,1 2,1,6": "2,3,6", "3,4 3": None, "5 1": "5"},
    ("Gemm", 1): {"2,3 3,4 4": "2,4", "2,3 3,4 2,1": None, "2,3 3,4 1,1": "2,4", "2,3 2,4 4": None},
    ("Gemm", 7): {"2,3 3,4 4": "2,4", "2,3 3,4 2,1": "2,4", "2,3 3,4 2": None, "2,3 2,4 4": None},
    ("Gemm", 11): {"2,3 3,4 4": "2,4", "2,3 3,4": "2,4", "2,3 3,4 1,2,4": None, "2,3 2,4": None},
    ("LayerNormalization", 17): {
        "2,3,4 3,1": "2,3,4",
        "2,3,4 4 2,1,1": "2,3,4",
        "2,3,4 4 3": None,
        "1,4 3,4": None,
    },
    ("MatMul", 1): {"8,1,3,4 5,4,6": "8,5,3,6", "2,3 2,3": None, "3 3": "()", "2,3,4 3,4,5": None},
    ("MatMulInteger", 10): {"2,3 3,4": "2,4", "7,2,3 3": "7,2", "3 7,3,2": "7,2", "() 3": None},
    ("QLinearMatMul", 10): {"2,3 3,4": "2,4", "7,2,3 3": "7,2", "3 7,3,2": "7,2", "() 3": None},
    ("PRelu", 1): {"2,3,4 3": "2,3,4", "2,3,4 4": None, "2,3,4 1,1": "2,3,4", "2,3,4 3,1": None},
    ("PRelu", 7): {"2,3,4 3,1": "2,3,4", "2,3,4 4": "2,3,4", "2,3,4 3": None, "3 1,3": None},
    ("RMSNormalization", 23): {"2,3,4 3,1": "2,3,4", "2,3,4 3": None, "1,4 3,4": None},
    ("Where", 9): {"2,1 3 1": "2,3", "1,1 2,1 1,3": "2,3", "2 3 1": None},
}
VARIADIC: dict[str, dict[str, str | None]] = {
    "onnx": {"2,3": "2,3", "2,1 3 1,1,1": "1,2,3", "2 3": None},
    "none": {"2,3": "2,3", "2,3 2,3 2,3": "2,3", "2,3 3": None},
}


def questions(version: Version) -> dict[str, str | None]:
    """What is asked of a version of an operator, and what it is to answer."""
    if (version.op, version.since_opset) in OF_OTHERS:
        return OF_OTHERS[version.op, version.since_opset]
    return (VARIADIC if version.is_variadic else ELEMENTWISE)[version.rule]


@pytest.mark.parametrize(
    "version", VERSIONS, ids=lambda version: f"{version.op}-{version.since_opset}"
)
def test_every_version(version: Version, capsys: Output) -> None:
    """In the first and in the last of its opsets, a version of an operator decides by its rule."""
    for question, expected in questions(version).items():
        for opset in {version.since_opset, until(version)}:
            arguments = [version.op, *question.split(), "--opset", str(opset)]
            status, line = plain(capsys, *arguments)
            if expected is None:
                assert (status, line.startswith("mismatch: ")) == (1, True), (arguments, line)
            else:
                assert (status, line) == (3 if " when " in expected else 0, expected), arguments


def test_newest_by_default(capsys: Output) -> None:
    """Without --opset the newest version of an operator counts."""
    for version in (versions[-1] for name, versions in TABLE.items() if name not in LISTED_ONLY):
        for question in questions(version):
            newest = plain(capsys, version.op, *question.split(), "--opset", str(table.MAX_OPSET))
            assert plain(capsys, version.op, *question.split()) == newest


@pytest.mark.parametrize("name", ["Gemm", "gemm", "GEMM", "gEMM"])
def test_any_case(name: str, capsys: Output) -> None:
    """The operator's name is known in any case."""
    assert plain(capsys, name, "2,3", "3,4", "4") == (0, "2,4")
    assert ask(name, "2,3 3,4 4").question.details()["op"] == "Gemm"


@pytest.mark.parametrize(
    ("name", "near"),
    [("Gem", "Gemm"), ("PReLU6", "PRelu"), ("bitwisexor2", "BitwiseXor"), ("layernorm", "LayerN")],
)
@pytest.mark.parametrize("shapes", [[], ["2", "2"]])
def test_unknown_name_with_near_ones(
    name: str, near: str, shapes: list[str], capsys: Output
) -> None:
    """For an unknown name the nearest names are said."""
    message = complaint(capsys, name, *shapes)
    assert message.startswith(f"{name} does not broadcast; did you mean")
    assert near in message


def test_unknown_name_unlike_all(capsys: Output) -> None:
    """A name near to none is told where the list is, and is shown safely."""
    tail = " does not broadcast; bcastcli op lists the operators that do"
    assert complaint(capsys, "qqqq") == f"qqqq{tail}"
    tail = " is no operator's name; bcastcli op lists them"
    assert complaint(capsys, "q\x1b[1m", "2") == f"q\\x1b[1m{tail}"
    assert complaint(capsys, "-1,3", "2") == f"-1,3{tail}"


@pytest.mark.parametrize("name", sorted(LISTED_ONLY))
def test_listed_only(name: str, capsys: Output) -> None:
    """Attention and Einsum have a history, and answer no shapes."""
    message = complaint(capsys, name.lower(), "2,3", "3,4")
    assert message.startswith(f"bcastcli cannot compute shapes for {name} ")
    assert main(["op", name]) == 0
    assert TABLE[name][0].rule in capsys.readouterr().out


def test_before_it_exists(capsys: Output) -> None:
    """In an opset before an operator's first, it says since when there is one."""
    for name, versions in TABLE.items():
        first = versions[0].since_opset
        if first > 1:
            message = f"{name} exists since opset {first}, so there is none in opset {first - 1}"
            assert complaint(capsys, name, "2", "--opset", str(first - 1)) == message
            assert complaint(capsys, name, "--opset", str(first - 1)) == message


@pytest.mark.parametrize(
    ("shapes", "name", "status"),
    [
        ("1,N,1 1,7,1 1,12,1", "N", 1),
        ("(1,1..21,1,) 1,7,1 1,12,1", "X.shape[1]", 1),
        ("1,N,1 1,7,1 1,7,1", "", 3),
    ],
)
def test_one_size_is_to_equal_several(shapes: str, name: str, status: int, capsys: Output) -> None:
    """Where each operand may follow on its own, and not all together, this is why and where."""
    found, line = plain(capsys, "LayerNormalization", *shapes.split())
    assert found == status
    if status == 1:
        both = " and ".join(f"{name} == {size} on axis 1 (-2)" for size in (7, 12))
        assert line == f"mismatch: {both} cannot both hold"
        [axis] = [axis for axis in ask("LayerNormalization", shapes).axes or () if axis.number == 1]
        assert axis.conflict is True


COUNTS = [
    ("Add", "2", "Add takes two shapes (A, B), not one"),
    ("Add", "2 2 2", "Add takes two shapes (A, B), not 3"),
    ("Gemm", "2,3", "Gemm takes two or three shapes (A, B, C), not one"),
    ("Gemm", "2,3 3,4 4 4", "Gemm takes two or three shapes (A, B, C), not 4"),
    ("Gemm", "2,3 3,4 --opset 10", "Gemm takes three shapes (A, B, C), not two"),
    ("PRelu", "2,3", "PRelu takes two shapes (X, slope), not one"),
    ("Where", "2 2", "Where takes three shapes (condition, X, Y), not two"),
    ("Expand", "2", "Expand takes two shapes (input, shape), not one"),
    (
        "LayerNormalization",
        "2",
        "LayerNormalization takes two or three shapes (X, Scale, B), not one",
    ),
    ("RMSNormalization", "2 2 2", "RMSNormalization takes two shapes (X, scale), not 3"),
    ("MatMul", "2 2 2", "MatMul takes two shapes (A, B), not 3"),
]


@pytest.mark.parametrize(("name", "question", "message"), COUNTS)
def test_number_of_inputs(name: str, question: str, message: str, capsys: Output) -> None:
    """Any other number of inputs than an operator takes is a malformed question."""
    assert complaint(capsys, name, *question.split()) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["Add", "2", "2", "--axis", "0"],
            "Add has no axis since opset 7; use --opset 6 for the older version",
        ),
        (["Gemm", "2,3", "3,4", "4", "--axis", "0"], "Gemm has no option --axis"),
        (
            ["Gemm", "2,3", "3,4", "4", "--axis", "0", "--opset", "6"],
            "Gemm has no option --axis",
        ),
        (["MatMul", "2,3", "3,4", "--trans-a"], "MatMul has no option --trans-a"),
        (["Add", "2", "2", "--trans-b"], "Add has no option --trans-b"),
        (["PRelu", "2", "2", "--axis", "0", "--opset", "6"], "PRelu has no option --axis"),
        (["Gemm", "--trans-a"], "--trans-a needs shapes"),
        (["--axis", "-1"], "--axis needs shapes"),
        (["Add", "2", "2", "--axis", "-2", "--opset", "6"], "expected 0, 1, 2, ... or -1"),
        (["Add", "2", "2", "--axis", "N", "--opset", "6"], "expected a whole number"),
        (["Add", "2", "2", "--opset", "0"], "an opset is a whole number from 1 on"),
        (["Add", "2", "2", "--opset", "x"], "an opset is a whole number from 1 on"),
        (["Add", "2", "-"], "use - alone"),
        (
            ["Add", "2", "2", "--json", "-f", "plain"],
            "--format plain cannot be combined",
        ),
        (["--json", "-f", "plain"], "--format plain cannot be combined"),
        (["Add", "2", "2,,3"], "a size is missing here"),
    ],
)
def test_not_to_be_asked(arguments: list[str], message: str, capsys: Output) -> None:
    """What does not go together is said in a sentence, with status 2."""
    assert message in complaint(capsys, *arguments)


@pytest.mark.parametrize(("arguments", "outcome"), OnnxLegacy().examples, ids=str)
def test_examples_of_the_legacy_rule(arguments: list[str], outcome: str, capsys: Output) -> None:
    """The rule of opsets up to 6 gives the examples that it states."""
    _, line = plain(capsys, "Mul", *arguments, "--opset", "6")
    assert line.partition(":")[0] == outcome


# Lists.


def test_list(capsys: Output) -> None:
    """Without a name each operator is a row with its rule today, since when, and its inputs."""
    assert main(["op", "-f", "plain"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert rows == [
        [name, last.rule, str(last.since_opset), ", ".join(last.inputs)]
        for name, (*_, last) in TABLE.items()
    ]
    assert ["Gemm", "onnx-uni", "11", "C"] in rows
    assert main(["op"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == ["operator", "rule", "since", "inputs"]
    assert [line.split() for line in table[2:]] == [" ".join(row).split() for row in rows]
    assert main(["op", "-f", "tsv"]) == 0
    header, *lines = csv.reader(io.StringIO(capsys.readouterr().out), delimiter="\t")
    assert (header, lines) == (table[0].split(), rows)
    assert main(["op", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["opset"]) == (1, None)
    assert [
        [each["op"], each["rule"], str(each["since_opset"]), ", ".join(each["inputs"])]
        for each in found["operators"]
    ] == rows


@pytest.mark.parametrize("output", [each for each in Format if each.is_text])
@pytest.mark.parametrize("arguments", [[], ["Gemm"]])
def test_lists_in_every_format(output: str, arguments: list[str], capsys: Output) -> None:
    """The list and a history are written in every format."""
    assert main(["op", *arguments, "-f", output]) == 0
    out, err = capsys.readouterr()
    assert ("onnx-uni" in out, err) == (True, "")


def test_list_of_an_opset(capsys: Output) -> None:
    """With an opset the list has what counts there."""
    for opset in (1, 6, 7, 10, 28):
        assert main(["op", "--opset", str(opset), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["operators"]
        assert {(each["op"], each["since_opset"]) for each in found} == {
            (version.op, version.since_opset)
            for version in (each for versions in TABLE.values() for each in versions)
            if version.since_opset <= opset <= until(version)
        }


@pytest.mark.parametrize("name", TABLE)
def test_history(name: str, capsys: Output) -> None:
    """With a name each version is a row: since when, rule, inputs, direction and note."""
    rows = [
        [str(each.since_opset), each.rule, ", ".join(each.inputs), each.direction, each.note]
        for each in TABLE[name]
    ]
    texts = [[cell or "" for cell in row] for row in rows]
    assert main(["op", name, "-f", "plain"]) == 0
    assert [line.split("\t") for line in capsys.readouterr().out.splitlines()] == texts
    assert main(["op", name, "-f", "tsv"]) == 0
    header, *lines = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert header == ["since", "rule", "inputs", "direction", "note"]
    assert lines == texts
    assert main(["op", name]) == 0
    table = capsys.readouterr().out
    for row in texts:
        assert all(cell in table for cell in row)
    assert main(["op", name, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["schema", "op", "opset", "versions"]
    keys = ["op", "since_opset", "rule", "inputs", "direction", "scope", "note"]
    assert [list(each) for each in found["versions"]] == [keys] * len(rows)
    assert [
        [str(each["since_opset"]), each["rule"], ", ".join(each["inputs"])]
        for each in found["versions"]
    ] == [row[:3] for row in rows]


LISTINGS = [
    Listing(
        "ONNX",
        ("operator", "rule", "since", "inputs"),
        (("Add", "onnx", "7", "A, B"), ("Where", "onnx", "9", "condition, X, Y")),
        {},
    ),
    Listing(
        "ONNX Gemm",
        ("since", "rule", "direction", "note"),
        (("1", "onnx-legacy", "", ""), ("11", "onnx-uni", "C -> (M,N)", "C may be left out")),
        {},
    ),
]


@pytest.mark.parametrize("columns", [25, 30, 40, 80, 200])
@pytest.mark.parametrize("given", LISTINGS, ids=lambda each: each.sheet().title)
def test_listing_on_a_terminal(given: Listing, columns: int) -> None:
    """On a terminal, however narrow, no line is longer, and no word of a listing is cut."""
    lines = render.write(given, Format.TABLE, Terminal(columns=columns)).splitlines()
    assert all(len(line) <= columns for line in lines)
    assert not any(line != line.rstrip() for line in lines)
    grid = [row[: len(row) - (given.HEADS[-1] == "note")] for row in (given.HEADS, *given.rows())]
    words = [word for row in grid for cell in row for word in cell.split()]
    ends = [row for row in given.rows() if given.HEADS[-1] == "note" and row[-1]]
    words += [word for row in ends for word in f"note {row[0]}: {row[-1]}".split()]
    assert [word for line in lines for word in line.split() if set(word) != {"-"}] == words


def test_narrow_listing() -> None:
    """What there is no room for goes below its row, and a note on below where it began."""
    terminal = Terminal(columns=29, boxes=True)
    assert render.write(LISTINGS[0], Format.TABLE, terminal).splitlines() == [
        "operator   rule   since",
        "  inputs",
        "───────────────────────",
        "Add        onnx   7",
        "  A, B",
        "Where      onnx   9",
        "  condition, X, Y",
    ]
    assert render.write(LISTINGS[1], Format.TABLE, terminal).splitlines() == [
        "since   rule",
        "  direction",
        "───────────────────",
        "1       onnx-legacy",
        "11      onnx-uni",
        "  C -> (M,N)",
        "note  11: C may be left out",
    ]
    narrower = render.write(LISTINGS[1], Format.TABLE, terminal._replace(columns=20))
    assert narrower.splitlines()[-2:] == ["note  11: C may be", "      left out"]


@pytest.mark.parametrize("output", [each for each in Format if each.is_text][1:])
@pytest.mark.parametrize("given", LISTINGS, ids=lambda each: each.sheet().title)
def test_only_the_table_depends_on_the_terminal(given: Listing, output: Format) -> None:
    """What is for programs and files is the same on every terminal."""
    narrow, wide = (render.write(given, output, Terminal(columns=each)) for each in (20, None))
    assert narrow == wide


def test_history_in_an_opset(capsys: Output) -> None:
    """With an opset the history is the version that counts there."""
    assert plain(capsys, "gemm", "--opset", "6")[1].split("\t")[:2] == ["1", "onnx-legacy"]
    assert plain(capsys, "gemm", "--opset", "10")[1].split("\t")[:2] == ["7", "onnx-uni"]


@pytest.mark.parametrize("quiet", [[], ["-q"]], ids=str)
def test_standard_input_is_left_alone(
    quiet: list[str], capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With shapes no line is read; and -q writes nothing, the status is the answer."""
    given = io.TextIOWrapper(io.BytesIO(b"2,3 3\n"))
    monkeypatch.setattr(sys, "stdin", given)
    assert main(["op", "Gemm", "2,3", "3,4", "4", *quiet]) == 0
    assert (capsys.readouterr().out == "") == bool(quiet)
    assert given.read() == "2,3 3\n"


def answers_to_lines(lines: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    return main(["op", *arguments])


def test_lines(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """With - every line is a question to the operator, and malformed ones are passed."""
    lines = "2,3 3,4 4\n2,3 4,4 4\n\n# none\n2,3 3\n2,N 3,4\n2\n[[2,3],[3,4],[2,1]]\n"
    assert answers_to_lines(lines, ["gemm", "-"], monkeypatch) == 2
    out, err = capsys.readouterr()
    first, second, third, fourth, fifth, sixth = out.splitlines()
    assert (first, fourth, sixth) == ("2,4", "2,4 when N == 3", "2,4")
    assert second.startswith("mismatch: A 2,3 has 3 on axis 1 (-1) and B 4,4 has 4")
    assert third.startswith("mismatch: B 3 has 1 axis")
    assert fifth == "error: Gemm takes two or three shapes (A, B, C), not one"
    assert "line 7: Gemm takes" in err


def test_axis_on_lines(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """axis=K stands on the lines of the operators that have an axis, and on no others."""
    lines = "2,3,4 3 axis=1\n2,3,4 4\n2,3,4 3\n"
    arguments = ["add", "-", "--opset", "6", "-f", "json"]
    assert answers_to_lines(lines, arguments, monkeypatch) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["line"], each["options"], each["ok"]) for each in found] == [
        (1, {"axis": 1}, True),
        (2, {"axis": 2}, True),
        (3, {"axis": 2}, False),
    ]
    assert answers_to_lines(lines, ["add", "-"], monkeypatch) == 2
    assert "line 1: there is no axis to choose here" in capsys.readouterr().err


def test_axis_counted_back_on_lines(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a line the axis is what it is as an option: a normalization's may be counted back."""
    lines = '2,3,4 4 axis=-2\n{"shapes": [[2,3,4],[4]], "axis": -3}\n2,3,4 4 axis=-4\n2 2 axis=x\n'
    assert answers_to_lines(lines, ["rmsnormalization", "-", "--json"], monkeypatch) == 2
    out, err = capsys.readouterr()
    *found, last = map(json.loads, out.splitlines())
    assert [(each["ok"], each["options"]["axis"]) for each in found] == [
        (True, 1),
        (True, 0),
        (False, -4),
    ]
    assert last["error"] == "expected a whole number, such as 0, 1 or -1"
    assert last["column"] == 10
    assert last["error"] in err
    lines = '2,3,4 4 axis=-2\n{"shapes": [[2,3,4],[4]], "axis": -2}\n'
    assert answers_to_lines(lines, ["add", "-", "--opset", "6"], monkeypatch) == 2
    strict = "error: expected 0, 1, 2, ... or -1 (the default)"
    assert capsys.readouterr().out.splitlines() == [strict, strict]


# Formats.


def test_json(capsys: Output) -> None:
    """JSON is the rule's, with the operator, the opset and the inputs as typed besides."""
    assert main(["op", "gemm", "3,N", "b=3,?", "4", "--trans-a", "--json", "--opset", "12"]) == 3
    found = json.loads(capsys.readouterr().out)
    suggestions = found.pop("suggestions")
    assert suggestions == []
    axes = found.pop("axes")
    assert [axis["sizes"] for axis in axes] == [["N", None], ["?", 4]]
    assert found == {
        "schema": 1,
        "rule": "onnx-uni",
        "operands": [
            {"name": "A.T@b", "shape": ["N", "?"]},
            {"name": "C", "shape": [4]},
        ],
        "options": {"trans_a": True, "trans_b": False},
        "ok": None,
        "result": ["N", 4],
        "when": "b.shape[1] == 4",
        "reason": None,
        "reason_kind": None,
        "notes": [],
        "op": "Gemm",
        "opset": 12,
        "since_opset": 11,
        "inputs": [
            {"name": "A", "shape": [3, "N"]},
            {"name": "b", "shape": [3, "?"]},
            {"name": "C", "shape": [4]},
        ],
    }


@pytest.mark.parametrize(
    ("arguments", "operands"),
    [
        (["gemm", "2,3", "3,4", "4"], "2,3 3,4 4"),
        (["gemm", "2,3", "b=3,4", "()"], "2,3 b=3,4 ()"),
        (["gemm", "2,3", "2,4"], "2,3 2,4"),
        (["where", "N,1", "?", "Y=3"], "N,1 ? 3"),
        (["matmul", "8,2,3", "3,4"], "8,2,3 3,4"),
        (["prelu", "2,3", "3"], "2,3 3"),
        (["max", "2,3", "3", "1"], "2,3 3 1"),
    ],
)
def test_tsv_shows_inputs(arguments: list[str], operands: str, capsys: Output) -> None:
    """A row of TSV has the inputs, from which they can be read again."""
    main(["op", *arguments, "-f", "tsv"])
    _, row = capsys.readouterr().out.splitlines()
    assert row.split("\t")[0] == operands
    again = main(["op", arguments[0], *operands.split(), "-f", "tsv"])
    assert capsys.readouterr().out.splitlines()[1] == row
    assert again == main(["op", *arguments, "-q"])


def test_table_of_an_answer(capsys: Output) -> None:
    """The table shows the factors as typed, and C below their product."""
    assert main(["op", "gemm", "2,3", "3,5", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines if line[:1] in "AC"] == [
        ["A", "2", "3"],
        ["C", "(1)", "5"],
    ]
    assert main(["op", "matmul", "8,1,3,4", "5,4,6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines if line[:1] in "AB"] == [
        ["A", "8", "1", "3", "4"],
        ["B", "5", "4", "6"],
    ]
    assert lines[-1] == "8,5,3,6"
    assert "the sum goes over A's axis 3 (-1) and B's axis 1 (-2)" in lines[-2]


# Reasons, conditions and notes.


@pytest.mark.parametrize(
    ("name", "question", "kind", "text"),
    [
        (
            "gemm",
            "2,3 4,5 5",
            "sizes",
            "A 2,3 has 3 on axis 1 (-1) and B 4,5 has 4 on axis 0 (-2), and these must be equal",
        ),
        (
            "gemm",
            "2,3 4,5 7 --trans-a --trans-b",
            "sizes",
            "A 2,3 has 2 on axis 0 (-2) and B 4,5 has 5 on axis 1 (-1), and these must be equal",
        ),
        ("gemm", "2,3,4 3,5 5", "rank", "A 2,3,4 has 3 axes, and a matrix has 2"),
        ("gemm", "2,3 3 5 --trans-b", "rank", "B 3 has 1 axis, and a matrix has 2"),
        ("gemm", "() 3,5", "rank", "A () has 0 axes, and a matrix has 2"),
        (
            "gemm",
            "2,3 3,5 1,1,5",
            "rank",
            "C 1,1,5 has 3 axes and A@B 2,5 has 2, and A@B never stretches",
        ),
        (
            "gemm",
            "2,3 3,5 4 --trans-a --opset 6",
            "sizes",
            "A 2,3 has 2 on axis 0 (-2) and B 3,5 has 3 on axis 0 (-2), and these must be equal",
        ),
        (
            "gemm",
            "2,3 3,5 2,1 --opset 6",
            "sizes",
            "A@B has 5 and C has 1 on axis 1 (-1), and C must equal A@B there or have one element",
        ),
        (
            "gemm",
            "2,N 3,N N,N",
            "names",
            "N in (1, 2) on axis 0 (-2) and N == 3 on A's axis 1 (-1) and B's axis 0 (-2) cannot",
        ),
        (
            "gemm",
            "2,N 3,5 N --opset 6",
            "names",
            "N in (1, 5) on the aligned axes and N == 3 on A's axis 1 (-1) and B's axis 0 (-2) ",
        ),
        ("gemm", "2,3 4,5 7,7,7", "sizes", "A 2,3 has 3 on axis 1 (-1) and B 4,5 has 4 on axis 0"),
        (
            "matmul",
            "2,1,3 3,1,3",
            "sizes",
            "A 2,1,3 has 3 on axis 2 (-1) and B 3,1,3 has 1 on axis 1 (-2), and these must be",
        ),
        ("matmul", "2,3 2", "sizes", "A 2,3 has 3 on axis 1 (-1) and B 2 has 2 on axis 0 (-1)"),
        (
            "matmul",
            "2,4,3 5,3,4",
            "sizes",
            "A has 2 and B has 5 on axis 0 (-3), and neither is 1",
        ),
        ("matmul", "() 3", "rank", "A has 0 axes, and a matrix product takes no scalars"),
        ("matmul", "() ()", "rank", "A and B have 0 axes, and a matrix product takes no scalars"),
        (
            "layernormalization",
            "2,3 3 1,1,3",
            "rank",
            "B 1,1,3 has 3 axes and X 2,3 has 2, and X never stretches",
        ),
        (
            "layernormalization",
            "2,3 3 4",
            "sizes",
            "X has 3 and B has 4 on axis 1 (-1), and there B must be 3 or 1",
        ),
        ("layernormalization", "() ()", "fit", "axis -1 is none of X (), which has 0 axes"),
        (
            "rmsnormalization",
            "2,3 3 --axis -3",
            "fit",
            "axis -3 is none of X 2,3, which has 2 axes",
        ),
        (
            "rmsnormalization",
            "2,3 2",
            "sizes",
            "X has 3 and scale has 2 on axis 1 (-1), and there scale must be 3 or 1",
        ),
        (
            "prelu",
            "2,3 2 --opset 6",
            "sizes",
            "slope 2 has neither one element nor one for each channel, axis 1 of X 2,3",
        ),
        (
            "add",
            "2,3 3,4 --axis 1 --opset 6",
            "fit",
            "B 3,4 at axis 1 (--axis 1) has 4 on axis 2, past the end of A 2,3, which has 2 axes",
        ),
        (
            "add",
            "2,3 4 --axis 5 --opset 6",
            "fit",
            "B 4 at axis 5 (--axis 5) has 4 on axis 5, past the end of A 2,3, which has 2 axes",
        ),
        (
            "add",
            "3 2,3 --opset 6",
            "rank",
            "B 2,3 has 2 axes and A 3 has 1, and B must not have more",
        ),
    ],
)
def test_reason(name: str, question: str, kind: str, text: str, capsys: Output) -> None:
    """A no names the inputs, what they have and where; a K that does not fit goes first."""
    assert main(["op", name, *question.split(), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["reason_kind"] == kind
    assert found["reason"].startswith(text)


@pytest.mark.parametrize(
    ("name", "question", "line"),
    [
        ("gemm", "N,3 M,5 N,1", "N,5 when M == 3"),
        ("gemm", "2,K K,5 5", "2,5"),
        (
            "gemm",
            "?,? ?,? ?,?",
            (
                "?,? when (A.shape[0] == C.shape[0] or C.shape[0] == 1) "
                "and (B.shape[1] == C.shape[1] or C.shape[1] == 1) and A.shape[1] == B.shape[0]"
            ),
        ),
        (
            "gemm",
            "?,2 ?,3 2,? --trans-a",
            "2,3 when C.shape[1] in (1, 3) and A.shape[0] == B.shape[0]",
        ),
        ("gemm", "N,3 N,4", "3,4 when N == 3"),
        ("gemm", "2,5 5,4 N --opset 6", "2,4 when N in (1, 4)"),
        ("matmul", "3,N 4,5,N", "4,3,5 when N == 5"),
        ("matmul", "N,2,3 4,?,M", "4,2,M when N in (1, 4) and B.shape[1] == 3"),
        ("matmul", "? ?", "() when A.shape[0] == B.shape[0]"),
        ("matmul", "M,N N,M", "M,M"),
        ("layernormalization", "N,M M N,1", "N,M"),
        ("layernormalization", "2,3 ? N", "2,3 when Scale.shape[0] in (1, 3) and N in (1, 3)"),
        ("prelu", "2,3,4 ? --opset 6", "2,3,4 when slope.shape[0] in (1, 3)"),
        ("prelu", "2,N,4 3 --opset 6", "2,3,4 when N == 3"),
        ("prelu", "2,3 N,M --opset 6", "2,3 when N == 1 and M == 1"),
        ("add", "2,3 N --axis 0 --opset 6", "2,3 when N in (1, 2)"),
        ("add", "2,3 N --axis 5 --opset 6", "2,3 when N == 1"),
        (
            "add",
            "2,3 N,M --opset 6",
            "2,3 when N in (1, 2) and (N == 2 or M == 1) and (N == 1 or M == 3) and M in (1, 3)",
        ),
        ("where", "N,1 ?,3 3", "?,3 when N == X.shape[0] or N == 1 or X.shape[0] == 1"),
        ("max", "N M --opset 7", "N when N == M"),
        ("max", "N --opset 7", "N"),
    ],
)
def test_unknown_sizes(name: str, question: str, line: str, capsys: Output) -> None:
    """A size keeps its name or its place in the input, also where inputs are made into others."""
    status, written_line = plain(capsys, name, *question.split())
    assert written_line == line
    assert status == (3 if " when " in line else 0)


NOT_INFERRED = (
    "ONNX's shape inference, strict mode included, does not check this rule; "
    "ONNX Runtime does when it runs"
)
RUN_BOTH_WAYS = (
    "ONNX Runtime runs PRelu multidirectionally, as PRelu-16's function body does: "
    "it accepts this and returns 2,3"
)
TAKEN_AS_A_ROW = (
    "ONNX Runtime takes A as 1,3 in a model that does not declare A's shape: "
    "it accepts this and returns 1,4"
)
NOTED = [
    ("gemm", "2,3 3,4 4", []),
    ("gemm", "2,3 3,4 5", [NOT_INFERRED]),
    ("gemm", "2,3 4,4 5", []),
    ("gemm", "2,3,4 4,4 5", []),
    (
        "gemm",
        "3 3,4 4",
        [TAKEN_AS_A_ROW],
    ),
    ("gemm", "3 3,4 4 --trans-a", []),
    ("gemm", "3 3,4 4 --opset 6", []),
    ("gemm", "N 3,4 4", []),
    ("layernormalization", "2,3 2", [NOT_INFERRED]),
    ("rmsnormalization", "2,3 1,1,3", [NOT_INFERRED]),
    ("rmsnormalization", "2,3 3 --axis 7", []),
    ("layernormalization", "2,0,3 3", []),
    (
        "layernormalization",
        "2,0,3 3 --axis 1",
        ["ONNX Runtime refuses this: X is empty from axis 1 on"],
    ),
    (
        "prelu",
        "3 2,3",
        [
            RUN_BOTH_WAYS,
            "ONNX's shape inference, strict mode included, does not check this rule",
        ],
    ),
    ("prelu", "2,3 3", []),
    ("mean", "2,3 3", []),
    ("mean", "3 3", []),
    ("mean", "3 2,3", ["ONNX's reference evaluator fails unless A has the result's shape"]),
    ("sum", "3 2,3", []),
    ("add", "2,3 2,3 --opset 6", ["B starts at axis 0 (default: 2 - 2)"]),
    (
        "add",
        "2,3 3 --opset 6",
        [
            "B starts at axis 1 (default: 2 - 1)",
            "asked with the attribute broadcast=1: without it the shapes must be identical",
        ],
    ),
    (
        "gemm",
        "2,3 3,4 4 --opset 6",
        ["asked with the attribute broadcast=1: without it the shapes must be identical"],
    ),
    (
        "matmul",
        "2,1,3 3",
        ["the sum goes over A's axis 2 (-1) and B's axis 0 (-1): neither is an axis of the result"],
    ),
    (
        "matmul",
        "3,1 1,4",
        ["the sum goes over A's axis 1 (-1) and B's axis 0 (-2): neither is an axis of the result"],
    ),
    ("matmul", "3,1 2,4", []),
    (
        "expand",
        "5 1",
        ["the result 5 is not the target shape 1: shape has a 1 where input has another size"],
    ),
]


@pytest.mark.parametrize(("name", "question", "notes"), NOTED)
def test_notes(name: str, question: str, notes: list[str], capsys: Output) -> None:
    """A note stands where it applies: of the engines, the attributes and what is summed over."""
    main(["op", name, *question.split(), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [note["text"] for note in found["notes"]] == notes


def asked_again(question: dict[str, Any]) -> list[str]:
    """What JSON says of a question to an operator, as the arguments that ask it."""
    arguments = [question["op"], *map(written, question["shapes"])]
    if question["opset"] is not None:
        arguments += ["--opset", str(question["opset"])]
    for name, value in question["options"].items():
        if name == "axis":
            arguments += ["--axis", str(value)]
        elif value:
            arguments.append(f"--{name.replace('_', '-')}")
    return arguments


TRIED = [
    ("add", "2,3 2", ["B[:, None] gives 2,3", "A[..., None] gives 2,3,2"]),
    ("add", "2,3,4 3 --opset 6", ["--axis 1 gives 2,3,4"]),
    ("add", "2,3,4 4 --axis 5 --opset 6", ["--axis 2 gives 2,3,4"]),
    ("add", "2,3,4 5 --opset 6", []),
    ("add", "2,3,4,5 1,5 --opset 6", ["B.reshape(5) gives 2,3,4,5", "--opset 7 gives 2,3,4,5"]),
    (
        "add",
        "2,3,4,5 3,1,1 --opset 6",
        ["B.reshape(3), --axis 1 gives 2,3,4,5", "--opset 7 gives 2,3,4,5"],
    ),
    ("add", "2,3,4 1,3 --axis 1 --opset 6", ["B.reshape(3) gives 2,3,4"]),
    ("add", "2,3 3,2 --opset 6", ["B.T gives 2,3"]),
    ("add", "2,3,4 4,3 --opset 6", ["B.T gives 2,3,4"]),
    ("add", "2,3 6 --opset 6", ["B.reshape(2, 3) gives 2,3"]),
    ("add", "3 1,1 --opset 6", ["B.reshape(()) gives 3", "B.reshape(1) gives 3"]),
    ("add", "3 2,3 --opset 6", ["--opset 7 gives 2,3"]),
    ("add", "3 2,3 --axis 0 --opset 6", []),
    ("add", "2,3 ?,1,1 --opset 6", ["--opset 7 gives ?,2,3"]),
    ("gemm", "8,64 10,64 10", ["--trans-b gives 8,10"]),
    ("gemm", "64,8 64,10 10", ["--trans-a gives 8,10"]),
    ("gemm", "64,8 10,64 10", ["--trans-a --trans-b gives 8,10"]),
    ("gemm", "8,64 64,10 10 --trans-b", ["without --trans-b gives 8,10"]),
    ("gemm", "64,8 64,10 --trans-b", ["--trans-a without --trans-b gives 8,10"]),
    (
        "gemm",
        "8,64 64,10 10 --trans-a --trans-b",
        ["without --trans-a --trans-b gives 8,10"],
    ),
    ("gemm", "8,64 10,64 8", ["--trans-b, C[:, None] gives 8,10"]),
    ("gemm", "8,64 10,64 10 --opset 6", ["--trans-b gives 8,10"]),
    ("gemm", "2,3 3,4 2", ["C[:, None] gives 2,4"]),
    ("gemm", "2,3 3,2 3", ["--trans-a --trans-b gives 3,3"]),
    ("gemm", "2,3 3,4 1,1,4", ["C.reshape(4) gives 2,4"]),
    ("gemm", "2,3 4,4 2", []),
    ("gemm", "2,3 3,4 2 --opset 6", []),
    ("gemm", "2,3 3,4 2,1 --opset 6", ["--opset 7 gives 2,4"]),
    ("gemm", "2,3 3,4 1,4 --opset 6", ["C.reshape(4) gives 2,4", "--opset 7 gives 2,4"]),
    ("gemm", "64 64,10 10", ["A[None, :] gives 1,10"]),
    ("gemm", "8,64 64 8", ["B[:, None], C[:, None] gives 8,1"]),
    ("gemm", "2,3,64 64,10 10", ["A.reshape(6, 64) gives 6,10"]),
    ("gemm", "N,3,64 64,10 10", []),
    ("gemm", "() 64,10 10", []),
    ("prelu", "2,3,4 3", ["slope[:, None] gives 2,3,4"]),
    ("prelu", "3 2,3", []),
    (
        "prelu",
        "2,3,4,5 3,1,1 --opset 6",
        ["slope.reshape(3) gives 2,3,4,5", "--opset 7 gives 2,3,4,5"],
    ),
    ("prelu", "2,3,4,5 5 --opset 6", ["--opset 7 gives 2,3,4,5"]),
    ("layernormalization", "2,3,4 3 4", ["Scale[:, None] gives 2,3,4"]),
    ("layernormalization", "2,3,4 4 3", ["B[:, None] gives 2,3,4"]),
    (
        "layernormalization",
        "2,3,4 3,4 --axis 4",
        ["--axis 1 gives 2,3,4", "--axis -1 gives 2,3,4"],
    ),
    ("layernormalization", "2,3,4 4 --axis -5", ["--axis 2 gives 2,3,4"]),
    ("rmsnormalization", "2,3,4 3 --axis 4", ["--axis 2, scale[:, None] gives 2,3,4"]),
    ("rmsnormalization", "() ()", []),
    ("matmul", "8,64 10,64", ["B.T gives 8,10"]),
    ("matmul", "64,8 64,10", ["A.T gives 8,10"]),
    ("matmul", "2,3 2,3", ["B.T gives 2,2", "A.T gives 3,3"]),
    ("matmul", "64,8 10,64", ["A.T, B.T gives 8,10"]),
    ("matmul", "2,3 2", ["A.T gives 3"]),
    ("matmul", "3 2", []),
    ("matmul", "() 2,3", []),
    ("matmul", "2,8,64 2,10,64", ["B.swapaxes(-1, -2) gives 2,8,10"]),
    ("matmul", "8,3,4 5,4,6", ["A[:, None, :, :] gives 8,5,3,6"]),
    ("matmul", "2,3,4 2,5,4,6", ["A[:, None, :, :] gives 2,5,3,6"]),
    ("matmul", "6,3,4 2,3,4,5", ["B[..., None, :, :] gives 2,3,6,3,5"]),
    ("matmulinteger", "8,64 10,64", ["b.T gives 8,10"]),
    (
        "max",
        "2,3 3 --opset 7",
        ["numpy.broadcast_to(B, (2, 3)) gives 2,3", "--opset 8 gives 2,3"],
    ),
    ("expand", "2 2,3", ["input[:, None] gives 2,3", "input[:, None, None] gives 2,2,3"]),
]


@pytest.mark.parametrize(("name", "question", "expected"), TRIED)
def test_suggestions(name: str, question: str, expected: list[str], capsys: Output) -> None:
    """What to write instead keeps to the operator and the order of its inputs; likeliest first."""
    assert main(["op", name, *question.split(), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    tried = [f"{each['write']} gives {written(each['result'])}" for each in found["suggestions"]]
    assert tried[: len(expected)] == expected
    assert bool(tried) == bool(expected)
    for each in found["suggestions"]:
        assert list(each) == ["write", "op", "opset", "shapes", "options", "result"]
        assert plain(capsys, *asked_again(each)) == (0, written(each["result"]))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: f"{each.name}-{each.opset or ''}")
def test_suggestions_are_asked_again(document: Document) -> None:
    """The operator answers each suggestion with the result that it shows; no two are the same."""
    chance = random.Random(f"suggestions {document.name} {document.opset}")
    seen = 0
    for _ in range(many(1_000)):
        shapes, options = random_question(document, chance, (0, 1, 2, 3, 4, 6, "N", "?"))
        answer = of_shapes(document.name, shapes, document.opset, **options)
        assert answer.ok is False or answer.suggestions == ()
        assert len(answer.suggestions) <= MAX_SUGGESTIONS
        questions = [str(each.answer.question.record()) for each in answer.suggestions]
        assert len({*questions, str(answer.question.record())}) == len(questions) + 1
        for each in answer.suggestions:
            asked: Any = each.answer.question.record()
            again = of_shapes(asked["op"], asked["shapes"], asked["opset"], **asked["options"])
            assert (again.ok, again.result) == (True, each.answer.result), (shapes, each.write)
            assert set(each.changed) == set(each.answer.question.inputs) - set(
                answer.question.inputs
            )
            seen += 1
    assert seen > many(50)


def known(shape: Shape) -> tuple[int, ...]:
    return tuple(map(int, shape))


def test_numpy_executes_suggestions_of_products() -> None:
    """What is suggested for MatMul is NumPy's: executed, it gives the shapes and the result."""
    chance = random.Random("products")
    [document] = [each for each in DOCUMENTS if each.name == "MatMul"]
    executed = 0
    for _ in range(many(2_000)):
        shapes, _ = random_question(document, chance, (1, 2, 3, 4))
        answer = of_shapes("MatMul", shapes, None)
        arrays = {name: numpy.zeros(known(shape)) for name, shape in answer.question.inputs}
        for each in answer.suggestions:
            changed = [operand.name for operand in each.changed]
            made = eval(f"[{each.write}]", {}, arrays)
            inputs = arrays | dict(zip(changed, made, strict=True))
            assert [(name, array.shape) for name, array in inputs.items()] == [
                *each.answer.question.inputs
            ], (shapes, each.write)
            assert numpy.matmul(*inputs.values()).shape == each.answer.result
            executed += 1
    assert executed > many(300)


@pytest.mark.parametrize("name", ["Add", "Gemm", "MatMul", "PRelu", "LayerNormalization"])
def test_nothing_is_suggested_that_nobody_can_read(name: str) -> None:
    """Shapes that are too long to be read are not made others."""
    long = (2,) * 10_000
    for opset in (6, None) if name in ("Add", "Gemm", "PRelu") else (None,):
        operator = operators.operator(table.existing(TABLE[name], opset), opset)
        shapes = [long, (3,), (3,)][: operator.min_operands]
        answer = of_shapes(name, shapes, opset)
        assert (answer.ok, answer.suggestions) == (False, ())


@pytest.mark.parametrize(
    ("name", "question", "opset", "kinds"),
    [
        ("Gemm", "2,3 3,4 5", None, ["engine"]),
        ("MatMul", "2,1,3 3", None, ["sum"]),
        ("Add", "2,3 3", 6, ["axis", "broadcast"]),
    ],
)
def test_kinds_of_notes(name: str, question: str, opset: int | None, kinds: list[str]) -> None:
    """Notes are of an engine, or else of what the operator does with its inputs."""
    assert [note.kind for note in ask(name, question, opset).notes] == kinds


def test_only_axes_within_the_first_input_are_proposed() -> None:
    """Up to opset 6 an axis is proposed if B ends within A there."""
    answer = ask("Add", "2,3,4 5,6", 6)
    proposed = [write for write, _ in answer.rule.alternatives(answer.question)]
    assert proposed == ["--axis 0", "--axis 1"]


@pytest.mark.parametrize(
    ("question", "aligned"),
    [
        ("2,3 1", [(2, None), (3, 1)]),
        ("3 1", [(3, 1)]),
        ("3 1,1", [(3, 1), (None, 1)]),
        ("2,3,4 3", [(2, None), (3, 3), (4, None)]),
    ],
)
def test_where_a_slope_lies(question: str, aligned: list[tuple[int | None, ...]]) -> None:
    """Up to opset 6 a slope of one element lies on the last axes, any other one on axis 1."""
    answer = ask("PRelu", question, 6)
    assert answer.ok
    assert [axis.sizes for axis in answer.axes or ()] == aligned


@pytest.mark.parametrize("axis", [0, 2, 7])
def test_one_element_lies_within(axis: int) -> None:
    """Up to opset 6 one element goes anywhere, and is shown within A."""
    answer = ask("Add", "2,3 1,1", 6, axis=axis)
    assert answer.ok
    assert [axis.sizes for axis in answer.axes or ()] == [(2, 1), (3, 1)]


@pytest.mark.parametrize("question", ["3 3", "2,3 3", "3 2,3,4", "2,3 3,4", "5,2,3 3,4", "2,2,3 3"])
def test_the_rank_of_a_matrix_product(question: str) -> None:
    """A row or a column adds no axis to the result, whose rank the plan tells."""
    answer = ask("MatMul", question)
    assert answer.layout.rank == len(answer.result or ())


@pytest.mark.parametrize(
    ("shapes", "kind", "culprit"),
    [
        ([("N", "N", 5), (2, 3, 5)], "names", "axis 0"),
        ([("N", "N", 5), (2, 3, 5), (4,)], "sizes", "C has 4"),
        ([("N", "N", 5), (2, 3, 5), (4,), (1, 1, 1, 1)], "rank", "D 1,1,1,1 has 4 axes"),
    ],
)
def test_the_worst_of_the_followers(shapes: list[Shape], kind: str, culprit: str) -> None:
    """Of several inputs that do not follow the first, the one that is named is furthest from it."""
    answer = Question(Followers(), [*map(Operand, "ABCD", shapes)]).answer()
    assert answer.reason is not None
    assert answer.reason.kind == kind
    assert culprit in answer.reason.text


def test_only_followers_are_rewritten() -> None:
    """The first input keeps its shape, so what is suggested changes another one."""
    answer = Question(Followers(), [Operand("A", (4, 3)), Operand("B", (3, 4))]).answer()
    assert [each.write for each in answer.suggestions] == ["B.T"]


def test_a_follower_that_clashes_decides_nothing() -> None:
    """On an axis where an input does not follow there is no size."""
    answer = Question(Followers(), [Operand("A", (4, 3)), Operand("B", (2, 1))]).answer()
    assert [axis.result for axis in answer.axes or ()] == [None, 3]


def test_every_operand_stretches_where_inputs_are_operands(capsys: Output) -> None:
    """Rows of one matrix and columns of another are no sign of a mistake; two vectors may be."""
    stretch = "both operands stretch: 3 and 4 elements become 12 (3x)"
    notes = {name: [note.text for note in ask(name, "3,1 1,4").notes] for name in ("Add", "MatMul")}
    assert stretch in notes["Add"]
    assert stretch not in notes["MatMul"]


def numbered(shapes: Sequence[Shape], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Every choice of small numbers for the unknown sizes, by the names that conditions use."""
    unnamed = [
        (names[place], axis)
        for place, shape in enumerate(shapes)
        for axis, size in enumerate(shape)
        if size == "?"
    ]
    named = sorted({size for shape in shapes for size in shape if isinstance(size, str)} - {"?"})
    for numbers in product(range(5), repeat=len(named) + len(unnamed)):
        chosen: dict[str, Any] = dict(zip(named, numbers, strict=False))
        places = dict(zip(unnamed, numbers[len(named) :], strict=True))
        for place, shape in enumerate(shapes):
            chosen[names[place]] = tuple(
                places.get((names[place], axis), chosen.get(str(size), size))
                for axis, size in enumerate(shape)
            )
        yield chosen


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: f"{each.name}-{each.opset or ''}")
def test_known_sizes_by_the_document(document: Document) -> None:
    """For sizes that are known, an answer is what the operator's document says."""
    chance = random.Random(f"known {document.name} {document.opset}")
    verdicts = set()
    for _ in range(many(1_500)):
        shapes, options = random_question(document, chance, (0, 1, 2, 3, 3))
        answer = of_shapes(document.name, shapes, document.opset, **options)
        expected = document.says(*shapes, **options)
        assert (answer.ok, answer.result) == (expected is not None, expected), (shapes, options)
        assert (answer.reason is None) == answer.ok
        verdicts.add(answer.ok)
    assert verdicts == {True, False}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: f"{each.name}-{each.opset or ''}")
def test_unknown_sizes_by_the_document(document: Document) -> None:
    """Whatever numbers are put for unknown sizes, the condition and the result hold for them."""
    chance = random.Random(f"unknown {document.name} {document.opset}")
    verdicts = set()
    asked = 0
    while asked < many(250):
        shapes, options = random_question(document, chance, (1, 2, 3, "N", "M", "?"))
        unknown = {size for shape in shapes for size in shape if isinstance(size, str)} - {"?"}
        if not 1 <= len(unknown) + sum(shape.count("?") for shape in shapes) <= 3:
            continue
        asked += 1
        answer = of_shapes(document.name, shapes, document.opset, **options)
        names = [operand.name for operand in answer.question.inputs]
        said = set()
        for chosen in numbered(shapes, names):
            scope = {**chosen, **{name: SimpleNamespace(shape=chosen[name]) for name in names}}
            expected = document.says(*(chosen[name] for name in names), **options)
            said.add(expected is not None)
            holds = answer.ok if answer.when is None else eval(answer.when, {}, scope)
            assert holds == (expected is not None), (shapes, options, answer.when, chosen)
            if expected is not None:
                assert answer.result is not None
                assert len(answer.result) == len(expected)
                pairs = zip(answer.result, expected, strict=True)
                told = [(chosen.get(str(own), own), size) for own, size in pairs if own != "?"]
                assert all(own == size for own, size in told), (shapes, options, answer.result)
        assert answer.ok == (said.pop() if len(said) == 1 else None), (shapes, options)
        verdicts.add(answer.ok)
    assert verdicts == {True, False, None}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: f"{each.name}-{each.opset or ''}")
def test_every_format(document: Document, capsys: Output) -> None:
    """Every format writes every kind of answer, with one status, and no size by its place."""
    chance = random.Random(f"formats {document.name} {document.opset}")
    opset = [] if document.opset is None else [f"--opset={document.opset}"]
    for _ in range(many(8)):
        shapes, options = random_question(document, chance, (0, 1, 2, 3, "N", "?"))
        flags = [
            f"--{name.replace('_', '-')}" + (f"={value}" if name == "axis" else "")
            for name, value in options.items()
            if name == "axis" or value
        ]
        arguments = ["op", document.name, *map(written, shapes), *flags, *opset]
        statuses = {main([*arguments, "-q"])}
        outs: dict[str, str] = {}
        for output in filter(lambda each: each.is_text, Format):
            statuses.add(main([*arguments, "-f", output]))
            outs[output], err = capsys.readouterr()
            assert err == ""
        assert len(statuses) == 1
        assert statuses < {0, 1, 3}
        found = json.loads(outs["json"])
        line = written(found["result"]) if found["ok"] is not False else found["reason"]
        assert line in outs["plain"]
        typed = "; ".join(f"{each['name']} {page_shape(each['shape'])}" for each in found["inputs"])
        assert f"<title>{document.name}: {typed}</title>" in outs["html"]
        assert outs["plain"].strip() in outs["table"]
        shown = [each["shape"] for key in ("operands", "inputs") for each in found[key]]
        shown += [axis["sizes"] for axis in found["axes"] or ()]
        assert "]" not in "".join(str(size) for sizes in shown for size in sizes)


def test_errors_of_names() -> None:
    """What cannot be asked of an operator is said by the module, too."""
    with pytest.raises(OperatorError, match="did you mean Gemm"):
        table.history("gemn")
    with pytest.raises(OperatorError, match="cannot compute"):
        operators.operator(TABLE["Einsum"][0], None)
    assert table.counting(TABLE["Mod"], 9) is None


def test_a_name_of_an_input_that_is_taken() -> None:
    """A size may be called like an input: the inputs' own names are others then."""
    answer = ask("Where", "X,1 Y 3")
    assert [operand.name for operand in answer.question.inputs] == ["in1", "in2", "in3"]
    assert ask("Gemm", "A,3 3,B").operand_names == ("X@Y",)
    assert list(ask("PRelu", "slope=2,3 X=3").operands) == [
        Operand("slope", (2, 3)),
        Operand("X", (3,)),
    ]


@pytest.mark.parametrize("version", VERSIONS, ids=lambda each: f"{each.op}-{each.since_opset}")
def test_the_rule_of_an_answer_has_a_page(version: Version, capsys: Output) -> None:
    """The rule that JSON names is one that `rules` tells about."""
    asked = operators.operator(version, version.since_opset)
    shapes = ["1,1"] * asked.min_operands
    answer = put(asked, " ".join(shapes), {})
    assert main(["rules", answer.rule.name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rule"] == answer.rule.name


@pytest.mark.parametrize("rule", legacy.RULES.values(), ids=lambda rule: rule.name)
def test_examples_of_the_rules_of_old_opsets(rule: Rule) -> None:
    """Their worked examples are answered as they say."""
    assert rule.examples
    for arguments, expected in rule.examples:
        answer = put(rule, " ".join(arguments).replace("--axis ", "axis="), {})
        line = verdict(answer)
        assert line == expected or (expected == "mismatch" and line.startswith("mismatch")), line


@pytest.mark.parametrize(
    ("asked", "stretched"),
    [
        ("MatMul 2,3 3,4", [[], []]),
        ("MatMul 3 5,3,4", [["A"], []]),
        ("MatMul 5,2,3 3,4", [["B"], [], []]),
        ("MatMul 5,1,2,3 6,3,4", [["B"], ["A"], [], []]),
        ("Gemm 2,3 3,4", [[], []]),
        ("Gemm 2,3 3,4 4", [["C"], []]),
    ],
)
def test_nothing_stretches_along_the_axes_of_matrices(
    capsys: Output, asked: str, stretched: list[list[str]]
) -> None:
    """M is of one factor and N of the other: along them neither factor stretches."""
    main(["op", *asked.split(), "--json"])
    axes = json.loads(capsys.readouterr().out)["axes"]
    assert [axis["stretched"] for axis in axes if axis["axis"] is not None] == stretched
