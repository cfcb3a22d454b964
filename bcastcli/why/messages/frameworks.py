"""Code for messages of NumPy, JAX, TensorFlow and MLX that the catalogue cannot read alone."""

import re

from bcastcli.core.alignment import letters
from bcastcli.why.messages import fields
from bcastcli.why.messages.catalogue import catalogue
from bcastcli.why.messages.reading import MATMUL, Found, Reading

_MATRIX_PRODUCTS = ("matmul", "matvec", "vecmat", "vecdot")
_MATMUL_SIGNATURE = "(n?,k),(k,m?)->(n?,m?)"
_PAIR = re.compile(r"[^\s()]*\([^()]*\)(?:->\([^()]*\))?")
_OP = re.compile(r"[^\[]{0,20}\[Op:([A-Za-z]\w{0,60})\]", re.IGNORECASE)
_NODE = re.compile(
    r" ?(?:\[Op:\w{1,60}\] ?)?\[\[ ?(?:\{\{node ([^\s}]{1,200})\}\}|node:? ([^\s\]]{1,200}))",
    re.IGNORECASE,
)
_TRANSPOSED = re.compile("(?:transpose_|adj_)[abxy]=true")


# NumPy


def listed(reading: Reading, found: Found) -> Reading:
    """Tell an output from the operands, and the shapes of a merging layer, which has no batch."""
    shapes = reading.shapes or ()
    if reading.framework == ("keras",):
        return reading._replace(caveats=("batch axis missing",))
    if len(shapes) < 3:
        return reading
    if shapes[-1] != shapes[0]:
        return reading._replace(caveats=("perhaps output",))
    names = (*letters(len(shapes) - 1), "out")
    return reading._replace(caveats=("output is last",), names=names)


def remapped(reading: Reading, found: Found) -> Reading:
    """Distinguish a matrix product and a target from operands with moved axes."""
    pairs = re.sub(r"\n(?=[^()]*\))", "", found.group("pairs") or "")  # a line ended in a shape
    sides = [pair.split("->") for pair in _PAIR.findall(pairs)]
    target = found.shape("requested")
    if target is None:
        if found.after.lstrip().startswith(("-", "and requested")):
            return reading.lettered(None)  # a line ends within a pair, or a shape
        caveats = ("remapped",) if "->" in pairs else ()
        moved = fields.shapes("".join(side[-1] for side in sides))
        return reading.lettered(moved)._replace(caveats=caveats)
    originals = [fields.shape(side[0]) for side in sides]
    known = tuple(shape for shape in originals if shape is not None)
    if "->" in pairs:
        return reading.lettered(known)._replace(rule=MATMUL, operation="matmul")
    if len(known) != 1:
        return reading.lettered(None)
    return reading.named("target", "source", shapes=(target, *known))._replace(rule="onnx-uni")


def core(reading: Reading, found: Found) -> Reading | None:
    """Read which operand has which size; leave out functions that do not multiply, like solvers."""
    is_matmul = reading.operation is None and found.group("signature") == _MATMUL_SIGNATURE
    if not is_matmul and reading.operation not in _MATRIX_PRODUCTS:
        return None
    is_output = (found.group("side") or "").lower() == "output"
    return reading._replace(names=("the output", "the product")) if is_output else reading


# JAX and MLX


def requested(reading: Reading, found: Found) -> Reading:
    """Tell operands from a target."""
    shapes = found.shapes("shapes") or found.shapes("padded")
    if shapes is not None:
        padded = ("padded",) if found.group("padded") else ()
        return reading.lettered(shapes)._replace(caveats=padded)
    target = found.shape("target") or found.shape("wanted")
    source = found.shape("source") or found.shape("given")
    if target is None or source is None:
        return reading._replace(is_whole=False)
    reading = reading.named("target", "source", shapes=(target, source))
    return reading._replace(rule="onnx-uni", is_whole=True)


def einsum(reading: Reading, found: Found) -> Reading:
    """Read the size of the input's axis, and the one before it."""
    shape, axis = found.shape("shape"), int(found.group("number") or 0)
    if shape is None or not -len(shape) <= axis < len(shape):
        return reading._replace(is_whole=False)
    sizes = shape[axis], int(found.group("size") or 0)
    names = (f"input {found.group('input')}", "an earlier input")
    return reading._replace(sizes=sizes, names=names)


# TensorFlow


def behind(reading: Reading, found: Found) -> Reading | None:
    """Read the operator and the node after the message; None if it does not broadcast."""
    op, node = _OP.match(found.after), _NODE.match(found.after)
    if op and not op[1].startswith("__"):
        reading = reading._replace(operation=op[1])
    if node:
        reading = reading._replace(node=node[1] or node[2])
    rule = _rule(reading) or reading.rule
    if rule == "onnx-uni" and reading.shapes:
        source, target = reading.shapes
        reading = reading.named("target", "source", shapes=(target, source))
    return None if rule == "none" else reading._replace(rule=rule)


def by_operator(reading: Reading, found: Found) -> Reading | None:
    """Derive the rule from the operator."""
    rule = _rule(reading)
    if rule in (None, "none"):
        return None
    if rule == "onnx-uni":  # the second input has the target as its value
        target, [source, *_] = found.shape("target"), reading.shapes or [()]
        shapes = None if target is None else (target, source)
        reading = reading.named("target", "source", shapes=shapes)
    caveats = ("transposed",) if _TRANSPOSED.search(found.match[0]) else ()
    return reading._replace(rule=rule, caveats=caveats)


def _rule(reading: Reading) -> str | None:
    """The rule of a reading's operator; einsum has moved the axes that it multiplies."""
    operator = (reading.operation or "").lower()
    return catalogue().rules["tensorflow"].get(operator)
