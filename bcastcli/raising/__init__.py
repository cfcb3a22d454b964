"""Names the operands of the expression that raised, with their shapes, and explains the error.

A traceback still holds the frames of the program: `positions` finds the expression that failed,
`evaluation` its parts, `values` their shapes, without calling any code of the program; `changes`
finds names that may mean something else by now; `functions` has the constraints of library calls.
`frames` decides what to show, `answers` what to say of it. `hooks`, `plugin` and `startup` are the
doors; they load the rest when something raises.
"""
