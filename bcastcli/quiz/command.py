"""The command that asks practice questions, names likely mistakes, and prints handouts."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from secrets import randbelow

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import Color, UsageError, interruptible, is_terminal, terminal, write
from bcastcli.cli.options import Group, flag, option
from bcastcli.cli.standard_input import read_line, refuse_closed
from bcastcli.core.rule import Rule
from bcastcli.quiz.drawing import levels_of, quiz
from bcastcli.quiz.exercises import ZEROS, Exercise, Level
from bcastcli.quiz.game import Console, Game
from bcastcli.render import Format, Terminal, module
from bcastcli.rules import completed, named

SUMMARY = "Take a quiz: practice questions with explanations; --sheet prints a handout"
_HELP = """Ask practice questions about broadcasting, and explain the likely mistake behind a wrong
reply.

A reply is the shape of the result, such as 2,3 or (2, 3), or () for a scalar; or mismatch. Some
questions ask for a number or the letter of a line. ? shows a hint, skip the answer, q ends. At a
terminal there is a second try after a hint. The same seed asks the same questions.

\b
Examples:
  bcastcli quiz
  bcastcli quiz --rule ncnn --level missing-axes --count 5
  bcastcli quiz --seed 7 --sheet > sheet.txt
  bcastcli quiz --seed 7 -f html --slides > slides.html
  bcastcli quiz --seed 7 -f gift > moodle.txt"""
_EPILOG = "Exit status: 0 whatever the score; 130 after Ctrl-C, which also shows the score."
_MAX_QUESTIONS = 100


SheetFormat = StrEnum("SheetFormat", ["TEXT", "HTML", "GIFT"])
"""The formats of a handout."""
Key = StrEnum("Key", ["NONE", "ONLY", "BELOW"])
"""Where the key of a handout is."""


class Asked(Group):
    """The questions, and the handout that they make."""

    rule: Rule = option(
        "--rule", "The rule to ask about.", "RULE", named, default="numpy", autocompletion=completed
    )
    level: Level = option(
        "--level",
        "The kind of questions; mixed: all levels of the rule, the easy ones first.",
        default=Level.MIXED,
    )
    count: int = option("--count", "How many questions.", default=10, min=1, max=_MAX_QUESTIONS)
    seed: int | None = option("--seed", "Repeat the quiz with this seed.", min=0)
    sheet: bool = flag("--sheet", "Print a handout with the key below it.")
    key: Key | None = option("--key", "The key of the handout; default: below.")
    output: SheetFormat | None = option(
        "--format -f", "The format of the handout; default: text. gift is for Moodle."
    )
    slides: bool = flag("--slides", "With -f html: a slide for each question and each answer.")
    color: Color = option("--color", "When to use color.", default=Color.AUTO)


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("quiz", _quiz, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _quiz(asked: Asked) -> None:
    """Ask questions, or print a handout of them."""
    rule, level = asked.rule, asked.level
    levels = levels_of(rule)
    if level is not Level.MIXED and level not in levels:
        raise UsageError(
            f"the rule {rule.name} has no questions of level {level}; "
            f"its levels are {', '.join(each for each in levels if each != ZEROS)}"
        )
    seed = randbelow(10**6) if asked.seed is None else asked.seed
    exercises = quiz(rule, level, seed, asked.count)
    if asked.sheet or asked.key or asked.output or asked.slides:
        write(_handout(asked, exercises, seed))
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


def _handout(asked: Asked, exercises: Sequence[Exercise], seed: int) -> str:
    """Return the handout as text."""
    from bcastcli.quiz import handout  # for teachers only

    key, output = asked.key, asked.output
    if asked.slides and output is not SheetFormat.HTML:
        raise UsageError("--slides makes a page: add -f html")
    if output is SheetFormat.GIFT:
        if key:
            raise UsageError("--key has no effect with -f gift: every card contains its answer")
        return handout.gift(exercises, seed)
    parts = handout.Parts(questions=key is not Key.ONLY, key=key is not Key.NONE)
    if output is SheetFormat.HTML:
        page = handout.slides if asked.slides else handout.page
        return page(exercises, seed, parts)
    text: str = module(Format.TABLE).show(handout.sheet(exercises, seed, parts), Terminal())
    return text
