"""How far a question walks through the package: its files, its calls, and the calls that climb.

    python -m tests.walks [CHECKOUT]

Each of three command lines is answered in a process of its own, from `run()` to the end, with the
package of the checkout (by default this one). A room is a folder of the package, or a file beside
the folders. The floor of a room is the length of the longest chain of imports below it; rooms that
import each other in a circle share one. A call climbs where it goes to a higher floor than it comes
from: what was to be used below has asked for something above it, by a callback or by an object.
"""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).parents[1]
PACKAGE = "bcastcli"
COMMANDS = {
    "a table": ["3,4", "3"],
    "a pasted error": [
        "why",
        "ValueError: operands could not be broadcast together with shapes (3,4) (3,)",
    ],
    "a model's node": ["model", "node.xml"],
}
MODEL = """<net name="one" version="11"><layers>
<layer id="0" name="sum" type="Add" version="opset1"><data auto_broadcast="numpy"/>
<input><port id="0"><dim>3</dim><dim>4</dim></port><port id="1"><dim>3</dim></port></input>
<output><port id="2"><dim>3</dim><dim>4</dim></port></output></layer>
</layers></net>
"""
"""An OpenVINO model of one node that is a mismatch: it is read in the same process."""

COUNTING = """
import dis, inspect, json, os, sys
from functools import cache

import bcastcli.__main__ as program

PACKAGE = os.path.dirname(program.__file__) + os.sep
INNER = ("<module>", "<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")
GENERATOR = inspect.CO_GENERATOR
calls = {}

@cache
def file(code):
    return code.co_filename.removeprefix(PACKAGE) if code.co_filename.startswith(PACKAGE) else ""

@cache
def start(code):
    return next(each.offset for each in dis.get_instructions(code) if each.opname == "RESUME")

def profile(frame, event, _):
    code = frame.f_code
    if event != "call" or not file(code) or code.co_name in INNER:
        return
    caller = ""
    if not code.co_flags & GENERATOR:
        while (frame := frame.f_back) and not caller:
            caller = file(frame.f_code)
    elif frame.f_lasti > start(code):
        return  # it goes on: the call was before
    pair = caller, file(code)
    calls[pair] = calls.get(pair, 0) + 1

sys.argv[0] = "bcastcli"
sys.setprofile(profile)
try:
    program.run()
finally:
    sys.setprofile(None)
    with open("calls.json", "w") as written:
        json.dump([[*pair, count] for pair, count in calls.items()], written)
"""
"""What counts the calls. A generator is run by the code that takes its items, which is not the one
that called it, and so has no caller here; the body of a module or a comprehension is no call."""


class Walk(NamedTuple):
    """What one command line runs of the package: files, calls, and the calls that climb a floor."""

    files: int
    calls: int
    climbing: int


def main(arguments: list[str]) -> None:
    """Print the floors of a checkout, the walks of the command lines, and where they climb."""
    checkout = Path(*(arguments or [str(HERE)])).resolve()
    floor = floors(room_imports(checkout / PACKAGE))
    for number in sorted(set(floor.values()), reverse=True):
        names = sorted(name for name in floor if floor[name] == number)
        print(f"floor {number}  {', '.join(names)}")
    print(f"\n{'':16}{'files':>8}{'calls':>8}{'climbing':>10}")
    counted = {name: calls(checkout, command) for name, command in COMMANDS.items()}
    for name, pairs in counted.items():
        walked = walk(pairs, floor)
        print(f"{name:16}{walked.files:8,}{walked.calls:8,}{walked.climbing:10,}")
    print()
    for name, pairs in counted.items():
        for (caller, file), count in climbing(pairs, floor).items():
            print(f"{name:16}{caller} -> {file} ({count})")


def calls(checkout: Path, command: list[str]) -> dict[tuple[str, str], int]:
    """Run a command line, and return how often code of one file of the package called another's."""
    with TemporaryDirectory() as folder:
        Path(folder, "node.xml").write_text(MODEL, "utf-8")
        subprocess.run(
            [sys.executable, "-P", "-c", COUNTING, *command],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        counted = json.loads(Path(folder, "calls.json").read_text("utf-8"))
    return {(caller, file): count for caller, file, count in counted}


def walk(counted: Mapping[tuple[str, str], int], floor: Mapping[str, int]) -> Walk:
    """Return the sums of the calls between files, given the floor of each room."""
    files = {file for _, file in counted}
    return Walk(len(files), sum(counted.values()), sum(climbing(counted, floor).values()))


def climbing(
    counted: Mapping[tuple[str, str], int], floor: Mapping[str, int]
) -> dict[tuple[str, str], int]:
    """Return the calls that go from a file to one on a higher floor."""
    return {
        (caller, file): count
        for (caller, file), count in counted.items()
        if caller and floor[room(caller)] < floor[room(file)]
    }


def room(file: str) -> str:
    """Return the room of a file of the package: its folder, or itself beside the folders."""
    return Path(file).parts[0].removesuffix(".py")


def room_imports(package: Path) -> dict[str, set[str]]:
    """Return the rooms of a package, each with the other rooms that it imports anywhere."""
    found: dict[str, set[str]] = {
        room(path.name): set() for path in package.iterdir() if path.suffix == ".py"
    }
    files = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    found |= {room(file): set() for file in files}
    for file, path in files.items():
        for statement in statements(ast.parse(path.read_text("utf-8"))):
            found[room(file)].update(_imported(statement, set(found)))
    return {name: others - {name} for name, others in found.items()}


def statements(block: ast.AST) -> Iterator[ast.stmt]:
    """Yield each statement of a module, those within others too; it looks into no expression."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(block, field, ()):
            if isinstance(node, ast.stmt):
                yield node
            yield from statements(node)


def _imported(node: ast.stmt, rooms: set[str]) -> Iterator[str]:
    """Yield the rooms that a statement imports; a name of the package itself is `__init__`'s."""
    modules = []
    if isinstance(node, ast.ImportFrom):
        modules = [f"{node.module}.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    for module in modules:
        package, _, rest = module.partition(".")
        if package == PACKAGE:
            name = rest.partition(".")[0]
            yield name if name in rooms else "__init__"


def floors(imports: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the floor of each room: 0 where it imports no other, else one above the highest."""
    below = {name: _reached(name, imports) for name in imports}
    # Without those from which the room is reached in turn.
    under = {
        name: {each for each in reached if name not in below[each]}
        for name, reached in below.items()
    }

    @cache
    def floor(name: str) -> int:
        return 1 + max(map(floor, under[name]), default=-1)

    return {name: floor(name) for name in imports}


def _reached(name: str, imports: Mapping[str, set[str]]) -> set[str]:
    """Return all that a room imports, and what that imports, and so on."""
    reached: set[str] = set()
    waiting = set(imports[name])
    while waiting:
        reached |= waiting
        waiting = {each for one in waiting for each in imports[one]} - reached
    return reached


if __name__ == "__main__":
    main(sys.argv[1:])
