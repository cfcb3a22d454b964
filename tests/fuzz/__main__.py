"""Run hostile input for as long as is wanted.

python -m tests.fuzz --lines 1000000 --commands 10000 --models 10000
"""

import argparse
import sys

from tests.effort import SEED
from tests.fuzz import runs

RUNS = {
    "lines": (runs.lines, 100_000),
    "commands": (runs.commands, 2_000),
    "models": (runs.of_models, 2_000),
}
"""What is run, and how much of it where nothing else is wanted."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    for name, (_, many) in RUNS.items():
        parser.add_argument(f"--{name}", type=int, default=many)
    parser.add_argument("--seed", type=int, default=SEED)
    wanted = vars(parser.parse_args())
    print(f"seed {wanted['seed']}", flush=True)
    failures = 0
    for name, (run, _) in RUNS.items():
        summary, failed = run(wanted["seed"], wanted[name])
        print(summary, *failed, sep="\n", flush=True)
        failures += len(failed)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
