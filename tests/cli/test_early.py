"""Command lines that cli/early.py reads without the option parser: it would answer the same."""

import sys
from random import Random
from unittest.mock import patch

import pytest

from bcastcli.cli import early
from bcastcli.cli.answering import Request
from bcastcli.core.shapes import Size, written
from bcastcli.rules import RULES
from bcastcli.rules.frameworks import RULE_OF, WITHOUT_A_RULE
from tests.effort import SEED, many
from tests.in_memory import Ended, run
from tests.rows import each_row
from tests.strategies import random_shapes

SHAPES = ["-1,3", "-2,3", "?,3", "bias=3", "()", "scalar", "(2, 3)", "2x3", "N", "batch", "batch,3"]
MALFORMED = ["2,,3", "", " ", "2.3", "1e3", "...", "3 # a", "axis=1", "axis=x", "{2,3}"]
OTHERS = ["-", "--", "op", "Add", "compare", "nonsense", "numpy", "TORCH", *WITHOUT_A_RULE]
FORMATS = ["table", "plain", "json", "svg", "tsv", ""]
OPTIONS = [
    *("-p", "-q", "--plain", "--quiet", "--json", "--strict", "--picture", "--steps", "-pq", "-qp"),
    *("-V", "-h", "--js", "--json=1", "-x", "-px", "-p-q", "-p1", "-q=", "--op", "-1", "-fq"),
    *(f"{name}{form}" for name in ("-f", "-qf", "-pqf", "-f=", "--format=") for form in FORMATS),
    *(f"--{name}={value}" for name in ("axis", "axes") for value in ("1", "0,1", "-1", "x", "")),
    *("--order=numpy", "--order=x", "--color=always", "--color=no", "--axis=0", "--axis=-01"),
]
WITH_VALUE = ["-f", "-qf", "--format", "--color", "--axis", "--axes", "--order"]
VALUES = [*FORMATS, "always", "never", "0", "1", "-1", "0,1", "none", "ncnn", "numpy", "-p", "x"]
LINES = b"2,3 3\n2,3 2 axis=0\n2,,3 3\nN 3 # a\n3\n"


def command_line(chance: Random) -> list[str]:
    """A random command line: most ask a rule, in many spellings, and some ask nothing."""
    sizes: list[Size] = [0, 1, 2, 3, "N"]
    shapes = random_shapes(chance, chance.choice((1, 2, 2, 2, 2, 3, 4)), sizes)
    words = [written(shape) for shape in shapes if chance.random() < 0.95]
    if chance.random() < 0.7:
        words.insert(0, chance.choice([*RULES, *RULES, *RULE_OF]))
    for some, often in ((SHAPES, 0.3), (MALFORMED, 0.1), (OTHERS, 0.15)):
        if chance.random() < often:
            words.insert(chance.randint(0, len(words)), chance.choice(some))
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        added = [chance.choice(OPTIONS)]
        if chance.random() < 0.4:
            added = [chance.choice(WITH_VALUE), chance.choice(VALUES)]
        place = chance.randint(0, len(words))
        words[place:place] = added
    return words


@each_row(
    ("line", "command", "others"),
    [
        ("numpy 2,3 3", "numpy", "2,3 3"),
        ("-p ncnn 3,4 3", "ncnn", "-p 3,4 3"),
        ("--color always op Add 3", "op", "--color always Add 3"),
        ("-f gift quiz --seed 1", "quiz", "-f gift --seed 1"),
        ("-pqf json TORCH 3 3", "TORCH", "-pqf json 3 3"),
        ("--order numpy ncnn 3", "ncnn", "--order numpy 3"),  # the value is no command
        ("-pq torch 3", "torch", "-pq 3"),
        ("numpy torch 3", "numpy", "torch 3"),
        ("2,3 torch", "numpy", "2,3 torch"),
        ("-1,3 torch 3", "torch", "-1,3 3"),
        ("-- torch 3", "torch", "-- 3"),
        ("-h op", "op", "-h"),
        ("-h", "-h", ""),
        ("--help 2,3", "--help", "2,3"),
        ("-p -h", "numpy", "-p -h"),
        ("trch 3", "trch", "3"),
        ("-p trch 3", "numpy", "-p trch 3"),
        ("n batch,n", "numpy", "n batch,n"),
        ("n batch", "n", "batch"),
        ("N 3", "numpy", "N 3"),
        ("- 3", "numpy", "- 3"),
        ("scalar", "numpy", "scalar"),
        ("run x.py -p op", "run", "x.py -p op"),
    ],
)
def test_the_command_of_a_line(line: str, command: str, others: str) -> None:
    """It is the first word that is no option and no option's value, or else numpy's rule."""
    assert early.command_of(line.split()) == (command, others.split())


def test_no_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe is read under numpy's rule; at a terminal, or without any input, nothing is asked."""
    assert early.command_of([]) == ("numpy", [])
    assert run([], b"2,3 3\n4 5\n") == run(["numpy"], b"2,3 3\n4 5\n")
    missing = "bcastcli: a shape is missing: bcastcli ncnn 2,3,4 3,4 (-h shows more)\n"
    assert run(["ncnn"], typing=True) == (2, "", missing)
    monkeypatch.setattr(sys, "stdin", None)
    assert early.command_of([]) == ("", [])


def by_option_parser(arguments: list[str], *, typing: bool = False) -> Ended:
    """What the option parser makes of a command line."""
    with patch.object(early, "read", return_value=None):
        return run(arguments, LINES, typing=typing)


def test_the_option_parser_gives_the_same_answers() -> None:
    """Both readers lead to the same text, on both outputs, and to the same status."""
    chance = Random(SEED)
    for _ in range(many(500)):
        arguments, typing = command_line(chance), chance.random() < 0.2
        found = run(arguments, LINES, typing=typing)
        assert found == by_option_parser(arguments, typing=typing), arguments


@each_row(
    "line",
    [
        *("2,3 3", "-1,3 3", "2,3 -- -1,3", "torch 3,4 3", "64,1 64 --strict", "n batch,n"),
        *("-p numpy 2,3 4", "2,3 3 --plain", "2,3 4 -q", "--quiet 2,3 4", "2,3 3 -qp", "-pq 2 3"),
        *(
            "2,3 3 --json",
            "2,3 3 -f json",
            "--format json 2 3",
            "--format=plain 3 3",
            "2 3 -p --json",
        ),
        *("2 3 --json -p", "2 3 --color=always", "--color never 2 3 -f table", "pdpd - --axis 1"),
        *("pdpd 2,3 2 --axis 0", "pdpd 2,3 2 --axis=-1 --axis=0", "pdpd 2,3 3 -p --axis -1"),
        *("explicit --axes=0 3 3,4", "explicit --axes 1 3 4,3", "ncnn --order numpy 3 3,4"),
        *("-", "-pq", "onnx - --format json", "--json", "- --strict", "2 3 -p --json"),
    ],
)
def test_common_questions_are_read_early(line: str) -> None:
    """What most people ask needs no option parser, and gets the answers that it gives."""
    with patch("bcastcli.cli.parser.run", side_effect=AssertionError(line)):
        found = run(line.split(), LINES)
    assert found == by_option_parser(line.split())


@each_row(
    "line",
    [
        *("2,3 3 -x", "2,3 3 --json=1", "2,3 3 -q=", "2 3 -p1", "2 3 -f", "2 3 -f svg", "- -f svg"),
        *("2 3 --axis 1", "pdpd 2 3 --axis x", "pdpd 2 3 --axis=", "ncnn 2 3 --order x", "-fq 3 3"),
        *("2 3 -f tsv", "2 3 --color no", "2 3 --picture", "2 3 --axes", "2 - 3", "2 3 -h"),
        *("2 3 --max-elements", "-p-q 2 3", "2 3 --format=", "2 3 --strict=yes", "-f=plain 2 3"),
        "-px 2",
    ],
)
def test_other_lines_are_left_to_the_option_parser(line: str) -> None:
    """What is not common, or wrong, is not read early, so that errors are the option parser's."""
    assert early.read(*early.command_of(line.split())) is None
    assert run(line.split(), LINES) == by_option_parser(line.split())


def test_numbers_in_lines_are_answered_by_columns() -> None:
    """Lines of numbers need no answer of their own; with --strict, each line is asked in full."""
    with patch.object(Request, "ask", side_effect=AssertionError):
        assert run(["-p", "-"], b"2,3 3\n2,3 4\n").out.startswith("2,3\nmismatch: ")
    assert run(["-p", "-", "--strict"], b"64,1 64\n").out.startswith("mismatch: ")
