"""Error messages to readings: one module for each framework, which alone knows its wording.

`Reader` takes a text as it comes, and yields what its messages say: a `Reading` of each mismatch,
a `Fault` for each message of a known kind that is no broadcasting.
"""

from functools import cache
from importlib import import_module

from bcastcli.messages.reading import Fault, Message, Reading

FRAMEWORKS = {
    "numpy": "NumPy",
    "torch": "PyTorch",
    "jax": "JAX",
    "tensorflow": "TensorFlow",
    "keras": "Keras",
    "onnx": "ONNX",
    "onnxruntime": "ONNX Runtime",
    "openvino": "OpenVINO",
    "paddle": "PaddlePaddle",
    "cupy": "CuPy",
    "tensorrt": "TensorRT",
    "mxnet": "MXNet",
    "coreml": "Core ML",
    "tvm": "TVM",
    "mlx": "MLX",
    "dask": "dask",
}
"""The modules, and what people call the frameworks."""


@cache
def messages() -> tuple[Message, ...]:
    """Return all messages that are known, loading the modules."""
    names = [*FRAMEWORKS, "faults"]
    modules = [import_module(f"bcastcli.messages.{name}") for name in names]
    return tuple(message for module in modules for message in module.MESSAGES)


__all__ = ["FRAMEWORKS", "Fault", "Message", "Reading", "messages"]
