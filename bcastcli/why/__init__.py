"""Error messages explained: `bcastcli why`.

`messages` reads a text, `explained` turns a reading into a question and answers it, and `report`
shows the answer.
"""
