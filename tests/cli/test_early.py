"""Command lines that cli/early.py reads without the option parser: it would answer the same."""

from random import Random
from unittest.mock import patch

from bcastcli.cli import early
from bcastcli.core.shapes import Size, written
from bcastcli.rules import RULES
from bcastcli.rules.frameworks import RULE_OF, WITHOUT_A_RULE
from tests.effort import SEED, many
from tests.in_memory import Ended, run
from tests.rows import each_row
from tests.strategies import random_shapes

SHAPES = ["-1,3", "-2,3", "?,3", "bias=3", "()", "scalar", "(2, 3)", "2x3", "N", "batch", "batch,3"]
MALFORMED = [
    "2,,3",
    "",
    " ",
    "2.3",
    "1e3",
    "...",
    "3 # a",
    "axis=1",
    "axis=x",
    "{2,3}",
    "[[2],[3]]",
]
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
VALUES = [
    *FORMATS,
    "always",
    "never",
    "0",
    "1",
    "2",
    "-1",
    "0,1",
    "none",
    "ncnn",
    "numpy",
    "-p",
    "x",
]
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


def by_option_parser(arguments: list[str], *, typing: bool) -> Ended:
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
        *("2,3 3", "torch 2,3 3", "-p numpy 2,3 3", "2,3 3 -qp", "2,3 -- -1,3", "-1,3 3"),
        *("pdpd 2,3 2 --axis 0 --axis=-1", "explicit --axes=0 3 3,4", "ncnn --order numpy 3 3,4"),
        *(
            "--json --color=never 2,3 3",
            "64,1 64 --strict",
            "-",
            "-pq",
            "onnx - --format json",
        ),
    ],
)
def test_common_questions_are_read_early(line: str) -> None:
    """What most people ask needs no option parser."""
    with patch("bcastcli.cli.parser.run", side_effect=AssertionError(line)):
        run(line.split(), LINES)
