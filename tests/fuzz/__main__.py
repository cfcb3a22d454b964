"""Run hostile input for as long as is wanted.

python -m tests.fuzz --lines 1000000 --commands 10000 --processes 200 --models 10000
"""

import argparse
import sys

from tests.effort import SEED
from tests.fuzz.models import models
from tests.fuzz.runs import commands, in_processes, lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--commands", type=int, default=2_000)
    parser.add_argument("--processes", type=int, default=50)
    parser.add_argument("--models", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=SEED)
    wanted = parser.parse_args()
    print(f"seed {wanted.seed}", flush=True)
    failures = 0
    runs = (
        *((lines, wanted.lines), (commands, wanted.commands), (in_processes, wanted.processes)),
        (models, wanted.models),
    )
    for run, many in runs:
        summary, failed = run(wanted.seed, many)
        print(summary, flush=True)
        for each in failed:
            print(each)
        failures += len(failed)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
