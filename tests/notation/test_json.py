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
