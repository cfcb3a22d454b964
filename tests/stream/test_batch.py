"""Questions on standard input: the same answers, in order, promptly, in little memory."""

import errno
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import pytest

from bcastcli.cli.main import main
from bcastcli.stream.batch import lines_of
from tests.effort import each_once, in_turn, many, part_of
from tests.fuzz.questions import random_lines
from tests.in_memory import Ended, run
from tests.rows import each_row

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
FORMATS = ("plain", "json", "table")
MIB = 1 << 20

Peak = Future[tuple[int, int, int]]

# For each rule a line with each status.
ASKED = {
    "numpy": ("2,3 3", "2,3 2,4", "2,,3 4", "N,4 3,4"),
    "onnx": ("4,5 2,3,4,5", "2,3 4,1", "2.3", "N M"),
    "onnx-uni": ("2,3 3", "3 2,3", "2", "2,N 3"),
    "none": ("2,3 2,3", "2,3 1,3", "2", "N,3 2,3"),
    "pdpd": ("2,3,4,5 3,4 axis=1", "2,3,4,5 3,4", "2 3 4", "2,3,4 3,N axis=1"),
    "bidirectional": ("3,1 2,1,6", "3,4 3", "3", "N 3"),
    "ncnn": ("2,3,4 3,4", "2,3,4 2,3", "2 1e3", "N 3"),
}
Output = pytest.CaptureFixture[str]

needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="the shell's redirections")
needs_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="there are no signals")
needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="tells the peak")


class Pieces(io.RawIOBase):
    """An input that comes in given pieces, however much is asked for."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        super().__init__()
        self._pieces = iter(pieces)
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._rest or next(self._pieces, b"")
        taken = min(len(piece), len(buffer))
        buffer[:taken] = piece[:taken]
        self._rest = piece[taken:]
        return taken


class Refusing(io.RawIOBase):
    """An input that nobody may touch, or that cannot be read."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))


class Terminal(Refusing):
    """A terminal at which nobody types."""

    def isatty(self) -> bool:
        return True


def given(monkeypatch: pytest.MonkeyPatch, raw: io.RawIOBase) -> None:
    """Make an input the standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(raw)))


class Ask:
    """Asks the command line, in this process."""

    def __init__(self, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def single(self, *arguments: str) -> Ended:
        """What comes of a question in the arguments; standard input may not be read."""
        given(self._monkeypatch, Refusing())
        status = main(arguments)
        return Ended(status, *self._capsys.readouterr())

    def stream(self, pieces: bytes | Iterable[bytes], *arguments: str) -> Ended:
        """What comes of questions on standard input."""
        given(self._monkeypatch, Pieces([pieces] if isinstance(pieces, bytes) else pieces))
        status = main(arguments)
        return Ended(status, *self._capsys.readouterr())


@pytest.fixture
def ask(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """The command line, in this process."""
    return Ask(capsys, monkeypatch)


def text_of(lines: Iterable[str]) -> bytes:
    """Lines, each with its end, as they are piped."""
    return "".join(f"{line}\n" for line in lines).encode()


def in_pieces(data: bytes, seed: int = 1) -> Iterator[bytes]:
    """The same bytes in pieces that end anywhere, from one byte to many lines."""
    random = Random(seed)
    place = 0
    while place < len(data):
        size = random.choice((1, 3, 20, 100, 2000))
        yield data[place : place + size]
        place += size


CASES = [*([rule] for rule in ASKED), ["ncnn", "--order", "numpy"]]


def in_stream(single: Ended, output: str, line: str, number: int) -> Ended:
    """What a stream should write for a question, given what it is answered on its own."""
    if single.status != MALFORMED:
        assert single.err == ""
        out = single.out
        if output == "json":
            # What to write instead takes longer to find: only a question on its own is told.
            told, suggestions, _ = out.partition(', "suggestions": [')
            assert suggestions
            told = re.sub(r'(, )?\{"kind": "sizes", "text": "[^"]*"\}', "", told)
            out = f'{told}, "line": {number}}}\n'
        return Ended(single.status, out, "")
    assert bool(single.out) == (output == "json")
    message, _, pointed = single.err.removeprefix("bcastcli: ").partition("\n")
    err = f"bcastcli: line {number}: {message}\n{pointed}"
    if output == "json":
        fields = {"schema": 1, "status": "invalid", "line": number, "input": line, "error": message}
        column = pointed.rpartition("\n  ")[2].index("^") + 1
        out = json.dumps({**fields, "column": column}) + "\n"
        return Ended(MALFORMED, out, err)
    return Ended(MALFORMED, f"error: {message}\n", err)


def without_column(text: str) -> str:
    """The objects without the columns of errors, which carets show only roughly."""
    return re.sub(r'(?m), "column": \d+\}$', "}", text)


@each_once
@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize("command", CASES)
def test_a_stream_answers_as_single_questions_are(
    ask: Ask, command: list[str], output: str
) -> None:
    """Line by line, a stream gives byte for byte what the questions are answered on their own."""
    lines = random_lines(command[0], 100 if output == "table" else many(1600))
    singles = {line: ask.single(*command, "-f", output, "--", line) for line in set(lines)}
    lines = [line for line in lines if "got one shape" not in singles[line].err]  # only a line's
    assert {single.status for single in singles.values()} == {YES, NO, MALFORMED, DEPENDS}
    expected = [
        in_stream(singles[line], output, line, number) for number, line in enumerate(lines, 1)
    ]
    ended = ask.stream(in_pieces(text_of(lines)), *command, "-f", output, "-")
    assert ended.status == MALFORMED
    if output == "table":
        assert ended.out == "".join(answer.out for answer in expected)
    else:
        answers = without_column(ended.out).splitlines(keepends=True)
        for line, answer, text in zip(lines, expected, answers, strict=True):
            assert (line, text) == (line, without_column(answer.out))
    assert ended.err.splitlines() == "".join(answer.err for answer in expected).splitlines()


@each_once
@pytest.mark.parametrize("quiet", [[], ["-q"]])
@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize("rule", list(ASKED))
def test_status(ask: Ask, rule: str, output: str, quiet: list[str]) -> None:
    """2 if any line was malformed, else 1 for any no, else 3 if any depends, else 0."""
    mixes = [
        mix for count in range(1, 5) for mix in combinations((YES, NO, MALFORMED, DEPENDS), count)
    ]
    for mix in mixes:
        expected = next(status for status in (MALFORMED, NO, DEPENDS, YES) if status in mix)
        for order in (mix, mix[::-1] * 2):
            lines = [ASKED[rule][status] for status in order]
            pieces = [text_of(lines)] if order == mix else [text_of([line]) for line in lines]
            ended = ask.stream(pieces, rule, "-f", output, *quiet)
            assert (order, ended.status) == (order, expected)
            assert bool(ended.out) == (not quiet)
            assert ended.err.count("bcastcli: line ") == order.count(MALFORMED)


@each_row(
    "data",
    [
        *(b"", b"\n", b"\n \n\t\n  \t ", b"\r\n\r\n", b"# 2,3 4\n#"),
        *(b"\xef\xbb\xbf", b"\xef\xbb\xbf\n# 2,3\n"),  # the mark that some editors put first
    ],
)
@each_row("shown", [[], ["-q"], ["-f", "json"], ["-f", "table"]])
def test_no_question(ask: Ask, data: bytes, shown: list[str]) -> None:
    """No question at all is fine after -, and otherwise must not read as a yes."""
    assert ask.stream(data, "numpy", "-", *shown) == (YES, "", "")
    ended = ask.stream(data, "numpy", *shown)
    assert (ended.status, ended.out) == (MALFORMED, "")
    assert ended.err.startswith("bcastcli: no question")


@each_row("arguments", [["2,3", "3"], [""], ["N", "3"], ["2,,3"]])
def test_standard_input_is_left_alone(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Where shapes were given, what is on standard input stays there for others."""
    given(monkeypatch, Pieces([b"4 5\n"]))
    main(["numpy", "-f", "plain", *arguments])
    assert sys.stdin.read() == "4 5\n"
    assert "line" not in capsys.readouterr().err


@each_row("rule", list(ASKED))
def test_a_terminal_is_not_waited_for(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    """Without shapes at a terminal there is a short usage, and nothing is read."""
    given(monkeypatch, Terminal())
    assert main([rule]) == MALFORMED
    out, err = capsys.readouterr()
    assert out == ""
    usage = rf"bcastcli: a shape is missing: bcastcli {rule} [0-9].* \(--help shows more\)\n"
    assert re.fullmatch(usage, err)


@each_row("repeats", [1, 2, 50])
def test_a_repeated_mistake_is_reported_each_time(ask: Ask, repeats: int) -> None:
    """A malformed line that was met before has its own number again."""
    lines = ["2,,3", "2 3"] * repeats
    for pieces in (text_of(lines), [text_of([line]) for line in lines]):
        ended = ask.stream(pieces, "numpy", "--json")
        numbers = [json.loads(line)["line"] for line in ended.out.splitlines()]
        assert numbers == list(range(1, 2 * repeats + 1))
        told = re.findall(r"bcastcli: line (\d+):", ended.err)
        assert [*map(int, told)] == list(range(1, 2 * repeats + 1, 2))


@each_row("output", FORMATS)
def test_quiet(ask: Ask, output: str) -> None:
    """With -q nothing goes to standard output, and mistakes are still told."""
    data = text_of(["# a comment", "", *ASKED["numpy"], "(2"])
    loud = ask.stream(data, "numpy", "-f", output)
    assert ask.stream(data, "numpy", "-f", output, "-q") == loud._replace(out="")


@each_row(
    ("data", "answers"),
    [
        pytest.param(b"2,3 3\n2", ["2,3", "2"], id="no final newline"),
        pytest.param(b"2,3 3\r\n2\r\n", ["2,3", "2"], id="CRLF"),
        pytest.param(b"2,3 3\r\n2\r", ["2,3", "2"], id="CRLF, the last one cut"),
        pytest.param(b"2\n3\r\n4\n", ["2", "3", "4"], id="both ends of line"),
        pytest.param(b"\xef\xbb\xbf2,3 3\n2\n", ["2,3", "2"], id="a mark"),
        pytest.param(b"\xef\xbb\xbf2,3 3", ["2,3"], id="a mark, and one line"),
        pytest.param(b"\xef\xbb\xbf# 2,3 3\n2", ["2"], id="a mark before a comment"),
        pytest.param(b"\xef\xbb\xbf[[2],[1]]\n", ["2"], id="a mark before JSON"),
        pytest.param(b"2\n\xef\xbb\xbf3\n", ["2", "error"], id="a mark in the midst"),
        pytest.param(b"\xef\xbb\xbf\xef\xbb\xbf3\n2\n", ["error", "2"], id="two marks"),
        pytest.param("2×3 3\n".encode(), ["2,3"], id="two bytes a character"),
        pytest.param(b"2\xff\n3\n", ["error", "3"], id="no UTF-8"),
        pytest.param(b"2\xc3\n\x973\n3\n", ["error", "error", "3"], id="a character cut"),
        pytest.param(b"\xed\xa0\x80\n3\n", ["error", "3"], id="a surrogate"),
        pytest.param(b"# \xff\n3\n", ["3"], id="a comment that is no UTF-8"),
        pytest.param(b'{"shapes": [["\xff"]]}\n3\n', ["error", "3"], id="JSON that is no UTF-8"),
        pytest.param(b"2\x003\n3\n\0\n", ["error", "3", "error"], id="NUL"),
        pytest.param(b"2\x0b3\n2\x0c3\n2\x853\n", ["error"] * 3, id="other ends of line"),
        pytest.param("2\u20283\n3\n".encode(), ["error", "3"], id="a line separator"),
        pytest.param("2\u00a03\n".encode(), ["error"], id="a blank that is none"),
    ],
)
@each_row("output", ["plain", "json"])
def test_bytes(ask: Ask, data: bytes, answers: list[str], output: str) -> None:
    """Whatever the bytes are and wherever they are cut, each line gets its answer or its error."""
    cells = []
    for pieces in ([data], [bytes([byte]) for byte in data]):
        ended = ask.stream(pieces, "numpy", "-", "-f", output)
        lines = ended.out.splitlines()
        if output == "json":
            objects = map(json.loads, lines)
            found = ["error" if "error" in each else _written(each["result"]) for each in objects]
        else:
            found = ["error" if line.startswith("error: ") else line for line in lines]
        cells.append(found)
        assert ended.status == (MALFORMED if "error" in answers else YES)
        assert all(c.isprintable() or c in "\n\t" for c in ended.out)
        assert all(c.isprintable() or c == "\n" for c in ended.err)
    assert cells == [answers, answers]


def _written(shape: list[int]) -> str:
    return ",".join(map(str, shape)) or "()"


@each_once
@pytest.mark.parametrize("end", ["", "\n", "\r\n"], ids=ascii)
@pytest.mark.parametrize("size", [1, MIB // 3, 10 * MIB])
def test_the_longest_line(ask: Ask, end: str, size: int) -> None:
    """A line of 1 MiB is read; one with a byte more is malformed; the lines around are answered."""
    longest = f"2{' ' * (MIB - 2)}3".encode()
    for line, error in ((longest, False), (longest.replace(b" ", b"  ", 1), True)):
        data = b"4\n" + line + end.encode()
        pieces = [b"4", *(data[i : i + size] for i in range(1, len(data), size))]
        if size == 1:
            pieces = [data[:-3], *(data[i : i + 1] for i in range(len(data) - 3, len(data)))]
        ended = ask.stream([*pieces, b"5" if end else b""], "numpy")
        first, second, *rest = ended.out.splitlines()
        assert (first, rest) == ("4", ["5"] if end else [])
        assert second.startswith("error: " if error else "mismatch: A has 2 and B has 3 ")
        assert ended.status == (MALFORMED if error else NO)


# A question of 60 characters: the beginnings of long lines signature like one that was met before.
SIXTY = f"10 {'1 ' * 28}1"


@each_row(
    ("first", "long"),
    [
        pytest.param("3", "2,3 3" * 300_000, id="no shape"),
        pytest.param("3", "1 " * 600_000 + "1", id="many shapes"),
        pytest.param(SIXTY, f"{SIXTY}{' 1' * 600_000}", id="a beginning met before"),
        pytest.param("3", f"{' ' * 100}{'2 ' * 600_000}", id="blanks first"),
        pytest.param("3", f"\t{' ' * 2 * MIB}2 3", id="nearly only blanks"),
        pytest.param("3", f"[[2,3],{'[1],' * 300_000}[1]]", id="JSON"),
        pytest.param("3", "é" * MIB, id="two bytes a character"),
        pytest.param("3", "\0" * 2 * MIB, id="NUL"),
    ],
)
@each_row("output", ["plain", "json"])
def test_a_line_that_is_too_long(ask: Ask, first: str, long: str, output: str) -> None:
    """A line over 1 MiB is malformed whatever it begins with, and twice as well as once."""
    pieces = [f"{line}\n".encode() for line in (first, long, long, "2,3 3")]
    ended = ask.stream(pieces, "numpy", "-f", output)
    errors = [("error: " in line) or ('"error": ' in line) for line in ended.out.splitlines()]
    assert errors == [False, True, True, False]
    assert ended.status == MALFORMED
    assert re.findall(r"bcastcli: line (\d+):", ended.err) == ["2", "3"]
    assert len(ended.out) + len(ended.err) < 20_000


def command(*arguments: str) -> list[str]:
    """The command line as a process's arguments."""
    return [sys.executable, "-m", "bcastcli", *arguments]


def test_input_that_does_not_wait(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a read gives nothing as there is nothing yet, more is waited for."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    pieces = [b"2,3 3\n4 ", b"4\n", b""]

    def wait(*awaited: list[object]) -> None:
        piece = pieces.pop(0)
        if piece:
            os.write(writer, piece)
        else:
            os.close(writer)

    monkeypatch.setattr("select.select", wait)
    with os.fdopen(reader, encoding="utf-8") as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(["numpy"]) == YES
    assert capsys.readouterr().out == "2,3\n4\n"
    assert pieces == []


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A script of bash in which `bcastcli` is the command line."""
    function = f'bcastcli() {{ {shlex.join(command())} "$@"; }}'
    return subprocess.run(
        ["bash", "-c", f"{function}\n{script}"],
        check=False,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
    )


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process whose input stays open; it is ended if it hangs."""
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as started:
        timer = Timer(60, started.kill)
        timer.start()
        try:
            yield started
        finally:
            timer.cancel()
            if started.poll() is None:
                started.kill()


def put(started: subprocess.Popen[bytes], data: bytes) -> None:
    """Write to a process at once."""
    assert started.stdin
    started.stdin.write(data)
    started.stdin.flush()


def line_of(started: subprocess.Popen[bytes]) -> str:
    """The next line that a process writes; empty if it has ended."""
    assert started.stdout
    return started.stdout.readline().decode()


@pytest.mark.parametrize("output", ["plain", "json"])
def test_answers_come_while_the_input_stays_open(output: str) -> None:
    """Each answer is there before the next question is asked, known, new or malformed."""
    asked = ["2,3 3", "N 3", "2,3 3", "2,,3", "[[4],[5]]", "2,3 3", "2,3 4"]
    with running(*command("numpy", "-f", output)) as started:
        answers = []
        for line in asked:
            put(started, f"{line}\n".encode())
            answers.append(line_of(started))
        assert started.poll() is None
        assert started.stdin
        started.stdin.close()
        assert started.wait() == MALFORMED
    assert all(answer.endswith("\n") for answer in answers)
    bare = [re.sub(r', "line": \d+', "", answer.rstrip("\n")) for answer in answers]
    assert bare[0] == bare[2] == bare[5]
    assert len(set(bare)) == 5


@needs_bash
@needs_signals
@pytest.mark.parametrize("shown", ["", "--json", "-f table"])
def test_closed_pipe(shown: str) -> None:
    """A reader that has seen enough ends the process silently, as SIGPIPE does."""
    script = f'yes 2,3 4 | bcastcli numpy {shown} | head -1 >/dev/null; echo "${{PIPESTATUS[1]}}"'
    ended = shell(script)
    assert (ended.stdout, ended.stderr) == ("141\n", "")


@needs_signals
@pytest.mark.parametrize("shown", [[], ["--json"], ["-q"]])
def test_interrupt(shown: list[str]) -> None:
    """Ctrl-C kills the process silently, and what was answered stays answered."""
    program = """if True:
        import signal, sys
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from bcastcli.__main__ import run
        run()
    """
    with running(sys.executable, "-c", program, "numpy", "-", *shown) as started:
        put(started, b"2,3 3\n2,,3\n")
        assert started.stderr
        told = [started.stderr.readline() for _ in range(3)]
        assert told[0].startswith(b"bcastcli: line 2: ")
        started.send_signal(signal.SIGINT)
        assert started.stdout
        out, err = started.stdout.read(), started.stderr.read()
        assert started.wait() == -signal.SIGINT
    assert out.count(b"\n") == (0 if shown == ["-q"] else 2)
    assert err == b""


@needs_bash
@needs_full_disk
@pytest.mark.parametrize("shown", ["", "--json"])
def test_full_disk(shown: str) -> None:
    """Answers that cannot be written because the disk is full are an error, said in one line."""
    ended = shell(f"echo 2,3 3 | bcastcli numpy {shown} >/dev/full")
    assert ended.returncode == MALFORMED
    assert ended.stderr == f"bcastcli: cannot write: {os.strerror(errno.ENOSPC)}\n"


@needs_bash
def test_closed_output() -> None:
    """A closed standard output is an error, but not under -q, which writes nothing to it."""
    ended = shell("echo 2,3 3 | bcastcli numpy >&-")
    assert ended.returncode == MALFORMED
    assert ended.stderr == "bcastcli: cannot write: standard output is closed\n"
    ended = shell("echo 2,3 4 | bcastcli numpy -q >&-")
    assert (ended.returncode, ended.stderr) == (NO, "")


@each_row("output", FORMATS)
def test_ascii(output: str) -> None:
    """Where only ASCII can be written, everything is, and input is read as UTF-8 all the same."""
    data = "2×3 3\né\n2\u202e\n3\n".encode()
    ended = run(["numpy", "-f", output], data, encoding="ascii")
    assert ended.status == MALFORMED
    assert re.search(r"2, ?3", ended.out)
    assert len(re.findall(r"bcastcli: line [23]:", ended.err)) == 2


_PEAK = """if True:
    import sys
    from pathlib import Path
    from bcastcli.cli.main import main
    status = main(sys.argv[1:])
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = next(line for line in lines if line.startswith("VmHWM:"))
    sys.stderr.write(f"{status} {peak.split()[1]}\\n")
"""

LONG_INPUTS: dict[str, tuple[int, Callable[[int], str], list[str]]] = {
    "new lines, plain": (300_000, lambda i: f"{i + 7} 1", ["-f", "plain"]),
    "new lines, json": (300_000, lambda i: f"{i + 7}", ["-f", "json"]),
    "clashes, json": (40_000, lambda i: f"{i + 7} {i + 8}", ["-f", "json"]),
    "many operands, json": (10_000, lambda i: f"{i}{' 1' * 90}", ["-f", "json"]),
    "many axes, json": (10_000, lambda i: f"{i}{',1' * 90}", ["-f", "json"]),
    "names, plain": (20_000, lambda i: f"x{i}={i} N{i},y{i},3", ["-f", "plain"]),
    "malformed, plain": (40_000, lambda i: f"{i},,3", ["-f", "plain"]),
    "malformed, json": (40_000, lambda i: f"{i},,3", ["-f", "json"]),
    "a line of 100 MB": (100, lambda i: "2,3 " * 250_000, ["-f", "json"]),
}


def _peak(name: str, folder: Path) -> tuple[int, int, int]:
    """The status, the peak in KiB and the number of answers, for one of the long inputs."""
    most, line, shown = LONG_INPUTS[name]
    count = len(part_of(range(most), 8))
    end = "" if name.startswith("a line") else "\n"
    questions, answers = folder / f"{name} in", folder / f"{name} out"
    with questions.open("w") as file:
        file.writelines(f"{line(i)}{end}" for i in range(count))
        file.write("\n2,3 3\n")
    with questions.open("rb") as file, answers.open("wb") as written:
        ended = subprocess.run(
            [sys.executable, "-c", _PEAK, "numpy", *shown],
            check=False,
            stdin=file,
            stdout=written,
            stderr=subprocess.PIPE,
        )
    questions.unlink()
    with answers.open("rb") as written:
        lines = sum(1 for _ in written)
    answers.unlink()
    assert ended.returncode == 0, ended.stderr[-1000:]
    status, peak = ended.stderr.splitlines()[-1].split()
    return int(status), int(peak), lines


@pytest.fixture(scope="module", autouse=True)
def peaks(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Peak]]:
    """What comes of the long inputs, which are answered while the other tests run."""
    chosen = {str(item.name) for item in request.session.items}
    names = [name for name in LONG_INPUTS if f"test_memory[{name}]" in chosen]
    folder = tmp_path_factory.mktemp("long")
    pool = ThreadPoolExecutor(1)
    yield {name: pool.submit(_peak, name, folder) for name in names}
    pool.shutdown(cancel_futures=True)


@needs_proc
@pytest.mark.parametrize("name", in_turn(LONG_INPUTS))
def test_memory(name: str, peaks: dict[str, Peak]) -> None:
    """The peak stays below 64 MiB, however many lines come and whatever is on them."""
    status, peak, lines = peaks[name].result()
    count = 1 if name.startswith("a line") else len(part_of(range(LONG_INPUTS[name][0]), 8))
    assert lines == count + 1
    assert (status == MALFORMED) == name.startswith(("malformed", "a line"))
    assert peak < 64 * 1024


@each_row(
    ("arguments", "question"),
    [([], '"shapes": [[2], [3]]'), (["op"], '"op": "Add", "shapes": [[2], [3]]')],
)
@each_row(
    "identity", ['"id": NaN', '"id": 1e999', '"id": [-Infinity]', '"id": 1, "id": 2', '"id": 1,']
)
def test_what_is_no_json(ask: Ask, arguments: list[str], question: str, identity: str) -> None:
    """A number that JSON does not have, or a key given twice, is invalid; the answer is JSON."""
    ended = ask.stream(f"{{{question}, {identity}}}\n".encode(), *arguments, "--json")
    assert ended.status == MALFORMED

    def refuse(text: str) -> None:
        raise AssertionError(text)

    answer = json.loads(ended.out, parse_constant=refuse)
    assert "error" in answer
    assert answer["id"] is None


def test_an_identity_comes_back(ask: Ask) -> None:
    """An id of any JSON value comes back with an answer and with an error."""
    for identity in ("7", '"a\\u202e"', "[1.5, null]", '{"a": {"b": true}}', "null"):
        for shapes in ("[[2], [2]]", "[[2], 3]"):
            line = f'{{"shapes": {shapes}, "id": {identity}}}\n'
            out = ask.stream(line.encode(), "--json").out
            assert json.loads(out)["id"] == json.loads(identity)


def test_ends_of_lines() -> None:
    """A line ends with a line feed, a carriage return or both, wherever a piece of input is cut."""
    data = b"2,3 3\r4 4\r\n5 5\n\r6 6\r"
    for size in range(1, len(data)):
        pieces = (data[place : place + size] for place in range(0, len(data), size))
        lines = [line for each in lines_of(pieces) for line in each]
        assert lines[:5] == ["2,3 3", "4 4", "5 5", "", "6 6"]
        assert not any(lines[5:])
