"""How long one command line takes, whole process, as a multiple of `python -c pass`.

    python -m tests.benchmarks.startup [ROUNDS]

The times are processor time, and medians of rounds in which each program runs once.
"""

import os
import resource
import statistics
import subprocess
import sys
import sysconfig
from pathlib import Path

NOTHING = [sys.executable, "-c", "pass"]
NUMPY = [sys.executable, "-c", "import numpy; print(numpy.broadcast_shapes((2,3),(3,)))"]
AT_MOST = {
    "2,3 3 -p": 3.2,
    "2,3 3 -q": 3.2,
    "2,3 3 --json": 3.2,
    "pdpd 2,3,4,5 3,4 --axis 1 -p": 3.5,
    "2,3 3": 7,
    "-V": 3,
    "-h": 8,
}
"""Command lines, each with the multiple that it may take."""


def seconds(command: list[str], questions: Path = Path(os.devnull)) -> float:
    """The processor time of a program that answers a file of questions."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with questions.open("rb") as given:
        subprocess.run(command, stdin=given, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    ours = str(Path(sysconfig.get_path("scripts"), "bcastcli"))
    commands = {line: [ours, *line.split()] for line in AT_MOST}
    commands |= {"python -c pass": NOTHING, "numpy.broadcast_shapes": NUMPY}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(seconds(command))
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, taken in medians.items():
        multiple = taken / medians["python -c pass"]
        limit = f"  (at most {AT_MOST[name]})" if name in AT_MOST else ""
        print(f"{name:30}{taken * 1000:6.1f} ms{multiple:6.2f}{limit}")


if __name__ == "__main__":
    main()
