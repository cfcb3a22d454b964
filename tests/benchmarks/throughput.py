"""How many questions a second a stream answers, whole process, against a plain loop in NumPy.

Run it in an environment with bcastcli and NumPy:

    python -m tests.benchmarks.throughput [LINES]
"""

import os
import random
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

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
SIZES = (1, 2, 3, 4, 7, 8, 12, 16, 28, 32, 56, 64, 77, 128, 224, 256, 320, 512, 768, 1024, 3072)


def written(shape: list[int]) -> str:
    """A shape as it is typed."""
    return ",".join(map(str, shape))


def partner(shape: list[int], chance: random.Random) -> list[int]:
    """A shape that broadcasts with a given one, nine times in ten."""
    other = [size if chance.random() < 0.6 else 1 for size in shape]
    other = other[chance.randrange(len(other)) :]
    if chance.random() < 0.1:
        other[-1] += 1
    return other


def distinct(draw: Callable[[], str], count: int) -> Iterator[str]:
    """As many different lines as asked for."""
    seen: set[str] = set()
    while len(seen) < count:
        line = draw()
        if line not in seen:
            seen.add(line)
            yield line


def any_two(count: int) -> Iterator[str]:
    """Distinct pairs of 5,000 shapes; most do not broadcast."""
    chance = random.Random(1)
    shapes = [
        written([chance.choice(SIZES) for _ in range(chance.randint(1, 4))]) for _ in range(5000)
    ]
    return distinct(lambda: f"{chance.choice(shapes)} {chance.choice(shapes)}", count)


def a_models(count: int) -> Iterator[str]:
    """Distinct twos and threes of at most 5,000 shapes that belong together; most broadcast."""
    chance = random.Random(4)
    families = []
    for _ in range(50):
        whole = [chance.choice(SIZES) for _ in range(4)]
        families.append([written(whole), *(written(partner(whole, chance)) for _ in range(99))])

    def draw() -> str:
        family = chance.choice(families)
        return " ".join(chance.choice(family) for _ in range(chance.randint(2, 3)))

    return distinct(draw, count)


def repeating(count: int) -> Iterator[str]:
    """500 lines, again and again in any order."""
    chance = random.Random(2)
    shapes = [[chance.choice(SIZES) for _ in range(4)] for _ in range(500)]
    lines = [f"{written(shape)} {written(partner(shape, chance))}" for shape in shapes]
    yield from (chance.choice(lines) for _ in range(count))


def new(count: int) -> Iterator[str]:
    """Lines in which nearly every shape has not been before."""
    chance = random.Random(3)
    for _ in range(count):
        shape = [chance.randint(1, 1000) for _ in range(chance.randint(2, 5))]
        yield f"{written(shape)} {written(partner(shape, chance))}"


# A process of its own, since what a child takes is counted from what its parent has.
WATCH = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
taken = time.perf_counter() - start
print(taken, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run(command: list[str], questions: Path) -> tuple[float, int]:
    """The seconds that a command takes for the questions, and the most kibibytes it has."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with questions.open("rb") as lines:
        watched = subprocess.run(
            [sys.executable, "-c", WATCH, *command],
            stdin=lines,
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
    seconds, peak = watched.stdout.split()
    return float(seconds), int(peak)


def main() -> None:
    """Print lines per second as multiples of the loop's, and the peak of memory."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    ours = [str(Path(sysconfig.get_path("scripts"), "bcastcli")), "numpy", "-f"]
    workloads = {
        "any two of 5,000 shapes": (any_two(count), 3, 0.4),
        "a model's shapes": (a_models(count), 3, 0.4),
        "lines that repeat": (repeating(count), 6, 0.4),
        "nearly all shapes new": (new(count), 1.2, None),
    }
    most = 0
    with tempfile.TemporaryDirectory() as folder:
        loop = Path(folder, "loop.py")
        loop.write_text(LOOP)
        for name, (lines, least, least_json) in workloads.items():
            questions = Path(folder, "questions")
            with questions.open("w") as file:
                file.writelines(f"{line}\n" for line in lines)
            # In turn, so that what slows the machine down slows both.
            loops, plains = [], []
            for _ in range(3):
                loops.append(run([sys.executable, str(loop)], questions)[0])
                plains.append(run([*ours, "plain"], questions))
            yardstick = min(loops)
            plain = min(seconds for seconds, _ in plains)
            most = max(most, *(peak for _, peak in plains))
            print(f"{name:26} plain {yardstick / plain:5.2f} (at least {least})", end="")
            if least_json is not None:
                seconds, peak = run([*ours, "json"], questions)
                most = max(most, peak)
                print(f"   json {yardstick / seconds:5.2f} (at least {least_json})", end="")
            print(f"   loop {count / yardstick:,.0f} lines/s", flush=True)
    print(f"peak memory {most / 1024:.0f} MiB (below 64)")


if __name__ == "__main__":
    main()
