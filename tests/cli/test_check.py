"""`bcastcli check` (cli/commands/check.py, stream/checks.py, operators/lines.py)."""

import json
from contextlib import chdir
from pathlib import Path

from tests.in_memory import run
from tests.rows import each_row

AND = "A has 4 and B has 3 on axis 1 (-1), and neither is 1"
WHEN = "3,4 when N in (1, 3)"
NO_EXPECTATION = "expected a shape, mismatch, depends, or an answer as -f plain writes it"


def failures(line: str, *options: str) -> tuple[int, str]:
    """Return the status of a line, and what is written of it after its file and its number."""
    ended = run(["check", *options], line.encode())
    assert ended.err == f"1 question, {len(ended.out.splitlines())} failed\n"
    return ended.status, ended.out.removeprefix("-:1:").rstrip("\n")


@each_row(
    "line",
    [
        "3,4 4",
        "3,4 4 -> 3,4",
        "(3, 4) (4,)->(3, 4)",
        "3,4 3 -> mismatch",
        f"3,4 3 -> mismatch:  {AND}",
        "N,4 3,4 -> depends",
        f"N,4 3,4 -> {WHEN}",
        "N,hidden 1 -> N,hidden # a -> b",
        "torch 3,4 4 -> 3,4",
        "NCNN 3,4 3 -> 3,4",
        "pdpd 2,3,4,5 3,4 axis=1 -> 2,3,4,5",
        "explicit 2 2,3 axes=0 -> 2,3",
        "gemm 8,64 10,64 10 trans_b=1 -> 8,10",
        "numpy 2,3 ... -> depends",
        "Einsum 2,3 3 -> depends",
        '{"shapes": [[2,3],[3]], "id": "a -> b"} -> 2,3',
        '{"shapes": [[2,3],[3]], "id": "a -> b"}',
        '{"op": "Add", "shapes": [[2,3],[3]]}',
        "2,,3 3 -> error: a size is missing here",
    ],
)
def test_as_expected(line: str) -> None:
    """A line that broadcasts, or is answered as it says after ->, is not written."""
    assert failures(line) == (0, "")


@each_row(
    ("line", "status", "written"),
    [
        ("3,4 3", 1, f"1: mismatch: {AND}"),
        ("  3,4 3 -> 3,4 # head", 1, f"12: expected 3,4; the answer is mismatch: {AND} # head"),
        ("3,4 4 -> mismatch", 1, "10: expected mismatch; the answer is 3,4"),
        ("3,4 4 -> mismatch: no", 1, "10: expected mismatch: no; the answer is 3,4"),
        ("3,4 4 -> depends", 1, "10: expected depends; the answer is 3,4"),
        ("N,4 3,4", 3, f"1: depends: {WHEN}"),
        ("N,4 3,4 -> 3,4", 1, f"12: expected 3,4; the answer is {WHEN}"),
        (
            "N,4 3,4 -> 3,4 when N == 3",
            1,
            f"12: expected 3,4 when N == 3; the answer is {WHEN}",
        ),
        (
            "Einsum 2,3 3",
            3,
            "1: not decided: bcastcli does not compute shapes for Einsum",
        ),
        ("3,,4 4", 2, "3: error: a size is missing here"),
        ("3,4 4 -> 3,,4", 2, "12: error: a size is missing here"),
        ("3,4 4 ->", 2, f"7: error: {NO_EXPECTATION}"),
        ("3,4 4 -> mismach", 2, f"10: error: {NO_EXPECTATION}"),
        ("3,4 4 -> 3 4", 2, f"10: error: {NO_EXPECTATION}"),
        (
            "trch 3,4 4",
            2,
            "1: error: there is no rule, framework or operator trch; did you mean torch?",
        ),
        ("2,3 vs 3", 2, "5: error: a lone word is not a shape: write vs, or '(vs,)' for one axis"),
    ],
)
def test_failures(line: str, status: int, written: str) -> None:
    """A line that fails is written with its column: of the expectation, of the caret, or 1."""
    assert failures(line) == (status, written)


def test_a_rule_for_lines_that_name_none() -> None:
    """--rule is for the lines without a name in front."""
    assert failures("3,4 1,4", "--rule", "OpenVINO")[0] == 0
    assert failures("3,4 1,4", "--rule=none")[0] == 1
    assert failures("np 3,4 1,4", "--rule=none")[0] == 0


MARKDOWN = """\
2,3 4
  ```bcastcli
  2,3 5
  ```
````markdown
```bcastcli
2,3 6
```
````
~~~~ bcastcli of a lecture

# a comment
2,3 7
```
~~~
~~~~
```sh
2,3 8
```
```bcastcli
2,3 9
"""


def test_files(tmp_path: Path) -> None:
    """Of Markdown only the blocks named bcastcli are read; a file that cannot be read is told."""
    (tmp_path / "a.md").write_text(MARKDOWN)
    (tmp_path / "b.txt").write_bytes(b"\xef\xbb\xbf2,3 4\r\n\n# c\n2,3 3\n\xff\n")
    with chdir(tmp_path):
        ended = run(["check", "a.md", "gone", "", "b.txt"])
    places = [line.partition(": ")[0] for line in ended.out.splitlines()]
    in_markdown = [f"a.md:{line}:1" for line in (3, 13, 14, 15, 21)]
    assert places == [*in_markdown, "b.txt:1:1", "b.txt:5:1"]
    assert ended.status == 2
    assert ended.err == (
        "bcastcli: cannot read gone: No such file or directory\n"
        "bcastcli: cannot read '': No such file or directory\n"
        "8 questions, 7 failed\n"
    )


def test_a_page_in_another_encoding(tmp_path: Path) -> None:
    """A page in UTF-16 cannot be read, rather than have no questions."""
    file = tmp_path / "a.md"
    file.write_text(MARKDOWN, encoding="utf-16")
    ended = run(["check", str(file)])
    assert (ended.status, ended.out) == (2, "")
    assert "it is UTF-16, and UTF-8 is read" in ended.err


HELD = """\
- ```python
  2,3 4
  ```
1. ```bcastcli
   2,3 5
   ```
> ~~~bcastcli `code`
> 2,3 6
> ~~~
> - ```bcastcli
>   2,3 7 -> 2,3

2,3 8
```bcastcli
> 2,3 9
```
"""


def test_blocks_in_lists_and_quotes(tmp_path: Path) -> None:
    """A block may begin behind the mark of a list item or a quote, and ends with its quote."""
    file = tmp_path / "a.md"
    file.write_text(HELD)
    ended = run(["check", str(file)])
    places = [line.removeprefix(f"{file}:") for line in ended.out.splitlines()]
    assert [place.partition(": ")[0] for place in places] == ["5:1", "8:1", "11:14", "15:1"]


def test_reading_stops(tmp_path: Path) -> None:
    """--max-fail N reads no further than the failure number N; what is not read is not counted."""
    file = tmp_path / "a.txt"
    file.write_text("2 3\n2 2\n2 4\n2 5\n")
    ended = run(["check", "--max-fail", "2", str(file), "gone"])
    assert [line.partition(": ")[0] for line in ended.out.splitlines()] == [
        f"{file}:1:1",
        f"{file}:3:1",
    ]
    assert (ended.status, ended.err) == (1, "3 questions, 2 failed\n")


def test_formats() -> None:
    """JSON has an object for each failure, with its answer, and last the counts; -q has nothing."""
    data = b"2 3 -> 2 # a\nN 3\n2 2\n{\n"
    ended = run(["check", "--json", "--max-fail", "9"], data)
    assert (ended.status, ended.err) == (2, "")
    *found, last = map(json.loads, ended.out.splitlines())
    assert [(each["line"], each["status"], each["expect"]) for each in found] == [
        (1, "no", "2"),
        (2, "depends", None),
        (4, "invalid", None),
    ]
    assert (found[0]["label"], found[0]["answer"]["ok"], found[2]["answer"]) == ("a", False, None)
    counts = {"questions": 4, "failed": 3, "unreadable": 0}
    assert last == {"schema": 1, "command": "check", "status": "invalid", **counts}
    assert run(["check", "-q"], data) == (2, "", "")
    assert run(["check", "-f", "github"], b"2 3 # 50%\n").out == (
        "::error file=-,line=1,col=1::"
        "mismatch: A has 2 and B has 3 on axis 0 (-1), and neither is 1 # 50%25\n"
    )


def test_no_question(tmp_path: Path) -> None:
    """An empty pipe without - is no yes; a file, or -, may be empty."""
    (tmp_path / "a.md").write_text("2,3 4\n")
    assert run(["check"]).status == 2
    assert run(["check", "-"]) == (0, "", "0 questions, 0 failed\n")
    assert run(["check", str(tmp_path / "a.md")]) == (0, "", "0 questions, 0 failed\n")
    assert run(["check"], typing=True).status == 2
