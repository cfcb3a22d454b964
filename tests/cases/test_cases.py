"""Every example of the documents and every case that an engine judged, by core and command line."""

import pytest

from bcastcli.cli.main import main
from tests.cases.engine_judged import JUDGED, Case, cases, typed
from tests.effort import part_of
from tests.rows import each_row

DOCUMENTED = cases("documents")


def by_core(case: Case) -> str:
    """What the core gets wrong about a case; empty if nothing."""
    answer = case.answer()
    if (answer.ok, answer.result, answer.when) == (case.ok, case.result, None):
        return ""
    return f"{case}: core says {answer.ok} {answer.result} when {answer.when}, not {case.result}"


def by_command_line(case: Case, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line gets wrong about a case; empty if nothing."""
    status = main(case.arguments)
    out, err = capsys.readouterr()
    if case.result is not None:
        right = (status, out) == (0, f"{typed(case.result)}\n")
    else:
        right = status == 1 and out.startswith("mismatch: ") and out.find("\n") == len(out) - 1
    noted = not err or "braces, as in" in err  # of shapes of one axis alone
    return "" if right and noted else f"{case}: exits {status} with {out + err!r}"


def wrong_notes(rule: str, judge_says: str, note_says: str) -> list[str]:
    """The cases of a rule that have an engine's note without its judge saying so, or reversed."""
    wrong = []
    for case in cases(rule):
        notes = [note.text for note in case.answer().notes if note.kind == "engine"]
        if (judge_says in case.judge) != any(note_says in text for text in notes):
            wrong.append(f"{case}: judged by {case.judge}, noted {notes}")
    return wrong


def test_all_cases_are_there() -> None:
    """The data holds 8,934 judged cases, each in its rule's file, and 81 documented examples."""
    judged = {name: cases(name) for name in JUDGED}
    assert sum(map(len, judged.values())) == 8934
    assert len(DOCUMENTED) == 81
    assert all(case.rule == name for name, of_rule in judged.items() for case in of_rule)
    for name, of_rule in judged.items():
        assert {case.ok for case in of_rule} == {True, False}, name
    assert sum("differs" in case.judge for case in judged["pdpd"]) == 349
    assert sum("CPU engine accepts" in case.judge for case in judged["ncnn"]) == 500


@each_row("case", DOCUMENTED)
def test_documented_example(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    """The core and the command line answer an example as its document does."""
    assert (by_core(case), by_command_line(case, capsys)) == ("", "")


@pytest.mark.parametrize("rule", JUDGED)
def test_judged_cases_by_core(rule: str) -> None:
    """The core's verdict and result are those of the engines."""
    assert [wrong for wrong in map(by_core, cases(rule)) if wrong] == []


@pytest.mark.parametrize("rule", JUDGED)
def test_judged_cases_by_command_line(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line's output and exit status are those of the engines."""
    # One shape alone is a question on a line, but not in the arguments.
    tried = [case for case in part_of(cases(rule)) if len(case.shapes) > 1]
    results = (by_command_line(case, capsys) for case in tried)
    assert [wrong for wrong in results if wrong] == []


def test_openvino_differs_where_a_note_says_so() -> None:
    """A note on OpenVINO from 2023.1 stands exactly where that engine was seen to differ."""
    assert wrong_notes("pdpd", "differs", "from 2023.1") == []


def test_ncnn_cpu_engine_accepts_where_a_note_says_so() -> None:
    """A note on ncnn's CPU engine stands exactly where that engine was seen to accept more."""
    assert wrong_notes("ncnn", "CPU engine accepts", "CPU engine") == []
