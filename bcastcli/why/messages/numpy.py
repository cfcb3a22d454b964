"""NumPy's messages, some of which CuPy, dask, Keras and MXNet write in the same words."""

import re

from bcastcli.core.alignment import letters
from bcastcli.why.messages import fields
from bcastcli.why.messages.reading import MATMUL, Found, Reading

_MXNET = "l == 1 || r == 1 "
_FRAMES = {
    "dask": ("/dask/", "\\dask\\"),
    "cupy": ("/cupy/", "\\cupy\\", "cupy._core", "cupy/_core"),
    "jax": ("/jax/", "\\jax\\"),
    "numpy": ("einsumfunc.py",),
}
_MATRIX_PRODUCTS = ("matmul", "matvec", "vecmat", "vecdot")
_MATMUL_SIGNATURE = "(n?,k),(k,m?)->(n?,m?)"


def spelling(reading: Reading, found: Found) -> Reading:
    """Tell from spaces and capitals which frameworks may have written the words."""
    texts = fields.of_one_message(found.group("shapes") or "")
    shapes = reading.shapes
    if shapes and len(shapes) > 2:
        reading = reading._replace(caveats=("perhaps output",))
        if shapes[-1] == shapes[0]:
            names = (*letters(len(shapes) - 1), "out")
            reading = reading._replace(caveats=("output is last",), names=names)
    is_merging = found.match[0].startswith("O")
    if texts.startswith("["):
        return _merging(reading, "tensorflowjs") if is_merging else _by(reading, "mxnet")
    if "), (" in texts:
        return _by(reading, "cupy")
    if ", " in texts:
        return _merging(reading, "keras") if is_merging else _by(reading, "cupy", "dask")
    return reading


def _by(reading: Reading, *frameworks: str) -> Reading:
    return reading._replace(framework=frameworks)


def _merging(reading: Reading, framework: str) -> Reading:
    """A merging layer leaves out the batch axis."""
    return reading._replace(framework=(framework,), caveats=("batch axis missing",))


def traceback(reading: Reading, found: Found) -> Reading:
    """Tell from the traceback which framework wrote the words."""
    before = found.before
    if before.endswith(_MXNET):
        return _by(reading, "mxnet")
    if found.match[0].startswith("O") and "merge.py" in before:
        return _merging(reading, "keras")
    flat = reading.shapes and all(len(shape) < 2 for shape in reading.shapes)
    if reading.framework == ("cupy", "dask") or (flat and reading.framework == ("numpy",)):
        named = _named(before, "dask", "cupy")
        return reading._replace(framework=named or reading.framework)
    return reading


def _named(before: str, *frameworks: str) -> tuple[str, ...]:
    """Return the frameworks whose files a traceback shows."""
    return tuple(name for name in frameworks if any(file in before for file in _FRAMES[name]))


def remapped(reading: Reading, found: Found) -> Reading:
    """Distinguish a matrix product and a target from operands with moved axes."""
    joined = re.sub(r"\n(?=[^()]*\))", "", found.group("pairs") or "")  # a line ended in a shape
    first, *rest = joined.split("\n")
    pairs = "".join([first, *(line for line in rest if "->" in line)])
    sides = [pair.split("->") for pair in re.findall(r"[^\s()]*\([^()]*\)(?:->\([^()]*\))?", pairs)]
    originals = [fields.shape(side[0]) for side in sides]
    moved = fields.shapes("".join(side[-1] for side in sides))
    target = found.shape("requested")
    if target is None:
        if found.after.lstrip().startswith(("-", "and requested")):
            return reading.lettered(None)  # a line ends within a pair, or a shape
        caveats = ("remapped",) if "->" in pairs else ()
        return reading.lettered(moved)._replace(caveats=caveats)
    known = tuple(shape for shape in originals if shape is not None)
    if "->" in pairs:
        return reading.lettered(known)._replace(rule=MATMUL, operation="matmul")
    if len(known) == len(sides) == 1:
        reading = reading.named("target", "source", shapes=(target, *known))
    return reading._replace(rule="onnx-uni")


def spaced(reading: Reading, found: Found) -> Reading:
    """CuPy has a space after each comma."""
    is_cupy = ", " in found.match[0]
    return reading._replace(framework=("cupy",)) if is_cupy else reading


def of_either(reading: Reading, found: Found) -> Reading:
    """PyTorch's title, once cut, has the same words, and brackets."""
    is_torch = found.match[0].endswith("]")
    return reading._replace(framework=("torch",)) if is_torch else reading


def bare(reading: Reading, found: Found) -> Reading:
    """PyTorch 1 wrote the bare sentence as well."""
    is_torch = found.before.rstrip().endswith("RuntimeError:") and not reading.shapes
    return reading._replace(framework=("torch",)) if is_torch else reading


def core(reading: Reading, found: Found) -> Reading | None:
    """Read which operand has which size; leave out functions that do not multiply, like solvers."""
    is_matmul = reading.operation is None and found.group("signature") == _MATMUL_SIGNATURE
    if not is_matmul and reading.operation not in _MATRIX_PRODUCTS:
        return None
    is_output = (found.group("side") or "").lower() == "output"
    return reading._replace(names=("the output", "the product")) if is_output else reading


def product(reading: Reading, found: Found) -> Reading | None:
    """Read it as a matrix product's only if it is named so."""
    return reading if reading.operation in _MATRIX_PRODUCTS else None


def contracted(reading: Reading, found: Found) -> Reading:
    """JAX contracts with NumPy's words: tell them by the traceback."""
    return _by(reading, *(_named(found.before, "jax", "numpy") or ("numpy", "jax")))
