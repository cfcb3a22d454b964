"""Sizes between bounds, by the law: put every size within the bounds, and see what comes out."""

from collections.abc import Iterator, Sequence
from itertools import product
from json import loads
from random import Random
from types import SimpleNamespace

import pytest

from bcastcli.analysis.comparison import Comparison
from bcastcli.core.alignment import Operand, automatic_names
from bcastcli.core.answer import Answer
from bcastcli.core.question import NO_OPTIONS, Question
from bcastcli.core.rule import Options
from bcastcli.core.shapes import Shape, Size, bounds, interval, written
from bcastcli.notation.text import NotationError, read
from bcastcli.rules import RULES
from tests.effort import in_turn, many, part_of
from tests.in_memory import run
from tests.rows import each_row

SIZES: tuple[Size, ...] = (
    *(1, 2, 3, 4, "?", "N"),
    *("..1", "..2", "1..2", "1..3", "2..3", "2..5", "3..4", "4..5", "..4", "2..", "4.."),
)
MORE_SIZES: tuple[Size, ...] = (*SIZES, 0, "1..", "3..", "..3", "3..5", "N", "K", "?")
MOST_UNKNOWN = 4
"""Unknown sizes in a question: each multiplies the choices that are tried."""
TOP = 7
"""The largest size that is put where there is no upper bound: more than all that are mentioned."""
NAMES = ("A", "B")


@each_row(
    ("line", "shapes"),
    [
        ("1..10 3..,..7", [("1..10",), ("3..", "..7")]),
        ("[1..10, 3]", [("1..10", 3)]),
        ("5..5 0..5 0.. 01..02", [(5,), ("..5",), ("?",), ("1..2",)]),
    ],
)
def test_read(line: str, shapes: list[Shape]) -> None:
    """Bounds are a size, and a number or ? where they are no more than that."""
    assert list(read(line).shapes) == shapes
    assert list(read(" ".join(map(written, shapes))).shapes) == shapes


def test_json() -> None:
    """In JSON bounds are a string, in the question and in the answer."""
    answer = loads(run(["numpy", "--json", '[["1..10", 3], [4, "5..5"]]']).out)
    assert answer["operands"][0]["shape"] == ["1..10", 3]
    assert (answer["ok"], answer["operands"][1]["shape"]) == (False, [4, 5])
    assert run(["numpy", '[["1..10"], ["5..7"]]', "--json"]).out.count('"5..7"') == 4
    assert run(["numpy", '[["3..1"]]']).status == 2


@each_row(
    ("line", "expected"),
    [
        ("1,2 1,1..8 axis=1", "1,2 when B.shape[1] == 1"),
        ("1,1,1 1,1,1..8 axis=2", "1,1,1 when B.shape[2] == 1"),
        ("0..,1,..7 N,1,..7 axis=1", "?,1,..7 when N == 1 and B.shape[2] == 1"),
    ],
)
def test_past_the_end(line: str, expected: str) -> None:
    """An axis of B past the end of A has no size in the result, whatever bounds its own has."""
    assert run(["pdpd"], line.encode()).out == f"{expected}\n"


@each_row(
    ("line", "expected"),
    [
        ("M,0 N,N M", "..1,0 when N in (0, 1) and M in (0, 1)"),
        ("N,3 M,N M", "1..3,3 when N in (1, 3) and M in (1, 3)"),
        ("N M", "? when N == M or N == 1 or M == 1"),
    ],
)
def test_bounds_that_follow_from_the_condition(line: str, expected: str) -> None:
    """Where the condition leaves few numbers to a size, the result has bounds, and else a `?`."""
    assert run(["onnx"], line.encode()).out == f"{expected}\n"


@each_row("line", ["..", "1...3", "3..1", "1..N", "1..2..3", "-1..3", "..-1"])
def test_no_interval(line: str) -> None:
    """What has no bounds, or bounds in the wrong order, is no size."""
    with pytest.raises(NotationError):
        read(line)


def _choices(answer: Answer, names: list[str]) -> Iterator[dict[str, int]]:
    def numbers(name: str) -> range:
        low, high = answer.domains.get(name, (answer.rule.lowest, None))
        return range(low, (TOP + 2 if high is None else high) + 1)

    for chosen in product(*map(numbers, names)):
        yield dict(zip(names, chosen, strict=True))


def _check(rule: str, shapes: Sequence[Shape], options: Options = NO_OPTIONS) -> None:
    """Put every size within the bounds: verdict, condition and result are what comes out."""
    names = automatic_names(shapes, RULES[rule].default_names)
    answer = Question(RULES[rule], tuple(map(Operand, names, shapes)), options).answer()
    asked = " ".join(map(written, shapes))
    line = f"{rule} {asked} {options} -> {answer.result} when {answer.when}"
    fitting: list[tuple[dict[str, int], Shape]] = []
    verdicts = set()
    for chosen in _choices(answer, list(answer.unknown_sizes)):
        known = answer.with_sizes(chosen)
        verdicts.add(known.ok)
        if known.result is not None:
            fitting.append((chosen, known.result))
        if answer.when is not None:
            pairs = zip(names, known.shapes, strict=True)
            arrays = {name: SimpleNamespace(shape=shape) for name, shape in pairs}
            assert eval(answer.when, {}, {**chosen, **arrays}) is known.ok, (line, chosen)
    assert verdicts == ({True, False} if answer.ok is None else {answer.ok}), line
    if answer.ok is False:
        assert answer.reason is not None
        assert "  " not in answer.reason.text, line
        return
    for axis, size in enumerate(answer.result or ()):
        outcomes = [(chosen, result[axis]) for chosen, result in fitting]
        assert size == _common(outcomes, answer.rule.lowest, size), (line, axis)


def _common(outcomes: list[tuple[dict[str, int], Size]], lowest: int, said: Size) -> Size:
    """What a result's sizes have in common: a number, a name, or else the bounds."""
    sizes = [int(size) for _, size in outcomes]
    low, high = min(sizes), max(sizes)
    if low == high:
        return low
    for name in outcomes[0][0]:
        if name.isidentifier() and sizes == [chosen[name] for chosen, _ in outcomes]:
            return name
    if high < TOP + 2:
        return interval(low, high)
    # Under ncnn every size is at least 1, so that `1..` and `?` are the same.
    return said if low == lowest and said in ("?", f"{lowest}..") else interval(low, None)


@pytest.mark.parametrize("rule", list(RULES))
def test_exact_on_one_axis(rule: str) -> None:
    """The verdict, the condition and the hull of the result are those of all sizes within."""
    pairs = list(product(SIZES, repeat=2))
    for one, two in part_of(pairs, 5):
        _check(rule, ((one,), (two,)))


@pytest.mark.parametrize("rule", in_turn(RULES, 2))
def test_exact_on_two_axes(rule: str) -> None:
    """The same where names tie axes together, and where ranks differ."""
    random = Random(rule)
    for _ in range(many(400)):
        first = tuple(random.choices(SIZES, k=random.choice((1, 2))))
        _check(rule, (first, tuple(random.choices(SIZES, k=random.choice((1, 2))))))


@pytest.mark.parametrize("rule", in_turn(RULES, 2))
def test_exact_on_any_axes(rule: str) -> None:
    """The same with lower bounds alone, with several operands and names, and on any axis."""
    random = Random(f"{rule} on any axes")
    several = RULES[rule].max_operands is None
    for _ in range(many(150)):
        count = random.choice((2, 2, 3)) if several else 2
        ranks = [random.choice((1, 1, 2) if count == 3 else (1, 2, 2, 3)) for _ in range(count)]
        shapes = [tuple(random.choices(MORE_SIZES, k=rank)) for rank in ranks]
        unknown = [size for shape in shapes for size in shape if isinstance(size, str)]
        if len(unknown) > MOST_UNKNOWN:
            continue
        is_pdpd = rule == "pdpd" and random.random() < 0.5
        _check(rule, shapes, {"axis": random.randint(0, ranks[0])} if is_pdpd else {})


@each_row(
    ("rule", "line", "expected"),
    [
        ("numpy", "K 1..", "?"),
        ("numpy", "?,2.. N,N", "?,2.."),
        ("onnx", "..1,1 1..,4", "?,4"),
        ("onnx", "N,2.. 3..,1", "3..,2.."),
        ("ncnn", "N,? (2..,)", "N,?"),
        ("ncnn", "2..,..1,3..4 K,4", "2..,1,4"),
        ("none", "(N,) (3..5,) (1..3,)", "3"),
    ],
)
def test_bounds_of_the_result(rule: str, line: str, expected: str) -> None:
    """A result's bounds are those of every case together, and a number where one is left."""
    result, _, _ = run([rule, "-p", *line.split()]).out.partition(" when ")
    assert result == expected


def test_three_operands() -> None:
    """Sizes that must all differ need as many numbers within their bounds."""
    assert run(["numpy", "2..3", "2..3", "2..3", "-f", "plain"]).out == (
        "2..3 when A.shape[0] == B.shape[0] and A.shape[0] == C.shape[0]\n"
    )
    assert run(["none", "1..2", "2..3", "3..4", "-f", "plain"]).status == 1
    assert run(["numpy", "..2", "2", "1..2", "-f", "plain"]).out == "2 when A.shape[0] in (1, 2)\n"


def test_reasons_name_the_bounds() -> None:
    """A reason has the bounds as they were typed."""
    assert run(["numpy", "2,5..10", "3", "-f", "plain"]).out == (
        "mismatch: A has 5..10 and B has 3 on axis 1 (-1), and neither is 1\n"
    )


def test_an_interval_is_what_lies_between() -> None:
    """Bounds and their size are two ways to say the same."""
    for size in SIZES:
        own = bounds(size)
        assert own is None or interval(*own) == size


@pytest.mark.parametrize("rules", [("numpy", "onnx-uni"), ("numpy", "none"), ("numpy", "ncnn")])
def test_comparisons(rules: tuple[str, str]) -> None:
    """Rules agree for all sizes within the bounds, for none, or where the condition holds."""
    chosen = [RULES[name] for name in rules]
    lowest = max(rule.lowest for rule in chosen)
    bounded = [size for size in SIZES if isinstance(size, int) or not bounds(size) or ".." in size]
    for one, two in part_of([*product(bounded, repeat=2)], 3):
        operands = (Operand("A", (2, one)), Operand("B", (2, two)))
        comparison = Comparison(operands, chosen, None)
        answer = next(row.answer for row in comparison.rows if row.answer.rule.lowest == lowest)
        verdicts = set()
        for sizes in _choices(answer, list(answer.unknown_sizes)):
            if any(size == 0 for name, size in sizes.items() if name not in comparison.domains):
                continue  # a size without bounds is at least 1 here
            known = tuple(map(Operand, NAMES, answer.with_sizes(sizes).shapes))
            agree = Comparison(known, chosen, None).ok
            verdicts.add(agree)
            if comparison.when is not None:
                arrays = {name: SimpleNamespace(shape=shape) for name, shape in known}
                assert eval(comparison.when, {}, {**sizes, **arrays}) is agree, (operands, sizes)
        assert verdicts == ({True, False} if comparison.ok is None else {comparison.ok}), operands


@pytest.mark.parametrize(
    ("rules", "line", "last"),
    [
        (
            "numpy,onnx-uni",
            "..1 3",
            "it depends: the rules agree when A.shape[0] != 1",
        ),
        ("numpy,ncnn", "..1 1", "the rules agree: ..1"),
    ],
)
def test_comparisons_at_0(rules: str, line: str, last: str) -> None:
    """Bounds that were typed let a size be 0, unless a rule that is asked has no such sizes."""
    assert run(["compare", "--rules", rules, *line.split()]).out.splitlines()[-1] == last
