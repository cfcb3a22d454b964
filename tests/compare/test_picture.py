"""Pictures of comparisons (compare/picture.py)."""

import random
from xml.etree import ElementTree

import pytest

from bcastcli.compare import command as compare
from bcastcli.compare.picture import of_comparison
from tests.effort import SEED, many
from tests.picture.test_slides import SVG, arrays, as_rows, block, page, squares
from tests.picture.test_sources import check

Capture = pytest.CaptureFixture[str]


def test_the_same_shape_with_other_values(capsys: Capture) -> None:
    """Compare draws both groups, and frames each element that has another value."""
    text = page("compare --picture 3,3 3", capsys)
    one, other = arrays("3,3", "3")
    numpy, ncnn = one + other, one + other[:, None]
    root = ElementTree.fromstring(text)
    framed = [e for e in root.iter(f"{SVG}rect") if e.get("class", "").endswith("-differs")]
    assert len(framed) == int((numpy != ncnn).sum())
    shown = [e.text for e in root.iter(f"{SVG}text") if e.get("class", "").endswith("-differs")]
    assert sorted(map(str, shown)) == sorted(map(str, ncnn[numpy != ncnn]))
    assert block(squares(text), "result")[:3] == as_rows(numpy)
    assert "framed: value differs" in text


def test_sources_in_comparisons() -> None:
    """So does each cell in each row of a comparison."""
    chance = random.Random(SEED)
    seen = 0
    for _ in range(many(500)):
        whole = [chance.choice((1, 2, 3, 3)) for _ in range(chance.randint(1, 3))]
        one, other = (",".join(map(str, each)) for each in (whole, whole[chance.randint(0, 2) :]))
        comparison = compare.ask(f"{one} {other or '()'}")
        for row in of_comparison(comparison).rows:
            named = (each.answer for each in comparison.rows if row.label.startswith(each.name))
            answer = next(named)
            if row.blocks and row.blocks[-1].layers:
                check(answer, row)
                seen += 1
    assert seen >= many(500)


def test_cells_under_one_rule_alone() -> None:
    """Where only some results have room for cells, the others are shapes with their legend."""
    figure = of_comparison(compare.ask_line("compare 7 7,1 rules=numpy,left"))
    assert [bool(row.blocks) for row in figure.rows] == [False, True]
    assert figure.captions == (
        "each column: equal, or one is 1",
        "· no such axis",
        "→ stretches",
    )
