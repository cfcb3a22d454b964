"""The interactive quiz: questions, replies, hints and the score."""

from collections import Counter
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import NamedTuple

from bcastcli.core.rule import Rule
from bcastcli.quiz.comments import comment
from bcastcli.quiz.drawing import practice
from bcastcli.quiz.exercises import (
    Exercise,
    Kind,
    Reply,
    text_of,
)
from bcastcli.quiz.handout import count_of, introduction
from bcastcli.quiz.mistakes import matching_mistakes
from bcastcli.quiz.replies import InvalidReplyError, Request, read
from bcastcli.render import Terminal
from bcastcli.render.lines import lines
from bcastcli.render.sheet import Cell, Grid, Sheet
from bcastcli.render.user_text import escaped
from bcastcli.reports.tables import axis_header, operand_rows, sign

_MAX_REPLY_BYTES = 1 << 12
_MAX_MISTAKES = 5
_WIDTH = 80
_PROMPT = "> "


class Console(NamedTuple):
    """Where the quiz is played."""

    read_line: Callable[[int], bytes]
    """Returns the next line of at most this many bytes; nothing at the end."""
    write: Callable[[str], None]
    style: Callable[[str, str], str]
    """Returns a word in a color, if colors are shown."""
    columns: Callable[[], int | None]
    is_terminal: bool
    """Whether replies are typed at a terminal."""


class _EndedError(Exception):
    """The player wants no more questions, or there are no more replies."""


class Game:
    """A quiz that is played: its questions, and how they were answered."""

    def __init__(
        self, exercises: Sequence[Exercise], seed: int, rule: Rule, console: Console
    ) -> None:
        self._exercises = exercises
        self._seed = seed
        self._rule = rule
        self._console = console
        self._asked = self._right = self._late = 0
        self._mistakes: Counter[str] = Counter()
        self._has_quit = False

    def play(self) -> None:
        """Ask the questions as long as there are replies, and show the score."""
        self._say(f"{count_of(self._exercises)}, seed {self._seed}")
        for text in introduction(self._exercises):
            self._say(text)
        end = "Ctrl-D or q ends" if self._console.is_terminal else "q ends"
        self._say(f"? shows a hint, skip shows the answer; {end}.")
        try:
            for number, exercise in enumerate(self._exercises, start=1):
                question, *choices = exercise.question
                self._console.write("\n")
                self._say(f"{number}. {question}", indent=3)
                for choice in choices:
                    self._say(f"   {choice}", indent=6)
                self._ask(exercise)
        except _EndedError:
            pass
        finally:
            self._sum_up()

    def _ask(self, exercise: Exercise) -> None:
        """Ask one question, with a second try at a terminal."""
        reply = self._reply(exercise)
        self._asked += 1
        if reply == exercise.right:
            self._right += 1
        elif reply is not None:
            self._refute(exercise, reply)
            if self._console.is_terminal:
                self._give_hint(exercise)
                reply = self._reply(exercise)
                if reply == exercise.right:
                    self._late += 1
                elif reply is not None:
                    self._refute(exercise, reply)
        if reply == exercise.right:
            self._say(f"right: {exercise.explanation}", tone="green")
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
            except InvalidReplyError as error:
                self._say(str(error))
                if not self._console.is_terminal:
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
            if self._console.is_terminal:
                self._console.write(_PROMPT)
            line = self._console.read_line(_MAX_REPLY_BYTES)
            text = line.decode("utf-8", "backslashreplace").strip()
            if not line:
                if self._console.is_terminal:
                    self._console.write("\n")
                raise _EndedError
            if text:
                if not self._console.is_terminal:
                    self._say(f"{_PROMPT}{escaped(text)}")
                return text

    def _refute(self, exercise: Exercise, reply: Reply) -> None:
        """Show what is wrong with a reply, and what may have led to it."""
        self._mistakes.update(each.name for each in matching_mistakes(exercise, reply))
        said = comment(exercise, reply)
        may = f"{'one of these' if len(said.causes) > 1 else 'this'} may have led to it:"
        self._say(f"not quite: {said.fact or may}", tone="red")
        if said.causes and said.fact:
            self._say(may.capitalize())
        for cause in said.causes:
            self._say(f"- {cause}", indent=2)

    def _give_hint(self, exercise: Exercise) -> None:
        self._say(f"hint: {exercise.hint}")
        if exercise.hint.endswith(":"):
            self._show_aligned(exercise, signs=False)

    def _show_answer(self, exercise: Exercise) -> None:
        """Show the right reply, and how the operands line up."""
        self._show_aligned(exercise, signs=True)
        self._say(f"{text_of(exercise.right)}: {exercise.explanation}")

    def _show_aligned(self, exercise: Exercise, *, signs: bool) -> None:
        answer = exercise.answer
        if exercise.is_of_lines:
            answer = exercise.lettered[str(exercise.right)]
        if exercise.kind is Kind.RESHAPE or not answer.axes:
            return
        below = ((Cell(), *map(sign, answer.axes)),) if signs else ()
        bodies = (operand_rows(answer), below)
        columns = range(1, len(answer.axes) + 1)
        grid = Grid(axis_header(answer), bodies, columns, ruled=False)
        for row in lines(Sheet("", "", (grid,)), Terminal()):
            self._console.write(f"  {''.join(cell.text for cell in row)}\n")

    def _sum_up(self) -> None:
        """Show the score, the likely mistakes, and what to practise next."""
        later = f", {self._late} more on the second try" if self._late else ""
        if not self._has_quit:
            self._console.write("\n")
        self._say(f"{self._right} of {self._asked} right{later}; seed {self._seed}")
        if not self._mistakes:
            return
        most = self._mistakes.most_common(_MAX_MISTAKES)
        counted = ", ".join(f"{name} ({number})" for name, number in most)
        self._say(f"Likely mistakes: {counted}", indent=2)
        level = practice(self._rule, most[0][0])
        self._say(f"Practise next with: bcastcli quiz --rule {self._rule.name} --level {level}")

    def _say(self, text: str, *, indent: int = 0, tone: str = "") -> None:
        """Write lines no longer than the terminal is wide, with what the colon ends in a color."""
        width = min(self._console.columns() or _WIDTH, _WIDTH)
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
        if tone:
            word = self._console.style(word, tone)
        self._console.write(f"{word}{colon}{rest}\n")
