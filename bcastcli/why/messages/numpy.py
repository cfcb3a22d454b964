"""NumPy's messages, some of which CuPy, dask, Keras and MXNet write in the same words."""

import re

from bcastcli.core.alignment import letters
from bcastcli.why.messages import fields
from bcastcli.why.messages.reading import MATMUL, Found, Reading

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


def core(reading: Reading, found: Found) -> Reading | None:
    """Read which operand has which size; leave out functions that do not multiply, like solvers."""
    is_matmul = reading.operation is None and found.group("signature") == _MATMUL_SIGNATURE
    if not is_matmul and reading.operation not in _MATRIX_PRODUCTS:
        return None
    is_output = (found.group("side") or "").lower() == "output"
    return reading._replace(names=("the output", "the product")) if is_output else reading


def spaced(reading: Reading, found: Found) -> Reading:
    """CuPy has a space after each comma."""
    return _by(reading, "cupy") if ", " in found.match[0] else reading


def of_either(reading: Reading, found: Found) -> Reading:
    """PyTorch's title, once cut, has the same words, and brackets."""
    return _by(reading, "torch") if found.match[0].endswith("]") else reading


def contracted(reading: Reading, found: Found) -> Reading:
    """JAX contracts with NumPy's words."""
    return _by(reading, *(("jax",) if "jax" in found.before else ("numpy", "jax")))


def product(reading: Reading, found: Found) -> Reading | None:
    """Read it as a matrix product's only if it is named so."""
    return reading if reading.operation in _MATRIX_PRODUCTS else None
