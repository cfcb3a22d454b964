"""The command line, and the only folder that imports Typer.

`main` answers common questions and returns the exit status, and `parser` finds the command of any
other line. `console` holds the standard streams, `options` the options that several commands share,
and `commands` a module for each kind of command.
"""
