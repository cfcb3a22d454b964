"""The names of frameworks: the rule of each, or why it has none.

This is the only list of them. A word is in lower case; commands, `rules`, `compare --rules`, slides
and every hint find it here. A comment names the document or the source file that states the rule.
"run" marks frameworks that tests/engines runs.
"""

from collections.abc import Iterable

_WORDS = {
    # np: NumPy 2.4 user guide, "Broadcasting"; run
    # torch, pytorch: PyTorch 2.13, "Broadcasting semantics"; run
    # jax: JAX 0.10, jax.numpy, with numpy_rank_promotion="allow", the default; run
    # tensorflow, tf: TensorFlow 2.21, tf.raw_ops.BroadcastTo and BroadcastArgs; run
    # keras: Keras 3.15, keras/src/ops/operation_utils.py, broadcast_shapes; run
    # tflite, litert: tensorflow/lite/kernels/kernel_util.cc, CalculateShapeForBroadcast; run
    # mlx: MLX 0.32, mlx.core.add, "numpy-style broadcasting semantics"; run
    # tinygrad: tinygrad 0.14, Tensor.add, "supports broadcasting to a common shape"; run
    # triton: Triton, "Triton Semantics", section Broadcasting
    # tvm: TVM, include/tvm/topi/detail/broadcast.h, BroadcastShape
    # cupy: CuPy, cupy/_core/internal.pyx, _broadcast_core
    # dask: dask 2026.8, dask.array, whose elementwise functions are NumPy's; run
    # paddle, paddlepaddle: PaddlePaddle 3, guide "Broadcasting"
    # openvino, ngraph: OpenVINO 2025, "Broadcast Rules For Elementwise Operations", Numpy; run
    # coreml, coremltools, mil: coremltools, converters/mil/mil/ops/defs/_utils.py, broadcast_shapes
    # webnn: WebNN, Web Platform Tests, "bidirectionally broadcastable dimensions"
    # pytensor, pymc: PyTensor 3.0, "Broadcasting"; run
    # mxnet: MXNet, src/operator/tensor/elemwise_binary_broadcast_op.h, BinaryBroadcastShape
    # tensorflowjs, tfjs: TensorFlow.js, tfjs-core/src/ops/broadcast_util.ts
    # ndarray: Rust's ndarray, src/impl_ops.rs, whose operators stretch both operands
    # numba: Numba 0.65, numba/np/npyimpl.py, _broadcast_onto
    # mnn: MNN, source/shape/SizeComputer.cpp, computeBroadCastDims
    # mps: Apple, MPSGraph.broadcast(_:shape:name:), "starting from the trailing dimensions"
    # executorch: ExecuTorch, kernels/portable/cpu/util/broadcast_util.cpp
    # mindspore: MindSpore, mindspore/core/ops/op_utils.cc, CalBroadCastShape
    # gpytorch: GPyTorch 1.15, whose linear_operator asks torch.broadcast_shapes; run
    # mathjs: math.js 15.2, src/utils/array.js, broadcastSizes; run
    # ttnn: TT-NN, ttnn/cpp/ttnn/operations/eltwise/binary/binary_nanobind.cpp
    # migraphx: AMD MIGraphX, src/common.cpp, compute_broadcasted_lens
    "numpy": "np torch pytorch jax tensorflow tf keras tflite litert mlx tinygrad triton tvm cupy "
    "dask paddle paddlepaddle openvino ngraph coreml coremltools mil webnn pytensor pymc mxnet "
    "tensorflowjs tfjs ndarray numba mnn mps executorch mindspore gpytorch "
    "mathjs ttnn migraphx",
    # onnxruntime, ort: ONNX 1.23, Broadcasting.md; run
    # multidirectional: ONNX 1.23, Broadcasting.md, "Multidirectional Broadcasting"
    # tract: tract, core/src/broadcast.rs, multi_broadcast, and its tests onnx_1 to onnx_5
    "onnx": "onnxruntime ort multidirectional tract",
    # unidirectional, onnx-unidirectional: ONNX 1.23, Broadcasting.md, "Unidirectional Broadcasting"
    "onnx-uni": "unidirectional onnx-unidirectional",
    # binaryop, pnnx: ncnn, docs/developer-guide/binaryop-broadcasting.md; run
    "ncnn": "binaryop pnnx",
    # julia: Julia, base/broadcast.jl, broadcast_shape
    # matlab: MATLAB, "Compatible Array Sizes for Basic Operations"
    # octave: GNU Octave manual, "Broadcasting"; run
    # rray: rray, vignette "Broadcasting": ones are appended
    "left": "julia matlab octave rray",
    # tensorrt, trt: TensorRT 8.6 operator reference, "ElementWise"; NvInfer.h, IElementWiseLayer
    # tosa: MLIR, TOSA dialect, whose verifier needs equal ranks; run
    # burn: Burn, issue tracel-ai/burn#1499: a tensor's rank is a part of its type
    "same-rank": "tensorrt trt tosa burn",
    # stablehlo, broadcast_in_dim: StableHLO specification, broadcast_in_dim; run
    # xla: XLA, "Broadcasting", with a tuple of dimensions
    "explicit": "stablehlo xla broadcast_in_dim",
}
RULE_OF = {word: rule for rule, words in _WORDS.items() for word in words.split()}
"""The name of the rule that a word means."""

_TITLES = {
    "numpy np": "NumPy",
    "torch pytorch": "PyTorch",
    "jax": "JAX",
    "tensorflow tf": "TensorFlow",
    "tflite": "TensorFlow Lite",
    "litert": "LiteRT",
    "tensorflowjs tfjs": "TensorFlow.js",
    "keras": "Keras",
    "mlx": "MLX",
    "triton": "Triton",
    "tvm": "TVM",
    "cupy": "CuPy",
    "dask": "Dask",
    "paddle paddlepaddle": "PaddlePaddle",
    "openvino ngraph": "OpenVINO",
    "coreml coremltools mil": "Core ML",
    "webnn": "WebNN",
    "pytensor": "PyTensor",
    "pymc": "PyMC",
    "mxnet": "MXNet",
    "numba": "Numba",
    "mnn": "MNN",
    "mps": "MPS",
    "executorch": "ExecuTorch",
    "mindspore": "MindSpore",
    "migraphx": "MIGraphX",
    "gpytorch": "GPyTorch",
    "mathjs": "math.js",
    "ttnn": "TT-NN",
    "onnx multidirectional": "ONNX",
    "onnxruntime ort": "ONNX Runtime",
    "onnx-uni unidirectional onnx-unidirectional": "ONNX unidirectional",
    "none": "OpenVINO None",
    "pdpd": "OpenVINO PDPD",
    "bidirectional": "OpenVINO bidirectional",
    "ncnn binaryop": "ncnn",
    "julia": "Julia",
    "matlab": "MATLAB",
    "octave": "Octave",
    "left": "left-aligned",
    "same-rank": "equal ranks",
    "tensorrt trt": "TensorRT",
    "tosa": "TOSA",
    "burn": "Burn",
    "explicit": "explicit axes",
    "stablehlo broadcast_in_dim": "StableHLO",
    "xla": "XLA",
}
_TITLE_OF = {word: name for words, name in _TITLES.items() for word in words.split()}


def title(word: str) -> str:
    """The name of a rule or of a framework as a heading has it; any other word as it is.

    >>> title("tf"), title("none"), title("tinygrad")
    ('TensorFlow', 'OpenVINO None', 'tinygrad')
    """
    return _TITLE_OF.get(word.lower(), word)


_SIZE_OF_1 = "a size of 1 stretches only where it is known to be 1 when the graph is built"
# onnx/onnx-tensorrt, importerUtils.cpp, broadcastTensors
_PARSER = "TensorRT: its ONNX parser adds leading axes; only its layer API needs equal ranks"
_OF_RANKS = {
    "tensorrt": _PARSER,
    "trt": _PARSER,
    # jax._src.lax.lax, broadcasting_shape_rule; run
    "jax": "JAX: jax.lax.add and the like take equal ranks, or a scalar: bcastcli same-rank",
    # tract, core/src/ops/binary.rs, "Typed ops require rank match"
    "tract": "tract: its ONNX loader adds leading axes; its own operators take equal ranks",
    # XLA, "Broadcasting similar-rank arrays with degenerate dimensions"
    "xla": "XLA: elementwise operations need axes, or equal ranks: bcastcli same-rank",
}
REMARKS = {
    **_OF_RANKS,
    # keras/src/layers/merging/base_merge.py; run
    "keras": "Keras: layers such as Add put missing axes after the batch, which must be equal",
    "stablehlo": "StableHLO: its elementwise operations take identical shapes: bcastcli none",
    "pytensor": f"PyTensor: {_SIZE_OF_1}",
    "mxnet": "MXNet: its elemwise_add and the like take identical shapes: bcastcli none",
    "pymc": f"PyMC: {_SIZE_OF_1}",
    # binary_nanobind.cpp, "up to dimension 5 (DNCHW)"
    "ttnn": "TT-NN: only the last five axes stretch; where one before them does, values are wrong",
}
"""The notes shown when a framework's name selects the rule."""

_NO_RULE = {
    # candle: candle-core/src/tensor.rs, binary_op and broadcast_binary_op
    "its add takes identical shapes, as bcastcli none does, and its broadcast_add follows NumPy's "
    "rule, as bcastcli numpy does": {"candle": "candle"},
    # xarray: xarray user guide, "Broadcasting by dimension name"
    "it lines up axes by name, not by position": {"xarray": "xarray"},
    # pandas: pandas 3.1, user guide, "Matching / broadcasting behavior"; run
    "it lines up rows and columns by label, not by position": {"pandas": "pandas"},
    # scipy: scipy/sparse/_base.py, multiply and _divide; run by hand, 1.17
    "its arrays are NumPy's, and its sparse ones stretch only in products": {"SciPy": "scipy"},
    # ggml, llama.cpp: ggml/src/ggml.c, ggml_can_repeat
    "it repeats a size that divides the other": {"ggml": "ggml llama.cpp"},
    # r: An Introduction to R, "The recycling rule"; run by hand, 4.2
    "it recycles vectors, and refuses arrays with other dims": {"R": "r"},
    # iree: IREE, "Developer overview": "programs in supported input MLIR dialects"
    "it compiles programs of other frameworks: use that framework's name": {"IREE": "iree"},
}
WITHOUT_A_RULE = {
    word: f"there is no command for {name}: {text}"
    for text, frameworks in _NO_RULE.items()
    for name, words in frameworks.items()
    for word in words.split()
}
"""For each word without a rule, the reason in a sentence."""


def words_of(rule: str) -> tuple[str, ...]:
    """Return the words that mean a rule, by its name."""
    return tuple(_WORDS.get(rule, "").split())


def remark(word: str, shapes: Iterable[tuple[object, ...]]) -> str:
    """Return the note on a framework for operands of these shapes; empty if it has none for them.

    >>> remark("jax", [(2, 3), (3,)])[:12], remark("jax", [(2, 3), (1, 3)])
    ('JAX: jax.lax', '')
    >>> remark("ttnn", [(2, 1, 1, 1, 1, 3), (2, 1, 1, 1, 1, 1)])
    ''
    """
    differing = {*map(len, shapes)} if word in _OF_RANKS else {*shapes}
    if word == "ttnn":
        differing = {_without_ones(shape[:-5]) for shape in shapes}
    return REMARKS.get(word, "") if len(differing) > 1 else ""


def _without_ones(shape: tuple[object, ...]) -> tuple[object, ...]:
    """The axes of a shape from the first that is not 1."""
    first = next((axis for axis, size in enumerate(shape) if size != 1), len(shape))
    return shape[first:]
