"""rules/frameworks.py: the rule of each framework's name, where it is from, and names unlike it."""

import pytest

from bcastcli.cli.words import unknown_command
from bcastcli.rules import find, frameworks, named
from tests.in_memory import run
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


def test_rules() -> None:
    """A framework's name means the rule that its documents state; IREE compiles what others do."""
    words = ("burn", "ttnn", "executorch", "mindspore", "tract")
    rules = ["same-rank", "numpy", "numpy", "numpy", "onnx"]
    assert [named(word).name for word in words] == rules
    with pytest.raises(LookupError, match=r"IREE: .*the name of that framework"):
        named("iree")


@each_row("word", UNKNOWN)
def test_no_guess_between_frameworks(word: str) -> None:
    """The name of a framework that is not known is not taken for another one's."""
    assert find(word) is None
    told = [
        *unknown_command([word, "2,3", "3"], []),
        run(["rules", word]).err,
        run(["check", "-"], f"{word} 2,3 3 -> 2,3\n".encode()).out,
    ]
    assert [text for text in told if "did you mean" in text] == []


@each_row(
    ("typed", "meant"),
    [
        *(("trch", "torch"), ("tensorflw", "tensorflow"), ("tensort", "tensorrt")),
        *(("mindspor", "mindspore"), ("bidirectionel", "bidirectional"), ("ncn", "ncnn")),
    ],
)
def test_a_slip_of_the_keys(typed: str, meant: str) -> None:
    """A name with a letter wrong, too many or missing still leads to the one that was meant."""
    assert unknown_command([typed, "2,3", "2,3"], [])[1] == f"bcastcli {meant} 2,3 2,3"
    assert f"did you mean {meant}" in run(["rules", typed]).err
    checked = run(["check", "-"], f"{typed} 2,3 3 -> 2,3\n".encode()).out
    assert f"did you mean {meant}" in checked
