"""The command that asks practice questions, or prints them as a sheet or as cards."""

import sys
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from secrets import randbelow
from textwrap import wrap
from typing import NamedTuple

import typer

from bcastcli.cli.commands import typer_app
from bcastcli.cli.console import (
    Color,
    UsageError,
    interruptible,
    is_terminal,
    read_line,
    refuse_closed,
    terminal,
    write,
)
from bcastcli.cli.options import Group, flag, option
from bcastcli.quiz import handout
from bcastcli.quiz.drawing import Level, Subject, levels_of, quiz, subject
from bcastcli.quiz.mistakes import Mistake, wrong_replies
from bcastcli.quiz.questions import Exercise, InvalidReplyError, Reply, Request, read, text_of
from bcastcli.render import Terminal
from bcastcli.render.sheet import Cell, Grid, Sheet
from bcastcli.render.table import lines
from bcastcli.render.user_text import escaped
from bcastcli.reports.tables import axis_header, operand_rows, sign
from bcastcli.rules import completed

SUMMARY = "Take a quiz: practice questions with explanations; --sheet prints a handout"
_HELP = """Ask practice questions about broadcasting, and explain the likely mistake behind a wrong
reply.

A reply is the shape of the result, such as 2,3 or (2, 3), or () for a scalar; or mismatch. Some
questions ask for the letter of a line. ? shows a hint, skip the answer, q ends. At a
terminal there is a second try after a hint. The same seed asks the same questions.

\b
Examples:
  bcastcli quiz
  bcastcli quiz --rule ncnn --level missing-axes --count 5
  bcastcli quiz --seed 7 --sheet > sheet.txt
  bcastcli quiz --seed 7 -f gift > moodle.txt"""
_EPILOG = "Exit status: 0 whatever the score; 130 after Ctrl-C, which also shows the score."
_MAX_QUESTIONS = 100
_MAX_REPLY_BYTES = 1 << 12
_WIDTH = 80
_PROMPT = "> "

SheetFormat = StrEnum("SheetFormat", ["TEXT", "GIFT"])
"""The formats of a handout."""


class Asked(Group):
    """The questions, and the handout that they make."""

    rule: Subject = option(
        "--rule",
        "The rule or the framework to ask about.",
        "RULE",
        subject,
        default="numpy",
        autocompletion=completed,
    )
    level: Level = option(
        "--level",
        "The kind of questions; mixed: the first four of the rule, the easy ones first.",
        default=Level.MIXED,
    )
    count: int = option("--count", "How many questions.", default=10, min=1, max=_MAX_QUESTIONS)
    seed: int | None = option("--seed", "Repeat the quiz with this seed.", min=0)
    sheet: bool = flag("--sheet", "Print a handout with the key below it.")
    output: SheetFormat | None = option(
        "--format -f", "The format of the handout; default: text. gift is for Moodle."
    )
    color: Color = option("--color", "When to use color.", default=Color.AUTO)


def build() -> typer.Typer:
    """Return the command."""
    return typer_app("quiz", _quiz, Asked, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _quiz(asked: Asked) -> None:
    """Ask questions, or print a handout of them."""
    about = asked.rule if isinstance(asked.rule, Subject) else subject(asked.rule)
    levels = levels_of(about.rule)
    if asked.level not in (Level.MIXED, *levels):
        raise UsageError(
            f"the rule {about.rule.name} has no questions of level {asked.level}; "
            f"its levels are {', '.join(levels)}"
        )
    seed = randbelow(10**6) if asked.seed is None else asked.seed
    exercises = quiz(about, asked.level, seed, asked.count)
    if asked.output is SheetFormat.GIFT:
        write("".join(handout.cards(exercises, seed)))
    elif asked.sheet or asked.output:
        write("\n".join(handout.sheet(exercises, seed)) + "\n")
    else:
        refuse_closed()
        with interruptible():
            Game(exercises, seed, asked.color).play(about)


class _EndedError(Exception):
    """The player quits, or the replies end."""


class _Outcome(NamedTuple):
    """What came of a question."""

    right_try: int
    """The number of the try that was right; 0 if none was."""
    mistakes: list[Mistake]
    """The mistakes that may have led to wrong replies."""


class Game:
    """A quiz in progress: its questions and the replies to them."""

    def __init__(self, exercises: Sequence[Exercise], seed: int, color: Color) -> None:
        self._exercises, self._seed = exercises, seed
        self._is_typed = is_terminal(sys.stdin)
        self._has_color = terminal(color).color
        self._outcomes: list[_Outcome] = []

    def play(self, asked: Subject) -> None:
        """Ask the questions as long as there are replies, and show the score."""
        for text in handout.introduction(self._exercises, self._seed, "Type"):
            self._say(text)
        end = "q or Ctrl-D ends" if self._is_typed else "q ends"
        self._say(f"Type ? for a hint, or skip for the answer; {end} the quiz.")
        try:
            for number, exercise in enumerate(self._exercises, start=1):
                question, *choices = exercise.text()
                write("\n")
                self._say(f"{number}. {question}")
                write("".join(f"   {choice}\n" for choice in choices))
                self._outcomes.append(self._ask(exercise))
        except _EndedError:
            pass
        finally:
            self._sum_up(asked)

    def _ask(self, exercise: Exercise) -> _Outcome:
        """Ask a question, twice at a terminal, with a hint between the two replies."""
        tries = 2 if self._is_typed else 1
        wrong: list[Reply] = []
        while len(wrong) < tries:
            reply = self._reply(exercise)
            if isinstance(reply, Request):
                break
            if reply == exercise.right:
                self._say(f"right: {exercise.explanation()}", tone="green")
                return _Outcome(len(wrong) + 1, _led_to(wrong, exercise))
            wrong.append(reply)
            if len(wrong) < tries:
                self._say("not yet: try once more", tone="red")
                self._give_hint(exercise)
        answer = f"{text_of(exercise.right)}: {exercise.explanation()}"
        self._say(f"no: the answer is {answer}" if wrong else answer, tone="red" if wrong else "")
        found = _led_to(wrong, exercise)
        for mistake in found:
            self._say(f"perhaps {mistake.name}: {mistake.refutation}")
        self._show_aligned(exercise, has_signs=True)
        return _Outcome(0, found)

    def _reply(self, exercise: Exercise) -> Reply | Request:
        """The next reply, or the request for the answer.

        At a terminal, an invalid reply is asked for again; in a pipe it counts as skipped.
        """
        while True:
            try:
                reply = read(self._typed(), exercise)
            except InvalidReplyError as error:
                self._say(str(error))
                reply = Request.SKIP
                if self._is_typed:
                    continue
            if reply is Request.QUIT:
                raise _EndedError
            if reply is not Request.HINT:
                return reply
            self._give_hint(exercise)

    def _typed(self) -> str:
        """The next line that is not empty."""
        text = ""
        while not text:
            if self._is_typed:
                write(_PROMPT)
            line = read_line(_MAX_REPLY_BYTES)
            text = line.decode("utf-8", "backslashreplace").strip()
            if not line:
                write("\n" * self._is_typed)
                raise _EndedError
        if not self._is_typed:
            self._say(f"{_PROMPT}{escaped(text)}")
        return text

    def _give_hint(self, exercise: Exercise) -> None:
        self._say(f"hint: {exercise.hint}")
        if exercise.hint.endswith(":"):
            self._show_aligned(exercise, has_signs=False)

    def _show_aligned(self, exercise: Exercise, *, has_signs: bool) -> None:
        answer = exercise.shown
        axes = answer.axes or ()
        below = ((Cell(), *map(sign, axes)),) if has_signs else ()
        bodies = (operand_rows(answer), below)
        grid = Grid(axis_header(answer), bodies, range(1, len(axes) + 1), ruled=False)
        for row in lines(Sheet("", "", (grid,)), Terminal()) if axes else ():
            write(f"  {''.join(cell.text for cell in row)}\n")

    def _sum_up(self, asked: Subject) -> None:
        """Show the score, the likely mistakes, and the level to practise next."""
        tries = [outcome.right_try for outcome in self._outcomes]
        later = f", {tries.count(2)} more on a second try" if 2 in tries else ""
        write("\n")
        self._say(f"{tries.count(1)} of {len(tries)} right{later}; seed {self._seed}")
        played = [outcome.mistakes for outcome in self._outcomes if outcome.mistakes]
        # Of several that fit the replies to a question, that which fits most questions.
        fitting = Counter(mistake for found in played for mistake in found)
        likely = Counter(max(found, key=fitting.__getitem__) for found in played)
        if likely:
            counted = [f"{mistake.name} ({n})" for mistake, n in likely.most_common()]
            self._say(f"Likely mistakes: {', '.join(counted)}")
            [(most, _)] = likely.most_common(1)
            level = most.level
            self._say(f"Practise next with: bcastcli quiz --rule {asked.name} --level {level}")

    def _say(self, text: str, tone: str = "") -> None:
        """Write lines that fit the terminal; a tone colors the text before the colon."""
        columns = terminal(Color.AUTO).columns or _WIDTH  # it may change while the quiz is played
        rows = wrap(text, min(columns, _WIDTH), subsequent_indent="  ", break_on_hyphens=False)
        word, colon, rest = "\n".join(rows).partition(":")
        if tone and self._has_color:
            word = typer.style(word, fg=tone, bold=True)
        write(f"{word}{colon}{rest}\n")


def _led_to(wrong: Sequence[Reply], exercise: Exercise) -> list[Mistake]:
    """The mistakes that may have led to wrong replies, each once."""
    return list(dict.fromkeys(each for reply, each in wrong_replies(exercise) if reply in wrong))
