"""ONNX models checked node by node: `bcastcli model`.

`files` opens a file, `wire` strips it of its weights, and `onnx_model` has it read by `inference`,
a separate process, the only one that imports onnx. `findings` judges each node that broadcasts,
`summary` counts, and `report` shows it.
"""

SUMMARY = "See where a model stops: each broadcasting node of an ONNX file"
