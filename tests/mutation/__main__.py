"""How many small faults the tests notice: mutmut over all that decides or writes.

Run it in an environment with the extra `mutation`:

    python -m tests.mutation [MUTANT...]

Without a MUTANT everything is run anew. With some, such as `bcastcli.core.conditions.*`, only
these are.
What survived is listed; survivors.md says why it may. Those that no test runs survive, too.
"""

import re
import resource
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from shutil import copy2, copytree, ignore_patterns, rmtree

PROJECT = Path(__file__).parent.parent.parent
WORK = PROJECT / ".mutation"
MUTMUT = (sys.executable, "-c", "from mutmut.__main__ import cli; cli()")
MAX_MEMORY = 4 << 30


def main(chosen: list[str]) -> int:
    """Run mutmut on a copy of the project, and print what survived and the score."""
    if not chosen:
        rmtree(WORK, ignore_errors=True)
    copy_project()
    # A fault can make a loop endless that collects something.
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    ran = subprocess.run([*MUTMUT, "run", "--max-children=2", *chosen], cwd=WORK, check=False)
    if ran.returncode:
        return ran.returncode
    every = [*MUTMUT, "results", "--all=true"]
    listed = subprocess.run(every, cwd=WORK, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    modules: dict[str, Counter[bool]] = {}
    for line in listed.stdout.splitlines():
        mutant, outcome = line.strip().rsplit(": ", 1)
        if any(fnmatch(mutant, pattern) for pattern in chosen or ["*"]):
            killed = outcome in ("killed", "timeout", "segfault")
            modules.setdefault(mutant.partition(".x")[0], Counter())[killed] += 1
            if not killed:
                print(f"{mutant}: {outcome}")
    for module, counts in [*modules.items(), ("all", sum(modules.values(), Counter()))]:
        print(f"{module}: {counts[True]} of {counts.total()} killed")
    return 0


def copy_project() -> None:
    """Copy the project, without the decorator `remember`, which changes no answer.

    mutmut passes over what is decorated, and what the tests of the unchanged code left in a cache
    would answer for the changed code.
    """
    copytree(PROJECT / "tests", WORK / "tests", dirs_exist_ok=True)
    not_python = ignore_patterns("*.py", "__pycache__")
    copytree(PROJECT / "bcastcli", WORK / "bcastcli", ignore=not_python, dirs_exist_ok=True)
    copy2(PROJECT / "pyproject.toml", WORK)
    for source in (PROJECT / "bcastcli").rglob("*.py"):
        target = WORK / source.relative_to(PROJECT)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"^@remember\n", "", source.read_text("utf-8"), flags=re.MULTILINE)
        if not target.exists() or target.read_text("utf-8") != text:
            target.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
