"""Frameworks execute the code of suggestions: every element is where its axes say."""

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from bcastcli.advice.dialects import in_words_of
from bcastcli.core.alignment import Change, change
from tests.effort import SEED
from tests.engines.judging import engine, has
from tests.engines.single_op import model
from tests.laws.advised import moved
from tests.strategies import random_answer

np = engine("numpy")

FRAMEWORKS = ["torch", "jax", *filter(has, ["tensorflow"])]
OF_EACH_KIND = [
    change("B", (3,), (0, None)),
    change("B", (3,), (0, None, None)),
    change("B", (3, 4), (0, None, 1, None)),
    change("B", (3, 1), (0,)),
    change("B", (1, 3, 1, 1, 4), (1, 4)),
    change("B", (1, 3), (1, None, None)),
    change("B", (2, 3), (1, 0)),
    change("B", (5, 2, 3), (0, 2, 1)),
    change("B", (2, 3, 4), (2, 1, 0)),
    change("B", (2, 3, 4, 5), (0, 3, 1, 2)),
    change("B", (2, 1, 3), (2, None, 0, None)),
    Change("B", (24,), (0, 0), (4, 6)),
    Change("B", (2, 24, 1), (0, 1, 1, None), (2, 4, 6, 1)),
    Change("B", (3,), (0, None), (3, 1), (3, 5)),
]


def changes(rule: str = "numpy", count: int = 400) -> Iterator[Change]:
    """Yield changes of each kind, and those of random suggestions under a rule."""
    chance = random.Random(f"{SEED} code {rule}")
    yield from OF_EACH_KIND if rule == "numpy" else ()
    for _ in range(count):
        answer = random_answer(chance, rule, (1, 1, 2, 3, 4, 6, 12), max_rank=4)
        for suggestion in answer.suggestions:
            yield from suggestion.changes


def holds(framework: str, run: Callable[[str, Any], Any], given: Iterator[Change]) -> None:
    """Check that code, as `run` executes it on an array, has each element where its axes say."""
    executed = 0
    for each in given:
        array = np.arange(np.prod(each.own, dtype=int), dtype=np.float32).reshape(each.own)
        [code] = in_words_of(framework, [[each]])
        assert np.array_equal(run(code, array), moved(array, each)), code
        executed += 1
    assert executed >= len(OF_EACH_KIND)


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_python(framework: str) -> None:
    """PyTorch, JAX and TensorFlow execute their code."""
    module = engine(framework)

    def run(code: str, array: Any) -> Any:
        if framework == "torch":
            tensor = module.from_numpy(array)
        elif framework == "jax":
            tensor = module.numpy.asarray(array)
        else:
            tensor = module.constant(array)
        scope = {"tf": module, "numpy": engine("jax").numpy if framework == "jax" else np}
        return np.asarray(eval(code, scope, {"B": tensor, "A": tensor, "C": tensor, "D": tensor}))

    # Where JAX spreads an operand by hand, it is under NumPy's name.
    holds(framework, run, changes())


def test_one_style() -> None:
    """PyTorch executes a line that has an index only because another line needs one."""
    torch = engine("torch")
    several = [[change("B", (3,), (0, None))], [change("B", (3,), (0, None, None))]]
    codes = in_words_of("torch", several)
    assert codes == ["B[:, None]", "B[:, None, None]"]
    for code, [each] in zip(codes, several, strict=True):
        array = np.arange(3)
        assert np.array_equal(eval(code, {}, {"B": torch.from_numpy(array)}), moved(array, each))


def test_onnx() -> None:
    """ONNX's reference evaluator executes the nodes."""
    reference = engine("onnx.reference")

    @cache
    def evaluator(operator: str, rank: int, **perm: Any) -> Any:
        dtypes, shapes = ["float32", "int64"], [[None] * rank, [None]]
        count = 1 if perm else 2
        return reference.ReferenceEvaluator(
            model(operator, dtypes[:count], shapes[:count], 18, **perm)
        )

    def node(operator: str) -> Callable[..., Any]:
        def run(data: Any, **attribute: list[int]) -> Any:
            [(name, numbers)] = attribute.items()
            perm = {name: tuple(numbers)} if operator == "Transpose" else {}
            fed = {"input_0": data, "input_1": np.array(numbers, np.int64)}
            return evaluator(operator, data.ndim, **perm).run(None, fed)[0]

        return run

    names = ("Unsqueeze", "Squeeze", "Transpose", "Reshape", "Expand")
    nodes = {name: node(name) for name in names}
    holds("onnx", lambda code, data: eval(code, nodes, dict.fromkeys("ABCD", data)), changes())


def test_ncnn() -> None:
    """The layers run in ncnn, with the parameters in the lines."""
    ncnn = engine("ncnn")

    def run(code: str, array: Any) -> Any:
        layers = re.findall(r"(\w+) \w+ ([\d= ]+)", code)
        net = ncnn.Net()
        net.opt.num_threads = 1
        net.opt.use_vulkan_compute = False
        lines = ["Input in0 0 1 b0"]
        lines += [f"{kind} l{i} 1 1 b{i} b{i + 1} {own}" for i, (kind, own) in enumerate(layers)]
        text = f"7767517\n{len(lines)} {len(lines)}\n" + "\n".join(lines) + "\n"
        assert net.load_param_mem(text) == 0
        extractor = net.create_extractor()
        extractor.input("b0", ncnn.Mat(array))
        status, made = extractor.extract(f"b{len(layers)}")
        assert status == 0
        return np.array(made)

    holds("ncnn", run, changes("ncnn", 1_500))
