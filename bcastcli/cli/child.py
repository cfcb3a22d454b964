"""A command that is run here: its output as it comes, and the status that it ends with.

Each of its outputs that is a terminal here stays one, so that it shows colors and progress bars: it
gets one side of a pseudo-terminal. Other outputs are pipes. It stays in the process group, so that
Ctrl-C reaches it, and its standard input is ours.
"""

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

NOT_FOUND, NOT_EXECUTABLE, BY_A_SIGNAL = 127, 126, 128
OUTPUTS = (1, 2)
"""The numbers of standard output and standard error."""
_SIZE = 1 << 15
_PATIENCE = 0.1
"""The seconds after which the command's end is looked for: its own children may write on."""
_PASSED_ON = ("SIGTERM", "SIGHUP")
_BY_TERMINALS = ("SIGINT", "SIGQUIT")
"""The signals that a terminal sends to the whole process group."""

Copy = Callable[[int, bytes], bool]
"""Copies what comes from an output, by its number; returns False where no one reads it any more."""


class CannotRunError(Exception):
    """A command that cannot be started; `status` is the one that shells have for it."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


def run(command: Sequence[str], copy: Copy) -> int:
    """Run a command, copy its outputs as they come, and return its status as shells do.

    Raises CannotRunError where it cannot be started.
    """
    master, slave, terminals = _pseudo_terminal()
    ends = {number: slave if number in terminals else subprocess.PIPE for number in OUTPUTS}
    try:
        process = subprocess.Popen(  # noqa: S603  # the user's own command
            command, stdout=ends[1], stderr=ends[2]
        )
    except OSError as error:
        if master is not None:
            os.close(master)
        is_missing = isinstance(error, FileNotFoundError | NotADirectoryError)
        raise CannotRunError(
            f"cannot run {command[0]}: {'not found' if is_missing else error.strerror}",
            NOT_FOUND if is_missing else NOT_EXECUTABLE,
        ) from error
    finally:
        if slave is not None:
            os.close(slave)
    pipes = {1: process.stdout, 2: process.stderr}
    sources = {pipe.fileno(): number for number, pipe in pipes.items() if pipe}
    if master is not None:
        sources[master] = terminals[0]
    with process, _signals(process, master, terminals):
        if os.name == "posix":
            _copy_all(sources, process, copy)
        else:
            _copy_each(pipes, copy)
        status = process.wait()
    if master is not None:
        os.close(master)
    return BY_A_SIGNAL - status if status < 0 else status


def _pseudo_terminal() -> tuple[int | None, int | None, Sequence[int]]:
    """Return both sides of a pseudo-terminal, and the outputs here that are terminals."""
    terminals = [number for number in OUTPUTS if os.isatty(number)]
    if not terminals or os.name != "posix":
        return None, None, ()
    import termios

    master, slave = os.openpty()
    # The terminal here writes line ends as it should: twice would be once too often.
    modes = termios.tcgetattr(slave)
    modes[1] &= ~termios.OPOST
    termios.tcsetattr(slave, termios.TCSANOW, modes)
    _copy_size(terminals[0], slave)
    return master, slave, terminals


def _copy_size(source: int, target: int) -> None:
    import fcntl
    import termios

    with contextlib.suppress(OSError):
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8))
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)


@contextmanager
def _signals(
    process: "subprocess.Popen[bytes]", master: int | None, terminals: Sequence[int]
) -> Iterator[None]:
    """Leave the terminal's signals to the command, and pass on others, while it runs."""

    def pass_on(number: int, _frame: Any) -> None:
        process.send_signal(number)

    def resize(number: int, _frame: Any) -> None:
        if master is not None:
            _copy_size(terminals[0], master)
        process.send_signal(number)

    handlers: dict[str, Any] = {
        **dict.fromkeys(_BY_TERMINALS, lambda *_: None),
        **dict.fromkeys(_PASSED_ON, pass_on),
        **({"SIGWINCH": resize} if master is not None else {}),
    }
    own: dict[int, Any] = {}
    try:
        for name, handler in handlers.items():
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                own[number] = signal.signal(number, handler)
        yield
    finally:
        for number, handler in own.items():
            signal.signal(number, handler)


def _copy_all(sources: dict[int, int], process: "subprocess.Popen[bytes]", copy: Copy) -> None:
    """Copy what comes until all outputs end, or the command has ended and nothing comes."""
    while sources:
        has_ended = process.poll() is not None  # asked first: what it wrote last is there by then
        ready, _, _ = select.select([*sources], [], [], _PATIENCE)
        if has_ended and not ready:
            return
        for source in ready:
            try:
                piece = os.read(source, _SIZE)
            except OSError:  # no one has the other side of the pseudo-terminal any more
                piece = b""
            if not piece:
                del sources[source]
            elif not copy(sources[source], piece):
                # The command finds out at its next write, as if it had written there itself.
                del sources[source]
                _close(source, process)


def _close(source: int, process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdout, process.stderr):
        if pipe and pipe.fileno() == source:
            pipe.close()


def _copy_each(pipes: dict[int, Any], copy: Copy) -> None:
    """Copy each pipe in a thread of its own: not every system can wait for several."""
    from threading import Thread

    def copy_one(number: int, pipe: Any) -> None:
        while piece := pipe.read1(_SIZE):
            if not copy(number, piece):
                pipe.close()
                return

    threads = [Thread(target=copy_one, args=each) for each in pipes.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
