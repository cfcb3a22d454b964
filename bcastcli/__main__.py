"""Run the command line: the console script `bcastcli`, and `python -m bcastcli`."""

import gc
import os
import signal
import sys
from typing import NoReturn


def run() -> NoReturn:
    """Run the command line in a process of its own, and end the process with its status."""
    if hasattr(signal, "SIGPIPE"):  # not on Windows
        # A reader that has seen enough ends the process silently, as it does other filters.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it is ignored under nohup
        # Ctrl-C too, so that a shell's loop ends with it (`cli/console.py`).
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if "_BCASTCLI_COMPLETE" in os.environ:  # a shell asks what may follow
        from bcastcli.cli.commands.completions import complete

        sys.exit(complete())
    from bcastcli.cli.main import main

    status = main()
    # Otherwise Python ends by searching all that it has loaded for garbage, which takes longer
    # than most answers.
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    run()
