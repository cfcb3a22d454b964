"""The quiz: answers come of asking, slips of working them out, and every end has a score."""

import io
import os
import pty
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache

import numpy as np
import pytest

from bcastcli.analysis.quiz import (
    DEPENDS,
    NO,
    Level,
    Reply,
    levels_of,
    mistake,
    posed,
    quiz,
    read,
    right,
    why,
)
from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import Shape
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES

Output = pytest.CaptureFixture[str]
NUMPY = RULES["numpy"]
KINDS = [level for level in Level if level is not Level.MIXED]
EACH_RULE = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
RULES_AND_LEVELS = [
    pytest.param(rule, level, id=f"{rule.name}-{level}")
    for rule in RULES.values()
    for level in levels_of(rule)
]
EACH_LEVEL = pytest.mark.parametrize(("rule", "level"), RULES_AND_LEVELS)
# Under each rule, the levels on which it says both yes and no.
LEVELS = {
    "numpy": KINDS,
    "onnx": KINDS,
    "onnx-uni": [level for level in KINDS if level not in (Level.BOTH_SIDES, Level.SEVERAL)],
    "none": [*KINDS[3:]],
    "pdpd": [level for level in KINDS if level not in (Level.BOTH_SIDES, Level.SEVERAL)],
    "bidirectional": [level for level in KINDS if level is not Level.SEVERAL],
    "ncnn": [level for level in KINDS if level not in (Level.SEVERAL, Level.ZEROS)],
}


def asked(rule: str, *shapes: Sequence[int | str], **options: int) -> Answer:
    """A question."""
    names = RULES[rule].default_names or "ABCD"
    operands = [Operand(name, tuple(shape)) for name, shape in zip(names, shapes, strict=False)]
    return Question(RULES[rule], operands, options).answer()


def shapes_of(question: Answer) -> list[Shape]:
    """The shapes that are asked about."""
    return [operand.shape for operand in question.operands]


def typed(reply: Reply) -> str:
    """A reply as a player types it."""
    return reply if isinstance(reply, str) else ",".join(map(str, reply)) or "()"


@cache
def questions(seed: int = 1, count: int = 40) -> list[Answer]:
    """Questions of every level under every rule."""
    return [
        question
        for rule in RULES.values()
        for level in levels_of(rule)
        for question in quiz(rule, level, seed, count)
    ]


# What is asked


@EACH_LEVEL
def test_kind(rule: Rule, level: Level) -> None:
    """Every level asks questions of its own kind, and under the rule that was asked for."""
    for question in quiz(rule, level, 5, 60):
        shapes = shapes_of(question)
        sizes = [size for shape in shapes for size in shape]
        if level is Level.OTHER_RULES:
            assert question.rule is not rule
            continue
        assert question.rule is rule
        assert (len(shapes) > 2) == (level is Level.SEVERAL)
        assert (0 in sizes) == (level is Level.ZEROS)
        assert bool(question.unknown_sizes) == (level is Level.SYMBOLS)
        if level is Level.MISSING_AXES:
            assert len(set(map(len, shapes))) == 2
            assert 1 not in sizes
        if level is Level.ONES:
            assert sum(1 in shape for shape in shapes) == 1
        if level is Level.BOTH_SIDES:
            assert all(1 in shape for shape in shapes)
            assert question.ok is False or question.all_stretch


@EACH_LEVEL
def test_fair(rule: Rule, level: Level) -> None:
    """Yes and no are about as frequent, nothing is asked twice, and all can be done by hand."""
    drawn = quiz(rule, level, 11, 100)
    verdicts = Counter(question.ok for question in drawn)
    assert min(verdicts.values()) >= 20
    assert set(verdicts) == ({True, False, None} if level is Level.SYMBOLS else {True, False})
    assert len({posed(question) for question in drawn}) == 100
    for question in drawn:
        assert max(map(len, shapes_of(question))) <= 4
        assert all(size in {*range(7), "N", "M"} for shape in shapes_of(question) for size in shape)
        assert "?" not in typed(right(question))


@pytest.mark.parametrize("name", LEVELS)
def test_levels(name: str) -> None:
    """A rule has the levels on which it can say both yes and no."""
    assert levels_of(RULES[name]) == LEVELS[name]


@EACH_RULE
def test_mixed_rises(rule: Rule) -> None:
    """Mixed has every level of the rule, the easy ones first, as often as each other."""
    levels = levels_of(rule)
    drawn = quiz(rule, Level.MIXED, 3, 4 * len(levels))
    assert [question.rule is rule for question in drawn[:-4]] == [True] * (len(drawn) - 4)
    assert all(question.rule is not rule for question in drawn[-4:])
    symbols = [bool(question.unknown_sizes) for question in drawn[:-4]]
    assert symbols == [False] * (len(symbols) - 4) + [True] * 4


def test_seed() -> None:
    """A seed asks the same again, and another one something else."""
    first = [posed(question) for question in quiz(NUMPY, Level.MIXED, 3, 50)]
    again = [posed(question) for question in quiz(NUMPY, Level.MIXED, 3, 50)]
    other = [posed(question) for question in quiz(NUMPY, Level.MIXED, 4, 50)]
    assert first == again
    assert len(set(first) & set(other)) < 10


@pytest.mark.parametrize("level", [level for level in KINDS if level is not Level.OTHER_RULES])
def test_numpy_as_judge(level: Level) -> None:
    """What is right under the rule numpy is what NumPy says, for names whatever stands for them."""
    for question in quiz(NUMPY, level, 17, 60):
        results: set[tuple[int, ...] | None] = set()
        for number in range(1, 8):
            sizes = {"N": number, "M": number}
            shapes = [tuple(sizes.get(str(s), s) for s in shape) for shape in shapes_of(question)]
            try:
                results.add(np.broadcast_shapes(*shapes))  # type: ignore[arg-type]  # all known
            except ValueError:
                results.add(None)
        reply = right(question)
        if reply == NO:
            assert results == {None}
        elif reply != DEPENDS:
            assert results == {
                tuple(number if isinstance(size, str) else size for size in reply)
                for number in range(1, 8)
            }
        elif question.unknown_sizes in (("N",), ("M",)):
            assert None in results
            assert len(results) > 1


@pytest.mark.parametrize("question", questions(count=4), ids=posed)
def test_question_can_be_asked(question: Answer, capsys: Output) -> None:
    """A question as it is read out, asked of the command line, gets what is right."""
    rule, *line = posed(question).split()
    options = [word.replace("axis=", "--axis=") for word in line if word.startswith("axis=")]
    shapes = [word for word in line if not word.startswith("axis=")]
    status = main([rule, "-f", "plain", *shapes, *options])
    answer = capsys.readouterr().out.strip()
    reply = right(question)
    assert status == {NO: 1, DEPENDS: 3}.get(typed(reply), 0)
    if reply == NO:
        assert answer == f"mismatch: {why(question)}"
    else:
        assert answer == (why(question) if reply == DEPENDS else typed(reply))


# Replies


@pytest.mark.parametrize(
    "text", ["2,3", "(2, 3)", "[2,3]", "2x3", "2×3", " 2,3 ", "torch.Size([2,3])"]
)
def test_shapes_are_read_as_everywhere(text: str) -> None:
    """A shape is typed in any way in which it is typed elsewhere."""
    assert read(text, asked("numpy", (2, 3), (3,))) == (2, 3)


@pytest.mark.parametrize(
    ("text", "reply"),
    [("no", NO), ("No", NO), ("n", NO), ("N", NO), ("-", NO), ("()", ()), ("scalar", ())],
)
def test_words(text: str, reply: Reply) -> None:
    """No is typed in several ways, and so is a scalar."""
    assert read(text, asked("numpy", (2, 3), (3,))) == reply


def test_names_in_replies() -> None:
    """Where a size is a name, a reply may have it, and N is a shape."""
    question = asked("numpy", ("N", 4), (1,))
    assert read("N,4", question) == ("N", 4)
    assert read("N", question) == ("N",)
    assert read("n", question) == NO
    with pytest.raises(NotationError, match="no size here is called N"):
        read("N", asked("numpy", ("M", 4), (1,)))
    assert read("depends", question) == read("D", question) == DEPENDS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2,,3", "a size is missing here"),
        ("2 3", "one shape, or no"),
        ("2, 3", "space after a comma"),
        ("yes", "then to which shape?"),
        ("dunno", "a lone word is not a shape"),
        ("dunno,", "no size here is called dunno"),
        ("?", "no size here is called ?"),
        ("depends", "all sizes are known here"),
    ],
)
def test_malformed_replies(text: str, message: str) -> None:
    """What is no reply is refused with what is wrong with it."""
    with pytest.raises(NotationError, match=f"^{re.escape(message)}"):
        read(text, asked("numpy", (2, 3), (3,)))


# Slips


@pytest.mark.parametrize(
    ("question", "reply", "made"),
    [
        (asked("numpy", (3, 2), (3,)), (3, 2), "aligned left"),
        (asked("numpy", (2, 3), (3,)), NO, "aligned left"),
        (asked("ncnn", (2, 3, 4), (2, 3)), (2, 3, 4), "aligned left"),
        (asked("ncnn", (2, 1), (3,)), (2, 3), "answered for numpy"),
        (asked("onnx-uni", (1, 3), (2, 3)), (2, 3), "answered for numpy"),
        (asked("none", (2, 3), (1, 3)), (2, 3), "answered for numpy"),
        (asked("pdpd", (2, 3), (3,), axis=0), (2, 3), "answered for numpy"),
        (asked("pdpd", (2, 3), (2,), axis=0), NO, "answered for numpy"),
        # Many rules would say no here, and the reply does not tell which was meant.
        (asked("numpy", (1, 3), (2, 3)), NO, "said no where it broadcasts"),
        (asked("numpy", (2, 3), (1, 3)), NO, "said no where it broadcasts"),
        (asked("numpy", ("N", 4), (1, 4)), DEPENDS, "answered for none"),
        (asked("onnx-uni", (4, 3), (4, 1)), NO, "swapped the operands"),
        (asked("pdpd", (2,), (2, 3), axis=0), (2, 3), "swapped the operands"),
        (asked("pdpd", (2, 3), (1, 1), axis=1), NO, "swapped the operands"),
        (asked("pdpd", (3, 1), (3,), axis=0), NO, "took the default axis"),
        (asked("pdpd", (2, 1, 3), (3,), axis=0), (2, 3, 3), "said yes where it does not broadcast"),
        (asked("numpy", (2, 3), (4, 1)), (4, 3), "took the larger size on each axis"),
        (asked("numpy", (0, 3), (1, 3)), (1, 3), "took the larger size on each axis"),
        (asked("numpy", (3,), (3,)), (9,), "multiplied the sizes on each axis"),
        (asked("numpy", (4, 1), (4, 3)), (8, 4), "added the sizes on each axis"),
        (asked("numpy", (2, 1, 4), (3, 1)), (3, 4), "left out axis 0 (-3)"),
        (asked("ncnn", (2, 3), (2, 1)), (2,), "left out axis h (1, -1)"),
        (asked("numpy", (2, 3), (2, 3)), NO, "said no where it broadcasts"),
        (asked("numpy", (2, 3), (4, 5)), (6, 7), "said yes where it does not broadcast"),
        (asked("numpy", (2, 3), (3,)), (2, 3, 1), "the result has rank 2, not 3"),
        (asked("numpy", (2, 3), (1, 3)), (2, 4), "the result has 3 on axis 1 (-1), not 4"),
        (asked("numpy", ("N", 4), (3, 4)), (3, 4), "with N = 2 it does not broadcast"),
        (asked("numpy", ("N", 4), (3, 4)), NO, "with N = 1 it broadcasts"),
        (asked("numpy", ("N",), ("M",)), ("N",), "with N = 2 and M = 3 it does not broadcast"),
        (asked("numpy", ("N", 4), ("N", 4)), DEPENDS, "it depends on nothing: any sizes will do"),
        (asked("numpy", ("N", 4), (3, 5)), DEPENDS, "it depends on nothing: no sizes will do"),
    ],
)
def test_slip(question: Answer, reply: Reply, made: str) -> None:
    """A wrong reply is told what it comes of."""
    assert reply != right(question)
    assert mistake(question, reply) == made


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ("aligned left", lambda a, b: np.broadcast_shapes(a + (1,) * (len(b) - len(a)), b)),
        ("took the larger size on each axis", lambda a, b: np.maximum(*_padded(a, b))),
        ("multiplied the sizes on each axis", lambda a, b: np.multiply(*_padded(a, b))),
        ("added the sizes on each axis", lambda a, b: np.add(*_padded(a, b, missing=0))),
    ],
)
def test_slips_as_numpy_makes_them(made: str, wrong: Callable[[Shape, Shape], Shape]) -> None:
    """A reply that is made by a slip is recognized, in questions of every level."""
    recognized = 0
    for question in questions(seed=23):
        if question.rule is not NUMPY or len(question.operands) > 2 or question.unknown_sizes:
            continue
        a, b = sorted(shapes_of(question), key=len)
        with suppress(ValueError):
            reply = tuple(map(int, wrong(a, b)))
            if reply != right(question):
                recognized += mistake(question, reply) == made
    assert recognized > 10


def _padded(a: Shape, b: Shape, missing: int = 1) -> tuple[Shape, Shape]:
    """The shorter shape, aligned right with the longer one."""
    return (missing,) * (len(b) - len(a)) + a, b


def test_every_wrong_reply_is_told_something() -> None:
    """Whatever is replied, something is said of it, and the right reply is never called a slip."""
    replies: list[Reply] = [NO, (), (1,), (2,), (2, 3), (3, 3, 3), (2, 2, 2, 2)]
    for question in questions(count=10):
        for reply in [*replies, *([DEPENDS] if question.unknown_sizes else [])]:
            if reply != right(question):
                assert mistake(question, reply)


# Playing


ONES = ["quiz", "--level", "ones", "--count", "3", "--seed", "2"]


def play(capsys: Output, monkeypatch: pytest.MonkeyPatch, replies: str, *arguments: str) -> str:
    """What is written where these are the lines of standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(replies.encode())))
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*(arguments or ONES)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def drawn(seed: int = 2, count: int = 3) -> list[Answer]:
    """The questions of ONES."""
    return quiz(NUMPY, Level.ONES, seed, count)


def test_all_right(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transcript has each question, the reply, and why it is right; and the score at the end."""
    out = play(capsys, monkeypatch, "".join(f"{typed(right(each))}\n" for each in drawn()))
    for number, question in enumerate(drawn(), start=1):
        reply = typed(right(question))
        assert f"\n{number}. {posed(question)}\n> {reply}\nright: {why(question)}\n" in out
    assert out.startswith("3 questions, seed 2\nnumpy: ")
    assert out.endswith("\n3 right of 3\n")


def test_wrong(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a wrong reply stand the slip, the operands aligned, and what is right."""
    out = play(capsys, monkeypatch, "7,7,7,7\n" * 3)
    for question in drawn():
        assert f"wrong: {mistake(question, (7,) * 4)}\n  axis " in out
        assert f"\n{typed(right(question))}: {why(question)}\n" in out
    assert out.endswith("\n0 right of 3\n")


def test_malformed_reply_in_a_pipe(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """A malformed line is a wrong reply, as the next is for the next question; blanks are none."""
    first, *others = drawn()
    replies = "".join(f"\n \n{typed(right(each))}\n" for each in others)
    out = play(capsys, monkeypatch, f"2,,3\n{replies}")
    assert out.count("> 2,,3\nwrong: a size is missing here\n") == 1
    assert f"\n{typed(right(first))}: {why(first)}\n" in out
    assert out.endswith("\n2 right of 3\n")


@pytest.mark.parametrize("ended", ["", "\n"], ids=["cut", "whole"])
def test_end_of_input(capsys: Output, monkeypatch: pytest.MonkeyPatch, ended: str) -> None:
    """Where the replies end early, the score is of those that there were."""
    out = play(capsys, monkeypatch, f"{typed(right(drawn()[0]))}\n7{ended}")
    assert out.endswith(f"\n3. {posed(drawn()[2])}\n\n1 right of 2\n")
    assert play(capsys, monkeypatch, "").endswith("\n0 right of 0\n")


def test_hostile_replies(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be printed is escaped, and nothing that is typed ends the quiz."""
    out = play(
        capsys,
        monkeypatch,
        "\x1b[31m\n[red]\n\udcff\n".encode("utf-8", "surrogateescape").decode("latin-1")
        + "9" * 9999,
    )
    assert "\x1b" not in out
    assert "\\x1b[31m" in out
    assert "right of" in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("color", "colored"), [("always", True), ("never", False), ("auto", False)]
)
def test_color(capsys: Output, monkeypatch: pytest.MonkeyPatch, color: str, colored: bool) -> None:
    """Right and wrong are colored only if that is wanted."""
    out = play(capsys, monkeypatch, "7\n", *ONES, "--color", color)
    assert ("\x1b[" in out) == colored


@EACH_RULE
def test_rule_is_told(capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: Rule) -> None:
    """Before the first question stands what each rule is that is asked about."""
    arguments = ["quiz", "--rule", rule.name, "--seed", "8", "--level", "other-rules"]
    out = play(capsys, monkeypatch, "", *arguments)
    rules = {each.rule for each in quiz(rule, Level.OTHER_RULES, 8, 10)}
    for each in RULES.values():
        assert (f"\n{each.name}: {each.summary}\n" in out) == (each in rules)


def test_ncnn_is_read_w_first(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quiz under ncnn says how its shapes are read."""
    assert "shapes as w,h,d,c" in play(
        capsys, monkeypatch, "", "quiz", "--rule", "ncnn", "--level", "ones"
    )


@pytest.mark.parametrize(("level", "told"), [("symbols", True), ("ones", False)])
def test_depends_is_told(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, level: str, told: bool
) -> None:
    """Only where sizes are names is it said when to reply that it depends."""
    out = play(capsys, monkeypatch, "", "quiz", "--level", level, "--seed", "1")
    assert ("otherwise with depends" in " ".join(out.split())) == told


def test_seed_is_told(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --seed the questions are others each time, and the seed that is told asks them."""
    first = play(capsys, monkeypatch, "", "quiz", "--sheet", "--count", "30")
    other = play(capsys, monkeypatch, "", "quiz", "--sheet", "--count", "30")
    matched = re.match(r"30 questions, seed (\d+)\n", first)
    assert matched
    seed = matched[1]
    assert first != other
    assert (
        play(capsys, monkeypatch, "", "quiz", "--sheet", "--count", "30", "--seed", seed) == first
    )


# The sheet


@EACH_RULE
def test_sheet(capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: Rule) -> None:
    """The key below the cut is what the command line answers to the questions above it."""
    arguments = ["quiz", "--rule", rule.name, "--seed", "3", "--count", "30", "--sheet"]
    sheet = play(capsys, monkeypatch, "", *arguments)
    asking, key = sheet.split("\n" + "-" * 80 + "\n")
    numbered = re.findall(r"^(\d+)\. (.*)$", asking, re.MULTILINE)
    keyed = re.findall(r"^(\d+)\. (.*?): ", key, re.MULTILINE)
    assert [number for number, _ in numbered] == [str(number) for number in range(1, 31)]
    assert [number for number, _ in keyed] == [number for number, _ in numbered]
    for (_, question), (_, reply) in zip(numbered, keyed, strict=True):
        name, *line = question.split()
        words = [word.replace("axis=", "--axis=") for word in line]
        main([name, "-f", "plain", *words])
        answer = capsys.readouterr().out.strip()
        if reply == NO:
            assert answer.startswith("mismatch: ")
        else:
            assert " when " in answer if reply == DEPENDS else answer == reply


def test_sheet_reads_nothing(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheet needs no standard input, and is the same at any width."""
    arguments = [*ONES, "--sheet"]
    wide = play(capsys, monkeypatch, "left alone", *arguments)
    assert sys.stdin.read() == "left alone"
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setenv("COLUMNS", "40")
    main(arguments)
    assert capsys.readouterr().out == wide


# Slips in the command line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--rule", "onx"],
            "invalid value for '--rule': there is no rule onx; did you mean onnx?",
        ),
        (["--rule", "onnx-uni", "--level", "both-sides"], "under onnx-uni nothing of level"),
        (["--rule", "ncnn", "--level", "zeros"], "under ncnn nothing of level zeros broadcasts"),
        (["--level", "hard"], "invalid value for '--level': 'hard' is not one of 'mixed',"),
        (["--count", "0"], "invalid value for '--count'"),
        (["--count", "101"], "invalid value for '--count'"),
        (["--seed", "-1"], "invalid value for '--seed'"),
        (["2,3"], "got unexpected extra argument"),
    ],
)
def test_usage(capsys: Output, arguments: list[str], message: str) -> None:
    """What cannot be asked is one sentence, and status 2."""
    assert main(["quiz", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"bcastcli: {message}")


def test_closed_input(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where replies cannot come, nothing is asked."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(ONES) == 2
    assert capsys.readouterr() == (
        "",
        "bcastcli: standard input, where replies come from, is closed\n",
    )


# At a terminal


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
    for question in drawn():
        terminal.until("> ")
        terminal.shown = ""
        terminal.type(f"{typed(right(question))}\n")
    terminal.until("right: ")
    assert terminal.shown.startswith(f"{typed(right(drawn()[2]))}\nright: ")
    assert terminal.ended() == 0
    assert terminal.shown.endswith("\n3 right of 3\n")


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_stopping(key: str, status: int) -> None:
    """Ctrl-C and Ctrl-D tell the score; Ctrl-C still ends with 130, and silently."""
    terminal = Terminal(*ONES)
    terminal.until("> ")
    terminal.type(f"{typed(right(drawn()[0]))}\n")
    terminal.until(f"2. {posed(drawn()[1])}\n> ")
    terminal.type(key)
    assert terminal.ended() == status
    assert terminal.shown.endswith("\n1 right of 1\n")
    assert "Traceback" not in terminal.shown
