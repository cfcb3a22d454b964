"""ONNX Runtime judges the results of op, its own and onnx's, and what it says does not fit."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import pytest

from bcastcli.core.shapes import UNKNOWN, Shape
from bcastcli.notation import operators as notation
from bcastcli.notation.text import NotationError
from bcastcli.operators.facts import Facts
from bcastcli.operators.fits import fits
from bcastcli.operators.questions import ask
from bcastcli.operators.table import signatures
from tests.engines.judging import engine, fresh, judged, several
from tests.engines.single_op import np, onnx, run

engine("onnxruntime")

OPSET = 23
SIZES = (1, 1, 2, 3, 4, 6)
FIRST = ("float", "int64", "bool", "uint8", "int8", "int32")
"""The types of inputs, the preferred ones first."""


def typed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers)) or "()"


def shape(chance: Random, least: int = 0, most: int = 4) -> list[int]:
    return chance.choices(SIZES, k=chance.randint(least, most))


def near(chance: Random, shape: Sequence[int], change: float = 0.15) -> list[int]:
    return [chance.choice([1, 2, 3]) if chance.random() < change else size for size in shape]


def setting(chance: Random, name: str, *values: object) -> str:
    return f" {name}={chance.choice(values)}" if chance.random() < 0.6 else ""


def unary(chance: Random) -> str:
    return typed(shape(chance))


def with_axis(chance: Random) -> str:
    return typed(shape(chance)) + setting(chance, "axis", -2, -1, 0, 1, 2)


def reduction(chance: Random) -> str:
    axes = typed(chance.sample((-2, -1, 0, 1), k=chance.randint(1, 2)))
    settings = setting(chance, "axes", axes) + setting(chance, "keepdims", 0, 1)
    return typed(shape(chance)) + settings + setting(chance, "noop_with_empty_axes", 0, 1)


def window(chance: Random, count: int) -> str:
    ones = [chance.choice((1, 2)) for _ in range(count)]
    settings = setting(chance, "strides", typed(ones), typed(ones[::-1]))
    settings += setting(chance, "pads", typed(chance.choices((0, 1), k=2 * count)))
    return settings + setting(chance, "dilations", typed(ones))


def convolution(chance: Random, *, is_transposed: bool = False) -> str:
    count, group = chance.randint(1, 2), chance.choice((1, 1, 2))
    weights = [chance.choice((2, 4, 6)), chance.choice((1, 2, 3)), *shape(chance, count, count)]
    channels = weights[0] if is_transposed else weights[1] * group
    given = [2, *near(chance, [channels], 0.3), *chance.choices((3, 5, 8), k=count)]
    given = given[: -1 if chance.random() < 0.1 else None]
    bias = near(chance, [weights[1] * group if is_transposed else weights[0]])
    shapes = [given, weights, *chance.choice(([], [bias]))]
    return f"{' '.join(map(typed, shapes))} group={group}{window(chance, count)}"


def pool(chance: Random) -> str:
    count = chance.randint(1, 2)
    given = [1, 2, *chance.choices((4, 5, 8), k=count)]
    kernel = chance.choices((2, 3), k=count)
    settings = window(chance, count) + setting(chance, "ceil_mode", 0, 1)
    return f"{typed(given)} kernel_shape={typed(kernel)}{settings}"


def sliced(chance: Random) -> str:
    ends = f"starts={chance.randint(-4, 4)} ends={chance.randint(-4, 6)}"
    steps = setting(chance, "steps", -2, -1, 1, 2)
    return f"{typed(shape(chance, 1))} {ends} axes={chance.randint(-1, 1)}{steps}"


def padded(chance: Random) -> str:
    given = shape(chance, 1, 3)
    pads = typed(chance.choices(range(-2, 3), k=2 * len(given)))
    return f"{typed(given)} pads={pads}{setting(chance, 'mode', 'constant', 'reflect', 'edge')}"


def tiled(chance: Random) -> str:
    given = shape(chance, 1, 3)
    repeats = chance.choices((0, 1, 2), k=chance.choice((1, len(given))))
    return f"{typed(given)} repeats={typed(repeats)}"


def recurrent(chance: Random, gates: int) -> str:
    size, width, batch = chance.choices((2, 3), k=3)
    two = 2 if chance.random() < 0.3 else 1
    direction = "bidirectional" if two == 2 else chance.choice(("forward", "reverse"))
    weights = [two, gates * size, width], [two, gates * size, size], [two, 2 * gates * size]
    shapes = [[two, *near(chance, own[1:], 0.05)] for own in weights[: chance.choice((2, 3))]]
    given = " ".join(map(typed, [[4, batch, width], *shapes]))
    return f"{given} hidden_size={size} direction={direction}"


def resized(chance: Random) -> str:
    given = shape(chance, 4, 4)
    if chance.random() < 0.5:
        return f"{typed(given)} sizes={typed([*given[:2], *chance.choices((2, 3, 5), k=2)])}"
    return f"{typed(given)} scales=1,1,{chance.choice((1, 2, 1.5))},{chance.choice((2, 0.5, 3))}"


def attention(chance: Random) -> str:
    batch, heads, queries, keys, size = chance.choices((2, 3), k=5)
    arrays = [[batch, 2 * heads, queries, size], *([batch, heads, keys, size] for _ in "KV")]
    mask = [chance.choice((each, each, 1)) for each in (batch, 2 * heads, queries, keys)]
    changed = chance.choice([*arrays, mask])
    if chance.random() < 0.4:
        changed[chance.randrange(4)] += 1
    return " ".join(map(typed, [*arrays, mask[chance.choice((0, 0, 1, 2, 3, 4)) :]]))


def groups(chance: Random) -> str:
    channels, parts = chance.choice((4, 6)), chance.choice((2, 2, 3))
    scale = chance.choice((channels, channels, parts))
    given = typed([2, channels, *shape(chance, 0, 2)])
    return f"{given} {scale} {channels} num_groups={parts}"


def nearly(chance: Random, given: Sequence[int]) -> list[int]:
    """The shape, or one with another size, or another rank."""
    changed = list(given)
    if changed and chance.random() < 0.3:
        changed[chance.randrange(len(changed))] = chance.choice((0, *SIZES))
    return changed[: -1 if chance.random() < 0.05 else None]


def concat(chance: Random) -> str:
    first = shape(chance)
    axis = chance.randint(-len(first) - 1, len(first))
    others = [nearly(chance, first) for _ in range(chance.randint(0, 3))]
    for other in others:
        if -len(other) <= axis < len(other):
            other[axis] = chance.choice(SIZES)
    return f"{' '.join(map(typed, [first, *others]))} axis={axis}"


def reshape(chance: Random) -> str:
    given = chance.choices((0, *SIZES), k=chance.randint(0, 4))
    target = nearly(chance, chance.sample(given, len(given)))
    if len(target) > 1 and chance.random() < 0.5:
        last = target.pop()
        target[-1] *= last
    if target and chance.random() < 0.6:
        target[chance.randrange(len(target))] = chance.choice((-1, -1, -1, 0, -2))
    if chance.random() < 0.1:
        target.insert(0, chance.choice((0, 1, -1)))
    allows = setting(chance, "allowzero", 0, 0, 1)
    return f"{typed(given)} shape={','.join(map(str, target)) or 'none'}{allows}"


def transpose(chance: Random) -> str:
    given = shape(chance)
    perm = chance.sample(range(len(given)), len(given))
    if perm and chance.random() < 0.3:
        perm[chance.randrange(len(perm))] += chance.choice((-1, 1, -len(perm)))
    return typed(given) + (setting(chance, "perm", typed(perm)) if perm else "")


def einsum(chance: Random) -> str:
    # ONNX Runtime's process ends where some sizes are 0.
    sizes = {letter: chance.choice(SIZES) for letter in "ijkA"}
    dotted = shape(chance, 0, 2)
    terms, shapes = [], []
    for _ in range(chance.randint(1, 3)):
        letters = [chance.choice("iijjkkA") for _ in range(chance.randint(0, 3))]
        own = [sizes[letter] for letter in letters]
        if chance.random() < 0.3:
            place = chance.randint(0, len(letters))
            own[place:place] = nearly(chance, dotted)
            letters.insert(place, "...")
        terms.append("".join(letters))
        stretched = [1 if chance.random() < 0.1 else size for size in own]
        shapes.append([size or 1 for size in nearly(chance, stretched)])
    used = [*dict.fromkeys(letter for term in terms for letter in term if letter != ".")]
    equation = ",".join(terms)
    if chance.random() < 0.7:
        output = chance.sample(used, chance.randint(0, len(used)))
        if "..." in equation and chance.random() < 0.9:
            output.insert(chance.randint(0, len(output)), "...")
        if chance.random() < 0.05:
            output.append(chance.choice("ijz"))
        equation += "->" + "".join(output)
    return f"{' '.join(map(typed, shapes))} equation={equation}"


UNARY = """Abs Acos Acosh Asin Asinh Atan Atanh Ceil Celu Cos Cosh Elu Erf Exp Floor Gelu
HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Log Mish Neg Not Reciprocal Relu Round Selu
Shrink Sigmoid Sign Sin Sinh Size Softplus Softsign Sqrt Tan Tanh ThresholdedRelu Cast Clip
Dropout EyeLike GlobalAveragePool GlobalMaxPool Det NonZero"""
REDUCTIONS = """ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin
ReduceProd ReduceSum ReduceSumSquare"""
OURS = {"Concat": concat, "Reshape": reshape, "Transpose": transpose, "Einsum": einsum}
"""Those whose results do not come from onnx."""
MAKERS: dict[str, Callable[[Random], str]] = {
    **OURS,
    **dict.fromkeys(UNARY.split(), unary),
    **dict.fromkeys(("Softmax", "LogSoftmax", "Hardmax", "Flatten"), with_axis),
    **dict.fromkeys(REDUCTIONS.split(), reduction),
    **dict.fromkeys(
        ("ArgMax", "ArgMin"), lambda c: f"{unary(c)}{setting(c, 'axis', -2, -1, 0, 1)} keepdims=0"
    ),
    **dict.fromkeys(
        ("Squeeze", "Unsqueeze"), lambda c: f"{unary(c)} axes={c.choice((-3, -1, 0, 1, 2))}"
    ),
    **dict.fromkeys(("MaxPool", "AveragePool", "LpPool"), pool),
    "Attention": attention,
    "Conv": convolution,
    "ConvTranspose": partial(convolution, is_transposed=True),
    "Slice": sliced,
    "Pad": padded,
    "Tile": tiled,
    "GroupNormalization": groups,
    **{op: partial(recurrent, gates=n) for op, n in (("LSTM", 4), ("GRU", 3), ("RNN", 1))},
    "Resize": resized,
    "Gather": lambda c: f"{typed(shape(c))} {typed(shape(c, 0, 2))}{setting(c, 'axis', -1, 0, 1)}",
    "TopK": lambda c: f"{with_axis(c)} k={c.randint(0, 4)}",
    "Split": lambda c: with_axis(c) + c.choice((" num_outputs=1", " num_outputs=3", " split=2,2")),
    "Shape": lambda c: unary(c) + setting(c, "start", -2, 0, 1) + setting(c, "end", -1, 1, 3),
    "CumSum": lambda c: f"{typed(shape(c))} axis={c.randint(-2, 2)}",
    "Trilu": lambda c: unary(c) + setting(c, "k", -1, 0, 2),
    "Range": lambda c: (
        f"start={c.randint(-2, 2)} limit={c.randint(-3, 9)} delta={c.choice((-2, 1, 3))}"
    ),
    "ConstantOfShape": lambda c: f"input={typed(shape(c, 1))}",
    "DepthToSpace": lambda c: f"1,{typed(c.choices((4, 8, 9), k=3))} blocksize=2",
    "SpaceToDepth": lambda c: f"1,{typed(c.choices((2, 3, 4), k=3))} blocksize=2",
    "LRN": lambda c: f"{typed(shape(c, 3, 5))} size={c.choice((1, 3))}",
    "MeanVarianceNormalization": lambda c: typed(shape(c, 4)),
    "STFT": lambda c: (
        f"1,16,1 frame_step=4 frame_length={c.choice((4, 8))}" + setting(c, "onesided", 0, 1)
    ),
    "BatchNormalization": lambda c: f"2,3,{typed(shape(c, 1, 2))} {c.choice((3, 3, 2))} 3 3 3",
    "InstanceNormalization": lambda c: f"2,3,{typed(shape(c, 1, 2))} {c.choice((3, 3, 2))} 3",
}


class Valued(NamedTuple):
    """Shapes of inputs, attributes, and the integers of some inputs by their places."""

    shapes: Sequence[Sequence[int]]
    attributes: Mapping[str, Any] = {}
    values: Mapping[int, Sequence[int]] = {}


def indexing(chance: Random, *, has_updates: bool = False, axis: int = 0) -> Valued:
    given = shape(chance, 1, 2)
    indices = near(chance, given, 0.3)
    values = chance.choices(range(-3, 3), k=int(np.prod(indices)))
    updates = [near(chance, indices, 0.1)] if has_updates else []
    return Valued([given, indices, *updates], {"axis": axis}, {1: values})


def tuples(chance: Random, *, has_updates: bool = False) -> Valued:
    given, indices = shape(chance, 1, 3), [chance.randint(1, 2), chance.randint(1, 3)]
    values = chance.choices((-1, 0), k=indices[0] * indices[1])
    updates = [near(chance, [indices[0], *given[indices[1] :]], 0.1)] if has_updates else []
    return Valued([given, indices, *updates], {}, {1: values})


def gather(chance: Random) -> Valued:
    axis, values = chance.randint(-2, 1), {1: chance.choices(range(-4, 4), k=2)}
    return Valued([shape(chance, 1, 2), [2]], {"axis": axis}, values)


def quantized(chance: Random, op: str) -> Valued:
    size = chance.choice([3, 4])
    left, right = ([1, 3, 5, 5], [size, 3, 3, 3]) if "Conv" in op else ([2, 5], [5, size])
    one = chance.choice([[], [], [1], [2]])
    scale, zero = chance.choices([[], [], [1], [size], [size + 1]], k=2)
    if "Integer" in op:
        return Valued([left, right, one, zero])
    return Valued([left, [], [], right, scale, zero, [], []])


QUANTIZED = {"ConvInteger": "BBBB", "MatMulInteger": "BBBB"} | dict.fromkeys(
    ("QLinearConv", "QLinearMatMul"), "BfBBfBfB"
)
"""The types of the inputs: bytes and floats."""
VALUED: dict[str, Callable[[Random], Valued]] = {
    "GridSample": lambda c: Valued([[2, 1, 3, 3], [c.randint(1, 2), 2, 2, c.randint(2, 3)]]),
    "Gather": gather,
    "GatherElements": lambda chance: indexing(chance, axis=chance.randint(-1, 0)),
    "GatherND": tuples,
    "ScatterElements": partial(indexing, has_updates=True),
    "ScatterND": partial(tuples, has_updates=True),
    **{op: partial(quantized, op=op) for op in QUANTIZED},
}


@pytest.mark.parametrize("op", VALUED)
def test_what_does_not_fit(op: str) -> None:
    """An operator runs exactly where nothing is said against the shapes and values."""
    chance = fresh(f"fits {op}")
    for _ in range(several(400)):
        shapes, attributes, given = VALUED[op](chance)
        values = [given.get(place) for place in range(len(shapes))]
        clash = next(fits(Facts(op, shapes, attributes, (), 21, 1, values)), None)
        arrays = [
            np.ones(own, dtype) if row is None else np.array(row, np.int64).reshape(own)
            for own, row, dtype in zip(
                shapes, values, QUANTIZED.get(op, "f" * len(shapes)), strict=True
            )
        ]
        runs = run(op, arrays, 21, **attributes) is not None
        assert runs is (clash is None), (shapes, attributes, given, clash)
    judged["onnxruntime"] += several(400)


def executed(line: str) -> Shape | None:
    """The shape of ONNX Runtime's first output; None where it refuses."""
    read = notation.read(line, lambda name: signatures()[name].attributes)
    op = read.name
    schema = onnx.defs.get_schema(op, OPSET, "")
    shapes = dict(zip(signatures()[op].inputs, read.typed.shapes, strict=False))
    options = dict(read.settings)
    attributes: dict[str, Any] = {
        name: options.pop(name) for name in list(options) if name in schema.attributes
    }
    values = {name.lower(): value for name, value in options.items()}
    is_variadic = schema.inputs[0].option == onnx.defs.OpSchema.FormalParameterOption.Variadic
    arrays = [np.ones(own, "float32") for own in read.typed.shapes] if is_variadic else []
    for formal in () if is_variadic else schema.inputs:
        allowed = {each[len("tensor(") : -1] for each in formal.types}
        name = next(each for each in FIRST if each in allowed)
        dtype = {"float": "float32"}.get(name, name)
        if formal.name in shapes:
            made = np.zeros if "ind" in formal.name else np.ones
            arrays.append(made(shapes[formal.name], dtype))
        elif formal.name.lower() in values:
            value: Any = values[formal.name.lower()]
            if isinstance(value, str):
                value = [float(each) for each in value.split(",")]
            value = [value] if formal.name == "K" else value
            whole = "int64" if "int64" in allowed else dtype
            arrays.append(np.array(value, whole))
        else:
            arrays.append(None)
    while arrays and arrays[-1] is None:
        arrays.pop()
    if op == "Cast":
        attributes["to"] = 1
    parts: Any = values.get("split", (1,))
    outputs = attributes.get("num_outputs", len(parts) if op == "Split" else schema.min_output or 1)
    result = run(op, arrays, OPSET, outputs=outputs, **attributes)
    return None if result is None else tuple(result.shape)


def disagreement(line: str) -> tuple[object, ...] | None:
    """What is not as ONNX Runtime has it, and not as a note says either."""
    theirs = executed(line)
    try:
        answer = ask(line, OPSET)
    except NotationError as error:
        return None if theirs is None else (line, error.message, theirs)
    reason = answer.reason.text if answer.reason else ""
    if "has both 0 and -1, which allowzero=1 does not allow" in reason:
        return None  # ONNX forbids it, and ONNX Runtime runs it where the array is empty
    # Where no rank is declared, as here, its kernel takes dots that stand for no axis.
    if theirs and "the dots stand for" in reason and "0 axes" in reason:
        return None
    ours = answer.result
    notes = " ".join(note.text for note in answer.notes if "ONNX Runtime" in note.text)
    if notes:
        refuses = theirs is None if "refuses" in notes else theirs is not None
        return None if refuses and ours != theirs else (line, ours, theirs, notes)
    if ours is not None and theirs is not None and UNKNOWN in ours:
        fits = len(ours) == len(theirs)
        pairs = zip(ours, theirs, strict=fits)
        return None if fits and all(a in (UNKNOWN, b) for a, b in pairs) else (line, ours, theirs)
    return None if ours == theirs else (line, ours, theirs, reason)


@pytest.mark.parametrize("op", MAKERS)
def test_results(op: str) -> None:
    """An operator has ONNX Runtime's result, and is refused where that refuses it."""
    chance = fresh(f"inferred {op}")
    count = several(500 if op in OURS else 80)
    wrong = [disagreement(f"{op} {MAKERS[op](chance)}") for _ in range(count)]
    judged["onnxruntime"] += count
    assert [*filter(None, wrong)][:3] == []
