"""The names of frameworks: the rule that each means, or why it means none.

This is the only list of them. A word is in lower case; commands, `rules`, `compare --rules`, slides
and every hint find it here.
"""

_WORDS = {
    "numpy": "np torch pytorch jax tensorflow tf keras tflite litert mlx tinygrad triton tvm cupy "
    "dask paddle paddlepaddle openvino ngraph coreml coremltools mil webnn pytensor pymc mxnet "
    "tensorflowjs tfjs ndarray burn numba mnn mps",
    "onnx": "onnxruntime ort multidirectional",
    "onnx-uni": "unidirectional onnx-unidirectional",
    "ncnn": "binaryop pnnx",
    "left": "julia matlab octave rray",
    "same-rank": "tensorrt trt tosa",
    "explicit": "stablehlo xla broadcast_in_dim",
}
RULE_OF = {word: rule for rule, words in _WORDS.items() for word in words.split()}
"""The name of the rule that a word means."""

_SIZE_OF_1 = "a size of 1 stretches only where it is known to be 1 when the graph is built"
_ELEMENTWISE = "its elementwise operations take identical shapes: bcastcli none"
REMARKS = {
    "stablehlo": f"StableHLO: {_ELEMENTWISE}",
    "xla": f"XLA: {_ELEMENTWISE}",
    "pytensor": f"PyTensor: {_SIZE_OF_1}",
    "mxnet": "MXNet: its elemwise_add and the like take identical shapes: bcastcli none",
    "pymc": f"PyMC: {_SIZE_OF_1}",
}
"""A note for when the rule is asked for by a framework's name."""

_NO_RULE = {
    "its add takes identical shapes, as bcastcli none does, and its broadcast_add follows NumPy's "
    "rule, as bcastcli numpy does": {"candle": "candle"},
    "it lines up axes by their names, not by their places": {"xarray": "xarray"},
    "it repeats a size that divides the other one": {"ggml": "ggml llama.cpp"},
    "it repeats the elements of vectors, and refuses arrays of other dims": {"R": "r"},
}
WITHOUT_A_RULE = {
    word: f"there is no command for {name}: {text}"
    for text, frameworks in _NO_RULE.items()
    for name, words in frameworks.items()
    for word in words.split()
}
"""Why a word means no rule, in a sentence."""


def words_of(rule: str) -> tuple[str, ...]:
    """Return the words that mean a rule, by its name."""
    return tuple(_WORDS.get(rule, "").split())
