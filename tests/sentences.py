"""What command lines print, as text: `tests/<room>/sentences.txt`, which conftest.py collects.

    # What is promised of the command lines below it.
    $ numpy 2,3 4
    < a line of standard input
      a line of standard output
    ! a line of standard error
    [1]

Standard input may be an ONNX model as onnx writes it in text: `< g (float[3] x) => (y) ...`, of
opset 17 if it does not begin with its opsets. Behind a command line, `| sed -n 3p` leaves the third
line alone, `| sed -n 3,5p` these and `| sed -n $p` the last one, `| jq {axes,notes}` these keys
of JSON, and `| marks` what slides show, each mark in short: its role and the number of its
operand, its place, its size, and its text. A rule of a table is written short, and of a sentence
that stands further above in the file the beginning.

Write a promise and its command lines; `pytest --update` writes what each prints and its status,
which is read in review. Without it, any difference fails.
"""

import json
import re
import shlex
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from itertools import takewhile
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.in_memory import Ended, run
from tests.rows import once

OPSETS = '<ir_version: 8, opset_import: ["": 17, "com.microsoft": 1, "ai.onnx.ml": 3, "own": 1]>'

_PROSE = re.compile(r"[a-z]+ [a-z]+ [a-z]")
_IN_JSON = re.compile(r'"((?:[^"\\]|\\.)*)"')


class Sentences(pytest.File):
    """The command lines of a room; each promise is a test."""

    def collect(self) -> Iterator["Promise"]:
        parts = re.split(r"(?m)^(?=# )", self.path.read_text("utf-8"))
        if parts.pop(0) or not parts:
            raise self.CollectError(f"{self.path}: begin with # and a promise")
        self.promises = [
            Promise.from_parent(self, name=part.partition("\n")[0].removeprefix("# "), text=part)
            for part in parts
        ]
        yield from self.promises


class Promise(pytest.Item):
    """A promise and the command lines that keep it."""

    def __init__(self, *, text: str, **given: Any) -> None:
        super().__init__(**given)
        self.text = text

    def runtest(self) -> None:
        found = "".join(printed(self.text, self._above()))
        if self.config.option.update and isinstance(self.parent, Sentences):
            self.text = found
            text = "".join(promise.text for promise in self.parent.promises)
            self.path.write_text(text, "utf-8")
        assert found == self.text, "pytest --update writes what is printed now"

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if not excinfo.errisinstance(AssertionError):
            return super().repr_failure(excinfo, style)
        lines = self.text.splitlines(), "".join(printed(self.text, self._above())).splitlines()
        return "\n".join(
            [*unified_diff(*lines, "written", "printed", lineterm=""), excinfo.exconly()]
        )

    def _above(self) -> str:
        assert isinstance(self.parent, Sentences)
        return "".join(takewhile(self.text.__ne__, (each.text for each in self.parent.promises)))

    def reportinfo(self) -> tuple[Any, None, str]:
        return self.path, None, self.name


def printed(text: str, above: str = "") -> Iterator[str]:
    """Yield a promise, and each command line below it with what it prints now."""
    known = {*(line[2:] for line in above.splitlines()), *_IN_JSON.findall(above)}
    promise, *asked = re.split(r"(?m)^\$ ", text)
    if not asked or not re.match(r"# .*\w.*[.)]\n\s*\Z", promise, re.DOTALL):
        raise ValueError(f"neither a sentence nor what it is asked: {text[:80]!r}")
    yield promise
    for each in asked:
        line, *rest = each.split("\n")
        words, _, only = line.partition(" | ")
        lines = [given[2:] for given in rest if given.startswith("<")]
        ended = _ended(shlex.split(words), "".join(f"{given}\n" for given in lines))
        yield f"$ {line}\n"
        yield from _marked("< ", lines)
        out = re.sub(r"\bb[0-9a-f]{8}(?=\d*-)", "b", ended.out)  # a picture's hash is on every line
        out = re.sub(r"(?m)^Arguments:\n(?: .*\n)+\n", "", out)  # each Typer has its own
        out = re.sub(r"(?m)^(\s*)─{4,}$", r"\1───", out)  # a rule is as long as the row above it
        shown = out.replace("\x1b", "␛").split("\n")[:-1]
        yield from _marked("  ", [_once(line, known) for line in _filtered(shown, only)])
        yield from _marked("! ", [_once(line, known) for line in ended.err.split("\n")[:-1]])
        yield f"[{ended.status}]\n\n"


def _ended(words: list[str], text: str) -> Ended:
    """Run a command line; a text that begins as one of onnx's is read as a model."""
    if text.startswith("g ("):
        text = f"{OPSETS}\n{text}"
    if not text.startswith("<ir_version"):
        return run(words, text.encode())
    from onnx.parser import parse_model

    from tests.model_files import inferred_here

    with inferred_here():
        return run(words, parse_model(text).SerializeToString())


def _once(line: str, known: set[str]) -> str:
    """A line of prose, or of JSON with its texts; the beginning of what is known already."""
    if line.startswith("{"):
        return _IN_JSON.sub(
            lambda text: text[0] if "\\" in text[1] else f'"{once(text[1], known)}"', line
        )
    return once(line, known) if _PROSE.search(line) else line


def _filtered(lines: list[str], program: str) -> list[str]:
    """The lines that a program behind a bar leaves."""
    if program.startswith("sed -n "):
        first, _, last = program.removeprefix("sed -n ").removesuffix("p").partition(",")
        if first == "$":
            return lines[-1:]
        return lines[int(first) - 1 : None if last == "$" else int(last or first)]
    if program.startswith("jq "):
        keys = program.removeprefix("jq ").strip("{}").split(",")
        objects = [json.loads(line) for line in lines]
        return [json.dumps({key: each[key] for key in keys if key in each}) for each in objects]
    if program == "marks":
        return _marks(lines)
    assert not program, f"neither sed, jq nor marks: {program}"
    return lines


def _marks(lines: list[str]) -> list[str]:
    """The marks of slides in short; a cell and the number in it on one line."""
    marks: list[str] = []
    names = [""]
    for line in lines:
        if not re.match(r"<(text|rect (class|x)|line|polygon|desc)\b", line):
            continue  # it groups others, or is the ground
        mark = ElementTree.fromstring(line)
        given = mark.attrib
        names.append(re.sub(r"^b\d*-", "", given.get("class", mark.tag)))
        pairs = (("x", "y"), ("x1", "y1"), ("x2", "y2"), ("width", "height"))
        parts = [f"{given[one]},{given[other]}" for one, other in pairs if one in given]
        others = ("points", "font-size", "text-anchor", "data-at", "data-from", "aria-label")
        parts += [given[name] for name in others if name in given]
        text = " ".join([*parts, *filter(None, [mark.text])])
        if mark.tag == "text" and given.get("text-anchor") == "middle" and names[-2] == names[-1]:
            marks[-1] += f" | {text.replace(' middle', '')}"
        else:
            marks.append(f"{names[-1]} {text}")
    return marks


def _marked(mark: str, lines: Iterable[str]) -> Iterator[str]:
    return (f"{mark}{line}".rstrip(" ") + "\n" for line in lines)
