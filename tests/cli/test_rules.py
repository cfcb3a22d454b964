"""`bcastcli rules`: what it shows of a rule is the rule's own text, and what asking gives.

The module is cli/commands/rules.py.
"""

import json
import re

import pytest

from bcastcli import reports
from bcastcli.cli.commands.rules import report
from bcastcli.core.rule import Rule
from bcastcli.render import Format, Terminal
from bcastcli.rules import RULES
from bcastcli.rules.frameworks import WITHOUT_A_RULE, words_of
from tests.in_memory import run
from tests.rows import each_row

EACH_RULE = each_row("rule", RULES.values())


def words(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def test_the_list() -> None:
    """Each rule is listed with its summary, then the frameworks, and those that follow no rule."""
    table, lines = run(["rules"]).out, run(["rules", "-p"]).out
    listed = [f"{rule.name} {rule.summary}" for rule in RULES.values()]
    assert [words(line) for line in lines.splitlines()] == listed
    assert [words(line) for line in table.splitlines()][: len(listed)] == listed
    _, _, below = words(table).partition("Which rule do I need? ")
    assert all(f"{rule} {', '.join(words_of(rule))}" in below for rule in RULES if words_of(rule))
    assert all(f"{word} {why}" in below for word, why in WITHOUT_A_RULE.items())


@EACH_RULE
def test_a_rule(rule: Rule) -> None:
    """A page has the rule's text, its source, and each example with the answer that it gets now."""
    record = json.loads(run(["rules", rule.name, "--json"]).out)
    page = run(["rules", rule.name]).out
    assert words(rule.statement) in words(page)
    assert f"Source: {rule.source}." in words(page)
    for each, (typed, _) in zip(record["examples"], rule.examples, strict=True):
        assert each["asked"].split() == list(typed)
        assert each["answer"] == run([rule.name, "-p", *typed]).out.strip()
        assert re.search(rf"^{re.escape(each['asked'])} +{each['answer'][:12]}", page, re.MULTILINE)
    for each in record["differences"]:
        assert f"(numpy: {each['numpy']})" in words(page)
    for columns in (40, 80, 200):
        drawn = reports.write(report(rule.name), Format.TABLE, Terminal(columns=columns))
        assert words(drawn) == words(page)
        assert max(map(len, drawn.splitlines())) <= min(columns, 80)


@EACH_RULE
def test_differences(rule: Rule) -> None:
    """Each example of numbers that numpy's rule answers otherwise has that answer."""
    record = json.loads(run(["rules", rule.name, "--json"]).out)
    differences = {each["asked"]: each["numpy"] for each in record["differences"]}
    for each in record["examples"]:
        words = each["asked"].partition(" --")[0].split()
        order = ["--order", "numpy"] if rule.name == "ncnn" else []
        if order:
            words = [",".join(reversed(word.split(","))) for word in words]
        answer = run(["numpy", "-p", *words]).out.partition(":")[0].strip()
        own = run([rule.name, "-p", *order, *words, *each["asked"].split()[len(words) :]]).out
        if own.partition(":")[0].strip() == answer or re.search("[A-Z]", each["asked"]):
            assert differences.get(each["asked"]) in (None, "the same shape, other values")
        elif order:
            assert differences[each["asked"]] == ",".join(reversed(answer.split(",")))
        else:
            assert differences[each["asked"]] == answer


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_a_hostile_name(encoding: str) -> None:
    """A name of strange characters is repeated in ones that the terminal can take."""
    ended = run(["rules", "\u0ccf\x1b[31m\u202e"], encoding=encoding)
    assert ended.status == 2
    assert ended.err.startswith("bcastcli: there is no rule ")
    assert ended.err.replace("\n", "").isprintable()


@each_row("name", ["torch", "NumPy", "tf", "np", " numpy "])
def test_other_names(name: str) -> None:
    """A rule is found by the names of the frameworks that follow it, in any case."""
    assert run(["rules", name]) == run(["rules", "numpy"])
