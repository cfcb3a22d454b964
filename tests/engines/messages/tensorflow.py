"""What TensorFlow and Keras are asked."""

from functools import cache
from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, alone, both, other, product, target

FRAMEWORK = PACKAGE = "tensorflow"


@cache
def _tf() -> Any:
    return engine("tensorflow")


@cache
def _keras() -> Any:
    return engine("keras")


def _ones(shape: Shape) -> Any:
    return _tf().ones(shape)


def _call(name: str, *shapes: Shape) -> Any:
    found = _tf()
    for part in name.split("."):
        found = getattr(found, part)
    return found(*map(_ones, shapes))


def _elementwise(name: str, operands: int = 2, **facts: Any) -> Case:
    return both(name, lambda *shapes: _call(name, *shapes), operands=operands, **facts)


def _traced(call: Any) -> Any:
    """A call whose operands are a graph's inputs; a name is an unknown size."""

    def run(*shapes: Shape) -> None:
        tf = _tf()
        known = [[None if isinstance(size, str) else size for size in shape] for shape in shapes]
        specs = [tf.TensorSpec(shape, tf.float32) for shape in known]
        tf.function(call).get_concrete_function(*specs)

    return run


def _in_graph(call: Any) -> Any:
    """A call that runs a graph whose inputs' sizes are unknown."""

    def run(*shapes: Shape) -> None:
        tf = _tf()
        specs = [tf.TensorSpec([None] * len(shape), tf.float32) for shape in shapes]
        tf.function(call, input_signature=specs)(*map(_ones, shapes))

    return run


def _old(a: Shape, b: Shape) -> None:
    """Add two placeholders in a graph of TensorFlow 1."""
    v1 = _tf().compat.v1
    with v1.Graph().as_default():
        v1.placeholder("float32", a, name="x") + v1.placeholder("float32", b, name="y")


def _where(c: Any, a: Any, b: Any) -> Any:
    return _tf().where(c > 0, a, b)


def _variable(a: Shape, b: Shape) -> None:
    _tf().Variable(_ones(a)).assign(_ones(b))


def _static(a: Shape, b: Shape) -> None:
    _tf().broadcast_static_shape(_tf().TensorShape(a), _tf().TensorShape(b))


def _merge(name: str) -> Any:
    """A call of a Keras layer that merges, on inputs without their batch axis."""

    def run(*shapes: Shape) -> None:
        keras = _keras()
        getattr(keras.layers, name)()([keras.Input(shape) for shape in shapes])

    return run


def _ops(name: str) -> Any:
    def run(a: Shape, b: Shape) -> None:
        keras = _keras()
        getattr(keras.ops, name)(keras.KerasTensor(a), keras.KerasTensor(b))

    return run


def _layer(make: Any) -> Any:
    return lambda shape: make(_keras().layers)(_ones(shape))


def _fit(a: Shape, b: Shape) -> None:
    keras = _keras()
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    model.compile(loss="mse")
    model.fit(_ones((4, *a)), _ones((4, *b)), verbose=0)


def _loss(name: str) -> Any:
    return lambda a, b: getattr(_keras().losses, name)()(_ones(a), _ones(b))


def _to_the_back(a: Shape, b: Shape) -> Any:
    return _tf().matmul(_ones(a), _ones(b), transpose_b=True)


_TWO = (
    *("add", "subtract", "multiply", "divide", "pow", "maximum", "minimum", "less"),
    *("math.squared_difference", "math.floormod", "math.atan2", "math.xdivy"),
)
_KERAS: dict[str, Any] = {"frameworks": ("keras",), "empty": False, "partly": True}

CASES: tuple[Case, ...] = (
    *map(_elementwise, _TWO),
    both("+", lambda a, b: _ones(a) + _ones(b)),
    both("==", lambda a, b: _tf().raw_ops.Equal(x=_ones(a), y=_ones(b))),
    both("where", lambda c, a, b: _where(_ones(c), _ones(a), _ones(b)), operands=3),
    alone(
        "clip_by_value",
        lambda a: _tf().clip_by_value(_ones((1,)), _ones((2, *a)), _ones((2, *a))),
        "equal-shapes",
    ),
    both("broadcast_static_shape", _static),
    both(
        "broadcast_dynamic_shape",
        lambda a, b: _tf().broadcast_dynamic_shape(
            _tf().constant(a, "int32"), _tf().constant(b, "int32")
        ),
    ),
    both("traced", _traced(lambda a, b: a + b), letters=True),
    both("traced maximum", _traced(lambda a, b: _tf().maximum(a, b)), letters=True),
    both("traced where", _traced(_where), operands=3, letters=True),
    both("run", _in_graph(lambda a, b: a * b)),
    both("run where", _in_graph(_where), operands=3),
    both("TensorFlow 1", _old),
    target("broadcast_to", lambda a, b: _tf().broadcast_to(_ones(b), a)),
    product("matmul", lambda a, b: _call("matmul", a, b), ranks=(2, 2, 3, 4)),
    product("matmul of batches", lambda a, b: _call("matmul", a, b), exact=(3, 3)),
    product("@", lambda a, b: _ones(a) @ _ones(b), exact=(2, 2)),
    product("traced matmul", _traced(lambda a, b: a @ b), exact=(2, 2), letters=True),
    product("traced matmul of 3", _traced(lambda a, b: a @ b), exact=(3, 3), letters=True),
    product("run matmul", _in_graph(lambda a, b: a @ b), exact=(2, 2)),
    both("Keras Add", _merge("Add"), **_KERAS),
    both("Keras Multiply", _merge("Multiply"), **_KERAS),
    both("Keras Subtract", _merge("Subtract"), **_KERAS),
    both("Keras add", _ops("add"), **_KERAS),
    both("Keras maximum", _ops("maximum"), **_KERAS),
    other("concat", lambda a, b: _tf().concat([_ones(a), _ones(b)], 0), "concat"),
    other("stack", lambda a, b: _tf().stack([_ones(a), _ones(b)]), "concat", "equal-shapes"),
    other("traced concat", _traced(lambda a, b: _tf().concat([a, b], 0)), "concat", "equal-shapes"),
    other("reshape", lambda a, b: _tf().reshape(_ones(a), b), "reshape"),
    other("assign", _variable, "equal-shapes"),
    alone(
        "Dense",
        _layer(lambda layers: layers.Dense(3, input_shape=(99,))),
        "layer-input",
        ranks=(0,),
    ),
    alone(
        "Conv2D",
        _layer(lambda layers: layers.Conv2D(3, 9)),
        "layer-input",
        "convolution",
        ranks=(2, 3, 5),
    ),
    alone("LSTM", _layer(lambda layers: layers.LSTM(3)), "layer-input", ranks=(1, 2, 4)),
    other("fit", _fit, "layer-input", "loss", "lengths", ranks=(0, 2)),
    other("crossentropy", _loss("CategoricalCrossentropy"), "loss", "equal-shapes"),
    other("binary crossentropy", _loss("BinaryCrossentropy"), "loss"),
    other("sparse crossentropy", _loss("SparseCategoricalCrossentropy"), "loss", "equal-shapes"),
    alone("gather", lambda a: _tf().gather(_ones(a), [99]), "index"),
    alone("a[99]", lambda a: _ones(a)[99], "index"),
    other(
        "boolean_mask",
        lambda a, b: _tf().boolean_mask(_ones(a), _ones(b) > 0),
        *("loss", "index", "equal-shapes"),
    ),
    alone("transpose", lambda a: _tf().transpose(_ones(a), [0, 1, 2]), "reshape"),
    alone("squeeze", lambda a: _tf().squeeze(_ones(a), 0), "reshape"),
    alone("sum", lambda a: _tf().reduce_sum(_ones(a), 7)),
    alone("dtype", lambda a: _ones(a) + _tf().cast(_ones(a), "int32")),
    alone("split", lambda a: _tf().split(_ones(a), 5), "reshape"),
    Case(
        "einsum",
        lambda a, b: _tf().einsum("ij,ij->ij", _ones(a), _ones(b)),
        ("none", "numpy"),
        exact=(2, 2),
    ),
    other(
        "einsum's ranks",
        lambda a, b: _tf().einsum("ijk,jk->i", _ones(a), _ones(b)),
        "product",
        ranks=(1, 4),
    ),
    both(
        "many axes",
        lambda a, b: _ones((1, 2, 1, 2, 1, 2, 1, 2, 1, 2)) + _ones((2, 1, 2, 1, 2, 1, 2, 1, 2, 1)),
        verdicts=(True,),
        order=lambda a, b: ((1, 2) * 5, (2, 1) * 5),
    ),
    alone("inverse", lambda a: _tf().linalg.inv(_ones(a)), "linear-algebra", ranks=(2,)),
    other(
        "solve",
        lambda a, b: _tf().linalg.solve(_ones(a), _ones(b)),
        "linear-algebra",
        "equal-shapes",
        exact=(2, 2),
    ),
    other(
        "bias_add", lambda a, b: _tf().nn.bias_add(_ones(a), _ones(b)), "layer-input", exact=(3, 1)
    ),
    other("Concatenate", _merge("Concatenate"), "concat", ranks=(1, 2, 3), empty=False),
    other(
        "scatter",
        lambda a, b: _tf().tensor_scatter_nd_update(_ones(a), [[0]], _ones(b)),
        "index",
        "assignment",
    ),
    alone("ragged", lambda a: _tf().constant([[1], [1, 2]]), "ragged"),
    alone("load", lambda a: _keras().models.load_model(f"/nowhere/{a}.keras")),
)

UNWRITTEN: dict[str, str] = {
    "required broadcastable shapes": "its kernels for a CPU name the shapes",
    "(op: '": "TensorFlow 1",
}
"""Words of the messages that its newest release does not write any more, and why."""
