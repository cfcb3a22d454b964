"""ONNX Runtime judges what op says does not fit, and ONNX's schemas the table of attributes."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import pytest

from bcastcli.operators.facts import Facts
from bcastcli.operators.fits import fits
from bcastcli.operators.table import signatures
from tests.engines.judging import engine, fresh, judged, several
from tests.engines.single_op import np, onnx, run

engine("onnxruntime")

OPSET = 21


class Asked(NamedTuple):
    """Shapes of inputs, attributes, and the integers of some inputs by their places."""

    shapes: Sequence[Sequence[int]]
    attributes: Mapping[str, Any] = {}
    values: Mapping[int, Sequence[int]] = {}


def _shape(chance: Random, least: int = 1, most: int = 2) -> list[int]:
    return chance.choices([1, 2, 3, 4, 6], k=chance.randint(least, most))


def _near(chance: Random, shape: Sequence[int], change: float = 0.15) -> list[int]:
    return [chance.choice([1, 2, 3]) if chance.random() < change else size for size in shape]


def convolution(chance: Random, *, is_transposed: bool = False) -> Asked:
    group, count = chance.choice([1, 1, 2]), chance.randint(1, 2)
    weights = [chance.choice([2, 4, 6]), *chance.choices([1, 2, 3], k=count + 1)]
    channels = weights[0] if is_transposed else weights[1] * group
    given = [2, *_near(chance, [channels], 0.3), *_shape(chance, count, count)]
    given = given[: -1 if chance.random() < 0.1 else None]
    bias = _near(chance, [weights[1] * group if is_transposed else weights[0]])
    pads = {} if is_transposed else {"pads": tuple(chance.choices([0, 1], k=2 * count))}
    return Asked([given, weights, bias], {"group": group, **pads})


def indexing(chance: Random, *, has_updates: bool = False, axis: int = 0) -> Asked:
    given = _shape(chance)
    indices = _near(chance, given, 0.3)
    values = chance.choices(range(-3, 3), k=int(np.prod(indices)))
    updates = [_near(chance, indices, 0.1)] if has_updates else []
    return Asked([given, indices, *updates], {"axis": axis}, {1: values})


def tuples(chance: Random, *, has_updates: bool = False) -> Asked:
    given, indices = _shape(chance, 1, 3), [chance.randint(1, 2), chance.randint(1, 3)]
    values = chance.choices((-1, 0), k=indices[0] * indices[1])
    updates = [_near(chance, [indices[0], *given[indices[1] :]], 0.1)] if has_updates else []
    return Asked([given, indices, *updates], {}, {1: values})


def valued(chance: Random, values: Sequence[int], **attributes: Any) -> Asked:
    return Asked([_shape(chance), [len(values)]], attributes, {1: values})


def padding(chance: Random) -> Asked:
    mode = chance.choice(["constant", "reflect", "edge"])
    given = _shape(chance)
    pads = chance.choices(range(-2, 3), k=2 * len(given))
    return Asked([given, [len(pads)]], {"mode": mode}, {1: pads})


def lstm(chance: Random) -> Asked:
    size, width = chance.choice([2, 3]), chance.choice([1, 2])
    shapes = ([1, 4 * size, width], [1, 4 * size, size], [1, 8 * size])
    near = [list(_near(chance, shape, 0.05)) for shape in shapes]
    near[0][0] = 1  # as many directions as the attribute says
    return Asked([[3, 2, width], *near], {"hidden_size": size})


def quantized(chance: Random, op: str) -> Asked:
    size = chance.choice([3, 4])
    is_conv = "Conv" in op
    left, right = ([1, 3, 5, 5], [size, 3, 3, 3]) if is_conv else ([2, 5], [5, size])
    one = chance.choice([[], [], [1], [2]])
    scale, zero = chance.choices([[], [], [1], [size], [size + 1]], k=2)
    if "Integer" in op:
        return Asked([left, right, one, zero])
    return Asked([left, [], [], right, scale, zero, [], []])


QUANTIZED = {"ConvInteger": "BBBB", "MatMulInteger": "BBBB"} | dict.fromkeys(
    ("QLinearConv", "QLinearMatMul"), "BfBBfBfB"
)
"""The types of the inputs: bytes and floats."""
MAKERS: dict[str, Callable[[Random], Asked]] = {
    "Conv": convolution,
    "ConvTranspose": lambda chance: convolution(chance, is_transposed=True),
    "LSTM": lstm,
    "GridSample": lambda c: Asked([[2, 1, 3, 3], [c.randint(1, 2), 2, 2, c.randint(2, 3)]]),
    "Gather": lambda c: valued(c, c.choices(range(-4, 4), k=2), axis=c.randint(-2, 1)),
    "GatherElements": lambda chance: indexing(chance, axis=chance.randint(-1, 0)),
    "GatherND": tuples,
    "ScatterElements": lambda chance: indexing(chance, has_updates=True),
    "ScatterND": lambda chance: tuples(chance, has_updates=True),
    "Squeeze": lambda c: valued(c, [c.randint(-3, 2)]),
    "TopK": lambda c: valued(c, [c.randint(1, 4)], axis=c.randint(-2, 1), outputs=2),
    "Pad": padding,
    **{op: partial(quantized, op=op) for op in QUANTIZED},
}


def disagreement(op: str, asked: Asked) -> tuple[object, ...] | None:
    """What ONNX Runtime runs where we say that it does not fit, or the other way round."""
    own = dict(asked.attributes)
    outputs = own.pop("outputs", 1)
    values = [asked.values.get(place) for place in range(len(asked.shapes))]
    facts = Facts(op, asked.shapes, own, (), OPSET, outputs, values)
    clash = next(fits(facts), None)
    dtypes = QUANTIZED.get(op, "f" * len(values))
    arrays = [
        np.ones(shape, dtype) if row is None else np.array(row, np.int64).reshape(shape)
        for shape, row, dtype in zip(asked.shapes, values, dtypes, strict=True)
    ]
    runs = run(op, arrays, OPSET, **asked.attributes) is not None
    return None if (clash is None) == runs else (asked, clash, runs)


@pytest.mark.parametrize("op", MAKERS)
def test_what_does_not_fit(op: str) -> None:
    """An operator runs exactly where nothing is said against the shapes and values."""
    chance = fresh(f"fits {op}")
    count = several(400)
    wrong = [disagreement(op, MAKERS[op](chance)) for _ in range(count)]
    judged["onnxruntime"] += count
    assert [*filter(None, wrong)][:3] == []


KINDS = {"INT": "int", "INTS": "ints", "FLOATS": "floats", "STRING": "string"}
OF_ACTIVATIONS = ("activation_alpha", "activation_beta", "weights")
"""Attributes with numbers that do not affect shapes."""


@pytest.mark.parametrize("op", signatures())
def test_signatures(op: str) -> None:
    """The table has the inputs of the newest schema, and the attributes of those that run."""
    schemas = [
        each
        for each in onnx.defs.get_all_schemas_with_history()
        if (each.name, each.domain) == (op, "")
    ]
    newest = max(schemas, key=lambda each: each.since_version)
    at_seven = max((each.since_version for each in schemas if each.since_version <= 7), default=0)
    own = signatures()[op]
    options = Counter(str(each.option).rpartition(".")[2] for each in newest.inputs)
    assert own.is_variadic == bool(options["Variadic"])
    typed = {each.name for each in newest.inputs} - {*own.inputs}
    assert own.inputs == tuple(e.name for e in newest.inputs if e.name not in typed)
    kinds = {
        name: "other"
        if name in OF_ACTIVATIONS
        else KINDS.get(str(each.type).rpartition(".")[2], "other")
        for schema in schemas
        if schema.since_version >= at_seven
        for name, each in schema.attributes.items()
    }
    # Inputs with values are typed as attributes are.
    values = {"k" if name == "K" else name for name in typed}
    of_attributes = {name: kind for name, kind in own.attributes.items() if name not in values}
    assert of_attributes == {name: kind for name, kind in kinds.items() if name not in values}
    assert values <= own.attributes.keys()
