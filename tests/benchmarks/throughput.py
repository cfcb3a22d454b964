"""How fast a stream is: whole processes, as multiples of a loop over numpy.broadcast_shapes.

What counts is processor time, so that other work on the machine matters less. The loop and the
commands of a workload run in turn on the same lines, and the table has the medians. Above 1 is
faster than the loop, whose import of NumPy and whose `except ValueError` are counted.

    python -m tests.benchmarks.throughput [LINES [ROUNDS]]
"""

import random
import statistics
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.startup import seconds
from tests.strategies import Kind, random_question

SIZES = (1, 2, 3, 4, 7, 8, 12, 16, 28, 32, 56, 64, 77, 128, 224, 256, 320, 512, 768, 1024, 3072)
"""Sizes as models have them."""
LOOP = """
import sys
import numpy
for line in sys.stdin:
    shapes = [tuple(map(int, shape.split(","))) for shape in line.split()]
    try:
        print(",".join(map(str, numpy.broadcast_shapes(*shapes))))
    except ValueError as error:
        print("mismatch:", error)
"""
RULES = ("numpy", "onnx-uni", "bidirectional", "none", "left", "same-rank", "pdpd", "ncnn")


def lines(rule: str, count: int) -> list[str]:
    chance = random.Random(rule)
    kind = Kind(rule, SIZES, most_axes=4, most_elements=10**18)
    found: dict[str, None] = {}
    while len(found) < count:
        shapes = random_question(kind, chance).shapes
        if all(shapes):
            found[" ".join(",".join(map(str, shape)) for shape in shapes)] = None
    return list(found)


def workloads(count: int) -> Iterator[tuple[str, list[str], str]]:
    """Each command with its lines, and these as the loop reads them."""
    for rule in RULES:
        given = lines(rule, count)
        yield f"{rule} -", given, "\n".join(given)
    given = lines("numpy", count)
    numbers = "\n".join(given)
    yield "numpy --json -", given, numbers
    yield "numpy -", [f"(N,) {line}" for line in given], numbers


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ours = str(Path(sysconfig.get_path("scripts"), "bcastcli"))
    for arguments, given, numbers in workloads(count):
        taken: dict[str, list[float]] = {"loop": [], "ours": []}
        with tempfile.TemporaryDirectory() as folder:
            asked, looped = Path(folder, "asked"), Path(folder, "looped")
            asked.write_text("\n".join(given), "utf-8")
            looped.write_text(numbers, "utf-8")
            for _ in range(rounds):
                taken["loop"].append(seconds([sys.executable, "-c", LOOP], looped))
                taken["ours"].append(seconds([ours, *arguments.split()], asked))
        loop, own = map(statistics.median, taken.values())
        print(f"{arguments:16}{loop / own:8.2f}{count / own:11,.0f} lines/s  {given[0]}")


if __name__ == "__main__":
    main()
