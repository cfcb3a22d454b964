"""Where each kind of test is.

core, rules, notation ...  a folder for each room of the package, a file for each module
cases       questions with the verdicts of documents and engines, and the tests that ask them
laws        properties that hold for every question, tried on random ones
shell       commands in processes of their own, in shells, on terminals
browser     SVG and HTML, read as XML and laid out by Chromium
engines     engines judge fresh questions, and frameworks write fresh error messages
fuzz        hostile input; `python -m tests.fuzz` runs more of it
benchmarks  start-up and throughput; not run by pytest
mutation    how many small faults the tests notice; not run by pytest

`test_architecture` holds the imports of the package against the table of what may import what.
`effort` says how much a run tries: a part of it by default, all of it with `pytest --thorough`.
`strategies` makes random questions to the rules, and answers those of tests.
`rooms` says which room may import which; `lines` counts the lines of code.
`in_memory` runs a command line in this process, `terminal` runs it on a terminal and reads its
screen, `model_files` makes models.
"""

import sys

# Asserts are rewritten once for all processes of a run, even where these may write no bytecode.
sys.dont_write_bytecode = False
