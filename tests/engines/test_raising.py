"""Programs of each framework that fail: their operands get their shapes, and nothing else does."""

import re
from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import bcastcli
from tests.engines.judging import has
from tests.raising.programs import compiled
from tests.raising.test_command import by_run, ran

Shapes = dict[str, tuple[int | str, ...]]
CASES: list[tuple[str, Callable[[], Any], Shapes, str | None]] = []


def case(
    *frameworks: str, reason: str | None = None, **shapes: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a program of frameworks with its operands, `_` for those that are no names."""

    def register(program: Callable[..., Any]) -> Callable[..., Any]:
        def call() -> Any:
            return program(*map(pytest.importorskip, frameworks))

        call.__name__ = program.__name__
        CASES.append((frameworks[0], call, {**shapes.pop("_", {}), **shapes}, reason))
        return program

    return register


@case(
    "torch",
    _={"k.transpose(-2, -1)": (2, 4, 64, 7)},
    q=(2, 8, 5, 64),
    reason="q has 8 and k.transpose(-2, -1) has 4 on axis 1 (-3), and neither is 1",
)
def product_of_stacks(torch: Any) -> Any:
    q, k = torch.zeros(2, 8, 5, 64), torch.zeros(2, 4, 7, 64)
    return q @ k.transpose(-2, -1)


@case("torch", _={"self.up(x)": (2, 5, 32), "self.down.weight": (8, 16), "self.down.bias": (8,)})
def layer_in_a_layer(torch: Any) -> Any:
    class Block(torch.nn.Module):  # type: ignore[misc,unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.up, self.down = torch.nn.Linear(4, 32), torch.nn.Linear(16, 8)

        def forward(self, x: Any) -> Any:
            return self.down(self.up(x))

    return torch.nn.Sequential(Block())(torch.zeros(2, 5, 4))


@case(
    "torch",
    _={"batch[0]": (4,), "batch[1]": (5,)},
    reason="entry 0 is 4 and entry 1 is 5, but torch.stack needs equal shapes: they have 4 and 5 "
    "on axis 0",
)
def collation_by_the_loader(torch: Any) -> Any:
    return list(torch.utils.data.DataLoader([*map(torch.zeros, [4, 5])], 2))


@case("torch", t=(4,), a=(3,))
def tensor_subclass(torch: Any) -> Any:
    class Counts(torch.Tensor):  # type: ignore[misc,unused-ignore]
        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            assert not armed, "code of the program runs"
            return super().__torch_function__(func, types, args, kwargs or {})

    def refuse(a: Any, t: Any) -> Any:
        armed.append(True)
        raise ValueError("the shape does not match")

    armed: list[bool] = []
    a, t = torch.zeros(3), torch.zeros(4).as_subclass(Counts)
    return refuse(a, t)


@case("torch", a=("s26", "s49"), b=("s53",))
def symbols(torch: Any) -> Any:
    symbolic_shapes = import_module("torch.fx.experimental.symbolic_shapes")
    fake_tensor = import_module("torch._subclasses.fake_tensor")
    mode = fake_tensor.FakeTensorMode(shape_env=symbolic_shapes.ShapeEnv())
    a, b = mode.from_tensor(torch.zeros(7, 4)), mode.from_tensor(torch.zeros(5))
    return torch.cat([a, b], dim=1)


@case("jax", a=(3,), w=(4,))
def mapped(jax: Any) -> Any:
    w = jax.numpy.zeros(4)
    return jax.vmap(lambda a: a * w)(jax.numpy.zeros((2, 3)))


@case(
    "pandas",
    "numpy",
    values=(3, 3),
    names=(2,),
    reason="2 labels for the 3 columns of the values 3,3",
)
def labels(pandas: Any, numpy: Any) -> Any:
    values, names = numpy.zeros((3, 3)), ["a", "b"]
    return pandas.DataFrame(values, columns=names)


@case(
    "sklearn.linear_model",
    "numpy",
    features=(5, 3),
    reason="X has 3 columns, but LinearRegression was fitted on 4",
)
def prediction(linear_model: Any, numpy: Any) -> Any:
    model = linear_model.LinearRegression().fit(numpy.zeros((6, 4)), numpy.zeros(6))
    features = numpy.zeros((5, 3))
    return model.predict(features)


@case("scipy.optimize", "numpy", X=(20, 4), theta=(3,))
def minimization(optimize: Any, numpy: Any) -> Any:
    X = numpy.zeros((20, 4))  # noqa: N806  # as people write it
    return optimize.minimize(lambda theta: (X @ theta).sum(), numpy.zeros(3))


@case("xarray", "numpy", a=(3,), b=(4,))
def labelled(xarray: Any, numpy: Any) -> Any:
    a, b = (xarray.DataArray(numpy.zeros(size), dims="x") for size in (3, 4))
    return a + b


_MADE = {"torch": "zeros", "jax": "numpy.zeros", "tensorflow": "zeros"}
FUNCTIONS: list[tuple[str, str, str, str]] = [
    # a framework, its arrays and layers, an expression that fails, and what is said of it
    ("torch", "a=8,17 b=4,9", "torch.cat([a, b], 1)",
     "a has 8 and b has 4 on axis 0, but only axis 1 may differ"),
    ("torch", "x=4,379,448", "x.view(4, 379, -1, 128)",
     ("x has 679,168 elements, which do not fill 4,379,-1,128: "
     "679,168 / (4 x 379 x 128) is 3.5")),
    ("torch", "x=5 fc=Linear(100,10)", "fc(x)",
     ("x 5 has 5 on axis 0 (-1) and fc.weight.T 100,10 has 100 on axis 0 (-2), "
     "but these must be equal")),
    ("torch", "x=3,5,8 lstm=LSTM(10,20)", "lstm(x)",
     ("x 3,5,8 has 8 on axis 2 (-1) and lstm.weight_ih_l0.T 10,80 has 10 on axis 0 (-2), "
     "but these must be equal")),
    ("torch", "q=2,3,4 k=2,5,6", "torch.einsum('bij,bjk->bik', [q, k])", "j is 4 in q and 5 in k"),
    ("torch", "a=4,4 b=3,4", "torch.where(a > 0, b, float('-inf'))",
     "(a > 0) has 4 and b has 3 on axis 0 (-2), and neither is 1"),
    ("torch", "a=3 b=2,3", "a.mul_(b)", "b 2,3 has 2 axes and a 3 has 1, and a never stretches"),
    ("torch", "a=2,3 b=2,5", "torch.mul(a, a).sub(b)",
     "torch.mul(a, a) has 3 and b has 5 on axis 1 (-1), and neither is 1"),
    ("jax", "x=2,3", "jax.jit(lambda x: x.reshape(4, 2))(x)",
     "x has 6 elements, but the target 4,2 has 8"),
    ("tensorflow", "a=2,3 b=3,4", "tensorflow.concat([a, b], axis=-1)",
     "a has 2 and b has 3 on axis 0, but only axis 1 may differ"),
]  # fmt: skip


_ASKED = [each for each in FUNCTIONS if each[0] != "tensorflow" or has("tensorflow")]


@pytest.mark.parametrize(
    ("framework", "given", "expression", "reason"), _ASKED, ids=[each[2] for each in _ASKED]
)
def test_functions(framework: str, given: str, expression: str, reason: str) -> None:
    """What a framework's function refuses is said with the names in the program."""
    module: Any = pytest.importorskip(framework)
    names: dict[str, Any] = {framework: module}
    if framework == "torch":
        names["F"] = import_module("torch.nn.functional")
    for word in given.split():
        name, _, what = word.partition("=")
        if what[0].isdigit():
            make = attrgetter(_MADE[framework])(module)
            names[name] = make(tuple(map(int, what.split(","))))
        else:
            names[name] = eval(f"torch.nn.{what}", names)
    source = f"def program({', '.join(names)}):\n    return {expression}\n"
    with pytest.raises(Exception) as raised:  # noqa: PT011  # each has its own
        compiled(source, "<program>", {})(**names)
    found = bcastcli.explain(raised.value)
    assert found is not None
    assert (found.ok, found.reason) == (False, reason)


@pytest.mark.parametrize(
    ("framework", "program", "shapes", "reason"),
    CASES,
    ids=[f"{framework}-{program.__name__}" for framework, program, *_ in CASES],
)
def test_operands(
    framework: str, program: Callable[[], Any], shapes: Shapes, reason: str | None
) -> None:
    """The operands have their names and shapes, and where the answer is certain its reason."""
    pytest.importorskip(framework)
    try:
        program()
    except Exception as error:
        found = bcastcli.explain(error)
    assert found is not None
    known = {name: shape for name, shape in found.operands.items() if name in shapes}
    if framework == "torch" and "s26" in str(shapes):
        known = {name: (*"x" * len(sizes or ()),) for name, sizes in known.items()}
        shapes = {name: (*"x" * len(shape),) for name, shape in shapes.items()}
    assert known == shapes
    assert reason is None or found.reason == reason


def test_planted(tmp_path: Path) -> None:
    """Each bug is named at its line, once; compiled, mapped and traced code passes unseen."""
    for framework in ("torch", "jax", "pandas", "sklearn", "scipy"):
        pytest.importorskip(framework)
    source = Path(__file__).with_name("planted.txt").read_text("utf-8")
    (tmp_path / "planted.py").write_text(source, "utf-8")
    own = by_run(["--strict", "planted.py"], tmp_path)
    others = ran(["python", "planted.py"], tmp_path)
    assert (own.returncode, own.stdout) == (1, others.stdout)
    assert own.stdout.startswith("compilations 1\n")
    named = [int(each) for each in re.findall(r"^planted.py, line (\d+)", own.stderr, re.MULTILINE)]
    lines = enumerate(source.splitlines(), 1)
    assert sorted(named) == [number for number, line in lines if "# BUG" in line]
    assert own.stderr.count("\ntry   ") >= len(named)
