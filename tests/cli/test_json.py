"""JSON: the keys of an answer and what they hold, for every rule and status."""

import json
from typing import Any

import pytest

from bcastcli.cli.main import main
from tests.cli.asking import (
    DEPENDS,
    NO,
    YES,
    Output,
    answer,
    every_answer,
    every_rule,
    spelled,
)
from tests.effort import each_once
from tests.in_memory import run
from tests.rows import each_row

KEYS = (
    *("schema", "rule", "operands", "status", "options", "ok", "result", "when"),
    *("reason", "reason_kind", "axes", "notes", "suggestions"),
)
AXIS_KEYS = ["axis", "sizes", "result", "stretched", "conflict"]


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
    assert given["status"] == {YES: "yes", NO: "no", DEPENDS: "depends"}[status]
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
    advice = [*given["suggestions"], *(n for n in given["notes"] if n["kind"] == "sizes")]
    assert bool(advice) == (status == NO)


@each_row(
    ("arguments", "expected"),
    [
        pytest.param(
            ["pdpd", "2,3,4,5", "3,4", "--axis", "1"],
            {
                "operands": [
                    {"name": "A", "shape": [2, 3, 4, 5]},
                    {"name": "B", "shape": [3, 4]},
                ],
                "status": "yes",
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
                "status": "no",
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
                "status": "depends",
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


@each_row(
    ("arguments", "labels"),
    [
        (["2,3,4", "3,4"], ["w", "h", "c"]),
        (["2,3,4,5", "5"], ["w", "h", "d", "c"]),
        (["2,3", "()"], ["w", "h"]),
        (["2", "1"], ["w"]),
        (["2,3,4", "2,3", "--order", "numpy"], ["c", "h", "w"]),
        (["2,3,4,5", "2", "--order", "numpy"], ["c", "d", "h", "w"]),
    ],
)
def test_json_labels(capsys: Output, arguments: list[str], labels: list[str]) -> None:
    """Under ncnn each axis has its label, in the order of the shapes as typed."""
    axes = answer(capsys, "ncnn", *arguments)["axes"]
    assert [axis["label"] for axis in axes] == labels


@each_row(
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
)
def test_json_options(capsys: Output, arguments: list[str], options: dict[str, Any]) -> None:
    """The options are the resolved values: pdpd's axis before any trim, never -1."""
    assert answer(capsys, *arguments)["options"] == options


@each_row(
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
)
def test_json_reason_kind(capsys: Output, arguments: list[str], kind: str) -> None:
    """Each no is of one of the documented kinds."""
    assert answer(capsys, *arguments)["reason_kind"] == kind


@each_row(
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


@each_row(
    "arguments",
    [["onnx-uni", "3", "2,3"], ["pdpd", "3", "2,3"], ["none", "3", "2,3"]],
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
def test_json_and_another_format(capsys: Output, other: str) -> None:
    """Of --json and another format, the last one counts."""
    for flags, last in ((["--json", "-f", other], other), (["-f", other, "--json"], "json")):
        assert main(["numpy", "2", *flags]) == 0
        both = capsys.readouterr().out
        assert main(["numpy", "2", "-f", last]) == 0
        assert both == capsys.readouterr().out


@each_row("command", ["numpy", "ncnn", "compare", "op Add"])
def test_an_invalid_question(command: str) -> None:
    """An invalid question is an object, as in a stream, and a sentence on standard error."""
    for line, tags in (("2,,3 3 # a", {"label": "a"}), ('{"shapes": 2, "id": [1]}', {"id": [1]})):
        ended = run([*command.split(), *line.split(), "--json"])
        in_stream = json.loads(run([*command.split(), "--json", "-"], line.encode()).out)
        assert in_stream.pop("line") == 1
        own = json.loads(ended.out)
        assert {**own, "input": in_stream["input"]} == in_stream
        assert (own["status"], ended.status, tags.items() <= own.items()) == ("invalid", 2, True)
        assert own["error"] in ended.err
        assert run([*command.split(), *line.split(), "--json", "-q"]).out == ""
