"""Error messages explained: `bcastcli why`.

`messages` reads a text, `explained` turns each reading into a question and answers it, and `report`
shows the answer.
"""

SUMMARY = "Explain a pasted error or a log: which operands clash, on which axis, and why"
