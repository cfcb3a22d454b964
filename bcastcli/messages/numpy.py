"""NumPy's messages, some of which CuPy, dask, Keras and MXNet write in the same words."""

import re

from bcastcli.messages import fields
from bcastcli.messages.reading import MATMUL, Found, Message, Reading, letters

_MXNET = ("l == 1 || r == 1 ", "l == 1 || r == 1")
_FRAMES = {
    "dask": ("/dask/", "\\dask\\"),
    "cupy": ("/cupy/", "\\cupy\\", "cupy._core", "cupy/_core"),
}
_GUFUNC = r"(?:{operation:word}: )?(?:in|out)put operand \d{1,3}"
_MATRIX_PRODUCTS = ("matmul", "matvec", "vecmat", "vecdot")


def _shapes(reading: Reading, found: Found) -> Reading:
    """Read the shapes, and tell from spaces and capitals who may have written the words."""
    texts = fields.of_one_message(found.group("shapes") or "")
    shapes = found.shapes("shapes")
    reading = reading.named(*letters(shapes), shapes=shapes)._replace(is_whole=shapes is not None)
    if shapes and len(shapes) > 2 and shapes[-1] == shapes[0]:
        names = (*letters(shapes[:-1]), "out")
        reading = reading._replace(caveats=("output is last",), names=names)
    if texts.startswith("["):
        return reading._replace(framework=("mxnet",))
    if "), (" in texts:
        return reading._replace(framework=("cupy",))
    if ", " in texts:
        is_keras = found.match[0].startswith("O")
        return _keras(reading) if is_keras else reading._replace(framework=("cupy", "dask"))
    return reading


def _keras(reading: Reading) -> Reading:
    """A merging layer of Keras leaves out the batch axis."""
    return reading._replace(framework=("keras",), caveats=("batch axis missing",))


def _framework(reading: Reading, found: Found) -> Reading:
    """Tell from the traceback which framework wrote the words."""
    before = found.before
    if before.endswith(_MXNET):
        return reading._replace(framework=("mxnet",))
    if found.match[0].startswith("O") and "merge.py" in before:
        return _keras(reading)
    flat = reading.shapes and all(len(shape) < 2 for shape in reading.shapes)
    if reading.framework == ("cupy", "dask") or (flat and reading.framework == ("numpy",)):
        named = tuple(name for name, files in _FRAMES.items() if any(f in before for f in files))
        return reading._replace(framework=named or reading.framework)
    return reading


def _remapped(reading: Reading, found: Found) -> Reading:
    """Tell a matrix product and a target from operands whose axes were moved."""
    first, *rest = (found.group("pairs") or "").split("\n")
    pairs = " ".join([first, *(line for line in rest if "->" in line)])
    sides = [pair.split("->") for pair in re.findall(r"[^\s()]*\([^()]*\)(?:->\([^()]*\))?", pairs)]
    originals = [fields.shape(side[0]) for side in sides]
    moved = fields.shapes(" ".join(side[-1] for side in sides))
    target = found.shape("requested")
    if target is None:
        caveats = ("remapped",) if "->" in pairs else ()
        reading = reading.named(*letters(moved), shapes=moved)
        return reading._replace(caveats=caveats, is_whole=moved is not None)
    known = tuple(shape for shape in originals if shape is not None)
    if "->" in pairs:
        reading = reading.named(*letters(known), shapes=known)
        return reading._replace(rule=MATMUL, operation="matmul")
    if len(known) == len(sides) == 1:
        reading = reading.named("target", "source", shapes=(target, *known))
    return reading._replace(rule="onnx-uni")


def _array(reading: Reading, found: Found) -> Reading:
    """CuPy has a space after each comma."""
    is_cupy = ", " in found.match[0]
    return reading._replace(framework=("cupy",)) if is_cupy else reading


def _two_arguments(reading: Reading, found: Found) -> Reading:
    """Name the operands as they are numbered."""
    one, other = found.group("one"), found.group("other")
    if reading.shapes:
        return reading._replace(names=(f"arg{one}", f"arg{other}"))
    return reading._replace(is_whole=found.group("one") is None, names=())


def _bare(reading: Reading, found: Found) -> Reading:
    """PyTorch 1 wrote the bare sentence as well."""
    is_torch = found.before.rstrip().endswith("RuntimeError:") and not reading.shapes
    return reading._replace(framework=("torch",)) if is_torch else reading


def _listed(reading: Reading, found: Found) -> Reading:
    shapes = found.shapes("shapes")
    return reading.named(*letters(shapes), shapes=shapes)._replace(is_whole=shapes is not None)


def _product(reading: Reading, found: Found) -> Reading | None:
    """Take it for a matrix product's only where it says so."""
    return reading if reading.operation in _MATRIX_PRODUCTS else None


MESSAGES = (
    Message(
        "numpy",
        r"operands could not be broadcast together(?: with shapes {shapes:shapes})?",
        source="numpy/_core/src/multiarray/nditer_constr.c",
        refine=_shapes,
        around=_framework,
        examples=(
            (
                "ValueError: operands could not be broadcast together with shapes (2,3) (4,) ",
                "numpy, numpy, A=2,3, B=4",
            ),
            (
                "ValueError: operands could not be broadcast together with shapes (5,2) (3,) (5,2)",
                "numpy, numpy, A=5,2, B=3, out=5,2",
            ),
            (
                "ValueError: operands could not be broadcast together with shapes (2, 3) (4,)",
                "cupy/dask, numpy, A=2,3, B=4",
            ),
            (
                (
                    'File "/usr/lib/python3/dist-packages/dask/array/core.py", line 5081\n'
                    "ValueError: operands could not be broadcast together with shapes (9, 4) (6,)"
                ),
                "dask, numpy, A=9,4, B=6",
            ),
            (
                (
                    "ValueError: Operands could not be broadcast together with shapes "
                    "(4, 4, 9) (1, 4, 5)"
                ),
                "keras, numpy, A=4,4,9, B=1,4,5",
            ),
            (
                (
                    "Check failed: l == 1 || r == 1 operands could not be broadcast together "
                    "with shapes [12,1] [12,512,1]"
                ),
                "mxnet, numpy, A=12,1, B=12,512,1",
            ),
            ("operands could not be broadcast together", "numpy, numpy"),
        ),
    ),
    Message(
        "numpy",
        r"operands could not be broadcast together with remapped shapes \[original->remapped\]:"
        r" {pairs:remapped}(?: and requested shape {requested:shape})?",
        source="numpy/_core/src/multiarray/nditer_constr.c",
        refine=_remapped,
        examples=(
            (
                (
                    "ValueError: operands could not be broadcast together with remapped shapes "
                    "[original->remapped]: (2,3)->(2,newaxis,3) (4,5)->(5,4) "
                ),
                "numpy, numpy, A=2,1,3, B=5,4",
            ),
            (
                (
                    "ValueError: operands could not be broadcast together with remapped shapes "
                    "[original->remapped]: (3,)  and requested shape (2,4)"
                ),
                "numpy, onnx-uni, target=2,4, source=3",
            ),
            (
                (
                    "ValueError: operands could not be broadcast together with remapped shapes "
                    "[original->remapped]: (2,3,4)->(2,newaxis,newaxis) "
                    "(5,4,6)->(5,newaxis,newaxis)"
                    "  and requested shape (3,6)"
                ),
                "numpy, op MatMul, A=2,3,4, B=5,4,6, operation matmul",
            ),
        ),
    ),
    Message(
        "numpy",
        r"could not broadcast (?:input array|where mask)"
        r"(?: from shape {source:shape}(?: into shape {target:shape})?)?",
        source="numpy/_core/src/common/array_assign.c",
        rule="onnx-uni",
        operands=("target", "source"),
        caveats=("leading ones dropped",),
        refine=_array,
        examples=(
            (
                "ValueError: could not broadcast input array from shape (3,) into shape (2,)",
                "numpy, onnx-uni, target=2, source=3",
            ),
            (
                "ValueError: could not broadcast input array from shape (3, 3) into shape (2, 3)",
                "cupy, onnx-uni, target=2,3, source=3,3",
            ),
            (
                "could not broadcast where mask from shape (4) into shape (2,3)",
                "numpy, onnx-uni, target=2,3, source=4",
            ),
        ),
    ),
    Message(
        "numpy",
        r"non-broadcastable output operand"
        r"(?: with shape {output:shape}(?: \[remapped to [^\]\n]{0,300}\])?"
        r"(?: doesn.t match the broadcast shape {result:shape})?)?",
        source="numpy/_core/src/multiarray/nditer_constr.c",
        rule="onnx-uni",
        operands=("output", "result"),
        caveats=("result so far",),
        examples=(
            (
                (
                    "ValueError: non-broadcastable output operand with shape (1,3) doesn't match "
                    "the broadcast shape (2,3)"
                ),
                "numpy, onnx-uni, output=1,3, result=2,3",
            ),
        ),
    ),
    Message(
        "numpy",
        r"objects cannot be broadcast to a single shape(?:\. Mismatch is between "
        r"arg {one:int} with shape {a:shape} and arg {other:int} with shape {b:shape})?",
        lead="shape mismatch:",
        source="numpy/_core/src/multiarray/iterators.c",
        operands=("a", "b"),
        refine=_two_arguments,
        around=_bare,
        examples=(
            (
                (
                    "ValueError: shape mismatch: objects cannot be broadcast to a single shape.  "
                    "Mismatch is between arg 0 with shape (2, 3) and arg 2 with shape (4,)."
                ),
                "numpy, numpy, arg0=2,3, arg2=4",
            ),
            (
                "ValueError: shape mismatch: objects cannot be broadcast to a single shape",
                "numpy, numpy",
            ),
            (
                "RuntimeError: Shape mismatch: objects cannot be broadcast to a single shape",
                "torch, numpy",
            ),
        ),
    ),
    Message(
        "numpy",
        r"indexing arrays could not be broadcast together(?: with shapes {shapes:shapes})?",
        lead="shape mismatch:",
        source="numpy/_core/src/multiarray/mapping.c",
        caveats=("index arrays",),
        refine=_listed,
        examples=(
            (
                (
                    "IndexError: shape mismatch: indexing arrays could not be broadcast together "
                    "with shapes (2,) (3,) "
                ),
                "numpy, numpy, A=2, B=3",
            ),
        ),
    ),
    Message(
        "numpy",
        r"value array of shape {value:shape}"
        r" could not be broadcast to indexing result(?: of shape {indexed:shape})?",
        lead="shape mismatch:",
        source="numpy/_core/src/multiarray/mapping.c",
        rule="onnx-uni",
        operands=("indexed", "value"),
        refine=_array,
        examples=(
            (
                (
                    "ValueError: shape mismatch: value array of shape (3,5) could not be broadcast "
                    "to indexing result of shape (2,5)"
                ),
                "numpy, onnx-uni, indexed=2,5, value=3,5",
            ),
        ),
    ),
    Message(
        "numpy",
        r"input operand has more dimensions than allowed by the axis remapping",
        source="numpy/_core/src/multiarray/nditer_constr.c",
        rule="onnx-uni",
        caveats=("rank",),
        examples=(
            (
                "ValueError: input operand has more dimensions than allowed by the axis remapping",
                "numpy, onnx-uni",
            ),
        ),
    ),
    Message(
        "numpy",
        r"cannot broadcast a non-scalar to a scalar array",
        source="numpy/lib/_stride_tricks_impl.py",
        rule="onnx-uni",
        caveats=("rank",),
        examples=(
            ("ValueError: cannot broadcast a non-scalar to a scalar array", "numpy, onnx-uni"),
        ),
    ),
    Message(
        "numpy",
        r"has a mismatch in its core dimension \d{1,3}(?:, with gufunc signature [^\s]{1,80}"
        r" \(size {one:int} is different from {other:int}\)?)?",
        lead=_GUFUNC,
        needs_lead=True,
        source="numpy/_core/src/umath/ufunc_object.c",
        rule=MATMUL,
        sizes=("one", "other"),
        caveats=("order unknown",),
        examples=(
            (
                (
                    "ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, "
                    "with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 4 is different from 3)"
                ),
                "numpy, op MatMul, sizes 4 3, operation matmul",
            ),
            (
                (
                    "Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                    "(n?,k),(k,m?)->(n?,m?) (size 4 is different from 3)"
                ),
                "numpy, op MatMul, sizes 4 3",
            ),
        ),
    ),
    Message(
        "numpy",
        r"does not have enough dimensions \(has \d{1,3}, gufunc core",
        lead=_GUFUNC,
        source="numpy/_core/src/umath/ufunc_object.c",
        rule=MATMUL,
        caveats=("rank",),
        refine=_product,
        examples=(
            (
                (
                    "ValueError: matmul: Input operand 0 does not have enough dimensions (has 0, "
                    "gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)"
                ),
                "numpy, op MatMul, operation matmul",
            ),
        ),
    ),
    Message(
        "numpy",
        r"not aligned: {one:int} \(dim \d{1,3}\) != {other:int} \(dim \d{1,3}\)",
        lead=r"shapes {A:shape} and {B:shape}",
        source="numpy/_core/src/multiarray/cblasfuncs.c",
        rule=MATMUL,
        operands=("A", "B"),
        sizes=("one", "other"),
        operation="dot",
        examples=(
            (
                "ValueError: shapes (2,3) and (4,5) not aligned: 3 (dim 1) != 4 (dim 0)",
                "numpy, op MatMul, A=2,3, B=4,5, sizes 3 4, operation dot",
            ),
        ),
    ),
    Message(
        "numpy",
        r"elementwise comparison failed; this will raise an error in the future",
        source="numpy/core/src/multiarray/arrayobject.c",
        caveats=("comparison",),
        examples=(
            (
                (
                    "DeprecationWarning: elementwise comparison failed; "
                    "this will raise an error in the future."
                ),
                "numpy, numpy",
            ),
        ),
    ),
)
