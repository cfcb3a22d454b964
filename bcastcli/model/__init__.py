"""ONNX models checked node by node: `bcastcli model`.

`onnx_model` opens a file, has `wire` strip it of its weights, and has it read by `inference`, a
separate process, the only one that imports onnx. `findings` judges each node that broadcasts, and
counts, and `report` shows it.
"""

SUMMARY = "Find where an ONNX model stops, and why"
