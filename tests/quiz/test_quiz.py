"""The quiz: questions (quiz/drawing.py), a class that plays it, its sheets and its cards."""

import re
import signal
import subprocess
import sys
from subprocess import PIPE

import numpy as np
import pytest

from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape
from bcastcli.quiz.drawing import Level, levels_of, quiz, subject
from bcastcli.quiz.questions import (
    _FINDERS,
    DEPENDS,
    NO,
    PRACTICE,
    REFUTATIONS,
    Exercise,
    InvalidReplyError,
    Reply,
    Request,
    operands,
    read,
    text_of,
    wrong_replies,
)
from bcastcli.render.sheet import page_shape
from bcastcli.rules import RULES
from tests import effort
from tests.command_lines import summary
from tests.effort import SEED, in_turn, many, slow
from tests.in_memory import run
from tests.rows import each_row
from tests.terminal import screen

NUMPY = subject("numpy")
EACH_RULE = each_row("name", in_turn(RULES))
ONES = ["quiz", "--level", "ones", "--count", "3", "--seed", "2"]


def drawn(seed: int = 2, count: int = 3) -> list[Exercise]:
    """The questions of ONES."""
    return quiz(NUMPY, Level.ONES, seed, count)


def exercise_of(*shapes: Shape, rule: str = "numpy") -> Exercise:
    """The question about shapes."""
    return Exercise(Question(RULES[rule], list(map(Operand, "ABC", shapes))).answer())


def words(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def play(replies: str, *arguments: str) -> str:
    """What is written where these are the lines of standard input."""
    ended = run(arguments or ONES, replies.encode())
    assert (ended.status, ended.err) == (0, "")
    return ended.out


# Replies

SHAPE = exercise_of((2, 3), (3,))
NAMED = exercise_of(("N", 4), (1,))


@each_row(
    ("exercise", "text", "reply"),
    [
        *((SHAPE, text, (2, 3)) for text in ("2,3", "(2, 3)", "[2,3]", "2x3", " 2,3 ", "2, 3")),
        (SHAPE, "torch.Size([2,3])", (2, 3)),
        *((SHAPE, text, NO) for text in ("no", "N", "-", "ValueError", "mismatch", "none")),
        *((SHAPE, text, ()) for text in ("()", "scalar")),
        *((SHAPE, text, Request.HINT) for text in ("?", "help", "Hint")),
        *((SHAPE, text, Request.SKIP) for text in ("skip", "pass")),
        *((SHAPE, text, Request.QUIT) for text in ("q", "quit", "exit")),
        (NAMED, "N,4", ("N", 4)),
        (NAMED, "N", ("N",)),
        (NAMED, "n", NO),
        (NAMED, "D", DEPENDS),
    ],
)
def test_reply(exercise: Exercise, text: str, reply: object) -> None:
    """A reply is typed in any of the ways in which people type it."""
    assert read(text, exercise) == reply


@each_row("text", ["2,,3", "2 3", "K,2", "depends"])
def test_unreadable_reply(text: str) -> None:
    """What is no reply is answered with what to type."""
    with pytest.raises(InvalidReplyError, match="not a shape: type one such as 2,3"):
        read(text, SHAPE)


# Questions


def numpys(shapes: tuple[Shape, ...]) -> Reply:
    """What NumPy makes of shapes."""
    try:
        return np.broadcast_shapes(*shapes)  # type: ignore[arg-type]  # all known
    except ValueError:
        return NO


@each_row("level", [Level.MIXED, Level.ZEROS])
def test_numpy_as_judge(level: Level) -> None:
    """What is right is what NumPy computes."""
    for number in range(many(4)):
        for exercise in quiz(NUMPY, level, SEED + number, 100):
            assert exercise.right == numpys(exercise.answer.shapes)


OF_SEED_5 = """\
numpy missing-axes: A=4,3 B=3; A=3 B=3,2; A=2 B=2,5; A=2,3,2 B=2,3; A=5 B=5,3; A=2,4 B=2,4,2
numpy ones: A=3 B=1,1; A=1,1 B=5; A=4 B=1,4; A=1,6 B=4; A=5 B=1,4; A=3,1 B=2
numpy both-sides: A=1,4 B=5,1; A=5,1 B=1,3; A=1,2 B=3,1,3; A=6,1 B=1,3,6; A=1,4 B=1,1,4,5
numpy several-operands: A=1 B=2 C=3,1; A=2,3 B=2,1 C=2; A=1,4 B=5,4 C=5; A=6 B=1,1 C=1,5
numpy symbols: A=5 B=N,5; A=1 B=M; A=2 B=M,3; A=1,M B=1,M,5; A=4,5,M,5 B=5,M; A=1,2 B=6,M,6
numpy zeros: A=0,1 B=5; A=6 B=0; A=0,2 B=2; A=0,1 B=0; A=1,3,3,1 B=0; A=0,3 B=0,0,1
pdpd mixed: A=4,3 B=3 axis=1; A=6 B=6,6; A=2 B=2,2; A=3 B=1,1; A=1,3 B=3 axis=1; A=2 B=1,2,2
explicit mixed: A=6 target=4,6 axes=1; A=5 target=2,5 axes=1; A=5 target=4,5 axes=1
julia mixed: A=3 B=3,2; A=2 B=3,2; A=3,6,3 B=1,3; A=1,5 B=3,1,5; A=1,3 B=4,1,3
"""
"""The first of six questions of this seed, by rule and level."""


@each_row("row", OF_SEED_5.splitlines())
def test_a_seed_asks_the_same(row: str) -> None:
    """The same number asks the same questions, on any machine."""
    about, _, questions = row.partition(": ")
    name, level = about.split()
    exercises = quiz(subject(name), Level(level), 5, 6)
    assert "; ".join(operands(each.answer) for each in exercises).startswith(questions)


@EACH_RULE
def test_levels(name: str) -> None:
    """Each level of a rule asks what it is about: both verdicts, no question twice."""
    rule, count = subject(name), 100 if effort.thorough else 25
    for level in (Level.MIXED, *levels_of(rule.rule)):
        exercises = quiz(rule, level, SEED, count)
        assert {each.right == NO for each in exercises} == {True, False}
        assert exercises[0].right != NO, "the first is easy"
        assert len({each.text() for each in exercises}) == count
        given = {*rule.rule.options} - {"order"}
        assert {key for each in exercises for key in each.answer.question.options} == given
        for each in exercises:
            sizes = [size for own in each.answer.shapes for size in own]
            assert (0 in sizes) is (level is Level.ZEROS)
            assert bool(each.answer.unknown_sizes) is (level is Level.SYMBOLS)
            assert len(each.answer.operands) <= 3
            assert len(each.answer.when or "") <= 30, "it can be read at a glance"


@each_row("level", in_turn([Level.MISSING_AXES, Level.ONES, Level.BOTH_SIDES, Level.SEVERAL]))
def test_mistakes_are_seldom_right(level: Level) -> None:
    """Who makes one mistake and no other gets many questions wrong."""
    exercises = quiz(NUMPY, level, SEED, 60)
    for name, find in _FINDERS.items():
        if PRACTICE.get(name, "missing-axes") == level and name != "aligned right":
            wrong = [each for each in exercises if each.right not in find(each)]
            assert len(wrong) >= 12, name


@each_row(
    ("exercise", "reply", "name"),
    [
        (exercise_of((3, 4), (4,)), NO, "aligned left"),
        (exercise_of((2, 3), (2,)), (2, 3), "aligned left"),
        (exercise_of((2, 3), (3,), rule="left"), (2, 3), "aligned right"),
        (exercise_of((2, 3), (3,)), NO, "ranks differ"),
        (exercise_of((2, 1), (1, 3)), NO, "both would stretch"),
        (exercise_of((4,), (2,)), (4,), "recycling"),
        (exercise_of((2, 3), (2, 3)), (3,), "an axis left out"),
        (exercise_of((2, 1), (2, 1)), (2,), "an axis left out"),
    ],
)
def test_mistake_is_named(exercise: Exercise, reply: Reply, name: str) -> None:
    """A wrong reply is that of a mistake."""
    assert name in [each for own, each in wrong_replies(exercise) if own == reply]


# A terminal


@slow
def test_more_questions_than_there_are() -> None:
    """Only so many differ: the quiz ends."""
    assert 0 < len(quiz(subject("numpy"), Level.MISSING_AXES, 1, 300)) < 300


def test_the_first_reply_gives_nothing_away() -> None:
    """Between a wrong reply and the second try stand neither what is right nor a mistake."""
    exercises = quiz(NUMPY, Level.MIXED, 5, 12)
    for exercise in in_turn(exercises):
        wrong = next(reply for reply, _ in wrong_replies(exercise))
        typed = []
        for each in exercises:
            typed += [text_of(wrong), "q"] if each is exercise else [text_of(each.right)]
            if each is exercise:
                break
        arguments = ["quiz", "--seed", "5", "--count", "12"]
        seen = screen(arguments, 80, typed="".join(f"{line}\n" for line in typed))
        [_, hint] = words(seen.sent).rsplit("not yet: try once more hint: ", 1)
        hint = hint.partition("> ")[0]
        shown = re.sub(r"^.*?here:", "", hint) if "here:" in hint else ""
        aligned = re.findall(r"[AB,=!?]+(?= |$)", shown)
        assert set(aligned) <= {"A", "B", "C"}, "operands, without signs"
        for telling in (exercise.explanation(), *REFUTATIONS.values()):
            assert words(telling) not in hint


def test_second_try() -> None:
    """At a terminal a wrong reply gets a hint and a second try; after it the answer is shown."""
    first, second, _ = drawn()
    wrong = [text_of(next(reply for reply, _ in wrong_replies(each))) for each in drawn()]
    typed = ["yes", wrong[0], text_of(first.right), wrong[1], wrong[1], wrong[2], "q"]
    seen = screen(ONES, 60, typed="".join(f"{reply}\n" for reply in typed))
    order = (
        *("not a shape: ", "not yet: ", "hint: ", f"right: {words(first.explanation())}"),
        *("not yet: ", "hint: ", "no, the answer is "),
        f"{text_of(second.right)}: {words(second.explanation())}",
        *("your answer would ", "not yet: ", "hint: ", "0 of 2 right, 1 more on a second try"),
    )
    assert re.search(".*".join(map(re.escape, order)), words(seen.sent))
    assert max(map(len, seen.rows)) <= 82


def test_the_name_and_the_axes_of_a_framework() -> None:
    """A framework is asked about by its name, and in Julia the first axis is 1."""
    out = play("", "quiz", "--rule", "julia", "--seed", "1", "--sheet")
    assert "\n1. Julia: A (" in out
    assert "axis 0" not in out
    assert "\n1. PyTorch: A (" in play("", "quiz", "--rule", "torch", "--seed", "1", "--sheet")


def test_hostile_replies() -> None:
    """What cannot be printed is escaped, nothing that is typed ends the quiz, and lines are cut."""
    out = play("\x1b[31m\n[red]\n\xff\n")
    assert "\x1b" not in out
    assert "> \\x1b[31m\nnot a shape: " in out
    assert out.endswith("\n0 of 3 right; seed 2\n")
    assert play("9" * (3 << 12)).count("\n> 9") == 3


def test_closed_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where replies cannot come, nothing is asked; a sheet needs none."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(ONES) == 2
    assert capsys.readouterr() == ("", "bcastcli: cannot read: standard input is closed\n")
    assert main([*ONES, "--sheet"]) == 0


@pytest.mark.parametrize("ends", ["signal", "input"])
def test_stopping(ends: str) -> None:
    """Ctrl-C and the end of the input show the score; Ctrl-C still kills the process, silently."""
    command = [sys.executable, "-m", "bcastcli", *ONES]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as player:
        assert player.stdin
        assert player.stdout
        player.stdin.write(f"{text_of(drawn()[0].right)}\n")
        player.stdin.flush()
        while not player.stdout.readline().startswith("2. "):
            pass
        if ends == "signal":
            player.send_signal(signal.SIGINT)
        out, err = player.communicate()
    assert (out.endswith("\n1 of 1 right; seed 2\n"), err) == (True, "")
    assert player.returncode == (-signal.SIGINT if ends == "signal" else 0)


# Handouts


def test_seed_is_shown() -> None:
    """Without --seed the questions are others each time, and the seed shown asks them again."""
    first, other = (play("", "quiz", "--sheet", "--count", "20") for _ in range(2))
    matched = re.match(r"20 questions, seed (\d+)\n", first)
    assert matched
    assert first != other
    assert play("", "quiz", "--sheet", "--count", "20", "--seed", matched[1]) == first


@EACH_RULE
def test_sheet(name: str) -> None:
    """The key below the cut has what is right, and the questions above it room to write."""
    sheet = play("", "quiz", "--rule", name, "--seed", "3", "--count", "4", "--sheet")
    asking, key = sheet.split("\n" + "-" * 80 + "\n")
    for number, each in enumerate(quiz(subject(name), Level.MIXED, 3, 4), start=1):
        assert f"{number}. {words(each.text(page_shape))}" in words(asking)
        right = f"{number}. {text_of(each.right, page_shape)}: {each.explanation(page_shape)}"
        assert words(right) in words(key)
    assert asking.count("____") // 6 == 4
    assert max(map(len, sheet.splitlines())) <= 80


@EACH_RULE
def test_key_is_the_answer_of_the_command_line(name: str) -> None:
    """What is right is what the command line answers to the same shapes."""
    for exercise in quiz(subject(name), levels_of(RULES[name])[0], 3, 12):
        question = operands(exercise.answer)
        arguments = [re.sub("^(axis|axes)=", r"--\1=", word) for word in question.split()]
        assert run([name, "-p", *arguments]).out.startswith(text_of(exercise.right))


@each_row("level", [Level.MIXED, Level.SYMBOLS])
def test_choices(level: Level) -> None:
    """A card has one right choice; no wrong one is right, and each is the reply of a mistake."""
    exercises = quiz(NUMPY, level, 4, 30)
    command = f"quiz --level {level} --count 30 --seed 4 -f gift"
    *cards, _ = play("", *command.split()).split("}\n\n")
    counts = set()
    for card, exercise in zip(cards, exercises, strict=True):
        choices = card.replace("\\:", ":").replace("\\=", "=")
        [(right, why)] = re.findall(r"^  =(.*?)#(.*)$", choices, re.MULTILINE)
        wrong = re.findall(r"^  ~([^#\n]*)", choices, re.MULTILINE)
        assert right == text_of(exercise.right, page_shape)
        assert why == exercise.explanation(page_shape)
        assert right not in wrong
        assert len(set(wrong)) == len(wrong)
        counts.add(len(wrong))
        found = {text_of(reply, page_shape) for reply, _ in wrong_replies(exercise)}
        assert {*wrong} <= found | {NO}
    assert min(counts) > 0
    assert max(counts) == 4


def test_summary() -> None:
    """`-h` and TAB say in a line what the command is for."""
    assert summary("quiz") == "Ask practice questions"
