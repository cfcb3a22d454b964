"""Sources: each cell of a result knows the elements that it comes from, and a page lights them."""

import re
from collections.abc import Iterator
from itertools import islice
from math import prod
from xml.etree import ElementTree

import numpy as np
import pytest

from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.deck import page as deck
from bcastcli.picture import svg
from bcastcli.picture.answers import IN_CELLS, PicturedReport, of_answer
from bcastcli.picture.figure import Block, PictureOptions, Row
from bcastcli.reports.numpy_code import explicit
from bcastcli.rules import RULES
from tests.effort import SEED, many
from tests.picture.test_answers import answered, numbers, questions
from tests.rows import each_row

Capture = pytest.CaptureFixture[str]


def places_in(answer: Answer) -> list[np.ndarray]:
    """For each operand that gives values, the flat place of its element at each of the result's."""
    taken = []
    for (name, shape), written in zip(answer.operands, explicit(answer), strict=True):
        sizes = numbers(shape)[:: -1 if answer.innermost_first else 1]
        array = eval(written.code, {name: np.arange(prod(sizes)).reshape(sizes)})
        result = numbers(answer.result)[:: -1 if answer.innermost_first else 1]
        taken.append(np.broadcast_to(array, result))
    return taken[:1] if answer.rule.second_is_target else taken


def shown_in(answer: Answer, block: Block) -> list[list[int]]:
    """For each operand, the flat place of the element that each cell of a block comes from."""
    cells = [cell.sources or (cell.element,) for cell in block.cells]
    shown = []
    for elements in zip(*cells, strict=True):
        places = []
        for element in elements:
            assert element
            shape = numbers(answer.operands[element.operand].shape)
            sizes = shape[:: -1 if answer.innermost_first else 1]
            places.append(int(np.ravel_multi_index(element.at, sizes)) if sizes else 0)
        shown.append(places)
    return shown


def check(answer: Answer, row: Row) -> None:
    """The sources of a row's cells, and the elements of its operands' cells, are NumPy's."""
    wanted = [array.ravel().tolist() for array in places_in(answer)]
    assert shown_in(answer, row.blocks[-1]) == wanted, answer.operands
    for block, own in zip(row.blocks, wanted, strict=False):
        assert shown_in(answer, block) == [own], answer.operands


def drawn(rule: str, count: int) -> Iterator[tuple[Answer, Row]]:
    """Random answers of yes whose figures show each cell."""
    for answer in islice(questions(rule, count=20 * count, seed=SEED), 20 * count):
        figure = of_answer(answer)
        [row, *_] = figure.rows or (Row((), ()),)
        if answer.ok and row.blocks and row.blocks[0].layers:
            yield answer, row


@pytest.mark.parametrize("rule", IN_CELLS)
def test_sources_are_numpys(rule: str) -> None:
    """Each cell comes from the elements that broadcast_to puts there; each operand shows those."""
    count = many(500)
    found = list(islice(drawn(rule, count), count))
    assert len(found) == count
    for answer, row in found:
        check(answer, row)


@each_row("rule", [name for name in IN_CELLS if name != "ncnn"])
def test_the_line_is_true(rule: str) -> None:
    """The sentence on a cell is Python: its parts are equal, with the numbers of the picture."""
    for answer, row in islice(drawn(rule, many(100)), many(100)):
        if len(places_in(answer)) > 2 or not row.blocks[-1].cells[0].text:
            continue  # more than 40 cells are drawn without numbers
        arrays = {
            name: (np.arange(prod(numbers(shape))) * (1 if n else 10) + n).reshape(numbers(shape))
            for n, (name, shape) in enumerate(answer.operands)
        }
        result = np.arange(prod(numbers(answer.result))).reshape(numbers(answer.result))
        for n, cell in enumerate(row.blocks[-1].cells):
            whole, *parts, text = cell.in_words.split(" = ")
            assert eval(whole, {"result": result}) == n
            assert parts
            assert {int(eval(part, dict(arrays))) for part in parts} == {int(text)}
            assert text == cell.text


@each_row(
    ("line", "words"),
    [
        ("numpy scores=2,1 mask=3", "result[1, 2] = scores[1, 0] + mask[2] = 10 + 3 = 13"),
        ("pdpd 3,2 3,1 --axis 0", "result[2, 1] = A[2, 1] + B[2, 0] = 50 + 3 = 53"),
        (
            "ncnn 2,3,2 3,2",
            "result[w 1, h 2, c 1] = A[w 1, h 2, c 1] + B[h 2, c 1] = 110 + 6 = 116",
        ),
        ("numpy () ()", "result[()] = A[()] + B[()] = 0 + 1 = 1"),
    ],
)
def test_a_cell_in_words(line: str, words: str) -> None:
    """The last cell of the result names its sources as typed, in the rule's own order."""
    assert of_answer(answered(line)).blocks[-1].cells[-1].in_words == words


@each_row("line", ["numpy 3,4 3 -f svg", "numpy N,400 3,400 -f svg", "numpy 4,1 3 -f svg"])
def test_nothing_to_light(line: str, capsys: Capture) -> None:
    """A page without a result in cells has no script, nor has a file for other programs."""
    assert main([*line.split(), "--picture"]) in (0, 1, 3)
    page = capsys.readouterr().out
    assert not re.findall("data-|<script|tabindex|aria-label=|aria-hidden", page)


def test_typed_names_are_text() -> None:
    """A name with signs of markup is the name of the cell, and nothing else."""
    name = 'a"><script>fail()</script>\' class="b\u202e'
    operands = [Operand(name, (2, 1)), Operand("B", (2,))]
    answer = Question(RULES["numpy"], operands, {}).answer()
    [slide] = svg.slides(PicturedReport(answer, picture=PictureOptions()).sheet(), sources=True)
    root = ElementTree.fromstring(slide.written())
    labels = [each.get("aria-label") for each in root.iter() if each.get("aria-label")]
    shown = name.replace("\u202e", r"\u202e")
    assert labels[3] == f"result[1, 1] = {shown}[1, 0] + B[1] = 10 + 2 = 12"
    assert not [each for each in root.iter() if each.tag.endswith("script")]
    assert root.get("role") == "group"
    hidden, areas = (each.attrib for each in root if each.tag.endswith("}g"))
    assert hidden == {"aria-hidden": "true"}
    assert areas == {
        "fill": "none", "stroke": svg.INK, "stroke-width": "0", "pointer-events": "all"
    }  # fmt: skip


@each_row(("line", "count"), [("1,2,1,1 1", 3), ("compare 2,2 2 rules=numpy,ncnn", 12)])
def test_sources_have_keys(line: str, count: int) -> None:
    """Each cell of a result names elements that are shown, in its own row of a comparison."""
    [slide] = deck.slides(line, in_steps=False)
    shown, named = (
        {
            key
            for text in re.findall(f'data-{name}="(.*?)"', slide.written())
            for key in text.split()
        }
        for name in ("at", "from")
    )
    assert shown == named
    assert len(shown) == count
