"""Lines in, answers out, in order and in bounded memory.

`columns` decides lines of numbers on the sizes that meet, and `batch` cuts the input into lines
and answers all others in full. A line that recurs is answered from memory.
"""
