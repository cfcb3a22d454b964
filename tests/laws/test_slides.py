"""Laws of slides: whatever is asked, all of it is on a slide of one size and can be read."""

from itertools import combinations
from random import Random
from typing import NamedTuple
from xml.etree import ElementTree

from bcastcli.core.answer import Answer
from bcastcli.render import Terminal, svg
from bcastcli.render.picture.marks import Role
from bcastcli.render.picture.metrics import fixed, measure
from bcastcli.reports.answers import SingleAnswerReport
from bcastcli.reports.rows import PictureOptions
from bcastcli.reports.steps import StepOptions
from bcastcli.rules import RULES
from tests.effort import many
from tests.rows import each_row
from tests.strategies import random_answer

SIZES = (0, 1, 1, 1, 2, 3, 4, 5, 12, 256, "N", "M")
MIN_TYPE = 24


class Words(NamedTuple):
    """A text on a slide, and the room that it takes in the widest font."""

    text: str
    left: float
    right: float
    top: float
    bottom: float

    def overlaps(self, other: "Words") -> bool:
        """Return whether both need the same place; a pixel is no matter."""
        beside = self.right <= other.left + 1 or other.right <= self.left + 1
        return not beside and self.top < other.bottom - 1 and other.top < self.bottom - 1


def words(text: ElementTree.Element) -> Words:
    """Return a text of a slide with its place."""
    shown, size = text.text or "", float(text.attrib["font-size"])
    role = Role.HEADING if text.get("font-weight") == "bold" else Role.LABEL
    width = fixed(shown, size) if text.get("font-family") else measure(shown, size, role)
    before = {"middle": width / 2, "end": width}.get(text.get("text-anchor", ""), 0)
    left, base = float(text.attrib["x"]) - before, float(text.attrib["y"])
    return Words(shown, left, left + width, base - 0.73 * size, base + 0.2 * size)


def faults(slide: str) -> list[str]:
    """Return what is wrong with a slide."""
    root = ElementTree.fromstring(slide)
    found = [] if root.get("viewBox") == "0 0 1280 720" else [str(root.get("viewBox"))]
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    found += [f"small: {e.text}" for e in texts if float(e.attrib["font-size"]) < MIN_TYPE]
    placed = list(map(words, texts))
    for each in placed:
        if min(each.left, each.top) < 0 or each.right > 1280 or each.bottom > 720:
            found.append(f"outside: {each}")
    found += [f"{a} over {b}" for a, b in combinations(placed, 2) if a.overlaps(b)]
    return found


def sheet(answer: Answer, *, steps: bool, picture: bool) -> str:
    report = SingleAnswerReport(
        answer,
        steps=StepOptions() if steps else None,
        picture=PictureOptions() if picture else None,
    )
    return svg.show(report.sheet(), Terminal())


@each_row("rule", RULES)
def test_all_of_it_is_read(rule: str) -> None:
    """Of up to four axes and operands steps and pictures fit: no text is small or hidden."""
    chance = Random()
    wrong = {}
    for number in range(many(6)):
        answer = random_answer(chance, rule, SIZES)
        found = faults(sheet(answer, steps=True, picture=bool(number % 3)))
        if found:
            wrong[answer.question] = found
    assert not wrong
