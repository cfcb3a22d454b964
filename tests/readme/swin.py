"""Makes a model in which a batch of 1 is baked in: python swin.py swin.onnx."""

import sys

import onnx
from onnx import TensorProto
from onnx.helper import make_graph, make_model, make_node, make_opsetid, make_tensor
from onnx.helper import make_tensor_value_info as declare


def swin() -> onnx.ModelProto:
    """Return the model: tokens become a map of 4 x 8 with 4 channels, each of which is scaled."""
    nodes = [
        make_node("Reshape", ["tokens", "shape"], ["map"], "view"),
        make_node("Mul", ["map", "gamma"], ["scaled"], "scale"),
    ]
    inputs = [declare("tokens", TensorProto.FLOAT, ["batch", 32, 4])]
    outputs = [declare("scaled", TensorProto.FLOAT, None)]
    weights = [
        make_tensor("shape", TensorProto.INT64, [4], [1, 4, 8, 4]),
        make_tensor("gamma", TensorProto.FLOAT, [4], [1.0] * 4),
    ]
    graph = make_graph(nodes, "swin", inputs, outputs, weights)
    return make_model(graph, ir_version=8, opset_imports=[make_opsetid("", 17)])


if __name__ == "__main__":
    onnx.save(swin(), sys.argv[1])
