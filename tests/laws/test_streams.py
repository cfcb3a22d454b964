"""A stream gives byte for byte the answers of the single questions, however it comes by them."""

import json
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from bcastcli import reports
from bcastcli.compare import command as compare
from bcastcli.compare.report import ComparisonReport
from bcastcli.core.answer import Answer
from bcastcli.core.limits import LimitedAnswer, no_outer_product
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
from bcastcli.stream.columns import Columns
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
    """A line of numbers as most are: one to five shapes that belong together, or do not."""
    whole = [random.choice(("1", "2", "3", "3", "0")) for _ in range(random.randrange(1, 6))]
    shapes = []
    for _ in range(random.choice((1, 2, 2, 2, 2, 3, 5))):
        shape = [size if random.random() < 0.7 else random.choice("123") for size in whole]
        first = 0 if random.random() < 0.4 else random.randrange(len(shape) + 1)
        shapes.append(",".join(shape[first:]) or "()")
    return " ".join(shapes)


def with_other_sizes(line: str, random: Random) -> str:
    """The line with another number for each but 0, 1 and axes; equal ones stay equal."""
    most = random.choice(MAX_SIZES)
    others = {each: str(random.randint(2, most)) for each in re.findall(r"\d+", line)}
    others |= {"0": "0", "1": "1"}
    own = [
        word if "=" in word else re.sub(r"(?<!-)\b\d+\b", lambda number: others[number[0]], word)
        for word in line.split(" ")
    ]
    return " ".join(own)


def as_json(line: str, random: Random) -> str:
    """The line as JSON, which may be odd."""
    shapes = [f"[{shape.strip('()')}]" for shape in line.split(" ")]
    comma = random.choice((",", ", ", ", "))
    text = f"[{comma.join(shapes)}]".replace(",", comma).replace("  ", " ")
    if random.random() < 0.7:
        text = f'{{"shapes":{random.choice(("", " "))}{text}}}'
    if random.random() < 0.2:
        at = random.randrange(len(text))
        text = text[:at] + random.choice('[],{} 0-"x#') + text[at:]
    return text


def odd(line: str, random: Random) -> str:
    """The line with a character more or less, or with a label."""
    if random.random() < 0.3:
        return f"{line} # layer {random.randrange(7)}"
    at = random.randrange(len(line) + 1)
    return line[:at] + random.choice(", 0;x1\t+\u0663") + line[at + random.randrange(2) :]


def lines_of(rule: str, count: int, seed: int = 1) -> Iterator[str]:
    """Draw lines, some of which recur.

    Many are numbers; others are JSON, have unknown sizes, names, axes, brackets, odd spacing,
    labels and mistakes.
    """
    random = Random(f"{rule} {seed}")
    typed = random_lines(rule, 200, seed) + [known_lines(random) for _ in range(300)]
    typed += [" ".join(["2,3"] * 60), "2 " * 101]
    for _ in range(count):
        line = random.choice(typed)
        if random.random() < 0.9:
            line = with_other_sizes(line, random)
        if random.random() < 0.2 and "{" not in line and "=" not in line:
            line = as_json(line, random)
        if random.random() < 0.1:
            line = odd(line, random)
        yield line


def single(asked: Ask, kind: Kind, output: Format, line: str, number: int) -> str:
    """What the question on a line is answered on its own; empty where there is none."""
    if line.strip(" \t")[:1] in ("", "#"):
        return ""
    question, tags = split_label(line)
    try:
        text = reports.write(kind(asked(question)), output, Terminal(), tags)
    except NotationError as error:
        report = InvalidInput(line, error.message, error.span[0] + 1, number)
        return reports.write(report, output, Terminal(), tags)
    return f'{text[:-2]}, "line": {number}}}\n' if output is Format.JSON else text


def streamed(stream: Stream[Any], *parts: list[str]) -> str:
    """What a stream writes for lines that come in parts."""
    texts = ["".join(f"{line}\n" for line in lines).encode() for lines in parts]
    pieces = (text[at : at + _PIECE] for text in texts for at in range(0, len(text), _PIECE))
    return "".join(written.text for written in stream.answers(pieces))


def compared(
    asked: Ask, kind: Kind, output: Format, lines: list[str], columns: Columns | None = None
) -> Stream[Any]:
    """A stream that has answered lines; fails unless as single questions are answered."""
    stream = Stream(asked, kind, output, Terminal(), columns)
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
    asked = partial(answer_line, rule, options={})
    lines = list(lines_of(name, LINES))
    stream = compared(asked, AnswerReport, output, lines, Columns(rule, {}))
    assert stream.verdicts == {True, False, None}
    assert stream.failed


@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize(
    "rule", [name for name, rule in RULES.items() if "axes" not in rule.options]
)
def test_numbers_are_not_read_in_full(rule: str, output: Format) -> None:
    """Lines and objects of numbers are answered without being read in full, yes or no."""
    random = Random(f"numbers {rule}")
    lines: list[str] = []
    while len(lines) < 200:
        shapes = [
            ",".join(random.choices(("1", "2", "30"), k=random.randint(1, 3))) for _ in range(2)
        ]
        lines.append(" ".join(shapes))
        lines.append(
            json.dumps({"shapes": [[int(size) for size in shape.split(",")] for shape in shapes]})
        )

    def asked(line: str) -> Answer:
        raise AssertionError(line)

    stream = Stream(asked, AnswerReport, output, Terminal(), Columns(RULES[rule], {}))
    streamed(stream, lines)
    assert stream.verdicts == {True, False}


def test_lines_are_kept_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that recur are kept, up to a length in all, and then others are."""
    monkeypatch.setattr(batch, "_MAX_KEPT", 40)
    asked = partial(answer_line, RULES["numpy"], options={})
    stream = Stream(asked, AnswerReport, Format.PLAIN, Terminal())
    most = 0
    for start in range(40):
        lines = [f"{size},2 2" for size in range(start, start + 4)]
        assert streamed(stream, lines) == "".join(f"{size},2\n" for size in range(start, start + 4))
        most = max(most, len(stream._kept))
    assert 4 < most <= 12


def test_a_line_that_is_too_long() -> None:
    """It is malformed, whatever was answered for lines that begin as it does."""
    asked = partial(answer_line, RULES["numpy"], options={})
    short = [f"{size}{'×2' * 66}" for size in (222, 333, 222)]
    stream = Stream(asked, AnswerReport, Format.PLAIN, Terminal(), Columns(RULES["numpy"], {}))
    *_, last = streamed(stream, [*short, f"222{'×2' * 600_000}"]).splitlines()
    assert (last, stream.failed) == ("error: a line has at most 1048576 bytes", True)
    start = "1 " * 512
    *_, read, cut = streamed(stream, [start.strip(), start, start * 1200]).splitlines()
    assert (read, cut) == ("1", last)


@pytest.mark.parametrize(("rule", "options"), [("pdpd", {"axis": 1}), ("ncnn", {"order": "numpy"})])
@pytest.mark.parametrize("output", FORMATS)
def test_options(rule: str, options: dict[str, int | str], output: Format) -> None:
    """With options, too."""
    asked = partial(answer_line, RULES[rule], options=options)
    lines = list(lines_of(rule, FEWER_LINES))
    compared(asked, AnswerReport, output, lines, Columns(RULES[rule], options))


@pytest.mark.parametrize("output", FORMATS)
def test_frameworks(output: Format) -> None:
    """With a framework in place of the rule, too: Julia counts axes from 1."""
    asked = partial(answer_line, RULES["left"], options={}, framework="Julia")
    lines = list(lines_of("left", FEWER_LINES))
    compared(asked, AnswerReport, output, lines, Columns(RULES["left"], {}, "Julia"))


def test_strict() -> None:
    """With a limit that does not ask how large sizes are, too."""

    def asked(line: str) -> Answer:
        return LimitedAnswer(answer_line(RULES["numpy"], line, {}), no_outer_product)

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
    stream = compared(asked, AnswerReport, output, lines, Columns(RULES["explicit"], {}))
    assert stream.verdicts == {True, False}
