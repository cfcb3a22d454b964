"""The user's line above a message, and the operands' names in it (why/messages/origin.py)."""

from bcastcli.why.explained import explain
from bcastcli.why.messages import Reading
from bcastcli.why.messages.reader import read
from bcastcli.why.messages.reading import Origin
from tests.in_memory import run
from tests.rows import each_row

NUMPY = "ValueError: operands could not be broadcast together with shapes (64,10) (64,) "
IN_PLACE = "ValueError: operands could not be broadcast together with shapes (64,) (9,) (64,) "
INTO = "ValueError: could not broadcast input array from shape (3,) into shape (2,)"
DOT = "ValueError: shapes (2,3) and (4,5) not aligned: 3 (dim 1) != 4 (dim 0)"
TORCH = (
    "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at "
    "non-singleton dimension 1"
)
MM = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x20 and 10x500)"
OUTPUT = "RuntimeError: output with shape [3] doesn't match the broadcast shape [2, 3]"
INDICES = (
    "IndexError: shape mismatch: indexing arrays could not be broadcast together with shapes "
    "(2,) (3,) "
)
JAX_DOT = (
    "TypeError: dot_general requires contracting dimensions to have the same shape, got (3,) and "
    "(4,)."
)
ADD = "InvalidArgumentError: Incompatible shapes: [2,3] vs. [4] [Op:AddV2]"


def reading(text: str) -> Reading:
    """Return the one reading of a text."""
    [said] = read(text.encode()).findings
    assert isinstance(said, Reading)
    return said


def place(text: str) -> tuple[object, ...]:
    """Return the file, the line, the source and the names that a text tells of its message."""
    origin = reading(text).origin
    assert origin
    return origin[:4]


def names(source: str, message: str, marks: str = "", file: str = "train.py") -> object:
    """Return the names that a line of source gives to the operands of a message."""
    below = f"    {marks}\n" if marks else ""
    text = f'  File "{file}", line 88, in step\n    {source}\n{below}{message}\n'
    origin = reading(text).origin
    assert origin
    assert (origin.file, origin.line) == (file, 88)
    return origin.names


@each_row(
    ("source", "message", "expected"),
    [
        ("loss = ((scores - labels) ** 2).mean()", NUMPY, ("scores", "labels")),
        ("return self.scale * batch['x']", NUMPY, ("self.scale", "batch['x']")),
        ("if np.any(a > b):", NUMPY, ("a", "b")),
        ("y = np.maximum(a, b.T)", NUMPY, ("a", "b.T")),
        ("a += w[:9]", IN_PLACE, ("a", "w[:9]", "out")),
        ("out[i, :] = row", INTO, ("out[i, :]", "row")),
        ("out[very_long_name:another_long_name, more_of_it] = row", INTO, ("", "row")),
        (f"y = {'a' * 40} + {'b' * 41}", NUMPY, ("a" * 40, "")),
        ("y = X.dot(w) + b", DOT, ("X", "w")),
        ("y = X @ w + b", DOT, ("X", "w")),
        ("x = x + self.position(x)", TORCH, ("x", "self.position(x)")),
        ("Y = W @ X.T + b", MM, ("W", "X.T")),
        ("Y = torch.mm(W, X)", MM, ("W", "X")),
        ("x.add_(y)", OUTPUT, ("x", "result")),
        ("return tensor.sub_(mean).div_(std)", OUTPUT, ("tensor", "result")),
        ("y = m[rows, columns]", INDICES, ("rows", "columns")),
        ("y = a * b + c", ADD.replace("AddV2", "Mul"), ("a", "b")),
        ("y = tf.multiply(a, b) + c", ADD.replace("AddV2", "Mul"), ("a", "b")),
        ("y = a + b * 2", ADD, None),
        ("y = a * 2 + b", ADD, None),
        ("y = (a * c) - (a + b)", ADD, ("a", "b")),
    ],
)
def test_names(source: str, message: str, expected: tuple[str, ...] | None) -> None:
    """The two sides of the only operation in a line name the operands."""
    assert names(source, message) == expected


MODULES = ("np", "numpy", "jnp", "lax", "jax", "torch", "F", "tf", "cp", "mx", "paddle", "K")
FUNCTIONS = """
add subtract sub multiply mul divide div true_divide power pow floor_divide mod remainder fmod
maximum minimum fmax fmin arctan2 atan2 hypot logical_and logical_or logical_xor equal not_equal eq
greater less greater_equal less_equal ne gt ge lt le isclose allclose mse_loss l1_loss
smooth_l1_loss
"""


def test_functions() -> None:
    """A function of two operands names them, whatever its module, as its method does."""
    for function in FUNCTIONS.split():
        assert names(f"z = torch.{function}(x, y)", TORCH) == ("x", "y")
        assert names(f"z = x.{function}(y)", TORCH) == ("x", "y")
    for module in MODULES:
        assert names(f"z = {module}.add(x, y)", TORCH) == ("x", "y")
    for keyword in ("reduction", "name", "alpha", "rtol", "atol", "dtype"):
        assert names(f"z = F.mse_loss(x, y, {keyword}=k)", TORCH) == ("x", "y")
    assert names("z = np.add(x, y, out=k)", TORCH) is None
    for product in ("dot", "matmul", "mm", "bmm"):
        assert names(f"z = jnp.{product}(x, y) + w", JAX_DOT) == ("x", "y")


@each_row(
    ("source", "message"),
    [
        ("y = a + b + c", NUMPY),
        ("y = x * cos + rotated * sin", TORCH),
        ("self.window * self.penalty", NUMPY),
        ("+ b * c)", NUMPY),
        ("y = model(a, b)", NUMPY),
        ("y = solve(a, b) - c", NUMPY),
        ("y = 2 * a", NUMPY),
        ("y = a + a", NUMPY),
        ("a += b", NUMPY),
        ("y = a + b", IN_PLACE),
        ("y = W @ x", MM),
        ("y = W @ x", NUMPY),
        ("y = a - b", ADD),
        ("y = torch.where(c, a, b)", TORCH),
        ("out[i] = np.stack(rows)", INTO),
        ("out = row", INTO),
        ("y = lambda: a + b", NUMPY),
        ("\u200b a + b", NUMPY),
        ("y = " + "(" * 300 + "a + b", NUMPY),
        ("y = a + b  # " + "x" * 500, NUMPY),
    ],
)
def test_nothing_uncertain(source: str, message: str) -> None:
    """Several operations, an unknown call, or the end of a longer line name nothing."""
    assert names(source, message) is None


def test_marks() -> None:
    """Python's marks choose among several operations; those of a part of a line choose none."""
    source = "y = x * cos + rotated * sin"
    assert names(source, TORCH, "    ~~^~~~~") == ("x", "cos")
    assert names(source, TORCH, "              ~~~~~~~~^~~~~") == ("rotated", "sin")
    assert names(source, TORCH, "    ~~~~~~~~^~~~~~~~~~~~~~~") is None
    assert names("y = f(x * cos", TORCH, "      ^^^^^^^") is None


def test_arrows() -> None:
    """An arrow gives a frame its line, but no frame where there is none, nor a second line."""
    arrow = "----> 3 y = a * b\n"
    assert reading(f"{arrow}{NUMPY}\n").origin is None
    cell = f"Cell In[1], line 3\n{arrow}"
    assert place(f"{cell}{NUMPY}\n")[1:] == (3, "y = a * b", ("a", "b"))
    assert place(f"{cell}----> 4 y = c * d\n{NUMPY}\n")[1:] == (3, "y = a * b", ("a", "b"))


def test_frames_of_the_framework() -> None:
    """The user's line is the last one outside the framework, whose function it must call."""
    user = '  File "a.py", line 3, in f\n    {}\n'
    path = "/venv/lib/python3.12/site-packages/torch/nn/functional.py"
    library = f'  File "{path}", line 9, in {{}}\n    pass\n'
    text = user.format("y = F.mse_loss(a, b)") + library.format("mse_loss") + TORCH
    assert place(text) == ("a.py", 3, "y = F.mse_loss(a, b)", ("a", "b"))
    text = user.format("y = fit(a - b)") + library.format("fit") + TORCH
    assert place(text) == ("a.py", 3, "y = fit(a - b)", None)


@each_row("path", ["numpy/random/_common.pyx", "../numpy/__init__.cython-30.pxd"])
def test_frames_in_cython(path: str) -> None:
    """A framework's frames in Cython, whose paths are those of its build, are not the user's."""
    text = (
        '  File "train.py", line 9, in <module>\n    r = np.random.normal(mean, deviation)\n'
        f'  File "{path}", line 784, in numpy.random._common.cont\n{NUMPY}'
    )
    assert place(text) == ("train.py", 9, "r = np.random.normal(mean, deviation)", None)
    assert place(text.replace(path, "own/fast.pyx"))[0] == "own/fast.pyx"


ENGINES = {
    "onnxruntime/capi/onnxruntime_inference_collection.py": (
        "Fail: axis == 1 || axis == largest was false. Attempting to broadcast an axis by a "
        "dimension other than 1. 8 by 10"
    ),
}


@each_row("path", ENGINES)
def test_engines(path: str) -> None:
    """The line of the user's own file is shown where ONNX Runtime or OpenVINO ran the model."""
    message = ENGINES[path]
    user = '  File "run.py", line 30, in run\n    model.run(x)\n'
    library = (
        f'  File "/venv/lib/python3.12/site-packages/{path}", line 9, in run\n    return f(x)\n'
    )
    assert place(user + library + message) == ("run.py", 30, "model.run(x)", None)
    # An error that is whole in its own line has nothing to do with the message below it.
    assert reading(f"{user}KeyError: 'x'\n{message}").origin is None


FORMS = {
    "IPython 7": ["<ipython-input-1-0a> in <module>", "----> 1 a + w[:3]", "", NUMPY],
    "IPython 8.1": ["File ~/w.py:1, in f(x)", "----> 1 y = a + w[:3]", "", NUMPY],
    "IPython 8.0": ["Input In [3], in <cell line: 1>()", "----> 1 a + w[:3]", "", NUMPY],
    "IPython 8": ["Cell In[3], line 1", "      8 x", "----> 1 a + w[:3]", "      2 y", "", NUMPY],
    "colors": [
        "\x1b[0;32m<ipython-input-1>\x1b[0m in \x1b[0;36m<module>\x1b[0m",
        "\x1b[0;32m----> 1\x1b[0;31m a + w[:3]\x1b[0m",
        NUMPY,
    ],
    "group": [
        "  | Traceback (most recent call last):",
        '  |   File "a.py", line 1, in f',
        "  |     y = a + w[:3]",
        f"  | {NUMPY}",
    ],
    "docker": [
        'trainer-1  |   File "a.py", line 1, in f',
        "trainer-1  |     y = a + w[:3]",
        f"trainer-1  | {NUMPY}",
    ],
    "nested": [
        '  File "b.py", line 9',
        "    c - d",
        "KeyError: 1",
        "",
        "During handling of the above exception, another exception occurred:",
        '  File "a.py", line 1, in f',
        "    y = a + w[:3]",
        NUMPY,
    ],
    "wide": [
        '  File "a.py", line 1, in f',
        '    s = "\uff21\U0001f600" * 0; y = a + w[:3]',
        "                               ~~^~~~~~~",
        NUMPY,
    ],
}


@each_row("lines", FORMS.values())
def test_forms(lines: list[str]) -> None:
    """Notebooks, colors, groups of errors and the prefixes of logs show the line as well."""
    origin = reading("\n".join(lines)).origin
    assert origin
    assert (origin.line, origin.names) in ((1, ("a", "w[:3]")), (1, None))
    assert origin.names or "\uff21" in origin.source


def test_hidden_frames() -> None:
    """Frames that a notebook hides are somebody's calls: nothing is named above them."""
    text = "Cell In[3], line 1\n----> 1 f(a - b)\n\n    [... skipping hidden 4 frame]\n\n"
    assert place(text + NUMPY) == ("Cell In[3]", 1, "f(a - b)", None)


def test_hostile_source() -> None:
    """What a line shows is escaped, and never run."""
    source = "x = __import__('os').system('echo ran') + '\u202e'.y\x07"
    ended = run(["why", f'  File "a\u202eb.py", line 1\n    {source}\n{NUMPY}'])
    assert "\u202e" not in ended.out
    assert "\x07" not in ended.out


@each_row(
    ("copies", "place"),
    [(2, "a.py, line 3: y = a + b (3 times)"), (3, "NumPy: operands could not")],
)
def test_repeated_without_a_frame(copies: int, place: str) -> None:
    """A message that a log repeats keeps the line that one of its first three copies has."""
    text = f"{NUMPY}\n" * copies + f'  File "a.py", line 3\n    y = a + b\n{NUMPY}\n'
    out = run(["why"], text.encode()).out
    assert out.startswith(place)


@each_row(
    "source", ["counts = counts.at[0].add(u)", "x[0:2] = a - b", "x[mx.array([0, 1])] = a * b"]
)
def test_assignments_in_mlx(source: str) -> None:
    """MLX shows the value of an assignment first, in the words of an addition: nobody is named."""
    message = "ValueError: [broadcast_shapes] Shapes (5) and (1,4) cannot be broadcast."
    assert names(source, message) is None
    assert names("y = x + counts.at", message) == ("x", "counts.at")


def test_fewer_names_than_operands() -> None:
    """Operands without a name in the line keep the message's, also where nobody wrote a message."""
    origin = Origin("a.py", 1, "x *= w", ("x", "w"))
    shapes = ((6, 2), (5,), (6, 2))
    given = Reading((), "numpy", ("A", "B", "out"), shapes, origin=origin)
    assert explain(given).reading.names == ("x", "w", "out")


def test_shapes_of_a_program() -> None:
    """Shapes that a program had, not a message, are answered where their rule takes as many."""
    shapes = ((6, 2), (5, 6), (6, 2))
    assert explain(Reading((), "onnx-uni", ("A", "B", "C"), shapes)).answer is None
    einsum = explain(Reading(("torch",), "numpy", ("A", "B"), shapes[:2], operation="einsum"))
    [note] = [note.text for note in einsum.notes]
    assert note == "in einsum, all axes with the same letter must have the same size"
    assert not einsum.lines
    assert explain(Reading(("torch",), "numpy", ("A", "B"), ((6, 2), (6,)))).lines
