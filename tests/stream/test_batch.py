"""Questions on standard input: the same answers, in order, promptly, in little memory."""

import io
import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from threading import Timer

import pytest

from bcastcli.cli.main import main
from bcastcli.stream.batch import OverlongLine, lines_of
from tests import command_lines
from tests.command_lines import DEPENDS, MALFORMED, NO, RULES, YES, Output
from tests.effort import each_once, in_turn, part_of
from tests.in_memory import run
from tests.rows import each_row

FORMATS = ("plain", "json", "table")
MIB = 1 << 20


ASKED = {
    rule: [" ".join(words).replace("--axis ", "axis=") for words in command_lines.ASKED[rule]]
    for rule in RULES
}
"""For each rule a line with each status."""


def text_of(lines: Iterable[str]) -> bytes:
    """Lines, each with its end, as they are piped."""
    return "".join(f"{line}\n" for line in lines).encode()


@pytest.mark.parametrize("rule", in_turn(ASKED))
def test_status(rule: str) -> None:
    """2 if any line was malformed, else 1 for any no, else 3 if any depends, else 0."""
    for count in range(1, 5):
        for mix in permutations((YES, NO, MALFORMED, DEPENDS), count):
            expected = next(each for each in (MALFORMED, NO, DEPENDS, YES) if each in mix)
            data = text_of(ASKED[rule][status] for status in mix)
            ended = run([rule], data)
            assert (mix, ended.status) == (mix, expected)
            assert ended.err.count("bcastcli: line ") == mix.count(MALFORMED)
            for output in FORMATS:
                quiet = run([rule, "-f", output, "-q"], data)
                assert quiet == ended._replace(out="")


@each_row(
    "data",
    [
        *(b"", b"\n", b"\n \n\t\n  \t ", b"\r\n\r\n", b"# 2,3 4\n#"),
        *(b"\xef\xbb\xbf", b"\xef\xbb\xbf\n# 2,3\n"),  # the mark that some editors put first
    ],
)
@each_row("shown", [[], ["-q"], ["-f", "json"], ["-f", "table"]])
def test_no_question(data: bytes, shown: list[str]) -> None:
    """No question at all is fine after -, and otherwise must not read as a yes."""
    assert run(["numpy", "-", *shown], data) == (YES, "", "")
    ended = run(["numpy", *shown], data)
    assert (ended.status, ended.out) == (MALFORMED, "")
    assert ended.err.startswith("bcastcli: no question")


@each_row("arguments", [["2,3", "3"], [""], ["N", "3"], ["2,,3"]])
def test_standard_input_is_left_alone(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """Where shapes were given, what is on standard input stays there for others."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"4 5\n")))
    main(["numpy", "-f", "plain", *arguments])
    assert sys.stdin.read() == "4 5\n"
    assert "line" not in capsys.readouterr().err


@each_row("rule", list(ASKED))
def test_a_terminal_is_not_waited_for(rule: str) -> None:
    """Without shapes at a terminal there is a short usage, and no line is answered."""
    ended = run([rule], b"2,3 3\n", typing=True)
    assert (ended.status, ended.out) == (MALFORMED, "")
    usage = rf"bcastcli: a shape is missing: bcastcli {rule} [0-9].* \(-h shows more\)\n"
    assert re.fullmatch(usage, ended.err)


@each_row(
    ("data", "answers"),
    [
        pytest.param(b"2,3 3\n2", ["2,3", "2"], id="no final newline"),
        pytest.param(b"2,3 3\r\n2\r\n", ["2,3", "2"], id="CRLF"),
        pytest.param(b"2,3 3\r\n2\r", ["2,3", "2"], id="CRLF, the last one cut"),
        pytest.param(b"2\n3\r\n4\n", ["2", "3", "4"], id="both ends of line"),
        pytest.param(b"2 2\r3\r\n4\n", ["error", "4"], id="CR alone ends no line"),
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
        pytest.param(b"\x0c\n3\n", ["error", "3"], id="a form feed alone"),
        pytest.param("2\u20283\n3\n".encode(), ["error", "3"], id="a line separator"),
        pytest.param("2\u00a03\n".encode(), ["error"], id="a blank that is none"),
    ],
)
def test_bytes(data: bytes, answers: list[str]) -> None:
    """Whatever the bytes are and wherever they are cut, each line gets its answer or its error."""
    whole = [line for lines in lines_of([data]) for line in lines]
    for size in range(1, len(data)):
        pieces = (data[place : place + size] for place in range(0, len(data), size))
        assert [line for lines in lines_of(pieces) for line in lines][: len(whole)] == whole
    ended = run(["numpy", "-"], data)
    found = ["error" if line.startswith("error: ") else line for line in ended.out.splitlines()]
    objects = map(json.loads, run(["numpy", "--json", "-"], data).out.splitlines())
    assert found == answers
    assert ["error" in each for each in objects] == [each == "error" for each in answers]
    assert ended.status == (MALFORMED if "error" in answers else YES)
    assert all(c.isprintable() or c in "\n\t" for c in ended.out + ended.err)


@each_once
@pytest.mark.parametrize("end", ["", "\n", "\r\n"], ids=ascii)
@pytest.mark.parametrize("size", [MIB // 3, 10 * MIB])
def test_the_longest_line(end: str, size: int) -> None:
    """A line of 1 MiB is read; one with a byte more is malformed; the lines around are answered."""
    longest = f"2{' ' * (MIB - 2)}3".encode()
    for line, error in ((longest, False), (longest.replace(b" ", b"  ", 1), True)):
        data = b"4\n" + line + end.encode() + b"5" * bool(end)
        pieces = [data[i : i + size] for i in range(0, len(data), size)]
        lines = [each for lines in lines_of(pieces) for each in lines]
        assert (lines[0], lines[2:]) == ("4", ["5"] if end else [])
        assert isinstance(lines[1], OverlongLine) is error
        ended = run(["numpy"], data)
        first, second, *rest = ended.out.splitlines()
        assert (first, rest) == ("4", ["5"] if end else [])
        assert second.startswith("error: " if error else "mismatch: A has 2 and B has 3 ")
        assert ended.status == (MALFORMED if error else NO)


def test_what_is_kept_of_a_long_line() -> None:
    """Its first 1024 bytes are kept, wherever its input is cut, and the line after it is whole."""
    for pieces in ([b"2" * MIB, b"3\n4"], [b"2" * MIB, b"3", b"\n4"], [b"2" * (MIB + 1), b"\n4"]):
        long, after = (line for lines in lines_of(pieces) for line in lines)
        assert isinstance(long, OverlongLine)
        assert (long, after) == ("2" * 1024, "4")


@each_row("start", ["#", " ", "[[2],", "2,3 3 # a"])
def test_a_line_that_is_too_long(start: str) -> None:
    """A line over 1 MiB is malformed whatever it begins with, and twice as well as once."""
    long = start + "#" * MIB
    ended = run(["numpy"], text_of(["3", long, long, "2,3 3"]))
    error = "error: a line has at most 1048576 bytes"
    assert ended.out.splitlines() == ["3", error, error, "2,3"]
    assert re.findall(r"bcastcli: line (\d+):", ended.err) == ["2", "3"]
    assert ended.err.count("\n  ^\n") == 2


def command(*arguments: str) -> list[str]:
    """The command line as a process's arguments."""
    return [sys.executable, "-m", "bcastcli", *arguments]


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
    lines = ["2,3 3", "N 3", "2,3 3", "2,,3", "[[4],[5]]", "2,3 3", "2,3 4"]
    with running(*command("numpy", "-f", output)) as started:
        answers = []
        for line in lines:
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


@pytest.mark.parametrize("shown", in_turn(["", "--json", "-f table"]))
def test_closed_pipe(shown: str) -> None:
    """A reader that has seen enough ends the process silently, as SIGPIPE does."""
    words = shlex.join(command("numpy", *shown.split()))
    script = f'yes 2,3 4 | {words} | head -1 >/dev/null; echo "${{PIPESTATUS[1]}}"'
    ended = subprocess.run(
        ["bash", "-c", script], capture_output=True, check=False, encoding="utf-8", timeout=120
    )
    assert (ended.stdout, ended.stderr) == ("141\n", "")


def test_interrupt() -> None:
    """Ctrl-C kills the process silently, and what was answered stays answered."""
    program = """if True:
        import signal, sys
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from bcastcli.__main__ import run
        run()
    """
    with running(sys.executable, "-c", program, "numpy", "-") as started:
        put(started, b"2,3 3\n2,,3\n")
        assert started.stderr
        told = [started.stderr.readline() for _ in range(3)]
        assert told[0].startswith(b"bcastcli: line 2: ")
        started.send_signal(signal.SIGINT)
        assert started.stdout
        out, err = started.stdout.read(), started.stderr.read()
        assert started.wait() == -signal.SIGINT
    assert out.count(b"\n") == 2
    assert err == b""


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
    "names, plain": (20_000, lambda i: f"x{i}={i} N{i},y{i},3", ["-f", "plain"]),
    "malformed, json": (40_000, lambda i: f"{i},,3", ["-f", "json"]),
    "a line of 100 MB": (100, lambda i: "2,3 " * 250_000, ["-f", "json"]),
}


@pytest.mark.parametrize("name", in_turn(LONG_INPUTS))
def test_memory(name: str, tmp_path: Path) -> None:
    """The peak stays below 64 MiB, however many lines come and whatever is on them."""
    most, line, shown = LONG_INPUTS[name]
    is_one = name.startswith("a line")
    count = len(part_of(range(most), 8))
    questions, answers = tmp_path / "in", tmp_path / "out"
    with questions.open("w") as file:
        file.writelines(f"{line(i)}{'' if is_one else chr(10)}" for i in range(count))
        file.write("\n2,3 3\n")
    with questions.open("rb") as file, answers.open("wb") as written:
        command = [sys.executable, "-c", _PEAK, "numpy", *shown]
        ended = subprocess.run(
            command, check=True, stdin=file, stdout=written, stderr=subprocess.PIPE
        )
    with answers.open("rb") as written:
        assert sum(1 for _ in written) == (1 if is_one else count) + 1
    status, peak = ended.stderr.splitlines()[-1].split()
    assert (int(status) == MALFORMED) == name.startswith(("malformed", "a line"))
    assert int(peak) < 64 * 1024
