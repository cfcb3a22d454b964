"""ONNX's operators: which of them broadcast, since which opset, and what each makes of its inputs.

`table.json` is the data, `table` reads it, and `operators` answers for the operators that `table`
names. `rules` and `legacy` hold the rules that no command of its own asks.
"""
