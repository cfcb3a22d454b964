"""What raising/report.py prints of programs that fail: `programs.txt` has it below each of them."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from bcastcli.raising.report import text
from tests.raising.programs import FRAMEWORKS, program
from tests.raising.test_answers import failed

FILE = Path(__file__).with_name("programs.txt")
SECTIONS = re.split(r"(?m)^(?=# )", FILE.read_text("utf-8"))[1:]


ELSEWHERE = re.compile(
    r"^(?:axis .*?^(?:compare|stretch)|[(]1[)]: |K: |note  no reshape helps)"
    r"[^\n]*\n(?: {6,}[^\n]*\n)*",
    re.MULTILINE | re.DOTALL,
)
"""A table with what explains it, and the note without a cure: the first section shows them."""
OWN = ("status", "reason", "message", "origin", "where", "arrays", "command")
"""What the record of a rule has of the program; the rest is that of `bcastcli --json`."""


def with_what_is_printed(
    source: str, title: str, patches: pytest.MonkeyPatch, *, is_first: bool
) -> str:
    """Return a program, and below it what is printed of its error, marked.

    Below a program of one line the place is left out, for it is that line.
    """
    lines = [line for line in source.splitlines() if not line.startswith("|")]
    run = program("\n".join(lines))
    for name in {*FRAMEWORKS} & run.__globals__.keys():
        patches.setitem(sys.modules, name, run.__globals__[name])
    printed = text(failed(run), "json" if "JSON" in title else "table", None)
    if printed.startswith('{"schema": 1, "rule"'):
        printed = json.dumps({key: each for key, each in json.loads(printed).items() if key in OWN})
    # Only since Python 3.12 the place of an assertion is the whole statement.
    printed = re.sub(r"(: )assert (.*?)(?:, '.*')?(?=\n)", r"\1\2", printed)
    printed = re.sub(r"(?m)^(  in numpy/\S+, line )\d+", r"\1N", printed)  # each NumPy has its own
    if not is_first:
        printed = ELSEWHERE.sub("", printed)
        if len(lines) == 1:
            printed = re.sub(r"\A<program>, line 2, in program: .*\n", "", printed)
    lines += (f"| {line}".rstrip() for line in printed.splitlines())
    return "\n".join(lines)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda each: each.partition("\n")[0][2:])
def test_printed(section: str, monkeypatch: Any, pytestconfig: Any, recwarn: Any) -> None:
    """What stands below a program is printed of it, and no warning; `--update` writes it."""
    title, *programs = section.rstrip().split("\n\n")
    is_first = section is SECTIONS[0]
    found = [
        title,
        *(with_what_is_printed(each, title, monkeypatch, is_first=is_first) for each in programs),
    ]
    written = "".join(f"{each}\n\n" for each in found)
    if pytestconfig.option.update:
        FILE.write_text(FILE.read_text("utf-8").replace(section, written), "utf-8")
    assert written == section, "pytest --update writes what is printed now"
    assert not recwarn.list
