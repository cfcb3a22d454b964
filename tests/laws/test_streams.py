"""A stream gives byte for byte the answers of the single questions, however it comes by them."""

import json
import re
from collections.abc import Iterator
from random import Random

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import written
from bcastcli.notation.questions import answer_line
from bcastcli.render import Format, Terminal
from bcastcli.reports.answers import AnswerReport
from bcastcli.rules import RULES
from bcastcli.stream import batch
from bcastcli.stream.batch import Stream
from bcastcli.stream.columns import Columns
from tests.effort import each_once, in_turn, many
from tests.fuzz.questions import random_lines
from tests.in_memory import Ended, run
from tests.strategies import Kind, questions


def lines_of(rule: str, count: int) -> Iterator[str]:
    """Draw lines, good and malformed, some of which recur; many have sizes of their own."""
    chance = Random(rule)
    for line in random_lines(rule, count):
        if chance.random() < 0.5 and "=" not in line:
            yield re.sub(r"\b2\b", str(chance.choice((5, 40, 4000, 10**20))), line)
        else:
            yield line


def in_stream(single: Ended, output: str, line: str, number: int) -> Ended:
    """What a stream should write for a line, given what it is answered on its own."""
    if single.status != 2:
        assert single.err == ""
        out = single.out
        if output == "json":
            # What to write instead takes longer to find: only a question on its own has it.
            before, _, after = out.partition(', "suggestions": [')
            tags = re.search(r'(, "(?:label|id)": .*)\}$', after)
            before = re.sub(r'(, )?\{"kind": "sizes", "text": "[^"]*"\}', "", before)
            out = f'{before or out[:-2]}, "line": {number}{tags[1] if tags else ""}}}\n'
        return Ended(single.status, out, "")
    message, _, pointed = single.err.removeprefix("bcastcli: ").partition("\n")
    err = f"bcastcli: line {number}: {message}\n{pointed}"
    if output != "json":
        return Ended(2, f"error: {message}\n", err)
    fields = {"schema": 1, "status": "invalid", "line": number, "input": line, "error": message}
    return Ended(2, json.dumps(fields)[:-1], err)


COMMANDS = [
    *(name for name in RULES if name != "explicit"),
    *("pdpd --axis 1", "ncnn --order numpy", "julia", "numpy --strict", "compare"),
    *("op Add", "op Add --opset 7", "op Gemm", "op MatMul", "op PRelu --opset 9", "op Expand"),
]


@each_once
@pytest.mark.parametrize("output", ["plain", "json", "table"])
@pytest.mark.parametrize("command", in_turn(COMMANDS, 2))
def test_lines(command: str, output: str) -> None:
    """Under every rule and operator, and in every format, whatever is on the lines."""
    words = [*command.split(), "-f", output]
    rule = command.split(maxsplit=1)[0]
    singles = {}
    for line in lines_of(rule if rule in RULES else "pdpd", many(1_600)):
        if line not in singles and not is_left_out(line):
            singles[line] = run([*words, "--", line])
    # One shape is a question on a line alone, and only arguments may be a command.
    only_there = re.compile("got one shape|did you mean: bcastcli")
    lines = [line for line, own in singles.items() if not only_there.search(own.err)]
    chance = Random(command)
    lines += chance.choices(lines, k=len(lines) // 4)
    ended = run([*words, "-"], "".join(f"{line}\n" for line in lines).encode())
    place = 0
    wanted = [in_stream(singles[line], output, line, n) for n, line in enumerate(lines, 1)]
    for line, own in zip(lines, wanted, strict=True):
        assert (line, ended.out[place : place + len(own.out)]) == (line, own.out)
        place += len(own.out)
        if own.status == 2 and output == "json":
            place = ended.out.index("\n", place) + 1  # its column, and its label
    assert place == len(ended.out)
    assert ended.err.splitlines() == "".join(own.err for own in wanted).splitlines()


def is_left_out(line: str) -> bool:
    """Whether a line asks nothing, or is something else as an argument."""
    return line.strip(" \t")[:1] in ("", "#", "-") or "#" in line


def streamed(stream: Stream, *parts: list[str]) -> str:
    """What a stream writes for lines that come in parts."""
    texts = ["".join(f"{line}\n" for line in lines).encode() for lines in parts]
    return "".join(each.text for each in stream.answers(batch.lines_of(texts)))


@pytest.mark.parametrize(
    "rule", [name for name, rule in RULES.items() if "axes" not in rule.options]
)
def test_numbers_are_not_read_in_full(rule: str) -> None:
    """Lines and objects of numbers are answered without being read in full, yes or no."""
    lines = []
    for question in questions(Kind(rule, (1, 2, 30), 3), 100, Random(f"numbers {rule}")):
        shapes = [shape or (1,) for shape in question.shapes]
        lines += [" ".join(map(written, shapes)), json.dumps({"shapes": shapes})]

    def asked(line: str) -> Answer:
        raise AssertionError(line)

    stream = Stream(asked, AnswerReport, Format.PLAIN, Terminal(), Columns(RULES[rule], {}))
    streamed(stream, lines)
    assert stream.verdicts == {True, False}


def test_lines_are_kept_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that recur are kept, up to a number in all, and then others are."""
    monkeypatch.setattr(batch, "_MAX_KEPT", 10)
    read = []

    def asked(line: str) -> Answer:
        read.append(line)
        return answer_line(RULES["numpy"], line, {})

    stream = Stream(asked, AnswerReport, Format.PLAIN, Terminal())
    for _ in range(2):
        for start in range(40):
            lines = [f"{size},2 2" for size in range(start, start + 4)] * 2
            wanted = "".join(f"{line[:-2]}\n" for line in lines)
            assert streamed(stream, lines) == wanted
            assert stream._kept.cache_info().currsize <= 10
    assert 80 < len(read) < 320


def test_lines_that_name_their_operators() -> None:
    """Lines with operators, opsets and other settings, too; and as JSON."""
    random = Random(1)
    names = ("Add", "Gemm", "MatMul", "LayerNormalization", "PRelu", "numpy", "pdpd")
    settings = ("", "", "axis=1", "axis=2", "opset=6", "opset=7", "opset=13", "trans_b=1")
    lines = []
    for line in filter(None, map(str.strip, lines_of("pdpd", many(800)))):
        lines.append(f"{random.choice(names)} {line} {random.choice(settings)}")
        shapes = [[random.choice((1, 2, 3, 40)) for _ in range(random.randrange(3))] for _ in "AB"]
        opset = random.choice((5, 6, 7, 13, 999))
        question = {"op": random.choice(names), "shapes": shapes, "opset": opset}
        lines.append(json.dumps({**question, "axis": opset % 4}))
    check_alone(["op"], lines)


def test_axes() -> None:
    """The numbers of axes= are no sizes, though lines look alike but for them."""
    lines = ["2,3 2,5,3 axes=0,9", "2,4 2,5,4 axes=0,9", "4,5 4,6,5 axes=0,2"]
    chance = Random("axes")
    drawn = questions(Kind("explicit", range(10), 4), many(2_000), chance)
    lines += [chance.choice((" ", ";", "\t")).join(each.line.split()) for each in drawn]
    check_alone(["explicit"], lines)


def check_alone(command: list[str], lines: list[str]) -> None:
    """Each of many lines is answered as a line that is alone."""
    for output in ("plain", "json"):
        words = [*command, "-f", output, "-"]
        alone = [run(words, f"{line}\n".encode()).out for line in lines]
        numbered = [
            text.replace('"line": 1', f'"line": {number}', 1)
            for number, text in enumerate(alone, start=1)
        ]
        assert run(words, "\n".join(lines).encode()).out == "".join(numbered)
