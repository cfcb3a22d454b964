"""The command line, and the only folder that imports Typer.

`main` finds the command and returns the exit status, `console` holds the standard streams,
`options` the options that several commands share, and `commands` a module for each kind of command.
"""
