"""The JSON Schema: every object that a command writes is described, down to its last key.

The file is help/schema.json.
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


COMMANDS = [
    *(
        f"{rule} {shapes}{' --axes 0,1' * (rule == 'explicit')}"
        for rule in RULES
        for shapes in ("3,4 3,4", "3,4 2,5", "N,4 ?,M")
    ),
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
    "op Gemm 8,64 N,10 10",
    "op MatMul 32,512 256,10",
    "op LayerNormalization 2,3,4 3,4 --axis 1",
    "op Conv",
    "op Conv 1,4,8 6,3,3 group=2",
    "op Concat 2,N 3,4 axis=0",
    "op Reshape 4,6 shape=2,-1",
    "op Einsum 4,6 6 equation=ij,j",
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
    "shape '[2, -1]' is invalid for input of size 7",
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


@each_row(
    ("arguments", "lines"),
    [
        *((command.split(), "") for command in COMMANDS),
        *(([command, "-"], lines) for command, lines in LINES),
        *((["why", text], "") for text in TEXTS),
    ],
)
def test_answers(arguments: list[str], lines: str) -> None:
    """Each object that answers a question, a line or an error message is described."""
    ended = run([*arguments, "--json"], lines.encode())
    written = ended.out.splitlines()
    assert len(written) >= max(1, len(lines.splitlines())), ended.err
    for each in written:
        described(json.loads(each))


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
