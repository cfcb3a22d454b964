"""Operators that do not broadcast: the results of four, and what the others do not fit.

The module is operators/results.py.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from bcastcli.notation.text import NotationError
from bcastcli.operators.questions import ask, line
from bcastcli.reports import verdict
from tests.effort import SEED
from tests.in_memory import run
from tests.rows import each_row

REFUSES = "ONNX Runtime refuses this"
SENTENCES = (Path(__file__).parent / "sentences.txt").read_text("utf-8")
LINES = [
    each
    for each in re.findall(
        r"(?m)^< ([A-Z].*)$", SENTENCES.partition("# An operator that does not b")[2]
    )
    if each != "Concat 2,3 4,3"  # it needs an axis
]


@each_row("text", LINES)
def test_the_line_of_a_question(text: str) -> None:
    """The line that is written for a question has its attributes, and asks the same again."""
    answer = ask(text)
    again = ask(line(answer.question))
    assert (again.ok, again.result, again.when) == (answer.ok, answer.result, answer.when)


@pytest.mark.parametrize(
    ("text", "message", "at_fault"),
    [
        ("Conv 1,4,8 6,2,3 groups=2", "Conv takes no groups; did you mean group=2?", "groups"),
        ("Transpose 2,3 Perm=1,0", "Transpose takes no Perm; did you mean perm=1,0?", "Perm"),
        ("Concat 2,3 2,3 dim=0", "Concat takes no dim, only axis", "dim"),
        ("Concat 2,3 2,3 axis=x", "axis takes a whole number", "axis"),
        ("Reshape 4,6 shape=2,x", "shape takes whole numbers, such as shape=1,2", "shape"),
        ("Reshape 4,6 2,12", "Reshape takes one shape (data), not two", "2,12"),
        ("InstanceNormalization 2,5 5 5 epsilon=1e-5", "epsilon does not affect shapes", "eps"),
        ("Einsum 2 equation=i.j", "this is not an equation: expected letters and ...", "equation"),
        ("Concat 2,3 2,3 axis=0 axis=1", "axis is given twice", "axis=1"),
        ("Concat 2,3 2,3 trans_b=1", "Concat takes no trans_b", "trans_b"),
        ("GroupNormalization 2,4 4 4 opset=17", "was introduced in opset 18", "opset"),
        ('{"op":"Reshape","shapes":[[2,3]],"shape":[3,"x"]}', "shape takes whole numbers", "{"),
        ('{"op":"Reshape","shapes":[[2,3]],"shpe":[3]}', "the keys of Reshape are op, shapes", "{"),
        ("LSTM 3", "LSTM takes three to eight shapes (X, W, R, B, sequence_lens, initial_h, ", ""),
        ("Concatt 2 3", "did you mean Concat?", "Concatt"),
        ("SequenceAt 2,3", "works on sequences, which op does not support", "SequenceAt"),
        ("MaxPool 1,3,8,8 kernel_shape=2,2 strides=0,2", "strides must be at least 1", "strides"),
        ("Range start=1 limit=5 delta=0", "delta must not be 0", "delta"),
        ("Concat 2,3 4,3", "Concat needs axis=", ""),
        ("Relu 2147483648", "Relu takes sizes below 2147483648", ""),
        ("Split 20000 num_outputs=10000", "num_outputs must be below 10000", "num_outputs"),
        ("Tile 2,3 repeats=-1,2", "repeats must be at least 0", "repeats"),
        ("MaxPool 1,1,5 kernel_shape=1 pads=2147483648", "pads must be below 2147483648", "pads"),
        ("Resize 1,1,2,3 scales=1.0,1.0,0,2.5", "scales must be above 0", "scales"),
        ("MaxPool 1,3,8", "MaxPool needs kernel_shape=", ""),
        ("Pad 2,3 pads=1,1 axes=0 opset=13", "Pad takes no axes in opset 13", "axes"),
        ("CenterCropPad 2,3", "depends on values: give shape=", ""),
    ],
)
def test_what_is_no_question(text: str, message: str, at_fault: str) -> None:
    """An attribute that an operator lacks, or a value that is none, is invalid where it stands."""
    with pytest.raises(NotationError) as caught:
        ask(text)
    assert message in caught.value.message
    assert text[caught.value.span[0] :].startswith(at_fault)


@pytest.mark.parametrize(
    "arguments",
    [
        ["Concat", "2,3", "4,3", "axis=0"],
        ["Concat", '{"shapes": [[2, 3], [4, 3]], "axis": 0}'],
    ],
)
def test_arguments(arguments: list[str]) -> None:
    """Attributes are arguments, or keys; each format has the answer."""
    assert run(["op", *arguments, "-p"]) == (0, "6,3\n", "")
    found = json.loads(run(["op", *arguments, "--json"]).out)
    assert [found[key] for key in ("rule", "op", "options", "ok", "result", "axes")] == [
        *("own", "Concat", {"axis": 0}, True, [6, 3], None)
    ]
    assert "6,3" in run(["op", *arguments]).out
    for option in ("--steps", "--picture"):
        ended = run(["op", *arguments, option])
        assert (ended.status, "does more than align its inputs" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Einsum 2,3 3 equation=...i,i", ""),
        (
            "Einsum 2,3 equation=iA",
            f"{REFUSES}: it takes no capital letters such as A without ->",
        ),
        ("Einsum 2,3 equation=iA->iA", ""),
    ],
)
def test_notes(text: str, note: str) -> None:
    """Where ONNX Runtime refuses what ONNX allows, a note says so."""
    assert [each.text for each in ask(text).notes] == ([note] if note else [])


def test_a_long_equation() -> None:
    """An equation is read in linear time, and no sentence shows all of a long term."""
    answer = ask(f"Einsum 2 equation={'i' * 200_000}")
    assert len(verdict(answer)) < 200
    with pytest.raises(NotationError, match="not an equation"):
        ask(f"Einsum 2 equation={'i' * 200_000}.")


def test_lines() -> None:
    """Lines name their operators, or are those of one; JSON has the attributes as keys."""
    mixed = (
        'Concat 2,3 4,3 axis=0 # a\n{"op": "Einsum", "shapes": [[2, 3], [3]], "equation": "ij,j"}\n'
    )
    assert run(["op", "-"], mixed.encode()).out == "6,3 # a\n2\n"
    lines = b"2,3 4,3 axis=0\n2,3 2,4 axis=1\n"
    assert run(["op", "Concat", "-"], lines).out == "6,3\n2,7\n"
    assert run(["compare", "-"], b"Concat 2,3 4,3 axis=0\n").status == 0


TERMS = ("ij", "jk", "ii", "i...", "...j", "k")
PATTERNS: list[Callable[[Random], str]] = [
    lambda chance: f"axis={chance.randint(-2, 1)}",
    lambda chance: "shape=" + ",".join(chance.choices(["0", "-1", "2", "3", "4", "6", "12"], k=2)),
    lambda chance: "perm=" + ",".join(chance.choice(["01", "10", "21"])),
    lambda chance: "equation=" + ",".join(chance.choices(TERMS, k=2)) + chance.choice(["", "->i"]),
]


@pytest.mark.parametrize(
    ("name", "pattern", "inputs"),
    list(zip(["Concat", "Reshape", "Transpose", "Einsum"], PATTERNS, [3, 1, 1, 2], strict=True)),
)
def test_unknown_sizes(name: str, pattern: Callable[[Random], str], inputs: int) -> None:
    """With numbers for unknown sizes the answer is what the condition says, and so is the result.

    None of the numbers is 0, since ONNX Runtime has other answers for what is empty.
    """
    chance = Random(f"{SEED} {name}")
    for _ in range(300):
        shapes = [chance.choices(["N", "M", "2", "3", "6"], k=2) for _ in range(inputs)]
        settings = pattern(chance)
        answer = ask(" ".join((name, *map(",".join, shapes), settings)))
        sizes = {"N": chance.choice([1, 2, 3, 4, 6]), "M": chance.choice([1, 2, 3, 4, 6])}
        numbers = [[str(sizes.get(size, size)) for size in shape] for shape in shapes]
        known = ask(" ".join((name, *map(",".join, numbers), settings)))
        if answer.ok is None and not answer.condition:
            continue  # it depends on more than a condition can express
        holds = bool(eval(answer.when, {}, sizes)) if answer.when else answer.ok
        assert (known.ok, known.reason is None) == (holds, bool(holds)), (answer, settings, sizes)
        for size, its in zip(answer.result or (), (holds and known.result) or (), strict=False):
            assert size == "?" or eval(str(size), {}, sizes) == its, (answer.question, sizes)
