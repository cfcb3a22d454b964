"""The command that asks practice questions, or prints them as a sheet or as cards."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from secrets import randbelow
from textwrap import fill

import typer

from bcastcli.cli import console
from bcastcli.cli.commands import typer_app
from bcastcli.cli.options import Group, flag, option, whole_number
from bcastcli.core.shapes import Writes, written
from bcastcli.core.wording import joined_with_and
from bcastcli.quiz import SUMMARY, questions
from bcastcli.quiz.drawing import Level, Subject, levels_of, quiz, subject
from bcastcli.quiz.questions import DEPENDS, NO, Exercise, Reply, Request, text_of, wrong_replies
from bcastcli.render import escaped
from bcastcli.render.sheet import page_shape
from bcastcli.reports.tables import axis_header, operand_rows, sign
from bcastcli.rules import completed

_HELP = """Ask practice questions about broadcasting, and explain mistakes; or print them
for a class.

Examples:
  bcastcli quiz
  bcastcli quiz --seed 7 --sheet > sheet.txt
  bcastcli quiz --seed 7 -f gift > moodle.txt"""
_EPILOG = "Exit status: 0 whatever the score."
_MAX_REPLY_BYTES = 1 << 12
_MAX_WRONG = 4
"""The most wrong choices on a card."""
_WIDTH = 80
SheetFormat = StrEnum("SheetFormat", ["TEXT", "GIFT"])
"""The formats of a handout."""


class QuizOptions(Group):
    """The questions, and the handout that they make."""

    rule: Subject = option(
        "--rule",
        "The rule or framework; default: numpy.",
        "RULE",
        subject,
        "numpy",
        autocompletion=completed,
    )
    level: Level = option(
        "--level",
        "mixed, missing-axes, ones, both-sides, several-operands, symbols or zeros.",
        "LEVEL",
        default=Level.MIXED,
    )
    count: int = option(
        "--count", "How many questions; default: 10.", "N", whole_number(1, 100), 10
    )
    seed: int | None = option(
        "--seed", "The same number asks the same questions.", "N", whole_number(0)
    )
    sheet: bool = flag("--sheet", "Print the questions, then the key.")
    output: SheetFormat | None = option(
        "--format -f", "Print them as text or gift (for Moodle).", "FORMAT"
    )


def build() -> typer.Typer:
    """The command."""
    return typer_app("quiz", _quiz, QuizOptions, help=_HELP, short_help=SUMMARY, epilog=_EPILOG)


def _quiz(options: QuizOptions) -> None:
    """Ask questions, or print a handout of them."""
    about = options.rule if isinstance(options.rule, Subject) else subject(options.rule)
    levels = levels_of(about.rule)
    if options.level not in (Level.MIXED, *levels):
        raise console.UsageError(
            f"the rule {about.rule.name} has no questions of level {options.level}; "
            f"its levels are {', '.join(levels)}"
        )
    seed = randbelow(10**6) if options.seed is None else options.seed
    exercises = quiz(about, options.level, seed, options.count)
    if options.output is SheetFormat.GIFT:
        console.write("".join(_cards(exercises, seed)))
    elif options.sheet or options.output:
        console.write("\n".join(_sheet(exercises, seed)) + "\n")
    else:
        console.refuse_closed()
        with console.interruptible():
            Game(exercises, seed).play(about.name)


def _introduction(
    exercises: Sequence[Exercise], seed: int, verb: str, shape: Writes = written
) -> Iterator[str]:
    """The instructions before the first question; `verb` is how replies are given."""
    yield f"{len(exercises)} question{'s' if len(exercises) > 1 else ''}, seed {seed}"
    yield exercises[0].answer.rule.summary
    yield f"{verb} the shape of the result, such as {shape((2, 3))} (a scalar is ()), or {NO}."
    names = sorted({name for exercise in exercises for name in exercise.answer.unknown_sizes})
    if names:
        yield (
            f"{joined_with_and(names)} may be any size. {verb} the shape if it always works, "
            f"{NO} if it never does, and {DEPENDS} otherwise."
        )


# The game


class _EndedError(Exception):
    """The player quits, or the replies end."""


class Game:
    """A quiz in progress: its questions and the replies to them."""

    def __init__(self, exercises: Sequence[Exercise], seed: int) -> None:
        self._exercises, self._seed = exercises, seed
        self._is_typed = console.is_terminal(sys.stdin)
        self._tries: list[int] = []
        """For each question the try that was right; 0 if none was."""
        self._mistakes: list[list[str]] = []
        """For each wrong reply to a question, the mistakes that may have led to it."""

    def play(self, name: str) -> None:
        """Ask the questions as long as there are replies, and show the score."""
        for text in _introduction(self._exercises, self._seed, "Type"):
            _say(text)
        _say("Type ? for a hint, or skip for the answer; q ends the quiz.")
        try:
            for number, exercise in enumerate(self._exercises, start=1):
                _say(f"\n{number}. {exercise.text()}")
                self._tries.append(self._ask(exercise))
        except _EndedError:
            pass
        finally:
            self._sum_up(name)

    def _ask(self, exercise: Exercise) -> int:
        """Ask a question, twice at a terminal, with a hint between the two replies."""
        wrong: list[Reply] = []
        tries = 2 if self._is_typed else 1
        while len(wrong) < tries:
            reply = self._reply(exercise)
            if isinstance(reply, Request):
                break
            if reply == exercise.right:
                _say(f"right: {exercise.explanation()}")
                return len(wrong) + 1
            wrong.append(reply)
            if len(wrong) < tries:
                _say("not yet: try once more")
                _give_hint(exercise)
        mistakes = [name for reply, name in wrong_replies(exercise) if reply in wrong]
        answer = f"{text_of(exercise.right)}: {exercise.explanation()}"
        _say(f"no, the answer is {answer}" if wrong else answer)
        for name in dict.fromkeys(mistakes):
            _say(questions.REFUTATIONS[name])
        _show_aligned(exercise, has_signs=True)
        self._mistakes += [mistakes] if mistakes else []
        return 0

    def _reply(self, exercise: Exercise) -> Reply | Request:
        """The next reply, or the request for the answer.

        At a terminal, an invalid reply is asked for again; in a pipe it counts as skipped.
        """
        while True:
            try:
                reply = questions.read(self._typed(), exercise)
            except questions.InvalidReplyError as error:
                _say(str(error))
                reply = Request.SKIP
                if self._is_typed:
                    continue
            if reply is Request.QUIT:
                raise _EndedError
            if reply is not Request.HINT:
                return reply
            _give_hint(exercise)

    def _typed(self) -> str:
        """The next line that is not empty."""
        text = ""
        while not text:
            console.write("> " * self._is_typed)
            line = console.read_line(_MAX_REPLY_BYTES)
            text = line.decode("utf-8", "backslashreplace").strip()
            if not line:
                console.write("\n" * self._is_typed)
                raise _EndedError
        if not self._is_typed:
            _say(f"> {escaped(text)}")
        return text

    def _sum_up(self, name: str) -> None:
        """Show the score, the likely mistakes, and the level to practise next."""
        tries = self._tries
        later = f", {tries.count(2)} more on a second try" if 2 in tries else ""
        _say(f"\n{tries.count(1)} of {len(tries)} right{later}; seed {self._seed}")
        # Of several that fit the replies to a question, that which fits most questions.
        fitting = Counter(mistake for mistakes in self._mistakes for mistake in {*mistakes})
        likely = Counter(max(mistakes, key=fitting.__getitem__) for mistakes in self._mistakes)
        if likely:
            counted = [f"{mistake} ({count})" for mistake, count in likely.most_common()]
            _say(f"Likely mistakes: {', '.join(counted)}")
            level = questions.PRACTICE.get(max(likely, key=likely.__getitem__), "missing-axes")
            _say(f"To practice: bcastcli quiz --rule {name} --level {level}")


def _say(text: str) -> None:
    """Write lines that fit the terminal, which may change while the quiz is played."""
    columns = console.terminal(console.Color.AUTO).columns or _WIDTH
    lines = map(_wrapped, text.split("\n"), [min(columns, _WIDTH)] * 2)
    console.write("\n".join(lines) + "\n")


def _wrapped(text: str, width: int = _WIDTH) -> str:
    return fill(text, width, subsequent_indent="  ", break_on_hyphens=False)


def _give_hint(exercise: Exercise) -> None:
    _say("hint: compare the sizes on each axis, aligned like this:")
    _show_aligned(exercise, has_signs=False)


def _show_aligned(exercise: Exercise, *, has_signs: bool) -> None:
    """Show the sizes below their axes, and perhaps what comes of them."""
    answer = exercise.answer
    signs = [("", *(sign(axis).text for axis in answer.axes or ()))] * has_signs
    rows = [[cell.text for cell in row] for row in (*axis_header(answer), *operand_rows(answer))]
    widths = [max(map(len, column)) for column in zip(*rows, *signs, strict=True)]
    for name, *sizes in (*rows, *signs) if answer.axes else ():
        texts = map(str.rjust, sizes, widths[1:])
        console.write(f"  {name.ljust(widths[0])}  {'  '.join(texts)}".rstrip() + "\n")


# Handouts


def _sheet(exercises: Sequence[Exercise], seed: int) -> Iterator[str]:
    """The lines of the questions with room to write, and below them the key."""
    yield from map(_wrapped, _introduction(exercises, seed, "Write", page_shape))
    for number, exercise in enumerate(exercises, start=1):
        yield f"\n{_wrapped(f'{number}. {exercise.text(page_shape)}')}"
        yield f"   shape or mismatch: {'_' * 24}"
    yield f"\n{'-' * _WIDTH}\n\nKey, seed {seed}"
    for number, exercise in enumerate(exercises, start=1):
        right = text_of(exercise.right, page_shape)
        yield _wrapped(f"{number}. {right}: {exercise.explanation(page_shape)}")


def _cards(exercises: Sequence[Exercise], seed: int) -> Iterator[str]:
    """The questions as GIFT, the format of Moodle."""
    for number, exercise in enumerate(exercises, start=1):
        question = _in_gift(exercise.text(page_shape))
        choices = "".join(f"  {choice}\n" for choice in _choices(exercise))
        # A blank line ends each one, also where another file follows.
        yield f"::broadcasting {seed}-{number}::[plain]{question} {{\n{choices}}}\n\n"


def _choices(exercise: Exercise) -> Iterator[str]:
    """The right reply with its reason, then wrong ones, each with the mistakes behind it."""
    yield f"={_choice(exercise.right, exercise.explanation(page_shape))}"
    feedback: dict[Reply, list[str]] = {}
    for reply, name in wrong_replies(exercise):
        feedback.setdefault(reply, []).append(questions.REFUTATIONS[name])
    feedback.setdefault(NO, ["it does broadcast"])
    feedback.pop(exercise.right, None)
    for reply in list(feedback)[:_MAX_WRONG]:
        yield f"~{_choice(reply, '; or '.join(feedback[reply]))}"


def _choice(reply: Reply, feedback: str) -> str:
    words = f"#{_in_gift(feedback)}" if feedback else ""
    return f"{_in_gift(text_of(reply, page_shape))}{words}"


def _in_gift(text: str) -> str:
    """A text with GIFT's special characters escaped."""
    return "".join(f"\\{sign}" if sign in "~=#{}:\\" else sign for sign in text)
