"""The quiz: questions that common mistakes answer wrongly, and comments on wrong replies.

`questions` know their right reply, read what is typed, and hold the table of the common mistakes;
`drawing` draws questions. `command` asks them, or prints them.
"""

SUMMARY = "Ask practice questions"
