"""Rules side by side: what compare says, and that it is what each rule and NumPy say."""

import json
import re
from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

import numpy
import pytest

from bcastcli.compare.command import ask
from bcastcli.compare.comparison import rewrites
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape, Size, written
from bcastcli.reports.numpy_code import explicit
from bcastcli.rules import RULES
from tests.command_lines import summary
from tests.effort import many
from tests.in_memory import run
from tests.rows import each_row

AGREE, DIFFER = 0, 1
PAIRS = max(300, many(5_000))

COMPARED = ("numpy", "onnx", "onnx-uni", "none", "pdpd", "bidirectional", "ncnn")
NAMED = {RULES[name]: [name] for name in COMPARED}

Array = numpy.ndarray[Any, Any]


@pytest.fixture(autouse=True)
def _no_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """What these rules say together is written down here, and another rule may join them later."""
    monkeypatch.setattr(type(RULES), "__iter__", lambda _: iter(COMPARED))
    monkeypatch.setattr(type(RULES), "__len__", lambda _: len(COMPARED))


def on_lines(lines: Sequence[str], *arguments: str) -> list[str]:
    """The lines that lines on standard input get."""
    return run(arguments, "".join(f"{line}\n" for line in lines).encode()).out.splitlines()


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


def test_the_single_commands_say_the_same() -> None:
    """Each row of 5,000 random pairs has the result, or the reason, of its command.

    Shapes go to ncnn's command w first, so its reasons name other axes.
    """
    pairs = random_pairs()
    lines = list(map(line_of, pairs))
    single = {}
    for rule in RULES:
        typed = lines
        if rule == "ncnn":
            typed = [line_of([shape[::-1] for shape in pair]) for pair in pairs]
        elif rule == "bidirectional":  # which calls B the target
            typed = [f"A={line.replace(' ', ' B=')}" for line in lines]
        single[rule] = on_lines(typed, rule)
    more = ("--json", "--rules", ",".join(RULES))
    compared = map(json.loads, on_lines(lines, "compare", *more))
    for number, comparison in enumerate(compared):
        rows = {row["rule"]: row for row in comparison["rows"]}
        assert list(rows) == list(RULES)
        for rule, row in rows.items():
            own, result = single[rule][number], row["result"]
            if rule == "ncnn":
                assert (result is None) is own.startswith("mismatch: ")
                assert result is None or written(result[::-1]) == own
            else:
                assert own == (f"mismatch: {row['reason']}" if result is None else written(result))


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
    texts = [each.code for each in explicit(answer)]
    return eval(" + ".join(texts), {}, arrays(answer.operands)) if texts else None


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
        comparison = ask(line_of(shapes), NAMED, random.choice((None, 0, 1)))
        found = [values(row.answer) for row in comparison.rows]
        agreeing = [same(found[0], each) for each in found]
        assert [standing.agrees for standing in comparison.standings] == agreeing
        assert comparison.ok is all(agreeing)
        marked = {
            frozenset(pair) for other in comparison.other_values for pair in product(*other.rows)
        }
        assert all(other.always for other in comparison.other_values)
        for i, one in enumerate(found):
            for j, other in enumerate(found[:i]):
                shapes_equal = one is not None and other is not None and one.shape == other.shape
                assert (frozenset((i, j)) in marked) is (shapes_equal and not same(one, other))
        seen |= {(comparison.ok, bool(marked), found[0] is None)}
    # Of two operands every kind was met: agreeing, differing, marked or not, refused or not.
    assert len(seen) > (4 if count == 2 else 1)


@pytest.mark.parametrize("question", ["?,? {},?", "N,{} M,K"])
def test_long_numbers_change_no_form(question: str) -> None:
    """When questions differ in the length of a number alone, conditions differ in the number."""
    short, long, longest = (ask(question.format(size, size)).when for size in (3, 12345, 10**19))
    assert short is not None
    assert "3" in short
    assert long == re.sub(r"\b3\b", "12345", short)
    assert longest == re.sub(r"\b3\b", str(10**19), short)


def test_suggestions_work() -> None:
    """With each suggestion the rules agree, and on the values that one of them had before.

    NumPy runs its text on arrays of the question's shapes.
    """
    random = Random(3)
    written_anew = 0
    for _ in range(many(9_600)):
        axis = random.choice((None, None, 0, 1))
        two = {RULES[name]: [name] for name in ("numpy", "none")}
        rules = random.choice((None, None, NAMED, two))
        count = random.choice((2, 2, 2, 3))
        line = line_of(random_shapes(random, (1, 2, 2, 3, 3, 4, 0), count))
        comparison = ask(line, rules, axis)
        suggestions = () if comparison.ok else rewrites(comparison)
        assert len(suggestions) <= 3
        ways = {each.write.removeprefix("swap A and B, ") for each in suggestions}
        assert len(ways) == len(suggestions), "none is another with its operands swapped"
        for suggestion in suggestions:
            again = comparison.of(suggestion.operands)
            assert again.ok is True
            assert again.rows[0].answer.result == suggestion.result
            given = arrays(comparison.operands)
            text = suggestion.write.removeprefix("swap A and B")
            anew = eval(f"[{text.lstrip(', ')}]", {"numpy": numpy, **given})
            changed = [shape for name, shape in suggestion.operands if name in text]
            assert [array.shape for array in anew] == changed
            like = comparison.rows[suggestion.like].answer
            rest = [array for name, array in given.items() if name not in text]
            assert same(sum(anew) + sum(rest), values(like)), (line, suggestion)
            written_anew += 1
    assert written_anew > many(1_000)


def test_nothing_contradicts_itself() -> None:
    """The signs of the rules, the last line and the status say the same."""
    statuses = set()
    for shapes in random_pairs()[: many(500)]:
        line = line_of(shapes).split()
        status, out, _ = run(["compare", *line])
        rows, last = _rows(out)
        signs = {row.split()[-1] for row in rows}
        assert signs == ({"="} if status == AGREE else {"=", "!"})
        assert last.startswith("agree: " if status == AGREE else "differ: ")
        statuses.add((status, run(["compare", *line, "-q"]).status))
    assert statuses == {(AGREE, AGREE), (DIFFER, DIFFER)}


def _rows(out: str) -> tuple[list[str], str]:
    """Return the rows of the table below its head, and the last line."""
    _, _, *lines = out.splitlines()
    labels = ("note ", "! ", "try ", "mismatch ", "when ", "agree: ", "differ: ")
    return [line for line in lines if not line.startswith(labels)], lines[-1]


@each_row("rank", range(1, 6))
def test_it_fits_80_columns(rank: int) -> None:
    """The table of shapes of up to five axes, of three digits each, takes at most 80 columns."""
    shape = ",".join(["224"] * rank)
    for other in (shape, "224", ",".join(["1"] * rank)):
        head, rule, *rest = run(["compare", shape, other]).out.splitlines()
        rows = [row for row in rest if row.endswith((" =", " !"))]
        assert max(map(len, (head, rule, *rows))) <= 80


LINES = ["3,3 3", "", "# shapes", "2,3 2,3", "2,,3 4", "2,3,4,5 3,4 axis=1", "4", "N,3 3", "1 1 1"]


def test_lines_as_json() -> None:
    """Lines have the object of the single question, with their number, without suggestions."""
    found = list(map(json.loads, on_lines(LINES, "compare", "--json")))
    assert [each["line"] for each in found] == [1, 4, 5, 6, 7, 8, 9]
    for each in found:
        line = LINES[each.pop("line") - 1]
        if "error" in each:
            assert set(each) == {"schema", "status", "input", "error", "column"}
            continue
        single = json.loads(run(["compare", *line.split(), "--json"]).out)
        del single["suggestions"]
        assert each == single


def test_summary() -> None:
    """`-h` and TAB say in a line what the command is for."""
    assert summary("compare") == "See what each rule answers for the same shapes"
