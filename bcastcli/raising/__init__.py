"""Names the operands of the expression that raised, with their shapes, and explains the error.

A traceback still holds the frames of the program. `positions` finds the expression that failed,
`evaluation` its parts, and `values` their shapes, without calling any code of the program.
`changes` finds names that may have been rebound since; `functions` has the constraints of library
calls. `frames` chooses the frames to show, and `answers` explains the error. `hooks`, `plugin` and
`startup` are the entry points; they load the rest when something raises.

Under `--strict` and `--shapes` a program runs from a changed syntax tree: `loading` has Python load
it, `rewriting` changes it, and what it calls is in `watching`. `growth` decides which results are
larger, `silent` and `margins` write what was seen, `session`, `notebook` and `plugin` start and end
it.
"""

SUMMARY = "Run a Python program; show shapes where it fails or goes wrong"
