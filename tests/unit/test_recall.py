"""What is remembered of answers: it never says anything else than the rule."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from bcastcli.notation.questions import ask
from bcastcli.notation.text import NotationError
from bcastcli.render import Format, Terminal, writer
from bcastcli.reports.answers import AnswerReport
from bcastcli.rules import RULES
from bcastcli.stream import recall
from bcastcli.stream.recall import Memory, memory_for
from tests.effort import each_once, many
from tests.fuzz.questions import random_lines

Test = Callable[..., None]

FORMATS = [Format.PLAIN, Format.JSON]
AXIS_BY_AXIS = [rule for rule in RULES.values() if rule.axis_by_axis]


def remembering(test: Test) -> Test:
    """Run a test for each rule and format of which answers are remembered."""
    for_rules = pytest.mark.parametrize("rule", [rule.name for rule in AXIS_BY_AXIS])
    for_formats = pytest.mark.parametrize("output", FORMATS)
    marked: Test = each_once(for_rules(for_formats(test)))
    return marked


def memory_of(rule: str, output: Format) -> Memory:
    """An empty memory."""
    memory = memory_for(RULES[rule], output)
    assert memory is not None
    return memory


def answered(rule: str, line: str, output: Format, memory: Memory | None = None) -> str | None:
    """The rule's own answer to a line, which a memory may learn; None if it is no question."""
    try:
        answer = ask(RULES[rule], line, {})
    except NotationError:
        return None
    text = writer(output)(AnswerReport(answer), Terminal())
    if memory is not None:
        memory.learn(line, answer, text)
    return text


def plain_lines(count: int, seed: int) -> Iterator[str]:
    """Lines of digits, commas and blanks as most are, in which few shapes recur."""
    random = Random(seed)
    sizes = ("1", "1", "2", "3", "3", "0", "12", "03")
    shapes = {
        rank: [",".join(random.choices(sizes, k=rank)) or "()" for _ in range(12)]
        for rank in range(4)
    }
    every = [shape for some in shapes.values() for shape in some]
    for _ in range(count):
        chosen = random.choice((every, every, shapes[1], shapes[2]))
        yield " ".join(random.choices(chosen, k=random.choice((1, 2, 2, 2, 3, 4))))


def odd_lines(count: int, seed: int) -> Iterator[str]:
    """Lines of the same characters that are mostly no questions, or are spaced in odd ways."""
    random = Random(seed)
    for _ in range(count):
        yield "".join(random.choices(("1", "2", "3", ",", ",", " ", " ", "()", "(", ")"), k=6))


@remembering
@pytest.mark.parametrize("seed", range(3))
def test_it_says_what_the_rule_says(rule: str, output: Format, seed: int) -> None:
    """What is recalled is the rule's own answer, for known shapes in combinations never met."""
    memory = memory_of(rule, output)
    met = set()
    new = 0
    for line in plain_lines(many(3000), seed):
        [recalled] = memory.answers([line])
        expected = answered(rule, line, output, None if recalled else memory)
        assert recalled in (None, expected), line
        new += recalled is not None and line not in met
        met.add(line)
    assert new > many(10)


@remembering
@pytest.mark.parametrize("seed", range(3))
def test_it_refuses_what_the_notation_refuses(rule: str, output: Format, seed: int) -> None:
    """A line that is no question is never answered, whatever was learned of its parts."""
    random = Random(seed)
    memory = memory_of(rule, output)
    lines = [
        *plain_lines(many(500), seed),
        *odd_lines(many(1500), seed),
        *random_lines(rule, many(500), seed),
    ]
    random.shuffle(lines)
    refused = 0
    for line in lines:
        [recalled] = memory.answers([line])
        expected = answered(rule, line, output, memory)
        refused += expected is None
        assert recalled in (None, expected), line
    assert refused > many(300)
    for line in lines:
        assert memory.answers([line])[0] in (None, answered(rule, line, output)), line


@remembering
@pytest.mark.parametrize(
    "line", ["2,3 2,3", "2,3 2,2", "2 2 2", "1,2,3 2,1,3", "2 3 1", "0 1", "0 2"]
)
def test_what_was_learned_is_recalled(rule: str, output: Format, line: str) -> None:
    """The answer to a line that was learned is recalled."""
    memory = memory_of(rule, output)
    expected = answered(rule, line, output, memory)
    assert expected is not None
    assert memory.answers([line, line]) == [expected, expected]


@pytest.mark.parametrize("rule", ["numpy", "onnx"])
def test_it_notes_where_every_operand_stretches(rule: str) -> None:
    """From columns learned apart, it is seen whether every operand stretches, and then noted."""
    memory = memory_of(rule, Format.JSON)
    for line in ("64,1 1,64", "64,1 1,1", "1,1 1,64", "1,64 1,64", "64,1 64,1"):
        answered(rule, line, Format.JSON, memory)
    noted = {}
    for line in ("64,1 1,64", "1,64 64,1", "64,64 1,64", "1,64 1,1", "1,1 1,64"):
        answered(rule, line, Format.JSON, memory)
        [recalled] = memory.answers([line])
        assert recalled is not None
        assert recalled == answered(rule, line, Format.JSON)
        noted[line] = '"kind": "stretch"' in recalled
    assert [line for line, every in noted.items() if every] == ["64,1 1,64", "1,64 64,1"]


@remembering
def test_nothing_is_recalled_of_what_was_not_learned(rule: str, output: Format) -> None:
    """A column that was never met is not guessed at, though its sizes were."""
    memory = memory_of(rule, output)
    for line in ("2 1", "3 1", "2,2 2,2"):
        answered(rule, line, output, memory)
    assert memory.answers(["2 3", "3 3", "4 1", "1 2", "2 1 1", "3,2 1", "3,2 1,1 2"]) == [None] * 7


@remembering
def test_lines_are_answered_in_order(rule: str, output: Format) -> None:
    """Each of many lines has its answer in its place, and None where it is not known."""
    memory = memory_of(rule, output)
    known = ["2,3 2,3", "2,3 2,2", "5 5"]
    texts = [answered(rule, line, output, memory) for line in known]
    assert all(texts)
    assert memory.answers([known[1], "8 9", known[0], known[2], "N 3", ""]) == [
        *(texts[1], None, texts[0], texts[2], None, None)
    ]


@remembering
@pytest.mark.parametrize(
    ("learned", "line"),
    [
        (["5,"], "5,"),
        (["3 ", " 3"], "5, 3"),
        ([" 3", "5,2 2"], "5, 3"),
        (["3 4"], "2.3,3 4"),
        (["2,3 4"], "(2,3 4"),
        (["2,3 3"], "2,3\t3"),
        (["()"], "()()"),
        (["2 ()"], "2()"),
        (["2,3", "3"], "2,,3"),
        (["1", "2"], "-1"),
        (["1 1"], "1\u00a01"),
        (["1 1"], "1 ١"),
        (["1", "1 1"], ""),
        (["1 1"], " "),
        ([",".join(["1"] * 32)], ",".join(["1"] * 33)),
        (["N 3", "3 3"], "N 3"),
        (["x=3 3", "3 3"], "x=3 3"),
    ],
)
def test_parts_of_other_lines(rule: str, output: Format, learned: list[str], line: str) -> None:
    """Pieces that a line shares with others do not make it a question, or another one."""
    memory = memory_of(rule, output)
    for each in learned:
        answered(rule, each, output, memory)
    for _ in range(2):
        assert memory.answers([line])[0] in (None, answered(rule, line, output, memory))


def sizes_of(memory: Memory) -> list[int]:
    """How many entries there are in each of a memory's tables."""
    return [len(table) for table in vars(memory).values() if isinstance(table, dict)]


@remembering
def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch, rule: str, output: Format) -> None:
    """A full memory takes no more, and what it holds is recalled as before."""
    monkeypatch.setattr(recall, "MAX_REMEMBERED", 100)
    memory = memory_of(rule, output)
    lines = [f"{i},{i + 1},{i % 7} {i},1,{i % 5}" for i in range(5, 1500)]
    for line in lines:
        answered(rule, line, output, memory)
        assert memory.answers([line])[0] in (None, answered(rule, line, output))
    assert 50 < max(sizes_of(memory)) < 110
    known = memory.answers(lines)
    assert known[0] is not None
    assert known[-1] is None
    assert sum(text is not None for text in known) < 200


@remembering
def test_lines_that_are_only_looked_up_are_bounded(
    monkeypatch: pytest.MonkeyPatch, rule: str, output: Format
) -> None:
    """Looking up ever new lines does not fill the memory without bounds."""
    monkeypatch.setattr(recall, "MAX_REMEMBERED", 100)
    memory = memory_of(rule, output)
    memory.answers([f"{i} {i},3" for i in range(10_000)])
    assert max(sizes_of(memory)) < 110


@pytest.mark.parametrize("output", list(Format))
@pytest.mark.parametrize("rule", list(RULES))
def test_what_has_a_memory(rule: str, output: Format) -> None:
    """Only answers that are made of their axes are recalled, as text that does not cross axes."""
    memory = memory_for(RULES[rule], output)
    if rule in ("onnx-uni", "pdpd", "bidirectional", "ncnn") or output not in FORMATS:
        assert memory is None
    if rule in ("numpy", "onnx") and output in FORMATS:
        assert memory is not None
