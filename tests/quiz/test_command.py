"""The quiz, played: replies as people type them, hints, a second try, the score, and handouts."""

import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from html import unescape

import pytest

from bcastcli.cli.main import main
from bcastcli.core.rule import Rule
from bcastcli.quiz.drawing import levels_of, quiz
from bcastcli.quiz.exercises import (
    DEPENDS,
    NO,
    OF_LINES,
    Exercise,
    Kind,
    Level,
    Reply,
    line,
    text_of,
)
from bcastcli.quiz.mistakes import mistakes
from bcastcli.quiz.replies import InvalidReplyError, Request, read
from bcastcli.render.sheet import page_shape
from bcastcli.rules import RULES
from tests.effort import in_turn
from tests.in_memory import run
from tests.quiz.test_mistakes import ELEMENT, START, asked
from tests.rows import each_row
from tests.terminal import screen

NUMPY = RULES["numpy"]
EACH_RULE = each_row("rule", in_turn(RULES.values()))
MANY = ["quiz", "--count", "30", "--seed", "4"]
ONES = ["quiz", "--level", "ones", "--count", "3", "--seed", "2"]


def drawn(seed: int = 2, count: int = 3) -> list[Exercise]:
    """Return the questions of ONES."""
    return quiz(NUMPY, Level.ONES, seed, count)


# Replies

SHAPE = asked((2, 3), (3,))
NAMED = asked(("N", 4), (1,))
LINES = SHAPE._replace(kind=Kind.MATCH, answers=SHAPE.answers * 3)


@pytest.mark.parametrize(
    ("exercise", "text", "reply"),
    [
        *((SHAPE, text, (2, 3)) for text in ("2,3", "(2, 3)", "[2,3]", "2x3", "2×3", " 2,3 ")),
        *((SHAPE, text, (2, 3)) for text in ("torch.Size([2,3])", "2, 3", "( 2,3 )")),
        *((SHAPE, text, NO) for text in ("no", "No", "n", "N", "-", "error", "ValueError")),
        *((SHAPE, text, NO) for text in ("mismatch", "raises", "none")),
        *((SHAPE, text, ()) for text in ("()", "scalar")),
        *((SHAPE, text, Request.HINT) for text in ("?", "help", "hint", "Hint")),
        *((SHAPE, text, Request.SKIP) for text in ("skip", "pass")),
        *((SHAPE, text, Request.QUIT) for text in ("q", "quit", "exit")),
        (NAMED, "N,4", ("N", 4)),
        (NAMED, "N", ("N",)),
        (NAMED, "n", NO),
        (NAMED, "depends", DEPENDS),
        (NAMED, "D", DEPENDS),
        *((LINES, text, "b") for text in ("b", "B", "(b)", "line b", "b.")),
        (ELEMENT, "12", 12),
        (ELEMENT, "error", NO),
        *((START, text, 1) for text in ("1", "axis 1", "-2")),
        (START, "0", 0),
    ],
)
def test_reply(exercise: Exercise, text: str, reply: object) -> None:
    """A reply is typed in any of the ways in which people type it."""
    assert read(text, exercise) == reply


@each_row(
    ("exercise", "text", "message"),
    [
        (SHAPE, "yes", "not a shape: "),
        (SHAPE, "2,,3", "not a shape: type one such as 2,3, or mismatch"),
        (SHAPE, "2 3", "not a shape: "),
        (SHAPE, "dunno", "not a shape: "),
        (SHAPE, "K,2", "not a shape: "),
        (SHAPE, "depends", "all sizes are known here"),
        (LINES, "d", "type the letter of a line: a, b, c"),
        (ELEMENT, "2,3", "type a number"),
        (START, "left", "type a number"),
    ],
)
def test_unreadable_reply(exercise: Exercise, text: str, message: str) -> None:
    """What is no reply is answered with what to type."""
    with pytest.raises(InvalidReplyError, match=f"^{re.escape(message)}"):
        read(text, exercise)


# Playing from a pipe


def play(replies: str, *arguments: str) -> str:
    """Return what is written where these are the lines of standard input."""
    ended = run(arguments or ONES, replies.encode())
    assert (ended.status, ended.err) == (0, "")
    return ended.out


def wrong_reply(exercise: Exercise) -> Reply:
    """Return what a common mistake leads to, or in a choice of lines any wrong one."""
    if exercise.is_of_lines:
        return "a" if exercise.right != "a" else "b"
    return next(mistakes(exercise)).reply


def words(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


@EACH_RULE
def test_all_right(rule: Rule) -> None:
    """A transcript has each question, the reply, and why it is right; and the score at the end."""
    level = levels_of(rule)[0]
    exercises = quiz(rule, level, 2, 8)
    replies = "".join(f"{text_of(each.right)}\n" for each in exercises)
    out = play(replies, *f"quiz --rule {rule.name} --level {level} --seed 2 --count 8".split())
    for number, exercise in enumerate(exercises, start=1):
        question = words(" ".join(exercise.question()))
        right = f"{text_of(exercise.right)} right: {words(exercise.explanation())}"
        shown = f"{number}. {question} > {right}"
        assert shown in words(out)
    assert out.startswith("8 questions, seed 2\n")
    assert out.endswith("\n8 of 8 right; seed 2\n")


def test_hostile_replies() -> None:
    """What cannot be printed is escaped, and nothing that is typed ends the quiz."""
    ended = run(ONES, b"\x1b[31m\n[red]\n\xff\n" + b"9" * 9999)
    assert "\x1b" not in ended.out
    assert "\\x1b[31m" in ended.out
    assert "right; seed 2" in ended.out.splitlines()[-1]


@each_row(("color", "colored"), [("always", True), ("never", False), ("auto", False)])
def test_color(color: str, colored: bool) -> None:
    """The words right and wrong alone are colored, and only if that is wanted."""
    out = play(f"{text_of(drawn()[0].right)}\n", *ONES, "--color", color)
    assert out.count("\x1b") == 3 * out.count("\x1b[32m\x1b[1mright\x1b[0m: ") == 3 * colored


@EACH_RULE
def test_rules_are_introduced(rule: Rule) -> None:
    """Before the first question stands what each rule is that is asked about."""
    out = words(play("", "quiz", "--rule", rule.name, "--seed", "8", "--level", "other-rules"))
    rules = {each.answer.rule for each in quiz(rule, Level.OTHER_RULES, 8, 10)}
    for each in RULES.values():
        assert (f" {each.name}: {words(each.summary)} " in out) == (each in rules)


def test_seed_is_shown() -> None:
    """Without --seed the questions are others each time, and the seed shown asks them again."""
    first, other = (play("", "quiz", "--sheet", "--count", "20") for _ in range(2))
    matched = re.match(r"20 questions, seed (\d+)\n", first)
    assert matched
    assert first != other
    assert play("", "quiz", "--sheet", "--count", "20", "--seed", matched[1]) == first


# Handouts


@EACH_RULE
def test_sheet(rule: Rule) -> None:
    """The key below the cut has what is right, and the questions above it room to write."""
    options = ["--rule", rule.name, "--seed", "3", "--count", "4"]
    sheet = play("", "quiz", *options, "--sheet")
    asking, key = sheet.split("\n" + "-" * 80 + "\n")
    exercises = quiz(rule, Level.MIXED, 3, 4)
    for number, each in enumerate(exercises, start=1):
        assert f"{number}. {words(' '.join(each.question(page_shape)))}" in words(asking)
        right = f"{number}. {text_of(each.right, page_shape)}: {each.explanation(page_shape)}"
        assert words(right) in words(key)
        assert not re.search(r"[A-D]=", asking)
    assert asking.count("____") // 6 == 4
    assert max(map(len, sheet.splitlines())) <= 80
    only, none = (play("", "quiz", *options, "--key", each) for each in ("only", "none"))
    assert words(only) == words(key)
    assert words(none) == words(asking)


@EACH_RULE
def test_key_is_the_answer_of_the_command_line(rule: Rule) -> None:
    """What is right is what the command line answers to the same line."""
    for exercise in quiz(rule, levels_of(rule)[0], 3, 12):
        if exercise.kind is Kind.SHAPE:
            name, *line_words = line(exercise.answer).split()
            arguments = [re.sub("^(axis|axes)=", r"--\1=", word) for word in line_words]
            ended = run([name, "-p", *arguments])
            assert ended.out.startswith(text_of(exercise.right))


def test_pages() -> None:
    """The handout is HTML too, with the same questions and the key below them."""
    html = play("", *ONES, "-f", "html")
    asking, key = unescape(html).replace("\xa0", " ").split('<section class="key">')
    for exercise in drawn():
        question, *lines = exercise.question(page_shape)
        assert f"<li><p>{question}</p>" in asking
        assert all(f"<li>{text.partition('  ')[2]}</li>" in asking for text in lines)
        right = f"{text_of(exercise.right, page_shape)}: {exercise.explanation(page_shape)}"
        assert f"<li>{right}</li>" in key
    assert html.startswith("<!DOCTYPE html>")
    assert 'content="A quiz: 3 questions, seed 2."' in html
    assert '<p class="name"><b>Name</b><span></span>' in asking
    assert re.search(r"\.key\{[^}]*break-before:page", html)
    assert 'class="key"' not in play("", *ONES, "-f", "html", "--key", "none")
    assert 'class="name"' not in play("", *ONES, "-f", "html", "--key", "only")


def test_slides() -> None:
    """Each question has a slide, and the next one its answer with a picture."""
    exercises = quiz(NUMPY, Level.MIXED, 4, 30)
    for key, shown in (("below", (False, True)), ("none", (False,)), ("only", (True,))):
        html = unescape(play("", *MANY, "-f", "html", "--slides", "--key", key))
        title, *slides = re.findall(r"<section>\n(.*?)</section>", html, re.DOTALL)
        first = " ".join(re.findall(r"<text[^>]*>(.*?)</text>", title))
        assert re.search(r" 30 questions, seed 4 numpy: .* stretches Write the shape", first)
        for place, exercise in enumerate(exercises):
            said = text_of(exercise.right, page_shape), exercise.explanation(page_shape)
            for is_answer in shown:
                slide = slides.pop(0)
                texts = words(" ".join(re.findall(r"<text[^>]*>(.*?)</text>", slide)))
                assert texts.startswith(f"{place + 1}. numpy: {exercise.asked}")
                assert (": ".join(said) in texts) == is_answer
                assert ("<rect class" in slide) == is_answer
                if exercise.is_of_lines or not is_answer:
                    assert all(words(line) in texts for line in exercise.given(page_shape))
        assert slides == []
        assert (' data-at="0.' in html) == (True in shown), "where an element comes from"


def test_a_slide_without_room_for_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a picture has no room, the answer's slide has the question and the answer in words."""
    monkeypatch.setattr("bcastcli.picture.svg.drawn", lambda *_: None)
    *_, slide = play("", *ONES, "-f", "html", "--slides").split("<section>")
    texts = words(unescape(re.sub("<[^>]+>", " ", slide)))
    for text in (*drawn()[2].given(page_shape), drawn()[2].explanation(page_shape)):
        assert words(text) in texts


def test_wrong_choices_are_mistakes() -> None:
    """A wrong choice is never right, and each is the reply of a mistake."""
    *cards, _ = play("", *MANY, "-f", "gift").split("}\n\n")
    for card, exercise in zip(cards, quiz(NUMPY, Level.MIXED, 4, 30), strict=True):
        wrong = re.findall(r"^  ~(.*?)(?<!\\)#", card.replace("\\:", ":"), re.MULTILINE)
        assert text_of(exercise.right, page_shape) not in wrong
        assert len(set(wrong)) == len(wrong)
        assert 0 < len(wrong) <= 4
        if exercise.kind not in OF_LINES:
            assert set(wrong) <= {text_of(each.reply, page_shape) for each in mistakes(exercise)}


def test_sheet_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheet needs no standard input, and is the same at any width."""
    wide = play("left alone", *ONES, "--sheet")
    monkeypatch.setattr(sys, "stdin", None)
    assert screen([*ONES, "--sheet"], 100).lines == wide.splitlines()


# Mistakes in the command line


def test_closed_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where replies cannot come, nothing is asked."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(ONES) == 2
    assert capsys.readouterr() == ("", "bcastcli: cannot read: standard input is closed\n")


# At a terminal


@each_row("columns", [60, 80, 120])
def test_second_try(columns: int) -> None:
    """At a terminal a wrong reply gets a hint and a second try; after it the answer is shown."""
    first, second, third = drawn()
    typed = ["yes", text_of(wrong_reply(first)), text_of(first.right)]
    typed += [*[text_of(wrong_reply(second))] * 2, text_of(wrong_reply(third))]
    seen = screen(ONES, columns, typed="".join(f"{reply}\n" for reply in (*typed, "q")))
    order = (
        *("not a shape: ", "not quite: ", "hint: ", f"right: {words(first.explanation())}"),
        *("not quite: ", "hint: ", "not quite: "),
        f"{text_of(second.right)}: {words(second.explanation())}",
        *("not quite: ", "hint: ", "0 of 3 right, 1 more on a second try; seed 2"),
    )
    assert re.search(".*".join(map(re.escape, order)), words(seen.sent))
    assert max(map(len, seen.rows)) <= min(columns, 82)


# Makes standard input the terminal that Ctrl-C comes from; what is written then is not lost.
PLAYER = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
settings = termios.tcgetattr(0)
settings[3] |= termios.NOFLSH
termios.tcsetattr(0, termios.TCSANOW, settings)
signal.signal(signal.SIGINT, signal.default_int_handler)
from bcastcli.__main__ import run
run()
"""


class Terminal:
    """The quiz, played at a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.shown = ""
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", PLAYER, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "COLUMNS": "80", "TERM": "dumb"},
        )
        os.close(theirs)

    def until(self, text: str) -> str:
        """All that is shown until it ends in a text, or the quiz has ended."""
        with suppress(OSError):
            while not self.shown.endswith(text):
                piece = os.read(self._ours, 4096)
                if not piece:
                    break
                self.shown += piece.decode().replace("\r\n", "\n")
        return self.shown

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def ended(self) -> int:
        """The exit status, once everything is read."""
        self.until("never shown")
        os.close(self._ours)
        return self._process.wait()


@pytest.mark.parametrize(
    ("key", "status"), [("\x03", -signal.SIGINT), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"]
)
def test_stopping(key: str, status: int) -> None:
    """Ctrl-C and Ctrl-D show the score; Ctrl-C still kills the process, and silently.

    What is typed is echoed by the terminal alone.
    """
    right = text_of(drawn()[0].right)
    terminal = Terminal(*ONES)
    terminal.until("> ")
    terminal.shown = ""
    terminal.type(f"{right}\n")
    assert terminal.until("> ").startswith(f"{right}\nright: ")
    terminal.type(key)
    assert terminal.ended() == status
    assert terminal.shown.endswith("\n1 of 1 right; seed 2\n")
    assert "Traceback" not in terminal.shown
