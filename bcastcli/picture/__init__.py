"""Pictures of arrays, the steps to an answer, and the pages that show both.

`answers` decides the content: a `Figure`, as plain data. `layout.arrange` places every part of it,
in pixels or in characters. `terminal` and `vector` write the same marks; `svg` makes a file of a
sheet.
"""
