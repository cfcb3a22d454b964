"""Lines in, answers out, in order and in bounded memory.

`lines` cuts the input into lines, `columns` decides lines of numbers on the sizes that meet, and
`batch` answers all others in full. A line that recurs is answered from memory.
"""
