"""JSON: the keys of an answer and what they hold, for every rule and status."""

import json

from bcastcli.cli.main import main
from tests.command_lines import DEPENDS, NO, YES, Output, every_answer, every_rule
from tests.effort import each_once
from tests.in_memory import run
from tests.rows import each_row

KEYS = (
    *("schema", "rule", "operands", "status", "options", "ok", "result", "when"),
    *("reason", "reason_kind", "axes", "notes", "suggestions"),
)
AXIS_KEYS = ["axis", "sizes", "result", "stretched", "conflict"]


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


@each_row("flags", ["-f json", "--format=json", "--json -f json", "-f plain --json"])
def test_json_is_a_format(flags: str) -> None:
    """--json is short for -f json, and the last format counts."""
    assert run(["2", "2", *flags.split()]) == run(["2", "2", "--json"])
    assert run(["2", "2", *flags.split(), "-f", "plain"]).out == "2\n"


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
