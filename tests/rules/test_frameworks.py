"""rules/frameworks.py: the rule of each framework's name, where it is from, and names unlike it."""

import pytest

from bcastcli.core.shapes import Shape
from bcastcli.rules import (
    EITHER_STRETCHES,
    IDENTICAL,
    NUMPYS,
    ON_AN_AXIS,
    RULES,
    TO_A_TARGET,
    TO_GIVEN_AXES,
    USUAL,
    completed,
    find,
    frameworks,
    named,
    names,
    nearest,
)
from bcastcli.rules.frameworks import words_of
from tests.rows import each_row

UNKNOWN = [
    *("cann", "qnn", "cute", "directml", "snpe", "rknn", "nnapi", "onednn", "cudnn", "armnn"),
    *("hailo", "mace", "chainer", "theano", "flax", "haiku", "trax", "cntk", "caffe", "dfdx"),
    *("arrayfire", "eigen", "nnef", "mojo", "sycl", "openvx", "vulkan", "webgl", "mlir", "hlo"),
    *("cutlass", "thrust", "taichi", "halide", "glow", "plaidml", "autograd", "ivy", "oneflow"),
    *("megengine", "jittor", "knet", "flux"),
]
"""Names of other libraries, compilers and formats."""


@each_row("word", [*frameworks.RULE_OF, *frameworks.WITHOUT_A_RULE])
def test_each_word_has_its_source(word: str) -> None:
    """Next to each word stands the document or the source file that its rule is from."""
    assert len(frameworks._FRAMEWORKS[word].source.split()) > 1


@each_row(
    ("name", "found"),
    [
        *(("burn", "same-rank"), ("ttnn", "numpy"), ("ORT", "onnx"), ("Same-Rank", "same-rank")),
        ("", "no rule was named"),
        ("iree", f"there is no command for IREE: {frameworks.WITHOUT_A_RULE['iree']}"),
        ("SciPy", f"there is no command for SciPy: {frameworks.WITHOUT_A_RULE['scipy']}"),
        ("trch", "there is no rule trch; did you mean torch?"),
        ("Tensorflw", "there is no rule Tensorflw; did you mean tensorflow?"),
        ("bidirectionel", "there is no rule bidirectionel; did you mean bidirectional?"),
        ("ncn", "there is no rule ncn; did you mean ncnn?"),
        ("qnn", f"there is no rule qnn; the rules are {', '.join(RULES)}"),
    ],
)
def test_rule_of_a_name(name: str, found: str) -> None:
    """A framework's name means the rule that its documents state, in any case, or has a reason."""
    try:
        answer = named(name).name
    except LookupError as error:
        answer = str(error)
    assert answer == found


def test_names() -> None:
    """A rule has its name and those of its frameworks; each is loaded once."""
    assert [*names()][: len(RULES)] == [*RULES]
    assert words_of("left") == ("julia", "matlab", "octave", "rray")
    assert {names()[word] for word in words_of("left")} == {names()["left"]} == {"left"}
    assert [*map(completed, ["n", "tens", "x", "zz"])] == [
        ["numpy", "none", "ncnn"],
        ["tensorflow", "tensorflowjs", "tensorrt"],
        ["xla"],
        [],
    ]
    roles = (USUAL, *NUMPYS, *EITHER_STRETCHES, TO_A_TARGET, ON_AN_AXIS, TO_GIVEN_AXES, IDENTICAL)
    assert {*roles} == {*RULES} - {"bidirectional", "ncnn"}
    assert RULES["left"] is RULES["left"]
    assert len(RULES) == len([*RULES])
    with pytest.raises(KeyError):
        RULES["torch"]


SHAPES = "Keras: layers such as Add insert missing axes after the batch; batch sizes must be equal"
OUTER = "TT-NN: only the last five axes stretch; where one before them does, values are wrong"


@each_row(
    ("word", "shapes", "note"),
    [
        ("keras", [(2, 3), (1, 3)], SHAPES),
        ("keras", [(2, 3), (2, 3)], ""),
        ("jax", [(3,), (1, 3)], frameworks.REMARKS["jax"]),
        ("jax", [(3, 3), (1, 3)], ""),
        ("ttnn", [(2, 1, 1, 1, 1, 3), (1, 1, 1, 1, 1, 3)], OUTER),
        ("ttnn", [(2, 1, 1, 1, 1, 3), (1, 2, 4, 1, 1, 1, 3)], ""),
        ("ttnn", [(2, 1, 1, 3), (3,)], ""),
        ("ttnn", [(2, 1, 1, 1, 1, 1, 3), (2, 1, 1, 1, 1, 3)], OUTER),
        ("numpy", [(2, 3), (3,)], ""),
        ("torch", [(2, 3), (3,)], ""),
    ],
)
def test_remark(word: str, shapes: list[Shape], note: str) -> None:
    """A framework's note is shown where the operands differ in what it is about."""
    assert frameworks.remark(word, shapes) == note


@each_row("word", UNKNOWN)
def test_no_guess_between_frameworks(word: str) -> None:
    """The name of a framework that is not known is not taken for another one's."""
    assert find(word) is None
    assert nearest(word, names()) == []
