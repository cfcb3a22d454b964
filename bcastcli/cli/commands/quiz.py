"""The command that asks, and says what is wrong with the replies."""

import sys
from collections.abc import Iterator, Sequence
from secrets import randbelow
from textwrap import fill
from typing import Annotated

import typer

from bcastcli.analysis.quiz import (
    DEPENDS,
    Level,
    Reply,
    levels_of,
    mistake,
    posed,
    quiz,
    read,
    right,
    why,
)
from bcastcli.cli.commands import built
from bcastcli.cli.console import Color, UsageError, is_terminal, read_line, terminal, write
from bcastcli.cli.options import VersionFlag, named_rule, names_of_rules
from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import written
from bcastcli.notation import text as notation
from bcastcli.notation.text import NotationError
from bcastcli.render.sheet import Cell
from bcastcli.reports.answers import heads, operand_rows, sign
from bcastcli.rules import RULES

SUMMARY = "Questions to answer by hand, and what went wrong; or a sheet of them with its key"
_HELP = f"""Ask what shapes broadcast to, and say what is wrong with a reply and what it comes of.

A reply is the shape of the result, such as 2,3 or (2, 3), or () for a scalar; or no. Where a size
is a name, it is the shape if any size will do, no if none will, and {DEPENDS} otherwise. The same
seed asks the same questions.

\b
Examples:
  bcastcli quiz
  bcastcli quiz --rule ncnn --level missing-axes --count 5
  bcastcli quiz --seed 7 --sheet > sheet.txt"""
_EPILOG = "Exit status: 0 whatever the score; after Ctrl-C 130, once the score is told."
_MAX_QUESTIONS = 100
_MAX_REPLY_BYTES = 1 << 12
_WIDTH = 80
_PROMPT = "> "
_CUT = "-" * _WIDTH


def build() -> typer.Typer:
    """The command."""
    return built("quiz", _quiz, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _quiz(
    rule: Annotated[
        Rule,
        typer.Option(
            parser=named_rule,
            metavar="RULE",
            autocompletion=names_of_rules,
            help="The rule to ask about.",
        ),
    ] = "numpy",  # type: ignore[assignment]  # the parser reads it
    level: Annotated[
        Level, typer.Option(help="The kind of questions; mixed: all kinds, the easy ones first.")
    ] = Level.MIXED,
    count: Annotated[int, typer.Option(min=1, max=_MAX_QUESTIONS, help="How many questions.")] = 10,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Repeat the quiz of this seed.", show_default=False),
    ] = None,
    sheet: Annotated[
        bool,
        typer.Option("--sheet", help="Print the questions, and the key below a line to cut at."),
    ] = False,
    color: Annotated[Color, typer.Option(help="When to use color.")] = Color.AUTO,
    version: VersionFlag = False,
) -> None:
    levels = levels_of(rule)
    if level is not Level.MIXED and level not in levels:
        raise UsageError(
            f"under {rule.name} nothing of level {level} broadcasts; "
            f"its levels are {', '.join(levels)}"
        )
    seed = randbelow(10**6) if seed is None else seed
    questions = quiz(rule, level, seed, count)
    if sheet:
        write(_sheet(questions, seed))
    elif sys.stdin is None:
        raise UsageError("standard input, where replies come from, is closed")
    else:
        _play(questions, seed, terminal(color).color)


def _sheet(questions: Sequence[Answer], seed: int) -> str:
    """The questions, and below a line to cut at the key."""
    numbered = list(enumerate(questions, start=1))
    key = (f"{number}. {_told(right(each))}: {why(each)}" for number, each in numbered)
    lines = [
        *_introduction(questions, seed),
        *(f"\n{number}. {posed(each)}" for number, each in numbered),
        f"\n{_CUT}\n",
        f"Key, seed {seed}",
        "",
        *key,
    ]
    return "".join(f"{_filled(line, _WIDTH)}\n" for line in lines)


def _introduction(questions: Sequence[Answer], seed: int) -> Iterator[str]:
    """What to know before the first question."""
    count = len(questions)
    yield f"{count} question{'s' if count > 1 else ''}, seed {seed}"
    rules = {each.rule.name for each in questions}
    yield from (f"{rule.name}: {rule.summary}" for rule in RULES.values() if rule.name in rules)
    yield "Reply with the shape of the result, such as 2,3, or () for a scalar; or with no."
    if any(each.unknown_sizes for each in questions):
        yield (
            "Where a size is a name: with the shape if any size will do, with no if none will, "
            f"otherwise with {DEPENDS}."
        )


def _play(questions: Sequence[Answer], seed: int, color: bool) -> None:
    """Ask the questions as long as there are replies, and tell the score."""
    marks = []
    for line in _introduction(questions, seed):
        _say(line)
    try:
        for number, question in enumerate(questions, start=1):
            _say(f"\n{number}. {posed(question)}")
            reply = _reply(question)
            if reply is None:
                break
            marks.append(reply == right(question))
            _mark(question, reply, color)
    finally:
        _say(f"\n{sum(marks)} right of {len(marks)}")


def _reply(question: Answer) -> Reply | NotationError | None:
    """The next reply; None at the end of the input.

    People are asked once more if it is none; in a pipe, where the next line is for the next
    question, it is what is wrong with it.
    """
    at_terminal = is_terminal(sys.stdin)
    while True:
        if at_terminal:
            write(_PROMPT)
        line = read_line(_MAX_REPLY_BYTES)
        text = line.decode("utf-8", "backslashreplace").strip()
        if not at_terminal and text:
            _say(f"{_PROMPT}{notation.printable(text)}")
        if not line:
            return None
        if not text:
            continue
        try:
            return read(text, question)
        except NotationError as error:
            if not at_terminal:
                return error
            _say(f"{error.message}; once more")


def _mark(question: Answer, reply: Reply | NotationError, color: bool) -> None:
    """Say whether a reply is right, and why."""
    result = right(question)
    if reply == result:
        _say(f"right: {why(question)}", "green" if color else "")
        return
    what = reply.message if isinstance(reply, NotationError) else mistake(question, reply)
    _say(f"wrong: {what}", "red" if color else "")
    if question.axes:
        write(_aligned(question))
    _say(f"{_told(result)}: {why(question)}")


def _told(reply: Reply) -> str:
    return reply if isinstance(reply, str) else written(reply)


def _aligned(question: Answer) -> str:
    """The operands aligned by axis, in plain text."""
    signs = (Cell(), *map(sign, question.axes or ()))
    rows = [*heads(question, "axis"), *operand_rows(question), signs]
    # The bracket that closes a ghost hangs over, so that its 1 stands below the other sizes.
    texts = [
        [cell.text if cell.text[-1:] == ")" else f"{cell.text} " for cell in row] for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = (
        "".join(
            text.rjust(width + 1) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in texts
    )
    return "".join(f"  {line.rstrip()}\n" for line in lines)


def _say(text: str, tone: str = "") -> None:
    """Write lines no longer than the terminal is wide, with what is before the colon in a color."""
    filled = _filled(text, min(terminal(Color.AUTO).columns or _WIDTH, _WIDTH))
    word, colon, rest = filled.partition(":")
    write(f"{typer.style(word, fg=tone, bold=True) if tone else word}{colon}{rest}\n")


def _filled(text: str, width: int) -> str:
    """A text as lines of at most a width; line breaks at its ends stay."""
    words = text.strip("\n")
    indent = "   " if words[:1].isdigit() else ""
    filled = fill(words, width, subsequent_indent=indent, break_on_hyphens=False)
    return text.replace(words, filled)
