"""What must hold of every command line, however hostile."""

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bcastcli.stream.batch import MAX_LINE_BYTES
from tests.fuzz.cases import Case
from tests.in_memory import Ended, run

MAX_SECONDS = 60
"""Seconds, far more than any case takes: one that takes longer hangs."""

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
_STATUSES = {True: YES, False: NO, None: DEPENDS}
# Those of the program itself; hostile texts have a number of four digits in theirs.
_COLORS = re.compile(r"\x1b\[[0-9]{0,2}(;[0-9]{1,2})*m")


class Hang(BaseException):
    """Raised where a case takes too long; nothing that it meets may catch it."""


def failure(case: Case) -> str | None:
    """What is wrong with what the command line does in a case; None if nothing is."""
    try:
        with _watched():
            ended = run(
                case.arguments,
                case.data,
                environment=case.environment,
                encoding=case.encoding,
                terminal=case.terminal,
            )
    except (Exception, SystemExit, Hang) as error:  # nothing may escape
        return f"{type(error).__name__}: {error}"[:300]
    return wrong(case, ended) or _miscounted(case, ended)


@contextmanager
def _watched() -> Iterator[None]:
    def hang(number: int, frame: FrameType | None) -> None:
        raise Hang(f"no end after {MAX_SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, hang)
    signal.alarm(MAX_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def wrong(case: Case, ended: Ended) -> str | None:
    """What no command line may do, whatever it is."""
    if ended.status not in (YES, NO, MALFORMED, DEPENDS):
        return f"status {ended.status}"
    if "Traceback (most recent call last)" in ended.err:
        return f"a traceback: {ended.err[-300:]}"
    out = _COLORS.sub("", ended.out) if case.may_color else ended.out
    out = out.replace("\t", "") if case.may_tab else out
    strange = [c for c in (out + ended.err).replace("\n", "") if not c.isprintable()]
    return f"not printable: {strange[0]!a}" if strange else None


def _miscounted(case: Case, ended: Ended) -> str | None:
    """What is wrong with the number of the answers, or with the status that sums them up."""
    if case.counted is None:
        return None
    asked = [number for number, line in enumerate(_lines(case.data), 1) if _asks(line)]
    answers = ended.out.splitlines()
    if len(answers) != len(asked):
        return f"{len(answers)} answers to {len(asked)} questions"
    if case.counted != "json":
        return None
    objects = [json.loads(answer) for answer in answers]
    if [each["line"] for each in objects] != asked:
        return "answers to other lines"
    statuses = {MALFORMED if "error" in each else _STATUSES[each["ok"]] for each in objects}
    none = YES if "-" in case.arguments else MALFORMED
    expected = next((each for each in (MALFORMED, NO, DEPENDS, YES) if each in statuses), none)
    return None if ended.status == expected else f"status {ended.status}, not {expected}"


def _lines(data: bytes) -> list[bytes]:
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [line.removesuffix(b"\r") for line in lines]


def _asks(line: bytes) -> bool:
    """Whether a line has to be answered."""
    return len(line) > MAX_LINE_BYTES or line.lstrip(b" \t")[:1] not in (b"", b"#")
