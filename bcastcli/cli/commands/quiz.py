"""The command that asks practice questions, names likely mistakes, and prints handouts."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module
from secrets import randbelow

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import Color, UsageError, interruptible, is_terminal, terminal, write
from bcastcli.cli.options import Group, flag, option
from bcastcli.cli.standard_input import read_line, refuse_closed
from bcastcli.core.rule import Rule
from bcastcli.quiz.drawing import levels_of, quiz
from bcastcli.quiz.exercises import Exercise, Level
from bcastcli.quiz.game import Console, Game
from bcastcli.quiz.handout import Key, handout
from bcastcli.render import Terminal
from bcastcli.rules import completed, named

SUMMARY = "Take a quiz: practice questions with explanations; --sheet prints a handout"
_HELP = """Ask practice questions about broadcasting, and explain the likely mistake behind a wrong
reply.

A reply is the shape of the result, such as 2,3 or (2, 3), or () for a scalar; or no. Some questions
ask for a number, or for the letter of a line. ? shows a hint, skip shows the answer, q ends. At a
terminal there is a second try after a hint. The same seed asks the same questions.

\b
Examples:
  bcastcli quiz
  bcastcli quiz --rule ncnn --level missing-axes --count 5
  bcastcli quiz --seed 7 --sheet > sheet.txt
  bcastcli quiz --seed 7 -f gift > moodle.txt"""
_EPILOG = "Exit status: 0 whatever the score; 130 after Ctrl-C, which also shows the score."
_MAX_QUESTIONS = 100


class SheetFormat(StrEnum):
    """The formats of a handout."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    GIFT = "gift"
    CSV = "csv"


class Asked(Group):
    """The questions, and the handout that they make."""

    rule: Rule = option(
        "--rule",
        "The rule to ask about.",
        "RULE",
        named,
        default="numpy",
        autocompletion=completed,
    )
    level: Level = option(
        "--level",
        "The kind of questions; mixed: all kinds, the easy ones first.",
        default=Level.MIXED,
    )
    count: int = option("--count", "How many questions.", default=10, min=1, max=_MAX_QUESTIONS)
    seed: int | None = option("--seed", "Repeat the quiz with this seed.", min=0)
    sheet: bool = flag("--sheet", "Print a handout with the key below it.")
    key: Key | None = option("--key", "The key of the handout; default: below.")
    output: SheetFormat | None = option(
        "--format -f", "The format of the handout; default: text. gift is for Moodle."
    )
    color: Color = option("--color", "When to use color.", default=Color.AUTO)


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("quiz", _quiz, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _quiz(asked: Asked) -> None:
    """Ask questions, or print a handout of them."""
    rule, level, key, output = asked.rule, asked.level, asked.key, asked.output
    levels = levels_of(rule)
    if level is not Level.MIXED and level not in levels:
        raise UsageError(
            f"the rule {rule.name} has no questions of level {level}; "
            f"its levels are {', '.join(levels)}"
        )
    seed = randbelow(10**6) if asked.seed is None else asked.seed
    exercises = quiz(rule, level, seed, asked.count)
    if asked.sheet or key or output:
        write(_handout(exercises, seed, key, output or SheetFormat.TEXT))
    else:
        refuse_closed()
        with interruptible():
            Game(exercises, seed, rule, _console(asked.color)).play()


def _console(color: Color) -> Console:
    """Return the standard streams."""
    colors = terminal(color).color

    def style(word: str, tone: str) -> str:
        return typer.style(word, fg=tone, bold=True) if colors else word

    def columns() -> int | None:
        return terminal(Color.AUTO).columns  # it may change while the quiz is played

    return Console(read_line, write, style, columns, is_terminal(sys.stdin))


def _handout(exercises: Sequence[Exercise], seed: int, key: Key | None, output: SheetFormat) -> str:
    """Return the handout as text."""
    if output in (SheetFormat.GIFT, SheetFormat.CSV):
        if key:
            raise UsageError(
                f"--key has no effect with --format {output}: every card contains its answer"
            )
        from bcastcli.quiz import cards  # for teachers only

        if output is SheetFormat.CSV:
            return cards.csv(exercises)
        return cards.gift(exercises, seed)
    if output is SheetFormat.HTML:
        from bcastcli.quiz.page import page  # for teachers only

        return page(exercises, seed, key or Key.BELOW)
    name = "table" if output is SheetFormat.TEXT else output
    text: str = import_module(f"bcastcli.render.{name}").show(
        handout(exercises, seed, key or Key.BELOW), Terminal()
    )
    return text
