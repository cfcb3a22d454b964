"""Each engine's own fresh messages on shapes that do not broadcast are read rightly."""

import traceback
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple

import pytest

from bcastcli.analysis.explained import explain
from bcastcli.messages import Fault, Reading
from bcastcli.messages.reader import Reader
from bcastcli.messages.reading import MATMUL
from bcastcli.messages.tally import Tally
from tests.effort import many
from tests.engines import single_op
from tests.engines.judging import engine, fresh, judged

np = engine("numpy")

Known = tuple[int, ...]
MIN_MESSAGES = 2_000
SHARES = {"numpy": 8, "onnx": 2, "onnxruntime": 2, "openvino": 2, "torch": 4, "jax": 1}
"""How many of each `sum(SHARES)` messages an engine is asked for: some take longer."""


class Case(NamedTuple):
    """Something that an engine is asked to do, and how its message must be read."""

    run: Callable[..., Any]
    """Takes the shapes."""
    rules: tuple[str, ...]
    is_right: Callable[[Reading, Sequence[Known]], bool]
    """Judges the figures, given the shapes."""
    operands: int = 2
    min_rank: int = 0


def whole(reading: Reading, shapes: Sequence[Known]) -> bool:
    """Return whether the shapes are read, in their order."""
    return reading.shapes == tuple(shapes)


def target_first(reading: Reading, shapes: Sequence[Known]) -> bool:
    """Return whether a source and its target are read, but for leading ones of the source."""
    if reading.shapes is None:
        return "rank" in reading.caveats
    target, source = reading.shapes
    return target == shapes[0] and _bare(source) == _bare(shapes[1])


def in_place(reading: Reading, shapes: Sequence[Known]) -> bool:
    """Return whether the operands and the output are read, or the output and the result."""
    output, operand = shapes
    if len(reading.shapes or ()) == 3:
        return reading.shapes == (output, operand, output)
    result = np.broadcast_shapes(output, operand)
    return reading.shapes == (output, result)


def some(reading: Reading, shapes: Sequence[Known]) -> bool:
    """Return whether two of the operands are read, each under its number."""
    named = zip(reading.names, reading.shapes or (), strict=True)
    return all(shapes[int(name.removeprefix("arg"))] == shape for name, shape in named)


def product(reading: Reading, shapes: Sequence[Known]) -> bool:
    """Return whether a matrix product's shapes are read, or the sizes that must be equal."""
    summed = {shapes[0][-1], shapes[1][-2] if len(shapes[1]) > 1 else shapes[1][0]}
    if reading.shapes is not None:
        return reading.shapes == tuple(shapes)
    return reading.sizes is None or set(reading.sizes) == summed


def of_one_axis(reading: Reading, shapes: Sequence[Known]) -> bool:
    """Return whether two sizes are read that clash on the axis that is told, or on some axis."""
    rank = max(map(len, shapes))
    columns = list(zip(*[(1,) * (rank - len(shape)) + shape for shape in shapes], strict=True))
    if reading.shapes is not None:
        return reading.shapes == tuple(shapes)
    if reading.axis is not None:
        columns = [columns[reading.axis]]
    clashing = [column for column in columns if column[0] != column[1] and 1 not in column]
    if reading.sizes is None:
        return bool(clashing)
    if "order unknown" in reading.caveats:
        return any(set(column) == set(reading.sizes) for column in clashing)
    return reading.sizes in clashing


def node(reading: Reading, shapes: Sequence[Known]) -> bool:
    """Return whether the operator is read where a message has nothing else."""
    return reading.operation is not None and reading.shapes is None and reading.sizes is None


def _bare(shape: Known | tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Return a shape without leading ones."""
    first = next((place for place, size in enumerate(shape) if size != 1), len(shape))
    return tuple(shape[first:])


def ones(*shape: int) -> Any:
    """Return an array of ones."""
    return np.ones(shape, np.float32)


def _add_in_place(left: Known, right: Known) -> None:
    array = ones(*left)
    array += ones(*right)


def _assign(left: Known, right: Known) -> None:
    ones(*left)[...] = ones(*right)


def _by_index(left: Known, right: Known) -> None:
    grid = np.zeros((8, 8))
    grid[np.zeros(left, int), np.zeros(right, int)]


def _to_index(left: Known, right: Known) -> None:
    grid = np.zeros(left)
    grid[np.arange(left[0])] = ones(*right)


NUMPY = (
    Case(lambda a, b: ones(*a) + ones(*b), ("numpy",), whole),
    Case(lambda a, b, c: np.where(ones(*a), ones(*b), ones(*c)), ("numpy",), whole, 3),
    Case(_add_in_place, ("numpy", "onnx-uni"), in_place),
    Case(lambda a, b: np.broadcast_to(ones(*b), a), ("onnx-uni",), target_first),
    Case(_assign, ("onnx-uni",), target_first),
    Case(lambda a, b, c: np.broadcast(ones(*a), ones(*b), ones(*c)), ("numpy",), some, 3),
    Case(_by_index, ("numpy",), whole),
    Case(_to_index, ("onnx-uni",), target_first, min_rank=1),
    Case(lambda a, b: np.matmul(ones(*a), ones(*b)), (MATMUL,), product, min_rank=1),
    Case(lambda a, b: np.dot(ones(*a), ones(*b)), (MATMUL,), product, min_rank=1),
)


def onnx_cases() -> Sequence[Case]:
    """Return what ONNX's shape inference is asked."""
    onnx = engine("onnx")

    def infer(op: str) -> Callable[..., None]:
        def run(*shapes: Known) -> None:
            model = single_op.model(op, ["float32"] * len(shapes), shapes)
            onnx.shape_inference.infer_shapes(model, strict_mode=True)

        return run

    return (
        *(Case(infer(op), ("onnx",), node) for op in ("Add", "Mul", "Max", "Pow")),
        Case(infer("MatMul"), (MATMUL,), node, min_rank=1),
    )


def onnxruntime_cases() -> Sequence[Case]:
    """Return what ONNX Runtime is asked to run."""
    runtime = engine("onnxruntime")

    def execute(op: str) -> Callable[..., None]:
        model = single_op.model(op, ["float32"] * 2, [None, None]).SerializeToString()
        options = runtime.SessionOptions()
        options.log_severity_level = 4
        session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

        def run(left: Known, right: Known) -> None:
            session.run(None, {"input_0": ones(*left), "input_1": ones(*right)})

        return run

    return (
        *(Case(execute(op), ("onnx",), of_one_axis) for op in ("Add", "Sub", "Mul", "Div")),
        Case(execute("MatMul"), (MATMUL,), lambda reading, shapes: True, min_rank=1),
    )


def openvino_cases() -> Sequence[Case]:
    """Return the nodes that OpenVINO is asked to make."""
    ops = engine("openvino").opset13

    def given(shape: Known) -> Any:
        return ops.parameter(list(shape), np.float32)

    def binary(name: str, mode: str) -> Callable[..., None]:
        return lambda a, b: getattr(ops, name)(given(a), given(b), auto_broadcast=mode)

    def broadcast(a: Known, b: Known) -> None:
        ops.broadcast(given(b), ops.constant(np.array(a, np.int64)))

    def multiply(a: Known, b: Known) -> None:
        ops.matmul(given(a), given(b), False, False)

    return (
        *(Case(binary(op, "NUMPY"), ("numpy",), whole) for op in ("add", "multiply")),
        Case(binary("add", "NONE"), ("none",), whole),
        Case(binary("add", "PDPD"), ("numpy", "pdpd"), whole),
        Case(broadcast, ("onnx-uni",), lambda reading, shapes: True, min_rank=1),
        Case(multiply, (MATMUL,), product, min_rank=1),
    )


def torch_cases() -> Sequence[Case]:
    """Return what PyTorch is asked."""
    torch = engine("torch")

    def in_place_of(a: Known, b: Known) -> None:
        array = torch.ones(a)
        array += torch.ones(b)

    def assign(a: Known, b: Known) -> None:
        torch.ones(a)[...] = torch.ones(b)

    def output_or_sizes(reading: Reading, shapes: Sequence[Known]) -> bool:
        result = in_place if reading.shapes is not None else of_one_axis
        return result(reading, shapes)

    return (
        Case(lambda a, b: torch.ones(a) + torch.ones(b), ("numpy",), of_one_axis),
        Case(lambda a, b: torch.ones(b).expand(a), ("onnx-uni",), target_first),
        Case(assign, ("onnx-uni",), target_first),
        Case(in_place_of, ("numpy", "onnx-uni"), output_or_sizes),
        Case(
            lambda a, b: torch.mm(torch.ones(a[:2]), torch.ones(b[:2])),
            (MATMUL,),
            lambda reading, shapes: reading.shapes == (shapes[0][:2], shapes[1][:2]),
            min_rank=2,
        ),
    )


def jax_cases() -> Sequence[Case]:
    """Return what JAX is asked."""
    jnp = engine("jax.numpy")
    return (
        Case(lambda a, b: jnp.ones(a) + jnp.ones(b), ("numpy",), padded),
        Case(jnp.broadcast_shapes, ("numpy",), whole),
        Case(lambda a, b: jnp.broadcast_to(jnp.ones(b), a), ("onnx-uni",), target_first),
        Case(lambda a, b: jnp.matmul(jnp.ones(a), jnp.ones(b)), (MATMUL,), product, min_rank=1),
    )


def padded(reading: Reading, shapes: Sequence[Known]) -> bool:
    """Return whether the shapes are read, perhaps with leading ones."""
    read = reading.shapes or ()
    return [_bare(shape) for shape in read] == [_bare(shape) for shape in shapes]


CASES: dict[str, Callable[[], Sequence[Case]]] = {
    "numpy": lambda: NUMPY,
    "onnx": onnx_cases,
    "onnxruntime": onnxruntime_cases,
    "openvino": openvino_cases,
    **({"torch": torch_cases} if find_spec("torch") else {}),
    **({"jax": jax_cases} if find_spec("jax") else {}),
}


SIZES = ((1, 2, 3), (2, 3, 4, 5), (1, 3, 10, 12), (0, 1, 2, 7))
REFUSES_EMPTY = ("openvino",)
"""The engines that differ from their document on a size of 0."""


def shapes_of(case: Case, name: str, chance: Random) -> list[Known]:
    """Return shapes, most of which do not broadcast."""
    sizes = chance.choice(SIZES[:-1] if name in REFUSES_EMPTY else SIZES)
    return [
        tuple(chance.choice(sizes) for _ in range(chance.randrange(case.min_rank, 5)))
        for _ in range(case.operands)
    ]


def message_of(case: Case, shapes: Sequence[Known]) -> str | None:
    """Return what the engine writes, as a traceback shows it; None if it accepts the shapes."""
    try:
        case.run(*shapes)
    except Exception:  # each engine has its own
        return traceback.format_exc()
    return None


def read(text: str) -> list[Reading | Fault]:
    """Return what a text says in all."""
    reader, told = Reader(), Tally()
    for said in (*reader.feed(text.encode()), *reader.end()):
        told.add(said)
    return told.findings


@pytest.mark.parametrize("name", CASES)
def test_fresh_messages(name: str) -> None:
    """An engine's message is read with its rule and figures, and the answer is a mismatch."""
    chance = fresh(f"messages {name}")
    cases = CASES[name]()
    wanted = -(-SHARES[name] * max(MIN_MESSAGES, many(4_000)) // sum(list(SHARES.values())[:4]))
    found = 0
    for _ in range(50 * wanted):
        case = chance.choice(cases)
        shapes = shapes_of(case, name, chance)
        text = message_of(case, shapes)
        if text is None:
            continue
        said = read(text)
        assert [type(each) for each in said] == [Reading], (shapes, text)
        [reading] = said
        assert isinstance(reading, Reading)
        engines = {name, "numpy"} if name == "onnx" else {name}
        assert engines & {*reading.framework}, text
        assert reading.rule in case.rules, text
        assert case.is_right(reading, shapes), (shapes, reading, text)
        assert explain(reading).ok is False, (shapes, text)
        found += 1
        if found == wanted:
            break
    assert found == wanted
    judged[name] += found
