"""What the frameworks are asked so that they write their messages: one module for each framework.

A module's CASES are made without loading the framework; each `Case` loads it when it is run.
`given` has what cases share, and `judging` holds a reading against what the framework was given.
"""
