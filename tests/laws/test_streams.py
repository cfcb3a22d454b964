"""A stream gives byte for byte the answers of the single questions, however it comes by them."""

import json
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from bcastcli import render, reports
from bcastcli.compare import command as compare
from bcastcli.compare.report import ComparisonReport
from bcastcli.core.answer import Answer
from bcastcli.core.limits import LimitedAnswer, no_outer_product
from bcastcli.core.rule import Rule
from bcastcli.notation.questions import answer_line, split_label
from bcastcli.notation.text import NotationError
from bcastcli.operators import questions
from bcastcli.operators.operators import operator
from bcastcli.operators.table import version_at_or_error, versions_of
from bcastcli.render import Format, Terminal
from bcastcli.reports import Report
from bcastcli.reports.answers import AnswerReport, InvalidInput
from bcastcli.rules import RULES
from bcastcli.stream import batch
from bcastcli.stream.batch import Stream
from tests import effort
from tests.effort import each_once, in_turn
from tests.fuzz.questions import random_lines
from tests.rows import each_row

_PIECE = 1 << 15

LINES = int(os.environ.get("BCASTCLI_LINES") or (20_000 if effort.thorough else 400))
"""For each rule and format; a line takes about a tenth of a millisecond."""
FEWER_LINES = LINES // 10
FORMATS = (Format.PLAIN, Format.JSON)
MAX_SIZES = (5, 40, 4000, 10**20)

Ask = Callable[[str], Any]
Kind = Callable[[Any], Report]


def known_lines(random: Random) -> str:
    """Return a line of numbers as most are: two or three shapes that belong together, or do not."""
    whole = [random.choice(("1", "2", "3", "3", "0")) for _ in range(random.randrange(5))]
    shapes = []
    for _ in range(random.choice((2, 2, 2, 3))):
        shape = [size if random.random() < 0.7 else random.choice("123") for size in whole]
        shapes.append(",".join(shape[random.randrange(len(shape) + 1) :]) or "()")
    return " ".join(shapes)


def lines_of(rule: str, count: int, seed: int = 1) -> Iterator[str]:
    """Draw lines of which many signature alike and few are equal.

    Some are numbers; others have unknown sizes, names, axes, brackets, odd spacing, labels and
    mistakes. Each has other numbers where its signature recurs; often they are in another order.
    """
    random = Random(f"{rule} {seed}")
    signatures = random_lines(rule, 200, seed)
    signatures += [known_lines(random) for _ in range(300)]
    signatures += [" ".join(["2,3"] * 60), "2 " * 101]
    signatures += ["?,5 ?x3", "3 ?x3", "xaxis=3 2,5", "2,3 max_axis=3", "2,?x3 3", "?,? 3,?"] * 3
    signatures += [f"{random.choice(signatures)} # layer {number % 7}" for number in range(10)]
    for _ in range(count):
        line = random.choice(signatures)
        yield line if random.random() < 0.05 else with_other_sizes(line, random)


def with_other_sizes(line: str, random: Random) -> str:
    """Return a line with another number for each but 0, 1 and axes; equal ones stay equal."""
    settings = re.findall(r"(?<![^\s;])axes=[\d,]+", line)
    if settings:
        rest = re.sub(r"(?<![^\s;])axes=[\d,]+", "axes=none", line)
        for each in settings:
            rest = with_other_sizes(rest, random).replace("axes=none", each, 1)
        return rest
    most = random.choice(MAX_SIZES)
    others = {each: str(random.randint(2, most)) for each in re.findall(r"\d+", line)}
    others |= {"0": "0", "1": "1"}
    return re.sub(r"(?<!(?<!\w)axis=)(?<!-)\b\d+\b", lambda number: others[number[0]], line)


def single(asked: Ask, kind: Kind, output: Format, line: str, number: int) -> str:
    """Return what the question on a line is answered on its own."""
    question, tags = split_label(line)
    write = reports.writer(output)
    try:
        text = write(kind(asked(question)), Terminal())
    except NotationError as error:
        report = InvalidInput(line, error.message, error.span[0] + 1, number)
        text = write(report, Terminal())
        if output is Format.JSON:  # which has the number already
            return render.with_tags(text, output, tags) if tags else text
    text = render.with_tags(text, output, tags) if tags else text
    return render.line_numbering(output)([text], number)[0]


def streamed(stream: Stream[Any], *parts: list[str]) -> str:
    """Return what a stream writes for lines that come in parts."""
    texts = ["".join(f"{line}\n" for line in lines).encode() for lines in parts]
    pieces = (text[at : at + _PIECE] for text in texts for at in range(0, len(text), _PIECE))
    return "".join(written.text for written in stream.answers(pieces))


def compared(
    asked: Ask,
    kind: Kind,
    output: Format,
    lines: list[str],
    rule: Rule | None = None,
) -> Stream[Any]:
    """Return a stream that has answered lines; fail unless as single questions are answered.

    `rule` is the rule that is asked, if that is known and nothing else bears on the answers.
    """
    stream = Stream(asked, kind, output, Terminal(), alike=True, rule=rule)
    chance, parts = Random(len(lines)), []
    rest = lines
    while rest:
        size = chance.choice((1, 2, 50, 500))
        parts.append(rest[:size])
        rest = rest[size:]
    found = streamed(stream, *parts)
    expected = [single(asked, kind, output, line, number) for number, line in enumerate(lines, 1)]
    place = 0
    for line, text in zip(lines, expected, strict=True):
        assert (line, found[place : place + len(text)]) == (line, text)
        place += len(text)
    assert len(found) == place
    return stream


@each_once
@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize("name", in_turn(RULES, 2))
def test_rules(name: str, output: Format) -> None:
    """Under every rule and in every format for programs, whatever is on the lines."""
    rule = RULES[name]

    def asked(line: str) -> Answer:
        return answer_line(rule, line, {})

    lines = list(lines_of(name, LINES))
    stream = compared(asked, AnswerReport, output, lines, rule)
    assert stream.verdicts == {True, False, None}
    assert stream.failed


@each_row("rule", RULES)
def test_a_look_that_is_found_in_two_ways(rule: str) -> None:
    """By its text beside a long line, and where shapes that are too long to be known return."""
    asked = partial(answer_line, RULES[rule], options={})
    for output in FORMATS:
        stream = Stream(asked, AnswerReport, output, Terminal(), alike=True, rule=RULES[rule])
        lines = ["2,3 2,3", "4,4 4,4", f"{10**21 + 2},{10**21 + 7} {10**21 + 2},{10**21 + 7}"]
        parts = [["2 " * 101, lines[0]], lines[1:2] * 20, lines[2:], lines[2:]]
        found = streamed(stream, *parts).splitlines(keepends=True)
        numbered = [(1, lines[0]), (22, lines[2]), (23, lines[2])]
        expected = [single(asked, AnswerReport, output, line, n + 1) for n, line in numbered]
        assert [found[n] for n, _ in numbered] == expected


def test_lines_are_kept_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that recur are kept, up to a number, and then others are."""
    monkeypatch.setattr(batch, "_MAX_KEPT", 8)
    asked = partial(answer_line, RULES["numpy"], options={})
    stream = Stream(asked, AnswerReport, Format.PLAIN, Terminal(), alike=False)
    most = 0
    for start in range(40):
        lines = [f"{size},2 2" for size in range(start, start + 4)]
        assert streamed(stream, lines) == "".join(f"{size},2\n" for size in range(start, start + 4))
        most = max(most, len(stream._kept))
    assert 8 < most <= 12


def test_a_line_that_is_too_long() -> None:
    """It is malformed, whatever was answered for lines that begin as it does."""

    def asked(line: str) -> Answer:
        return answer_line(RULES["numpy"], line, {})

    short = [f"{size}{'×2' * 66}" for size in (222, 333, 222)]
    stream = Stream(asked, AnswerReport, Format.PLAIN, Terminal(), alike=True, rule=RULES["numpy"])
    *_, last = streamed(stream, [*short, f"222{'×2' * 600_000}"]).splitlines()
    assert (last, stream.failed) == ("error: a line has at most 1048576 bytes", True)


@pytest.mark.parametrize(("rule", "options"), [("pdpd", {"axis": 1}), ("ncnn", {"order": "numpy"})])
def test_options(rule: str, options: dict[str, int | str]) -> None:
    """With options, too."""

    def asked(line: str) -> Answer:
        return answer_line(RULES[rule], line, options)

    compared(asked, AnswerReport, Format.JSON, list(lines_of(rule, FEWER_LINES)))


def test_strict() -> None:
    """With a limit that does not ask how large sizes are, too."""

    def asked(line: str) -> Answer:
        return LimitedAnswer(answer_line(RULES["numpy"], line, {}), [no_outer_product])

    compared(asked, AnswerReport, Format.JSON, list(lines_of("numpy", FEWER_LINES)))


@pytest.mark.parametrize("output", FORMATS)
def test_comparisons(output: Format) -> None:
    """Comparisons of rules, too."""
    compared(compare.ask, ComparisonReport, output, list(lines_of("pdpd", FEWER_LINES)))


@each_row(
    ("name", "opset"),
    [("Add", None), ("Add", 7), ("Gemm", None), ("MatMul", None), ("PRelu", 9), ("Expand", None)],
)
def test_operators(name: str, opset: int | None) -> None:
    """ONNX operators, too."""
    chosen = operator(version_at_or_error(versions_of(name), opset), opset)

    def asked(line: str) -> Answer:
        return questions.ask_inputs(chosen, line)

    compared(asked, AnswerReport, Format.JSON, list(lines_of(name, FEWER_LINES)))


@each_row("output", FORMATS)
def test_lines_that_name_their_operators(output: Format) -> None:
    """Lines with operators, opsets and other settings, too; and as JSON."""
    random = Random(1)
    names = ("Add", "Gemm", "MatMul", "LayerNormalization", "PRelu", "numpy", "pdpd")
    settings = ("", "", "axis=1", "axis=2", "opset=6", "opset=7", "opset=13", "trans_b=1")
    lines = []
    for line in lines_of("pdpd", FEWER_LINES):
        name, setting = random.choice(names), random.choice(settings)
        lines.append(f"{name} {line} {setting}")
        shapes = [[random.choice((1, 2, 3, 40)) for _ in range(random.randrange(3))] for _ in "AB"]
        opset = random.choice((5, 6, 7, 13, 999))
        lines.append(json.dumps({"op": name, "shapes": shapes, "opset": opset, "axis": opset % 4}))
    compared(questions.ask, AnswerReport, output, lines)


@each_once
@pytest.mark.parametrize("output", FORMATS)
def test_axes(output: Format) -> None:
    """The numbers of axes= are no sizes, though lines look alike but for them."""
    asked = partial(answer_line, RULES["explicit"], options={})
    lines = ["2,3 2,5,3 axes=0,9", "2,4 2,5,4 axes=0,9", "4,5 4,6,5 axes=0,2"]
    chance = Random("axes")
    while len(lines) < LINES:
        target = [chance.randint(0, 9) for _ in range(chance.randint(1, 4))]
        places = chance.sample(range(len(target)), chance.randint(0, len(target)))
        own = [target[axis] if chance.random() < 0.9 else 1 for axis in places]
        if places and chance.random() < 0.2:
            places[0] = chance.randint(0, 9)
        shapes = [",".join(map(str, shape)) or "()" for shape in (own, target)]
        parts = [*shapes, f"axes={','.join(map(str, places)) or 'none'}"]
        lines.append(chance.choice((" ", ";", "\t")).join(parts))
    stream = compared(asked, AnswerReport, output, lines, RULES["explicit"])
    assert stream.verdicts == {True, False}
