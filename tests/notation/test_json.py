"""Questions written as JSON: what they may hold, and what is said of those that are none.

The module is notation/json.py.
"""

import json

from tests.in_memory import run
from tests.rows import each_row

MALFORMED = 2


def asked(rule: str, line: str, *arguments: str) -> tuple[int, list[str], str]:
    """The status, the lines of the answer, and the errors, for a line of standard input."""
    ended = run([rule, *arguments], f"{line}\n".encode())
    return ended.status, ended.out.splitlines(), ended.err


@each_row(
    ("rule", "line", "same"),
    [
        ("numpy", "[[2,3],[3]]", "2,3 3"),
        ("numpy", " [ [2,3],[3]]", "2,3 3"),
        ("numpy", "\t[\t[2,3]]", "2,3"),
        ("numpy", "[[]]", "()"),
        ("numpy", '[["N","?"],[3,null]]', "N,? 3,?"),
        ("numpy", "[[-1,3]]", "?,3"),
        ("numpy", '[["batch_size",3]]', "batch_size,3"),
        ("numpy", '[["x"],["X"]]', "(x) X"),
        ("numpy", '[["\\u004e"]]', "N"),
        ("numpy", '{"shapes": [[2,3],[3]]}', "2,3 3"),
        ("numpy", '\t{"shapes":[[2,3]]}  ', "2,3"),
        ("numpy", '{"shapes": [[2,3],[4]], "names": ["x","bias"]}', "x=2,3 bias=4"),
        ("numpy", '{"names": [null,"bias"], "shapes": [[2,3],[4]]}', "2,3 bias=4"),
        ("numpy", '{"shapes": [[2,3],[4]], "names": null}', "2,3 4"),
        ("pdpd", '{"shapes": [[2,3,4],[3]], "axis": 1}', "2,3,4 3 axis=1"),
        ("pdpd", '{"shapes": [[2,3,4],[4]], "axis": -1}', "2,3,4 4 axis=-1"),
        ("numpy", f"[[{'7' * 4300}]]", "7" * 4300),
    ],
)
@each_row("output", ["plain", "json", "table"])
def test_json_asks_the_same(rule: str, line: str, same: str, output: str) -> None:
    """A question in JSON has the very answer of the question that is typed."""
    answer = asked(rule, line, "-f", output)
    assert answer[0] != MALFORMED
    assert answer == asked(rule, same, "-f", output)


DEEP = 100_000


@each_row(
    ("line", "says"),
    [
        (f"[[{'7' * 5000}]]", "4300"),
        (f"[[-{'7' * 5000}]]", ""),
        (f'{{"shapes": [[2],[2]], "axis": {"7" * 5000}}}', ""),
        ("[" * DEEP, ""),
        ("[" * DEEP + "]" * DEEP, ""),
        ('{"shapes":' * DEEP, ""),
        ('{"shapes":' * DEEP + "1" + "}" * DEEP, ""),
        ('[[2,3],[3]] "\x1b"', "not JSON"),
        ("[[2,3,],]", "not JSON"),  # Python 3.13 has a sentence of its own
    ],
)
def test_malformed(line: str, says: str) -> None:
    """What is long, deep or unprintable is refused in one sentence, and the next line answered."""
    status, answers, err = asked("pdpd", f"{line}\n[[2],[2]]")
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
    _, answers, _ = asked("pdpd", line, "--json")
    [error] = map(json.loads, answers)
    assert list(error) == ["schema", "status", "line", "input", "error", "column"]
    assert [*error.values()][:3] == [1, "invalid", 1]
    assert line.startswith(error["input"].rstrip("…."))
    assert 1 <= error["column"] <= len(line) + 1
