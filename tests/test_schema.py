"""The JSON Schema tests/schema.json: every object that a command writes is described by it.

It allows no key that it does not name, and names none that nothing writes.
"""

import json
import subprocess
import sys
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from tests.in_memory import run
from tests.model_files import graph, model, node

TESTS = Path(__file__).parent
SCHEMA = json.loads((TESTS / "schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

COMMANDS = [
    *("compare 3,3 3", "op", "op Gemm", "op Conv", "rules", "rules pdpd", "numpy N,4 3,4"),
    "explicit 3 2,3 --axes 1",
    "op Attention 2,4,48 2,4,24 2,4,24 q_num_heads=6 kv_num_heads=3",
    "op Einsum 4,6 6 equation=ij,j",
]
"""What no recorded sentence shows in full."""
MODEL = model(
    graph(
        [node("Add", "x bias", "y", "proj"), node("Mul", "y mask", "z", "mask")],
        {"x": ["batch", 16], "bias": [16], "mask": [7, 16]},
    )
)


@cache
def objects() -> tuple[dict[str, Any], ...]:
    """The objects that commands write, here and in the recorded sentences of all rooms."""
    commands = [(command.split(), b"") for command in COMMANDS]
    commands += [(["model", "-", "--all"], MODEL), (["model", "-", "batch=3"], MODEL)]
    written = [run([*arguments, "--json"], data).out for arguments, data in commands]
    printed = [path.read_text("utf-8").split("\n$ ") for path in TESTS.glob("*/sentences.txt")]
    recorded = [each for each in chain(*printed) if " | jq " not in each.partition("\n")[0]]
    raised = (TESTS / "raising" / "programs.txt").read_text("utf-8")
    lines = "\n".join([*written, *recorded, raised, watched()]).splitlines()
    found = [line.lstrip(" |") for line in lines]
    return tuple(json.loads(line) for line in found if line.startswith('{"schema"'))


def watched() -> str:
    """What `run` writes of a program in which arrays grow, and which then fails."""
    text = "".join((TESTS / "readme" / name).read_text() for name in ("silent.py", "train.py"))
    command = [sys.executable, "-m", "bcastcli", "run", "--json", "--strict", "--shapes"]
    with TemporaryDirectory() as folder:
        program = Path(folder, "program.py")
        program.write_text(text)
        ended = subprocess.run([*command, program], capture_output=True, text=True, check=False)
    return ended.stderr


def test_the_schema_is_one() -> None:
    """It is a valid JSON Schema."""
    Draft202012Validator.check_schema(SCHEMA)


def test_every_object_is_described() -> None:
    """Each object that a test prints is one of the kinds, down to its last key."""
    kinds = {str(each.get("command")) for each in objects()}
    assert kinds == {"None", "compare", "op", "rules", "why", "model", "check", "run"}
    for each in objects():
        error = best_match(VALIDATOR.iter_errors(each))
        assert error is None, f"{error.json_path}: {error.message[:300]}"


def keys(value: Any) -> set[str]:
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if not isinstance(value, dict):
        return set()
    return {*value, *(key for each in value.values() for key in keys(each))}


def described(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {key for each in schema for key in described(each)}
    if not isinstance(schema, dict):
        return set()
    own = {key for key, what in schema.get("properties", {}).items() if what is not False}
    return {*own, *(key for each in schema.values() for key in described(each))}


def test_the_schema_describes_nothing_else() -> None:
    """Each key that the schema names is in one of the objects."""
    assert described(SCHEMA) - keys([*objects()]) == set()
