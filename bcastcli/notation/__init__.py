"""Parses a line of text into a question, or explains why it is not one.

`text` reads shapes as they are typed and pasted, `json` reads objects, and `questions` chooses
between the two and hands over to a rule.
"""
