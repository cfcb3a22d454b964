"""Arguments as Typer gets them, options that go together, and whole numbers."""

import pytest

from bcastcli.cli.commands import for_typer, program_apart
from bcastcli.cli.options import MARK, Shown, whole_number
from bcastcli.cli.parser import built
from tests.in_memory import run
from tests.rows import each_row


@each_row("line", ["numpy 4,1 3", "ncnn 2,3,4 3,4", "compare 3,3 3", "op Add 4,1 3"])
def test_svg_is_a_picture(line: str) -> None:
    """`-f svg` draws, without `--picture` as with it."""
    drawn = [*line.split(), "-f", "svg"]
    assert run(drawn) == run([*drawn, "--picture"])


def test_without_pictures() -> None:
    """Where that feature is not installed, reports take no options of pictures."""
    assert Shown().drawing() == {}


@each_row(
    ("text", "is_valid"), [("1", True), ("9", True), ("0", False), ("10", False), ("x", False)]
)
def test_whole_number(text: str, is_valid: bool) -> None:
    """Both bounds are allowed."""
    read = whole_number(1, 9)
    if is_valid:
        assert read(text) == int(text)
    else:
        with pytest.raises(ValueError, match="is not a whole number from 1 to 9"):
            read(text)


@each_row(
    ("line", "passed"),
    [
        ("numpy -p -1,3 -2x3 3", "--format=plain ~-1,3 ~-2x3 3"),
        (
            "numpy -pq --plain -qqp -q -ppp",
            "--format=plain -q --format=plain --format=plain -q -q --format=plain",
        ),
        ("numpy --json -f plain -pf", "--format=json -f plain -pf"),
        ("numpy --color -1 -1 -qfjson", "--color -1 ~-1 -qfjson"),
        ("numpy -- -1 -p --json", "-- -1 -p --json"),
        ("numpy - -x --no-json", "- -x --no-json"),
        ("pdpd --axis -1 -1", "--axis -1 ~-1"),
        ("pdpd --axis=-1 -1", "--axis=-1 ~-1"),
        ("quiz -p --plain --json", "-p --plain --json"),
        ("op --opset -p --quiet -3", "--opset -p --quiet ~-3"),
    ],
)
def test_arguments_for_typer(line: str, passed: str) -> None:
    """Short forms of a format become one option, and -1,3 is marked as a shape, not -x."""
    command, *words = line.split()
    found = for_typer(built(command).params, words)
    assert found == passed.replace("~", MARK).split()
    assert for_typer(built(command).params, ["- 2,3"]) == [f"{MARK}- 2,3"]


@each_row(
    ("line", "passed"),
    [
        ("x.py -q --json", "-- x.py -q --json"),
        ("--json x.py --strict", "--json -- x.py --strict"),
        ("--strict x.py", "--strict=- -- x.py"),
        ("--strict=all --shapes x.py", "--strict=all --shapes=- -- x.py"),
        ("-f json --shapes=DIR -m pytest -x", "-f json --shapes=DIR -- -m pytest -x"),
        ("--format=json -- -x.py --", "--format=json -- -x.py --"),
        ("-h x.py", "-h -- x.py"),
        ("--help", "--help --"),
        ("-f", "-f --"),
    ],
)
def test_the_arguments_of_a_program(line: str, passed: str) -> None:
    """What follows the program of `run` is the program's own."""
    assert program_apart(built("run").params, line.split()) == passed.split()
