"""ONNX models checked node by node: `bcastcli model`.

`files` opens a file, `wire` strips it of its weights, and `onnx_model` reads it: its shapes are
inferred by `inference`, a separate process, the only one that imports onnx. `findings` asks each
node, and finds where the model stops. `summary` counts, and `report` shows it, in rows of `screen`.
"""
