"""The table: every size in full, aligned by axis, with a sign below each and the answer last."""

import json
import re

from tests.in_memory import run
from tests.rows import each_row

LONG = "7" * 4300
SIXTY = ",".join(map(str, range(101, 161)))

QUESTIONS = [
    "numpy 8,1,6,1 7,1,5",
    "numpy 1000,1 1,20 ()",
    "numpy batch_size,? 1,M",
    "onnx-uni 3 2,3",
    "onnx-uni 3,N N,2",
    "pdpd 2,3 3,4 --axis 1",
    "pdpd 2 3,4",
    "bidirectional 3,1 2,1,6",
    "ncnn 2,3,4,5 5 --order numpy",
    "ncnn 2,3,4 2,3",
    "ncnn 1,2,3,4,5 2",
    f"numpy {SIXTY} 1,160",
    f"numpy {LONG},2,{LONG} 2,1",
    f"numpy {'n' * 300}=2,3 2,N",
]
WITHOUT_AXES = ["none () ()", "ncnn 2,N 2"]


def ends(row: str) -> list[int]:
    """The place of the last character of each cell."""
    return [match.end() for match in re.finditer(r"\S+", row)]


@each_row("line", [*QUESTIONS, *WITHOUT_AXES])
def test_a_table_has_what_json_has(line: str) -> None:
    """Each operand has a row with its name and its sizes; below are result, notes and answer.

    Axis numbers, sizes and signs end below each other. Where the ranks are refused, an axis that
    would do has no sign.
    """
    question = line.split()
    answer = json.loads(run([*question, "--json"]).out)
    lines = run(question).out.splitlines()
    first, second = (number for number, row in enumerate(lines) if re.fullmatch("─+", row))
    head, body, (*below, last) = lines[:first], lines[first + 1 : second], lines[second + 1 :]
    for row, operand in zip(body, answer["operands"], strict=True):
        sizes = [str(size) for size in operand["shape"]]
        shown = [cell for cell in row.split() if cell != "(1)"]
        typed = sizes if answer["axes"] else [",".join(sizes) or "()"]
        assert shown == [operand["name"], *typed]
    rows = {row.split()[0]: row for row in below}
    assert [row[4:].strip() for row in below if row.startswith("note ")] == [
        note["text"] for note in answer["notes"]
    ]
    assert f"{last}\n" == run([*question, "-p"]).out
    if answer["axes"]:
        result = [str(axis["result"]) for axis in answer["axes"] if answer["ok"] is not False]
        assert rows.get("result", "result").split()[1:] == [
            size for size in result if size != "None"
        ]
        places = ends(head[0].replace("axis", "    "))
        signs = ends(rows["stretch"])[1:]
        assert signs == places or (answer["ok"] is False and {*signs} < {*places})
        assert max((ends(row)[1:] for row in body), key=len) == places
        for row in (*body, *head[1:]):
            assert {*ends(row)[1:]} <= {*places}, row


def test_a_product_below_a_figure() -> None:
    """A slide has the operator where a table has the command that asks for a product."""
    assert ">A @ B   gives 2,4<" in run(["2,3", "3,4", "--picture", "-f", "svg"]).out
