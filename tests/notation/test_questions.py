"""Labels and ids: what a line carries for its answer."""

import json

from bcastcli.notation.questions import Tags, split_label
from tests.in_memory import run
from tests.rows import each_row


@each_row(
    ("line", "question", "tags"),
    [
        ("2,3 3", "2,3 3", {}),
        ("2,3 3 # enc.add", "2,3 3", {"label": "enc.add"}),
        ("2,3 3 #enc.add", "2,3 3", {"label": "enc.add"}),
        ("2,3 3\t#  a # b  ", "2,3 3", {"label": "a # b"}),
        ("2,3 3  #", "2,3 3 ", {}),
        ("2,3#3", "2,3#3", {}),
        ("# a comment # more", "# a comment # more", {}),
        ("  # a comment", "  # a comment", {}),
        ("[[2],[3]] # a", "[[2],[3]]", {"label": "a"}),
        ('{"shapes": [[2]], "id": 7}', '{"shapes": [[2]], "id": 7}', {"id": 7}),
        ('{"id": " # x"} # y', '{"id": " # x"}', {"label": "y", "id": " # x"}),
        ('{"id": "\\" # x"} # y', '{"id": "\\" # x"}', {"label": "y", "id": '" # x'}),
        ('{"id": null}', '{"id": null}', {"id": None}),
        ('{"id": "x', '{"id": "x', {"id": None}),
        ('{"names": ["id"]}', '{"names": ["id"]}', {}),
        ('[["id"]]', '[["id"]]', {}),
        ('2,3 "id" # x', '2,3 "id"', {"label": "x"}),
    ],
)
def test_apart(line: str, question: str, tags: Tags) -> None:
    """A label begins at the first ` #` outside the strings of JSON; a comment has none."""
    assert split_label(line) == (question, tags)


def test_a_label_steers_no_terminal() -> None:
    """What is not shown is escaped in a label; in JSON the label is as it was."""
    line = b"N 3 # \x1b[31m"
    assert run(["numpy", "-p"], line).out == "3 when N in (1, 3) # \\x1b[31m\n"
    assert json.loads(run(["numpy", "--json"], line).out)["label"] == "\x1b[31m"


@each_row("command", [["numpy", "2,3", "3"], ["compare", "2,3", "3"], ["op", "Add", "2,3", "3"]])
@each_row("form", ["plain", "table"])
def test_labels_of_arguments(command: list[str], form: str) -> None:
    """Arguments are a line, so a label goes with their answer too."""
    out = run([*command, "-f", form]).out
    *above, last = run([*command, "# fc", "-f", form]).out.rstrip().splitlines()
    assert [*above, last.removesuffix(" # fc")] == out.rstrip().splitlines()
    assert last.endswith(" # fc")
    assert json.loads(run([*command, "# fc", "--json"]).out)["label"] == "fc"


def test_a_label_changes_no_answer() -> None:
    """Lines with labels get the answers of the same lines without, also when they repeat."""
    questions = [f"{n},{m} {m}" for n in range(1, 40) for m in range(1, 4)] * 3
    bare = run(["numpy"], "\n".join(questions).encode()).out.splitlines()
    labelled = "\n".join(f"{each} # {n}" for n, each in enumerate(questions))
    found = run(["numpy"], labelled.encode()).out.splitlines()
    assert found == [f"{answer} # {n}" for n, answer in enumerate(bare)]
