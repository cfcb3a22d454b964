"""Laws of slides: whatever is asked, all of it is on a slide of one size and can be read."""

import re
from itertools import combinations, pairwise
from random import Random
from typing import NamedTuple
from xml.etree import ElementTree

from bcastcli.advice.dialects import HAVE_WORDS, in_words_of
from bcastcli.core.alignment import change
from bcastcli.core.answer import Answer
from bcastcli.deck import page
from bcastcli.notation.questions import answer_line
from bcastcli.picture import svg
from bcastcli.picture.answers import PicturedReport
from bcastcli.picture.drawing import Text, ems
from bcastcli.picture.figure import PictureOptions
from bcastcli.quiz.questions import operands
from bcastcli.rules import RULES, find
from bcastcli.rules.frameworks import RULE_OF
from tests.effort import many
from tests.rows import each_row
from tests.strategies import random_answer

SIZES = (0, 1, 1, 1, 2, 3, 4, 5, 12, 256, "N", "M")
MIN_TYPE = 24
TEXT = "{http://www.w3.org/2000/svg}text"


class Words(NamedTuple):
    """A text on a slide, and the most room that it takes."""

    text: str
    left: float
    right: float
    top: float
    bottom: float

    def overlaps(self, other: "Words") -> bool:
        """Whether both need the same place; a pixel is no matter."""
        beside = self.right <= other.left + 1 or other.right <= self.left + 1
        return not beside and self.top < other.bottom - 1 and other.top < self.bottom - 1


def words(text: ElementTree.Element) -> Words:
    shown, size = text.text or "", float(text.attrib["font-size"])
    width = ems(shown) * size
    before = {"middle": width / 2, "end": width}.get(text.get("text-anchor", ""), 0)
    left, base = float(text.attrib["x"]) - before, float(text.attrib["y"])
    return Words(shown, left, left + width, base - 0.73 * size, base + 0.2 * size)


def faults(slide: str) -> list[str]:
    root = ElementTree.fromstring(slide)
    found = [] if root.get("viewBox") == "0 0 1280 720" else [str(root.get("viewBox"))]
    texts = list(root.iter(TEXT))
    found += [f"small: {e.text}" for e in texts if float(e.attrib["font-size"]) < MIN_TYPE]
    placed = list(map(words, texts))
    for each in placed:
        if min(each.left, each.top) < 0 or each.right > 1280 or each.bottom > 720:
            found.append(f"outside: {each}")
    found += [f"{a} over {b}" for a, b in combinations(placed, 2) if a.overlaps(b)]
    return found


def marks(slide: str) -> set[str]:
    """What is drawn on a slide, wherever the file has it; sizes get their mark in place."""
    kept = (re.sub('class="b.*?-', "", line) for line in slide.splitlines())
    return {line for line in kept if re.match("<(text|rect|line|polygon) ", line)}


def misled(slide: str) -> list[str]:
    """What a slide shows without saying so, or says without showing it."""
    root = ElementTree.fromstring(slide)
    texts = [e.text or "" for e in root.iter(TEXT)]
    joined = " ".join(texts)
    found = [word for word in ("bcastcli", " --", "(--", "note ") if word in joined]
    for kind, said in (("repeated", "dashed"), ("differs", "framed")):
        drawn = bool(re.search(f'class="b[^"]*-{kind}', slide))
        if drawn != (said in joined):
            found.append(f"{said}: {drawn}")
    found += ["no partner"] * (
        "no partner" in joined and "-surplus" not in slide and "axis" not in texts
    )
    if "axis" in texts:
        keys = {"→": "→ stretches", "·": "· no such axis", "!": "! clashes", "?": "? depends"}
        found += [key for mark, key in keys.items() if (mark in texts) != (key in joined)]
    return found


def built(answer: Answer) -> list[str]:
    """The slides of an answer, as it is built up."""
    sheet = PicturedReport(answer, picture=PictureOptions()).sheet()
    return [each.written() for each in svg.slides(sheet, svg.BUILD)]


NAMES = ("A", "x", "mask", "channel_mean", "attention_scores_of_the_heads", "b" * 60, "c" * 60)
"""From short to far too long."""


@each_row("rule", RULES)
def test_there_is_always_a_slide(rule: str) -> None:
    """Of up to four axes and operands of any names: no text is small or hidden, nothing misleads.

    Built up, only more appears; a size gets its mark in its place.
    """
    chance = Random()
    wrong = {}
    for number in range(many(300)):
        answer = random_answer(chance, rule, SIZES)
        operands = list(answer.question.operands)
        if number % 3:
            names = chance.sample(NAMES, len(operands))
            operands = [own._replace(name=name) for own, name in zip(operands, names, strict=True)]
        asked = answer.question.with_operands(operands).answer()
        shown = built(asked)
        found = [fault for each in shown for fault in faults(each)] + misled(shown[-1])
        in_cells = 'class="b' in shown[-1] and "-stored" in shown[-1]
        moved = [n for n, pair in enumerate(pairwise(shown)) if not marks(pair[0]) < marks(pair[1])]
        if in_cells and moved and (moved != [0] or rule in ("numpy", "onnx")):
            found.append("moved")
        if found:
            wrong[asked.question] = found
    assert not wrong


@each_row("count", [32, 33, 100, 400])
def test_however_many_axes(count: int) -> None:
    """The words of a slide leave room for each other, however long a shape is."""
    for sizes in (("3", "4"), ("N", "123")):
        shapes = (",".join([size] * count) for size in sizes)
        for other in (shapes, (f"A={','.join(['12'] * count)}", "12")):
            shown = built(answer_line(RULES["numpy"], " ".join(other), {}))
            assert [fault for each in shown for fault in faults(each)] == []


CODE = re.compile(r"\.?\b\w+\(|None|0=")
CHANGES = (((3,), (0, None)), ((3,), (0, None, None)), ((2, 3, 4), (1, 0, 2)), ((9,), (0, 0)))


def code_of(framework: str) -> set[str]:
    """The words of code in which a framework writes changes."""
    lines = (in_words_of(framework, [[change("B", *each)]]) for each in CHANGES)
    return {word for [text] in lines for word in CODE.findall(text)}


@each_row("name", [*RULES, *RULE_OF])
def test_a_slide_has_the_words_of_one_framework(name: str) -> None:
    """A deck has those of the rule or framework that its line names, or else shapes; its axes too.

    The first axis is 1 for those of the rule left, which count from there.
    """
    rule, chance = find(name), Random()
    assert rule
    own = name if name in RULE_OF else rule.words or name
    others = set().union(*map(code_of, HAVE_WORDS & {*RULES, *RULE_OF}))
    others -= code_of(own if own in HAVE_WORDS else "numpy")
    for _ in range(many(32)):
        asked = operands(random_answer(chance, rule.name, SIZES[1:8]))
        for slide in page.slides(f"{name} {asked}", in_steps=False):
            said = " ".join(m.text for m in slide.drawing.marks[1:] if isinstance(m, Text))
            assert not others & {*CODE.findall(said)}, (asked, said)
            assert name not in RULE_OF or rule.name != "left" or "(-" not in said, (asked, said)
