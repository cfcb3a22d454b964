"""What the frameworks are asked so that they write their messages, and whether these are read.

`asked.txt` has the statements, `names` what they call; `cases` runs them on random shapes, and
`judging` holds a reading against what the framework was given.
"""
