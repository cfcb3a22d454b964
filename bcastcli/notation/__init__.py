"""A line of text to a question, and what to say of a line that is none.

`text` reads shapes as they are typed and pasted, `json` reads objects, and `questions` chooses
between the two and hands over to a rule.
"""
