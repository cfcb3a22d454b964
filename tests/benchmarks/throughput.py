"""How fast a stream is: whole processes, as multiples of a loop over numpy.broadcast_shapes.

What counts is processor time, so that other work on the machine matters less. The loop and the
commands of a workload run in turn on the same lines, and the table has the medians. Above 1 is
faster than the loop, whose import of NumPy and whose `except ValueError` are counted.

Run it in an environment with bcastcli and NumPy:

    python -m tests.benchmarks.throughput [LINES [ROUNDS [WORD...]]]

By default there are 100,000 lines and 5 rounds. With words, only the rows whose names contain one
of them are run.
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
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES

SIZES = (1, 2, 3, 4, 7, 8, 12, 16, 28, 32, 56, 64, 77, 128, 224, 256, 320, 512, 768, 1024, 3072)
"""Sizes as models have them."""
MISMATCHES = 0.2
UNKNOWN_SIZES = ("batch", "N", "?")

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

Shape = list[int]
Draw = Callable[[random.Random], list[Shape]]


def shapes_of(
    rule: str, chance: random.Random, ranks: tuple[int, int], operands: int = 2
) -> list[Shape]:
    """Shapes that often broadcast under a rule: each has sizes and axes of the first, or ones."""
    whole = [chance.choice(SIZES) for _ in range(chance.randint(*ranks))]
    shapes = [whole]
    for _ in range(operands - 1):
        first = chance.randrange(len(whole))
        shapes.append([size if chance.random() < 0.7 else 1 for size in whole][first:])
    if rule in ("none", "same-rank"):
        shapes = [[1] * (len(whole) - len(shape)) + shape for shape in shapes]
    if rule == "none":
        shapes = [list(whole) for _ in shapes]
    if rule == "left":
        shapes = [shape[::-1] for shape in shapes]
    if rule == "ncnn" and chance.random() < 0.7:
        shapes[1] = whole[len(whole) - len(shapes[1]) :]
    return shapes


def lines(
    rule: str,
    count: int,
    *,
    ranks: tuple[int, int] = (1, 4),
    operands: int = 2,
    mismatches: float = MISMATCHES,
) -> Iterator[str]:
    """Lines that are all different, of which this share does not broadcast under a rule."""
    chance = random.Random(f"{rule} {ranks} {operands}")
    left = {False: round(count * mismatches), True: count - round(count * mismatches)}
    seen: set[str] = set()
    while len(seen) < count:
        shapes = shapes_of(rule, chance, ranks, operands)
        if not left[True] or chance.random() < mismatches:
            shape = chance.choice(shapes[1:])
            shape[chance.randrange(len(shape))] = chance.choice(SIZES)
        line = " ".join(",".join(map(str, shape)) for shape in shapes)
        if line in seen:
            continue
        ok = answer_line(RULES[rule], line, {}).ok is True
        if left[ok]:
            left[ok] -= 1
            seen.add(line)
            yield line


def objects(count: int) -> Iterator[str]:
    """The lines of numpy as objects."""
    for line in lines("numpy", count):
        shapes = ", ".join(f"[{shape.replace(',', ', ')}]" for shape in line.split())
        yield f'{{"shapes": [{shapes}]}}'


def repeating(count: int) -> Iterator[str]:
    """500 lines, again and again in any order."""
    chance = random.Random(2)
    known = list(lines("numpy", 500))
    yield from (chance.choice(known) for _ in range(count))


def new_sizes(count: int) -> Iterator[str]:
    """Sizes from 2 to 4,000 in ever new shapes of 2 to 5 axes; 15 % of the lines are mismatches."""
    chance = random.Random(3)
    for _ in range(count):
        shape = [chance.randint(2, 4000) for _ in range(chance.randint(2, 5))]
        other = [size if chance.random() < 0.6 else 1 for size in shape]
        if chance.random() < 0.15:
            other[-1] = shape[-1] + chance.randint(1, 9)
        other = other[chance.randrange(len(other)) :]
        yield " ".join(",".join(map(str, each)) for each in (shape, other))


def unknown(count: int) -> Iterator[str]:
    """The lines of numpy with an unknown size in each."""
    chance = random.Random(7)
    for line in lines("numpy", count):
        sizes = re.split(r"([ ,])", line)
        sizes[2 * chance.randrange(len(sizes) // 2 + 1)] = chance.choice(UNKNOWN_SIZES)
        # A word alone is no shape.
        yield " ".join(f"({word},)" if word.isalpha() else word for word in "".join(sizes).split())


Workload = Callable[[int], Iterator[str]]


class Row(NamedTuple):
    """A command on a workload."""

    name: str
    workload: Workload
    arguments: str


_NUMPY = partial(lines, "numpy")
_RULES = ("numpy", "onnx-uni", "bidirectional", "none", "left", "same-rank", "pdpd", "ncnn")
ROWS = (
    *(Row(rule, partial(lines, rule), f"{rule} -") for rule in _RULES),
    Row("three operands", partial(_NUMPY, operands=3), "numpy -"),
    Row("all yes", partial(_NUMPY, mismatches=0), "numpy -"),
    Row("rank 8", partial(_NUMPY, ranks=(8, 8)), "numpy -"),
    Row("new sizes", new_sizes, "numpy -"),
    Row("500 repeating", repeating, "numpy -"),
    Row("json out", _NUMPY, "numpy --json -"),
    Row("objects in", objects, "numpy -"),
    Row("unknown sizes", unknown, "numpy -"),
    Row("check", _NUMPY, "check -q"),
)
PYTHON = """
from time import process_time
from numpy import broadcast_shapes as numpys
from bcastcli import broadcast, broadcast_shapes
SHAPES = (8, 1, 6, 1), (7, 1, 5)
for function in (numpys, broadcast_shapes, broadcast):
    taken = []
    for _ in range(7):
        start = process_time()
        for _ in range(2000):
            function(*SHAPES)
        taken.append((process_time() - start) / 2000)
    print(f"{min(taken) * 1e6:8.1f} us  {function.__module__}.{function.__name__}")
"""
"""Calls from Python: NumPy's, and ours."""


def readable(line: str) -> str:
    """A line as NumPy's loop can read it, with numbers for unknown sizes."""
    if line.startswith("{"):
        line = re.sub(r"\], \[", " ", line[13:-3]).replace(", ", ",")
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
    """The seconds that a command takes for the questions, and its peak in kibibytes."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with questions.open("rb") as given:
        watched = subprocess.run(
            [sys.executable, "-c", WATCH, *command],
            stdin=given,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            check=True,
        )
    seconds, peak = watched.stdout.split()
    return float(seconds), int(peak)


def medians(row: Row, count: int, rounds: int) -> tuple[float, float, float]:
    """Run the loop and a command in turn; return the seconds of both, and the command's MiB."""
    ours = [str(Path(sysconfig.get_path("scripts"), "bcastcli")), *row.arguments.split()]
    loop = [sys.executable, "-c", NUMPY_LOOP]
    seconds: dict[bool, list[float]] = {True: [], False: []}
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        questions, numbers = Path(folder, "questions"), Path(folder, "numbers")
        with questions.open("w") as asked, numbers.open("w") as looped:
            for line in row.workload(count):
                asked.write(f"{line}\n")
                looped.write(f"{readable(line)}\n")
        for _ in range(rounds):
            seconds[False].append(run(loop, numbers)[0])
            taken, peak = run(ours, questions)
            seconds[True].append(taken)
            peaks.append(peak)
    loops, own = statistics.median(seconds[False]), statistics.median(seconds[True])
    return loops, own, max(peaks) / 1024


def main() -> None:
    """Print a row for each workload."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    words = sys.argv[3:] or [""]
    print(f"{'':18}{'x loop':>8}{'lines/s':>11}{'MiB':>6}")
    for row in ROWS:
        if not any(word in row.name for word in words):
            continue
        loop, ours, mib = medians(row, count, rounds)
        per_second = count / ours
        print(f"{row.name:18}{loop / ours:8.2f}{per_second:11,.0f}{mib:6.0f}", flush=True)
    if any(word in "python" for word in words):
        subprocess.run([sys.executable, "-c", PYTHON], check=True)


if __name__ == "__main__":
    main()
