"""Questions in files, with the expected answers: `bcastcli check`.

`pages` finds the questions in Markdown, and `lines` those that are not as expected.
"""

SUMMARY = "Test the shapes in files and Markdown, as in CI"
