"""Operators that do not broadcast: the results of four, and what the others do not fit.

The module is operators/results.py.
"""

import json
from collections.abc import Callable
from random import Random

import pytest

from bcastcli.notation.text import NotationError
from bcastcli.operators.questions import ask, line
from bcastcli.reports import verdict
from tests.effort import SEED
from tests.in_memory import run
from tests.rows import each_row

REFUSES = "ONNX Runtime refuses this"
EMPTY = "ONNX Runtime takes this only in a model that declares no shapes, for A is empty"
MAY_DIFFER = "on axis 0, and only axis 1 may differ"
UNDECIDED = "not decided: no fault found in these shapes; their result is not computed"
ANSWERS = [
    ("Concat 8,64,28,28 8,128,28,28 axis=1", "8,192,28,28"),
    ("Concat 2,3 axis=-1", "2,3"),
    ("Concat N,3 2,M axis=0", "?,3 when M == 3"),
    ("Concat ?,3 2,3 axis=0", "?,3"),
    ("Concat N,3 M,3 axis=1", "N,6 when N == M"),
    ("Concat N,3 axis=0", "N,3"),
    ("Concat N,3 2,3 4,3 axis=1", f"mismatch: B has 2 and C has 4 {MAY_DIFFER}"),
    ("Concat N,N 2,? ?,3 axis=0", "?,3 when N == 3 and B.shape[1] == 3"),
    (
        "Concat N,1,2 2,1,N N,1,3 axis=1",
        f"mismatch: A has 2 and C has 3 {MAY_DIFFER.replace('0', '2')}",
    ),
    ("Concat N,M 2,M 3,M N,4 axis=1", f"mismatch: B has 2 and C has 3 {MAY_DIFFER}"),
    ("Concat x=2,3 y=4,3 axis=1", f"mismatch: x has 2 and y has 4 {MAY_DIFFER}"),
    ("Concat 2,3 4,3 axis=0 opset=3", "6,3"),
    ("Concat 0,5 2,3 axis=0", "2,3"),
    ("Concat a=3 b=4 axis=0", "7"),
    ("Concat 2,3 4,3", "not decided: Concat needs axis=, such as axis=1"),
    ("Reshape 4,6 shape=2,-1", "2,12"),
    ("Reshape 4,6 shape=[2, -1]", "2,12"),
    ("Reshape 1,1 shape=()", "()"),
    ("Reshape 4,6 shape=0,3,2", "4,3,2"),
    ("Reshape N,6 shape=0,2,-1", "N,2,3"),
    ("Reshape N,6 shape=3,-1", "3,?"),
    ("Reshape N,6 shape=6,-1", "6,N"),
    ("Reshape N,6 shape=4,-1", UNDECIDED),
    ("Reshape ?,6 shape=-1", "?"),
    ("Reshape N,6 shape=24", UNDECIDED),
    ("Reshape N,M shape=0,5", UNDECIDED),
    ("Reshape N,3 shape=0,2", UNDECIDED),
    ("Reshape N,3 shape=0,3", "N,3"),
    ("Reshape 0,6 shape=0,5", "0,5"),
    (
        "Reshape 4,6 shape=0,0 allowzero=1",
        "mismatch: data has 24 elements, but the target 0,0 has 0",
    ),
    ("Reshape 2,0 shape=0,-1 allowzero=1", UNDECIDED),
    ("Reshape N,6 shape=0,2 allowzero=1", UNDECIDED),
    ("Reshape N,3 shape=0,0,0", "mismatch: the target 0,0,0 copies axis 2, which data lacks"),
    ("Transpose 2,N,4", "4,N,2"),
    ("Transpose 2,3,4 perm=0,2,1", "2,4,3"),
    ("Transpose 2,3,4 perm=0,2", "mismatch: data has 3 axes, but perm is 0, 2"),
    ("Einsum 64,32,38,12 38,38 equation=ncwl,vw->ncvl", "64,32,38,12"),
    (
        "Einsum 64,32,65,12 38,38 equation=ncwl,vw->ncvl",
        "mismatch: w is 65 in the first and 38 in the second",
    ),
    ("Einsum N,3 M,4 equation=ij,jk", "N,4 when M in (1, 3)"),
    ("Einsum N,M equation=ii->i", "N when N == M"),
    ("Einsum 5,2,3 3,4 equation=...ij,jk", "5,2,4"),
    ('Einsum 2,3 3,4 equation="ij, jk->ik"', "2,4"),
    ("Einsum equation='ij,jk' 2,3 3,4", "2,4"),
    ("NonMaxSuppression 1,7,4 1,1,6", "mismatch: boxes has 7 on axis 1, and scores needs 6"),
    ("RoiAlign 1,2,8,8 3,5 3", "mismatch: rois has 5 on axis 1, and RoiAlign needs 4"),
    ("Einsum x=2,3 y=2 equation=ij,j->i", "mismatch: j is 3 in x and 2 in y"),
    (
        "Concat N,N,2 3,4,2 axis=2",
        "mismatch: N == 3 on axis 0 and N == 4 on axis 1 cannot both hold",
    ),
    ("Conv 1,4,8 6,2,3 group=2", UNDECIDED),
    ("conv 1,4,8 6,3,3", "mismatch: X has 4 on axis 1, and W needs 3"),
    ("Conv 1,4,8 6,2,3 B=5 group=2", "mismatch: B has 5 on axis 0, and W needs 6"),
    (
        "LSTM 7,3,2 1,16,2 1,16,4 initial_h=1,4,4 hidden_size=4",
        "mismatch: initial_h has 4 on axis 1, and X needs 3",
    ),
    ("Pad 2,3 pads=1,1", "mismatch: got 2 pads for 2 axes; expected two per axis"),
    (
        "MaxPool 1,1,2 kernel_shape=4",
        "mismatch: X has 2 on axis 2 with its padding, but the window needs 4",
    ),
    ("MaxPool 1,1,2 kernel_shape=4 auto_pad=SAME_UPPER", UNDECIDED),
    ("Conv 1,3,8,8 6,3,3,3 strides=1", "mismatch: 2 axes take 2 strides, and there is 1"),
    ("Conv 1,3,8,8 6,3,3,3 kernel_shape=3,2", "mismatch: kernel_shape is 3,2, and W has 3,3"),
    (
        "Conv 1,3,8 6,3,3 pads=1,1 auto_pad=VALID",
        "mismatch: pads and auto_pad=VALID exclude each other",
    ),
    (
        "ConvTranspose 1,3,8 3,6,2 output_padding=1",
        "mismatch: output_padding is 1 on axis 2, and must be less than the stride or the dilation",
    ),
    (
        "ConvTranspose 1,3,2 3,6,1 pads=1,1",
        "mismatch: the result has 2 on axis 2, and its pads take 2",
    ),
    (
        "Reshape 2,3 shape=0,-1 allowzero=1",
        "mismatch: the target 0,-1 has 0 and -1, and allowzero=1 takes one",
    ),
    (
        "Concat 0,3,2 2,4 2,3,2 axis=0",
        "mismatch: B has 2 axes and C has 3 axes, and only shapes of equal rank can be joined",
    ),
    ("GRU 7,3,2 ... 1,12,4 hidden_size=4", "... when the shape of W is known"),
    ("Gather ... 3 axis=2", "... when the shape of data is known"),
]


@each_row(("text", "answer"), ANSWERS)
def test_answers(text: str, answer: str) -> None:
    """The result with its condition; or what does not fit, or that nothing speaks against it."""
    assert verdict(ask(text)) == answer


@each_row("text", [text for text, _ in ANSWERS])
def test_the_line_of_a_question(text: str) -> None:
    """The line that is written for a question has its attributes, and asks the same again."""
    answer = ask(text)
    again = ask(line(answer.question))
    assert (again.ok, again.result, again.when) == (answer.ok, answer.result, answer.when)


@pytest.mark.parametrize(
    ("text", "message", "at_fault"),
    [
        ("Conv 1,4,8 6,2,3 groups=2", "Conv has no groups; did you mean group=2?", "groups"),
        ("Transpose 2,3 Perm=1,0", "Transpose has no Perm; did you mean perm=1,0?", "Perm"),
        ("Concat 2,3 2,3 dim=0", "Concat has no attribute dim: it has axis", "dim"),
        ("Concat 2,3 2,3 axis=x", "axis takes a whole number", "axis"),
        ("Reshape 4,6 shape=2,x", "shape takes whole numbers, such as shape=1,2", "shape"),
        ("Reshape 4,6 2,12", "Reshape takes one shape (data), not two", "2,12"),
        ("InstanceNormalization 2,5 5 5 epsilon=1e-5", "epsilon does not affect shapes", "eps"),
        ("Einsum 2 equation=i.j", "this is not an equation: expected letters and ...", "equation"),
        ("Concat 2,3 2,3 axis=0 axis=1", "axis is given twice", "axis=1"),
        ("Concat 2,3 2,3 trans_b=1", "Concat takes no trans_b", "trans_b"),
        ("GroupNormalization 2,4 4 4 opset=17", "was introduced in opset 18", "Group"),
        ('{"op":"Reshape","shapes":[[2,3]],"shape":[3,"x"]}', "shape takes whole numbers", "{"),
        ('{"op":"Reshape","shapes":[[2,3]],"shpe":[3]}', "the keys of Reshape are op, shapes", "{"),
        ("LSTM 3", "LSTM takes three to eight shapes (X, W, R, B, sequence_lens, initial_h, ", ""),
        ("Concatt 2 3", "did you mean Concat or", "Concatt"),
        ("Softmax 2,3", "op does not check the shapes of Softmax; bcastcli op", "Softmax"),
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
        ["concat", "2,3", "4,3", "--axis", "0"],
        ["Concat", '{"shapes": [[2, 3], [4, 3]], "axis": 0}'],
        ["Concat", "[[2,3],[4,3]]", "--axis", "0"],
    ],
)
def test_arguments(arguments: list[str]) -> None:
    """Attributes are arguments, an option, or keys; each format has the answer."""
    assert run(["op", *arguments, "-p"]) == (0, "6,3\n", "")
    found = json.loads(run(["op", *arguments, "--json"]).out)
    assert [found[key] for key in ("rule", "op", "options", "ok", "result", "axes")] == [
        *("own", "Concat", {"axis": 0}, True, [6, 3], None)
    ]
    for each in ("table", "markdown", "tsv", "html"):
        assert "6,3" in run(["op", *arguments, "-f", each]).out.replace("6, 3", "6,3")
    for option in ("--steps", "--picture"):
        ended = run(["op", *arguments, option])
        assert (ended.status, "does more than align its inputs" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Concat 0,5 2,3 axis=0", EMPTY),
        ("Concat 0,3 2,3 axis=0", ""),
        ("Reshape N,6 shape=0,2,-1", "ONNX Runtime refuses this where N is 0"),
        ("Reshape N,6 shape=0,6", ""),
        ("Einsum 2,3 3 equation=...i,i", ""),
        (
            "Einsum 2,3 equation=iA",
            f"{REFUSES}: without ->, the output has no capital letters such as A",
        ),
        ("Einsum 2,3 equation=iA->iA", ""),
    ],
)
def test_notes(text: str, note: str) -> None:
    """Where ONNX Runtime refuses or takes more than ONNX, a note says so."""
    assert [each.text for each in ask(text).notes] == ([note] if note else [])


def test_a_long_equation() -> None:
    """An equation is read in linear time, and no sentence shows all of a long term."""
    answer = ask(f"Einsum 2 equation={'i' * 200_000}")
    assert len(verdict(answer)) < 200
    with pytest.raises(NotationError, match="not an equation"):
        ask(f"Einsum 2 equation={'i' * 200_000}.")


def test_lines() -> None:
    """Lines name their operators, or are those of one; JSON has the attributes as keys."""
    asked = (
        "Concat 2,3 4,3 axis=0 # a\n"
        '{"op": "Reshape", "shapes": [[4, 6]], "shape": [5, -1]}\n'
        '{"op": "Einsum", "shapes": [[2, 3], [3]], "equation": "ij,j"}\n'
        "Transpose 2,3\nTranspose 4,5\nTranspose 4,7\n"
    )
    assert run(["op", "-"], asked.encode()).out.splitlines() == [
        "6,3 # a",
        "mismatch: data has 24 elements, and these do not fill 5,-1: 24 / 5 is 4.8",
        "2",
        *("3,2", "5,4", "7,4"),
    ]
    lines = b"2,3 4,3 axis=0\n2,3 2,4 axis=1\n2,3 5,3 axis=0\n"
    assert run(["op", "Concat", "-"], lines).out == "6,3\n2,7\n7,3\n"
    assert run(
        ["check", "-"], b"Concat 2,3 4,3 axis=0 -> 6,3\nReshape 4 shape=3 -> mismatch\n"
    ) == (
        *(0, ""),
        "2 questions, 0 failed\n",
    )
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
        if answer.ok is None and answer.reason:
            continue  # not decided
        holds = bool(eval(answer.when, {}, sizes)) if answer.when else answer.ok
        assert (known.ok, known.reason is None) == (holds, bool(holds)), (answer, settings, sizes)
        for size, its in zip(answer.result or (), (holds and known.result) or (), strict=False):
            assert size == "?" or eval(str(size), {}, sizes) == its, (answer.question, sizes)
