"""Hostile command lines and inputs, each from a seed and its number, and what must hold of them.

Commands, options and values are those that the app itself offers, so a new command is met here
without a change.
"""

import json
import os
import re
import signal
from functools import cache
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from bcastcli.cli.commands.completions import group
from bcastcli.cli.parser import COMMANDS
from bcastcli.rules import RULES
from bcastcli.stream.batch import MAX_LINE_BYTES
from tests.fuzz.questions import enormous, hostile_line, piece, question
from tests.in_memory import Ended, run

MAX_LINES = 300
MAX_SHOWN = 5000
MAX_ARGUMENTS = 100_000
"""Systems give a process no more than 2 MB of them."""
MAX_SECONDS = 60
"""Far more than any case takes: one that takes longer hangs."""
ONE_LINE_FORMATS = ("plain", "json")
NOT_ON_LINES = {"--op"}
"""Options about steps, pictures and pages, which lines have not: to give one is a usage error."""
YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
STATUS = {True: YES, False: NO, None: DEPENDS}
_ENVIRONMENTS: tuple[dict[str, str], ...] = (
    *({}, {}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": "xterm", "COLUMNS": "20"}),
    *({"FORCE_COLOR": "1"}, {"COLUMNS": "-1"}, {"COLUMNS": "x", "TERM": "\x1b[4242m"}),
)
_ENCODINGS = ("utf-8", "utf-8", "utf-8", "ascii", "latin-1")
# Those of the program itself; hostile texts have a number of four digits in theirs.
_COLORS = re.compile(r"\x1b\[[0-9]{0,2}(;[0-9]{1,2})*m")


class Option(NamedTuple):
    """An option, and what may follow it."""

    names: tuple[str, ...]
    values: tuple[str, ...] | None
    """None: it takes no value. Empty: what it takes cannot be listed."""


class Command(NamedTuple):
    """A command; the one without a name is the app itself, whose argument is a command."""

    name: str
    options: tuple[Option, ...]
    values: tuple[str, ...]
    """The words that its arguments are known to take."""


@cache
def commands() -> tuple[Command, ...]:
    """The app, and each command but `run`, which becomes another program."""
    app = group()
    context = app.make_context("bcastcli", [], resilient_parsing=True)
    named = [(name, app.get_command(context, name)) for name in COMMANDS if name != "run"]
    alone = _command("", app)._replace(values=COMMANDS)
    return (alone, *(_command(name, command) for name, command in named))


def _command(name: str, command: Any) -> Command:
    context = command.make_context(name, [], resilient_parsing=True)
    options: list[Option] = []
    values: list[str] = []
    for parameter in command.get_params(context):
        words = tuple(item.value for item in parameter.shell_complete(context, ""))
        if parameter.param_type_name == "option":
            options.append(Option(tuple(parameter.opts), None if parameter.is_flag else words))
        else:
            values += words
    return Command(name, tuple(options), tuple(values))


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

    def __str__(self) -> str:
        text = (
            f"run({self.arguments!a}, {self.data!r}, environment={self.environment}, "
            f"encoding={self.encoding!r}, terminal={self.terminal})"
        )
        return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def lines(seed: int, number: int) -> Case:
    """Many lines for a rule, in one of its formats."""
    random = Random(f"lines {seed} {number}")
    rule = random.choice(list(RULES))
    [command] = [each for each in commands() if each.name == rule]
    form, has_flags, options = "plain", False, []
    having_effect = [each for each in command.options if not {*each.names} & NOT_ON_LINES]
    for option in random.sample(having_effect, k=random.randrange(4)):
        if option.values is not None:
            own = ("ncnn", "numpy") if "--order" in option.names else ("0", "1", "2")
            value = random.choice(option.values or own)
            form = value if "--format" in option.names else form
            options.append([option.names[-1], value])
        elif random.random() < 0.05:
            has_flags = True
            options.append([option.names[0]])
    options += random.choice(([], [["-"]]))
    random.shuffle(options)
    most = MAX_LINES if form in ONE_LINE_FORMATS else 10
    given = [hostile_line(random, rule) for _ in range(random.randrange(1, most))]
    given += random.choices(given, k=len(given) // 5)
    end = random.choice((b"\n", b"\n", b"\n", b"\r\n"))
    data = random.choice((b"", b"", b"\xef\xbb\xbf")) + end.join(given) + random.choice((b"", end))
    counted = form if form in ONE_LINE_FORMATS and not has_flags else None
    return Case([rule, *(word for option in options for word in option)], data, counted=counted)


def command_line(seed: int, number: int) -> Case:
    """Arguments of every kind, in any order, with a few lines to read."""
    random = Random(f"command {seed} {number}")
    alone, *named = commands()
    command = random.choice(named)
    count = random.choice((0, 1, 2, 2, 3, 3, 4, 8))
    words = [word for _ in range(count) for word in _word(random, command)]
    if random.random() < 0.01:
        many = _argument(enormous(random)).split(random.choice((" ", None, "\n")))
        words += many[:MAX_ARGUMENTS]
    if random.random() < 0.95:
        words.insert(0, command.name)
    if random.random() < 0.1:
        words = [*_option(random, alone), *words]
    data = b"\n".join(hostile_line(random, command.name) for _ in range(random.randrange(4)))
    environment, encoding = random.choice(_ENVIRONMENTS), random.choice(_ENCODINGS)
    return Case(words, data, environment, encoding, random.random() < 0.2)


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
        return [_argument(piece(random)), *_option(random, command)]
    return [_argument(hostile_line(random, command.name))]


def _option(random: Random, command: Command) -> list[str]:
    """An option, with or without a value, in one of the ways in which it may be typed."""
    option = random.choice(command.options)
    name, own = random.choice(option.names), option.values or ()
    values = [*own, *own, "-1", "0", "1", "1000k", "numpy", _argument(piece(random))]
    value = random.choice(values)
    if option.values is None and random.random() < 0.9:
        return [name]
    return random.choice(
        ([name, value], [name, value], [f"{name}={value}"], [name + value], [name])
    )


def _argument(data: bytes) -> str:
    return os.fsdecode(data.replace(b"\0", b""))


class Hang(BaseException):
    """Raised where a case takes too long; nothing that it meets may catch it."""


def failure(case: Case) -> str | None:
    """What is wrong with what the command line does in a case; None if nothing is."""

    def hang(number: int, frame: FrameType | None) -> None:
        raise Hang(f"no end after {MAX_SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, hang)
    signal.alarm(MAX_SECONDS)
    try:
        given = case._asdict()
        del given["counted"]
        ended = run(**given)
    except (Exception, SystemExit, Hang) as error:  # nothing may escape
        return f"{type(error).__name__}: {error}"[:300]
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return _wrong(case, ended) or _miscounted(case, ended)


def _wrong(case: Case, ended: Ended) -> str | None:
    """What no command line may do, whatever it is."""
    if ended.status not in (YES, NO, MALFORMED, DEPENDS):
        return f"status {ended.status}"
    if "Traceback (most recent call last)" in ended.err:
        return f"a traceback: {ended.err[-300:]}"
    out = ended.out
    is_always = any("always" in argument for argument in case.arguments)
    if is_always or case.terminal or "FORCE_COLOR" in (case.environment or {}):
        out = _COLORS.sub("", out)
    # Operators and a history have tabs in format plain too; topics show formats with tabs.
    if case.arguments[:1] in (["op"], ["help"]):
        out = out.replace("\t", "")
    strange = [c for c in (out + ended.err).replace("\n", "") if not c.isprintable()]
    return f"not printable: {strange[0]!a}" if strange else None


def _miscounted(case: Case, ended: Ended) -> str | None:
    """What is wrong with the number of the answers, or with the status that sums them up."""
    if case.counted is None:
        return None
    numbered = enumerate(case.data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)
    questions = [number for number, line in numbered if _asks(line.removesuffix(b"\r"))]
    answers = ended.out.splitlines()
    if len(answers) != len(questions):
        return f"{len(answers)} answers to {len(questions)} questions"
    if case.counted != "json":
        return None
    objects = [json.loads(answer) for answer in answers]
    if [each["line"] for each in objects] != questions:
        return "answers to other lines"
    met = {MALFORMED if "error" in each else STATUS[each["ok"]] for each in objects}
    none = YES if "-" in case.arguments else MALFORMED
    expected = next((each for each in (MALFORMED, NO, DEPENDS, YES) if each in met), none)
    return None if ended.status == expected else f"status {ended.status}, not {expected}"


def _asks(line: bytes) -> bool:
    return len(line) > MAX_LINE_BYTES or line.lstrip(b" \t")[:1] not in (b"", b"#")
