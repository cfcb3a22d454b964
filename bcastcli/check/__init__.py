"""Questions in files, with the expected answers: `bcastcli check`.

`lines` reads them and finds those that are not as expected, and `report` shows these.
"""

SUMMARY = "Test the shapes in files and Markdown, as in CI"
