"""How the work grows with the question: counted in lines of Python that are run, not in seconds."""

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tests import effort
from tests.effort import each_once, in_turn
from tests.in_memory import run

SMALL = 200 if effort.thorough else 120
"""Long enough that no short cut for brief lines is taken."""
MAX_GROWTH = 2.3
"""As many times the work twice the question may take: linear is 2, and quadratic is 4."""
A_FEW = 200
"""Lines that do not count, where what grows is no work of the interpreter's own."""


def many(what: Callable[[int], object], count: int, between: str = " ") -> str:
    return between.join(str(what(number)) for number in range(count))


def work(command: list[str], line: str) -> int:
    """How many lines of Python are run to answer a line, once all is loaded and recalled."""
    steps = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal steps
        steps += 1
        return trace

    run(command, line.encode())
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run(command, line.encode())
    finally:
        sys.settrace(before)
    return steps


def is_linear(command: list[str], question: Callable[[int], str], small: int = SMALL) -> bool:
    """Whether twice the question takes twice the work, apart from what any question takes."""
    least, less, more = (work(command, question(size)) for size in (1, small, 2 * small))
    return more - least < MAX_GROWTH * max(less - least, 0) + A_FEW


# For each a rule, and a question whose operands times rank grow as its length does.
QUESTIONS: dict[str, tuple[str, Callable[[int], str]]] = {
    "axes": ("numpy", lambda n: f"{many(lambda i: i % 7, n, ',')} {many(lambda i: i % 7, n, ',')}"),
    "operands": ("numpy", lambda n: many(lambda i: (1, 3)[i % 2], n)),
    "operands that all stretch": ("numpy", lambda n: f"{many(lambda i: 1, n)} 2,3"),
    "ranks that differ": ("none", lambda n: many(lambda i: "2,3" if i % 2 else "2", n)),
    "unknown axes": (
        "numpy",
        lambda n: f"{many(lambda i: f'N{i}', n, ',')} {many(lambda i: 3, n, ',')}",
    ),
    "unknown operands": ("onnx", lambda n: many(lambda i: f"N{i}", n)),
    "one name": (
        "numpy",
        lambda n: f"{many(lambda i: 'N', n, ',')} {many(lambda i: i + 2, n, ',')}",
    ),
    "named operands": ("numpy", lambda n: many(lambda i: f"x{i}=2", n)),
    "a long name": ("numpy", lambda n: f"{'N' * n},3 2,3"),
    "digits": ("numpy", lambda n: f"{'7' * n} {'7' * n}"),
    "blanks": ("numpy", lambda n: f"(2,{' ' * n}3) 3"),
    "a product": ("numpy", lambda n: many(lambda i: 2, n, "x")),
    "pdpd": ("pdpd", lambda n: f"{many(lambda i: i + 2, n, ',')} {many(lambda i: 1, n, ',')}"),
    "a target": (
        "bidirectional",
        lambda n: f"{many(lambda i: 2, n, ',')} {many(lambda i: 1, n, ',')}",
    ),
    "too many for ncnn": ("ncnn", lambda n: f"{many(lambda i: 2, n, ',')} 2"),
    "JSON": ("numpy", lambda n: f"[[{many(lambda i: 2, n, ',')}], [{many(lambda i: 1, n, ',')}]]"),
    "brackets": ("numpy", lambda n: "((" + "(" * n + ")" * n + "))"),
    "open brackets": ("numpy", lambda n: "[2," * n),
    "commas": ("numpy", lambda n: "2," * n + ","),
    "escapes": ("numpy", lambda n: "\x1b[31m" * n),
    "dots": ("numpy", lambda n: "1" + ".1" * n),
    "broken JSON": ("numpy", lambda n: "[[2,3]" * n),
    "shapes too many": ("pdpd", lambda n: many(lambda i: "2,3", n)),
}


@each_once
@pytest.mark.parametrize("form", ["plain", "json", "table"])
@pytest.mark.parametrize("kind", in_turn(QUESTIONS))
def test_work_is_linear(kind: str, form: str) -> None:
    """The work grows as operands times rank do, in every format."""
    rule, question = QUESTIONS[kind]
    assert is_linear([rule, "-f", form], question, SMALL // 3 if form == "table" else SMALL)


DRAWN = {
    "axes": lambda n: [many(lambda i: 3, n, ","), "3"],
    "axes that clash": lambda n: [many(lambda i: 2, n, ","), many(lambda i: 3, n, ",")],
    "operands": lambda n: many(lambda i: (1, 3)[i % 2], n).split(),
}


@each_once
@pytest.mark.parametrize("shown", in_turn(["--picture", "--steps", "--color never", "-f svg"], 2))
@pytest.mark.parametrize("kind", in_turn(DRAWN))
def test_drawing_is_linear(kind: str, shown: str) -> None:
    """So does that of a picture, of steps, of a page, and of the table."""
    less, more, most = (
        work(["numpy", *shown.split(), *DRAWN[kind](size)], "")
        for size in (SMALL // 3, SMALL // 2, 2 * SMALL // 3)
    )
    assert most - less < MAX_GROWTH * max(more - less, 0) + A_FEW


def test_lines_are_linear() -> None:
    """Twice the lines take twice the work, of which none is new."""
    assert is_linear(["numpy"], lambda n: many(lambda i: f"{i},2 1", n, "\n"))


def memory(line: str) -> int:
    """The most bytes that are taken at once to answer a line in format plain."""
    run(["numpy", "-f", "plain"], line.encode())
    tracemalloc.start()
    try:
        run(["numpy", "-f", "plain"], line.encode())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("last", ["()", "3", "N"])
def test_memory_is_linear_where_axes_are_missing(last: str) -> None:
    """Many operands beside one of many axes take no room for the axes that they miss."""

    def question(size: int) -> str:
        return f"{many(lambda _: 2, size, ',')} {many(lambda _: '()', size)} {last}"

    # Twice as many axes each way would be four times; what is loaded once counts here as well.
    assert memory(question(2000)) < 3 * memory(question(1000))
