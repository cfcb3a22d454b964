"""The quiz: exercises that common mistakes answer wrongly, and comments on wrong replies.

`exercises` pose a question and know its right reply, `drawing` draws them at random, `mistakes` is
the table of the common ones, and `comments` finds which may have led to a reply. `game` asks them,
and `replies` reads what is typed; `handout` prints them.
"""
