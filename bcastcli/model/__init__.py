"""Model files checked node by node: `bcastcli model`.

`files` opens a file and recognizes it by its content; a reader for each format makes a `Model` of
it, without running it. OpenVINO IR and pnnx are text and need nothing. ONNX is stripped of its
weights by `wire`, and its shapes are inferred by `inference`, a separate process, the only one that
imports onnx. `findings` asks each node, and finds where the model stops; `sizes` and `proposals`
find sizes to try for open ones. `summary` counts, and `report` shows it, in rows of `screen`.
`other_rules` asks other rules about the nodes, and `rules_report` shows what they answer.
"""
