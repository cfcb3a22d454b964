"""Answers put together axis by axis: the rule's own, of columns asked once."""

from collections import Counter
from itertools import product

import pytest

from bcastcli.core.answer import Answer
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.reports import verdict
from bcastcli.rules import RULES
from bcastcli.stream import columns, signatures
from bcastcli.stream.caches import Cache
from bcastcli.stream.columns import Columns
from bcastcli.stream.signatures import ShapeSignatures
from tests.effort import each_once
from tests.rows import each_row

BY_AXIS = [name for name, rule in RULES.items() if rule.axis_by_axis]


class Rule:
    """A rule that answers lines, and counts them."""

    def __init__(self, name: str) -> None:
        self.asked: Counter[str] = Counter()
        self._rule = RULES[name]
        self.signatures = ShapeSignatures(self.ask, self._rule)
        self.columns = Columns(self.ask, self.signatures, self.write)

    def ask(self, line: str) -> Answer:
        self.asked[line] += 1
        return answer_line(self._rule, line, {})

    def write(self, answer: Answer) -> str:
        return f"{verdict(answer)}\n"

    def single(self, line: str) -> str:
        """Return the answer to a line that is asked on its own."""
        return self.write(answer_line(self._rule, line, {}))


def test_the_rules_that_are_asked_axis_by_axis() -> None:
    """All that align the last axes, or the first; under the others, axes bear on each other."""
    assert BY_AXIS == ["numpy", "onnx", "onnx-uni", "none", "bidirectional", "left", "same-rank"]


@pytest.mark.parametrize("name", BY_AXIS)
def test_new_combinations_are_not_asked(name: str) -> None:
    """However many lines are put together of them, only the signatures of columns are asked."""
    rule = Rule(name)
    sizes = ["1", "2", "3", "40"]
    lines = [f"{a},{b},{c} {d},{b},{e}" for a, b, c, d, e in product(sizes, repeat=5)]
    assert rule.columns.answers(lines) == [rule.single(line) for line in lines]
    assert sum(rule.asked.values()) < 40


@each_once
@pytest.mark.parametrize("name", BY_AXIS)
@pytest.mark.parametrize(
    "line",
    [
        *("", " ", "()", "() ()", "2 ()", "2  3", " 2 3", "2 3 ", "2\t3", "2;3", "2,3, 3", ",2 2"),
        *("2,,3 4", "07 7", "7 07", "00 0", "N 3", "None,3 3", "?,3 3", "(N,3) 4", "-1 3", "+2 2"),
        *("batch,2 batch,3", "2_0 20", "٣ 3", "² 2"),
        *("2x3 3", "(2,(3)) 3", "[[2],[3]]", "x=2 2", "2 3 axis=1", "# 2 3", "2 scalar", "1e3 1"),
    ],
)
def test_anything_but_sizes_is_left_alone(name: str, line: str) -> None:
    """What is not made of plain sizes alone is not answered, whatever was answered before."""
    rule = Rule(name)
    rule.columns.answers(["2,3 2,3", "7 7", "3 1", "0 0", "2 3"])
    assert rule.columns.answers([line]) == [None]


@each_row("name", BY_AXIS)
def test_ranks_that_are_refused_are_left_alone(name: str) -> None:
    """Where ranks bear on the answer, it is left to the rule, whichever sizes clash besides."""
    rule = Rule(name)
    fitting = "3,2" if name == "left" else "2,3"
    for line in ("3 2,3", "4 2,3", "2,3 3", "2,3 4", "1 1,1", "1,1 1", "2,3 2,3,4"):
        [found] = rule.columns.answers([line])
        assert found in (None, rule.single(line))
    refuses = RULES[name].align((1, 2), {}).refused
    assert rule.columns.answers([f"3 {fitting}"]) == [None if refuses else f"{fitting}\n"]


@each_row("name", BY_AXIS)
def test_a_shape_that_is_not_known_is_left_alone(name: str) -> None:
    """Wherever another axis clashes, a line with a shape too long to be kept is not answered."""
    rule = Rule(name)
    for line in ("2,3 2,4", f"2,3 2,{10**40}", f"{10**40},3 5,4", f"2,{10**40} 2,4"):
        [found] = rule.columns.answers([line])
        assert found == (None if len(line) > 10 else rule.single(line))
    assert rule.columns.answers([f"1,35 2,44 {10**40},35"]) == [None]


@pytest.mark.parametrize("name", ["onnx-uni", "bidirectional"])
def test_three_shapes_are_left_alone(name: str) -> None:
    """A line with more shapes than the rule takes is no question of it."""
    rule = Rule(name)
    assert rule.columns.answers(["2 2 2", "2 3 4"]) == [None, None]
    with pytest.raises(NotationError):
        rule.single("2 2 2")


def test_mismatches_are_told() -> None:
    """Whether a mismatch was among the answers is seen, and not where a part alone would be one."""
    rule = Rule("none")
    rule.columns.answers(["2,3 2,3", "5 2,3", "2 ()"])
    assert rule.columns.verdicts == {True}
    rule.columns.answers(["2,3 2,4"])
    assert rule.columns.verdicts == {True, False}


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ever new shapes and sizes do not fill the memory."""
    monkeypatch.setattr(signatures, "MAX_SHAPES", 100)
    for module in (columns, signatures):
        monkeypatch.setattr(module, "MAX_COLUMNS", 100)
    monkeypatch.setattr(columns, "MAX_PLACES", 2)
    monkeypatch.setattr(columns, "MAX_REASONS", 50)
    rule = Rule("numpy")
    lines = [f"{i},{i + 1},{i % 7} {i},1,{i % 5}" for i in range(5, 1500)]
    lines += [f"{i},{i} {i + 1},{i + i % 2}" for i in range(2, 350)]
    assert rule.columns.answers(lines) == [rule.single(line) for line in lines]
    for line in lines:
        rule.signatures.of(line)
    held = [*vars(rule.columns).values(), *vars(rule.signatures).values()]
    caches = {id(each): each for each in held if isinstance(each, Cache)}.values()
    assert len(caches) == 6
    assert 50 < max(map(len, caches)) <= 100
    reasons = [each for cache in caches for each in cache.values() if isinstance(each, Cache)]
    assert len(reasons) == 2
    assert all(0 < len(each) <= 50 for each in reasons)
