"""How many questions a second a stream answers, whole process, against a loop in NumPy.

What counts is processor time, so that other work on the machine matters less.

Run it in an environment with bcastcli and NumPy; without a number, with a million lines a workload:

    python -m tests.benchmarks.throughput [LINES [WORD...]]

With words, only the workloads whose names contain one of them are run. The loop and the commands of
a workload run in turn, three times each, on the same lines, and the table has their medians.
"""

import os
import random
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROUNDS = 3

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


def any_two(count: int) -> Iterator[str]:
    """Any two of 5,000 shapes; most do not broadcast."""
    chance = random.Random(1)
    shapes = [
        written([chance.choice(SIZES) for _ in range(chance.randint(1, 4))]) for _ in range(SHAPES)
    ]
    for _ in range(count):
        yield f"{chance.choice(shapes)} {chance.choice(shapes)}"


def of_families(operands: int, count: int) -> Iterator[str]:
    """Lines from 50 lists of 100 shapes that belong together, as in a model; most broadcast."""
    chance = random.Random(4)
    families = []
    for _ in range(50):
        whole = [chance.choice(SIZES) for _ in range(4)]
        others = [written(partner(whole, chance, 0.05)) for _ in range(99)]
        families.append([written(whole), *others])
    for _ in range(count):
        yield " ".join(chance.choices(chance.choice(families), k=operands))


def related(count: int) -> Iterator[str]:
    """Pairs of shapes of a model, the larger one first; most broadcast."""
    for line in of_families(2, count):
        yield " ".join(sorted(line.split(), key=lambda shape: -shape.count(",")))


def three(count: int) -> Iterator[str]:
    """Three shapes of a model."""
    return of_families(3, count)


def repeating(count: int) -> Iterator[str]:
    """500 lines, again and again in any order."""
    lines = [*new(500)]
    chance = random.Random(2)
    for _ in range(count):
        yield chance.choice(lines)


def new(count: int) -> Iterator[str]:
    """Sizes from 2 to 4,000 in ever new shapes; 15 % of the lines are mismatches."""
    chance = random.Random(3)
    for _ in range(count):
        shape = [chance.randint(2, 4000) for _ in range(chance.randint(2, 5))]
        yield f"{written(shape)} {written(partner(shape, chance))}"


def unknown(count: int) -> Iterator[str]:
    """Ever new shapes in which every tenth size is not known."""
    chance = random.Random(8)

    def forgetful(shape: str) -> str:
        sizes = shape.split(",")
        sizes = [chance.choice(UNKNOWN_SIZES) if chance.random() < 0.1 else s for s in sizes]
        return f"({','.join(sizes)},)"  # a word alone is no shape

    for line in new(count):
        yield " ".join(map(forgetful, line.split()))


Workload = Callable[[int], Iterator[str]]
RULES = ("numpy", "onnx-uni", "bidirectional", "none", "pdpd", "ncnn")
COMMANDS: dict[Workload, Sequence[str]] = {
    any_two: (*RULES, "numpy --json", "compare -"),
    related: (*RULES, "numpy --json", "check -q"),
    three: ("numpy", "numpy --json"),
    repeating: ("numpy", "numpy --json"),
    new: (*RULES, "numpy --json", "op Gemm -"),
    unknown: (*RULES, "numpy --json"),
}
"""What answers the lines of each workload, beside the loop."""


def readable(line: str) -> str:
    """A line as NumPy's loop can read it, with numbers for unknown sizes."""
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


def medians(
    workload: Workload, arguments: Sequence[str], count: int
) -> dict[str, tuple[float, int]]:
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


def main() -> None:
    """Print a table for each workload."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    words = sys.argv[2:] or [""]
    for workload, commands in COMMANDS.items():
        if not any(word in workload.__name__ for word in words):
            continue
        found = medians(workload, commands, count)
        loop, _ = found[LOOP]
        print(f"\n{workload.__doc__} ({workload.__name__})")
        print(f"{'':24}{'x loop':>8}{'lines/s':>11}{'MiB':>6}")
        for name, (seconds, peak) in found.items():
            rates = f"{loop / seconds:8.2f}{count / seconds:11,.0f}{peak / 1024:6.0f}"
            print(f"{name:24}{rates}", flush=True)


if __name__ == "__main__":
    main()
