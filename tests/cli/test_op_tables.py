"""The tables of operators: shapes as typed, and no sign that denies the mismatch below it.

The module is reports/tables.py.
"""

import json
from random import Random

import pytest

from tests.effort import many
from tests.in_memory import run
from tests.rows import each_row

MATMUL = """\
axis       M      K     N
──────────────────────────
A         32    512
B               256    10
──────────────────────────
compare           !
K: the product sums over it, so its sizes must be equal
note  if this is a linear layer, it was made for 256 features and got 512: 512 is 2 x 256
mismatch: A 32,512 has 512 on axis 1 (-1) and B 256,10 has 256 on axis 0 (-2), \
and these must be equal
"""
GEMM = """\
axis       M     K     N
─────────────────────────
A.T        8    64
B               64    10
C         (1)         10
─────────────────────────
result     8          10
compare    C     =     =
K: the product sums over it, so its sizes must be equal; \
(1): C has no axis here, which counts as 1; a name: that operand stretches
8,10
"""
BEYOND = """\
axis      0    M    K    N
───────────────────────────
A              2    4
B                   2    4
C         5    1         1
───────────────────────────
compare   !    C    !    C
K: the product sums over it, so its sizes must be equal; a name: that operand stretches
"""


@pytest.mark.parametrize(
    ("command", "table"),
    [("op MatMul 32,512 256,10", MATMUL), ("op Gemm 64,8 64,10 10 --trans-a", GEMM)],
    ids=["MatMul", "Gemm"],
)
def test_table(command: str, table: str) -> None:
    """The axis K stands between M and N, with the sizes of both factors."""
    assert run(command.split()).out == table


def test_an_operand_of_more_axes_than_the_product() -> None:
    """Its axes in front are beside none of the factors', whether K clashes or not."""
    asked = ["op", "Gemm", "2,4", "2,4", "5,1,1"]
    axes = json.loads(run([*asked, "--json"]).out)["axes"]
    assert [axis["sizes"] for axis in axes] == [[None, 5], [2, 1], [4, 2], [4, 1]]
    assert run(["op", "Gemm", "2,4", "4,2", "5,1,1"]).out.splitlines()[4] == BEYOND.splitlines()[4]
    assert run(asked).out.startswith(BEYOND)


def test_inputs_that_make_no_operands() -> None:
    """What is no matrix is shown as typed, without signs."""
    ended = run(["op", "Gemm", "2,8,64", "64,10"])
    assert ended.status == 1
    assert "2,8,64" in ended.out
    assert "compare" not in ended.out
    assert "=" not in ended.out
    assert json.loads(run(["op", "Gemm", "2,8,64", "64,10", "--json"]).out)["axes"] is None


@each_row(
    "command",
    [
        "op MatMul 32,512 256,10",
        "op MatMul 8,32,512 256,10",
        "op MatMul 512 256,10",
        "op MatMul 32,512 256",
        "op MatMul 8,2,3,4 5,4,6",
        "op Gemm 2,3 4,5",
        "op Gemm 8,64 64,10 9",
        "op Gemm 64,8 32,10 10 --trans-a",
        "op PRelu 1,3,2,3 5",
        "op LayerNormalization 2,3,4 5",
        "op RMSNormalization 2,3,4 5",
        "op Add 2,3 4",
        "op Add 2,3,4 5 --opset 6",
    ],
)
def test_a_mismatch_of_sizes_has_its_sign(command: str) -> None:
    """Every reason of sizes has an axis with a conflict in JSON, and its ! in the table."""
    answer = json.loads(run([*command.split(), "--json"]).out)
    assert answer["reason_kind"] == "sizes"
    assert any(axis["conflict"] for axis in answer["axes"])
    [signs] = [line for line in run(command.split()).out.splitlines() if line.startswith("compare")]
    assert "!" in signs


def test_table_json_and_status_agree() -> None:
    """Of random products and normalizations the signs, the last line, JSON and status agree."""
    random = Random(11)
    sizes = (1, 2, 2, 3)
    for _ in range(many(2_000)):
        name = random.choice(("MatMul", "Gemm", "PRelu", "LayerNormalization", "Add"))
        shapes = [
            ",".join(map(str, random.choices(sizes, k=random.randint(1, 3)))) for _ in range(2)
        ]
        ended = run(["op", name, *shapes])
        answer = json.loads(run(["op", name, *shapes, "--json"]).out)
        assert ended.status == {True: 0, False: 1}[answer["ok"]]
        last = ended.out.splitlines()[-1]
        assert last.startswith("mismatch: ") is (answer["ok"] is False)
        signs = [line for line in ended.out.splitlines() if line.startswith("compare")]
        conflicts = [axis["conflict"] for axis in answer["axes"] or ()]
        assert any("!" in line for line in signs) is any(conflicts)
        if answer["reason_kind"] == "sizes":
            assert any(conflicts)
