"""The quiz: questions that common mistakes answer wrongly, and comments on wrong replies.

`questions` know their right reply and read what is typed, `mistakes` is the table of the common
ones, and `drawing` draws questions. `command` asks them, or prints them.
"""

SUMMARY = "Ask practice questions"
