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
    try:
        # Imported here, so that an early Ctrl-C is as quiet as a late one.
        from bcastcli.cli.main import main

        status = main()
        # Otherwise Python ends by searching all that it has loaded for garbage, which takes longer
        # than most answers.
        gc.freeze()
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
        if os.name != "nt":
            # Killed by the signal, so that a shell's loop ends too.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
    sys.exit(status)


if __name__ == "__main__":
    run()
