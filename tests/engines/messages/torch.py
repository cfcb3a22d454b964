"""What PyTorch is asked."""

from functools import cache
from typing import Any

from tests.engines.judging import engine
from tests.engines.messages.given import Case, Shape, both, output, product, refused, target

FRAMEWORK = PACKAGE = "torch"


@cache
def _torch() -> Any:
    torch = engine("torch")
    torch.set_num_threads(1)
    return torch


def _ones(shape: Shape, **options: Any) -> Any:
    return _torch().ones([int(size) for size in shape], **options)


def _call(name: str, *shapes: Shape, **options: Any) -> Any:
    """Call a function of torch's on ones."""
    found: Any = _torch()
    for part in name.split("."):
        found = getattr(found, part)
    return found(*map(_ones, shapes), **options)


def _elementwise(name: str, operands: int = 2, **facts: Any) -> Case:
    return both(name, lambda *shapes: _call(name, *shapes), operands=operands, **facts)


def _in_place(name: str, operands: int = 2, **facts: Any) -> Case:
    def call(first: Shape, *rest: Shape) -> None:
        getattr(_ones(first), name)(*map(_ones, rest))

    return output(name, call, operands=operands, **facts)


def _meta(name: str, operands: int = 2, **facts: Any) -> Case:
    def call(*shapes: Shape) -> None:
        getattr(_torch(), name)(*(_ones(shape, device="meta") for shape in shapes))

    return both(f"meta {name}", call, operands=operands, **facts)


def _masked_fill(shape: Shape, mask: Shape) -> None:
    _ones(shape).masked_fill(_ones(mask).bool(), 0.0)


def _assign(goal: Shape, source: Shape) -> None:
    _ones(goal)[...] = _ones(source)


def _assign_slice(goal: Shape, source: Shape) -> None:
    _ones((4, *goal))[1] = _ones(source)


def _by_index(left: Shape, right: Shape) -> None:
    torch = _torch()
    grid = torch.zeros(8, 8)
    grid[torch.zeros(left, dtype=torch.long), torch.zeros(right, dtype=torch.long)]


def _to_index(goal: Shape, source: Shape) -> None:
    torch = _torch()
    grid = torch.zeros(goal)
    grid[torch.arange(goal[0])] = _ones(source)


def _fake(call: Any) -> Any:
    """A call in which every tensor has a shape alone, as under compilation."""

    def run(*shapes: Shape) -> None:
        with engine("torch._subclasses.fake_tensor").FakeTensorMode():
            call(*map(_ones, shapes))

    return run


def _compiled(call: Any) -> Any:
    def run(*shapes: Shape) -> None:
        torch = _torch()
        torch._dynamo.reset()
        arrays = [_ones(shape) for shape in shapes]
        torch.compile(call, backend="eager", fullgraph=True, dynamic=False)(*arrays)

    return run


def _with_letters(call: Any) -> Any:
    """A call that compiles with every axis dynamic, but those of one element."""

    def run(*shapes: Shape) -> None:
        torch = _torch()
        torch._dynamo.reset()
        arrays = [_ones(tuple(_NUMBERS.get(str(size), size) for size in shape)) for shape in shapes]
        for array, shape in zip(arrays, shapes, strict=True):
            for axis, size in enumerate(shape):
                if isinstance(size, str):
                    torch._dynamo.maybe_mark_dynamic(array, axis)
        torch.compile(call, backend="eager", fullgraph=True)(*arrays)

    return run


_NUMBERS = dict(zip("bcdefgh", (2, 3, 4, 5, 7, 10, 12), strict=True))


def _log_prob(scale: Shape, value: Shape) -> None:
    torch = _torch()
    torch.distributions.Normal(_ones(scale), _ones(scale)).log_prob(_ones(value))


def _linear(rows: Shape, weight: Shape) -> None:
    torch = _torch()
    torch.nn.functional.linear(_ones(rows), _ones(weight))


def _transposed(left: Shape, right: Shape) -> tuple[Shape, Shape]:
    return left, right[::-1]


def _with_bias(name: str) -> Any:
    """A call whose product fits, and whose bias may not."""

    def call(goal: Shape, bias: Shape) -> None:
        rows, columns = goal
        getattr(_torch(), name)(_ones(bias), _ones((rows, 3)), _ones((3, columns)))

    return call


def _linear_bias(goal: Shape, bias: Shape) -> None:
    _torch().nn.functional.linear(_ones((goal[0], 3)), _ones((goal[1], 3)), _ones(bias))


def _einsum(equation: str) -> Any:
    def call(*shapes: Shape) -> None:
        _torch().einsum(equation, *map(_ones, shapes))

    return call


def _attention_mask(goal: Shape, mask: Shape) -> None:
    heads, queries, keys = goal[1:]
    query, key = _ones((goal[0], heads, queries, 8)), _ones((goal[0], heads, keys, 8))
    _torch().nn.functional.scaled_dot_product_attention(query, key, key, attn_mask=_ones(mask))


def _layer_mask(goal: Shape, mask: Shape) -> None:
    layer = _torch().nn.MultiheadAttention(8, 2)
    query, key = (_ones((length, 1, 8)) for length in goal)
    layer(query, key, key, attn_mask=_ones(mask))


def _loss(name: str) -> Any:
    return lambda a, b: getattr(_torch().nn.functional, name)(_ones(a), _ones(b))


def _add(a: Any, b: Any) -> Any:
    return a + b


def _where(a: Any, b: Any, c: Any) -> Any:
    return b.where(a > 0, c)


_TWO = (
    *("add", "sub", "mul", "div", "pow", "maximum", "minimum", "eq", "lt", "ge", "atan2", "fmod"),
    *("remainder", "hypot", "copysign", "floor_divide", "logical_and", "logaddexp", "isclose"),
    *("nextafter", "heaviside", "xlogy", "fmax", "dist", "complex", "broadcast_tensors"),
)
_FROM_1 = (1, 2, 2, 3, 4)
_MATRICES: dict[str, Any] = {"exact": (2, 2), "empty": False}


def _names() -> dict[str, Any]:
    torch = _torch()
    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}


CASES: tuple[Case, ...] = (
    *map(_elementwise, _TWO),
    both("+", lambda a, b: _ones(a) + _ones(b)),
    both("broadcast_shapes", lambda *shapes: _torch().broadcast_shapes(*shapes), operands=3),
    both("where", lambda c, x, y: _where(_ones(c), _ones(x), _ones(y)), operands=3),
    *(_elementwise(name, 3) for name in ("addcmul", "addcdiv", "lerp", "clamp")),
    both("masked_fill", _masked_fill, order=lambda shape, mask: (mask, shape)),
    both("clamp, low", lambda a, b: _ones(a).clamp(min=_ones(b))),
    both("Normal", lambda a, b: _torch().distributions.Normal(_ones(a), _ones(b))),
    both("log_prob", _log_prob, order=lambda scale, value: (value, scale)),
    both("einsum", _einsum("...,...->..."), order=lambda a, b: (b, a)),
    both("einsum ij,ij", _einsum("ij,ij->ij"), exact=(2, 2), order=lambda a, b: (b, a)),
    *(_meta(name) for name in ("add", "mul", "div", "eq", "maximum")),
    _meta("addcmul", 3),
    _meta("lerp", 3),
    _meta("clamp", 3, partly=True),
    both("fake", _fake(_add)),
    both("fake where", _fake(_where), operands=3),
    both("compile", _compiled(_add), is_slow=True),
    both(
        "compile where",
        _compiled(_where),
        operands=3,
        is_slow=True,
        partly=True,
        order=lambda a, b, c: (b, a, c),
    ),
    both("compile with letters", _with_letters(_add), is_slow=True, letters=True, empty=False),
    *map(_in_place, ("add_", "mul_", "div_", "sub_", "pow_", "atan2_", "eq_", "fmod_")),
    _in_place("addcmul_", 3),
    _in_place("lerp_", 3),
    output("copy_", lambda a, b: _ones(a).copy_(_ones(b))),
    target("expand", lambda a, b: _ones(b).expand(a)),
    target("expand_as", lambda a, b: _ones(b).expand_as(_ones(a))),
    target("broadcast_to", lambda a, b: _torch().broadcast_to(_ones(b), a)),
    target("meta expand", lambda a, b: _ones(b, device="meta").expand(a)),
    target("fake expand", lambda a, b: _fake(lambda it: it.expand(a))(b)),
    target("compile expand", _compiled(lambda i, o: o.expand_as(i)), is_slow=True),
    target(
        "compile expand to 1", _compiled(lambda i, o: o.expand_as(i)), exact=(1, 2), is_slow=True
    ),
    target(
        "compile expand of 2", _compiled(lambda a, b: b.expand_as(a)), exact=(2, 2), is_slow=True
    ),
    target("a[...] = b", _assign),
    target("a[1] = b", _assign_slice),
    target("a[index] = b", _to_index, ranks=(1, 2, 3), empty=False),
    both("a[i, j]", _by_index),
    target("addmm", _with_bias("addmm"), exact=(2, 1), empty=False),
    target("addmm, 2", _with_bias("addmm"), exact=(2, 2), empty=False),
    target("linear's bias", _linear_bias, exact=(2, 1), empty=False),
    both("attn_mask", _attention_mask, exact=(4, 2), empty=False, rules=("numpy", "onnx-uni")),
    both("layer's attn_mask", _layer_mask, **_MATRICES, rules=("none",)),
    product("mm", lambda a, b: _call("mm", a, b), **_MATRICES),
    product("multi_dot", lambda a, b: _torch().linalg.multi_dot([_ones(a), _ones(b)]), **_MATRICES),
    both("matmul", lambda a, b: _call("matmul", a, b), rules=("op MatMul", "numpy"), ranks=_FROM_1),
    both("@", lambda a, b: _ones(a) @ _ones(b), rules=("op MatMul", "numpy"), ranks=_FROM_1),
    product("mv", lambda a, b: _call("mv", a, b), exact=(2, 1), empty=False),
    product("dot", lambda a, b: _call("dot", a, b), exact=(1, 1)),
    product("bmm", lambda a, b: _call("bmm", a, b), exact=(3, 3)),
    product("linear", _linear, exact=(2, 2), order=_transposed),
    product("linear of 3", _linear, exact=(3, 2), order=_transposed),
    product(
        "meta mm",
        lambda a, b: _torch().mm(_ones(a, device="meta"), _ones(b, device="meta")),
        exact=(2, 2),
    ),
    product("fake matmul", _fake(lambda a, b: a @ b), exact=(2, 2)),
    product("compile mm", _compiled(lambda a, b: a @ b), exact=(2, 2), is_slow=True),
    both("target size", _loss("mse_loss"), warns=True, verdicts=(True,), order=lambda a, b: (b, a)),
    both(
        "bce",
        _loss("binary_cross_entropy"),
        rules=("none",),
        faults=("loss",),
        order=lambda a, b: (b, a),
    ),
    both(
        "bce logits",
        _loss("binary_cross_entropy_with_logits"),
        rules=("none",),
        faults=("loss",),
        order=lambda a, b: (b, a),
    ),
    *refused("torch", _names, _ones),
)

UNWRITTEN: dict[str, str] = {
    "size mismatch, m1": "PyTorch 1.4 and before",
    "for argument #2 'batch2'": "PyTorch 1.4 and before",
    "Attention mask should be of size": "Hugging Face's transformers wrote it",
}
"""Words of the messages that its newest release does not write any more, and why."""
