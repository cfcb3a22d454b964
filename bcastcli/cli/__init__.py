"""The command line, and the only folder that imports Typer.

`main` returns the exit status. `early` finds the command of a line and reads common questions, and
`parser` runs any other line. `console` holds the standard streams, `options` the options that
several commands share, and `commands` a module for each kind of command.
"""
