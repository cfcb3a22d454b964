"""The tables of operators: shapes as typed, and no sign that denies the mismatch below it.

The questions are those of operators/questions.py.
"""

import json
from random import Random

from tests.effort import many
from tests.in_memory import run


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
        signs = [line for line in ended.out.splitlines() if line.startswith("stretch")]
        conflicts = [axis["conflict"] for axis in answer["axes"] or ()]
        assert any("!" in line for line in signs) is any(conflicts)
        if answer["reason_kind"] == "sizes":
            assert any(conflicts)
