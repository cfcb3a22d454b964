"""Sources: each cell of a result knows the elements that it comes from, and a page lights them."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import prod
from pathlib import Path

import numpy as np
import pytest

from bcastcli.cli.main import main
from bcastcli.compare import command as compare
from bcastcli.compare.picture import of_comparison
from bcastcli.core.answer import Answer
from bcastcli.picture.answers import IN_CELLS, of_answer
from bcastcli.picture.figure import Block, PictureOptions, Row
from bcastcli.reports.numpy_code import explicit
from bcastcli.rules import RULES
from tests.browser.browser import Browser
from tests.effort import SEED, in_turn, many
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
    ("line", "said"),
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
def test_a_cell_in_words(line: str, said: str) -> None:
    """The last cell of the result names its sources as typed, in the rule's own order."""
    assert of_answer(answered(line)).blocks[-1].cells[-1].in_words == said


@each_row("line", ["numpy 3,4 3 -f svg", "numpy N,400 3,400 -f svg", "numpy 4,1 3 -f svg"])
def test_nothing_to_light(line: str, capsys: Capture) -> None:
    """A page without a result in cells has no script, nor has a file for other programs."""
    assert main([*line.split(), "--picture"]) in (0, 1, 3)
    page = capsys.readouterr().out
    assert not re.findall("data-|<script|tabindex|aria-label=|aria-hidden", page)


# In a browser

AREAS = "[...document.querySelectorAll('[data-from]')].filter(e => e.checkVisibility())"
LIT = (
    "[...document.querySelectorAll('text.lit')].filter(e => e.checkVisibility())"
    ".map(e => [e.getAttribute('class').match(/\\d+(?= )/)[0], e.textContent])"
)
LINE = "document.querySelector('.sources').innerText"
NAME = "document.activeElement.getAttribute('aria-label')"
FOCUSED = f"{AREAS}.indexOf(document.activeElement)"


def press(tab: Browser, key: str) -> None:
    """Press a key, as a person does."""
    for kind in ("rawKeyDown", "keyUp"):
        code = {"Tab": 9, "ArrowRight": 39, "ArrowLeft": 37, "End": 35}[key]
        tab.tell("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)


def point(tab: Browser, number: int, *, click: bool = False) -> None:
    """Move the pointer to an area, and perhaps click it."""
    x, y = tab.evaluate(
        f"(r => [r.x + r.width / 2, r.y + r.height / 2])({AREAS}[{number}].getBoundingClientRect())"
    )
    tab.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    for kind in ("mousePressed", "mouseReleased") if click else ():
        button = {"button": "left", "clickCount": 1}
        tab.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)


def expected(line: str) -> list[tuple[str, Counter[tuple[str, str]]]]:
    """For each cell of the result, its sentence, and the numbers that NumPy says are lit."""
    answer = answered(line)
    taken = [array.ravel() for array in places_in(answer)]
    cells = of_answer(answer).blocks[-1].cells
    wanted = []
    for n, cell in enumerate(cells):
        lit: Counter[tuple[str, str]] = Counter()
        for operand, places in enumerate(taken):
            place = int(places[n])
            number = str(place + 1 if operand else 10 * place)
            lit[str(operand), number] = int((places == place).sum())
        wanted.append((cell.in_words, lit))
    return wanted


def lit(tab: Browser) -> Counter[tuple[str, str]]:
    """The numbers that are lit, by operand."""
    return Counter((operand, number) for operand, number in tab.evaluate(LIT))


@pytest.mark.parametrize(
    "line",
    in_turn(
        [
            *("numpy scores=4,1 mask=3", "numpy 2,2,1 2,3", "left 2,3 2", "pdpd 2,3 2,1 --axis 0"),
            *("ncnn 2,3,2 3,2", "numpy () ()"),
        ],
        2,
    ),
)
def test_by_pointer_and_by_tab(line: str, tab: Browser, tmp_path: Path) -> None:
    """The elements that a cell comes from are lit, stored and repeated, and a line names them."""
    lesson, file = tmp_path / "lesson.txt", tmp_path / "page.html"
    lesson.write_text(line.replace("--axis ", "axis="), "utf-8")
    assert main(["deck", str(lesson), "-o", str(file)]) == 0
    tab.open(file)
    wanted = expected(line)
    assert tab.evaluate(f"{AREAS}.length") == len(wanted)
    assert tab.evaluate(LINE) == ""
    for number, (said, elements) in enumerate(wanted):
        point(tab, number)
        assert tab.evaluate(LINE) == said
        assert lit(tab) == elements
    tab.tell("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    assert (tab.evaluate(LINE), lit(tab)) == ("", Counter())
    for number, (said, elements) in enumerate(wanted):
        press(tab, "Tab")
        assert tab.evaluate(FOCUSED) == number
        assert tab.evaluate(LINE) == tab.evaluate(NAME) == said
        assert lit(tab) == elements
        ring = "parseFloat(getComputedStyle(document.activeElement).strokeWidth)"
        assert tab.evaluate(ring) > 5


def test_in_a_deck(tab: Browser, tmp_path: Path, capsys: Capture) -> None:
    """A click or Tab lights a cell of the slide that is shown; keys turn it, and nothing is lit."""
    lesson, file = tmp_path / "lesson.txt", tmp_path / "deck.html"
    lesson.write_text("# One\n4,1 3\n2,3 3\ncompare 3,3 3\n4,1 3", "utf-8")
    assert main(["deck", str(lesson), "-o", str(file)]) == 0
    tab.open(file)
    shown = "[...document.querySelectorAll('section')].findIndex(s => s.matches('.shown'))"
    press(tab, "ArrowRight")
    point(tab, 4, click=True)
    assert tab.evaluate(shown) == 1
    assert (tab.evaluate(LINE), lit(tab)) == expected("numpy 4,1 3")[4]
    press(tab, "Tab")
    tab.tell("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    assert (tab.evaluate(LINE), lit(tab)) == expected("numpy 4,1 3")[5]
    press(tab, "ArrowRight")
    assert (tab.evaluate(shown), tab.evaluate(LINE), lit(tab)) == (2, "", Counter())
    press(tab, "Tab")
    assert (tab.evaluate(LINE), lit(tab)) == expected("numpy 2,3 3")[0]
    press(tab, "ArrowLeft")
    press(tab, "Tab")
    assert (tab.evaluate(LINE), lit(tab)) == expected("numpy 4,1 3")[0]
    for _ in range(2):
        press(tab, "ArrowRight")
    rows = tab.evaluate(f"{AREAS}.length") // 9
    added = [[("1", "3")] * 3, [("1", "1")] * 3]  # under ncnn B lies down the rows
    for row in range(rows):
        point(tab, 9 * row + 2)
        assert lit(tab) == Counter([("0", "20"), *added[row]])
    assert rows == 2
    names = tab.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(names) == len(set(names))


def test_typed_names_are_text(tab: Browser, tmp_path: Path) -> None:
    """A name with signs of markup is the name of the cell, and nothing else."""
    from bcastcli.core.alignment import Operand
    from bcastcli.core.question import Question
    from bcastcli.picture import pages, svg
    from bcastcli.picture.answers import PicturedReport

    name = 'a"><script>fail()</script>\' class="b\u202e'
    operands = [Operand(name, (2, 1)), Operand("B", (2,))]
    answer = Question(RULES["numpy"], operands, {}).answer()
    file = tmp_path / "page.html"
    sheet = PicturedReport(answer, picture=PictureOptions()).sheet()
    [slide] = svg.slides(sheet, sources=True)
    file.write_text(pages.slides("Names", [slide.written()]), "utf-8")
    tab.open(file)
    point(tab, 3)
    shown = name.replace("\u202e", r"\u202e")
    assert json.dumps(tab.evaluate(LINE)) == json.dumps(
        f"result[1, 1] = {shown}[1, 0] + B[1] = 10 + 2 = 12"
    )
    assert tab.evaluate("document.querySelectorAll('script').length") == 1
