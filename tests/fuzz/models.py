"""Model files, mutated: what becomes of each is an answer or one sentence.

Files are small and whole at first; then bytes are changed, left out, repeated, or taken from
another file. What onnx's C++ makes of them is tried in processes, as it may end them; since each
takes a third of a second, most ONNX files go no further than the pass over the wire format.
"""

import json
import random
import tempfile
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from bcastcli.model import onnx_model, wire
from bcastcli.model.nodes import ModelError
from tests.in_memory import run
from tests.model_files import constant, graph, model, node

FORMATS = ("table", "plain", "lines", "json", "github")


def seeds() -> Mapping[str, bytes]:
    branches = {
        "then_branch": graph([node("Add", "x k", "t")], {}),
        "else_branch": graph([node("Mul", "x k", "t")], {}),
    }
    nodes = [
        node("Add", "x k", "a", "add"),
        node("Gemm", "a w c", "g", transB=1),
        node("Shape", "x", "s"),
        node("Expand", "k s", "e"),
        node("LayerNormalization", "x k", "l", axis=-1),
        node("If", "f", "i", "if", **branches),
    ]
    weights = [constant("k", [1.0] * 3), constant("w", [0.5] * 6000, [2000, 3])]
    onnx = model(graph(nodes, {"x": ["n", 3], "c": [2000], "f": []}, constants=weights))
    other = model(graph([node("Concat", "x k", "y", axis=0)], {"x": [2]}, constants=weights[:1]))
    return {"onnx": onnx, "other": other}


SEEDS = seeds()
# Pieces that mean something to the format, or to a screen.
PIECES = (
    *(b"\xff" * 9, b"\x80\x80\x80\x80\x10", b"\x3a", b"\x0a", b"\x12", b"\x7f", b"\0"),
    *(b"-1", b"99999999999999999999"),
    *(b"\n", b" ", b"...", b"?", b"\x1b[31m", b"\xe2\x80\xae"),
)


def mutated(chance: random.Random, data: bytes) -> bytes:
    """Return data with a few changes."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        place = chance.randrange(len(changed) + 1)
        length = chance.choice((1, 1, 2, 8, 64))
        change = chance.randrange(5)
        if change == 0 and place < len(changed):
            changed[place] = chance.randrange(256)
        elif change == 1:
            del changed[place : place + length]
        elif change == 2:
            changed[place:place] = changed[place : place + length]
        elif change == 3:
            changed[place:place] = chance.choice(PIECES)
        else:
            other = chance.choice(list(SEEDS.values()))
            start = chance.randrange(len(other))
            changed[place : place + length] = other[start : start + length]
    return bytes(changed)


class MutatedFile(NamedTuple):
    """A file with changes, and what is asked of it."""

    data: bytes
    output: str
    infers: bool
    """Whether shapes are inferred; of the ONNX files that is one in 20."""


def mutated_file(seed: int, number: int) -> MutatedFile:
    """A file of one of the formats, with a few changes."""
    chance = random.Random(f"{seed} model {number}")
    kind = chance.choice(list(SEEDS))
    data = mutated(chance, SEEDS[kind])
    return MutatedFile(data, chance.choice(FORMATS), number % 20 == 0)


def failure(file: MutatedFile) -> str | None:
    infer = onnx_model._infer if file.infers else _stripped
    with tempfile.TemporaryDirectory() as folder, patch.object(onnx_model, "_infer", infer):
        path = Path(folder) / "model"
        path.write_bytes(file.data)
        try:
            return _wrong(path, file.output)
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def _wrong(path: Path, output: str) -> str | None:
    command = ["model", str(path), "--all", "-f"]
    ended = run([*command, output])
    if output == "lines" and ended.status != 2:
        answered = run(["op", "-"], ended.out.encode())
        # No line can say that the file declares a shape that its inputs contradict.
        objects = map(json.loads, run([*command, "json"]).out.splitlines())
        is_declared = any(each.get("reason_kind") == "declared" for each in objects)
        is_told = "# fails here: " in ended.out or is_declared
        if answered.status != ended.status and not is_told:
            return f"status {ended.status}, and {answered.status} of its lines"
    if output == "json":
        deque(map(json.loads, ended.out.splitlines()))
    if ended.status not in (0, 1, 2, 3):
        return f"status {ended.status}"
    if any(not (each.isprintable() or each in "\n\t") for each in ended.out + ended.err):
        return "what is not printable is shown"
    if ended.err and (ended.out or len(ended.err.splitlines()) > 1):
        return f"not one sentence: {ended.err}"
    return None


def _stripped(request: bytes, most: int) -> list[Mapping[str, Any]]:
    """Go no further than the pass over the wire format, whose output must be stripped already."""
    _, _, data = request.partition(b"\n")
    if wire.strip(memoryview(data)) != data:
        raise AssertionError("stripping twice changes more")
    raise ModelError("not inferred")
