"""Questions written as JSON: what they may hold, and what is said of those that are none.

The module is notation/json.py.
"""

import io
import json
from typing import Any

import pytest

from bcastcli.cli.main import main
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES
from tests.rows import each_row

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3

Output = pytest.CaptureFixture[str]


def asked(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str, line: str, *arguments: str
) -> tuple[int, list[str], str]:
    """The status, the lines of the answer, and what is said, for a line of standard input."""
    data = io.TextIOWrapper(io.BytesIO(f"{line}\n".encode()))
    monkeypatch.setattr("sys.stdin", data)
    status = main([rule, *arguments])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err


@each_row(
    ("rule", "line", "same"),
    [
        ("numpy", "[[2,3],[3]]", "2,3 3"),
        ("numpy", "[[2, 3] , [4]]", "2,3 4"),
        ("numpy", " [ [2,3],[3]]", "2,3 3"),
        ("numpy", "\t[\t[2,3]]", "2,3"),
        ("numpy", "[[]]", "()"),
        ("numpy", "[[],[]]", "() ()"),
        ("numpy", '[["N","?"],[3,null]]', "N,? 3,?"),
        ("numpy", "[[-1,3]]", "?,3"),
        ("numpy", "[[0],[1]]", "0 1"),
        ("numpy", '[["batch_size",3]]', "batch_size,3"),
        ("numpy", '[["x"],["X"]]', "(x) X"),
        ("numpy", '[["\\u004e"]]', "N"),
        ("numpy", '{"shapes": [[2,3],[3]]}', "2,3 3"),
        ("numpy", '\t{"shapes":[[2,3]]}  ', "2,3"),
        ("numpy", '{"shapes": [[2,3],[4]], "names": ["x","bias"]}', "x=2,3 bias=4"),
        ("numpy", '{"names": [null,"bias"], "shapes": [[2,3],[4]]}', "2,3 bias=4"),
        ("numpy", '{"shapes": [[2,3],[4]], "names": null}', "2,3 4"),
        ("numpy", '{"shapes": [["A"],[4]]}', "A 4"),
        ("pdpd", '{"shapes": [[2,3,4],[3]], "axis": 1}', "2,3,4 3 axis=1"),
        ("pdpd", '{"shapes": [[2,3,4],[3]], "axis": 0}', "2,3,4 3 axis=0"),
        ("pdpd", '{"shapes": [[2,3,4],[4]], "axis": -1}', "2,3,4 4 axis=-1"),
        ("pdpd", "[[2,3,4],[4]]", "2,3,4 4"),
        ("bidirectional", '{"shapes": [[3,1],[2,1,6]]}', "3,1 2,1,6"),
        ("ncnn", "[[2,3,4],[3,4]]", "2,3,4 3,4"),
        ("onnx", "[[2],[3],[1],[1]]", "2 3 1 1"),
        ("numpy", f"[[{'7' * 4300}]]", "7" * 4300),
    ],
)
@each_row("output", ["plain", "json", "tsv", "table"])
def test_json_asks_the_same(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str, line: str, same: str, output: str
) -> None:
    """A question in JSON has the very answer of the question that is typed."""
    answer = asked(capsys, monkeypatch, rule, line, "-f", output)
    assert answer[0] != MALFORMED
    assert answer == asked(capsys, monkeypatch, rule, same, "-f", output)


def test_json_as_an_argument(capsys: Output) -> None:
    """Arguments and lines have one grammar, so an argument may be JSON too."""
    assert main(["numpy", '{"shapes": [[2,3],[3]], "names": ["x", null]}', "--json"]) == YES
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["operands"]] == ["x", "B"]


@each_row("line", ["[2,3] [3]", "[2,3]", "[]", "[N, 3] 3", "[?]", "f32[2,3] [1]"])
def test_a_single_bracket_is_a_shape(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """A line that starts with one bracket only is not JSON, but a pasted shape."""
    assert asked(capsys, monkeypatch, "numpy", line)[0] != MALFORMED


DEEP = 100_000
MALFORMED_QUESTIONS = [
    # Sizes
    ("numpy", "[[true]]", "a size is"),
    ("numpy", "[[false,2]]", "a size is"),
    ("numpy", "[[2.0]]", "a size is"),
    ("numpy", "[[1e3]]", "a size is"),
    ("numpy", "[[-1.0]]", "a size is"),
    ("numpy", "[[-2]]", "a size is"),
    ("numpy", '[["3"]]', "a size is"),
    ("numpy", '[["-1"]]', "a size is"),
    ("numpy", '[["None"]]', "a size is"),
    ("numpy", '[["for"]]', "a size is"),
    ("numpy", '[["scalar"]]', "a size is"),
    ("numpy", '[[""]]', "a size is"),
    ("numpy", '[["N "]]', "a size is"),
    ("numpy", '[["N\\n"]]', "a size is"),
    ("numpy", '[["N/1"]]', "a size is"),
    ("numpy", '[["NxM"]]', "a size is"),
    ("numpy", '[["é"]]', "a size is"),
    ("numpy", '[["\\ud800"]]', "a size is"),
    ("numpy", '[["\\u0000"]]', "a size is"),
    ("numpy", "[[[2]]]", "a size is"),
    ("numpy", '[[{"N": 2}]]', "a size is"),
    ("numpy", "[[NaN]]", ""),
    ("numpy", "[[Infinity]]", ""),
    ("numpy", "[[-Infinity]]", ""),
    ("numpy", f"[[{'7' * 5000}]]", "4300"),
    ("numpy", f"[[-{'7' * 5000}]]", ""),
    ("pdpd", f'{{"shapes": [[2],[2]], "axis": {"7" * 5000}}}', ""),
    # Shapes
    ("numpy", "[[2],3]", "a shape is a list"),
    ("numpy", "[[2],null]", "a shape is a list"),
    ("numpy", '[[2],"3"]', "a shape is a list"),
    ("numpy", '[[2],{"shape": [3]}]', "a shape is a list"),
    ("numpy", "{}", "shapes"),
    ("numpy", '{"names": ["x"]}', "shapes"),
    ("numpy", '{"shapes": null}', "shapes"),
    ("numpy", '{"shapes": 3}', "shapes"),
    ("numpy", '{"shapes": "2,3"}', "shapes"),
    ("numpy", '{"shapes": {"x": [2]}}', "shapes"),
    ("numpy", '{"shapes": []}', "numpy takes one shape or more, not none"),
    ("numpy", '{"shapes": [2,3]}', "a shape is a list"),
    ("onnx-uni", "[[2]]", "takes two shapes, not one"),
    ("none", "[[2]]", "two shapes"),
    ("pdpd", "[[2],[3],[4]]", "takes two shapes, not 3"),
    ("bidirectional", '{"shapes": []}', "not none"),
    # Keys
    ("numpy", '{"shapes": [[2]], "axes": 1}', "takes no axes"),
    ("numpy", '{"shapes": [[2]], "": 1}', "keys"),
    ("numpy", '{"Shapes": [[2]]}', "keys"),
    ("numpy", '{"shapes": [[2]], "rule": "numpy"}', "keys"),
    ("numpy", '{"shapes": [[2]], "shapes": [[3]]}', "twice"),
    ("numpy", '{"shapes": [[2]], "shapes": [[2]]}', "twice"),
    ("pdpd", '{"shapes": [[2],[2]], "axis": 1, "axis": 1}', "twice"),
    # Names
    ("numpy", '{"shapes": [[2],[2]], "names": ["x"]}', "names is a list"),
    ("numpy", '{"shapes": [[2]], "names": ["x", "y"]}', "names is a list"),
    ("numpy", '{"shapes": [[2]], "names": "x"}', "names is a list"),
    ("numpy", '{"shapes": [[2]], "names": {"x": 0}}', "names is a list"),
    ("numpy", '{"shapes": [[2],[2]], "names": ["x", "x"]}', "named x"),
    ("numpy", '{"shapes": [["x"],[2]], "names": ["x", null]}', "operand and of a size"),
    ("numpy", '{"shapes": [[2],["x"]], "names": ["x", null]}', "operand and of a size"),
    ("numpy", '{"shapes": [[2]], "names": [2]}', "a name may contain"),
    ("numpy", '{"shapes": [[2]], "names": [true]}', "a name may contain"),
    ("numpy", '{"shapes": [[2]], "names": [["x"]]}', "a name may contain"),
    ("numpy", '{"shapes": [[2]], "names": [""]}', "a name may contain"),
    ("numpy", '{"shapes": [[2]], "names": ["x y"]}', "a name may contain"),
    ("numpy", '{"shapes": [[2]], "names": ["x\\n"]}', "a name may contain"),
    ("numpy", '{"shapes": [[2]], "names": ["\\u001b[31m"]}', "a name may contain"),
    ("numpy", '{"shapes": [[2]], "names": ["2x"]}', "a name may contain"),
    ("numpy", '{"shapes": [[2]], "names": ["for"]}', "keyword"),
    ("numpy", '{"shapes": [[2]], "names": ["axis"]}', ""),
    # Axis
    ("numpy", '{"shapes": [[2]], "axis": 1}', "no axis"),
    ("ncnn", '{"shapes": [[2],[2]], "axis": -1}', "no axis"),
    ("numpy", '{"shapes": [[2]], "axis": null}', "no axis"),
    ("pdpd", '{"shapes": [[2],[2]], "axis": -2}', "expected an axis number"),
    ("pdpd", '{"shapes": [[2],[2]], "axis": 1.0}', "expected an axis number"),
    ("pdpd", '{"shapes": [[2],[2]], "axis": true}', "expected an axis number"),
    ("pdpd", '{"shapes": [[2],[2]], "axis": "1"}', "expected an axis number"),
    ("pdpd", '{"shapes": [[2],[2]], "axis": [1]}', "expected an axis number"),
    ("pdpd", '{"shapes": [[2],[2]], "axis": "N"}', "expected an axis number"),
    # JSON
    ("numpy", "[[2,3],[3]", "jq -c"),
    ("numpy", "[[2,3],[3]]]", "not JSON"),
    ("numpy", "[[2,3],[3]] 4", "not JSON"),
    ("numpy", "[[2,3],[3]] [[2]]", "not JSON"),
    ("numpy", "[[2,3],[3]],", "not JSON"),
    ("numpy", "[[2,3],[3]]# so", "not JSON"),
    ("numpy", '{"shapes": [[2]], "id": NaN}', "not JSON"),
    ("numpy", '{"shapes": [[2]], "id": 1e999}', "not JSON"),
    ("numpy", '{"shapes": [[2]], "id": {"a": 1, "a": 1}}', "twice"),
    ("numpy", "[[2,,3]]", "not JSON"),
    ("numpy", "[[2,3,],]", "not JSON"),
    ("numpy", "[[N]]", "not JSON"),
    ("numpy", "[[02]]", "not JSON"),
    ("numpy", "[[+2]]", "not JSON"),
    ("numpy", "[[0x2]]", "not JSON"),
    ("numpy", "[['N']]", "not JSON"),
    ("numpy", '[["N]]', "not JSON"),
    ("numpy", '[["\\x4e"]]', "not JSON"),
    ("numpy", "{", "jq -c"),
    ("numpy", "{}", "shapes is a list"),
    ("numpy", "{'shapes': [[2]]}", "not JSON"),
    ("numpy", '{"shapes": [[2]]} trailing', "not JSON"),
    ("numpy", '{"shapes": }', "not JSON"),
    ("numpy", "[" * DEEP, ""),
    ("numpy", "[" * DEEP + "]" * DEEP, ""),
    ("numpy", '{"shapes":' * DEEP, ""),
    ("numpy", '{"shapes":' * DEEP + "1" + "}" * DEEP, ""),
]


@each_row(("rule", "line", "says"), MALFORMED_QUESTIONS)
def test_malformed(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str, line: str, says: str
) -> None:
    """What is no question is refused in one sentence, and the next line is answered."""
    status, answers, err = asked(capsys, monkeypatch, rule, f"{line}\n[[2],[2]]")
    assert status == MALFORMED
    first, second = answers
    assert second == "2"
    assert first.startswith("error: ")
    assert says in first
    told, *below = err.splitlines()
    assert told == f"bcastcli: line 1: {first.removeprefix('error: ')}"
    assert len(below) == 2
    assert len(told) < 200
    assert all(c.isprintable() or c == "\n" for c in err)
    assert not told.endswith(".")


@each_row(("rule", "line", "says"), MALFORMED_QUESTIONS[:60])
def test_malformed_as_json(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str, line: str, says: str
) -> None:
    """The object of a malformed question has what was typed, as it was typed."""
    status, answers, _ = asked(capsys, monkeypatch, rule, line, "--json")
    [error] = map(json.loads, answers)
    assert status == MALFORMED
    assert list(error) == ["schema", "status", "line", "input", "error", "column"]
    assert [*error.values()][:4] == [1, "invalid", 1, line]
    assert says in error["error"]
    assert 1 <= error["column"] <= len(line) + 1


@each_row(
    ("line", "column"),
    [("[[2,3],[3]] 4", 13), ("[[2,,3]]", 5), ('{"shapes": }', 12), ("  [[2]]]", 8), ("[[N]]", 3)],
)
def test_the_place_where_json_ends(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, line: str, column: int
) -> None:
    """What is not JSON has its first character at fault pointed at."""
    _, [text], _ = asked(capsys, monkeypatch, "numpy", line, "--json")
    error: dict[str, Any] = json.loads(text)
    assert error["column"] == column


def test_a_size_that_is_too_long_is_named_so(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A size of 4,300 digits is read, and one more is told how many it may have."""
    assert asked(capsys, monkeypatch, "numpy", f"[[{'7' * 4300}]]")[1] == ["7" * 4300]
    status, [error], _ = asked(capsys, monkeypatch, "numpy", f"[[{'7' * 4301}]]")
    assert status == MALFORMED
    assert "at most 4300 digits" in error


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"shapes": [[2], [2]], "axes": [true]}', "expected axes"),
        ('{"shapes": [[2], [2]], "axes": "0"}', "expected axes"),
        ('{"shapes": [[2], [2]], "axes": [-1]}', "expected axes"),
        ('{"shapes": [[2], [2]], "axes": [0.0]}', "expected axes"),
        ('{"shapes": [[2], [2]]}', "needs the axes"),
        ('{"shapes": [[2], [2]], "axis": 0}', "takes no axis"),
    ],
)
def test_malformed_axes(line: str, says: str) -> None:
    """Axes are a list of whole numbers, and cannot be left out where the input has axes."""
    with pytest.raises(NotationError, match=says):
        answer_line(RULES["explicit"], line, {})


def test_axes() -> None:
    """The key axes is what axes= is on a line of shapes; a scalar needs neither."""
    answer = answer_line(RULES["explicit"], '{"shapes": [[2,3],[3,5,2]], "axes": [2,0]}', {})
    assert answer.result == (3, 5, 2)
    assert answer.options == answer_line(RULES["explicit"], "2,3 3,5,2 axes=2,0", {}).options
    for line in ('{"shapes": [[],[3]]}', '{"shapes": [[],[3]], "axes": []}', "() 3 axes=none"):
        assert answer_line(RULES["explicit"], line, {}).result == (3,)
