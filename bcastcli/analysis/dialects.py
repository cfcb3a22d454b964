"""Suggestions in the syntax of frameworks other than NumPy."""

import re
from collections.abc import Sequence

from bcastcli.core.alignment import Operand
from bcastcli.core.shapes import written

_INDEXED = re.compile(r"(\w+)\[((?:\.\.\.|:|None)(?:, (?:\.\.\.|:|None))*)\]")
_CALLED = re.compile(r"(\w+)\.(T\b|reshape|transpose|swapaxes)(?:\(([^()]*(?:\(\))?)\))?")
_SPREAD = re.compile(r"numpy\.broadcast_to\((\w+), \(([^()]*?),?\)\)")
_TENSORS = ("torch", "paddle")
_FUNCTIONS = ("tensorflow", "keras")
_SAME = {
    "tf": "tensorflow",
    "pytorch": "torch",
    "paddlepaddle": "paddle",
    "ort": "onnxruntime",
    "trt": "tensorrt",
    "octave": "matlab",
}
"""Other names of frameworks."""
_NODES = {
    **dict.fromkeys(("onnx", "onnxruntime", "openvino", "coreml", "tvm"), "Reshape {}"),
    "tensorrt": "IShuffleLayer: {}",
    "tosa": "tosa.reshape {}",
}
"""How frameworks name the operation that gives an operand another shape."""
_COLUMN_MAJOR = {"julia": "permutedims({}, ({}))", "matlab": "permute({}, [{}])"}
"""How frameworks that count axes from 1 reorder them."""


def in_words_of(framework: str, write: str, changed: Sequence[Operand]) -> str:
    """Return what NumPy writes as another framework does.

    >>> in_words_of("torch", "B[:, None]", [Operand("B", (2, 1))])
    'B.unsqueeze(1)'
    >>> in_words_of("tensorflow", "B[..., None]", [Operand("B", (2, 3, 1))])
    'tf.expand_dims(B, -1)'
    >>> in_words_of("onnx", "B.T", [Operand("B", (3, 2))])
    'Transpose B to 3,2'
    >>> in_words_of("tensorrt", "B[None, :]", [Operand("B", (1, 3))])
    'IShuffleLayer: B to 1,3'
    >>> in_words_of("julia", "B[None, :]", [Operand("B", (1, 3))])
    'reshape(B, 1, 3)'
    >>> in_words_of("octave", "B.T", [Operand("B", (3, 2))])
    'permute(B, [2, 1])'
    """
    framework = _SAME.get(framework, framework)
    if framework in _NODES:
        reshape = _NODES[framework]
        return ", ".join(_node(operand, write, reshape) for operand in changed) or write
    if framework in _COLUMN_MAJOR:
        return _from_one(_COLUMN_MAJOR[framework], write, changed)
    if framework in _TENSORS:
        write = _INDEXED.sub(_unsqueezed, write)
        write = _SPREAD.sub(r"\1.expand(\2)", write)
        return _permuted(write, changed) if framework == "torch" else write
    if framework == "tensorflowjs":
        write = _INDEXED.sub(_unsqueezed, write).replace(".unsqueeze(", ".expandDims(")
        return _CALLED.sub(_method, write)
    if framework in _FUNCTIONS:
        write = _INDEXED.sub(_expanded, write)
        write = _SPREAD.sub(r"tf.broadcast_to(\1, [\2])", write)
        return _CALLED.sub(_function, write)
    return write


def with_batch_axis(write: str) -> str | None:
    """Return new axes as they are written where one more axis comes first; None for other changes.

    >>> with_batch_axis("B[:, None], A[..., None]"), with_batch_axis("B.T")
    ('B[:, :, None], A[..., None]', None)
    """
    changes = [_INDEXED.fullmatch(each) for each in write.replace("], ", "]\n").split("\n")]
    known = [each for each in changes if each]
    if len(known) < len(changes):
        return None
    return ", ".join(
        each[0] if each[2].startswith("...") else f"{each[1]}[:, {each[2]}]" for each in known
    )


def _permuted(write: str, changed: Sequence[Operand]) -> str:
    """Return how torch reorders axes: its `.T` is for matrices, its `transpose` swaps two axes."""
    for name, shape in changed:
        if len(shape) != 2:
            order = ", ".join(map(str, reversed(range(len(shape)))))
            write = write.replace(f"{name}.T", f"{name}.permute({order})")
    return write.replace(".transpose(", ".permute(")


def _from_one(reorder: str, write: str, changed: Sequence[Operand]) -> str:
    """Return how frameworks whose axes count from 1 write new axes and another order."""
    for name, shape in changed:
        moved = _pattern_of(name).search(write)
        new = f"reshape({name}, {', '.join(map(str, shape))})"
        if moved:
            order = moved[1] or ", ".join(map(str, reversed(range(len(shape)))))
            numbers = [str(int(axis) + 1) for axis in order.split(", ")]
            new = reorder.format(name, ", ".join(numbers))
        write = re.sub(rf"(?<!\w){name}(?:\[[^\]]*\]|\.T\b|\.\w+\([^()]*\))", new, write)
    return write


def _pattern_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}\.(?:T\b|transpose\(([\d, ]*)\))")


def _node(operand: Operand, write: str, reshape: str) -> str:
    moved = re.search(rf"(?<!\w){re.escape(operand.name)}\.(?:T\b|transpose|swapaxes)", write)
    layer = f"Transpose {operand.name}" if moved else reshape.format(operand.name)
    return f"{layer} to {written(operand.shape)}"


def _new_axes(index: str) -> list[int]:
    """Return where an index puts new axes, in the order in which to add them."""
    marks = index.split(", ")
    if marks[0] == "...":
        return [number - len(marks) for number, mark in enumerate(marks) if mark == "None"]
    return [number for number, mark in enumerate(marks) if mark == "None"]


def _in_order(axes: list[int]) -> list[int]:
    """Return axes so that each is right when those before it are there.

    Counted from the end, an axis that is added last does not move those behind it.
    """
    return [-1] * len(axes) if axes == list(range(-len(axes), 0)) else axes


def _unsqueezed(found: re.Match[str]) -> str:
    axes = _in_order(_new_axes(found[2]))
    if any(axis < -1 for axis in axes):
        return found[0]
    return found[1] + "".join(f".unsqueeze({axis})" for axis in axes)


def _expanded(found: re.Match[str]) -> str:
    axes = _new_axes(found[2])
    if len(axes) == 1 and axes[0] >= -1:
        return f"tf.expand_dims({found[1]}, {axes[0]})"
    return found[0].replace("None", "tf.newaxis")


def _method(found: re.Match[str]) -> str:
    """Return a method of TensorFlow.js, whose shapes and orders of axes are arrays."""
    name, function, arguments = found[1], found[2], found[3]
    if function == "T":
        return f"{name}.transpose()"
    return f"{name}.{function}([{(arguments or '').removesuffix('()')}])"


def _function(found: re.Match[str]) -> str:
    name, function, arguments = found[1], found[2], found[3]
    if function == "reshape":
        return f"tf.reshape({name}, [{arguments.removesuffix('()')}])"
    if function == "transpose":
        return f"tf.transpose({name}, [{arguments}])"
    return f"tf.transpose({name})" if function == "T" else found[0]
