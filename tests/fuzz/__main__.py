"""Run hostile input for as long as is wanted.

python -m tests.fuzz --lines 1000000 --commands 10000 --models 10000
"""

import argparse
import sys

from tests.effort import SEED
from tests.fuzz.runs import KINDS, failures


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
