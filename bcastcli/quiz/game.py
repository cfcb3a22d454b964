"""The interactive quiz: questions, replies, hints and the score."""

from collections import Counter
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import NamedTuple

from bcastcli.core.rule import Rule
from bcastcli.quiz.comments import comment
from bcastcli.quiz.drawing import practice
from bcastcli.quiz.exercises import Exercise, Reply, count_of, introduction, text_of
from bcastcli.quiz.mistakes import matching_mistakes, scores
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
    """The streams on which the quiz is played."""

    read_line: Callable[[int], bytes]
    """Returns the next line, up to this many bytes; empty at the end."""
    write: Callable[[str], None]
    style: Callable[[str, str], str]
    """Returns a word in a color, if colors are shown."""
    columns: Callable[[], int | None]
    is_terminal: bool
    """Whether replies are typed at a terminal."""


class _EndedError(Exception):
    """The player quits, or the replies end."""


class Game:
    """A quiz in progress: its questions and the replies to them."""

    def __init__(
        self, exercises: Sequence[Exercise], seed: int, rule: Rule, console: Console
    ) -> None:
        self._exercises, self._seed, self._rule = exercises, seed, rule
        self._console = console
        self._played: list[tuple[Exercise, Reply]] = []
        self._tries: list[int] = []
        """The try at each question that was right; 0 without one."""

    def play(self) -> None:
        """Ask the questions as long as there are replies, and show the score."""
        self._say(f"{count_of(self._exercises)}, seed {self._seed}")
        for text in introduction(self._exercises):
            self._say(text)
        end = "q or Ctrl-D ends" if self._console.is_terminal else "q ends"
        self._say(f"Type ? for a hint, or skip for the answer; {end} the quiz.")
        try:
            for number, exercise in enumerate(self._exercises, start=1):
                question, *choices = exercise.question()
                self._console.write("\n")
                self._say(f"{number}. {question}", indent=3)
                for choice in choices:
                    self._console.write(f"   {choice}\n")
                self._ask(exercise)
        except _EndedError:
            pass
        finally:
            self._sum_up()

    def _ask(self, exercise: Exercise) -> None:
        """Ask a question, twice at a terminal, and note which try was right."""
        for number in (1, 2) if self._console.is_terminal else (1,):
            if number == 2:
                self._give_hint(exercise)
            reply = self._reply(exercise)
            if number == 1:
                self._tries.append(0)
            if isinstance(reply, Request):
                break
            self._played.append((exercise, reply))
            if exercise.accepts(reply):
                self._say(f"right: {exercise.explanation()}", tone="green")
                self._tries[-1] = number
                return
            self._refute(exercise, reply)
        self._show_answer(exercise)

    def _reply(self, exercise: Exercise) -> Reply | Request:
        """Return the next reply, or the request for the answer.

        At a terminal, an invalid reply is asked for again; in a pipe it counts as skipped.
        """
        while True:
            text = self._typed()
            try:
                reply = read(text, exercise)
            except InvalidReplyError as error:
                self._say(str(error))
                if not self._console.is_terminal:
                    return Request.SKIP
                continue
            if reply is Request.HINT:
                self._give_hint(exercise)
            elif reply is Request.QUIT:
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
        """Show a fact that refutes a reply, and the mistakes that may have led to it."""
        said = comment(exercise, reply, scores(self._played))
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
        """Show the right reply and the alignment of the operands."""
        self._show_aligned(exercise, signs=True)
        self._say(f"{text_of(exercise.right)}: {exercise.explanation()}")

    def _show_aligned(self, exercise: Exercise, *, signs: bool) -> None:
        answer = exercise.shown
        if not answer.axes:
            return
        below = ((Cell(), *map(sign, answer.axes)),) if signs else ()
        bodies = (operand_rows(answer), below)
        columns = range(1, len(answer.axes) + 1)
        grid = Grid(axis_header(answer), bodies, columns, ruled=False)
        for row in lines(Sheet("", "", (grid,)), Terminal()):
            self._console.write(f"  {''.join(cell.text for cell in row)}\n")

    def _sum_up(self) -> None:
        """Show the score, the likely mistakes, and the level to practise next."""
        self._console.write("\n")
        late = self._tries.count(2)
        later = f", {late} more on a second try" if late else ""
        right = f"{self._tries.count(1)} of {len(self._tries)} right{later}"
        self._say(f"{right}; seed {self._seed}")
        scored = scores(self._played)
        found = (matching_mistakes(*each, scored)[:1] for each in self._played)
        mistakes = Counter(likeliest.name for [likeliest] in filter(None, found))
        if not mistakes:
            return
        most = mistakes.most_common(_MAX_MISTAKES)
        counted = ", ".join(f"{name} ({number})" for name, number in most)
        self._say(f"Likely mistakes: {counted}", indent=2)
        level = practice(self._rule, most[0][0])
        self._say(f"Practise next with: bcastcli quiz --rule {self._rule.name} --level {level}")

    def _say(self, text: str, *, indent: int = 0, tone: str = "") -> None:
        """Write lines that fit the terminal; a tone colors the text before the colon."""
        width = min(self._console.columns() or _WIDTH, _WIDTH)
        rows = wrap(text, width, subsequent_indent=" " * indent, break_on_hyphens=False)
        word, colon, rest = "\n".join(rows).partition(":")
        if tone:
            word = self._console.style(word, tone)
        self._console.write(f"{word}{colon}{rest}\n")
