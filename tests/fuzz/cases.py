"""Hostile command lines and inputs; each follows from a seed and its number.

Commands, options and values are those that the app itself offers, so a new command is met here
without a change.
"""

import os
from random import Random
from typing import NamedTuple

from bcastcli.rules import RULES
from tests.fuzz import hostile
from tests.fuzz.offered import Command, commands
from tests.fuzz.questions import question

MAX_LINES = 300
MAX_SHOWN = 5000
MAX_ARGUMENTS = 100_000
"""Systems give a process no more than 2 MB of them."""
ONE_LINE_FORMATS = ("plain", "json")
_ENVIRONMENTS: tuple[dict[str, str], ...] = (
    *({}, {}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": "xterm", "COLUMNS": "20"}),
    *({"FORCE_COLOR": "1"}, {"COLUMNS": "-1"}, {"COLUMNS": "x", "TERM": "\x1b[4242m"}),
)
_ENCODINGS = ("utf-8", "utf-8", "utf-8", "ascii", "latin-1")


class Case(NamedTuple):
    """A command line, and what it meets."""

    arguments: list[str]
    data: bytes = b""
    """What is on standard input."""
    environment: dict[str, str] | None = None
    encoding: str = "utf-8"
    terminal: bool = False
    """Whether standard output is one."""
    counted: str | None = None
    """The format in which each question on standard input has one line for its answer."""

    @property
    def may_color(self) -> bool:
        asked = any("always" in argument for argument in self.arguments)
        return asked or self.terminal or "FORCE_COLOR" in (self.environment or {})

    @property
    def may_tab(self) -> bool:
        # The list of operators and a history part their columns so in format plain too.
        # Topics of the help show formats with tabs.
        return self.arguments[:1] in (["op"], ["help"])

    def __str__(self) -> str:
        text = (
            f"run({self.arguments!a}, {self.data!r}, environment={self.environment}, "
            f"encoding={self.encoding!r}, terminal={self.terminal})"
        )
        return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


NOT_ON_LINES = {"--op"}
"""Options about steps, pictures and pages, which lines have not: to give one is a usage error."""


def lines(seed: int, number: int) -> Case:
    """Many lines for a rule, in one of its formats."""
    random = Random(f"lines {seed} {number}")
    rule = random.choice(list(RULES))
    [command] = [each for each in commands() if each.name == rule]
    form = "plain"
    flags = False
    options = []
    having_effect = [each for each in command.options if not {*each.names} & NOT_ON_LINES]
    for option in random.sample(having_effect, k=random.randrange(4)):
        if option.values is not None:
            own = ("ncnn", "numpy") if "--order" in option.names else ("0", "1", "2")
            value = random.choice(option.values or own)
            form = value if "--format" in option.names else form
            options.append([option.names[-1], value])
        elif random.random() < 0.05:
            flags = True
            options.append([option.names[0]])
    options += random.choice(([], [["-"]]))
    random.shuffle(options)
    most = MAX_LINES if form in ONE_LINE_FORMATS else 10
    asked = [hostile.line(random, rule) for _ in range(random.randrange(1, most))]
    asked += random.choices(asked, k=len(asked) // 5)
    end = random.choice((b"\n", b"\n", b"\n", b"\r\n"))
    data = random.choice((b"", b"", b"\xef\xbb\xbf")) + end.join(asked) + random.choice((b"", end))
    return Case(
        [rule, *(word for option in options for word in option)],
        data,
        counted=form if form in ONE_LINE_FORMATS and not flags else None,
    )


def command_line(seed: int, number: int) -> Case:
    """Arguments of every kind, in any order, with a few lines to read."""
    random = Random(f"command {seed} {number}")
    alone, *named = commands()
    command = random.choice(named)
    count = random.choice((0, 1, 2, 2, 3, 3, 4, 8))
    words = [word for _ in range(count) for word in _word(random, command)]
    if random.random() < 0.01:
        many = _argument(hostile.enormous(random)).split(random.choice((" ", None, "\n")))
        words += many[:MAX_ARGUMENTS]
    if random.random() < 0.95:
        words.insert(0, command.name)
    if random.random() < 0.1:
        words = [*_option(random, alone), *words]
    return Case(
        words,
        b"\n".join(hostile.line(random, command.name) for _ in range(random.randrange(4))),
        random.choice(_ENVIRONMENTS),
        random.choice(_ENCODINGS),
        random.random() < 0.2,
    )


def _word(random: Random, command: Command) -> list[str]:
    """An argument, or an option with its value; mostly such as the command takes."""
    kind = random.random()
    if kind < 0.35:
        return question(random, command.name).split(" ")
    if kind < 0.5:
        return _option(random, command)
    if kind < 0.65:
        return [random.choice(command.values or ("2,3", "-1,3", "N,3", "", "-", "--"))]
    if kind < 0.8:
        return [_argument(hostile.piece(random)), *_option(random, command)]
    return [_argument(hostile.line(random, command.name))]


def _option(random: Random, command: Command) -> list[str]:
    """An option, with or without a value, in one of the ways in which it may be typed."""
    option = random.choice(command.options)
    name = random.choice(option.names)
    own = option.values or ()
    values = [*own, *own, "-1", "0", "1", "1000k", "numpy"]
    value = random.choice((*values, _argument(hostile.piece(random))))
    if option.values is None and random.random() < 0.9:
        return [name]
    return random.choice(
        ([name, value], [name, value], [f"{name}={value}"], [name + value], [name])
    )


def _argument(data: bytes) -> str:
    """Bytes as the argument that a process is given for them."""
    return os.fsdecode(data.replace(b"\0", b""))
