"""What the statements of asked.txt call: modules, and calls that take several steps."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from tests.engines import single_op
from tests.engines.judging import engine

Shape = tuple[int | str, ...]
Names = dict[str, Any]

np = engine("numpy")


def _ones(shape: Shape) -> Any:
    """An array of ones."""
    return np.ones(shape, np.float32)


def _numpy() -> Names:
    return {"np": np, "ones": _ones}


def _pandas() -> Names:
    """With pandas SciPy, scikit-learn and xarray are installed."""
    modules = {
        "scipy": "linalg interpolate signal sparse stats optimize ndimage",
        "sklearn": "cluster decomposition linear_model metrics model_selection neighbors"
        " preprocessing",
    }
    parts = {
        part: engine(f"{package}.{part}")
        for package, words in modules.items()
        for part in words.split()
    }
    return {**parts, **_numpy(), "pd": engine("pandas"), "xr": engine("xarray")}


def _torch() -> Names:
    torch = engine("torch")
    torch.set_num_threads(1)
    numbers = dict(zip("bcdefgh", (2, 3, 4, 5, 7, 10, 12), strict=True))

    def ones(shape: Shape, **options: Any) -> Any:
        return torch.ones([numbers.get(str(size), size) for size in shape], **options)

    def fake(call: Any) -> Any:
        """A call in which every tensor has a shape alone, as under compilation."""

        def run(*shapes: Shape) -> None:
            with engine("torch._subclasses.fake_tensor").FakeTensorMode():
                call(*map(ones, shapes))

        return run

    def compiled(call: Any, **options: Any) -> Any:
        torch._dynamo.reset()
        return torch.compile(call, backend="eager", fullgraph=True, **options)

    def dynamic(call: Any) -> Any:
        """A call that compiles with every axis dynamic, but those of one element."""

        def run(*shapes: Shape) -> None:
            arrays = [ones(shape) for shape in shapes]
            for array, shape in zip(arrays, shapes, strict=True):
                for axis, size in enumerate(shape):
                    if isinstance(size, str):
                        torch._dynamo.maybe_mark_dynamic(array, axis)
            compiled(call)(*arrays)

        return run

    return {
        "torch": torch,
        "nn": torch.nn,
        "F": torch.nn.functional,
        "ones": ones,
        "meta": lambda shape: ones(shape, device="meta"),
        "fake": fake,
        "compiled": lambda call: compiled(call, dynamic=False),
        "dynamic": dynamic,
    }


def _jax() -> Names:
    jax, jnp = engine("jax"), engine("jax.numpy")

    def shaped(call: Any) -> Any:
        """A call on arrays that have shapes alone."""
        return lambda *shapes: jax.eval_shape(
            call, *(jax.ShapeDtypeStruct(shape, "float32") for shape in shapes)
        )

    def symbolic(call: Any) -> Any:
        """A call on such arrays some of whose sizes are names, in one scope."""

        def run(*shapes: Shape) -> None:
            scope = jax.export.SymbolicScope()
            texts = (",".join(map(str, shape)) for shape in shapes)
            shaped(call)(*(jax.export.symbolic_shape(text, scope=scope) for text in texts))

        return run

    return {
        "jax": jax,
        "jnp": jnp,
        "lax": jax.lax,
        "ones": lambda shape: jnp.asarray(_ones(shape)),
        "shaped": shaped,
        "symbolic": symbolic,
    }


def _onnx() -> Names:
    """Shape inference, the checker and the reference evaluator."""
    onnx = engine("onnx")
    helper = onnx.helper

    def infer(op: str, name: str = "", bools: int = 0, **attributes: Any) -> Any:
        def run(*shapes: Shape) -> None:
            dtypes = ["bool"] * bools + ["float32"] * (len(shapes) - bools)
            model = single_op.model(op, dtypes, shapes, **attributes)
            model.graph.node[0].name = name
            onnx.shape_inference.infer_shapes(model, strict_mode=True)

        return run

    def check(op: str) -> Any:
        def run(*shapes: Shape) -> None:
            model = single_op.model(op, ["float32"] * len(shapes), shapes)
            [output] = model.graph.output
            names = [f"d{axis}" for axis in range(max(map(len, shapes)))]
            output.CopyFrom(helper.make_tensor_value_info(output.name, 1, names))
            onnx.checker.check_model(model, full_check=True)

        return run

    def evaluate(op: str, **attributes: Any) -> Any:
        def run(*shapes: Shape) -> None:
            model = single_op.model(op, ["float32"] * len(shapes), shapes, **attributes)
            evaluator = engine("onnx.reference").ReferenceEvaluator(model)
            evaluator.run(None, {f"input_{i}": _ones(shape) for i, shape in enumerate(shapes)})

        return run

    def expand(a: Shape, b: Shape) -> None:
        model = single_op.expand(b, a)
        model.graph.node[0].name = "Expand_3"
        onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)

    own = {"infer": infer, "check": check, "evaluate": evaluate, "expand": expand}
    return {"onnx": onnx, "single_op": single_op, "operand": tuple, **own}


def _onnxruntime() -> Names:
    @cache
    def session(op: str, name: str, dtypes: tuple[str, ...], **attributes: Any) -> Any:
        model = single_op.model(op, dtypes, [None] * len(dtypes), **attributes)
        model.graph.node[0].name = name
        return single_op.load(model)

    def run(op: str, name: str = "node", dtypes: tuple[str, ...] = (), **attributes: Any) -> Any:
        def call(*shapes: Shape) -> None:
            kinds = dtypes or ("float32",) * len(shapes)
            arrays = [_ones(shape).astype(kind) for shape, kind in zip(shapes, kinds, strict=True)]
            feed = {f"input_{i}": array for i, array in enumerate(arrays)}
            session(op, name, kinds, **attributes).run(None, feed)

        return call

    def given(op: str, a: Shape, numbers: Sequence[int]) -> None:
        """Run an operator whose second input is a list of numbers."""
        feed = {"input_0": _ones(a), "input_1": np.array(numbers, np.int64)}
        session(op, f"/{op}", ("float32", "int64")).run(None, feed)

    def load(op: str, name: str, **attributes: Any) -> Any:
        """A call that loads a model whose shapes are known."""

        def call(*shapes: Shape) -> None:
            model = single_op.model(op, ["float32"] * len(shapes), shapes, **attributes)
            model.graph.node[0].name = name
            single_op.load(model)

        return call

    def wrong_input(a: Shape, b: Shape) -> None:
        relu = single_op.load(single_op.model("Relu", ["float32"], [a]))
        relu.run(None, {"input_0": _ones(b)})

    own = {"run": run, "given": given, "load": load, "wrong_input": wrong_input}
    return {"session": session("Relu", "", ("float32",)), "ones": _ones, "operand": tuple, **own}


def _openvino() -> Names:
    openvino = engine("openvino")
    core, ops = openvino.Core(), openvino.opset13

    def par(shape: Sequence[int | str], name: str | None = None) -> Any:
        dimensions = [-1 if isinstance(size, str) else size for size in shape]
        made = ops.parameter(dimensions, np.float32)
        if name is not None:
            made.set_friendly_name(name)
            made.output(0).set_names({name})
        return made

    def multiply(a: Shape, b: Shape, *names: str) -> None:
        ops.matmul(*map(par, (a, b), names), False, False)

    def imported(op: str, names: tuple[str, ...]) -> Any:
        """A call that reads an ONNX model whose inputs have these names."""

        def run(*shapes: Shape) -> None:
            model = single_op.model(op, ["float32"] * len(shapes), shapes, 17)
            for given, name in zip(model.graph.input, names, strict=True):
                given.name = name
            model.graph.node[0].input[:] = names
            model.graph.node[0].name = f"/{op}_1"
            core.read_model(model.SerializeToString())

        return run

    def run(op: str) -> Any:
        """A call that runs a model of one operator whose inputs take any sizes."""

        def call(*shapes: Shape) -> None:
            given = [par([-1] * len(shape), f"x{place}:0") for place, shape in enumerate(shapes)]
            made = getattr(ops, op)(*given, *((False, False) if op == "matmul" else ()))
            compiled = core.compile_model(openvino.Model([made], given), "CPU")
            compiled([_ones(shape) for shape in shapes])

        return call

    def wrong_input(a: Shape, b: Shape) -> None:
        x = par(a, "x")
        core.compile_model(openvino.Model([ops.relu(x)], [x]), "CPU")([_ones(b)])

    own = {"par": par, "multiply": multiply, "imported": imported}
    own |= {"run": run, "wrong_input": wrong_input}
    return {"np": np, "ops": ops, "core": core, "operand": tuple, **own}


def _tensorflow() -> Names:
    tf, keras = engine("tensorflow"), engine("keras")

    def traced(call: Any) -> Any:
        """A call whose operands are a graph's inputs; a name is an unknown size."""

        def run(*shapes: Shape) -> None:
            known = [[None if isinstance(size, str) else size for size in s] for s in shapes]
            specs = [tf.TensorSpec(shape, tf.float32) for shape in known]
            tf.function(call).get_concrete_function(*specs)

        return run

    def in_graph(call: Any) -> Any:
        """A call that runs a graph whose inputs' sizes are unknown."""

        def run(*arrays: Any) -> None:
            specs = [tf.TensorSpec([None] * len(array.shape), tf.float32) for array in arrays]
            tf.function(call, input_signature=specs)(*arrays)

        return run

    def fit(features: Any, targets: Any) -> None:
        model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
        model.compile(loss="mse")
        model.fit(features, targets, verbose=0)

    own = {"ones": tf.ones, "traced": traced, "in_graph": in_graph, "fit": fit}
    return {"tf": tf, "keras": keras, "layers": keras.layers, "v1": tf.compat.v1, **own}


def _paddle() -> Names:
    paddle = engine("paddle")

    def static(call: Any) -> Any:
        """A call that builds a static program; a name is an unknown size."""

        def run(*shapes: Shape) -> None:
            paddle.enable_static()
            try:
                with paddle.static.program_guard(paddle.static.Program()):
                    known = [[-1 if isinstance(s, str) else s for s in shape] for shape in shapes]
                    named = zip("xyz", known, strict=False)
                    call(*(paddle.static.data(name, shape, "float32") for name, shape in named))
            finally:
                paddle.disable_static()

        return run

    def ones(shape: Shape) -> Any:
        return paddle.ones(list(shape))

    return {"paddle": paddle, "nn": paddle.nn, "ones": ones, "static": static}


def _mlx() -> Names:
    mx = engine("mlx.core")
    return {"mx": mx, "ones": mx.ones}


def _dask() -> Names:
    da = engine("dask.array")
    return {"da": da, "ones": da.ones}


def _coreml() -> Names:
    builder = engine("coremltools.converters.mil").Builder

    def built(op: str, **options: Any) -> Any:
        """A call that builds a program of one operator."""

        def one(x: Any) -> Any:
            return getattr(builder, op)(x=x, **options)

        def two(x: Any, y: Any) -> Any:
            return getattr(builder, op)(x=x, y=y, **options)

        def run(*shapes: Shape) -> None:
            specs = [builder.TensorSpec(shape) for shape in shapes]
            builder.program(input_specs=specs)(one if len(shapes) == 1 else two)

        return run

    return {"built": built, "operand": tuple}


_NAMES: dict[str, Callable[[], Names]] = {
    "numpy": _numpy,
    "onnx": _onnx,
    "onnxruntime": _onnxruntime,
    "openvino": _openvino,
    "torch": _torch,
    "jax": _jax,
    "pandas": _pandas,
    "tensorflow": _tensorflow,
    "paddle": _paddle,
    "mlx": _mlx,
    "dask": _dask,
    "coreml": _coreml,
}


@cache
def names(framework: str) -> Names:
    """What the statements of a framework call; `operand`, or else `ones`, makes their operands."""
    return _NAMES[framework]()
