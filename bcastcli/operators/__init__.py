"""ONNX's operators: which of them broadcast, since which opset, and on which operands.

`table.json` is the data, and `table` reads it. `questions` turns a name, shapes and settings, from
a line or a node of a model, into a question; `operator` and `operators` derive its operands
from the inputs. `rules` holds the rules that have no command of their own.

Of operators that do not broadcast, `equations` and `constraints` say what does not fit, `computed`
has the results of four, and `inference` those of the others, by onnx; `results` answers, with the
notes of `runtime.txt` where ONNX Runtime does otherwise. `fits` explains why input shapes are
impossible, for all of them.
"""
