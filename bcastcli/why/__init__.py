"""Error messages explained: `bcastcli why`.

`messages` reads a text, `explained` turns each reading into a question and answers it, and `report`
shows the answer.
"""

SUMMARY = "Explain a pasted error message or a log"
