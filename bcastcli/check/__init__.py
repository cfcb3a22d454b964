"""Questions in files, with the expected answers: `bcastcli check`.

`lines` reads them and finds those that are not as expected, and `report` shows these.
"""

SUMMARY = "Check shapes in files: each line broadcasts, or has its expected answer; also Markdown"
