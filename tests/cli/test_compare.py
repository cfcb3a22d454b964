"""Rules side by side: what compare says, and that it is what each rule and NumPy say."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from bcastcli.analysis.comparison import Agreement, Comparison
from bcastcli.analysis.numpy_code import reshape_expressions
from bcastcli.cli.commands.compare import ask
from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.rule import AXIS_EXPECTED
from bcastcli.core.shapes import Shape, Size, written
from bcastcli.notation.questions import answer_line as ask_rule
from bcastcli.rules import RULES
from tests.effort import many
from tests.in_memory import run
from tests.rows import each_row

AGREE, DIFFER, MALFORMED, DEPENDS = 0, 1, 2, 3
NO = "mismatch"
PAIRS = max(300, many(5_000))
UNKNOWN = max(60, many(400))
"""As many random questions with unknown sizes."""

COMPARED = ("numpy", "onnx", "onnx-uni", "none", "pdpd", "bidirectional", "ncnn")

Output = pytest.CaptureFixture[str]
Array = numpy.ndarray[Any, Any]


@pytest.fixture(autouse=True)
def _no_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these rules say together is written down here, and another rule may join them later."""
    monkeypatch.setattr(type(RULES), "__iter__", lambda _: iter(COMPARED))
    monkeypatch.setattr(type(RULES), "__len__", lambda _: len(COMPARED))


def told(capsys: Output, *arguments: str) -> Any:
    """The object that a command line gives."""
    main([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


def feed(monkeypatch: pytest.MonkeyPatch, lines: Sequence[str]) -> None:
    """Put lines on standard input."""
    text = "".join(f"{line}\n" for line in lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def on_lines(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, lines: Sequence[str], *arguments: str
) -> list[str]:
    """The lines that lines on standard input get."""
    feed(monkeypatch, lines)
    main(arguments)
    return capsys.readouterr().out.splitlines()


def random_shapes(random: Random, sizes: Sequence[Size], count: int) -> tuple[Shape, ...]:
    """Shapes of which the later ones mostly take their sizes from the first."""
    first = tuple(random.choices(sizes, k=random.choice((0, 1, 2, 2, 3, 3, 4))))
    shapes = [first]
    for _ in range(count - 1):
        start = random.randint(0, len(first))
        part = first[start : random.randint(start, len(first))]
        mixed = [size if random.random() < 0.8 else random.choice((1, *sizes)) for size in part]
        ones = (1,) * random.choice((0, 0, 0, 1, 2))
        shapes.append(random.choice(((*mixed,), (*ones, *mixed), (*mixed, *ones))))
    random.shuffle(shapes)
    return tuple(shapes)


def random_pairs() -> list[tuple[Shape, ...]]:
    random = Random(7)
    pairs: dict[tuple[Shape, ...], None] = {}
    while len(pairs) < PAIRS:
        pairs[random_shapes(random, (1, 2, 2, 2, 3, 3, 4, 0), 2)] = None
    return list(pairs)


def line_of(shapes: Sequence[Shape]) -> str:
    return " ".join(map(written, shapes))


# With the single commands


def test_the_single_commands_say_the_same(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row of 5,000 random pairs has the result, or the reason, of its command.

    Shapes go to ncnn's command w first, so its reasons name other axes. The further rows of pdpd
    are those for exactly the axes with which it accepts.
    """
    pairs = random_pairs()
    lines = list(map(line_of, pairs))
    single = {}
    for rule in RULES:
        asked = lines
        if rule == "ncnn":
            asked = [line_of([shape[::-1] for shape in pair]) for pair in pairs]
        elif rule == "bidirectional":  # which calls B the target
            asked = [f"A={line.replace(' ', ' B=')}" for line in lines]
        single[rule] = on_lines(capsys, monkeypatch, asked, rule)
    compared = map(json.loads, on_lines(capsys, monkeypatch, lines, "compare", "--json", "--all"))
    axes = range(max(len(first) for first, _ in pairs) + 1)
    for number, comparison in enumerate(compared):
        rows = {row["rule"]: row for row in reversed(comparison["rows"])}
        assert list(reversed(rows)) == list(RULES)
        for rule, row in rows.items():
            own, result = single[rule][number], row["result"]
            if rule == "ncnn":
                assert (result is None) is own.startswith("mismatch: ")
                assert result is None or written(result[::-1]) == own
            else:
                assert own == (f"mismatch: {row['reason']}" if result is None else written(result))
        default, *further = [row["options"] for row in comparison["rows"] if row["rule"] == "pdpd"]
        assert further == [
            {"axis": axis}
            for axis in axes
            if {"axis": axis} != default
            and ask_rule(RULES["pdpd"], lines[number], {"axis": axis}).ok
        ]


# With NumPy


def arrays(operands: Sequence[Operand]) -> dict[str, Array]:
    """Arrays by the operands' names, such that no two sums of their elements are equal."""
    made = {}
    for place, (name, shape) in enumerate(operands):
        sizes = tuple(map(int, shape))
        made[name] = (numpy.arange(prod(sizes)).reshape(sizes) + 1) * 10 ** (6 * place)
    return made


def values(answer: Answer) -> Array | None:
    """What NumPy makes of an answer written out, a target shape being an array like others."""
    texts = reshape_expressions(answer)
    return None if texts is None else eval(" + ".join(texts), {}, arrays(answer.operands))


def same(one: Array | None, other: Array | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and bool((one == other).all())


@pytest.mark.parametrize("count", [2, 3])
def test_values(count: int) -> None:
    """Rules agree where NumPy's values of them written out are the same, and only there.

    "The same shape, other values" is said of exactly those rows of which it is true.
    """
    random = Random(count)
    threes = [random_shapes(random, (1, 2, 2, 3, 3, 4, 0), 3) for _ in range(many(500))]
    seen = set()
    for shapes in random_pairs() if count == 2 else threes:
        comparison = ask(line_of(shapes), shows_all=True)
        found = [values(row.answer) for row in comparison.rows]
        first = found[comparison.first]
        agreeing = [same(first, each) for each in found]
        assert [standing.agrees for standing in comparison.standings] == agreeing
        counting = [agrees for agrees, row in zip(agreeing, comparison.rows, strict=True) if row[1]]
        assert comparison.ok is all(counting)
        marked = {
            frozenset(pair) for other in comparison.other_values for pair in product(*other.rows)
        }
        assert all(other.always for other in comparison.other_values)
        for i, one in enumerate(found):
            for j, other in enumerate(found[:i]):
                shapes_equal = one is not None and other is not None and one.shape == other.shape
                assert (frozenset((i, j)) in marked) is (shapes_equal and not same(one, other))
        seen |= {(comparison.ok, bool(marked), found[comparison.first] is None)}
    # Of two operands every kind was met: agreeing, differing, marked or not, refused or not.
    assert len(seen) > (6 if count == 2 else 1)


# Statuses, and what counts


@each_row(
    ("arguments", "status", "line"),
    [
        ("2,3 2,3", AGREE, "agree: 2,3"),
        ("1 1", AGREE, "agree: 1"),
        ("2,3 4", AGREE, "agree: mismatch"),
        ("N,4 N,4", AGREE, "agree: N,4"),
        (
            "3,3 3",
            DIFFER,
            "differ: numpy, onnx, onnx-uni, pdpd, bidirectional 3,3; ncnn 3,3 on other axes",
        ),
        (
            "3 2,3",
            DIFFER,
            "differ: numpy, onnx, bidirectional, ncnn 2,3; onnx-uni, pdpd mismatch",
        ),
        (
            "2,3,4,5 3,4 --axis 1",
            DIFFER,
            "differ: numpy, onnx, onnx-uni, bidirectional, ncnn mismatch; pdpd axis 1 2,3,4,5",
        ),
        ("N,3 3", DEPENDS, "depends: agree when N != 3"),
        ("N,N N", DEPENDS, "depends: agree when N == 1"),
        # none, and the axes of pdpd that nobody asked for, do not count unless named
        ("2,3 1,3", AGREE, "agree: 2,3"),
        ("--rules numpy,none 2,3 1,3", DIFFER, "differ: numpy 2,3; none mismatch"),
        ("--rules numpy,pdpd 3,3 3", AGREE, "agree: 3,3"),
        ("--rules numpy,pdpd 3,3 3 --axis -1", AGREE, "agree: 3,3"),
        (
            "--rules pdpd,numpy 3,3 3 --axis 0",
            DIFFER,
            "differ: numpy 3,3; pdpd axis 0 3,3 on other axes",
        ),
        (
            "--rules numpy,pdpd,ncnn 2,2,2 2 --axis 1",
            DIFFER,
            "differ: numpy 2,2,2; pdpd axis 1 2,2,2 on other axes; ncnn 2,2,2 on still other axes",
        ),
        # --rules: names of frameworks, the same one twice, one alone, in more than one list
        ("--rules torch,BinaryOp 3,3 3", DIFFER, "differ: numpy 3,3; ncnn 3,3 on other axes"),
        ("--rules numpy,numpy 3,3 3", AGREE, "agree: 3,3"),
        ("--rules none 2 3", AGREE, "agree: mismatch"),
        (
            "--rules numpy --rules ncnn,onnx 3,3 3",
            DIFFER,
            "differ: numpy, onnx 3,3; ncnn 3,3 on other axes",
        ),
        # three operands and more
        ("2,3 3 1", AGREE, "agree: 2,3"),
        ("2,3 3 2,3 --rules numpy,none,ncnn", DIFFER, "differ: numpy 2,3; none mismatch"),
        # a result without elements has no values
        ("0,3 3 --rules numpy,pdpd --axis 1", AGREE, "agree: 0,3"),
        ("3,3,0 3,1 --rules numpy,pdpd --axis 0", AGREE, "agree: 3,3,0"),
        ("3,3,2 3,1 --rules numpy,pdpd --axis 0", DIFFER, None),
        # a line may be one argument, have names and be JSON
        ("x=2,3;y=3", AGREE, "agree: 2,3"),
        ('{"shapes":[[3,3],[3]],"axis":0}', DIFFER, None),
    ],
)
def test_statuses(arguments: str, status: int, line: str | None, capsys: Output) -> None:
    """The status says whether the rules that count agree; format plain says it in one line."""
    assert main(["compare", "-f", "plain", *arguments.split()]) == status
    out, err = capsys.readouterr()
    assert (out, err) == (out if line is None else f"{line}\n", "")
    for other in (["-q"], ["--json"], ["-f", "tsv"], ["-f", "table"]):
        assert main(["compare", *arguments.split(), *other]) == status


@pytest.mark.parametrize("question", ["?,? {},?", "N,{} M,K"])
def test_long_numbers_change_no_form(question: str) -> None:
    """When questions differ in the length of a number alone, conditions differ in the number."""
    short, long, longest = (ask(question.format(size)).when for size in (3, 12345, 10**19))
    assert short is not None
    assert "3" in short
    assert long == re.sub(r"\b3\b", "12345", short)
    assert longest == re.sub(r"\b3\b", str(10**19), short)


@each_row(
    ("arguments", "complaint"),
    [
        (["2,3"], "compare takes two shapes or more, not one\n  2,3\n     ^"),
        (["2,,3", "3"], "a size is missing here\n  2,,3 3\n    ^"),
        (
            ["torch", "ncnn", "-1,3", "(3,)"],
            "compare takes rules as an option: bcastcli compare --rules torch,ncnn -1,3 '(3,)'",
        ),
        (["--rules", "ncnn", "2", "3", "4"], "ncnn takes two shapes, not 3\n  2 3 4\n      ^"),
        (
            ["--rules", "numpi", "3", "3"],
            "invalid value for '--rules': there is no rule numpi; did you mean numpy?",
        ),
        (
            ["--rules", "numpy,zzzz", "3", "3"],
            (
                "invalid value for '--rules': there is no rule zzzz; "
                f"the rules are {', '.join(COMPARED)}"
            ),
        ),
        (["--rules", "numpy,", "3", "3"], "invalid value for '--rules': no rule was named"),
        (
            ["--axis", "x", "3", "3"],
            f"invalid value for '--axis': {AXIS_EXPECTED}",
        ),
        # an axis for rules that have none
        (
            ["--rules", "numpy,onnx", "--axis", "1", "3", "3"],
            "--axis has no effect with --rules numpy,onnx",
        ),
        (
            ["--rules", "numpy", "3", "3", "axis=1"],
            "this rule takes no axis\n  3 3 axis=1\n      ^^^^^^",
        ),
        (["-f", "json", "-", "3"], None),
        (["--rules"], None),
    ],
)
def test_malformed(arguments: list[str], complaint: str | None, capsys: Output) -> None:
    """What asks nothing gets status 2, nothing on standard output, and a sentence."""
    assert main(["compare", *arguments]) == MALFORMED
    out, err = capsys.readouterr()
    assert (out, err) == ("", err if complaint is None else f"bcastcli: {complaint}\n")


def test_counts(capsys: Output) -> None:
    """By default none and the axes that nobody asked for do not count; what is named does.

    What does not count is shown with --all alone, and changes neither verdict nor status.
    """
    rows = told(capsys, "compare", "3,3", "3", "--all")["rows"]
    not_counting = [(row["rule"], row["options"]) for row in rows if not row["counts"]]
    assert not_counting == [("none", {}), ("pdpd", {"axis": 0})]
    rows = told(capsys, "compare", "3,3", "3", "--rules", "none,pdpd", "--all")["rows"]
    assert [row["counts"] for row in rows] == [True, True, False]
    rows = told(capsys, "compare", "3,3", "3", "--axis", "0")["rows"]
    assert [row["counts"] for row in rows if row["rule"] == "pdpd"] == [True]


def test_left_out(capsys: Output) -> None:
    """Of three operands, the rules that take two are left out, and named."""
    comparison = told(capsys, "compare", "2,3", "3", "1")
    assert comparison["left_out"] == ["onnx-uni", "pdpd", "bidirectional", "ncnn"]
    assert [row["rule"] for row in comparison["rows"]] == ["numpy", "onnx"]
    [note] = comparison["notes"]
    assert note["text"] == (
        "onnx-uni, pdpd, bidirectional and ncnn take exactly two shapes and were left out"
    )


# Unknown sizes


def substituted(comparison: Comparison, numbers: range) -> Iterator[tuple[dict[str, int], str]]:
    """The question with each choice of numbers for its unknown sizes."""
    shapes = [
        [f"{name}.shape[{axis}]" if size == "?" else size for axis, size in enumerate(shape)]
        for name, shape in comparison.operands
    ]
    names = list(dict.fromkeys(size for shape in shapes for size in shape if isinstance(size, str)))
    for chosen in product(numbers, repeat=len(names)):
        env = dict(zip(names, chosen, strict=True))
        known = [tuple(env.get(str(size), size) for size in shape) for shape in shapes]
        named = zip(comparison.operands, known, strict=True)
        yield env, " ".join(f"{operand.name}={written(shape)}" for operand, shape in named)


def of_all(verdicts: Sequence[bool]) -> bool | None:
    return verdicts[0] if len(set(verdicts)) == 1 else None


@pytest.mark.parametrize("rules", [None, ("numpy", "none"), ("onnx-uni", "pdpd", "ncnn")])
def test_unknown_sizes(rules: Sequence[str] | None) -> None:
    """The verdict is that of all choices of the unknown sizes, tried one by one.

    The condition, which none of at most two names lacks, holds exactly where the rules agree.
    """
    random = Random(11)
    chosen = None if rules is None else [RULES[name] for name in rules]
    verdicts, conditions = set(), 0
    for _ in range(UNKNOWN):
        sizes = random.choice((("N", "N", 2, 3), ("N", "M", 1, 3), ("N", "?", 2, 0), ("N", 2, 3)))
        line = line_of(random_shapes(random, sizes, 2))
        comparison = ask(line, chosen)
        if not 1 <= len(comparison.unknown_sizes) <= 3:
            continue
        lowest = 0 if 0 in sizes and any(0 in shape for _, shape in comparison.operands) else 1
        assignments = [
            (env, ask(question, chosen, None))
            for env, question in substituted(comparison, range(lowest, 7))
        ]
        verdict = of_all([bool(each.ok) for _, each in assignments])
        assert comparison.ok is verdict, line
        verdicts.add(verdict)
        if comparison.when is not None:
            conditions += 1
            for env, each in assignments:
                assert holds(comparison.when, comparison, env) is each.ok, (line, env)
        else:
            assert verdict is not None or len(comparison.unknown_sizes) > 2, line
        for row, standing in zip(comparison.rows, comparison.standings, strict=True):
            if "axis" not in row.answer.question.options:  # the others are not there in every world
                agrees = [bool(standing_of(row.name, each).agrees) for _, each in assignments]
                assert standing.agrees is of_all(agrees), line
    assert verdicts >= {True, None}
    assert conditions > many(10)


@each_row(
    ("line", "when"),
    [
        ("N M", "N != 1 or M == 1"),
        ("N,3 M,3", "N != 1 or M == 1"),
        ("N,3 M", "N != M or N == 1"),
        ("N,N N", "N == 1"),
        ("3,3 N", "N != 3"),
        ("N,2 3,M", "N != 1 or M not in (1, 2)"),
        ("N,M 3,4", "N not in (1, 3) or (N != 1 and M != 1) or M not in (1, 4)"),
        ("?,?,? ?", "B.shape[0] == 1 or (A.shape[0] != B.shape[0] and A.shape[2] != 1)"),
        ("1,1,1 ?,1,?", "B.shape[0] == 1 and B.shape[2] == 1"),
        ("a,b,c d,e,f", None),
    ],
)
def test_conditions(line: str, when: str | None) -> None:
    """The condition is the shortest way to say it, of clauses or of terms; none is long."""
    comparison = ask(line)
    assert (comparison.ok, comparison.when) == (None, when)


def standing_of(name: str, comparison: Comparison) -> Agreement:
    [standing] = [
        standing
        for row, standing in zip(comparison.rows, comparison.standings, strict=True)
        if row.name == name
    ]
    return standing


def holds(condition: str, comparison: Comparison, env: dict[str, int]) -> bool:
    """A condition, read as Python: operands are arrays of their shapes."""
    arrays = {}
    for name, shape in comparison.operands:
        sizes = [env.get(f"{name}.shape[{axis}]", size) for axis, size in enumerate(shape)]
        arrays[name] = SimpleNamespace(shape=sizes)
    return bool(eval(condition, {"__builtins__": {}}, {**env, **arrays}))


def test_too_many_unknown_sizes(capsys: Output) -> None:
    """Where there are more choices than are tried, two of them may show that it depends."""
    line = ["a,b,c,d,e,f", "a,g,h,i,j"]
    assert main(["compare", "-f", "plain", *line]) == DEPENDS
    assert capsys.readouterr().out == "depends on the unknown sizes\n"


def test_not_decided(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not even that is found it is not decided, and every format says so."""
    monkeypatch.setattr("bcastcli.analysis.comparison.MAX_TRIED", 1)
    line = ["a,b,c,d,e,f", "a,g,h,i,j"]
    assert main(["compare", "-f", "plain", *line]) == DEPENDS
    assert capsys.readouterr().out == "not decided: too many unknown sizes\n"
    assert main(["compare", *line]) == DEPENDS
    assert capsys.readouterr().out.splitlines()[-1] == "not decided: too many unknown sizes"
    assert main(["compare", "-f", "tsv", *line]) == DEPENDS
    assert "\tnot decided: too many unknown sizes\t" in capsys.readouterr().out
    comparison = told(capsys, "compare", *line)
    assert [comparison[key] for key in ("agree", "when", "suggestions")] == [None, None, []]
    assert [row["agrees"] for row in comparison["rows"]] == [True, True, None, None, True, None]
    assert [note["kind"] for note in comparison["notes"]] == ["unknowns"]


def test_other_values_for_some_sizes(capsys: Output) -> None:
    """Rows that have other values for some of the unknown sizes only are told from the rest."""
    rules = ["--rules", "numpy,onnx,ncnn"]
    comparison = told(capsys, "compare", "N,N", "N", *rules)
    assert comparison["same_shape_other_values"] == [{"rows": [[0, 1], [2]], "always": False}]
    comparison = told(capsys, "compare", "3,3", "3", *rules)
    assert comparison["same_shape_other_values"] == [{"rows": [[0, 1], [2]], "always": True}]


def test_one_number_for_a_name(capsys: Output) -> None:
    """A name shared by operands is one number; sizes without a name are each their own."""
    assert main(["compare", "-q", "3,N", "3,N"]) == AGREE
    assert main(["compare", "-q", "3,?", "3,?"]) == DEPENDS


# Notes


@each_row(
    ("arguments", "kinds"),
    [
        (["2,3", "3"], []),
        (["0,3", "3"], ["empty"]),
        (["0,3", "4"], ["sizes"]),
        (["2", "2", "2", "--rules", "numpy,pdpd"], ["left_out"]),
        ([",".join("3" * 63), "3"], []),
        ([",".join("3" * 64), "3"], []),
        ([",".join("3" * 64), "3", "--all"], ["axes"]),
        ([",".join("3" * 64), "3", "--axis", "0"], []),
        ([",".join("3" * 64), "3", "--rules", "numpy,onnx"], []),
    ],
)
def test_notes(arguments: list[str], kinds: list[str], capsys: Output) -> None:
    """What was left out, not tried or not compared is said, and nothing else."""
    notes = told(capsys, "compare", *arguments)["notes"]
    assert [note["kind"] for note in notes] == kinds


def test_axes_that_are_tried(capsys: Output) -> None:
    """Of more axes than are tried, the first are; the default one is among the rows anyway."""
    rows = told(capsys, "compare", ",".join("3" * 100), "3", "--rules", "pdpd", "--all")["rows"]
    assert [row["options"]["axis"] for row in rows] == [99, *range(64)]


# What to write so that they agree


def test_suggestions_work() -> None:
    """With each suggestion the rules agree, and on the values that one of them had before.

    NumPy runs its text on arrays of the question's shapes.
    """
    random = Random(3)
    written_anew = 0
    for _ in range(many(9_600)):
        axis = random.choice((None, None, 0, 1))
        rules = random.choice((None, None, list(RULES.values()), [RULES["none"], RULES["numpy"]]))
        count = random.choice((2, 2, 2, 3))
        line = line_of(random_shapes(random, (1, 2, 2, 3, 3, 4, 0), count))
        comparison = ask(line, rules, axis)
        suggestions = comparison.suggestions
        assert len(suggestions) <= (0 if comparison.ok else 3)
        assert len({each.write for each in suggestions}) == len(suggestions)
        for suggestion in suggestions:
            again = Comparison(suggestion.operands, rules, suggestion.axis)
            assert again.ok is True
            assert again.rows[again.first].answer.result == suggestion.result
            given = arrays(comparison.operands)
            text, _, asked = suggestion.write.removeprefix("swap A and B").partition("--axis ")
            assert suggestion.axis == (int(asked) if asked else axis if again.has_axis else None)
            anew = eval(f"[{text.lstrip(', ')}]", {"numpy": numpy, **given})
            changed = [shape for name, shape in suggestion.operands if name in text]
            assert [array.shape for array in anew] == changed
            like = comparison.rows[suggestion.like].answer
            rest = [array for name, array in given.items() if name not in text]
            assert same(sum(anew) + sum(rest), values(like)), (line, suggestion)
            written_anew += 1
    assert written_anew > many(4_000)


@each_row(
    ("arguments", "written_as"),
    [
        ("3,3 3", ["B.reshape(1,3)", "B.reshape(3,1)"]),
        ("2,2,2 2", ["B.reshape(1,1,2)", "B.reshape(2,1,1)"]),
        ("3 2,3", ["swap A and B, A.reshape(1,3)"]),
        ("1 3", ["swap A and B"]),
        ("3,1 1,4", ["numpy.broadcast_to(A, (3,4))"]),
        ("2,3,4,5 3,4 --axis 1", ["B.reshape(1,3,4,1) --axis 0"]),
        ("2,3 2,3", []),
        ("0,3 3", []),
        ("N,3 3", ["B.reshape(1,3)"]),
        ("?,2 2 --rules numpy,ncnn", ["B.reshape(1,2)"]),
        # in the other order, both would say no
        ("2,3 3 --rules onnx-uni,none", ["numpy.broadcast_to(B.reshape(1,3), (2,3))"]),
    ],
)
def test_suggestions(arguments: str, written_as: list[str], capsys: Output) -> None:
    """The likeliest first: shapes of full rank, then the other order, then a stretch beforehand."""
    found = told(capsys, "compare", *arguments.split())["suggestions"]
    assert [suggestion["write"] for suggestion in found] == written_as


# Formats

TABLE = """\
rule                    result   A axes   B axes   agrees
─────────────────────────────────────────────────────────
numpy, onnx, onnx-uni   3,3      0,1      1        =
pdpd axis 1 (default)   3,3      0,1      1        =
bidirectional           3,3      0,1      1        =
ncnn                    3,3      0,1      0        !
note  bidirectional: B is a target shape, not an array
!     ncnn: B on another axis than under numpy: the same shape, other values
note  ncnn: shapes as ncnn writes them, w first: 3,3 and 3
try   B.reshape(1,3)  gives 3,3 as numpy
try   B.reshape(3,1)  gives 3,3 as ncnn
the rules differ: numpy, onnx, onnx-uni, pdpd, bidirectional 3,3; ncnn 3,3 on other axes
"""


def test_table(capsys: Output) -> None:
    """A row for each rule, or for several that say the same; last, whether they agree."""
    assert main(["compare", "3,3", "3"]) == DIFFER
    assert capsys.readouterr().out == TABLE


@pytest.mark.parametrize("more", [[], ["--all"]], ids=["", "all"])
def test_nothing_contradicts_itself(capsys: Output, more: list[str]) -> None:
    """The signs of the rules that count, the last line and the status say the same."""
    statuses = set()
    for shapes in random_pairs()[: many(500)]:
        line = line_of(shapes).split()
        status = main(["compare", *line, *more])
        rows, last = _rows(capsys.readouterr().out)
        signs = {row.split()[-1] for row in rows if not row.startswith("[")}
        assert signs == ({"="} if status == AGREE else {"=", "!"})
        assert last.startswith("the rules agree: " if status == AGREE else "the rules differ: ")
        assert bool(more) or not any(row.startswith("[") for row in rows)
        statuses.add((status, main(["compare", *line, "-q"])))
    assert statuses == {(AGREE, AGREE), (DIFFER, DIFFER)}


def _rows(out: str) -> tuple[list[str], str]:
    """Return the rows of the table below its head, and the last line."""
    _, _, *lines = out.splitlines()
    labels = ("note ", "! ", "try ", "mismatch ", "when ", "[ ]", "the rules ")
    return [line for line in lines if not line.startswith(labels)], lines[-1]


def test_a_rule_that_does_not_count(capsys: Output) -> None:
    """Other axes of pdpd give other values; they are no part of the verdict."""
    assert main(["compare", "64,56,56", "56"]) == AGREE
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "the rules agree: 64,56,56"
    assert "!" not in out
    assert main(["compare", "64,56,56", "56", "--all"]) == AGREE
    assert capsys.readouterr().out.splitlines()[-1] == "the rules agree: 64,56,56"


@each_row("rank", range(1, 6))
def test_it_fits_80_columns(capsys: Output, rank: int) -> None:
    """The table of shapes of up to five axes, of three digits each, takes at most 80 columns."""
    shape = ",".join(["224"] * rank)
    for other in (shape, "224", ",".join(["1"] * rank)):
        main(["compare", shape, other, "--all"])
        head, rule, *rest = capsys.readouterr().out.splitlines()
        rows = [row for row in rest if row.endswith((" =", " !"))]
        assert max(map(len, (head, rule, *rows))) <= 80


@each_row(
    ("arguments", "last"),
    [
        ("2,3 2,3", "the rules agree: 2,3"),
        ("2,3 4", "the rules agree: mismatch"),
        ("N,4 3,4 3,4", "the rules agree: 3,4 when N in (1, 3)"),
        ("2,3 4 2 --rules numpy,onnx,ncnn", "the rules agree: mismatch"),
        ("0,3 3 --rules numpy,ncnn", "the rules differ: numpy 0,3; ncnn mismatch"),
        (
            "N M --rules numpy,none",
            "it depends: the rules agree when N == M or (N != 1 and M != 1)",
        ),
        ("N,3 3", "it depends: the rules agree when N != 3"),
        ("a,b,c,d,e,f a,g,h,i,j", "whether they agree depends on the unknown sizes"),
        ("3,3 3 --rules numpy,pdpd", "the rules agree: 3,3"),
        # decided without trying sizes: by the rule, by what all refuse, by what one refuses
        (
            "N,C,D,H,W 2,3,16,224,224 --rules numpy,onnx",
            (
                "the rules agree: 2,3,16,224,224 when N in (1, 2) and C in (1, 3) and D in (1, 16) "
                "and H in (1, 224) and W in (1, 224)"
            ),
        ),
        ("n,c,d,h,w 2 k,c,1,1,1,3", "the rules agree: mismatch"),
        (
            "a,b,c,d,e,f,g,h,i,j,k,l l, --rules numpy,onnx-uni",
            "the rules agree: a,b,c,d,e,f,g,h,i,j,k,l",
        ),
        (
            "N,M,K,L,P,Q,R N,M,K,L,P,Q,R",
            (
                "the rules differ: numpy, onnx, onnx-uni, pdpd, bidirectional N,M,K,L,P,Q,R; "
                "ncnn mismatch"
            ),
        ),
    ],
)
def test_last_line(arguments: str, last: str, capsys: Output) -> None:
    """The answer is the last line."""
    main(["compare", *arguments.split()])
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_json(capsys: Output) -> None:
    """The keys of the object, which the README promises, and what they hold."""
    comparison = told(capsys, "compare", "x=3,3", "3", "--rules", "numpy,none,ncnn")
    numpy_row, none_row, ncnn_row = comparison.pop("rows")
    assert comparison == {
        "schema": 1,
        "command": "compare",
        "operands": [{"name": "x", "shape": [3, 3]}, {"name": "B", "shape": [3]}],
        "status": "no",
        "agree": False,
        "when": None,
        "same_shape_other_values": [{"rows": [[0], [2]], "always": True}],
        "left_out": [],
        "notes": [],
        "suggestions": [
            {
                "write": "numpy.broadcast_to(B.reshape(1,3), (3,3))",
                "operands": [{"name": "x", "shape": [3, 3]}, {"name": "B", "shape": [3, 3]}],
                "axis": None,
                "like": 0,
                "result": [3, 3],
                "under": [],
            },
            {
                "write": "numpy.broadcast_to(B.reshape(3,1), (3,3))",
                "operands": [{"name": "x", "shape": [3, 3]}, {"name": "B", "shape": [3, 3]}],
                "axis": None,
                "like": 2,
                "result": [3, 3],
                "under": [],
            },
        ],
    }
    assert numpy_row == {
        "rule": "numpy",
        "options": {},
        "counts": True,
        "ok": True,
        "result": [3, 3],
        "when": None,
        "reason": None,
        "reason_kind": None,
        "lies": [[0, 1], [1]],
        "agrees": True,
        "differs": None,
    }
    assert none_row == {
        **numpy_row,
        "rule": "none",
        "ok": False,
        "result": None,
        "reason": "x 3,3 has 2 axes and B 3 has 1 axis, and nothing stretches",
        "reason_kind": "rank",
        "lies": None,
        "agrees": False,
        "differs": "verdict",
    }
    assert ncnn_row == {
        **numpy_row,
        "rule": "ncnn",
        "options": {"order": "numpy"},
        "lies": [[0, 1], [0]],
        "w_first": {"shapes": [[3, 3], [3]], "result": [3, 3]},
        "agrees": False,
        "differs": "axes",
    }


def test_tsv(capsys: Output) -> None:
    """A row for each rule, below a header."""
    main(["compare", "-f", "tsv", "N,3", "3", "--rules", "none,pdpd,ncnn", "--all"])
    header, *rows = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert [dict(zip(header, row, strict=True)) for row in rows] == [
        {
            "operands": "N,3 3",
            "agree": "false",
            "rule": rule,
            "counts": counts,
            "ok": ok,
            "result": result,
            "lies": lies,
            "agrees": agrees,
            "differs": differs,
            "when": when,
            "reason": reason,
            "label": "",
            "line": "",
            "id": "",
        }
        for rule, counts, ok, result, lies, agrees, differs, when, reason in (
            ("none", "true", "false", "", "", "true", "", "", reason_of_none("N,3 3")),
            ("pdpd", "true", "true", "N,3", "0,1 1", "false", "verdict", "", ""),
            ("pdpd axis 0", "false", "null", "3,3", "0,1 0", "null", "verdict", "N == 3", ""),
            ("ncnn", "true", "true", "N,3", "", "false", "verdict", "", ""),
        )
    ]


def reason_of_none(line: str) -> str:
    reason = ask_rule(RULES["none"], line, {}).reason
    assert reason is not None
    return reason.text


# Lines


LINES = ["3,3 3", "", "# shapes", "2,3 2,3", "2,,3 4", "2,3,4,5 3,4 axis=1", "4", "N,3 3", "1 1 1"]


@pytest.mark.parametrize("dash", [[], ["-"]])
def test_lines(dash: list[str], capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of standard input is a question; a malformed one is reported and passed."""
    feed(monkeypatch, LINES)
    assert main(["compare", *dash]) == MALFORMED
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "differ: numpy, onnx, onnx-uni, pdpd, bidirectional 3,3; ncnn 3,3 on other axes",
        "agree: 2,3",
        "error: a size is missing here",
        f"differ: numpy, onnx, onnx-uni, bidirectional, ncnn {NO}; pdpd axis 1 2,3,4,5",
        "error: compare takes two shapes or more, not one",
        "depends: agree when N != 3",
        "agree: 1",
    ]
    assert [line for line in err.splitlines() if "line" in line] == [
        "bcastcli: line 5: a size is missing here",
        "bcastcli: line 7: compare takes two shapes or more, not one",
    ]


@each_row(
    ("lines", "status"),
    [
        (["2,3 2,3", "1 1"], AGREE),
        (["2,3 2,3", "N,3 3"], DEPENDS),
        (["N,3 3", "3,3 3", "1 1"], DIFFER),
        (["3,3 3", "1"], MALFORMED),
        ([], MALFORMED),
    ],
)
def test_status_of_lines(
    lines: list[str], status: int, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many lines: malformed before differing before depending before agreeing."""
    feed(monkeypatch, lines)
    assert main(["compare", "-q"]) == status
    assert capsys.readouterr().out == ""


def test_lines_as_json(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines have the object of the single question, with their number, without suggestions."""
    found = list(map(json.loads, on_lines(capsys, monkeypatch, LINES, "compare", "--json")))
    assert [each["line"] for each in found] == [1, 4, 5, 6, 7, 8, 9]
    for each in found:
        line = LINES[each.pop("line") - 1]
        if "error" in each:
            assert set(each) == {"schema", "status", "input", "error", "column"}
            continue
        single = told(capsys, "compare", *line.split())
        del single["suggestions"]
        assert each == single


def test_axis_of_a_line(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """axis=K on a line goes before --axis."""
    lines = ["3,3 3 axis=0", "3,3 3", '{"shapes":[[3,3],[3]],"axis":-1}']
    out = on_lines(capsys, monkeypatch, lines, "compare", "--json", "--axis", "1")
    rows = [row for each in map(json.loads, out) for row in each["rows"]]
    pdpd = [row["options"] for row in rows if row["rule"] == "pdpd"]
    assert pdpd == [{"axis": 0}, {"axis": 1}, {"axis": 1}]


def test_lines_as_tsv(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """All lines share one header, and a malformed line has a row of as many cells."""
    arguments = ["compare", "-f", "tsv", "--rules", "numpy,ncnn"]
    out = on_lines(capsys, monkeypatch, LINES, *arguments)
    header, *rows = (line.split("\t") for line in out)
    assert {len(row) for row in rows} == {len(header)}
    assert [row[:3] for row in rows] == [
        ["3,3 3", "false", "numpy"],
        ["3,3 3", "false", "ncnn"],
        ["2,3 2,3", "true", "numpy"],
        ["2,3 2,3", "true", "ncnn"],
        ["2,,3 4", "error", ""],
        ["2,3,4,5 3,4 axis=1", "error", ""],
        ["4", "error", ""],
        ["N,3 3", "null", "numpy"],
        ["N,3 3", "null", "ncnn"],
        ["1 1 1", "true", "numpy"],
    ]


@pytest.mark.parametrize("output", ["svg", "html"])
def test_pages_are_not_for_lines(
    output: str, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A format whose answer is a whole file answers one question."""
    feed(monkeypatch, LINES)
    assert main(["compare", "-f", output]) == MALFORMED
    assert capsys.readouterr().err == (
        f"bcastcli: --format {output} works for one question, not for lines\n"
    )


def test_help(capsys: Output) -> None:
    """The help tells what counts, and the exit statuses."""
    assert main(["compare", "--help"]) == AGREE
    text = " ".join(capsys.readouterr().out.split())
    assert "0 the rules agree, 1 they differ, 2 invalid input or usage" in text
    assert "By default all rules but none, left, same-rank and explicit are compared" in text


def test_a_thousand_names(capsys: Output) -> None:
    """Of so many unknown sizes, the verdicts alone tell that ncnn refuses what numpy takes."""
    shape = ",".join(f"N{number}" for number in range(1100))
    assert main(["compare", shape, shape, "-f", "plain"]) == DIFFER
    assert capsys.readouterr().out.endswith("; ncnn mismatch\n")


def test_a_target_is_not_added() -> None:
    """A picture of rules that agree adds B to A only under those for which B is an array."""
    lines = run(["compare", "--picture", "--rules", "numpy,bidirectional", "3,1", "1,4"]).out
    assert lines.startswith("numpy\n")
    added, target = lines.split("\nbidirectional\n")
    assert "11" in added
    assert "11" not in target
    alone = run(["compare", "--picture", "--rules", "bidirectional", "3,1", "1,4"]).out
    assert "bidirectional\n" in alone
    assert "32" not in alone


def test_lines_of_operators(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator or rule in front is left out; products and single shapes are passed over."""
    lines = [
        "Mul 4,1 1,4 opset=9 # grid",
        "MatMul 2,3 3,4 # product",
        "pdpd 2,3,4 3 axis=1 # p",
        "Max 3 # alone",
        "Einsum 2,3 3",
        "N,3 3",
    ]
    compared = [*on_lines(capsys, monkeypatch, lines, "compare", "-p", "--rules", "numpy,none")]
    assert compared == [
        "differ: numpy 4,4; none mismatch # grid",
        "agree: mismatch # p",
        "differ: numpy N,3; none mismatch",
    ]
    with_axis = on_lines(capsys, monkeypatch, lines[2:3], "compare", "-p", "--rules", "pdpd,none")
    assert [*with_axis] == ["differ: none mismatch; pdpd axis 1 2,3,4 # p"]
