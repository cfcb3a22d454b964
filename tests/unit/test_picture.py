"""The picture: numbers in cells that NumPy confirms, laid out once for a terminal and for paper."""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice, product
from math import prod

import numpy as np
import pytest

from bcastcli.analysis.numpy_code import explicit_shapes
from bcastcli.cli.commands import answer_options, compare
from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.conditions import names_in
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, Size
from bcastcli.notation.questions import answer_line
from bcastcli.render.picture import paper, terminal
from bcastcli.render.picture.figure import Block, Figure, Kind, Step
from bcastcli.render.picture.marks import Box, Cross, Role, Text
from bcastcli.render.picture.themes import THEMES
from bcastcli.reports.arrays import OPERATIONS
from bcastcli.reports.figure import MAX_DRAWN, of_answer, of_comparison
from bcastcli.reports.rows import PictureOptions
from bcastcli.reports.ways import ways
from bcastcli.rules import RULES
from tests.effort import SEED, in_turn, many
from tests.rows import each_row
from tests.terminal import screen

SIZES: tuple[Size, ...] = (1, 1, 2, 3, 4)


def answered(line: str) -> Answer:
    """The answer to a question with its rule in front, and the options behind."""
    rule, *rest = line.split()
    options: dict[str, int | str] = {}
    while rest[-2:-1] and rest[-2].startswith("--"):
        *rest, option, value = rest
        options[option.removeprefix("--")] = int(value) if option == "--axis" else value
    return answer_line(RULES[rule], " ".join(rest), options)


def questions(
    rule: str, sizes: tuple[Size, ...] = SIZES, *, count: int = 0, seed: int | str = ""
) -> Iterator[Answer]:
    """Random questions to a rule, many of which broadcast."""
    draw = random.Random(f"{rule}{seed}")
    for _ in range(count or many(800)):
        whole = [draw.choice(sizes) for _ in range(draw.randint(0, 3))]
        shapes: list[Shape] = []
        most = RULES[rule].max_operands or 4
        for _ in range(draw.randint(RULES[rule].min_operands, most)):
            part = whole[draw.randint(0, len(whole)) :] if draw.random() < 0.7 else whole
            shapes.append(tuple(1 if draw.random() < 0.3 else size for size in part))
        options: dict[str, int | str] = {}
        if rule == "pdpd" and len(shapes[0]) > len(shapes[1]):
            options["axis"] = draw.randint(0, len(shapes[0]) - len(shapes[1]))
        if rule == "ncnn":
            options["order"] = draw.choice(["ncnn", "numpy"])
        yield Question(
            RULES[rule], [Operand(f"X{i}", s) for i, s in enumerate(shapes)], options
        ).answer()


def figures(rule: str) -> list[tuple[Answer, Figure]]:
    """Random answers of yes with figures that show each cell's number."""
    pairs = [(answer, of_answer(answer)) for answer in questions(rule)]
    found = [(a, figure) for a, figure in pairs if a.ok and figure.longest]
    assert len(found) > len(pairs) / 12
    return found


def numbers(shape: tuple[Size, ...] | None) -> list[int]:
    assert shape is not None
    return [size for size in shape if isinstance(size, int)]


def cells(block: Block) -> list[tuple[str, Kind]]:
    """The cells in reading order."""
    return [(cell.text, cell.kind) for layer in block.layers for row in layer for cell in row]


def texts(block: Block) -> list[int]:
    return [int(text) for text, _ in cells(block)]


def lines_of(figure: Figure, columns: int | None = None, *, boxes: bool = True) -> list[str]:
    lines = terminal.drawn(figure, columns, boxes=boxes)
    return ["".join(piece.text for piece in line) for line in lines]


def arrays(answer: Answer) -> list[np.ndarray]:
    """The operands as NumPy has them: the last one in ones, those before in tens and so on."""
    count = len(answer.operands)
    found = []
    for place, shape in enumerate(explicit_shapes(answer) or ()):
        unit = 10 ** (count - 1 - place) if count > 1 else 10
        elements = np.arange(prod(numbers(shape))) + (place > 0)
        found.append(unit * elements.reshape(numbers(shape)))
    return found


def broadcast(array: np.ndarray, *others: np.ndarray) -> list[tuple[str, Kind]]:
    """The cells of an array that NumPy broadcasts with others: stored where an index is new."""
    index = np.broadcast_arrays(np.arange(array.size).reshape(array.shape), *others)[0].ravel()
    _, new = np.unique(index, return_index=True)
    kinds = [Kind.STORED if n in new else Kind.REPEATED for n in range(index.size)]
    return list(zip(map(str, array.ravel()[index].tolist()), kinds, strict=True))


@pytest.mark.parametrize("rule", RULES)
def test_every_number_is_numpys(rule: str) -> None:
    """Each cell has the number that NumPy has there, stored or repeated, whatever the rule.

    Several operands are added two by two; a target is an outline, and A alone comes out.
    """
    asked = questions(rule, count=40 * many(500), seed=SEED)
    drawn = ((answer, of_answer(answer)) for answer in asked if answer.ok)
    found = list(islice((pair for pair in drawn if pair[1].longest), many(500)))
    assert len(found) == many(500)
    for answer, figure in found:
        first, *others = arrays(answer)
        if RULES[rule].second_is_target:
            others = [np.zeros_like(others[0])]
        if not others:
            assert [texts(block) for block in figure.blocks] == [first.ravel().tolist()] * 2
            continue
        for row, other in zip(figure.rows, others, strict=True):
            one, two, result = map(cells, row.blocks)
            assert one == broadcast(first, other), answer.operands
            if RULES[rule].second_is_target:
                assert set(two) == {("", Kind.OUTLINE)}
            else:
                assert two == broadcast(other, first), answer.operands
            first = first + other
            assert result == [(str(number), Kind.RESULT) for number in first.ravel()]


@each_row("sign", OPERATIONS)
def test_operators(sign: str) -> None:
    """The result is what Python's own operator makes of the two numbers above it."""
    answer = answered("numpy 3,1 4")
    one, other = arrays(answer)
    figure = of_answer(answer, PictureOptions(operation=sign))
    wanted = eval(f"one {sign} other", {"one": one, "other": other})
    for (text, _), value in zip(cells(figure.blocks[-1]), wanted.ravel(), strict=True):
        shown = {"T": 1.0, "F": 0.0}.get(text)
        assert (float(text) if shown is None else shown) == pytest.approx(float(value), abs=0.005)


@pytest.mark.parametrize("rule", RULES)
def test_one_arrow_for_each_stretch(rule: str) -> None:
    """An arrow with the axis' name for each axis along which an operand stretches, and no other."""
    for answer, figure in figures(rule):
        for name, block in zip(
            answer.operand_names, (figure.instead or figure).blocks, strict=False
        ):
            stretched = [
                a.label or f"axis {a.number}" for a in answer.axes or () if name in a.stretched
            ]
            if block.layers[0][0][0].kind is not Kind.OUTLINE:
                named = [arrow.label.rpartition(" ")[0] for arrow in block.arrows]
                assert len(named) == len(stretched)
                assert set(named) <= {*stretched, ""}
                assert "" not in named or rule == "ncnn"  # its letters are beside the cells


@pytest.mark.parametrize("rule", in_turn(RULES, 2))
def test_a_mismatch_stretches_nothing(rule: str) -> None:
    """Operands that do not broadcast are drawn as typed, with one cross, and nothing repeated."""
    seen = 0
    draw = random.Random(rule)
    for _ in range(many(800)):
        shapes = [[draw.randint(1, 4) for _ in range(draw.randint(0, 3))] for _ in "AB"]
        operands = [Operand(n, tuple(s)) for n, s in zip("AB", shapes, strict=True)]
        options = {"axes": tuple(range(len(shapes[0])))} if rule == "explicit" else {}
        answer = Question(RULES[rule], operands, options).answer()
        if answer.ok is not False or answer.axes is None:
            continue
        seen += 1
        figure = of_answer(answer)
        drawing = paper.drawn(figure, 1200, 560)
        assert sum(isinstance(mark, Cross) for mark in drawing.marks) == 1
        assert sum(line.count("╳") for line in lines_of(figure)) == 1
        for block in figure.blocks:
            shape = dict(answer.operands)[block.name]
            kinds = {kind for _, kind in cells(block)}
            assert kinds <= {Kind.STORED, Kind.OUTLINE}
            assert not kinds or len(cells(block)) == prod(numbers(shape))
            assert not block.arrows
            assert not any(extent.stretched for extent in block.extents)
        if seen == many(250):
            break
    assert seen > 3


@each_row(
    ("line", "boxed"),
    [
        ("numpy 4,3 4", [[], ["4"]]),
        ("numpy 3,4 3", [["30", "70", "110"], []]),
        ("numpy 3,2 2,2", [["40", "50"], []]),
        ("onnx-uni 1 3", [[], ["2", "3"]]),
        ("pdpd 2,3 3 --axis 0", [[], ["3"]]),
        ("ncnn 2,3 3,2", [["40", "50"], []]),
    ],
)
def test_the_surplus_is_boxed(line: str, boxed: list[list[str]]) -> None:
    """On paper a box holds the cells that have no partner on the axis that clashes, no other."""
    figure = of_answer(answered(line))
    drawing = paper.drawn(figure, 1200, 560)
    boxes = [m for m in drawing.marks if isinstance(m, Box) and m.role.value == "surplus"]
    assert len(boxes) == 1
    [box] = boxes
    inside = [
        mark.text
        for mark in drawing.marks
        if isinstance(mark, Text)
        and box.x <= mark.x <= box.x + box.width
        and box.y <= mark.y <= box.y + box.height
    ]
    assert sorted(inside) == sorted(boxed[0] + boxed[1])
    owners = [block.surplus is not None for block in figure.blocks]
    assert owners == [bool(own) for own in boxed]


def test_the_cross_is_where_a_partner_is_missing() -> None:
    """It is as far from the first cell as the boxed ones are, along the axis that clashes."""
    draw = random.Random(SEED)
    seen = 0
    for _ in range(many(1600)):
        one = [draw.randint(1, 4) for _ in range(draw.randint(1, 3))]
        place = draw.randrange(len(one))
        other = [*one[:place], one[place] + draw.choice((-1, 1)), *one[place + 1 :]]
        names = sorted("AB", key=lambda _: draw.random())
        shapes = dict(zip(names, (one, other), strict=True))
        answer = Question(
            RULES["numpy"], [Operand(name, tuple(shapes[name])) for name in "AB"]
        ).answer()
        figure = of_answer(answer)
        if answer.ok is not False or not figure.longest:
            continue
        [cross] = [m for m in paper.drawn(figure, 1200, 560).marks if isinstance(m, Cross)]
        boxes = [m for m in paper.drawn(figure, 1200, 560).marks if isinstance(m, Box)]
        cells = [next(m for m in boxes if m.tint == tint and m.cell) for tint in (0, 1)]
        surplus = next(m for m in boxes if m.role.value == "surplus")
        longer = "AB".index(max("AB", key=lambda name: prod(shapes[name])))
        mine, theirs = cells[longer], cells[1 - longer]
        across = surplus.x + surplus.width / 2 - mine.x - (cross.x - theirs.x)
        down = surplus.y + surplus.height / 2 - mine.y - (cross.y - theirs.y)
        assert abs(across) < 1
        assert abs(down) < 1
        seen += 1
    assert seen > many(100)


def test_all_rules_refuse() -> None:
    """Where all rules refuse, compare draws the operands as typed, with the reason, once."""
    for line in ("4,3 5", "2,3,4 2,2,4", "2,3,4,5 2,3,3,5"):
        figure = of_comparison(compare.ask(line))
        [row] = figure.rows
        own = of_answer(answered(f"numpy {line}"))
        assert row.label == "numpy, onnx, onnx-uni, pdpd, bidirectional, ncnn: mismatch"
        assert row.blocks == own.rows[0].blocks
        assert figure.comparisons == tuple(f"numpy: {text}" for text in own.comparisons)
        assert sum(text.count("╳") for text in lines_of(figure)) == 1


def test_the_cross_in_bars() -> None:
    """With four axes it is on the line of the axis that clashes, between the two sizes."""
    [line] = [
        each for each in lines_of(of_answer(answered("numpy 2,3,4,2 2,3,3,2"))) if "╳" in each
    ]
    assert re.fullmatch(r"axis 2  █+ 4    ╳ █+  3", line)


@each_row(
    ("line", "shown"),
    [
        (
            "numpy 3,1 2",
            """\
              |A 3,1              B 2             result 3,2
              |┌────┬╌╌╌╌┐      │ ┌────┬────┐     ┌────┬────┐
              |│  0 │  0 ┊      │ │  1 │  2 │     │  1 │  2 │
              |├────┼╌╌╌╌┤      │ ├────┼────┤     ├────┼────┤
              |│ 10 │ 10 ┊  +   │ ┊  1 ┊  2 ┊  =  │ 11 │ 12 │
              |├────┼╌╌╌╌┤      │ ├╌╌╌╌┼╌╌╌╌┤     ├────┼────┤
              |│ 20 │ 20 ┊      │ ┊  1 ┊  2 ┊     │ 21 │ 22 │
              |└────┴╌╌╌╌┘      ↓ └╌╌╌╌┴╌╌╌╌┘     └────┴────┘
              |──────────→
              |axis 1 →           axis 0 ↓
              |axis 0: 3 and no axis: B stretches to 3   axis 1: 1 and 2: A stretches to 2
              |bold: stored; dashed: repeated, not stored""",
        ),
        (
            "numpy 2,3 2",
            """\
              |          ┌────┬────╔════╗
              |          │  0 │ 10 ║ 20 ║
              |   A 2,3  ├────┼────║────║
              |          │ 30 │ 40 ║ 50 ║
              |          └────┴────╚════╝
              |          ┌────┬────┐
              |+  B 2    │  1 │  2 │  ╳
              |          └────┴────┘
              |axis 1: 3 and 2: neither is 1""",
        ),
        (
            "pdpd 2,2 2 --axis 0",
            """\
              |A 2,2                  B 2             result 2,2
              |┌────┬────┐            ┌────┬╌╌╌╌┐     ┌────┬────┐
              |│  0 │ 10 │            │  1 │  1 ┊     │  1 │ 11 │
              |├────┼────┤  +  axis=0 ├────┼╌╌╌╌┤  =  ├────┼────┤
              |│ 20 │ 30 │            │  2 │  2 ┊     │ 22 │ 32 │
              |└────┴────┘            └────┴╌╌╌╌┘     └────┴────┘
              |                       ──────────→
              |                       axis 1 →
              |axis 0: 2 and 2: equal   axis 1: 2 and no axis: B stretches to 2
              |bold: stored; dashed: repeated, not stored""",
        ),
        (
            "numpy N,2 3,2",
            """\
              |N = 1: A stretches
              |   A N,2           B 3,2           result 3,2
              | │ ┌────┬────┐     ┌────┬────┐     ┌────┬────┐
              | │ │  0 │ 10 │     │  1 │  2 │     │  1 │ 12 │
              | │ ├────┼────┤     ├────┼────┤     ├────┼────┤
              | │ ┊  0 ┊ 10 ┊  +  │  3 │  4 │  =  │  3 │ 14 │
              | │ ├╌╌╌╌┼╌╌╌╌┤     ├────┼────┤     ├────┼────┤
              | │ ┊  0 ┊ 10 ┊     │  5 │  6 │     │  5 │ 16 │
              | ↓ └╌╌╌╌┴╌╌╌╌┘     └────┴────┘     └────┴────┘
              |N = 3: equal
              |   ┌────┬────┐     ┌────┬────┐     ┌────┬────┐
              |   │  0 │ 10 │     │  1 │  2 │     │  1 │ 12 │
              |   ├────┼────┤     ├────┼────┤     ├────┼────┤
              |   │ 20 │ 30 │  +  │  3 │  4 │  =  │ 23 │ 34 │
              |   ├────┼────┤     ├────┼────┤     ├────┼────┤
              |   │ 40 │ 50 │     │  5 │  6 │     │ 45 │ 56 │
              |   └────┴────┘     └────┴────┘     └────┴────┘
              |bold: stored; dashed: repeated, not stored""",
        ),
        (
            "numpy N,400 3,400",
            """\
              |        A N,400        B 3,400        result 3,400
              |axis 0  ?????? N       ██     3       ██     3
              |axis 1  ██████ 400  +  ██████ 400  =  ██████ 400
              |axis 0: N and 3: depends   axis 1: 400 and 400: equal
              |not to scale""",
        ),
        (
            "numpy 2 2,1 1",
            """\
              |   A 2                  B 2,1             A + B 2,2
              | │ ┌─────┬─────┐        ┌─────┬╌╌╌╌╌┐     ┌─────┬─────┐
              | │ │   0 │ 100 │        │  10 │  10 ┊     │  10 │ 110 │
              | │ ├─────┼─────┤  +     ├─────┼╌╌╌╌╌┤  =  ├─────┼─────┤
              | │ ┊   0 ┊ 100 ┊        │  20 │  20 ┊     │  20 │ 120 │
              | ↓ └╌╌╌╌╌┴╌╌╌╌╌┘        └─────┴╌╌╌╌╌┘     └─────┴─────┘
              |                        ────────────→
              |   A + B 2,2            C 1               result 2,2
              |   ┌─────┬─────┐      │ ┌─────┬╌╌╌╌╌┐     ┌─────┬─────┐
              |   │  10 │ 110 │      │ │   1 │   1 ┊     │  11 │ 111 │
              |   ├─────┼─────┤  +   │ ├─────┼╌╌╌╌╌┤  =  ├─────┼─────┤
              |   │  20 │ 120 │      │ ┊   1 ┊   1 ┊     │  21 │ 121 │
              |   └─────┴─────┘      ↓ └╌╌╌╌╌┴╌╌╌╌╌┘     └─────┴─────┘
              |                        ────────────→
              |axis 0: no axis, 2 and no axis: A and C stretch to 2
              |axis 1: 2, 1 and 1: B and C stretch to 2
              |bold: stored; dashed: repeated, not stored""",
        ),
        (
            "bidirectional 2,1 2,2",
            """\
              |A 2,1           target 2,2      result 2,2
              |┌────┬╌╌╌╌┐     ┌─────────┐     ┌────┬────┐
              |│  0 │  0 ┊     │         │     │  0 │  0 │
              |├────┼╌╌╌╌┤  →  │         │  =  ├────┼────┤
              |│ 10 │ 10 ┊     │         │     │ 10 │ 10 │
              |└────┴╌╌╌╌┘     └─────────┘     └────┴────┘
              |──────────→
              |axis 1 →
              |axis 0: 2 and 2: equal   axis 1: 1 and 2: A stretches to 2
              |bold: stored; dashed: repeated, not stored
              |target is only a shape: an outline, with no stored elements""",
        ),
        ("ncnn 200,N 200", "the unknown sizes decide how the operands line up"),
    ],
)
def test_in_full(line: str, shown: str) -> None:
    """A stretch on both sides, a mismatch, pdpd's slot, an unknown size, three operands."""
    wanted = re.sub(r"(?m)^ *\|", "", shown).splitlines()
    lines = lines_of(of_answer(answered(line)))
    assert lines == wanted or (len(wanted) == 1 and wanted[0] in "\n".join(lines))


@each_row(
    ("line", "labels"),
    [
        ("numpy N,4 3,1", ["N = 1: A stretches", "N = 3: equal"]),
        ("pdpd 2,3 N", ["N = 1: B stretches", "N = 3: equal"]),
        ("numpy N,1 3", ["N = 2, say: B stretches"]),
        ("ncnn 2,N 2", ["N = 1: equal", "N = 2: B stretches", "N = 3, say: B stretches"]),
        (
            "numpy N M",
            [
                "N = 1, M = 2, say: A stretches",
                "M = 1, N = 2, say: B stretches",
                "N = M = 2, say: equal",
            ],
        ),
        ("none N,3 2,3", ["N = 2: equal"]),
        ("numpy N,2 1,M", ["M = 1, N = 3, say: B stretches", "M = 2, N = 3, say: B stretches"]),
    ],
)
def test_ways(line: str, labels: list[str]) -> None:
    """Unknown sizes have a figure for each way in which they fit, below the shapes as typed."""
    answer = answered(line)
    figure = of_answer(answer)
    assert [row.label for row in figure.rows] == labels
    shapes = [shape for _, shape in answer.operands]
    assert [block.shape for block in figure.rows[0].blocks] == [*shapes, answer.result]


@pytest.mark.parametrize("rule", in_turn(RULES, 2))
def test_each_way_is_numpys(rule: str) -> None:
    """Each figure has NumPy's numbers for its sizes, and all stretches that sizes allow are met."""
    seen = 0
    for answer in questions(rule, (1, 2, 3, "N", "M"), count=100 + many(2000), seed=SEED):
        if not answer.unknown_sizes or answer.ok is False:
            continue
        found = ways(answer)
        assert all(asked.ok for _, asked in found)
        figure = of_answer(answer)
        left_out = "".join(figure.captions).count(" = ")
        assert len({label for label, _ in found}) == len(found)
        for (label, asked), row in zip(found, figure.rows if figure.longest else (), strict=False):
            assert row.label == label
            first, *others = arrays(asked)
            if len(others) == 1 and not RULES[rule].second_is_target:
                assert cells(row.blocks[0]) == broadcast(first, *others)
                assert texts(row.blocks[-1]) == (first + others[0]).ravel().tolist()
                seen += 1
        decided = {*names_in(answer.condition)} >= {*answer.unknown_sizes}
        if figure.longest and not left_out and answer.ok is None and decided:
            sizes = (
                dict(zip(answer.unknown_sizes, each, strict=True))
                for each in product(range(1, 6), repeat=len(answer.unknown_sizes))
            )
            fitting = [asked for asked in map(answer.with_sizes, sizes) if asked.ok]
            assert {stretched(asked) for asked in fitting} == {stretched(a) for _, a in found}
    assert seen > 2 or RULES[rule].second_is_target


def stretched(answer: Answer) -> tuple[tuple[str, ...], ...]:
    """The names of the operands that stretch on each axis."""
    return tuple(axis.stretched for axis in answer.axes or ())


def test_ways_that_are_not_drawn() -> None:
    """Where there is no room for all ways, the others are named."""
    figure = of_answer(answered("numpy N,4 3,M"))
    assert len(figure.rows) == 3
    assert figure.captions == ("not drawn: N = 3, M = 4: equal",)


@each_row(
    ("line", "names"),
    [
        ("numpy N,3 4", "AB"),
        ("numpy 3..,3 2,1", "AB"),
        ("numpy N 4 5", "BC"),
        ("numpy ..4 4 5", "BC"),
        ("numpy 0,2 3,1 1,N", "AB"),
        ("none 3 3 1", "AC"),
    ],
)
def test_an_unknown_size_in_a_mismatch(line: str, names: str) -> None:
    """The operands drawn are those that clash; an unknown size is a bar, never one element."""
    figure = of_answer(answered(line))
    assert "".join(block.name for block in figure.blocks) == names
    for block in figure.blocks:
        is_open = any(isinstance(size, str) for size in block.shape)
        assert not (is_open and block.layers)


def test_a_name_is_no_obstacle() -> None:
    """An operand may be named as the picture names the result."""
    first = of_answer(answered("numpy result=N,3 4,1")).rows[0].blocks
    assert [block.shape for block in first] == [("N", 3), (4, 1), (4, 3)]


def test_without_values() -> None:
    """Without values cells are plain, of several operands too; what is stored stands out."""
    for line in ("numpy 2,1 3", "numpy 2,1 3 1", "numpy 2,1 3 1 3 1"):
        figure = of_answer(answered(line), PictureOptions(values=False))
        assert figure.longest == 0
        text = "\n".join(lines_of(figure))
        assert "■ □ □" in text
        assert "■ stored; □ repeated, not stored" in text


def test_a_target_has_a_row_of_its_own() -> None:
    """A target is an outline without values, apart from the rules that add B: A alone comes out."""
    rows = {row.label: row for row in of_comparison(compare.ask("3,3 3")).rows}
    assert list(rows) == ["numpy, onnx, onnx-uni, pdpd", "bidirectional", "ncnn"]
    a, target, result = rows["bidirectional"].blocks
    assert rows["bidirectional"].signs == ("", "→", "=")
    assert {cell.text for layer in target.layers for cells in layer for cell in cells} == {""}
    assert {cell.kind for layer in target.layers for cells in layer for cell in cells} == {
        Kind.OUTLINE
    }
    assert [[cell.text for cell in cells] for cells in result.layers[0]] == [
        [cell.text for cell in cells] for cells in a.layers[0]
    ]
    assert {cell.kind for cells in result.layers[0] for cell in cells} == {Kind.RESULT}
    assert any(cell.kind is Kind.DIFFERS for c in rows["ncnn"].blocks[-1].layers[0] for cell in c)


def test_too_many_axes() -> None:
    """Up to 32 axes there is a bar for each; above, a sentence takes the place of the picture."""
    most = ",".join(["3"] * MAX_DRAWN)
    assert len(of_answer(answered(f"numpy {most} 3")).axes) == MAX_DRAWN == 32
    said = "a picture has room for 32 axes, not for 33"
    assert lines_of(of_answer(answered(f"numpy 3,{most} 3"))) == [said]
    assert lines_of(of_answer(answered(f"numpy 3,{most} 4"))) == [said]
    assert lines_of(of_comparison(compare.ask(f"3,{most} 3"))) == [said]


def test_no_cells() -> None:
    """Where the result has no elements there is no cell, and the picture says so."""
    for line in ("numpy 2,0 1", "pdpd 0,3 3", "onnx 0"):
        figure = of_answer(answered(line))
        assert not figure.blocks[0].layers
        assert "no cells: the result has no elements" in lines_of(figure)[-1]


def test_order_does_not_matter() -> None:
    """Under ncnn the same arrays have the same picture, in whichever order they are typed."""
    for first, second in [("2,3,4 3,4", "4,3,2 4,3"), ("2,3 2", "3,2 2"), ("2,3,4 2", "4,3,2 2")]:
        one, other = (
            of_answer(answered(f"ncnn {shapes} --order {order}"))
            for shapes, order in ((first, "ncnn"), (second, "numpy"))
        )
        for block, same in zip(one.blocks, other.blocks, strict=True):
            assert [cell[:-1] for cell in block.cells] == [cell[:-1] for cell in same.cells]
        assert [b.letters for b in one.blocks] == [b.letters for b in other.blocks]


@pytest.mark.parametrize(
    ("line", "sizes"),
    [("2,3,4 3,4", "w 2, h 3, c 4"), ("4,3,2 4,3 --order numpy", "c 4, h 3, w 2")],
)
def test_one_order(line: str, sizes: str) -> None:
    """Titles name the axes of ncnn in the order typed, as sentences and bars do."""
    figure = of_answer(answered(f"ncnn {line}"))
    titles = [paper.METRICS.title(block, 0, 0).text for block in figure.blocks]
    other = sizes.replace("w 2", "").strip(", ")
    assert titles == [f"A ({sizes})", f"B ({other})", f"result ({sizes})"]
    order = [size[0] for size in sizes.split(", ")]
    assert [text.split()[1].rstrip(":") for text in figure.comparisons] == order
    large = of_answer(answered(f"ncnn {line.replace('4,', '400,').replace(',4', ',400')}"))
    assert list(large.axes) == order
    assert [edge.label for edge in large.blocks[0].extents] == [
        size[2:].replace("4", "400") for size in sizes.split(", ")
    ]


@each_row(
    "line",
    ["numpy 3,1 4", "numpy 3,4 3", "numpy 256,256,3 3", "numpy 8,1,6,1 7,1,5", "ncnn 2,3,2 3,2"],
)
def test_until(line: str) -> None:
    """All steps have the same room, and within boxes and within cells nothing moves or goes."""
    answer = answered(line)
    drawings = [
        paper.drawn(of_answer(answer, PictureOptions(until=step)), 1200, 560) for step in Step
    ]
    assert len({(drawing.width, drawing.height) for drawing in drawings}) == 1
    aligned, compared, stretched, whole = (set(drawing.marks) for drawing in drawings)
    assert aligned < compared
    assert stretched < whole if answer.ok else stretched == compared


def test_until_align_shows_no_answer() -> None:
    """In the first step there are the sizes, each below its axis: no result, no values."""
    figure = of_answer(answered("numpy 3,1 4"), PictureOptions(until=Step.ALIGN))
    text = "\n".join(lines_of(figure))
    assert "result" not in text
    assert "→" not in text
    assert re.findall(r"\d+", text)[:8] == [*"01213114"]


@pytest.mark.parametrize(
    "line",
    [
        *("numpy 2,3,1 4", "numpy 8,1,6,1 7,1,5", "numpy 3,4 3", "numpy 12 3,12 12 1", "numpy N M"),
        *("numpy 1,2 2,1 1 2 2,2", "numpy 2,0 1", "numpy a_rather_long_name=2,3 3", "ncnn 2,N 2"),
    ],
)
def test_never_wider_than_the_terminal_without_saying_so(line: str) -> None:
    """A picture wider than the terminal says so in its last line; otherwise it does not."""
    figure = of_answer(answered(line))
    for columns in range(20, 120, 7):
        lines = lines_of(figure, columns)
        widest = max(map(len, lines[:-1]), default=0)
        said = re.search(
            r"the picture is (\d+) columns wide, but the terminal has only (\d+)$", lines[-1]
        )
        if widest > columns:
            assert said, lines
            assert tuple(map(int, said.groups())) == (widest, columns)
        else:
            assert not said


@pytest.mark.parametrize("columns", [60, 100])
def test_in_a_real_terminal(columns: int) -> None:
    """A terminal's own width is what counts, and blocks that do not fit go below the others."""
    shown = screen(["numpy", "--picture", "3,4", "4"], columns).lines
    wanted = lines_of(of_answer(answered("numpy 3,4 4")), columns)
    assert shown[: len(wanted)] == wanted
    assert max(map(len, wanted)) <= columns
    assert ("result" in wanted[0]) == (columns == 100)


def test_an_axis_past_the_end_of_one_operand() -> None:
    """Where the result has no axis either, the operand without it has no bar on it."""
    lines = lines_of(of_answer(answered("pdpd 3,200,1 N axis=3")))
    [past] = [line for line in lines if line.startswith("axis 3 ")]
    assert past.split()[:4] == ["axis", "3", "??????", "N"]


def test_in_ascii() -> None:
    """Where only ASCII can be shown, the same is drawn with other characters, in line."""
    for rule in in_turn(RULES, 2):
        for answer in questions(rule, (*SIZES, 0, 500, "N", "M")):
            figure = of_answer(answer)
            plain, lines = lines_of(figure, boxes=False), lines_of(figure)
            assert all(map(str.isascii, plain))
            assert [len(line) for line in plain] == [len(line) for line in lines]
    assert lines_of(of_answer(answered("numpy 2,1 2")), boxes=False)[:6] == [
        "A 2,1              B 2             result 2,2",
        "+----+....+      | +----+----+     +----+----+",
        "|  0 |  0 :      | |  1 |  2 |     |  1 |  2 |",
        "+----+....+  +   | +----+----+  =  +----+----+",
        "| 10 | 10 :      | :  1 :  2 :     | 11 | 12 |",
        "+----+....+      v +....+....+     +----+----+",
    ]


def test_in_words() -> None:
    """The description says what stretches and what comes out, for those who do not see it."""
    assert of_answer(answered("numpy 4,1 3")).description == (
        "A (4, 1) stretches along axis 1, B (3,) stretches along axis 0; the result is (4, 3), "
        "row by row 1 2 3; 11 12 13; 21 22 23; 31 32 33"
    )
    assert of_answer(answered("numpy 3,4 3")).description == (
        "A (3, 4) and B (3,) do not broadcast: A has 4 and B has 3 on axis 1 (-1), and neither is 1"
    )


def test_with_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """--picture shows the picture, then notes, and last the answer; the status is the answer's."""
    assert main(["numpy", "--picture", "3,4", "3"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "A 3,4" in lines[3]
    assert lines[-1].startswith("mismatch: ")


def test_it_needs_no_library() -> None:
    """The picture is data: it is made without what tables are drawn with."""
    script = (
        "import sys, bcastcli.reports.figure, bcastcli.render.picture.terminal;"
        "print(sorted(m for m in sys.modules if 'rich' in m))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_the_options_offer_what_is_drawn() -> None:
    """They list it once more, since a command starts without what draws."""
    assert set(answer_options.OPERATIONS) == set(OPERATIONS)
    assert {theme.value for theme in answer_options.Theme} == set(THEMES)
    assert [until.name for until in answer_options.Until] == [step.name for step in Step]


@pytest.mark.parametrize("line", ["bidirectional 256,3 3", "bidirectional 256,3 4"])
def test_a_large_target_stores_nothing(line: str) -> None:
    """A target shape is an outline in bars too, in a mismatch as well."""
    drawing = paper.drawn(of_answer(answered(line)), 1200, 560)
    roles = {mark.role for mark in drawing.marks if isinstance(mark, Box) and mark.tint == 1}
    assert roles == {Role.OUTLINE}


def test_a_cross_is_between_the_cells() -> None:
    """Where the ranks are to blame, the cross between two operands touches neither."""
    drawing = paper.drawn(of_answer(answered("same-rank 2,1 3")), 1200, 560)
    [cross] = [mark for mark in drawing.marks if isinstance(mark, Cross)]
    boxes = [mark for mark in drawing.marks if isinstance(mark, Box)]
    lefts = [box.x + box.width for box in boxes if box.tint == 0]
    rights = [box.x for box in boxes if box.tint == 1]
    assert max(lefts) < cross.x - cross.size / 2 < cross.x + cross.size / 2 < min(rights)
