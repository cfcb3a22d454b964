"""Suggestions for shapes that do not broadcast.

`lines` chooses the proposals, and `dialects` writes them in a framework's syntax.
"""
