"""ONNX models checked node by node: `bcastcli model`.

`files` opens a file, `wire` strips it of its weights, and `onnx_model` has it read by `inference`,
a separate process, the only one that imports onnx. `findings` judges each node that broadcasts,
`summary` counts, and `report` shows it.
"""

SUMMARY = "Find where an ONNX model stops, and why"
