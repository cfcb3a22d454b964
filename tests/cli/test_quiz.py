"""The quiz, played: replies as people type them, hints, a second try, the score, and handouts."""

import csv
import io
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
from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import Writes, written
from bcastcli.quiz.comments import comment
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
from bcastcli.quiz.mistakes import mistakes, scores
from bcastcli.quiz.replies import InvalidReplyError, Request, read
from bcastcli.render.sheet import page_shape
from bcastcli.rules import RULES
from tests.effort import in_turn
from tests.in_memory import run
from tests.rows import each_row
from tests.terminal import screen

NUMPY = RULES["numpy"]
EACH_RULE = each_row("rule", in_turn(RULES.values()))
MANY = ["quiz", "--count", "30", "--seed", "4"]
ONES = ["quiz", "--level", "ones", "--count", "3", "--seed", "2"]


def drawn(seed: int = 2, count: int = 3) -> list[Exercise]:
    """Return the questions of ONES."""
    return quiz(NUMPY, Level.ONES, seed, count)


def offered(reply: Reply, shape: Writes = page_shape) -> str:
    """Return a reply as a card has it, and the command line where it writes shapes."""
    return "mismatch" if reply == NO else text_of(reply, shape)


def asked(*shapes: tuple[int | str, ...], kind: Kind = Kind.SHAPE) -> Exercise:
    """Return a question about shapes, or one with a line for each of them."""
    if kind in OF_LINES:
        answers = [Question(NUMPY, [Operand("A", shape)]).answer() for shape in shapes]
        return Exercise(kind, tuple(answers))
    operands = [Operand(name, shape) for name, shape in zip("ABCD", shapes, strict=False)]
    return Exercise(kind, (Question(NUMPY, operands).answer(),))


# Replies

SHAPE = asked((2, 3), (3,))
NAMED = asked(("N", 4), (1,))
LINES = asked((2,), (3,), (4,), kind=Kind.MATCH)


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
        (asked((2, 3), (3,), kind=Kind.COUNT), "6", 6),
        (asked((2, 3), (3,), kind=Kind.COUNT), "error", NO),
        *((asked((2, 3), (3,), kind=Kind.START), text, 1) for text in ("1", "axis 1", "-1")),
    ],
)
def test_reply(exercise: Exercise, text: str, reply: object) -> None:
    """A reply is typed in any of the ways in which people type it."""
    assert read(text, exercise) == reply


@each_row(
    ("exercise", "text", "message"),
    [
        (SHAPE, "yes", "Which shape?"),
        (SHAPE, "2,,3", "not a shape: type one such as 2,3, or no"),
        (SHAPE, "2 3", "not a shape: "),
        (SHAPE, "dunno", "not a shape: "),
        (SHAPE, "K,2", "not a shape: "),
        (SHAPE, "depends", "all sizes are known here"),
        (LINES, "d", "type the letter of a line: a, b, c"),
        (asked((2, 3), (3,), kind=Kind.COUNT), "2,3", "type a number"),
        (asked((2, 3), (3,), kind=Kind.START), "left", "type a number"),
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
    options = ["--rule", rule.name, "--level", level, "--seed", "2", "--count", "8"]
    out = play(replies, "quiz", *options)
    for number, exercise in enumerate(exercises, start=1):
        question = words(" ".join(exercise.question()))
        right = f"{text_of(exercise.right)} right: {words(exercise.explanation())}"
        shown = f"{number}. {question} > {right}"
        assert shown in words(out)
    assert out.startswith("8 questions, seed 2\n")
    assert out.endswith("\n8 of 8 right; seed 2\n")


def test_wrong() -> None:
    """After a wrong reply stand what refutes it and what is right, and at the end the mistakes."""
    exercises = drawn()
    wrong = [wrong_reply(each) for each in exercises]
    out = words(play("".join(f"{text_of(reply)}\n" for reply in wrong)))
    played = list(zip(exercises, wrong, strict=True))
    for number, (exercise, reply) in enumerate(played, start=1):
        said = comment(exercise, reply, scores(played[:number]))
        assert f"> {text_of(reply)} not quite: {words(said.fact)}" in out
        assert all(f"- {words(cause)}" in out for cause in said.causes)
        assert f"{text_of(exercise.right)}: {words(exercise.explanation())}" in out
    assert "0 of 3 right; seed 2 Likely mistakes: " in out
    assert re.search(r"Practise next with: bcastcli quiz --rule numpy --level [a-z-]+$", out)


def test_a_bare_no_has_causes_in_a_list() -> None:
    """Of a wrong no is said that it does broadcast, and in a list what may have led to it."""
    seed, number = next(
        (seed, number)
        for seed in range(99)
        for number, each in enumerate(drawn(seed))
        if each.kind is Kind.SHAPE and each.right != NO
    )
    out = play("skip\n" * number + "no\n", *ONES[:-1], str(seed))
    told = r"> no\nnot quite: it does broadcast\n(One of these|This) may have led to it:\n- "
    assert re.search(told, out)


def test_hint_is_no_reply() -> None:
    """A hint is shown before the reply to the same question, and shows no signs."""
    first = drawn()[0]
    out = play(f"?\n{text_of(first.right)}\n")
    hint, _, rest = out.partition("> ?\n")[2].partition(f"> {text_of(first.right)}")
    assert hint.startswith("hint: ")
    assert "!" not in hint
    assert rest.startswith("\nright: ")


def test_skip() -> None:
    """A question that is skipped is answered, and is not right."""
    out = play("skip\nq\n")
    assert f"\n{text_of(drawn()[0].right)}: {drawn()[0].explanation()}\n"[:60] in out
    assert out.endswith("\n0 of 1 right; seed 2\n")


def test_back() -> None:
    """An earlier question is asked again, and a right reply then counts as a later try."""
    first, second, third = drawn()
    replies = ["back", "skip", "back", text_of(first.right), text_of(second.right)]
    out = play("\n".join([*replies, text_of(third.right), ""]))
    numbers = re.findall(r"^(\d)\. numpy", out, re.MULTILINE)
    assert numbers == ["1", "1", "2", "1", "2", "3"]
    assert out.endswith("\n2 of 3 right, 1 more on a later try; seed 2\n")


def test_back_changes_no_score() -> None:
    """A question that was answered rightly stays so when it is asked again."""
    first = drawn()[0]
    out = play(f"{text_of(first.right)}\nback\n{text_of(wrong_reply(first))}\nq\n")
    assert "not quite" in out
    assert "1 of 1 right; seed 2\n" in out


def test_score() -> None:
    """The score so far is shown before any reply, and is no reply itself."""
    first = drawn()[0]
    out = play(f"score\n{text_of(first.right)}\nscore\nskip\nscore\n")
    assert re.findall(r"so far (.*)", out) == ["0 of 0 right", "1 of 1 right", "1 of 2 right"]
    assert out.endswith("\n1 of 2 right; seed 2\n")


def test_one_line_is_one_reply() -> None:
    """A line that cannot be read is wrong, as the next is for the next question; empty are none."""
    others = drawn()[1:]
    replies = "".join(f"\n \n{text_of(each.right)}\n" for each in others)
    out = play(f"2,,3\n{replies}")
    assert out.count("> 2,,3\n") == 1
    assert out.endswith("\n2 of 3 right; seed 2\n")


@each_row("ended", ["", "\n", "\nq\n", "\nquit"])
def test_end_of_input(ended: str) -> None:
    """Where the replies end early, the score is of those that there were."""
    out = play(f"{text_of(drawn()[0].right)}{ended}")
    assert out.endswith("\n1 of 1 right; seed 2\n")
    assert play("").endswith("\n0 of 0 right; seed 2\n")


def test_hostile_replies() -> None:
    """What cannot be printed is escaped, and nothing that is typed ends the quiz."""
    ended = run(ONES, b"\x1b[31m\n[red]\n\xff\n" + b"9" * 9999)
    assert "\x1b" not in ended.out
    assert "\\x1b[31m" in ended.out
    assert "right; seed 2" in ended.out.splitlines()[-1]


@each_row(("color", "colored"), [("always", True), ("never", False), ("auto", False)])
def test_color(color: str, colored: bool) -> None:
    """Right and wrong are colored only if that is wanted."""
    assert ("\x1b[" in play(f"{text_of(drawn()[0].right)}\n", *ONES, "--color", color)) == colored


@EACH_RULE
def test_rules_are_introduced(rule: Rule) -> None:
    """Before the first question stands what each rule is that is asked about."""
    out = words(play("", "quiz", "--rule", rule.name, "--seed", "8", "--level", "other-rules"))
    rules = {each.answer.rule for each in quiz(rule, Level.OTHER_RULES, 8, 10)}
    for each in RULES.values():
        assert (f" {each.name}: {words(each.summary)} " in out) == (each in rules)


@pytest.mark.parametrize(("level", "told"), [("symbols", True), ("ones", False)])
def test_depends_is_explained(level: str, told: bool) -> None:
    """Only where sizes are names is it said when to reply that it depends."""
    out = words(play("", "quiz", "--level", level, "--seed", "1"))
    assert ("otherwise depends" in out) == told


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
            assert ended.out.startswith(offered(exercise.right, written))


def test_pages() -> None:
    """The handout is Markdown and HTML too, with the same questions and the key below them."""
    markdown = play("", *ONES, "-f", "markdown").replace("\\", "")
    html = play("", *ONES, "-f", "html")
    asking, key = unescape(html).replace("\xa0", " ").split('<section class="key">')
    for exercise in drawn():
        question, *lines = exercise.question(page_shape)
        assert question in markdown
        assert f"<li><p>{question}</p>" in asking
        assert all(f"<li>{text.partition('  ')[2]}</li>" in asking for text in lines)
        right = f"{text_of(exercise.right, page_shape)}: {exercise.explanation(page_shape)}"
        assert f"<li>{right}</li>" in key
    assert html.startswith("<!DOCTYPE html>")
    assert '<p class="name"><b>Name</b><span></span>' in asking
    assert re.search(r"\.key\{[^}]*break-before:page", html)
    assert 'class="key"' not in play("", *ONES, "-f", "html", "--key", "none")
    assert 'class="name"' not in play("", *ONES, "-f", "html", "--key", "only")


def test_gift() -> None:
    """Each question of GIFT has one right choice, and feedback for each of the wrong ones."""
    text = play("", *ONES, "-f", "gift")
    *blocks, last = text.split("\n\n")
    assert (len(blocks), last) == (3, ""), "files can be put together"
    for block, exercise in zip(blocks, drawn(), strict=True):
        head, *choices, end = block.splitlines()
        assert re.match(r"::broadcasting 2-\d::\[plain\]", head)
        assert end == "}"
        right, *wrong = choices
        assert right.startswith(f"  ={offered(exercise.right)}#")
        assert wrong
        for choice in wrong:
            assert re.match(r"  ~[^#]+#.+", choice)
            assert f"~{offered(exercise.right)}#" not in choice
        # Signs of GIFT in a text are escaped.
        assert all(sign == "\\" for sign in re.findall(r"(.)[{}]", head[:-1]))


def test_cards(capsys: pytest.CaptureFixture[str]) -> None:
    """CSV has a row for each question, which Anki reads too; its own format is gone."""
    text = play("", *ONES, "-f", "csv")
    rows = list(csv.reader(io.StringIO(text)))
    assert not any(re.search(r"\b[A-D]=|\b\d,\d", cell) for row in rows for cell in row)
    assert rows[0][:5] == ["question", "right", "why", "wrong 1", "feedback 1"]
    assert [row[1] for row in rows[1:]] == [offered(each.right) for each in drawn()]
    assert len({len(row) for row in rows}) == 1
    assert main([*ONES, "-f", "anki"]) == 2
    assert capsys.readouterr() == ("", "bcastcli: anki is gone: use -f csv\n")


@each_row(
    ("arguments", "meant"),
    [
        (["quiz", "-f", "moodle"], "-f gift"),
        (["quiz", "-f", "tsv"], "-f csv"),
        (["quiz", "--format", "md"], "-f markdown"),
        (["3,4", "4", "-f", "csv"], "-f tsv"),
    ],
)
def test_formats_by_other_names(arguments: list[str], meant: str) -> None:
    """A format that only other commands or programs know leads to the one that is nearest."""
    assert f"did you mean {meant}?" in run(arguments).err


def test_a_key_is_written_as_replies_are() -> None:
    """A key says no where that is the word to write; among choices it is a mismatch."""
    key = play("", *MANY, "--key", "only")
    assert re.search(r"^\d+\. no: ", key, re.MULTILINE)
    assert "mismatch:" not in key
    assert re.search(r"^  [=~]mismatch#", play("", *MANY, "-f", "gift"), re.MULTILINE)


def test_wrong_choices_are_mistakes() -> None:
    """A wrong choice is never right, and each is the reply of a mistake."""
    exercises = quiz(NUMPY, Level.MIXED, 4, 30)
    rows = csv.reader(io.StringIO(play("", *MANY, "-f", "csv")))
    for row, exercise in zip(list(rows)[1:], exercises, strict=True):
        wrong = [choice for choice in row[3::2] if choice]
        assert offered(exercise.right) not in wrong
        assert len(set(wrong)) == len(wrong) > 0
        if exercise.kind not in OF_LINES:
            assert set(wrong) <= {offered(each.reply) for each in mistakes(exercise)}


def test_sheet_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheet needs no standard input, and is the same at any width."""
    wide = play("left alone", *ONES, "--sheet")
    monkeypatch.setattr(sys, "stdin", None)
    assert screen([*ONES, "--sheet"], 100).lines == wide.splitlines()


# Mistakes in the command line


@each_row(
    ("arguments", "message"),
    [
        (
            ["--rule", "onx"],
            "invalid value for '--rule': there is no rule onx; did you mean onnx?",
        ),
        (
            ["--rule", "onnx-uni", "--level", "both-sides"],
            "the rule onnx-uni has no questions of level",
        ),
        (
            ["--rule", "ncnn", "--level", "zeros"],
            "the rule ncnn has no questions of level zeros; its levels are missing-axes",
        ),
        (["--level", "hard"], "invalid value for '--level': 'hard' is not one of 'mixed',"),
        (["--count", "0"], "invalid value for '--count'"),
        (["--count", "101"], "invalid value for '--count'"),
        (["--seed", "-1"], "invalid value for '--seed'"),
        (["-f", "gift", "--key", "none"], "--key has no effect with --format gift"),
        (["2,3"], "got unexpected extra argument"),
    ],
)
def test_usage(arguments: list[str], message: str) -> None:
    """What cannot be asked is one sentence, and status 2."""
    ended = run(["quiz", *arguments])
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"bcastcli: {message}")


def test_closed_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where replies cannot come, nothing is asked."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(ONES) == 2
    assert capsys.readouterr() == ("", "bcastcli: cannot read: standard input is closed\n")


# At a terminal


@each_row("columns", [60, 80, 120])
def test_second_try(columns: int) -> None:
    """At a terminal a wrong reply gets a hint and a second try, which is counted by itself."""
    first = drawn()[0]
    wrong = wrong_reply(first)
    seen = screen(ONES, columns, typed=f"yes\n{text_of(wrong)}\n{text_of(first.right)}\nq\n")
    text = words(seen.sent)
    order = [
        "not quite: ",
        "hint: ",
        f"right: {words(first.explanation())}",
        "0 of 1 right, 1 more on a later try",
    ]
    places = [text.find(part) for part in order]
    assert -1 not in places
    assert places == sorted(places)
    assert max(map(len, seen.rows)) <= min(columns, 82)


def test_two_wrong_replies() -> None:
    """After the second wrong reply the answer is shown."""
    first = drawn()[0]
    wrong = [wrong_reply(first)] * 2
    seen = screen(ONES, 80, typed="".join(f"{text_of(reply)}\n" for reply in wrong) + "q\n")
    assert seen.sent.count("not quite: ") == 2
    assert f"{text_of(first.right)}: {words(first.explanation())}" in words(seen.sent)
    assert "0 of 1 right; seed 2" in words(seen.sent)


# Makes standard input the terminal that Ctrl-C comes from.
PLAYER = """
import fcntl, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
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


def test_at_a_terminal() -> None:
    """A player is prompted for each reply, and what is typed is echoed by the terminal alone."""
    terminal = Terminal(*ONES)
    for exercise in drawn():
        terminal.until("> ")
        terminal.shown = ""
        terminal.type(f"{text_of(exercise.right)}\n")
    terminal.until("right: ")
    assert terminal.shown.startswith(f"{text_of(drawn()[2].right)}\nright: ")
    assert terminal.ended() == 0
    assert terminal.shown.endswith("\n3 of 3 right; seed 2\n")


@pytest.mark.parametrize(
    ("key", "status"), [("\x03", -signal.SIGINT), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"]
)
def test_stopping(key: str, status: int) -> None:
    """Ctrl-C and Ctrl-D show the score; Ctrl-C still kills the process, and silently."""
    terminal = Terminal(*ONES)
    terminal.until("> ")
    terminal.type(f"{text_of(drawn()[0].right)}\n")
    terminal.until("> ")
    terminal.shown = ""
    terminal.until("> ")
    terminal.type(key)
    assert terminal.ended() == status
    assert terminal.shown.endswith("\n1 of 1 right; seed 2\n")
    assert "Traceback" not in terminal.shown
