"""`bcastcli rules`: what it tells of a rule is the rule's own text, and what asking gives.

The module is cli/commands/rules.py.
"""

import json
import re
from functools import partial

import numpy as np
import pytest

from bcastcli import reports
from bcastcli.cli.main import main
from bcastcli.core.rule import Rule
from bcastcli.notation.questions import answer_line
from bcastcli.render import Format, Terminal
from bcastcli.reports.rules import Found, RuleReport
from bcastcli.rules import RULES
from bcastcli.rules.frameworks import WITHOUT_A_RULE, words_of
from tests.in_memory import run
from tests.rows import each_row

Output = pytest.CaptureFixture[str]
EACH_RULE = each_row("rule", RULES.values())
LIKE_NUMPY = ("numpy", "onnx", "bidirectional")
"""Rules on whose examples NumPy says the same."""


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")


def shown(capsys: Output, *arguments: str) -> str:
    """What `rules` writes, without a complaint."""
    assert main(["rules", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def told(capsys: Output, rule: Rule) -> dict[str, object]:
    """What `rules RULE --json` says."""
    return dict(json.loads(shown(capsys, rule.name, "--json")))


def plain(capsys: Output, rule: str, asked: str) -> str:
    """What the command line answers to what stands after a rule's name."""
    main([rule, "-f", "plain", *asked.split()])
    return capsys.readouterr().out.strip()


def words(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize("options", [[], ["-f", "plain"]], ids=["table", "plain"])
def test_list(capsys: Output, options: list[str]) -> None:
    """Each rule is listed with its summary, one on a line, in the order of all lists."""
    lines = [words(line) for line in shown(capsys, *options).splitlines()]
    listed = [f"{rule.name} {rule.summary}" for rule in RULES.values()]
    assert lines[: len(listed)] == listed


def test_the_rule_of_each_framework(capsys: Output) -> None:
    """Below the list stands which rule each framework follows, or why it follows none."""
    _, _, below = words(shown(capsys)).partition("Which rule do I need? ")
    assert all(f"{rule} {', '.join(words_of(rule))}" in below for rule in RULES if words_of(rule))
    assert all(f"{word} {why}" in below for word, why in WITHOUT_A_RULE.items())


@EACH_RULE
@each_row("columns", [40, 80, 200])
def test_text(rule: Rule, columns: int) -> None:
    """A rule is told in the words of its docstring, with its source, as wide as there is room."""
    report = RuleReport(Found(rule, partial(answer_line, rule, options={}), ()))
    out = reports.write(report, Format.TABLE, Terminal(columns=columns))
    assert words(out).startswith(words(rule.statement))
    assert f"Source: {rule.source}." in words(out)
    assert max(map(len, out.splitlines())) <= min(columns, 80)


@EACH_RULE
def test_examples(capsys: Output, rule: Rule) -> None:
    """The examples are all those of the docstring, each with the answer that it gets now."""
    examples = told(capsys, rule)["examples"]
    assert isinstance(examples, list)
    assert [each["asked"].split() for each in examples] == [asked for asked, _ in rule.examples]
    for each in examples:
        assert each["answer"] == plain(capsys, rule.name, each["asked"])


@EACH_RULE
def test_table_tells_what_json_tells(capsys: Output, rule: Rule) -> None:
    """The page for people has every example and every difference."""
    said = told(capsys, rule)
    page = shown(capsys, rule.name)
    for each in said["examples"]:  # type: ignore[attr-defined]
        assert re.search(rf"^{re.escape(each['asked'])} +{each['answer'][:12]}", page, re.MULTILINE)
    for each in said["differences"]:  # type: ignore[attr-defined]
        assert f"(numpy: {each['numpy']})" in re.sub(r"\s+", " ", page)


@each_row("name", ["torch", "NumPy", "tf", "np"])
def test_other_names(capsys: Output, name: str) -> None:
    """A rule is found by the names of the frameworks that follow it, in any case."""
    assert shown(capsys, name) == shown(capsys, "numpy")


# Compared with numpy


@EACH_RULE
def test_differences(capsys: Output, rule: Rule) -> None:
    """Each example on which NumPy itself differs has what it says, in the order as typed."""
    said = told(capsys, rule)
    found = {each["asked"]: each["numpy"] for each in said["differences"]}  # type: ignore[attr-defined]
    for each in said["examples"]:  # type: ignore[attr-defined]
        shapes = [
            () if s == "scalar" else s.split(",") for s in each["asked"].split() if s[0] != "-"
        ]
        if "--" in each["asked"]:
            shapes.pop()
        if any(not size.isdigit() for shape in shapes for size in shape):
            assert each["asked"] not in found
            continue
        turn = -1 if rule.name == "ncnn" else 1
        try:
            result = np.broadcast_shapes(*(tuple(map(int, shape))[::turn] for shape in shapes))
            expected = ",".join(map(str, result[::turn])) or "()"
        except ValueError:
            expected = "mismatch"
        if each["answer"].partition(":")[0] == expected:
            assert found.get(each["asked"]) in (None, "the same shape, other values")
        else:
            assert found[each["asked"]] == expected


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_a_hostile_name(encoding: str) -> None:
    """A name of strange characters is told in ones that the terminal can take."""
    ended = run(["rules", "\u0ccf\x1b[31m\u202e"], encoding=encoding)
    assert ended.status == 2
    assert ended.err.startswith("bcastcli: there is no rule ")
    assert ended.err.replace("\n", "").isprintable()
