"""`bcastcli rules`: what it tells of a rule is the rule's own text, and what asking gives.

The module is cli/commands/rules.py.
"""

import io
import json
import re
import sys
from functools import partial
from itertools import product

import numpy as np
import pytest

from bcastcli import reports
from bcastcli.analysis.difference import Pair, differences, pairs
from bcastcli.analysis.numpy_code import occupied_axes
from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question
from bcastcli.core.rule import Rule
from bcastcli.notation.questions import answer_line
from bcastcli.render import Format, Terminal
from bcastcli.reports.rules import Found, RuleReport
from bcastcli.rules import RULES, names
from bcastcli.rules.frameworks import RULE_OF, WITHOUT_A_RULE, words_of
from tests.in_memory import run
from tests.rows import each_row

Output = pytest.CaptureFixture[str]
EACH_RULE = each_row("rule", RULES.values())
DIFFERENCES = [each for rule in RULES.values() for each in differences(rule)]
EACH_DIFFERENCE = each_row("difference", DIFFERENCES)


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


# The list


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


@pytest.mark.parametrize(
    ("word", "remark"),
    [("pytensor", "known to be 1 when the graph is built"), ("xla", "take identical shapes")],
)
def test_a_remark_on_a_framework(capsys: Output, word: str, remark: str) -> None:
    """What differs in one framework stands with its rule, and with answers asked by its name."""
    assert remark in words(shown(capsys, word))
    axes = ["--axes", "1"] if word == "xla" else []
    assert main([word, "3", "2,3", *axes]) == 0
    assert remark in words(capsys.readouterr().out)
    assert main([RULE_OF[word], "3", "2,3", *axes]) == 0
    assert remark not in words(capsys.readouterr().out)


def test_list_as_json(capsys: Output) -> None:
    """As JSON the list is an object on a line for each rule: the one that tells of it alone."""
    alone = [shown(capsys, name, "--json") for name in RULES]
    assert shown(capsys, "--json") == "".join(alone)


# One rule


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
        assert re.search(rf"^{re.escape(each['asked'])} +numpy: ", page, re.MULTILINE)
        assert f"{rule.name}: {words(each['rule'])[:20]}" in re.sub(r"\s+", " ", page)


@each_row("name", ["torch", "NumPy", "tf", "np"])
def test_other_names(capsys: Output, name: str) -> None:
    """A rule is found by the names of the frameworks that follow it, in any case."""
    assert shown(capsys, name) == shown(capsys, "numpy")


def test_each_name_is_one_rule() -> None:
    """No name stands for two rules."""
    words = [name for rule in RULES for name in (rule, *words_of(rule))]
    assert sorted(words) == sorted({*words}) == sorted(names())
    assert {*words}.isdisjoint(WITHOUT_A_RULE)


# Compared with numpy


@EACH_DIFFERENCE
def test_difference(difference: Pair) -> None:
    """Each pair differs as it is said to: one says no, or an operand lies on another axis."""
    ours, numpy = difference.ours, difference.numpy
    assert [each.shape for each in ours.operands] == [each.shape for each in numpy.operands]
    kinds = {
        "yes": ours.ok and not numpy.ok,
        "no": numpy.ok and not ours.ok,
        "axes": ours.ok
        and numpy.ok
        and (occupied_axes(ours), ours.result) != (occupied_axes(numpy), numpy.result),
        "notes": ours.result == numpy.result
        and occupied_axes(ours) == occupied_axes(numpy)
        and ours.notes,
    }
    assert kinds[str(difference.kind)]


@EACH_DIFFERENCE
def test_difference_as_numpy_sees_it(difference: Pair) -> None:
    """What is said of numpy is what NumPy says."""
    shapes = [tuple(map(int, operand.shape)) for operand in difference.numpy.operands]
    try:
        result = np.broadcast_shapes(*shapes)
    except ValueError:
        assert difference.said[0].startswith("no, ")
    else:
        assert difference.said[0].split(" with ")[0] == ",".join(map(str, result))


@EACH_DIFFERENCE
def test_difference_can_be_asked(capsys: Output, difference: Pair) -> None:
    """The pair as it is written, typed after the rule's name, gets the answer that is told."""
    answer = plain(capsys, difference.ours.rule.name, difference.asked)
    if difference.kind == "no":
        assert difference.said[1] == answer.replace("mismatch: ", "no, ")
    else:
        assert answer == difference.said[1].split(" with ")[0] or difference.kind == "notes"


def test_which_rules_differ() -> None:
    """Rules that are numpy's by another name answer the same; others refuse, accept, lay apart."""
    kinds = {name: {each.kind for each in differences(rule)} for name, rule in RULES.items()}
    expected = {
        "numpy": set(),
        "onnx": set(),
        "onnx-uni": {"no"},
        "none": {"no"},
        "pdpd": {"no", "yes", "axes"},
        "bidirectional": {"notes"},
        "ncnn": {"no", "yes", "axes"},
    }
    assert {name: kinds[name] for name in expected} == expected


@EACH_DIFFERENCE
def test_simplest_pair(difference: Pair) -> None:
    """No pair that comes before it differs in the same way."""
    ours = difference.ours
    for pair in pairs():
        if pair == tuple(operand.shape for operand in ours.operands):
            return
        operands = list(map(Operand, ours.operand_names, pair))
        numpy = Question(RULES["numpy"], operands).answer()
        assert (
            Pair(Question(ours.rule, operands, ours.question.options).answer(), numpy).kind
            != difference.kind
        )


def test_pairs() -> None:
    """All small pairs are asked about, each once; those with a scalar or a 0 come last."""
    shapes = [shape for rank in range(3) for shape in product(range(4), repeat=rank)]
    asked = pairs()
    assert sorted(asked) == sorted(product(shapes, repeat=2))
    plain_ones = [() not in pair and 0 not in pair[0] + pair[1] for pair in asked]
    assert plain_ones == sorted(plain_ones, reverse=True)


def test_axes_are_told(capsys: Output) -> None:
    """Where results are equal, the axes on which an operand lies are what differs."""
    page = words(shown(capsys, "ncnn"))
    assert "numpy: 2,2 with B on axis 1; ncnn: 2,2 with B on axis 0" in page
    assert "--order numpy" in page


def test_the_same(capsys: Output) -> None:
    """A rule that differs in no answer says so, and how many pairs were asked about."""
    assert f"no difference on {len(pairs())} pairs" in words(shown(capsys, "onnx"))
    page = words(shown(capsys, "bidirectional"))
    assert "where it applies, it adds:" in page
    assert "is not the target shape" in page
    assert "Compared with numpy" not in shown(capsys, "numpy")


# Standard input, and names that no rule has


def test_standard_input_is_left_alone(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input is not read."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"ncnn\n")))
    shown(capsys)
    assert sys.stdin.read() == "ncnn\n"


@each_row(
    ("name", "hint"),
    [
        ("nump", "did you mean numpy?"),
        ("trch", "did you mean torch?"),
        ("pytorh", "did you mean pytorch?"),
        ("paddl", "did you mean paddle or pdpd?"),
        ("einsum", "the rules are " + ", ".join(RULES)),
        ("-1,3", "the rules are " + ", ".join(RULES)),
    ],
)
def test_no_such_rule(capsys: Output, name: str, hint: str) -> None:
    """A name that no rule has gets one sentence with the nearest names, and status 2."""
    assert main(["rules", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[0] == f"bcastcli: there is no rule {name}; {hint}"


def test_an_empty_name(capsys: Output) -> None:
    """No name at all is said to be missing, as where a list of rules ends in a comma."""
    assert main(["rules", ""]) == 2
    assert capsys.readouterr().err.splitlines()[0] == "bcastcli: no rule was named"


def test_tsv(capsys: Output) -> None:
    """For spreadsheets, a rule is a row below a header."""
    header, *rows = shown(capsys, "-f", "tsv").splitlines()
    assert header == "rule\tsummary"
    assert rows == [f"{rule.name}\t{rule.summary}" for rule in RULES.values()]
    assert shown(capsys, [*RULES][-1], "-f", "tsv").splitlines() == [header, rows[-1]]


# Pages


@each_row("output", ["markdown", "html", "svg"])
@EACH_RULE
def test_pages(capsys: Output, monkeypatch: pytest.MonkeyPatch, rule: Rule, output: str) -> None:
    """A page is the same whatever the terminal, and has the rule, its examples and differences."""
    page = shown(capsys, rule.name, "-f", output)
    monkeypatch.setenv("COLUMNS", "40")
    assert shown(capsys, rule.name, "-f", output) == page
    examples = [" ".join(arguments) for arguments, _ in rule.examples]
    for text in (*examples, "Examples", rule.source.split()[0]):
        assert text in page
    assert ("Compared with numpy" in page) == (rule.name != "numpy")


@EACH_RULE
def test_markdown_breaks_no_paragraph(capsys: Output, rule: Rule) -> None:
    """In Markdown a paragraph of the rule's text is one line."""
    lines = shown(capsys, rule.name, "-f", "markdown").replace("\\", "").splitlines()
    for paragraph in rule.statement.split("\n\n"):
        items = paragraph.splitlines() if paragraph.startswith("1. ") else [paragraph]
        assert {words(item) for item in items} <= set(lines)


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_a_hostile_name(encoding: str) -> None:
    """A name of strange characters is told in ones that the terminal can take."""
    ended = run(["rules", "\u0ccf\x1b[31m\u202e"], encoding=encoding)
    assert ended.status == 2
    assert ended.err.startswith("bcastcli: there is no rule ")
    assert ended.err.replace("\n", "").isprintable()
