"""Lines in, answers out, in order and in bounded memory.

`batch` takes lines from a stream, `recall` answers those whose parts were met before, and
`progress` shows how far it has come.
"""
