"""The picture: numbers in cells that NumPy confirms, laid out once for a terminal and for paper."""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, islice
from math import prod
from unittest.mock import Mock

import numpy as np
import pytest

from bcastcli.cli.main import main
from bcastcli.compare import command as compare
from bcastcli.compare.picture import of_comparison
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, Size
from bcastcli.notation.questions import answer_line
from bcastcli.picture import cells as layout_of_cells
from bcastcli.picture import command, paper, terminal
from bcastcli.picture.answers import IN_CELLS, MAX_DRAWN, of_answer
from bcastcli.picture.arrays import OPERATIONS
from bcastcli.picture.figure import Block, Direction, Figure, Kind, PictureOptions, Slot
from bcastcli.picture.layout import arrange, arrangements
from bcastcli.picture.marks import Box, Cross, Drawing, Role, Text
from bcastcli.reports.numpy_code import explicit_shapes
from bcastcli.rules import RULES
from tests.effort import SEED, in_turn, many
from tests.in_memory import run
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
    found = [(a, figure) for a, figure in pairs if a.ok and figure.blocks]
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


def drawn(figure: Figure) -> Drawing:
    """The figure on a slide."""
    drawing = paper.drawn(figure, 1200, 560)
    assert drawing
    return drawing


def lines_of(
    figure: Figure, columns: int | None = None, *, rows: int | None = None, boxes: bool = True
) -> list[str]:
    lines = terminal.drawn(figure, columns, rows, boxes=boxes)
    return ["".join(piece.text for piece in line) for line in lines]


def arrays(answer: Answer) -> list[np.ndarray]:
    """The operands as NumPy has them: A in tens; of more than two, the larger in smaller units."""
    shapes = [numbers(shape) for shape in explicit_shapes(answer) or ()]
    order = sorted(range(len(shapes)), key=lambda n: prod(shapes[n]) if len(shapes) > 2 else n)
    found = []
    for place, shape in enumerate(shapes):
        rank = order.index(place)
        unit = 10 ** max(min(max(len(answer.operands) - 1, 1), 2) - rank, 0)
        is_above_0 = rank > 0 or (len(shapes) > 2 and prod(shape) == 1)
        found.append(unit * (np.arange(prod(shape)) + is_above_0).reshape(shape))
    return found


def broadcast(array: np.ndarray, *others: np.ndarray) -> list[tuple[str, Kind]]:
    """The cells of an array that NumPy broadcasts with others: stored where an index is new."""
    index = np.broadcast_arrays(np.arange(array.size).reshape(array.shape), *others)[0].ravel()
    _, new = np.unique(index, return_index=True)
    kinds = [Kind.STORED if n in new else Kind.REPEATED for n in range(index.size)]
    return list(zip(map(str, array.ravel()[index].tolist()), kinds, strict=True))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in IN_CELLS])
def test_where_no_axis_may_be_missing_shapes_are_boxes(rule: str) -> None:
    """A box has each size, of the operands, of these stretched, and of the result; no cell has."""
    for answer in questions(rule, seed=SEED):
        figure = of_answer(answer)
        if not answer.axes:
            continue
        assert not figure.blocks
        assert figure.alignment is not None
        stretched = [
            [slot and slot.text for slot in own.slots] for own in figure.alignment.stretched
        ]
        sizes = [*map(str, answer.result or ())]
        count = 2 if answer.rule.second_is_target else len(answer.operands) + 1
        assert stretched == ([] if answer.ok is False else [sizes] * count)
        ends = [line for line in lines_of(figure) if line.lstrip()[:1] in ("└", "╚")]
        assert ends
        assert answer.ok is False or len(ends) == 2


@pytest.mark.parametrize("rule", IN_CELLS)
def test_every_number_is_numpys(rule: str) -> None:
    """Each cell has the number that NumPy has there, stored or repeated, whatever the rule.

    A target is not drawn: A alone comes out.
    """
    asked = questions(rule, count=40 * many(500), seed=SEED)
    drawn = ((answer, of_answer(answer)) for answer in asked if answer.ok)
    found = list(islice((pair for pair in drawn if pair[1].longest and pair[1].blocks), many(500)))
    assert len(found) == many(500)
    for answer, figure in found:
        whole = np.zeros(np.broadcast(*arrays(answer), 0).shape, int)
        wanted = arrays(answer)[: 1 if RULES[rule].second_is_target else None]
        *operands, result = map(cells, figure.blocks)
        assert operands == [broadcast(array, whole) for array in wanted], answer.operands
        summed = sum(np.broadcast_to(array, whole.shape) for array in wanted)
        assert result == [(str(number), Kind.RESULT) for number in np.ravel(summed)]


@each_row("sign", OPERATIONS)
def test_operators(sign: str) -> None:
    """The result is what Python's own operator makes of the numbers above it, which suit it."""
    for line, *shapes in (("3,1 4", (3, 1), (4,)), ("3 ()", (3,), ()), ("3 3", (3,), (3,))):
        figure = of_answer(answered(f"numpy {line}"), PictureOptions(operation=sign))
        one, other = (
            np.array([int(cell.text) for cell in block.cells if cell.kind is Kind.STORED])
            for block in figure.blocks[:2]
        )
        operands = {"one": one.reshape(shapes[0]), "other": other.reshape(shapes[1])}
        wanted = eval(f"one {sign} other", operands).ravel()
        for (text, _), value in zip(cells(figure.blocks[-1]), wanted, strict=True):
            shown = {"T": 1.0, "F": 0.0}.get(text)
            found = float(text) if shown is None else shown
            assert found == pytest.approx(float(value), abs=0.005)
        assert wanted.dtype != bool or len({*wanted.tolist()}) == 2, "only one outcome"


def test_numbers_of_ones_own() -> None:
    """An operand's own numbers take the place of those that would be made up."""
    look = PictureOptions("*", given=([1, 2.5, -3], ()))
    shown = [
        [text for text, _ in cells(block)]
        for block in of_answer(answered("numpy 3 ()"), look).blocks
    ]
    assert shown == [["1", "2.5", "-3"], ["2", "2", "2"], ["2", "5", "-6"]]


@pytest.mark.parametrize("rule", IN_CELLS)
def test_one_arrow_for_each_stretch(rule: str) -> None:
    """An arrow for each axis along which an operand stretches, with its name if there is room."""
    for answer, figure in figures(rule):
        for name, block in zip(answer.operand_names, figure.blocks[:-1], strict=False):
            stretched = [
                a.label or f"axis {a.number}" for a in answer.axes or () if name in a.stretched
            ]
            named = [arrow.label.rpartition(" ")[0] for arrow in block.arrows]
            assert len(named) == len(stretched)
            assert set(named) <= {*stretched, ""}
            assert "" not in named or rule == "ncnn" or len(answer.operands) > 2


@pytest.mark.parametrize("rule", in_turn(IN_CELLS, 2))
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
        drawing = drawn(figure)
        in_cells = bool(figure.blocks)
        missing = [block.missing for block in figure.blocks if block.missing]
        crosses = sum(each.way is not Direction.LAYERS for each in missing)
        crosses += sum(row.crossed for row in figure.rows)
        assert sum(isinstance(mark, Cross) for mark in drawing.marks) == crosses
        assert sum(line.count("╳") for line in lines_of(figure)) == crosses
        assert in_cells or (figure.alignment and not figure.alignment.stretched)
        for block in figure.blocks:
            shape = dict(answer.operands)[block.name]
            kinds = {kind for _, kind in cells(block)}
            assert kinds <= {Kind.STORED, Kind.OUTLINE}
            assert not kinds or len(cells(block)) == prod(numbers(shape))
            assert not block.arrows
        if seen == many(250):
            break
    assert seen > 3


@each_row(
    ("line", "boxed"),
    [
        ("numpy 4,3 4", [[], ["4"]]),
        ("numpy 3,4 3", [["30", "70", "110"], []]),
        ("numpy 3,2 2,2", [["40", "50"], []]),
        ("numpy 3,4 2,5", [["80", "90", "100", "110"], ["5", "10"]]),
        ("pdpd 2,3 3 --axis 0", [[], ["3"]]),
        ("ncnn 2,3 3,2", [["40", "50"], ["3", "6"]]),
    ],
)
def test_the_surplus_is_boxed(line: str, boxed: list[list[str]]) -> None:
    """On paper a box holds the cells that have no partner on each axis that clashes, no other."""
    figure = of_answer(answered(line))
    drawing = drawn(figure)
    boxes = [m for m in drawing.marks if isinstance(m, Box) and m.role.value == "surplus"]
    inside = [
        mark.text
        for mark in drawing.marks
        for box in boxes
        if isinstance(mark, Text)
        and box.x <= mark.x <= box.x + box.width
        and box.y <= mark.y <= box.y + box.height
    ]
    assert sorted(inside) == sorted(boxed[0] + boxed[1])
    owners = [bool(block.surplus) for block in figure.blocks]
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
        if answer.ok is not False or not figure.blocks:
            continue
        crosses = [m for m in drawn(figure).marks if isinstance(m, Cross)]
        if place == len(one) - 3:  # between slices there is none
            assert not crosses
            continue
        [cross] = crosses
        boxes = [m for m in drawn(figure).marks if isinstance(m, Box)]
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
        assert row.refused
        assert row._replace(label="", refused=False) == own.rows[0]
        assert figure.comparisons == tuple(f"numpy: {text}" for text in own.comparisons)
        assert sum(text.count("╳") for text in lines_of(figure)) == (line != "2,3,4,5 2,3,3,5")


def test_the_larger_of_two_sizes_has_the_longer_box() -> None:
    """A box is as long as every other one with its size, and longer than those with a smaller."""
    draw = random.Random(SEED)
    lines = ["200,8 7", "100 99", "64,1 128,3", "1000 2 999", "200,N M", "none 3,4 4"]
    lines += [" ".join(f"50,{draw.randint(2, 999)},1" for _ in "AB") for _ in range(many(60))]
    for line in lines:
        figure = of_answer(answered(line if line[0] == "n" else f"numpy {line}"))
        assert figure.alignment
        order = figure.alignment.sizes
        [way] = arrangements(figure)
        for glyphs in (False, True):
            metrics = terminal.metrics(figure, glyphs=glyphs)
            for drawing in (drawn(figure), arrange(figure, metrics, way).drawing):
                boxes = (m for m in drawing.marks if isinstance(m, Box) and m.role != Role.SURPLUS)
                texts = (m for m in drawing.marks if isinstance(m, Text) and m.text in order)
                placed = {(m.tint, m.y, m.x): m for m in boxes}
                lengths: dict[str, set[float]] = {size: set() for size in order}
                for text in texts:
                    for box in placed.values():
                        within = 0 <= text.y - box.y <= box.height + 1
                        if (
                            within
                            and box.x < text.x <= box.x + box.width + 1
                            and text.role is box.role
                        ):
                            lengths[text.text].add(box.width)
                assert all(len(each) == 1 for each in lengths.values())
                assert [*chain(*lengths.values())] == sorted({*chain(*lengths.values())})


@each_row(
    ("line", "names"), [("numpy N,3 4", "AB"), ("numpy N 4 5", "BC"), ("numpy 0,2 3,1 1,N", "AB")]
)
def test_an_unknown_size_in_a_mismatch(line: str, names: str) -> None:
    """What clashes is drawn or marked; an unknown size is in a box, never one element in a cell."""
    figure = of_answer(answered(line))
    shapes = figure.alignment.shapes if figure.alignment else ()
    clashing = [each.name for each in shapes if any(slot and slot.clashes for slot in each.slots)]
    assert "".join([block.name for block in figure.blocks] + clashing) == names
    assert all(isinstance(size, int) for block in figure.blocks for size in block.shape)


def test_too_many_axes() -> None:
    """Up to 32 axes each has a column; above, a sentence takes the place of the picture."""
    most = ",".join(["3"] * MAX_DRAWN)
    boxes = of_answer(answered(f"numpy {most} 3")).alignment
    assert boxes
    assert len(boxes.signs) == MAX_DRAWN == 32
    said = "a picture has room for 32 axes, not for 33"
    assert lines_of(of_answer(answered(f"numpy 3,{most} 3"))) == [said]
    assert lines_of(of_answer(answered(f"numpy 3,{most} 4"))) == [said]
    assert lines_of(of_comparison(compare.ask(f"3,{most} 3"))) == [said]


def test_no_cells() -> None:
    """Where the result has no elements there is no cell, and the picture says so."""
    for line in ("numpy 2,0 1", "pdpd 0,3 3", "onnx 0"):
        figure = of_answer(answered(line))
        assert not figure.blocks
        assert "no cells: the result has no elements" in "\n".join(lines_of(figure))


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
    """Titles name the axes of ncnn in the order typed, as sentences and boxes do."""
    figure = of_answer(answered(f"ncnn {line}"))
    titles = [f"{block.name} {paper.METRICS.sizes(block)}" for block in figure.blocks]
    other = sizes.replace("w 2", "").strip(", ")
    assert titles == [f"A ({sizes})", f"B ({other})", f"result ({sizes})"]
    order = [size[0] for size in sizes.split(", ")]
    assert [text.split()[1].rstrip(":") for text in figure.comparisons] == order
    large = of_answer(answered(f"ncnn {line.replace('4,', '400,').replace(',4', ',400')}"))
    assert large.alignment
    assert list(large.alignment.heads[0]) == order
    assert [slot and slot.text for slot in large.alignment.shapes[0].slots] == [
        size[2:].replace("4", "400") for size in sizes.split(", ")
    ]


@pytest.mark.parametrize(
    "line",
    [
        *("numpy 2,3,1 4", "numpy 8,1,6,1 7,1,5", "numpy 3,4 3", "numpy 12 3,12 12 1", "numpy N M"),
        *("numpy 1,2 2,1 1 2 2,2", "numpy 2,0 1", "numpy a_rather_long_name=2,3 3", "ncnn 2,N 2"),
    ],
)
def test_never_wider_than_the_terminal(line: str) -> None:
    """In place of a picture that is wider than the terminal stands how wide it is."""
    figure = of_answer(answered(line))
    for columns in range(20, 120, 7):
        lines = lines_of(figure, columns)
        assert max(map(len, lines)) <= columns or "_" in line, lines
        said = re.search(r"no picture: it needs (\d+) columns, and .* (\d+)$", " ".join(lines))
        is_drawn = any("─" in text or "■" in text for text in lines)
        assert bool(said) != is_drawn or not figure.rows, lines
        assert not said or int(said[1]) > int(said[2]) == columns


@pytest.mark.parametrize("columns", [60, 100])
def test_in_a_real_terminal(columns: int) -> None:
    """A terminal's own size is what counts: what is too high below each other has small cells."""
    shown = screen(["numpy", "--picture", "3,4", "4"], columns).lines
    wanted = lines_of(of_answer(answered("numpy 3,4 4")), columns, rows=20)
    assert shown[: len(wanted)] == wanted
    assert max(map(len, wanted)) <= columns
    assert len(wanted) <= 20
    assert ("■ ■ ■ ■" in wanted[1]) == (columns == 60)


def test_step_by_step() -> None:
    """--step shows a frame for each Enter, and q ends it."""
    typed = ["numpy", "--picture", "--step", "4,1", "3"]
    for keys, count in (("q\n", 1), ("\n\nq\n", 3), ("\n\n\n", 4)):
        before, *frames = screen(typed, 80, typed=keys).sent.split("\x1b[H\x1b[2J")
        assert (before, len(frames)) == ("", count)
        assert ["┊" in frame for frame in frames] == [n > 0 for n in range(count)]
        assert ["result 4,3" in frame for frame in frames] == [n > 2 for n in range(count)]
    assert run([*typed, "5"], b"q\n", terminal=True, typing=True).status == 1, "the answer's"
    assert run(typed).err == "bcastcli: --step needs a terminal\n"


@each_row("line", ["numpy 8,1,6,1 7,1,5", "numpy 2,3,4,5 5 4,1 3,1,1"])
def test_boxes_in_a_low_terminal(line: str) -> None:
    """Boxes have a line each where they are too high otherwise: all sizes are there, none moves."""
    high, low = (lines_of(of_answer(answered(line)), 80, rows=rows) for rows in (99, 8))
    assert len(low) < len(high)
    assert [re.findall(r"\w+", each) for each in low] == [
        found for each in high if (found := re.findall(r"\w+", each))
    ]


def test_an_axis_past_the_end_of_one_operand() -> None:
    """Where the result has no axis either, the operand without it has no box on it."""
    boxes = of_answer(answered("pdpd 3,200,1 N axis=3")).alignment
    assert boxes
    assert [shape.slots[3] for shape in boxes.shapes] == [None, Slot("N")]


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


def test_one_of_many_rooms_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many sizes and arrangements are measured, each cell is drawn once."""
    figure, cell = of_answer(answered("numpy 3,3 3")), Mock(wraps=layout_of_cells._cell)
    monkeypatch.setattr(layout_of_cells, "_cell", cell)
    drawn(figure)
    assert cell.call_count == sum(len(block.cells) for block in figure.blocks)


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
        "import sys, bcastcli.picture.answers, bcastcli.picture.terminal;"
        "print(sorted(m for m in sys.modules if 'rich' in m))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_the_options_offer_what_is_drawn() -> None:
    """They list it once more, since a command starts without what draws."""
    assert set(command.OPERATIONS) == set(OPERATIONS)


def test_arrays_of_matlab_have_two_axes() -> None:
    """A typed 3 is drawn as the column that it is there; the answer stays as it was typed."""
    lines = run(["octave", "--picture", "3", "scalar"]).out.splitlines()
    assert lines[0].split() == ["A", "3,1", "B", "1,1", "result", "3,1"]
    assert lines[-2].endswith("there it is 3,1")
    assert lines[-1] == "3"
