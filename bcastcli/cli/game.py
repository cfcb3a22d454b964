"""A quiz that is played: questions, replies, hints, and the score at the end."""

import sys
from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

import typer

from bcastcli.analysis.quiz import practice
from bcastcli.analysis.quiz_exercises import (
    OF_LINES,
    Exercise,
    Kind,
    Reply,
    hint,
    lettered,
    posed,
    text_of,
    why,
)
from bcastcli.analysis.quiz_slips import explained, fitting
from bcastcli.cli.console import Color, is_terminal, terminal, write
from bcastcli.cli.replies import Request, UnreadableError, read
from bcastcli.cli.standard_input import read_line
from bcastcli.core.rule import Rule
from bcastcli.render import Terminal
from bcastcli.render.lines import lines
from bcastcli.render.sheet import Cell, Grid, Sheet
from bcastcli.render.user_text import escaped
from bcastcli.reports.handout import count_of, introduction
from bcastcli.reports.tables import axis_header, operand_rows, sign

_MAX_REPLY_BYTES = 1 << 12
_MAX_SLIPS = 5
_WIDTH = 80
_PROMPT = "> "


class _EndedError(Exception):
    """The player wants no more questions, or there are no more replies."""


class Game:
    """A quiz that is played: its questions, and how they were answered."""

    def __init__(self, exercises: Sequence[Exercise], seed: int, rule: Rule, color: bool) -> None:
        self._exercises = exercises
        self._seed = seed
        self._rule = rule
        self._color = color
        self._at_terminal = is_terminal(sys.stdin)
        self._asked = self._right = self._late = 0
        self._slips: Counter[str] = Counter()
        self._has_quit = False

    def play(self) -> None:
        """Ask the questions as long as there are replies, and show the score."""
        self._say(f"{count_of(self._exercises)}, seed {self._seed}")
        for text in introduction(self._exercises):
            self._say(text)
        end = "Ctrl-D or q ends" if self._at_terminal else "q ends"
        self._say(f"? shows a hint, skip shows the answer; {end}.")
        try:
            for number, exercise in enumerate(self._exercises, start=1):
                question, *choices = posed(exercise)
                write("\n")
                self._say(f"{number}. {question}", indent=3)
                for choice in choices:
                    self._say(f"   {choice}", indent=6)
                self._ask(exercise)
        except _EndedError:
            pass
        finally:
            self._sum_up()

    def _ask(self, exercise: Exercise) -> None:
        """Have a question answered, at a terminal at the second try at the latest."""
        reply = self._reply(exercise)
        self._asked += 1
        if reply == exercise.right:
            self._right += 1
        elif reply is not None:
            self._refute(exercise, reply)
            if self._at_terminal:
                self._give_hint(exercise)
                reply = self._reply(exercise)
                if reply == exercise.right:
                    self._late += 1
                elif reply is not None:
                    self._refute(exercise, reply)
        if reply == exercise.right:
            self._say(f"right: {why(exercise)}", tone="green")
        else:
            self._show_answer(exercise)

    def _reply(self, exercise: Exercise) -> Reply | None:
        """Return the next reply; None where the question is passed over.

        People are asked again if they type none; in a pipe the next line is for the next question.
        """
        while True:
            text = self._typed()
            try:
                reply = read(text, exercise)
            except UnreadableError as error:
                self._say(str(error))
                if not self._at_terminal:
                    return None
                continue
            if reply is Request.HINT:
                self._give_hint(exercise)
            elif reply is Request.SKIP:
                return None
            elif isinstance(reply, Request):
                self._has_quit = True
                raise _EndedError
            else:
                return reply

    def _typed(self) -> str:
        """Return the next line that is not empty."""
        while True:
            if self._at_terminal:
                write(_PROMPT)
            line = read_line(_MAX_REPLY_BYTES)
            text = line.decode("utf-8", "backslashreplace").strip()
            if not line:
                if self._at_terminal:
                    write("\n")
                raise _EndedError
            if text:
                if not self._at_terminal:
                    self._say(f"{_PROMPT}{escaped(text)}")
                return text

    def _refute(self, exercise: Exercise, reply: Reply) -> None:
        """Say what is wrong with a reply, and what may have led to it."""
        self._slips.update(slip.name for slip in fitting(exercise, reply))
        explanation = explained(exercise, reply)
        may = f"{'one of these' if len(explanation.causes) > 1 else 'this'} may have led to it:"
        self._say(f"not quite: {explanation.fact or may}", tone="red")
        if explanation.causes and explanation.fact:
            self._say(may.capitalize())
        for cause in explanation.causes:
            self._say(f"- {cause}", indent=2)

    def _give_hint(self, exercise: Exercise) -> None:
        self._say(f"hint: {hint(exercise)}")
        if hint(exercise).endswith(":"):
            self._show_aligned(exercise, signs=False)

    def _show_answer(self, exercise: Exercise) -> None:
        """Show the right reply, and how the operands line up."""
        self._show_aligned(exercise, signs=True)
        self._say(f"{text_of(exercise.right)}: {why(exercise)}")

    def _show_aligned(self, exercise: Exercise, *, signs: bool) -> None:
        answer = exercise.answer
        if exercise.kind in OF_LINES:
            answer = dict(lettered(exercise))[str(exercise.right)]
        if exercise.kind is Kind.RESHAPE or not answer.axes:
            return
        below = ((Cell(), *map(sign, answer.axes)),) if signs else ()
        bodies = (operand_rows(answer), below)
        columns = range(1, len(answer.axes) + 1)
        grid = Grid(axis_header(answer, "axis"), bodies, columns, ruled=False)
        for row in lines(Sheet("", "", (grid,)), Terminal()):
            write(f"  {''.join(cell.text for cell in row)}\n")

    def _sum_up(self) -> None:
        """Show the score, the slips, and what to practise next."""
        later = f", {self._late} more at the second try" if self._late else ""
        if not self._has_quit:
            write("\n")
        self._say(f"{self._right} of {self._asked} right{later}; seed {self._seed}")
        if not self._slips:
            return
        slips = self._slips.most_common(_MAX_SLIPS)
        counted = ", ".join(f"{name} ({number})" for name, number in slips)
        self._say(f"Slips that fit your replies: {counted}", indent=2)
        level = practice(self._rule, slips[0][0])
        self._say(f"Practise next: bcastcli quiz --rule {self._rule.name} --level {level}")

    def _say(self, text: str, *, indent: int = 0, tone: str = "") -> None:
        """Write lines no longer than the terminal is wide, with what the colon ends in a color."""
        width = min(terminal(Color.AUTO).columns or _WIDTH, _WIDTH)
        start = " " * (len(text) - len(text.lstrip(" ")))
        rows = wrap(
            text.strip(" "),
            width,
            initial_indent=start,
            subsequent_indent=" " * indent,
            break_on_hyphens=False,
        )
        filled = "\n".join(rows)
        word, colon, rest = filled.partition(":")
        if tone and self._color:
            word = typer.style(word, fg=tone, bold=True)
        write(f"{word}{colon}{rest}\n")
