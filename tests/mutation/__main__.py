"""How many small wrong changes the default tests notice.

    python -m tests.mutation --random 150 --seed 7    # drawn by line, outside core and rules
    python -m tests.mutation --random 40 --rooms why,raising
    python -m tests.mutation bcastcli/core/shapes.py  # each one in these files

A change is tested in a copy of the project: first by the tests of its room; then all that these
missed are tested together by the default run, and each by those tests that failed there and pass
without it. What noticed it is printed, and what was missed is listed. The same command goes on
where it ended, and asks what was missed again; delete .mutation for a fresh start.
"""

import ast
import json
import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib.util import cache_from_source
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from random import Random
from resource import RLIMIT_CPU, RLIMIT_DATA, setrlimit
from shutil import copytree, ignore_patterns, rmtree
from subprocess import DEVNULL, TimeoutExpired, call
from typing import Any, NamedTuple

from tests.mutation.changes import changes
from tests.mutation.plugin import ENDED, ONLY, TIMES
from tests.rooms import room

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "bcastcli"
WORK = PROJECT / ".mutation"
COPIES = [WORK / "first", WORK / "second"]
NOT_COPIED = ignore_patterns(".git", ".mutation", ".venv*", "__pycache__", ".*_cache")
TESTS = {"": "tests/test_python.py", "deck": "tests/browser/test_deck.py"}
"""The tests of the rooms that have no folder of tests."""
PYTEST = (sys.executable, "-m", "pytest", "-q", "--tb=no", "-ptests.mutation.plugin")
PATIENCE = 1200
MISSED = "MISSED"


class Wrong(NamedTuple):
    """A change of a file in the package: what it does, and the text with it."""

    file: str
    what: str
    text: str

    @property
    def room(self) -> str:
        return room(self.file)

    def __str__(self) -> str:
        return f"bcastcli/{self.file}:{self.what}"


def main() -> None:
    """Test the changes that are asked for; print what was missed, and the shares."""
    parser = ArgumentParser("python -m tests.mutation")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rooms", help="draw in these alone, separated by commas")
    asked = parser.parse_args()
    drawn = draw(asked.random, asked.seed, asked.rooms) if asked.random else every(asked.files)
    os.nice(15)
    # A change can make a loop endless, also one that collects something.
    setrlimit(RLIMIT_DATA, (4 << 30, 4 << 30))
    setrlimit(RLIMIT_CPU, (1800, 1800))
    os.environ["BCASTCLI_SEED"] = str(asked.seed)
    set_up()
    log = WORK / "outcomes.txt"
    log.touch()
    # What was missed is asked again: there may be a test for it now.
    pairs = (line.split("\t") for line in log.read_text("utf-8").splitlines())
    done = {wrong: by for by, wrong in pairs if by != MISSED}
    with log.open("a", encoding="utf-8") as file:
        for number, (wrong, by) in enumerate(tested([w for w in drawn if str(w) not in done])):
            done[str(wrong)] = by
            print(f"{by}\t{wrong}", file=file, flush=True)
            print(f"{number + 1:4} {wrong}\n     {by}", flush=True)
    counts: dict[str, Counter[bool]] = {}
    for wrong in sorted(drawn):
        is_missed = done[str(wrong)] == MISSED
        counts.setdefault(wrong.room, Counter())[is_missed] += 1
        if is_missed:
            print(wrong)
    for name, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        print(f"{count[False]:4} of {count.total():4} noticed  {name or 'beside the rooms'}")


def draw(count: int, seed: int, rooms: str | None) -> list[Wrong]:
    """Return random changes: lines of rooms, or outside core and rules; of each line one change."""
    random = Random(seed)
    lines: dict[tuple[Path, int], list[int]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = room(path.relative_to(PACKAGE).as_posix())
        if name in rooms.split(",") if rooms else name not in ("core", "rules"):
            for number, change in enumerate(changes(ast.parse(path.read_text("utf-8")))):
                lines.setdefault((path, change.line), []).append(number)
    some = random.sample([*lines], min(count, len(lines)))
    chosen = [(path, random.choice(lines[path, line])) for path, line in some]
    return [wrong for path, number in chosen for wrong in _of(path, number, number + 1)]


def every(files: Iterable[Path]) -> list[Wrong]:
    """Return each change of some files."""
    return [wrong for file in files for wrong in _of(file.resolve())]


def _of(path: Path, start: int = 0, stop: int | None = None) -> Iterator[Wrong]:
    file, tree = path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text("utf-8"))
    for change in islice(changes(tree), start, stop):
        yield Wrong(file, str(change), ast.unparse(tree))


def set_up() -> None:
    """Make copies of the project, and note how long each test takes with the code as it is."""
    for copy in COPIES:
        rmtree(copy, ignore_errors=True)
        copytree(PROJECT, copy, ignore=NOT_COPIED)
    times = WORK / TIMES
    if not times.exists():
        if run(COPIES[0]):
            sys.exit(f"without a change these fail: {_ended(COPIES[0])[1]}")
        times.write_text(json.dumps(_ended(COPIES[0])[0]))
    for copy in COPIES:
        (copy / TIMES).write_text(times.read_text())


def tested(wrong: list[Wrong]) -> Iterator[tuple[Wrong, str]]:
    """Yield each change and what noticed it."""
    left = []
    rooms = {each.file: [TESTS.get(each.room, f"tests/{each.room}")] for each in wrong}
    for each, by in _each_alone(wrong, rooms):
        if by:
            yield each, f"its room: {by}"
        else:
            left.append(each)
    while left:
        together = {each.file: each for each in left}
        left = [each for each in left if together[each.file] != each]
        with ExitStack() as stack:
            for each in together.values():
                stack.enter_context(applied(COPIES[0], each))
            (COPIES[0] / ONLY).unlink(missing_ok=True)
            status = run(COPIES[0])
        # Where they end the tests, not even what fails is known.
        failed = _ended(COPIES[0])[1] if status == 1 else []
        (COPIES[0] / ONLY).write_text(json.dumps(failed))
        if failed and run(COPIES[0], "-n0", *_files(failed)):
            # A test that needs another one before it fails alone, whatever the change.
            failed = [each for each in failed if each not in _ended(COPIES[0])[1]]
            status = bool(failed)
        for copy in COPIES:
            (copy / ONLY).write_text(json.dumps(failed))
        files = _files(failed) or ["tests"]
        found = _each_alone(together.values(), dict.fromkeys(together, files)) if status else ()
        for each, by in [each for each in found if each[1]]:
            yield together.pop(each.file), f"another: {by}"
        yield from ((each, MISSED) for each in together.values())


def _files(tests: Iterable[str]) -> list[str]:
    """Return the files of some tests."""
    return [*{test.partition("::")[0]: None for test in tests}]


def _each_alone(
    wrong: Iterable[Wrong], tests: Mapping[str, list[str]]
) -> Iterator[tuple[Wrong, str]]:
    """Yield each change with the first test that fails, on two processors; empty if all pass."""
    free = SimpleQueue[Path]()
    for copy in COPIES:
        free.put(copy)

    def with_test(each: Wrong) -> tuple[Wrong, str]:
        copy = free.get()
        with applied(copy, each):
            status = run(copy, "-x", "-n0", *tests[each.file])
        failed = _ended(copy)[1] if status == 1 else []
        free.put(copy)
        return each, " ".join(failed) or f"status {status}" * bool(status)

    with ThreadPoolExecutor(len(COPIES)) as pool:
        yield from pool.map(with_test, wrong)


@contextmanager
def applied(copy: Path, wrong: Wrong) -> Iterator[None]:
    """Have a change in a copy for a while."""
    path = copy / "bcastcli" / wrong.file
    text = path.read_text("utf-8")
    path.write_text(wrong.text, "utf-8")
    yield
    path.write_text(text, "utf-8")
    # It may be as long as the change, and be written in the same second.
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


def run(copy: Path, *arguments: str) -> int:
    """Run tests of a copy, by default all, and return their status."""
    options: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), DEVNULL)
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        return call([*PYTEST, *arguments], env=environment, cwd=copy, timeout=PATIENCE, **options)
    except TimeoutExpired:  # it waits for what never comes
        return 2


def _ended(copy: Path) -> tuple[dict[str, float], list[str]]:
    """Return how long each test of the last run took, and which failed."""
    times, failed = json.loads((copy / ENDED).read_text())
    return times, failed


if __name__ == "__main__":
    main()
