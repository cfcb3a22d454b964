"""Run hostile input for as long as is wanted, and show what failed.

python -m tests.fuzz --lines 1000000 --commands 10000 --models 10000
"""

import argparse
import sys
from itertools import count
from typing import Any, NamedTuple

from tests.effort import SEED
from tests.fuzz import cases, models

MAX_FAILURES = 10
"""Past so many, a run has shown enough."""


class Kind(NamedTuple):
    """What is tried: how a case is made from a seed and its number, and how it is judged."""

    make: Any
    failure: Any
    size: Any
    """How many of a run's cases it is."""
    many: int
    """How many are tried where nothing else is wanted."""


KINDS = {
    "lines": Kind(cases.lines, cases.failure, lambda case: case.data.count(b"\n") + 1, 100_000),
    "commands": Kind(cases.command_line, cases.failure, lambda _: 1, 2_000),
    "models": Kind(models.mutated_file, models.failure, lambda _: 1, 2_000),
}


def failures(name: str, seed: int, wanted: int) -> list[str]:
    """What fails of so many cases of a kind."""
    kind, found, met = KINDS[name], list[str](), 0
    for number in count():
        if met >= wanted or len(found) >= MAX_FAILURES:
            break
        case = kind.make(seed, number)
        met += kind.size(case)
        problem = kind.failure(case)
        if problem:
            found.append(f"seed {seed}, {name} {number}: {problem}\n  {case}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    for name, kind in KINDS.items():
        parser.add_argument(f"--{name}", type=int, default=kind.many)
    parser.add_argument("--seed", type=int, default=SEED)
    wanted = vars(parser.parse_args())
    print(f"seed {wanted['seed']}", flush=True)
    status = 0
    for name in KINDS:
        failed = failures(name, wanted["seed"], wanted[name])
        print(f"{wanted[name]:,} {name}, {len(failed)} failed", *failed, sep="\n", flush=True)
        status = status or bool(failed)
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
