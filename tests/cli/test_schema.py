"""The JSON Schema: every object that a command writes is described, down to its last key.

The module is help/schema.json.
"""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bcastcli.rules import RULES
from tests.in_memory import run
from tests.model_files import graph, model, node
from tests.rows import each_row

SCHEMA = json.loads((files("bcastcli.help") / "schema.json").read_text("utf-8"))


def axes_of(rule: str) -> str:
    """Return the option that a rule cannot do without."""
    return " --axes 0,1" if rule == "explicit" else ""


COMMANDS = [
    *(f"{rule} 3,4 3,4{axes_of(rule)}" for rule in RULES),
    *(f"{rule} 3,4 2,5{axes_of(rule)}" for rule in RULES),
    *(f"{rule} N,4 ?,M{axes_of(rule)}" for rule in RULES),
    "numpy 1..4,3 2..,3",
    "explicit 2,3 2,5,3 --axes 2,0 --steps",
    "explicit 2,3 2,5,3 --axes 0,0",
    "numpy --steps N,4 3,4",
    "bidirectional --steps 3,1 2,1,6",
    "none --steps 2,3 3",
    "numpy past+1 2*N",
    "numpy --strict 64,1 64",
    "pdpd 2,3,4,5 3,1 --axis 1",
    "ncnn 2,3,4 3,4 --order numpy",
    "compare 3,3 3",
    "compare 3,3 3 --all",
    "compare N,3 3",
    "compare 2,3 3 1",
    "op",
    "op Gemm",
    "op Add 2,3,4 3 --opset 6 --axis 1",
    "op Gemm 8,64 N,10 10",
    "op MatMul 32,512 256,10",
    "op LayerNormalization 2,3,4 3,4 --axis 1",
    "rules",
    "rules pdpd",
]
LINES = [
    ("numpy", '2,3 3\n2,,3 # broken\n2,3 4 # conv\n{"shapes": [[2]], "id": {"a": 1}}\n'),
    ("compare", "3,3 3 # c\n2,,3\n"),
    ("op", "Add 2,3 3 # x\nGemm 8,64 10,64 10 trans_b=1\nNope 3\n"),
    ("check", '2,3 4 # a\n2,,3\n[[2],["N"]]\nAdd 2 2 -> 3\n2,3 3\n'),
]
TEXTS = [
    "operands could not be broadcast together with shapes (3,4) (3,)",
    "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1",
    "mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)",
    (
        "RuntimeError: Sizes of tensors must match except in dimension 1. "
        "Expected size 2 but got size 3 for tensor number 1 in the list."
    ),
]


def strict(schema: Any) -> Any:
    """Return the schema with no key allowed that it does not describe."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    return {**closed, "additionalProperties": False} if "properties" in schema else closed


KINDS = {
    name: Draft202012Validator({**strict(SCHEMA), "oneOf": [{"$ref": f"#/$defs/{name}"}]})
    for name in (each["$ref"].rpartition("/")[2] for each in SCHEMA["oneOf"])
}
"""What checks each kind of object alone, by its name."""


def test_the_schema_is_one() -> None:
    """It is a valid JSON Schema."""
    Draft202012Validator.check_schema(SCHEMA)
    assert run(["help", "json-schema"]).out == (files("bcastcli.help") / "schema.json").read_text()


def objects(arguments: list[str], data: str = "") -> Iterator[Any]:
    """Yield the objects that a command line writes."""
    ended = run([*arguments, "--json"], data.encode())
    lines = ended.out.splitlines()
    assert lines, ended.err
    yield from map(json.loads, lines)


@each_row("command", COMMANDS)
def test_questions(command: str) -> None:
    """Each object of a command is described."""
    for each in objects(command.split()):
        described(each)


@each_row(("command", "lines"), LINES)
def test_lines(command: str, lines: str) -> None:
    """So is each object of lines, invalid ones among them."""
    found = list(objects([command, "-"], lines))
    assert len(found) == len(lines.splitlines())
    for each in found:
        described(each)


@each_row("text", TEXTS)
def test_error_messages(text: str) -> None:
    """So is each reading of an error message."""
    for each in objects(["why", text]):
        described(each)


def test_models(tmp_path: Path) -> None:
    """So is each node of a model, and the line of counts."""
    file = tmp_path / "m.onnx"
    nodes = [node("Add", "x bias", "y", "proj"), node("Mul", "y mask", "z", "mask")]
    file.write_bytes(model(graph(nodes, {"x": ["batch", 16], "bias": [16], "mask": [7, 16]})))
    lines = run(["model", str(file), "--all", "-f", "json"]).out.splitlines()
    assert len(lines) == 3
    for line in lines:
        described(json.loads(line))


def described(written: Any) -> None:
    """Fail unless one kind of object describes what was written, to its last key, and no other."""
    errors = {}
    for name, validator in KINDS.items():
        errors[name] = [
            f"{error.json_path}: {error.message[:200]}" for error in _leaves(validator, written)
        ]
    if not min(errors.values(), key=len):
        assert not list(Draft202012Validator(SCHEMA).iter_errors(written))
        return
    nearest = min(errors, key=lambda name: len(errors[name]))
    pytest.fail(f"{nearest}: {errors[nearest]}")


def _leaves(validator: Draft202012Validator, written: Any) -> Iterator[Any]:
    for error in validator.iter_errors(written):
        yield from error.context or [error]
