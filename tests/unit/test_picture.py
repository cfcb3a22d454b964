"""The picture: blocks in which what is stored is solid, drawn from the answer alone."""

import os
import pty
import random
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from math import prod

import pytest

from bcastcli.cli.main import main
from bcastcli.core.answer import Answer, Operand
from bcastcli.core.shapes import Shape, Size
from bcastcli.notation.questions import ask
from bcastcli.render import Style
from bcastcli.render.drawing import drawn
from bcastcli.reports.picture import ARROW, Block, Picture, of_answer
from bcastcli.rules import RULES
from tests.cli.test_table import until_closed
from tests.effort import each_once, many

RANDOM = many(400)
"""As many questions for each rule."""
UNICODE, ASCII = Style(boxes=True), Style(boxes=False)
SIZES: tuple[Size, ...] = (1, 1, 2, 3, 4)


def answered(line: str) -> Answer:
    """The answer to a question with its rule in front, and the options behind."""
    rule, *rest = line.split()
    options: dict[str, int | str] = {}
    while rest[-2:-1] and rest[-2].startswith("--"):
        *rest, option, value = rest
        options[option.removeprefix("--")] = int(value) if option == "--axis" else value
    return ask(RULES[rule], " ".join(rest), options)


def questions(rule: str, sizes: tuple[Size, ...] = SIZES) -> Iterator[Answer]:
    """Random questions to a rule, many of which broadcast."""
    draw = random.Random(rule)
    for _ in range(RANDOM):
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
        yield Answer(RULES[rule], [Operand(f"X{i}", s) for i, s in enumerate(shapes)], options)


def pictures(rule: str) -> list[tuple[Answer, Picture]]:
    """Random answers with pictures that show each cell."""
    pairs = [(answer, of_answer(answer)) for answer in questions(rule)]
    found = [(answer, picture) for answer, picture in pairs if picture.by_cell]
    assert len(found) > RANDOM / 10
    return found


def numbers(shape: tuple[Size, ...] | None) -> list[int]:
    assert shape is not None
    return [size for size in shape if isinstance(size, int)]


def cells(block: Block) -> list[bool]:
    """The cells in reading order."""
    return [stored for layer in block.layers for row in layer for stored in row]


def lines_of(picture: Picture, style: Style) -> list[str]:
    return ["".join(cell.text for cell in line) for line in drawn(picture, style)]


def drawn_blocks(picture: Picture, style: Style) -> list[str]:
    """What is drawn of each block: where each one stands in rows of its own."""
    titles = [f"{before:1} {block.title}" for before, block in picture.blocks]
    if not style.boxes:
        titles = [title.replace("∘", "o") for title in titles]
    text = "\n".join(lines_of(picture, style._replace(columns=1)))
    blocks = []
    for title, following in zip(titles, [*titles[1:], ""], strict=True):
        text = text[text.index(title) + len(title) :]
        blocks.append(text[: text.index(following)] if following else text)
    # The words below the picture are none of the last block.
    return [*blocks[:-1], re.split(r"(?m)^[■#]", blocks[-1])[0]]


@pytest.mark.parametrize("rule", RULES)
def test_cells_are_counted(rule: str) -> None:
    """Solid cells of an operand are its elements; each block has as many cells as the result."""
    for answer, picture in pictures(rule):
        size = prod(numbers(answer.result))
        for operand, block in zip(answer.operands, picture.operands, strict=True):
            assert sum(cells(block)) == prod(numbers(operand.shape)), picture
            assert len(cells(block)) == size
        assert cells(picture.result) == [True] * size


@each_once
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("style", "solid", "faint"), [(UNICODE, "■", "□"), (ASCII, "#", ".")])
def test_drawn_cells_are_counted(rule: str, style: Style, solid: str, faint: str) -> None:
    """So are those of the drawn blocks, in characters that differ by more than their color."""
    for answer, picture in pictures(rule):
        size = prod(numbers(answer.result))
        *operands, result = drawn_blocks(picture, style)
        for operand, block in zip(answer.operands, operands, strict=True):
            assert block.count(solid) == prod(numbers(operand.shape)), block
            assert block.count(solid) + block.count(faint) == size
        assert (result.count(solid), result.count(faint)) == (size, 0)


@pytest.mark.parametrize("rule", RULES)
def test_an_element_is_stored_where_it_is_first_needed(rule: str) -> None:
    """Going through the result, an operand's cell is solid when its element is met first."""
    for answer, picture in pictures(rule):
        axes = picture.axes
        assert set(axes) == set(answer.axes or ())
        for place, block in enumerate(picture.operands):
            met: set[tuple[int, ...]] = set()
            for index, stored in zip(
                product(*(range(int(axis.result or 0)) for axis in axes)), cells(block), strict=True
            ):
                element = tuple(
                    at
                    for at, axis in zip(index, axes, strict=True)
                    if axis.sizes[place] not in (1, None)
                )
                assert stored == (element not in met), picture
                met.add(element)


@pytest.mark.parametrize("rule", RULES)
def test_bars(rule: str) -> None:
    """Anything else has one bar for each axis: its size, and what it is stretched to if it is."""
    seen = 0
    for answer in questions(rule, (*SIZES, 0, 500, "N", "M")):
        picture = of_answer(answer)
        if picture.by_cell:
            continue
        seen += 1
        text = lines_of(picture, UNICODE)
        for axis in answer.axes or ():
            if axis.conflict:
                assert re.search(rf"(?m)^axis {axis.label or axis.number} +!", "\n".join(text))
        for place, block in enumerate(picture.operands):
            assert len(block.extents) == len(picture.axes)
            for axis, extent in zip(picture.axes, block.extents, strict=True):
                own, (size, _, stretched) = axis.sizes[place], extent.size.partition(ARROW)
                assert size in (["", "(1)"] if own is None else [str(own)])
                assert stretched == (str(axis.result) if block.name in axis.stretched else "")
                assert extent.repeated == 0 or stretched
                assert (extent.stored == 1 and extent.repeated > 0) or stretched in ("", "0")
    assert seen > RANDOM / 10


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            "numpy 3,1 4",
            """\
              |  A 3,1     ∘ B 4       = result 3,4
              |  ■ □ □ □     ■ ■ ■ ■     ■ ■ ■ ■
              |  ■ □ □ □     □ □ □ □     ■ ■ ■ ■
              |  ■ □ □ □     □ □ □ □     ■ ■ ■ ■
              |■ stored
              |□ repeated, not stored
              |axis 0 down, axis 1 across""",
        ),
        (
            "ncnn 1,2,2 2",
            """\
              |              A 1,2,2   ∘ B 2   = result 1,2,2
              |axis c: 0     ■           ■       ■
              |              ■           □       ■
              |
              |axis c: 1     ■           ■       ■
              |              ■           □       ■
              |■ stored
              |□ repeated, not stored
              |axis c layer by layer, axis h down, axis w across""",
        ),
        (
            "numpy 3,4 3",
            """\
              |              A 3,4      ∘ B 3            = no result
              |axis 0  B     ██████ 3     █░░░░░ (1)→3
              |axis 1  !     ██████ 4     ████   3
              |█ stored
              |░ repeated, not stored
              |lengths compare within a line""",
        ),
        (
            "numpy N,4 3,4",
            """\
              |              A N,4      ∘ B 3,4      = result 3,4
              |axis 0  ?     ?????? N     ██████ 3     ██████ 3
              |axis 1  =     ██████ 4     ██████ 4     ██████ 4
              |█ stored
              |? stored or repeated: it depends
              |lengths compare within a line""",
        ),
        (
            "bidirectional () 2",
            """\
              |  A ()   ∘ target 2   = result 2
              |  ■ □      ■ ■          ■ ■
              |■ stored
              |□ repeated, not stored
              |axis 0 across
              |target is a shape: nothing of it is stored""",
        ),
        (
            "numpy ()",
            """\
              |  A ()   = result ()
              |  ■        ■""",
        ),
        ("ncnn 2,N 2", "  A 2,N   ∘ B 2   = result 2,N"),
    ],
)
def test_in_full(line: str, shown: str) -> None:
    """A stretch on both sides, three axes w first, a clash, an unknown size, scalars, no layout."""
    wanted = re.sub(r"(?m)^ *\|", "", shown).splitlines()
    assert lines_of(of_answer(answered(line)), UNICODE) == wanted


def test_no_cells() -> None:
    """Where the result has no elements there is no cell, and the picture says so."""
    for line in ("numpy 2,0 1", "pdpd 0,3 3", "onnx 0"):
        picture = of_answer(answered(line))
        assert not picture.by_cell
        assert lines_of(picture, UNICODE)[-1] == "no cells: the result has no elements"


def test_order_does_not_matter() -> None:
    """Under ncnn the same arrays have the same picture, in whichever order they are typed."""
    for first, second in [("2,3,4 3,4", "4,3,2 4,3"), ("2,3 2", "3,2 2"), ("2,3,4 2", "4,3,2 2")]:
        one, other = (
            of_answer(answered(f"ncnn {shapes} --order {order}"))
            for shapes, order in ((first, "ncnn"), (second, "numpy"))
        )
        assert [axis.label for axis in one.axes] == [axis.label for axis in other.axes]
        assert [b.layers for b in one.operands] == [b.layers for b in other.operands]


@pytest.mark.parametrize(
    "line",
    [
        *("numpy 2,3,1 4", "numpy 8,1,6,1 7,1,5", "numpy 3,4 3", "numpy 12 3,12 12 1", "numpy N M"),
        *("numpy 1,2 2,1 1 2 2,2", "numpy 2,0 1", "numpy a_rather_long_name=2,3 3", "ncnn 2,N 2"),
    ],
)
def test_never_wider_than_the_terminal_without_saying_so(line: str) -> None:
    """A block wider than the terminal is announced below, with both widths; otherwise none is."""
    least = 0
    for columns in range(1, 90):
        lines = lines_of(of_answer(answered(line)), UNICODE._replace(columns=columns))
        widest = max(map(len, lines))
        text = re.sub(r"\s", "", "".join(lines))
        said = re.search(r"thepictureis(\d+)columnswide,andtheterminal(\d+)$", text)
        if widest > columns:
            assert said, lines
            assert tuple(map(int, said.groups())) == (widest, columns)
            least = least or widest
            assert widest == least, "blocks stand below each other first"
        else:
            assert not said


@pytest.mark.parametrize("columns", [30, 47, 48, 100])
def test_in_a_real_terminal(columns: int) -> None:
    """A terminal's own width is what counts, and blocks that do not fit go below the others."""
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    reader, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "bcastcli", "numpy", "--picture", "2,3,1", "4"],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        env={**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
    ):
        os.close(terminal)
        shown = b"".join(iter(lambda: until_closed(reader), b"")).decode().splitlines()
    os.close(reader)
    style = UNICODE._replace(columns=columns)
    wanted = lines_of(of_answer(answered("numpy 2,3,1 4")), style)
    assert shown[: len(wanted)] == wanted
    assert max(map(len, wanted)) <= columns
    assert ("result" in wanted[0]) == (columns >= 52)


def test_in_ascii() -> None:
    """Where only ASCII can be shown, the same is drawn with other characters, in line."""
    for rule in RULES:
        for answer in questions(rule, (*SIZES, 0, 500, "N", "M")):
            rows = [line for line in lines_of(of_answer(answer), ASCII) if line[:5] == "axis "]
            assert all(map(str.isascii, rows))
    lines = lines_of(of_answer(answered("numpy 20,3,1 4")), ASCII)
    assert lines == [
        "              A 20,3,1      o B 4              = result 20,3,4",
        "axis 0  B     ###### 20       #..... (1)->20     ###### 20",
        "axis 1  B     ###### 3        #..... (1)->3      ###### 3",
        "axis 2  A     #..... 1->4     ###### 4           ###### 4",
        "# stored",
        ". repeated, not stored",
        "lengths compare within a line",
    ]


def test_with_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """--picture shows the picture, then notes, and last the answer; the status is the answer's."""
    assert main(["numpy", "--picture", "3,4", "3"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["A", "3,4", "∘", "B", "3", "=", "no", "result"]
    assert lines[-1].startswith("no broadcast: ")


def test_it_needs_no_library() -> None:
    """The picture is data: it is made without what tables are drawn with."""
    loaded = "print(sorted(m for m in sys.modules if 'rich' in m))"
    script = f"import sys, bcastcli.reports.picture; {loaded}"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
