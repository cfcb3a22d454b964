"""What raising/report.py prints of programs that fail: `programs.txt` has it below each of them."""

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


TABLE = re.compile(r"^axis .*?^(?:compare|stretch)[^\n]*\n", re.MULTILINE | re.DOTALL)
"""A table, which only the first section shows."""


def with_what_is_printed(
    source: str, output: str, patches: pytest.MonkeyPatch, *, has_tables: bool
) -> str:
    """Return a program, and below it what is printed of its error, marked."""
    lines = [line for line in source.splitlines() if not line.startswith("|")]
    run = program("\n".join(lines))
    for name in {*FRAMEWORKS} & run.__globals__.keys():
        patches.setitem(sys.modules, name, run.__globals__[name])
    # Only since Python 3.12 the place of an assertion is the whole statement.
    printed = re.sub(r"(: )assert (.*?)(?:, '.*')?(?=\n)", r"\1\2", text(failed(run), output, None))
    printed = re.sub(r"(?m)^(  in numpy/\S+, line )\d+", r"\1N", printed)  # each NumPy has its own
    printed = printed if has_tables else TABLE.sub("", printed)
    lines += (f"| {line}".rstrip() for line in printed.splitlines())
    return "\n".join(lines)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda each: each.partition("\n")[0][2:])
def test_printed(section: str, monkeypatch: Any, pytestconfig: Any, recwarn: Any) -> None:
    """What stands below a program is printed of it, and no warning; `--update` writes it."""
    title, *programs = section.rstrip().split("\n\n")
    output = "json" if "JSON" in title else "table"
    has_tables = section is SECTIONS[0]
    found = [
        title,
        *(
            with_what_is_printed(each, output, monkeypatch, has_tables=has_tables)
            for each in programs
        ),
    ]
    written = "".join(f"{each}\n\n" for each in found)
    if pytestconfig.option.update:
        FILE.write_text(FILE.read_text("utf-8").replace(section, written), "utf-8")
    assert written == section, "pytest --update writes what is printed now"
    assert not recwarn.list
