"""Answers written from templates: only where that gives the answers, and in bounded memory."""

import tracemalloc
from collections.abc import Callable
from math import prod
from random import Random
from typing import Any

import pytest

from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.reports import verdict
from bcastcli.rules import RULES
from bcastcli.stream import templates
from bcastcli.stream.caches import Bounded, Cache
from bcastcli.stream.signatures import BY_TEXT, placeholder
from bcastcli.stream.templates import Templates, template
from tests.rows import each_row


class Asked:
    """What answers lines, and the lines that it was asked."""

    def __init__(self, write: Callable[[str], str]) -> None:
        self.lines: list[str] = []
        self._write = write

    def __call__(self, line: str) -> str | NotationError:
        self.lines.append(line)
        try:
            return self._write(line)
        except NotationError as error:
            return error


def numpy(line: str) -> str:
    """Return the plain answer of the rule numpy."""
    return f"{verdict(answer_line(RULES['numpy'], line, {}))}\n"


def answers(write: Callable[[str], str], lines: list[str]) -> list[str]:
    """Return the lines that are asked among lines; fail unless all have their own answers."""
    asked = Asked(write)
    answering = Templates(asked, lambda line: (write(line), None))
    for line in lines:
        expected = Asked(write)(line)
        assert (line, repr(answering.answers([line], BY_TEXT))) == (line, repr([expected]))
    return asked.lines


@each_row(
    "pattern",
    [
        *("{},{} {}", "({}, {}) {}", "{}x{}", "{}×{} {}"),
        *("N,{} {},{}", "x={} {},?", "{}\t{};", "[[{}],[{}]]"),
    ],
)
def test_one_of_a_look_is_asked(pattern: str) -> None:
    """Of lines that signature alike, the first is asked, and the others are written."""
    lines = [pattern.format(size, size + 1, size) for size in range(2, 50)]
    asked = answers(numpy, lines)
    # An x may be part of a name, so that sizes around it are left alone.
    assert asked == (lines if pattern == "{}x{}" else lines[:1])


def test_a_line_that_returns_is_not_asked_again() -> None:
    """Nor is a template made for it, until another line signatures like it."""
    assert answers(numpy, ["N,3 3"] * 3) == ["N,3 3"]
    assert answers(numpy, ["2,,3"] * 3) == ["2,,3"]
    replies: list[str] = []

    def reply(line: str) -> tuple[str, None]:
        replies.append(line)
        return numpy(line), None

    answering = Templates(numpy, reply)
    for line in ("N,3 3", "N,3 3", "N,4 4", "N,3 3", "N,5 5"):
        assert answering.answers([line], BY_TEXT) == [numpy(line)]
    assert replies == [f"N,{placeholder(0)} {placeholder(0)}"]


@each_row(
    "lines",
    [
        ["2 3", "2 2", "3 3", "1 3", "0 3", "0 0", "3 1"] * 2,
        ["2,3 3", "2,3 2", "3,2 2", "2,3 5"] * 2,
        ["7 07", "8 08", "9 7", "5 07", "7 07"],
        ["3,2x3", "4,2x3", "3,3,3 2x3x3", "5,5,5 2x3x3", "2,2,2 2x3x3", "7,7,7 2x3x3"],
        ["N3 3", "N4 4", "N3 5", "N5 3"],
        ["N,2 M,N 3", "N,3 M,N 2", "N,5 N,4", "N,4 N,5", "N,7 3,N"],
        ["-1,2 2", "-1,3 3", "-1,3 1"],
        ["?,5 ?x3", "?,4 ?x3", "?,3 ?x3", "?,6 ?x3"],
        ["5 Nx3x2", "4 Nx3x2", "3 Nx3x2", "2 Nx3x2"],
        ["xaxis=3 2,5", "xaxis=3 2,7", "xaxis=3 2,3", "max_opset=3 2,3"],
        ["2.3 4", "3.4 5", "2,,3", "3,,4", "2, 3", "4, 5"],
        [
            f"{placeholder(0)} {placeholder(1)}",
            f"{placeholder(1)} {placeholder(0)}",
            f"{placeholder(2)} {placeholder(0)}",
            "2 3",
        ],
        ["", "", "", " ", " ", " "],
    ],
)
def test_what_looks_similar(lines: list[str]) -> None:
    """Whatever was asked before, each line has its own answer."""
    if not lines[0]:
        lines = [f"{line}2" for line in lines]
    answers(numpy, lines)


@each_row(
    "write",
    [
        lambda line: str(prod(map(int, line.split()))),
        lambda line: " ".join(sorted(line.split(), key=int)),
        lambda line: f"{len(line)} characters",
        lambda line: line if len(line) < 10 else "many",
        lambda line: f"{max(map(int, line.split()))}",
    ],
)
def test_answers_that_do_not_only_quote(write: Callable[[str], str]) -> None:
    """An answer that says more of numbers than which they are makes no template."""
    lines = [f"{size} {other}" for size in range(2, 12) for other in range(2, 12)]
    assert len(answers(write, lines)) > len(lines) // 2


def test_marks_are_found() -> None:
    """A template has places where the marks were, and everything else as it was."""
    found = template(f"100 % of {placeholder(1)} and {placeholder(0)}: {placeholder(1)}\n", [2, 3])
    assert found.filled(["0", "1", "7", "8"]) == "100 % of 8 and 7: 8\n"
    assert template("100 %", []).filled([]) == "100 %"


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ever new signatures do not fill the memory, and answers stay right."""
    monkeypatch.setattr(templates, "MAX_TEMPLATES", 20_000)
    monkeypatch.setattr(templates, "MAX_SEEN_ONCE", 10_000)
    answering = Templates(numpy, lambda line: (numpy(line), None))
    found, met = bounded_of(answering)
    most = 0
    for number in range(300):
        for line in (f"N{number},2 2", f"N{number},3 3", f"N{number},5 5"):
            assert answering.answers([line], BY_TEXT) == [numpy(line)]
            most = max(most, len(found), len(met))
    assert 20 < most < 60


def bounded_of(answering: Templates) -> list[Bounded[Any, Any]]:
    """Return what is kept of templates, and of lines met once."""
    return [each for each in vars(answering).values() if isinstance(each, Bounded)]


@pytest.mark.parametrize("pattern", ["{}，{}", "{},N{}", "é{}é{}", "N，{}，𝔑{}"])
def test_entries_take_no_more_bytes_than_estimated(pattern: str) -> None:
    """Whatever script their texts are in."""
    answering = Templates(lambda line: f"{line}: {line}\n", lambda line: (line, None))
    _, entries = bounded_of(answering)
    room = vars(entries)["_room"]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(1000, 2000):
            line = " ".join(pattern.format(f"{number}a", letter) for letter in "abcdefgh")
            answering.answers([line], BY_TEXT)
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert len(entries) == 1000
    assert taken < room - vars(entries)["_room"] < 3 * taken


def test_a_bounded_dictionary() -> None:
    """Its entries never take more than they may, however often one of them is replaced."""
    chance = Random(3)
    bounded = Bounded[int, int](lambda key, value: value, 100)
    for _ in range(1000):
        key, value = chance.randrange(6), chance.randint(1, 60)
        bounded[key] = value
        assert bounded[key] == value
        assert sum(bounded.values()) <= 100
    bounded.clear()
    bounded[7] = 1000
    assert bounded == {7: 1000}


def test_a_full_cache_is_emptied() -> None:
    """A cache never has more entries than it may, and finds what it does not have."""
    found: list[int] = []

    def find(key: int) -> int:
        found.append(key)
        return key * key

    cache = Cache(find, 3)
    assert [cache[key] for key in (1, 2, 1, 3, 4, 4, 1)] == [1, 4, 1, 9, 16, 16, 1]
    assert found == [1, 2, 3, 4, 1]
    assert dict(cache) == {4: 16, 1: 1}
