"""Pictures of arrays: a figure as plain data, one layout of it, and a writer for each medium.

A `Figure` says what there is to see, in cells. `layout.arrange` gives every part a place in a room,
measured in pixels or in characters. `terminal` and `svg` write the same marks.
"""
