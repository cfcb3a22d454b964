"""What to write instead where shapes do not broadcast.

`lines` decides what is proposed, and `dialects` writes it as a framework does.
"""
