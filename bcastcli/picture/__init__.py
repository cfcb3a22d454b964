"""Pictures of arrays, the steps to an answer, and slides of both.

`answers` decides the content: a `Figure`, as plain data. `layout.arrange` places every part of it,
in characters or on a slide; `terminal` and `svg` write the same marks, and `pages` joins slides.
"""
