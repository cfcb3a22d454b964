"""The names that a frame may have rebound since it raised.

An except or finally clause, the next round of a loop, and the code after a handled error run in the
same frame, so a name may no longer have the value that the expression used. While the error is
still being handled, only the instructions from its handler on count.
"""

import dis
from collections.abc import Sequence
from dis import Instruction
from types import CodeType, TracebackType

from bcastcli.raising.positions import instructions, names_of

ITEMS = "[]"
"""Stands for any item of any container."""


def changed(traces: Sequence[TracebackType]) -> list[set[str]]:
    """The names that may have changed since an error was raised, for each frame of a traceback.

    An attribute has a dot in front.
    """
    found: list[set[str]] = []
    outer: set[str] = set()
    frames = [trace.tb_frame for trace in traces]
    for trace, frame in zip(traces, frames, strict=True):
        is_there = frame.f_lasti == trace.tb_lasti
        stores = [] if is_there else _stores(trace, is_first=frames.count(frame) == 1)
        own = {*frame.f_code.co_varnames, *frame.f_code.co_cellvars}
        found.append((outer - own).union(*map(_names, stores)))
        # Inner frames share the globals and closures, unless they have a variable of that name.
        outer = outer.union(*(_names(each) for each in stores if "FAST" not in each.opname))
    return found


def _names(store: Instruction) -> set[str]:
    if store.opname.endswith(("SUBSCR", "SLICE")):
        return {ITEMS}
    return {f".{store.argval}"} if store.opname.endswith("ATTR") else {*names_of(store)}


def _stores(trace: TracebackType, *, is_first: bool) -> Sequence[Instruction]:
    """The instructions that bind or unbind a name, and may have run since."""
    code, at, now = trace.tb_frame.f_code, trace.tb_lasti, trace.tb_frame.f_lasti
    every = instructions(code)
    jumps = [each for each in every if "JUMP_BACKWARD" in each.opname]
    start, end = _handler(code, at, now) if is_first else 0, now
    if start and not any(start <= each.offset <= now and each.argval <= at for each in jumps):
        end = max([end, *(each.offset for each in jumps if start <= each.argval <= end)])
    else:
        start = min([at, *(each.argval for each in jumps if each.offset > at >= each.argval)])
        end = every[-1].offset
    stores = (each for each in every if each.opname.startswith(("STORE_", "DELETE_")))
    return [each for each in stores if start <= each.offset <= end]


def _handler(code: CodeType, at: int, now: int) -> int:
    """The place where the handler of an error starts; 0 if its frame may have left that since.

    A handler comes before the handlers of errors that leave it, and before the code after it. So a
    frame that raises again, or is still there, has not run anything before it since.
    """
    table = dis._parse_exception_table(code)  # type: ignore[attr-defined]  # the only way to it
    [start] = [each.target for each in table if each.start <= at < each.end] or [now + 1]
    [*_, last] = (each.opname for each in instructions(code) if each.offset <= now)
    return 0 if start > now or last.startswith(("RETURN", "YIELD")) else start
