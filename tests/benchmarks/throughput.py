"""How many questions a second a stream answers, whole process, against a loop in NumPy.

What counts is processor time, so that other work on the machine matters less.

Run it in an environment with bcastcli and NumPy; without a number, with a million lines a workload:

    python -m tests.benchmarks.throughput [LINES [WORD...]]

With words, only the rows whose names contain one of them are run. The loop and the commands of a
workload run in turn, three times each, on the same lines, and the table has their medians.
"""

import os
import random
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROUNDS = 3
MAX_MIB = 64

LOOP = "numpy loop"
NUMPY_LOOP = """
import sys
import numpy
for line in sys.stdin:
    shapes = [tuple(map(int, shape.split(","))) for shape in line.split()]
    try:
        print(",".join(map(str, numpy.broadcast_shapes(*shapes))))
    except ValueError as error:
        print("mismatch:", error)
"""
SIZES = (1, 2, 3, 4, 7, 8, 12, 16, 28, 32, 56, 64, 77, 128, 224, 256, 320, 512, 768, 1024, 3072)
SHAPES = 5000
UNKNOWN_SIZES = ("batch", "N", "?")


def written(shape: list[int]) -> str:
    """Return a shape as it is typed."""
    return ",".join(map(str, shape))


def partner(shape: list[int], chance: random.Random, mismatches: float = 0.15) -> list[int]:
    """Return a shape that broadcasts with a given one, unless it is to be a mismatch."""
    other = [size if chance.random() < 0.6 else 1 for size in shape]
    other = other[chance.randrange(len(other)) :]
    if chance.random() < mismatches:
        clashing = [axis for axis, size in enumerate(shape[-len(other) :]) if size > 1]
        if clashing:
            axis = chance.choice(clashing)
            other[axis] = shape[len(shape) - len(other) + axis] + chance.randint(1, 9)
    return other


def distinct(draw: Callable[[], str], count: int) -> Iterator[str]:
    """Draw different lines."""
    seen: set[int] = set()
    while len(seen) < count:
        line = draw()
        if hash(line) not in seen:
            seen.add(hash(line))
            yield line


def recurring(count: int) -> Iterator[str]:
    """Distinct pairs of 5,000 shapes, any two; most do not broadcast."""
    chance = random.Random(1)
    shapes = [
        written([chance.choice(SIZES) for _ in range(chance.randint(1, 4))]) for _ in range(SHAPES)
    ]
    return distinct(lambda: f"{chance.choice(shapes)} {chance.choice(shapes)}", count)


def families() -> list[list[str]]:
    """50 lists of 100 shapes that belong together, as in a model; most broadcast."""
    chance = random.Random(4)
    found = []
    for _ in range(50):
        whole = [chance.choice(SIZES) for _ in range(4)]
        found.append([written(whole), *(written(partner(whole, chance, 0.05)) for _ in range(99))])
    return found


def of_families(operands: int, count: int) -> Iterator[str]:
    """Lines of shapes that belong together; they are as different as there are."""
    chance = random.Random(5)
    shapes = families()
    for _ in range(count):
        yield " ".join(chance.choices(chance.choice(shapes), k=operands))


def related(count: int) -> Iterator[str]:
    """Pairs of shapes of a model, the larger one first; most broadcast."""
    for line in of_families(2, count):
        yield " ".join(sorted(line.split(), key=lambda shape: -shape.count(",")))


def three(count: int) -> Iterator[str]:
    """Three shapes of a model."""
    return of_families(3, count)


def repeating(count: int) -> Iterator[str]:
    """500 lines, again and again in any order."""
    chance = random.Random(2)
    shapes = [[chance.choice(SIZES) for _ in range(4)] for _ in range(500)]
    lines = [f"{written(shape)} {written(partner(shape, chance))}" for shape in shapes]
    yield from (chance.choice(lines) for _ in range(count))


def new(count: int) -> Iterator[str]:
    """Sizes from 2 to 4,000 in ever new shapes; 15 % of the lines are mismatches."""
    chance = random.Random(3)
    for _ in range(count):
        shape = [chance.randint(2, 4000) for _ in range(chance.randint(2, 5))]
        yield f"{written(shape)} {written(partner(shape, chance))}"


def forgetful(shape: str, chance: random.Random) -> str:
    """Return a shape in which every tenth size is not known."""
    shape = ",".join(
        chance.choice(UNKNOWN_SIZES) if chance.random() < 0.1 else size for size in shape.split(",")
    )
    # A word alone is no shape.
    return f"({shape},)" if shape.isalpha() else shape


def unknown(count: int) -> Iterator[str]:
    """Shapes of a model, in which every tenth size is not known."""
    chance = random.Random(7)
    shapes = [[forgetful(shape, chance) for shape in family] for family in families()]
    for _ in range(count):
        yield " ".join(chance.choices(chance.choice(shapes), k=2))


def unknown_and_new(count: int) -> Iterator[str]:
    """Ever new shapes of sizes from 2 to 4,000, in which every tenth size is not known."""
    chance = random.Random(8)
    for line in new(count):
        yield " ".join(forgetful(shape, chance) for shape in line.split())


Workload = Callable[[int], Iterator[str]]


class Row(NamedTuple):
    """A command on a workload, and how many times the loop in NumPy it should be."""

    workload: Workload
    arguments: str
    target: float | None = None


OTHERS = ("onnx-uni", "bidirectional", "none", "pdpd", "ncnn")
ROWS = (
    Row(recurring, "numpy", 4),
    *(Row(recurring, rule, 1.2) for rule in OTHERS),
    Row(recurring, "numpy --json", 0.9),
    *(Row(recurring, f"{rule} --json", 0.5) for rule in OTHERS),
    *(Row(related, rule, 1.2) for rule in ("numpy", *OTHERS)),
    Row(related, "numpy --json", 0.9),
    *(Row(related, f"{rule} --json", 0.5) for rule in OTHERS),
    Row(repeating, "numpy", 20),
    Row(repeating, "numpy --json"),
    Row(new, "numpy", 1.2),
    *(Row(new, rule, 0.8) for rule in OTHERS),
    Row(new, "numpy --json", 0.4),
    *(Row(new, f"{rule} --json") for rule in OTHERS),
    Row(three, "numpy", 2.5),
    Row(three, "numpy --json"),
    *(Row(unknown, rule, 0.5) for rule in ("numpy", *OTHERS)),
    Row(unknown, "numpy --json"),
    *(Row(unknown_and_new, rule, 0.5) for rule in ("numpy", *OTHERS)),
    Row(related, "compare -"),
    Row(recurring, "compare -"),
    Row(related, "check -q", 1.2),
    Row(new, "op Gemm -"),
)
MIN_COMPARED = 20_000
"""Lines a second that `compare -` should answer."""


def readable(line: str) -> str:
    """Return a line as NumPy's loop can read it, with numbers for unknown sizes."""
    return re.sub(r"\?|[A-Za-z]+", "3", re.sub(r",?[()]", "", line))


# A process of its own, since the memory of a child is counted from what its parent has.
WATCH = """
import resource, subprocess, sys
errors = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr
if errors:
    sys.exit(errors.decode())
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def run(command: list[str], questions: Path) -> tuple[float, int]:
    """Return the seconds that a command takes for the questions, and its peak in kibibytes."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with questions.open("rb") as lines:
        watched = subprocess.run(
            [sys.executable, "-c", WATCH, *command],
            stdin=lines,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            check=True,
        )
    seconds, peak = watched.stdout.split()
    return float(seconds), int(peak)


def medians(workload: Workload, arguments: list[str], count: int) -> dict[str, tuple[float, int]]:
    """Run the loop and the commands of a workload in turn; return their seconds and their peaks."""
    ours = str(Path(sysconfig.get_path("scripts"), "bcastcli"))
    commands = {LOOP: [sys.executable, "-c", NUMPY_LOOP]}
    commands |= {each: [ours, *each.split()] for each in arguments}
    runs: dict[str, list[tuple[float, int]]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as folder:
        questions, numbers = Path(folder, "questions"), Path(folder, "numbers")
        with questions.open("w") as asked, numbers.open("w") as looped:
            for line in workload(count):
                asked.write(f"{line}\n")
                looped.write(f"{readable(line)}\n")
        for _ in range(ROUNDS):
            for name, command in commands.items():
                runs[name].append(run(command, numbers if name == LOOP else questions))
    return {
        name: (statistics.median(seconds for seconds, _ in each), max(peak for _, peak in each))
        for name, each in runs.items()
    }


def missed(row: Row, times: float, per_second: float, mib: float) -> str:
    """Return the target that a row misses; empty where it misses none."""
    if row.target is not None and times < row.target:
        return f"below {row.target}"
    if row.arguments == "compare -" and per_second < MIN_COMPARED:
        return f"below {MIN_COMPARED:,} lines/s"
    return f"above {MAX_MIB} MiB" if mib >= MAX_MIB else ""


def main() -> None:
    """Print a table for each workload, with what misses its target."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    words = sys.argv[2:] or [""]
    chosen: dict[Workload, list[Row]] = {}
    for row in ROWS:
        name = f"{row.workload.__name__}: {row.arguments}"
        if any(word in name for word in words):
            chosen.setdefault(row.workload, []).append(row)
    misses = 0
    for workload, rows in chosen.items():
        found = medians(workload, [row.arguments for row in rows], count)
        loop, _ = found[LOOP]
        print(f"\n{workload.__doc__} ({workload.__name__})")
        print(f"{'':24}{'x loop':>8}{'target':>8}{'lines/s':>11}{'MiB':>6}")
        for row in [Row(workload, LOOP), *rows]:
            seconds, peak = found[row.arguments]
            times, per_second, mib = loop / seconds, count / seconds, peak / 1024
            miss = missed(row, times, per_second, mib)
            misses += bool(miss)
            print(f"{row.arguments:24}{times:8.2f}{row.target or '':>8}", end="")
            print(f"{per_second:11,.0f}{mib:6.0f}  {miss and f'<- {miss}'}".rstrip(), flush=True)
    print(f"\n{count:,} lines a workload; targets missed: {misses}")


if __name__ == "__main__":
    main()
