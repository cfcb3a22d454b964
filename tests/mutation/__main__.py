"""How many small wrong changes the tests notice.

    python -m tests.mutation --random 60 --seed 7     # drawn by line, in all rooms
    python -m tests.mutation --random 40 --rooms why,raising
    python -m tests.mutation bcastcli/core/shapes.py  # each one in these files

Each change is made in a copy of the project and asked of the tests of its room, then of the laws
and the cases, and last of all tests. What noticed it is printed, and what was missed is listed.
"""

import ast
import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from random import Random
from resource import RLIMIT_DATA, setrlimit
from shutil import copytree, ignore_patterns
from subprocess import DEVNULL, TimeoutExpired, run
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from tests.mutation.changes import changes
from tests.rooms import room

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "bcastcli"
NOT_COPIED = ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache")
TESTS = {
    "": ["tests/test_python.py"],
    "raising": ["tests/raising", "tests/engines/test_raising.py"],
}
"""The tests of the rooms that have others than a folder of their name."""
EXAMPLES = "tests/test_python.py::test_examples_in_docstrings"
MISSED = "MISSED"
PATIENCE = 900
"""Seconds for one run of tests: a change can make a loop endless."""
MEMORY = 4 << 30
"""Bytes for a process, as an endless loop may also collect something."""


class Wrong(NamedTuple):
    """A change of a file in the package: what it does, and the text with it."""

    file: str
    what: str
    text: str

    @property
    def room(self) -> str:
        return room(self.file)


def main() -> None:
    """Test the changes that are asked for; print what was missed, and the shares."""
    parser = ArgumentParser("python -m tests.mutation")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rooms", help="draw in these alone, separated by commas")
    options = parser.parse_args()
    rooms = options.rooms.split(",") if options.rooms else None
    drawn = draw(options.random, options.seed, rooms) if options.random else every(options.files)
    os.nice(15)
    setrlimit(RLIMIT_DATA, (MEMORY, MEMORY))
    os.environ["BCASTCLI_SEED"] = str(options.seed)
    counts: dict[str, Counter[bool]] = {}
    missed = []
    for wrong, by in tested(drawn):
        print(f"bcastcli/{wrong.file}:{wrong.what}\n     {by}", flush=True)
        counts.setdefault(wrong.room, Counter())[by != MISSED] += 1
        if by == MISSED:
            missed.append(wrong)
    for wrong in sorted(missed):
        print(f"missed: bcastcli/{wrong.file}:{wrong.what}")
    for name, count in [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]:
        print(f"{count[True]:4} of {count.total():4} noticed  {name or 'beside the rooms'}")


def draw(count: int, seed: int, rooms: list[str] | None) -> list[Wrong]:
    """Random changes, in some rooms or in all: of each line that is drawn, one."""
    random = Random(seed)
    lines: dict[tuple[Path, int], list[int]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if rooms is None or room(path.relative_to(PACKAGE).as_posix()) in rooms:
            for number, change in enumerate(changes(ast.parse(path.read_text("utf-8")))):
                lines.setdefault((path, change.line), []).append(number)
    some = random.sample([*lines], min(count, len(lines)))
    chosen = [(path, random.choice(lines[path, line])) for path, line in some]
    return [wrong for path, number in chosen for wrong in _of(path, number, number + 1)]


def every(files: Iterable[Path]) -> list[Wrong]:
    """Each change of some files."""
    return [wrong for file in files for wrong in _of(file.resolve())]


def _of(path: Path, start: int = 0, stop: int | None = None) -> Iterator[Wrong]:
    file, tree = path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text("utf-8"))
    for change in islice(changes(tree), start, stop):
        yield Wrong(file, str(change), ast.unparse(tree))


def tested(wrong: list[Wrong]) -> Iterator[tuple[Wrong, str]]:
    """Each change and what noticed it, two at a time, each in a copy of the project."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        free = SimpleQueue[Path]()
        for name in ("one", "other"):
            copytree(PROJECT, copy := Path(folder, name), ignore=NOT_COPIED)
            free.put(copy)
        if not passes(copy, ["tests"]):
            sys.exit("tests fail without a change, so that none would be missed")

        def with_test(each: Wrong) -> tuple[Wrong, str]:
            copy = free.get()
            try:
                return each, noticed(copy, each)
            finally:
                free.put(copy)

        yield from pool.map(with_test, wrong)


def noticed(copy: Path, wrong: Wrong) -> str:
    """What notices a change in a copy of the project."""
    path = copy / "bcastcli" / wrong.file
    text = path.read_text("utf-8")
    path.write_text(wrong.text, "utf-8")
    own = [*TESTS.get(wrong.room, [f"tests/{wrong.room}"]), EXAMPLES]
    try:
        for tests in (own, ["tests/laws", "tests/cases"], ["tests"]):
            if not passes(copy, tests):
                return " ".join(tests)
        return MISSED
    finally:
        path.write_text(text, "utf-8")
        # It may be as long as the change, and be written in the same second.
        Path(cache_from_source(str(path))).unlink(missing_ok=True)


def passes(copy: Path, tests: list[str]) -> bool:
    """Whether some tests of a copy pass, in time, or there are none."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        ended = run(
            command,
            env=environment,
            cwd=copy,
            timeout=PATIENCE,
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            check=False,
        )
    except TimeoutExpired:
        return False
    return ended.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


if __name__ == "__main__":
    main()
