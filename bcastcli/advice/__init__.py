"""What to write instead where shapes do not broadcast.

`lines` chooses the proposals, and `dialects` writes them in a framework's syntax.
"""
