"""The picture: numbers in cells that NumPy confirms, laid out once for a terminal and a slide."""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from math import prod

import numpy as np
import pytest

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size
from bcastcli.notation.questions import answer_line
from bcastcli.picture import svg, terminal
from bcastcli.picture.answers import IN_CELLS, PicturedReport, of_answer, of_shapes
from bcastcli.picture.arrays import OPERATIONS
from bcastcli.picture.drawing import Box, Role, Text
from bcastcli.picture.figure import Block, Figure, Kind, PictureOptions
from bcastcli.picture.words import sentence, written_out
from bcastcli.reports.numpy_code import explicit
from bcastcli.rules import RULES
from tests.effort import SEED, in_turn, many
from tests.in_memory import run
from tests.rows import each_row
from tests.strategies import random_answers
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
    """Random questions to a rule, with names that no size has."""
    for answer in islice(
        random_answers(rule, random.Random(f"{rule}{seed}"), sizes, 3), count or many(800)
    ):
        operands = [Operand(f"X{n}", shape) for n, (_, shape) in enumerate(answer.operands)]
        yield answer.question.with_operands(operands).answer()


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


def slides_of(line: str) -> list[svg.Svg]:
    """The slide of a question."""
    return svg.slides(PicturedReport(answered(line), picture=PictureOptions()).sheet())


def lines_of(
    figure: Figure, columns: int | None = None, *, rows: int | None = None, boxes: bool = True
) -> list[str]:
    lines = terminal.drawn(figure, columns, rows, boxes=boxes)
    return ["".join(piece.text for piece in line) for line in lines]


def arrays(answer: Answer) -> list[np.ndarray]:
    """The operands as NumPy has them: A in tens, of more than two in hundreds."""
    first = min(max(len(answer.operands) - 1, 1), 2)
    shapes = [numbers(each.shape) for each in explicit(answer)]
    return [
        10 ** max(first - place, 0) * (np.arange(prod(shape)) + (place > 0)).reshape(shape)
        for place, shape in enumerate(shapes)
    ]


def broadcast(array: np.ndarray, *others: np.ndarray) -> list[tuple[str, Kind]]:
    """The cells of an array that NumPy broadcasts with others: stored where an index is new."""
    index = np.broadcast_arrays(np.arange(array.size).reshape(array.shape), *others)[0].ravel()
    _, new = np.unique(index, return_index=True)
    kinds = [Kind.STORED if n in new else Kind.REPEATED for n in range(index.size)]
    return list(zip(map(str, array.ravel()[index].tolist()), kinds, strict=True))


@pytest.mark.parametrize("rule", IN_CELLS)
def test_every_number_is_numpys(rule: str) -> None:
    """Each cell has the number that NumPy has there, stored or repeated, whatever the rule.

    A target is not drawn: A alone comes out.
    """
    answers = questions(rule, count=40 * many(500), seed=SEED)
    drawn = ((answer, of_answer(answer)) for answer in answers if answer.ok)
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
        refusal = re.search(r"no picture: it needs (\d+) columns, and .* (\d+)$", " ".join(lines))
        is_drawn = any(re.search("─|^axis  ", text) for text in lines)
        assert bool(refusal) != is_drawn or not figure.rows, lines
        assert not refusal or int(refusal[1]) > int(refusal[2]) == columns


@pytest.mark.parametrize("columns", [60, 100])
def test_in_a_real_terminal(columns: int) -> None:
    """A terminal's own size is what counts: shapes take the place of arrays that are too high."""
    shown = screen(["numpy", "--picture", "3,4", "4"], columns).lines
    wanted = lines_of(of_answer(answered("numpy 3,4 4")), columns, rows=20)
    assert shown[: len(wanted)] == wanted
    assert max(map(len, wanted)) <= columns
    assert len(wanted) <= 20
    assert wanted[0].startswith("axis") == (columns == 60)


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


@each_row(
    ("text", "width", "lines"),
    [
        *(("ab cd", 5, ["ab cd"]), ("a   b", 5, ["a   b"]), ("ab cd", 4, ["ab", "cd"])),
        ("A (4, 1) x[0, 1] b", 8, ["A (4, 1)", "x[0, 1]", "b"]),
        ("A (4, 1) x[0, 1] b", 7, ["A (4,", "1)", "x[0, 1]", "b"]),
        ("in long_words on 1", 5, ["in", "long_words", "on 1"]),
    ],
)
def test_wrapping(text: str, width: int, lines: list[str]) -> None:
    """Lines are wrapped between words; a name with its shape is one where it has room."""
    assert terminal.metrics(Figure(())).wrapped(text, width) == lines


def test_it_needs_no_library() -> None:
    """The picture is data: it is made without what tables are drawn with."""
    script = (
        "import sys, bcastcli.picture.answers, bcastcli.picture.terminal;"
        "print(sorted(m for m in sys.modules if 'rich' in m))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize("rule", RULES)
def test_aligned_shapes(rule: str) -> None:
    """Each size stands below its axis, `·` for a missing one, and the result last.

    An arrow is at what stretches, and `!` at the sizes that clash, of which none stretches.
    """
    for answer in questions(rule, (*SIZES, 0, 224, "N"), seed=SEED):
        if not answer.axes:
            continue
        alignment = of_shapes(answer).alignment
        assert alignment
        operands = alignment.shapes[: len(answer.operands)]
        results = alignment.shapes[len(answer.operands) :]
        for place, shape in enumerate(operands):
            name = answer.operand_names[place]
            for axis, slot in zip(answer.axes, shape.slots, strict=True):
                size = axis.sizes[place]
                assert slot.text == (str(size) if size is not None else slot.text)
                assert size is not None or slot.text in ("·", "")
                assert (slot.mark == "→") == (answer.ok is not False and name in axis.stretched)
                assert slot.mark != "!" or axis.conflict
        if not answer.layout.refusal:
            for n, axis in enumerate(answer.axes):
                assert bool(axis.conflict) == ("!" in {shape.slots[n].mark for shape in operands})
        sizes = [[slot.text for slot in result.slots] for result in results]
        wanted = [str(axis.result) for axis in answer.axes if axis.result is not None]
        assert [[text for text in own if text] for own in sizes] == [wanted] * (
            answer.ok is not False
        )


@each_row(
    ("line", "boxed"),
    [
        ("numpy 4,3 4", [[], ["4"]]),
        ("numpy 3,4 3", [["30", "70", "110"], []]),
        ("numpy 3,2 2,2", [["40", "50"], []]),
        ("numpy 3,4 2,5", [["80", "90", "100", "110"], ["5", "10"]]),
        ("pdpd 2,3 3 --axis 0", [[], ["3"]]),
        ("ncnn 2,3 3,2", [["40", "50"], ["3", "6"]]),
        ("numpy 2,2,2 3,2,2", [[], ["9", "10", "11", "12"]]),
    ],
)
def test_the_surplus_is_boxed(line: str, boxed: list[list[str]]) -> None:
    """A box holds the cells that have no partner on each axis that clashes, and no other."""
    figure = of_answer(answered(line))
    marks = [mark for own in slides_of(line) for mark in own.drawing.marks]
    boxes = [m for m in marks if isinstance(m, Box) and m.role is Role.SURPLUS]
    inside = [
        mark.text
        for mark in marks
        for box in boxes
        if isinstance(mark, Text)
        and box.x <= mark.x <= box.x + box.width
        and box.y <= mark.y <= box.y + box.height
    ]
    assert sorted(inside) == sorted(boxed[0] + boxed[1])
    assert [bool(block.surplus) for block in figure.blocks] == [bool(own) for own in boxed]
    assert all(kind is Kind.STORED for block in figure.blocks for _, kind in cells(block))


@pytest.mark.parametrize(
    ("line", "sizes"),
    [("2,3,4 3,4", "w 2, h 3, c 4"), ("4,3,2 4,3 --order numpy", "c 4, h 3, w 2")],
)
def test_one_order(line: str, sizes: str) -> None:
    """Titles name the axes of ncnn in the order typed, as sentences and shapes do."""
    figure = of_answer(answered(f"ncnn {line}"))
    titles = [svg.PAPER.title(block, 1000) for block in figure.blocks]
    other = sizes.replace("w 2", "").strip(", ")
    assert titles == [f"A ({sizes})", f"B ({other})", f"result ({sizes})"]
    order = [size[0] for size in sizes.split(", ")]
    assert [text.split()[1].rstrip(":") for text in figure.comparisons] == order
    large = of_answer(answered(f"ncnn {line.replace('4,', '400,').replace(',4', ',400')}"))
    assert large.alignment
    assert list(large.alignment.heads[0]) == order
    assert [slot.text for slot in large.alignment.shapes[0].slots] == [
        size[2:].replace("4", "400") for size in sizes.split(", ")
    ]


def test_step_by_step() -> None:
    """--step shows a frame for each Enter, and q ends it; the picture need not be asked for."""
    typed = ["numpy", "--step", "4,1", "3"]
    for keys, count in (("q\n", 1), ("\n\nq\n", 3), ("\n\n\n", 4)):
        before, *frames = screen(typed, 80, typed=keys).sent.split("\x1b[H\x1b[2J")
        assert (before, len(frames)) == ("", count)
        assert ["┊" in frame for frame in frames] == [n > 0 for n in range(count)]
        assert ["result 4,3" in frame for frame in frames] == [n > 2 for n in range(count)]
    assert run([*typed, "5"], b"q\n", terminal=True, typing=True).status == 1, "the answer's"
    assert run(typed).err == "bcastcli: --step needs a terminal\n"


@each_row("rule", ["numpy", "pdpd"])
def test_written_out(rule: str) -> None:
    """What is written out in NumPy's words is, for NumPy, of the result's shape."""
    seen = 0
    for answer in questions(rule, seed=SEED):
        code = written_out(answer) if answer.ok and not answer.unknown_sizes else ""
        if code:
            arrays = {name: np.zeros(numbers(shape)) for name, shape in answer.operands}
            assert eval(code, arrays).shape == answer.result, code
            seen += 1
    assert seen > many(40)


@each_row("rule", ["numpy", "onnx", "left"])
def test_sentences_are_true(rule: str) -> None:
    """What is said of each axis holds for its sizes: what repeats, stretches, is equal or not."""
    count = 0
    for answer in questions(rule, seed=SEED):
        for axis in answer.axes or ():
            text = sentence(answer, axis)
            pairs = list(zip(answer.operand_names, axis.sizes, strict=True))
            named = set(re.findall(r"X\d", text))
            if " no such axis" in text:
                assert named == {name for name, size in pairs if size is None}
                assert text.endswith(f" {axis.result} times")
            elif "stretch" in text:
                assert named == {name for name, size in pairs if size != axis.result}
                assert text.endswith(f"to {axis.result}")
            elif text.endswith("equal"):
                assert {size for _, size in pairs} - {None} == {axis.result}
            elif " is 1" in text:
                assert len({size for _, size in pairs} - {1, None}) > 1
            count += bool(named)
    assert count > many(100)
