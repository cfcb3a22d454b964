"""JAX's messages. A traceback has them twice, and quotes the lines that raise them."""

from bcastcli.messages.reading import MATMUL, Found, Message, Reading, letters


def _listed(reading: Reading, found: Found) -> Reading:
    """Read the shapes, and see whether they stand for those of the message that follows."""
    shapes = found.shapes("shapes")
    is_padded = reading.operation == "broadcast_shapes"
    reading = reading.named(*letters(shapes), shapes=shapes)
    return reading._replace(is_whole=shapes is not None, is_cause=is_padded)


def _requested(reading: Reading, found: Found) -> Reading:
    """Tell operands from a target."""
    shapes = found.shapes("shapes") or found.shapes("padded")
    if shapes is not None:
        reading = reading.named(*letters(shapes), shapes=shapes)
        padded = ("padded",) if found.group("padded") else ()
        return reading._replace(caveats=padded, is_whole=True)
    target, source = found.shape("target"), found.shape("source")
    if target is None or source is None:
        return reading._replace(is_whole=False)
    reading = reading.named("target", "source", shapes=(target, source))
    return reading._replace(rule="onnx-uni", is_whole=True)


def _contracted(reading: Reading, found: Found) -> Reading:
    """Take the sizes out of the brackets."""
    one, other = found.shape("one"), found.shape("other")
    sizes = one + other if one and other else None
    return reading._replace(sizes=sizes, is_whole=sizes is not None)


def _zipped(reading: Reading, found: Found) -> Reading | None:
    """Take it for broadcasting only below a frame of it."""
    return reading if "broadcast_to" in found.before else None


MESSAGES = (
    Message(
        "jax",
        r"got incompatible shapes for broadcasting(?:: {shapes:shapes})?",
        lead="{operation:word}",
        source="jax/_src/lax/lax.py",
        caveats=("padded",),
        refine=_listed,
        examples=(
            (
                "TypeError: add got incompatible shapes for broadcasting: (2, 3), (2, 4).",
                "jax, numpy, A=2,3, B=2,4, operation add",
            ),
            (
                "TypeError: sub got incompatible shapes for broadcasting",
                "jax, numpy, operation sub",
            ),
        ),
    ),
    Message(
        "jax",
        r"Incompatible shapes for broadcasting: (?:shapes=\[{shapes:shapes}\]"
        r"|\({padded:shapes}\)|{source:shape} and requested shape {target:shape})",
        source="jax/_src/lax/lax.py",
        refine=_requested,
        examples=(
            (
                "ValueError: Incompatible shapes for broadcasting: shapes=[(2, 3), (4,)]",
                "jax, numpy, A=2,3, B=4",
            ),
            (
                "ValueError: Incompatible shapes for broadcasting: ((2, 4), (1, 2))",
                "jax, numpy, A=2,4, B=1,2",
            ),
            (
                "ValueError: Incompatible shapes for broadcasting: (3,) and requested shape (2, 4)",
                "jax, onnx-uni, target=2,4, source=3",
            ),
        ),
    ),
    Message(
        "jax",
        r"Incompatible types for broadcasting: input type={source:typed}"
        r" and requested type={target:typed}",
        source="jax/_src/lax/lax.py",
        rule="onnx-uni",
        operands=("target", "source"),
        examples=(
            (
                (
                    "ValueError: Incompatible types for broadcasting: input type=float32[3] "
                    "and requested type=float32[2,4]"
                ),
                "jax, onnx-uni, target=2,4, source=3",
            ),
        ),
    ),
    Message(
        "jax",
        r"Cannot broadcast to shape with fewer dimensions: arr_shape={source:shape}"
        r" shape={target:shape}",
        source="jax/_src/lax/lax.py",
        rule="onnx-uni",
        operands=("target", "source"),
        examples=(
            (
                (
                    "ValueError: Cannot broadcast to shape with fewer dimensions: "
                    "arr_shape=(2, 3) shape=(3,)"
                ),
                "jax, onnx-uni, target=3, source=2,3",
            ),
        ),
    ),
    Message(
        "jax",
        r"safe_zip\(\) argument 2 is shorter than argument 1",
        source="jax/_src/util.py",
        rule="onnx-uni",
        caveats=("rank",),
        around=_zipped,
        examples=(
            (
                (
                    "    return util._broadcast_to(array, shape)\n"
                    "ValueError: safe_zip() argument 2 is shorter than argument 1"
                ),
                "jax, onnx-uni",
            ),
        ),
    ),
    Message(
        "jax",
        r"dot_general requires contracting dimensions to have the same shape"
        r"(?:, got {one:shape} and {other:shape})?",
        source="jax/_src/lax/lax.py",
        rule=MATMUL,
        operation="dot_general",
        refine=_contracted,
        examples=(
            (
                (
                    "TypeError: dot_general requires contracting dimensions to have the same "
                    "shape, "
                    "got (3,) and (4,)."
                ),
                "jax, op MatMul, sizes 3 4, operation dot_general",
            ),
        ),
    ),
    Message(
        "jax",
        r"Incompatible shapes for dot: got {A:shape} and {B:shape}",
        source="jax/_src/lax/lax.py",
        rule=MATMUL,
        operands=("A", "B"),
        operation="dot",
        examples=(
            (
                "TypeError: Incompatible shapes for dot: got (2, 3) and (4, 5).",
                "jax, op MatMul, A=2,3, B=4,5, operation dot",
            ),
        ),
    ),
    *(
        Message(
            "jax",
            rf"Incompatible {figures} for matmul arguments: {{A:typed}} and {{B:typed}}",
            source="jax/_src/numpy/lax_numpy.py",
            rule=MATMUL,
            operands=("A", "B"),
            operation="matmul",
            examples=(
                (
                    f"ValueError: Incompatible {figures} for matmul arguments: {one} and {other}",
                    "jax, op MatMul, A=2,3,4, B=5,4,6, operation matmul",
                ),
            ),
        )
        for figures, one, other in (
            ("types", "float32[2,3,4]", "float32[5,4,6]"),
            ("shapes", "(2, 3, 4)", "(5, 4, 6)"),
        )
    ),
    Message(
        "jax",
        r"Operands could not be broadcast together for {operation:word} on shapes {shapes:shapes}"
        r" and with the config option jax_numpy_rank_promotion",
        source="jax/_src/numpy/util.py",
        caveats=("refused by a setting",),
        refine=_listed,
        examples=(
            (
                (
                    "ValueError: Operands could not be broadcast together for add on shapes "
                    "(2, 3) (3,) and with the config option jax_numpy_rank_promotion='raise'."
                ),
                "jax, numpy, A=2,3, B=3, operation add",
            ),
        ),
    ),
)
