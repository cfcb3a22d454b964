"""The command line: exit statuses, JSON, messages, colors, and what survives a hostile world."""

import errno
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.main import get_command

from bcastcli import __version__
from bcastcli.cli.main import COMMANDS, app, main
from bcastcli.cli.options import TAKE_A_VALUE
from bcastcli.rules import by_any_name
from bcastcli.rules.frameworks import WITHOUT_A_COMMAND
from tests.effort import each_once
from tests.in_memory import run

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3

# For each rule a question with each status.
ASKED = {
    "numpy": (["2,3", "3"], ["2,3", "2,4"], ["2,,3", "4"], ["N,4", "3,4"]),
    "onnx": (["4,5", "2,3,4,5"], ["2,3", "4,1"], ["2.3"], ["N", "M"]),
    "onnx-uni": (["2,3", "3"], ["3", "2,3"], ["2"], ["2,N", "3"]),
    "none": (["2,3", "2,3"], ["2,3", "1,3"], ["2"], ["N,3", "2,3"]),
    "pdpd": (
        ["2,3,4,5", "3,4", "--axis", "1"],
        ["2,3,4,5", "3,4"],
        ["2", "3", "4"],
        ["2,3", "3,N", "--axis", "1"],
    ),
    "bidirectional": (["3,1", "2,1,6"], ["3,4", "3"], ["3"], ["N", "3"]),
    "ncnn": (["2,3,4", "3,4"], ["2,3,4", "2,3"], ["2", "1e3"], ["N", "3"]),
}
RULES = list(ASKED)

every_rule = pytest.mark.parametrize("rule", RULES)
every_status = pytest.mark.parametrize("status", [YES, NO, MALFORMED, DEPENDS])
every_answer = pytest.mark.parametrize("status", [YES, NO, DEPENDS])

KEYS = (
    *("schema", "rule", "operands", "options", "ok", "result", "when"),
    *("reason", "reason_kind", "axes", "notes", "suggestions"),
)
AXIS_KEYS = ["axis", "sizes", "result", "stretched", "conflict"]

Output = pytest.CaptureFixture[str]

needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="the shell's redirections")
needs_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device")


@pytest.fixture
def arguments(rule: str, status: int) -> list[str]:
    """A question to a rule that is answered with a status."""
    return [rule, *ASKED[rule][status]]


def spelled(value: object) -> str | None:
    """Arguments as the name of a test case."""
    return " ".join(map(str, value))[:40] if isinstance(value, list) else None


def process(*arguments: str | bytes, **settings: Any) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, with nothing to read."""
    return subprocess.run(
        [sys.executable, "-m", "bcastcli", *arguments],
        check=False,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings},
    )


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A script of bash in which `bcastcli` is the command line."""
    function = f'bcastcli() {{ {shlex.quote(sys.executable)} -m bcastcli "$@"; }}'
    return subprocess.run(
        ["bash", "-c", f"{function}\nset -o pipefail\n{script}"],
        check=False,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **environment},
    )


def answer(capsys: Output, *arguments: str) -> dict[str, Any]:
    """The JSON object that answers the arguments."""
    main([*arguments, "--json"])
    return dict(json.loads(capsys.readouterr().out))


def complaint(capsys: Output, arguments: list[str]) -> str:
    """What is said of arguments that ask nothing; and only that is said."""
    assert main(arguments) == MALFORMED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("bcastcli: ")
    assert err.endswith("\n")
    assert "Traceback" not in err
    return err


# Exit statuses


@each_once
@every_rule
@every_status
@pytest.mark.parametrize(
    "shown", [[], ["-f", "table"], ["-f", "plain"], ["-f", "json"]], ids=spelled
)
def test_status(capsys: Output, arguments: list[str], status: int, shown: list[str]) -> None:
    """The status says yes, no, malformed or depends, whatever the format."""
    assert main([*arguments, *shown]) == status
    out, err = capsys.readouterr()
    assert bool(out) == (status != MALFORMED)
    assert bool(err) == (status == MALFORMED)


@each_once
@every_rule
@every_status
@pytest.mark.parametrize(
    "quiet", [["-q"], ["--quiet"], ["-q", "--json"], ["-qf", "plain"]], ids=spelled
)
def test_quiet(capsys: Output, arguments: list[str], status: int, quiet: list[str]) -> None:
    """With -q nothing goes to standard output, and the status is the same."""
    assert main([*arguments, *quiet]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert bool(err) == (status == MALFORMED)


@each_once
@every_rule
@every_status
def test_status_of_the_process(arguments: list[str], status: int) -> None:
    """The process ends with the status, and answers nowhere but on standard output."""
    ended = process(*arguments, "-f", "plain")
    assert ended.returncode == status
    assert bool(ended.stdout) == (status != MALFORMED)
    assert bool(ended.stderr) == (status == MALFORMED)


# Plain answers


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["numpy", "8,1,6,1", "7,1,5"], "8,7,6,5"),
        (["numpy", "()"], "()"),
        (["numpy", "()", "2"], "2"),
        (["numpy", "(2,3) (2,1)"], "2,3"),
        (["numpy", "2x3", "torch.Size([2, 1])"], "2,3"),
        (["numpy", "N,4", "3,4"], "3,4 when N in (1, 3)"),
        (["numpy", "N", "M"], "? when N == M or N == 1 or M == 1"),
        (["numpy", "N,3", "1,3"], "N,3"),
        (["pdpd", "2,3", "2", "axis=0"], "2,3"),
        (
            ["numpy", "bias=2,4", "3"],
            "mismatch: bias has 4 and B has 3 on axis 1 (-1), and neither is 1",
        ),
    ],
    ids=spelled,
)
def test_plain(capsys: Output, arguments: list[str], line: str) -> None:
    """Format plain is one line: the result, with its condition, or the reason."""
    main([*arguments, "-f", "plain"])
    assert capsys.readouterr().out == f"{line}\n"


# JSON


@each_once
@every_rule
@every_answer
def test_json_keys(capsys: Output, arguments: list[str], status: int) -> None:
    """An answer is one object on one line with exactly the keys of schema 1, in their order."""
    assert main([*arguments, "--json"]) == status
    text = capsys.readouterr().out
    assert text.endswith("\n")
    assert text.count("\n") == 1
    given = json.loads(text)
    assert tuple(given) == KEYS
    assert (given["schema"], given["rule"]) == (1, arguments[0])
    assert given["ok"] == {YES: True, NO: False, DEPENDS: None}[status]
    assert (given["result"] is None) == (status == NO)
    assert (given["reason"] is None) == (given["reason_kind"] is None) == (status != NO)
    assert (given["when"] is None) == (status != DEPENDS)
    label = ["label"] if arguments[0] == "ncnn" else []
    for number, axis in enumerate(given["axes"]):
        assert list(axis) == [*AXIS_KEYS[:1], *label, *AXIS_KEYS[1:]]
        assert axis["axis"] == number
        assert len(axis["sizes"]) == len(given["operands"])
    assert all(list(operand) == ["name", "shape"] for operand in given["operands"])
    assert all(list(note) == ["kind", "text"] for note in given["notes"])
    assert bool(given["suggestions"]) == (status == NO)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(
            ["pdpd", "2,3,4,5", "3,4", "--axis", "1"],
            {
                "operands": [
                    {"name": "A", "shape": [2, 3, 4, 5]},
                    {"name": "B", "shape": [3, 4]},
                ],
                "options": {"axis": 1},
                "ok": True,
                "result": [2, 3, 4, 5],
                "when": None,
                "reason": None,
                "reason_kind": None,
                "axes": [
                    {
                        "axis": 0,
                        "sizes": [2, None],
                        "result": 2,
                        "stretched": ["B"],
                        "conflict": False,
                    },
                    {"axis": 1, "sizes": [3, 3], "result": 3, "stretched": [], "conflict": False},
                    {"axis": 2, "sizes": [4, 4], "result": 4, "stretched": [], "conflict": False},
                    {
                        "axis": 3,
                        "sizes": [5, None],
                        "result": 5,
                        "stretched": ["B"],
                        "conflict": False,
                    },
                ],
            },
            id="yes",
        ),
        pytest.param(
            ["numpy", "x=2,3", "bias=1,4"],
            {
                "operands": [{"name": "x", "shape": [2, 3]}, {"name": "bias", "shape": [1, 4]}],
                "options": {},
                "ok": False,
                "result": None,
                "when": None,
                "reason": "x has 3 and bias has 4 on axis 1 (-1), and neither is 1",
                "reason_kind": "sizes",
                "axes": [
                    {
                        "axis": 0,
                        "sizes": [2, 1],
                        "result": 2,
                        "stretched": ["bias"],
                        "conflict": False,
                    },
                    {
                        "axis": 1,
                        "sizes": [3, 4],
                        "result": None,
                        "stretched": [],
                        "conflict": True,
                    },
                ],
            },
            id="no",
        ),
        pytest.param(
            ["numpy", "N,?", "3,1"],
            {
                "operands": [{"name": "A", "shape": ["N", "?"]}, {"name": "B", "shape": [3, 1]}],
                "options": {},
                "ok": None,
                "result": [3, "?"],
                "when": "N in (1, 3)",
                "reason": None,
                "reason_kind": None,
            },
            id="depends",
        ),
    ],
)
def test_json(capsys: Output, arguments: list[str], expected: dict[str, Any]) -> None:
    """The values of an answer that is yes, of one that is no, and of one that depends."""
    given = answer(capsys, *arguments)
    assert {key: given[key] for key in expected} == expected


def test_json_where_it_depends(capsys: Output) -> None:
    """Where it depends, the axis in question conflicts neither surely nor surely not."""
    first, second = answer(capsys, "numpy", "N,4", "3,4")["axes"]
    assert (first["sizes"], first["result"], first["conflict"]) == (["N", 3], 3, None)
    assert (second["sizes"], second["result"], second["conflict"]) == ([4, 4], 4, False)
    assert answer(capsys, "numpy", "?", "3")["when"] == "A.shape[0] in (1, 3)"


@pytest.mark.parametrize(
    ("arguments", "labels"),
    [
        (["2,3,4", "3,4"], ["w", "h", "c"]),
        (["2,3,4,5", "5"], ["w", "h", "d", "c"]),
        (["2,3", "()"], ["w", "h"]),
        (["2", "1"], ["w"]),
        (["2,3,4", "2,3", "--order", "numpy"], ["c", "h", "w"]),
        (["2,3,4,5", "2", "--order", "numpy"], ["c", "d", "h", "w"]),
    ],
    ids=spelled,
)
def test_json_labels(capsys: Output, arguments: list[str], labels: list[str]) -> None:
    """Under ncnn each axis has its label, in the order of the shapes as typed."""
    axes = answer(capsys, "ncnn", *arguments)["axes"]
    assert [axis["label"] for axis in axes] == labels


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["numpy", "2"], {}),
        (["onnx", "2"], {}),
        (["onnx-uni", "2", "2"], {}),
        (["none", "2", "2"], {}),
        (["bidirectional", "2", "2"], {}),
        (["pdpd", "2,3,4,5", "4,5"], {"axis": 2}),
        (["pdpd", "2,3,4,5", "5,1"], {"axis": 2}),
        (["pdpd", "2,3,4,5", "3,4,5", "--axis", "-1"], {"axis": 1}),
        (["pdpd", "2,3,4,5", "3", "--axis=1"], {"axis": 1}),
        (["pdpd", "2,3,4,5", "2", "axis=0"], {"axis": 0}),
        (["pdpd", "2,3", "()"], {"axis": 2}),
        (["ncnn", "2", "2"], {"order": "ncnn"}),
        (["ncnn", "2", "2", "--order", "numpy"], {"order": "numpy"}),
    ],
    ids=spelled,
)
def test_json_options(capsys: Output, arguments: list[str], options: dict[str, Any]) -> None:
    """The options are the resolved values: pdpd's axis before any trim, never -1."""
    assert answer(capsys, *arguments)["options"] == options


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["numpy", "2", "3"], "sizes"),
        (["none", "()", "1"], "rank"),
        (["onnx-uni", "3", "1,3"], "rank"),
        (["pdpd", "2", "2,1"], "rank"),
        (["pdpd", "2,3", "3,4", "--axis", "1"], "fit"),
        (["pdpd", "2,3", "3", "--axis", "5"], "fit"),
        (["onnx-uni", "3,N", "N,2"], "names"),
        (["ncnn", "1,2,3,4,5", "2"], "limit"),
        (["ncnn", "0", "2"], "limit"),
    ],
    ids=spelled,
)
def test_json_reason_kind(capsys: Output, arguments: list[str], kind: str) -> None:
    """Each no is of one of the documented kinds."""
    assert answer(capsys, *arguments)["reason_kind"] == kind


@pytest.mark.parametrize(
    ("arguments", "stretched"),
    [
        (["numpy", "2,1", "1,3"], [["B"], ["A"]]),
        (["numpy", "2", "()"], [["B"]]),
        (["numpy", "1", "()"], [[]]),
        (["numpy", "1", "0"], [["A"]]),
        (["numpy", "x=1", "1", "4"], [["x", "B"]]),
        (["pdpd", "2,3", "2", "--axis", "0"], [[], ["B"]]),
        (["bidirectional", "3,1", "2,1,6"], [["A"], ["target"], ["A"]]),
    ],
    ids=spelled,
)
def test_json_stretched(capsys: Output, arguments: list[str], stretched: list[list[str]]) -> None:
    """On each axis those are named that take another size than their 1 or missing one."""
    assert [axis["stretched"] for axis in answer(capsys, *arguments)["axes"]] == stretched


@pytest.mark.parametrize(
    ("arguments", "ok", "result"),
    [
        (["2,N", "2"], True, [2, "N"]),
        (["2", "2,N"], True, [2, "N"]),
    ],
    ids=spelled,
)
def test_json_without_layout(
    capsys: Output, arguments: list[str], ok: bool, result: list[int | str]
) -> None:
    """Where unknown sizes decide how the operands lie, there are no axes to state."""
    given = answer(capsys, "ncnn", *arguments)
    assert (given["ok"], given["result"], given["axes"]) == (ok, result, None)


@pytest.mark.parametrize(
    "arguments",
    [["onnx-uni", "3", "2,3"], ["pdpd", "3", "2,3"], ["none", "3", "2,3"]],
    ids=spelled,
)
def test_json_axes_of_a_rank_that_does_not_fit(capsys: Output, arguments: list[str]) -> None:
    """A rank that does not fit still gets its axes, right-aligned."""
    axes = answer(capsys, *arguments)["axes"]
    assert [axis["sizes"] for axis in axes] == [[None, 2], [3, 3]]


@each_once
@every_rule
@every_answer
def test_json_is_a_format(capsys: Output, arguments: list[str], status: int) -> None:
    """--json is short for -f json, and both together are no contradiction."""
    outputs = set()
    for flags in (["--json"], ["-f", "json"], ["--format=json"], ["--json", "-f", "json"]):
        assert main([*arguments, *flags]) == status
        outputs.add(capsys.readouterr().out)
    assert len(outputs) == 1


@pytest.mark.parametrize("other", ["plain", "table"])
@pytest.mark.parametrize("quiet", [[], ["-q"]], ids=spelled)
def test_json_and_another_format(capsys: Output, other: str, quiet: list[str]) -> None:
    """--json with another format is a contradiction, and said to be one."""
    message = complaint(capsys, ["numpy", "2", "--json", "-f", other, *quiet])
    assert "--json" in message
    assert other in message


# What is wrong with a question


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["numpy", "2,,3", "4"], "missing"),
        (["numpy", "2.3"], "did you mean 2,3?"),
        (["numpy", "2, 3"], "2,3"),
        (["numpy", "256 x 256 x 3"], "2x3"),
        (["numpy", "7" * 5000], "4300"),
        (["numpy", "N=2", "N"], "N"),
        (["onnx-uni", "2"], "two"),
        (["onnx-uni", "2", "3", "4"], "two"),
        (["none", "2"], "two"),
        (["pdpd", "2"], "two"),
        (["bidirectional", "2", "3", "4"], "two"),
        (["ncnn", "2"], "two"),
        (["numpy", " "], "an argument is empty"),
        (["numpy", "-2,3"], "-2"),
        (["numpy", "--", "-2,3"], "negative"),
        (["numpy", "2", "--unheard-of"], "--unheard-of"),
        (["numpy", "2", "--axis", "1"], "--axis"),
        (["numpy", "2", "axis=1"], "axis"),
        (["numpy", "2", "--order", "ncnn"], "--order"),
        (["pdpd", "2,3", "3", "--order", "numpy"], "--order"),
        (["pdpd", "2,3", "3", "--axis", "-2"], "axis"),
        (["pdpd", "2,3", "3", "--axis=-2"], "axis"),
        (["pdpd", "2,3", "3", "--axis", "x"], "axis"),
        (["pdpd", "2,3", "3", "--axis", "1.0"], "axis"),
        (["pdpd", "2,3", "3", "--axis", "-1,3"], "axis"),
        (["pdpd", "2,3", "3", "--axis", ""], "axis"),
        (["pdpd", "2,3", "3", "--axis", "9" * 5000], "axis"),
        (["pdpd", "2,3", "3", "--axis"], "--axis"),
        (["pdpd", "2,3", "3", "axis=-2"], "axis"),
        (["numpy", "2", "--format", "nope"], "'nope'"),
        (["numpy", "2", "--format"], "--format"),
        (["numpy", "2", "--color", "puce"], "'puce'"),
        (["ncnn", "2", "2", "--order", "caffe"], "'caffe'"),
        (["--json", "numpy", "2"], "bcastcli numpy --json"),
        (["--file", "2"], "--file"),
    ],
    ids=spelled,
)
def test_malformed(capsys: Output, arguments: list[str], says: str) -> None:
    """What cannot be answered is explained on standard error, and nothing is answered."""
    assert says in complaint(capsys, arguments)


@pytest.mark.parametrize(
    ("arguments", "line", "carets"),
    [
        (["numpy", "2,,3", "4"], "2,,3 4", "  ^"),
        (["numpy", "4", "2,for"], "4 2,for", "    ^^^"),
        (["numpy", "-1,3,,"], "-1,3,,", "     ^"),
        (["onnx-uni", "2", "3", "4"], "2 3 4", "    ^"),
        (["numpy", "(2, 3"], "(2, 3", "^"),
        (["numpy", "2", "", "3"], "2 '' 3", "  ^^"),
    ],
    ids=spelled,
)
def test_the_place_is_pointed_at(
    capsys: Output, arguments: list[str], line: str, carets: str
) -> None:
    """Below the message stands the text as typed, with carets under what is wrong."""
    _, *below = complaint(capsys, arguments).splitlines()
    assert below == [f"  {line}", f"  {carets}"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["numpy", "2", "--format", "-1"],
        ["numpy", "2", "--color", "-1"],
        ["ncnn", "2", "2", "--order", "-1,3"],
    ],
    ids=spelled,
)
def test_a_value_like_a_shape_is_shown_as_typed(capsys: Output, arguments: list[str]) -> None:
    """An option's value that looks like a shape stands in the message as it was typed."""
    assert repr(arguments[-1]) in complaint(capsys, arguments)


# Rules by name


@pytest.mark.parametrize("arguments", [["astrology"], ["astrology", "2", "3"]], ids=spelled)
def test_unknown_rule(capsys: Output, arguments: list[str]) -> None:
    """A name that is no rule is told which rules there are."""
    message = complaint(capsys, arguments)
    assert "astrology" in message
    assert all(re.search(rf"(?<![\w-]){rule}(?![\w-])", message) for rule in RULES)


def suggested(message: str) -> list[str]:
    """The arguments of the command line that a message ends with."""
    return shlex.split(message.rpartition(": bcastcli ")[2])


@pytest.mark.parametrize(
    ("word", "rule"),
    [(name, rule.name) for name, rule in by_any_name().items()]
    + [("PyTorch", "numpy"), ("JAX", "numpy"), ("NumPy", "numpy")],
)
def test_a_framework_s_name(capsys: Output, word: str, rule: str) -> None:
    """A framework's name in front answers as its rule does."""
    statuses, answers = [], []
    for name in (word, rule):
        statuses.append(main([name, "-p", "3,4", "4"]))
        answers.append(capsys.readouterr().out)
    assert statuses[0] == statuses[1] != MALFORMED
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ncn 3,4 4", "ncnn 3,4 4"),
        ("onxx-uni 3,4 4", "onnx-uni 3,4 4"),
        ("comapre 3,4 4", "compare 3,4 4"),
        ("trch 3,4 4", "torch 3,4 4"),
        ("ptorch 3,4 4", "pytorch 3,4 4"),
        ("matmul 2,3 3,4", "op MatMul 2,3 3,4"),
        ("bmm 1,2,3 1,3,4", "op MatMul 1,2,3 1,3,4"),
        ("Add 2,3 3", "op Add 2,3 3"),
        ("add 2,3 3", "op Add 2,3 3"),
        ("gemm 8,64 64,10 10", "op Gemm 8,64 64,10 10"),
        ("linear 8,64 64,10 10", "op Gemm 8,64 64,10 10"),
        ("Expand 3 2,3", "op Expand 3 2,3"),
        ("broadcast_to 3 2,3", "onnx-uni 2,3 3"),
        ("expand 3 2,3", "onnx-uni 2,3 3"),
        ("broadcast_shapes 3 2,3", "numpy 3 2,3"),
    ],
)
def test_a_word_that_is_no_command(capsys: Output, typed: str, meant: str) -> None:
    """A word that is no command leads to the command that was meant, which answers."""
    message = complaint(capsys, typed.split())
    assert message.endswith(f"; did you mean: bcastcli {meant}\n")
    assert main(meant.split()) != MALFORMED


def test_broadcast_to_is_numpy_s(capsys: Output) -> None:
    """The command offered for broadcast_to refuses what numpy.broadcast_to refuses."""
    for given, target in product(["2,3", "3", "1", "2,1", "()"], repeat=2):
        [line] = complaint(capsys, ["broadcast_to", given, target]).splitlines()
        status = main(shlex.split(line.rpartition(": bcastcli ")[2]))
        array, aim = (np.empty([*map(int, re.findall("[0-9]+", text))]) for text in (given, target))
        try:
            np.broadcast_to(array, aim.shape)
        except ValueError:
            assert status == 1
        else:
            assert status == 0
        capsys.readouterr()


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("3,3 3 --rule ncnn", "type the rule first, as in bcastcli ncnn 3,3 3"),
        ("--rule ncnn 3,3 3", "type the rule first, as in bcastcli ncnn 3,3 3"),
        ("2,3,4 3 --axis 1", "numpy has no option --axis; it is an option of pdpd"),
        ("pdpd 2,3 3 --order numpy", "pdpd has no option --order; it is an option of ncnn"),
        ("foo 3", "; -h lists all"),
    ],
)
def test_a_hint_at_the_right_place(capsys: Output, line: str, hint: str) -> None:
    """An option of another rule, and the rule itself typed as an option, are pointed out."""
    assert complaint(capsys, line.split()).endswith(f"{hint}\n")


@pytest.mark.parametrize("word", ["TensorRT", "broadcast", *WITHOUT_A_COMMAND])
def test_no_command_of_another_meaning(capsys: Output, word: str) -> None:
    """Where no command answers, or two may be meant, none is proposed for the shapes."""
    message = complaint(capsys, [word, "3,4", "4"])
    assert "did you mean" not in message
    assert "there is no command" in message


@pytest.mark.parametrize("word", WITHOUT_A_COMMAND)
def test_the_same_of_a_rule(capsys: Output, word: str) -> None:
    """What is known of a framework without a command is said wherever a rule is named."""
    for arguments in (["rules", word], ["compare", "--rules", word, "2,3", "3"]):
        assert WITHOUT_A_COMMAND[word] in complaint(capsys, arguments)


def test_the_operator_broadcast(capsys: Output) -> None:
    """OpenVINO's operator Broadcast, which ONNX lacks, is answered by another command."""
    assert complaint(capsys, ["op", "Broadcast"]).splitlines()[0] == (
        "bcastcli: ONNX has no operator Broadcast; OpenVINO's is bcastcli bidirectional"
    )


@pytest.mark.parametrize("word", ["Astrology", "xyzzy"])
def test_a_word_is_shown_as_typed(capsys: Output, word: str) -> None:
    """A name that is no rule stands in the message as it was typed."""
    assert word in complaint(capsys, [word, "3,4", "4"])


@pytest.mark.parametrize(
    "shapes",
    [
        ["3,4", "3"],
        ["5"],
        ["(3, 4)", "3"],
        ["2x3", "3"],
        ["torch.Size([2, 3])", "3"],
        ["-1,3", "3"],
        ["-1", "3"],
        ["?", "3"],
        ["scalar", "(2,)"],
        ["bias=3", "3"],
        ["bias=N", "3"],
        ["NxM", "3"],
        ["N", "3"],
        ["scalar", "3"],
        ["-p", "2", "3"],
        ["--format", "tsv", "2", "3"],
        ["--", "2", "3"],
        ["2", "3", "--json"],
    ],
    ids=spelled,
)
def test_shapes_without_a_rule(capsys: Output, shapes: list[str]) -> None:
    """Shapes without a rule are answered under numpy's."""
    statuses, answers = [], []
    for arguments in (shapes, ["numpy", *shapes]):
        statuses.append(main(arguments))
        answers.append(capsys.readouterr())
    assert statuses[0] == statuses[1] != MALFORMED
    assert answers[0] == answers[1]


@pytest.mark.parametrize("columns", ["20", "40", "80", "200"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_no_line_of_help_ends_with_a_blank(command: str, columns: str) -> None:
    """Help has no spaces at the end of a line, however narrow the terminal is."""
    ended = run([*command.split(), "--help"], environment={"COLUMNS": columns})
    assert ended.status == YES
    assert [line for line in ended.out.splitlines() if line != line.rstrip()] == []


def test_no_arguments() -> None:
    """Without arguments on a terminal there is the short help, with commands in groups."""
    ended = run([], terminal=True, typing=True)
    assert (ended.status, ended.out) == (MALFORMED, "")
    for heading in ("Usage", "Examples", "Rules", "Tools"):
        assert re.search(rf"^ *{heading}:", ended.err, re.MULTILINE)
    assert all(re.search(rf"^  {name} ", ended.err, re.MULTILINE) for name in COMMANDS)
    assert "Options" not in ended.err
    assert len(re.findall(r"^ +bcastcli ", ended.err, re.MULTILINE)) >= 3


def test_a_pipe_without_a_command() -> None:
    """The lines of a pipe are answered under numpy's rule; an empty pipe is no question."""
    assert run([], b"2,3 3\n4 5\n") == run(["numpy"], b"2,3 3\n4 5\n")
    assert run([], b"2,3 3\n").out == "2,3\n"
    assert run([]).status == MALFORMED


@pytest.mark.parametrize(("option", "meant"), [("--stepps", "--steps"), ("--jsn", "--json")])
def test_an_option_that_is_nearly_one(capsys: Output, option: str, meant: str) -> None:
    """An option that is nearly one leads to it; any other is not explained by a strange one."""
    assert complaint(capsys, ["numpy", "2", option]).endswith(f"; did you mean {meant}?\n")
    assert "did you mean" not in complaint(capsys, ["numpy", "2", "--file"])


# Shapes that look like options


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (["numpy", "-1,3", "3"], "?,3"),
        (["numpy", "3", "-1,3"], "?,3"),
        (["numpy", "-1", "1"], "?"),
        (["numpy", "-1x3"], "?,3"),
        (["numpy", "-1×3"], "?,3"),
        (["numpy", "-1,"], "?"),
        (["numpy", "--", "-1,3", "3"], "?,3"),
        (["numpy", "3", "--", "-1,3"], "?,3"),
        (["numpy", "--", "2", "3,1"], "3,2"),
        (["pdpd", "-1,3", "3", "--axis", "-1"], "?,3"),
        (["pdpd", "--axis", "-1", "-1,3", "3"], "?,3"),
        (["pdpd", "--axis=-1", "-1,3", "3"], "?,3"),
        (["pdpd", "2,3", "3", "--axis", "1"], "2,3"),
    ],
    ids=spelled,
)
def test_leading_minus_one(capsys: Output, arguments: list[str], result: str) -> None:
    """-1 as a shape, or at the beginning of one, is an unknown size; --axis -1 is an axis."""
    rule, *rest = arguments
    assert main([rule, "-f", "plain", *rest]) == YES
    assert capsys.readouterr().out == f"{result}\n"


@pytest.mark.parametrize("axis", [["--axis", "-1"], ["--axis=-1"], ["axis=-1"]])
def test_axis_minus_one_is_the_default(capsys: Output, axis: list[str]) -> None:
    """Axis -1, however given, is the same question as no axis."""
    assert answer(capsys, "pdpd", "2,3,4", "4", *axis) == answer(capsys, "pdpd", "2,3,4", "4")


# Help


@pytest.mark.parametrize("command", [[], *([rule] for rule in RULES)], ids=spelled)
def test_help(capsys: Output, command: list[str]) -> None:
    """-h and --help are the same text, with examples and what each status means."""
    texts = []
    for flag in ("-h", "--help"):
        assert main([*command, flag]) == YES
        out, err = capsys.readouterr()
        assert err == ""
        texts.append(out)
    assert texts[0] == texts[1]
    words = " ".join(texts[0].split())
    statuses = re.search(r"[Ee]xit status.*?\b0\b.*?\b1\b.*?\b2\b.*?\b3\b", words)
    assert statuses, words
    assert words.startswith(f"Usage: {' '.join(['bcastcli', *command])} ")


@every_rule
def test_help_examples(capsys: Output, rule: str) -> None:
    """Every command line that a rule's help shows is one that can be typed."""
    main([rule, "--help"])
    lines = re.findall(r"^\s+bcastcli (.*)$", capsys.readouterr().out, re.MULTILINE)
    assert len(lines) >= 3
    for line in lines:
        assert main(shlex.split(line)) != MALFORMED, line


def test_help_lists_the_rules(capsys: Output) -> None:
    """The help without a rule lists every rule, and its examples can be typed."""
    main(["--help"])
    text = capsys.readouterr().out
    assert all(re.search(rf"^\s+{rule}\s", text, re.MULTILINE) for rule in RULES)
    for line in re.findall(r"^\s+bcastcli ([a-z].*)$", text, re.MULTILINE):
        assert main(shlex.split(line)) != MALFORMED, line


@every_rule
def test_help_keeps_brackets(capsys: Output, rule: str) -> None:
    """Brackets in a help text are text, not markup, on a colored terminal too."""
    main([rule, "--help"])
    words = " ".join(capsys.readouterr().out.split())
    assert "torch.Size([2, 3])" in words


@pytest.mark.parametrize("command", [[], *([rule] for rule in RULES)], ids=spelled)
def test_version(capsys: Output, command: list[str]) -> None:
    """--version says which version this is, wherever it stands."""
    assert main([*command, "--version"]) == YES
    assert capsys.readouterr() == (f"bcastcli {__version__}\n", "")


# Colors


@pytest.mark.parametrize(
    ("arguments", "environment", "colored"),
    [
        ([], {}, False),
        (["--color", "auto"], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "never"], {}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "always"], {"TERM": "dumb"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        (["--color", "auto"], {"FORCE_COLOR": "1"}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (["--color", "auto"], {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
    ids=spelled,
)
def test_color(
    capsys: Output,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    environment: dict[str, str],
    colored: bool,
) -> None:
    """--color wins over NO_COLOR, which wins over FORCE_COLOR; a pipe gets no colors by itself."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    main(["numpy", "2,3", "4", *arguments])
    assert ("\x1b[" in capsys.readouterr().out) == colored


@each_once
@every_rule
@every_answer
def test_colors_change_nothing_else(capsys: Output, arguments: list[str], status: int) -> None:
    """Without its color sequences a colored table is the plain table, with the same status."""
    assert main(arguments) == status
    plain = capsys.readouterr().out
    assert main([*arguments, "--color", "always"]) == status
    colored = capsys.readouterr().out
    bare = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert colored != bare
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


@pytest.mark.parametrize("shown", [["--json"], ["-f", "plain"]], ids=spelled)
def test_colors_stay_out_of_data(capsys: Output, shown: list[str]) -> None:
    """What programs read is never colored."""
    main(["numpy", "2,3", "4", "--color", "always", *shown])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "environment", "colored"),
    [
        ([], {"TERM": "xterm"}, True),
        ([], {"TERM": "dumb"}, False),
        ([], {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (["--color", "never"], {"TERM": "xterm"}, False),
        (["--color", "always"], {"TERM": "xterm", "NO_COLOR": "1"}, True),
    ],
    ids=spelled,
)
def test_color_on_a_terminal(
    arguments: list[str], environment: dict[str, str], colored: bool
) -> None:
    """A terminal gets colors, unless it is dumb or the user wants none."""
    pty = pytest.importorskip("pty")
    reader, terminal = pty.openpty()
    try:
        ended = process(
            *("numpy", "2,3", "4", *arguments),
            stdout=terminal,
            env={**os.environ, **environment},
        )
        shown = os.read(reader, 100_000)
    finally:
        os.close(terminal)
        os.close(reader)
    assert ended.returncode == NO
    assert (b"\x1b[" in shown) == colored


# Encodings


@each_once
@every_rule
@every_status
def test_ascii(arguments: list[str], status: int) -> None:
    """Where only ASCII can be shown, everything is ASCII, with the same status."""
    ended = process(*arguments, env={**os.environ, "LANG": "C", "PYTHONIOENCODING": "ascii"})
    assert ended.returncode == status
    assert ended.stdout.isascii()
    assert ended.stderr.isascii()
    assert ended.stdout or status == MALFORMED


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["numpy", "2×é"], r"  2\xd7\xe9"),
        (["numpy", "名"], r"  \u540d"),
        (["名", "2"], r"\u540d"),
        (["numpy", "2", "-f", "é"], r"\xe9"),
    ],
    ids=spelled,
)
def test_ascii_messages(arguments: list[str], shown: str) -> None:
    """Where only ASCII can be shown, other characters of the question are escaped."""
    ended = process(*arguments, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (ended.returncode, ended.stdout) == (MALFORMED, "")
    assert ended.stderr.isascii()
    assert shown in ended.stderr


@pytest.mark.skipif(os.name == "nt", reason="there, arguments are text")
@pytest.mark.parametrize(
    "arguments", [["numpy", b"2,\xff"], [b"\xff", "2"], ["numpy", b"--\xff"]], ids=spelled
)
def test_bytes_that_are_no_text(arguments: list[str | bytes]) -> None:
    """Arguments that are no text in the user's encoding are refused like other bad text."""
    ended = process(*arguments)
    assert (ended.returncode, ended.stdout) == (MALFORMED, "")
    assert ended.stderr.startswith("bcastcli: ")
    assert "Traceback" not in ended.stderr


# What the user's text may not do

HOSTILE = (
    *("\x1b[31m", "\x1b]0;title\x07", "\x07", "\x08", "\x7f", "\r", "\n", "\nbcastcli: fine"),
    *("\x85", "\x9b31m", "\u200b", "\u200f", "\u202e", "\u2066", "\u061c", "\u2028", "\ufeff"),
)


@each_once
@pytest.mark.parametrize("hostile", HOSTILE, ids=ascii)
@pytest.mark.parametrize(
    "template",
    [
        ["numpy", "2{}"],
        ["numpy", "{}2", "3"],
        ["numpy", "(2,{}3)"],
        ["numpy", "x{}=2"],
        ["numpy", "[{}]"],
        ["{}", "2"],
        ["nump{}", "2"],
        ["torch", "2{}"],
        ["2,3{}", "3"],
        ["numpy", "2", "--{}"],
        ["numpy", "2", "--colo{}"],
        ["numpy", "-{}"],
        ["numpy", "2", "-f", "{}"],
        ["numpy", "2", "--color", "{}"],
        ["numpy", "2", "--json={}"],
        ["pdpd", "2", "2", "--axis", "{}"],
        ["pdpd", "2", "2", "axis={}"],
        ["ncnn", "2", "2", "--order", "{}"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("shown", [[], ["--color", "always"]], ids=["", "color"])
def test_user_text_is_never_interpreted(
    capsys: Output, template: list[str], hostile: str, shown: list[str]
) -> None:
    """Control and direction-changing characters of the user are never written as they are."""
    status = main([part.format(hostile) for part in [*template, *shown]])
    out, err = capsys.readouterr()
    if status == MALFORMED:
        assert out == ""
    bare = re.sub(r"\x1b\[[0-9;]*m", "", out) if shown else out
    assert all(c.isprintable() or c == "\n" for c in bare + err)
    first, *below = err.splitlines() or [""]
    assert first.startswith("bcastcli: ") == (status == MALFORMED)
    assert all(line.startswith("  ") for line in below)


@pytest.mark.parametrize("text", ["[bold]", "[red]x[/red]", "[link=x]2", ":warning:", "${HOME}"])
def test_markup_is_text(capsys: Output, text: str) -> None:
    """Markup in a question is shown as it was typed."""
    assert text in complaint(capsys, ["numpy", text])


# Where the answer goes

WRITING = [
    pytest.param("numpy 2,3 3", id="table"),
    pytest.param("numpy 2,3 3 --json", id="json"),
    pytest.param("numpy 2,3 4 -f plain", id="plain"),
]
TELLING = [
    pytest.param("--help", id="help"),
    pytest.param("numpy --help", id="help of a rule"),
    pytest.param("--version", id="version"),
]
BUFFERS = pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])


@needs_bash
@each_once
@BUFFERS
@pytest.mark.parametrize("arguments", WRITING)
def test_closed_output(arguments: str, unbuffered: str) -> None:
    """An answer that cannot be written because standard output is closed is an error."""
    ended = shell(f"bcastcli {arguments} >&-", PYTHONUNBUFFERED=unbuffered)
    assert ended.returncode == MALFORMED
    assert ended.stderr.startswith("bcastcli: ")
    assert len(ended.stderr.splitlines()) == 1


@needs_bash
@needs_full_disk
@each_once
@BUFFERS
@pytest.mark.parametrize("arguments", [*WRITING, *TELLING])
def test_full_disk(arguments: str, unbuffered: str) -> None:
    """What cannot be written because the disk is full is an error, said in one line."""
    ended = shell(f"bcastcli {arguments} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert ended.returncode == MALFORMED
    assert ended.stderr.startswith("bcastcli: ")
    assert os.strerror(errno.ENOSPC) in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@needs_bash
@pytest.mark.parametrize("arguments", TELLING)
def test_help_with_closed_output(arguments: str) -> None:
    """Help that nobody can see does not fail with a traceback."""
    ended = shell(f"bcastcli {arguments} >&-")
    assert ended.returncode in (YES, MALFORMED)
    assert "Traceback" not in ended.stderr


@needs_bash
@each_once
@BUFFERS
@pytest.mark.parametrize("arguments", ["numpy 2,,3", "astrology 2", "numpy 2 --nope", ""])
@pytest.mark.parametrize(
    "errors", ["2>&-", pytest.param("2>/dev/full", marks=needs_full_disk), ">&- 2>&-"]
)
def test_errors_that_cannot_be_written(arguments: str, errors: str, unbuffered: str) -> None:
    """The status of a malformed question is 2 even where nothing can be said about it."""
    ended = shell(f"bcastcli {arguments} {errors}", PYTHONUNBUFFERED=unbuffered)
    assert (ended.returncode, ended.stdout) == (MALFORMED, "")


@needs_bash
def test_quiet_needs_no_output() -> None:
    """With -q nothing is written, so it does not matter where standard output goes."""
    for asked, status in (("2,3 3", YES), ("2,3 4", NO), ("N 3", DEPENDS)):
        ended = shell(f"bcastcli numpy {asked} -q >&-")
        assert (ended.returncode, ended.stderr) == (status, "")


@needs_bash
@pytest.mark.parametrize("shown", ["", "--json", "-f plain"])
def test_closed_pipe(shown: str) -> None:
    """A reader that has seen enough ends the process silently, as SIGPIPE does."""
    sizes = ",".join(["7" * 4300] * 25)
    ended = shell(
        f'bcastcli numpy {sizes} {shown} | head -c 1 >/dev/null; echo "${{PIPESTATUS[0]}}"'
    )
    assert (ended.stdout, ended.stderr) == ("141\n", "")


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGPIPE")
@each_once
@BUFFERS
@pytest.mark.parametrize(
    "arguments",
    [
        ["numpy", "2,3", "3"],
        ["numpy", "2,3", "4", "--json"],
        ["numpy", "--help"],
        ["--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_pipe_closed_from_the_start(arguments: list[str], unbuffered: str) -> None:
    """Where nobody reads at all, SIGPIPE ends the process, silently."""
    reader, writer = os.pipe()
    os.close(reader)
    ended = process(*arguments, stdout=writer, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    os.close(writer)
    assert ended.returncode in (-13, 141)
    assert ended.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="there are no signals")
def test_interrupt() -> None:
    """Ctrl-C in the midst of work kills the process, silently: a loop in a shell ends with it."""
    program = """if True:
        import os, signal, sys, threading, time
        # Under nohup, or in the background of a script, it is ignored from the start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from bcastcli.__main__ import run
        sys.argv[1:] = ["numpy", "2,N " * 500_000]
        def interrupt():
            while True:  # as people do where one Ctrl-C is lost, which Python lets happen
                time.sleep(1)
                os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()
        run()
    """
    ended = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


def test_options_that_take_a_value() -> None:
    """The options after which -1 is their value, and no shape, are all that take one."""
    group: Any = get_command(app)
    context = group.make_context("bcastcli", [], resilient_parsing=True)
    commands = [group.get_command(context, name) for name in group.list_commands(context)]
    taking = {
        name
        for command in commands
        for parameter in command.params
        if parameter.param_type_name == "option" and not parameter.is_flag
        for name in parameter.opts
    }
    assert taking == set(TAKE_A_VALUE)


@pytest.mark.parametrize(("digits", "status"), [(18, 1), (19, 2), (4300, 2), (5000, 2)])
@pytest.mark.parametrize("form", ["-q", "--json", "--format=table"])
def test_an_axis_of_many_digits(
    digits: int, status: int, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An axis far past the end is a no; one with more digits than are counted on is malformed."""
    assert main(["pdpd", form, "2,3", "2,3", "--axis", "9" * digits]) == status
    assert ("expected 0, 1, 2" in capsys.readouterr().err) == (status == 2)


@pytest.mark.parametrize("arguments", [["-2,3", "3"], ["3", "-2"], ["-q", "-20,3"], ["-2x3"]])
def test_a_negative_size(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A shape with a negative size is no option: what is wrong is the size."""
    assert main(["numpy", *arguments]) == 2
    assert capsys.readouterr().err.startswith("bcastcli: a size is not negative; ")
