"""Model files, read without running them: a file becomes nodes, each a question about shapes.

`files` opens the one file and recognizes it by its content; a reader for each format makes a
`Model` of it. OpenVINO IR and pnnx are text and need nothing. ONNX is stripped of its weights by
`wire`, and its shapes are inferred by `inference`, a process of its own, which alone imports onnx.
Nothing here knows a rule: the caller says which operators broadcast.
"""
