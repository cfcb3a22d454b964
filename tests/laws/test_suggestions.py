"""What to write instead where operands do not broadcast: never what does not work."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations

import numpy
import pytest

from bcastcli.cli.main import main
from bcastcli.core import limits
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import MAX_SUGGESTIONS, Answer, Suggestion
from bcastcli.core.limits import Limit
from bcastcli.core.question import Question
from bcastcli.core.rule import typed
from bcastcli.core.shapes import Shape, written
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from bcastcli.rules.rewriting import MAX_AXES, Rewrite, outer_product, permuted, with_new_axes
from tests.effort import many
from tests.strategies import random_answer

Output = pytest.CaptureFixture[str]
RANDOM = many(1500)  # of each rule; there are seven
NO = 1


def tried(rule: str, question: str) -> list[tuple[str, str]]:
    """The suggestions for a question as it is typed, each with the result that it gives."""
    line, _, option = question.partition(" --")
    name, _, value = option.partition(" ")
    options: dict[str, int | str] = {name: int(value) if name == "axis" else value} if name else {}
    suggestions = answer_line(RULES[rule], line, options).suggestions
    return [(each.write, written(each.answer.result or ())) for each in suggestions]


def mismatches(rule: str, count: int, seed: int = 0) -> Iterator[Answer]:
    """Random questions that are answered with no."""
    chance = random.Random(f"{rule} {seed}")
    while count:
        sizes = (1, 1, 2, 3, 4, 6, chance.choice((0, 5, "N", "?", "M", 12)))
        answer = random_answer(chance, rule, sizes, max_rank=5)
        if answer.ok is False:
            count -= 1
            yield answer


@pytest.mark.parametrize("rule", RULES)
def test_ten_thousand_are_asked_again(rule: str) -> None:
    """At most three, none twice, none as it was: each gives the result that it promises."""
    seen: Counter[int] = Counter()
    for answer in mismatches(rule, RANDOM):
        seen[len(answer.suggestions)] += 1
        questions = {(answer.rule.name, answer.operands, *answer.options.items())}
        for each in answer.suggestions:
            told = each.answer
            again = Question(RULES[told.rule.name], told.operands, told.options).answer()
            assert (again.ok, again.result) == (True, told.result), (answer.operands, each.write)
            questions.add((told.rule.name, told.operands, *told.options.items()))
            assert set(each.changed) == set(told.operands) - set(answer.operands)
        assert len(questions) == len(answer.suggestions) + 1
        told_apart = {(each.write, each.changed) for each in answer.suggestions}
        assert len(told_apart) == len(answer.suggestions)
    assert max(seen) <= MAX_SUGGESTIONS
    assert sum(seen[count] for count in seen if count) > RANDOM // 4, seen


def arguments_of(rule: str, shapes: list[Shape], options: dict[str, object]) -> list[str]:
    """A question as a command line that wants JSON."""
    values = {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}
    given = [part for name, value in values.items() for part in (f"--{name}", typed(value))]
    return [rule, "--json", *given, "--", *map(written, shapes)]


@pytest.mark.parametrize("rule", RULES)
def test_json_is_asked_again(rule: str, capsys: Output) -> None:
    """What JSON suggests is all that it takes to ask again, and gives what it says."""
    for answer in mismatches(rule, many(40), seed=1):
        shapes = [operand.shape for operand in answer.operands]
        status = main(arguments_of(rule, shapes, dict(answer.question.options)))
        suggestions = json.loads(capsys.readouterr().out)["suggestions"]
        assert status == NO
        assert len(suggestions) == len(answer.suggestions)
        for each in suggestions:
            assert list(each) == ["write", "rule", "shapes", "options", "result"]
            assert main(arguments_of(each["rule"], each["shapes"], each["options"])) == 0
            assert json.loads(capsys.readouterr().out)["result"] == each["result"]


def known(shape: Shape) -> tuple[int, ...]:
    return tuple(int(size) for size in shape)


def by_numpy(answer: Answer, suggestion: Suggestion) -> list[tuple[int, ...]]:
    """The shapes that the operands have once NumPy has executed what is suggested."""
    arrays = {name: numpy.zeros(known(shape)) for name, shape in answer.operands}
    numpy_expression = eval(f"[{suggestion.write}]", {"numpy": numpy}, arrays)
    names = [operand.name for operand in suggestion.changed]
    arrays |= dict(zip(names, numpy_expression, strict=True))
    return [arrays[operand.name].shape for operand in answer.operands]


@pytest.mark.parametrize("rule", ["numpy", "onnx", "none", "bidirectional"])
def test_numpy_executes_it(rule: str) -> None:
    """The text is NumPy's: executed, it gives the shapes shown, and these the result promised."""
    executed = 0
    for answer in mismatches(rule, RANDOM):
        if answer.unknown_sizes:
            continue
        for each in answer.suggestions:
            if each.write.startswith(("rule ", "target ")):
                continue
            shapes = by_numpy(answer, each)
            assert shapes == [operand.shape for operand in each.answer.operands], each.write
            assert numpy.broadcast_shapes(*shapes) == each.answer.result
            executed += 1
    assert executed > RANDOM // 4


def test_numpy_executes_names_as_numbers() -> None:
    """With names, the text holds for any numbers that they stand for."""
    executed = 0
    for answer in mismatches("numpy", RANDOM):
        sizes = {size for operand in answer.operands for size in operand.shape}
        if not sizes & {"N", "M"} or "?" in sizes:
            continue
        values: dict[object, int] = {"N": 7, "M": 11}
        for each in answer.suggestions:
            numbers = [
                Operand(name, tuple(values.get(size, size) for size in shape))
                for name, shape in answer.operands
            ]
            arrays = {name: numpy.zeros(known(shape)) for name, shape in numbers}
            scope = {"numpy": numpy, "N": 7, "M": 11}
            names = [operand.name for operand in each.changed]
            arrays |= dict(zip(names, eval(f"[{each.write}]", scope, arrays), strict=True))
            promised = tuple(values.get(size, size) for size in each.answer.result or ())
            assert numpy.broadcast_shapes(*(a.shape for a in arrays.values())) == promised
            executed += 1
    assert executed > many(50)


def test_two_arrays_always_get_one() -> None:
    """Two shapes of known sizes that do not broadcast can always be rewritten so that they do."""
    chance = random.Random(3)
    for _ in range(many(2000)):
        shapes = [
            tuple(chance.choice((0, 1, 2, 3, 7)) for _ in range(chance.randint(0, 8)))
            for _ in range(2)
        ]
        for rule in ("numpy", "onnx"):
            answer = Question(RULES[rule], [*map(Operand, "AB", shapes)]).answer()
            assert answer.ok or answer.suggestions, shapes


@pytest.mark.parametrize(
    ("rule", "question", "expected"),
    [
        ("numpy", "3,4 3", [("B[:, None]", "3,4"), ("A[..., None]", "3,4,3")]),
        ("numpy", "3 3,4", [("A[:, None]", "3,4"), ("B[..., None]", "3,4,3")]),
        ("numpy", "8,3,224,224 3", [("B[:, None, None]", "8,3,224,224")]),
        ("numpy", "32,10,512 32,512", [("B[:, None, :]", "32,10,512")]),
        ("numpy", "32,10,512 32,10", [("B[..., None]", "32,10,512")]),
        ("numpy", "3 4", [("A[:, None]", "3,4")]),
        # Each of some points with each of others.
        ("numpy", "5,3 7,3", [("A[:, None, :]", "5,7,3")]),
        ("numpy", "2,3 2,4", [("A[..., None], B[:, None, :]", "2,3,4")]),
        ("numpy", "2,3 3,2", [("B.T", "2,3"), ("A.T", "3,2")]),
        ("numpy", "8,3,9,9 8,9,9,3", [("B.transpose(0, 3, 1, 2)", "8,3,9,9")]),
        ("numpy", "2,3,4 4,3", [("B.T", "2,3,4")]),
        ("numpy", "6 2,3", [("A.reshape(2, 3)", "2,3"), ("B.reshape(6)", "6")]),
        ("numpy", "N,12 2,N,3,4", [("A.reshape(N, 3, 4)", "2,N,3,4")]),
        ("numpy", "N,3,4 N,3", [("B[..., None]", "N,3,4")]),
        ("numpy", "N,3 M,4", [("A[..., None, None]", "N,3,M,4")]),
        ("numpy", "?,3 ?,4", [("A[..., None, None]", "?,3,?,4")]),
        # The odd one out, and where the only other axis of its size is.
        ("numpy", "2,3 2,3 2", [("C[:, None]", "2,3")]),
        ("numpy", "x=3,1,4 y=3,5", [("y[..., None]", "3,5,4")]),
        ("numpy", "3 4 5", [("A[:, None, None], B[:, None]", "3,4,5")]),
        # No axis for what an operand does not have.
        ("numpy", "2,3 3,2 3", [("B.T", "2,3")]),
        ("numpy", "3,4 3,4", []),
        ("numpy", "N,4 3,4", []),
        ("onnx", "3,4 3", [("B[:, None]", "3,4"), ("A[..., None]", "3,4,3")]),
        ("onnx-uni", "3,4 3", [("B[:, None]", "3,4")]),
        ("onnx-uni", "1,3 2,3", [("swap A and B", "2,3"), ("rule onnx", "2,3")]),
        ("onnx-uni", "3 3,4", [("swap A and B, A[:, None]", "3,4")]),
        ("onnx-uni", "2,3 1,1,3", [("B.reshape(3)", "2,3"), ("rule onnx", "1,2,3")]),
        ("onnx-uni", "() 1", [("B.reshape(())", "()"), ("swap A and B", "1")]),
        ("none", "2,3 3", [("numpy.broadcast_to(B, (2, 3))", "2,3"), ("rule numpy", "2,3")]),
        ("none", "2,3 2", [("numpy.broadcast_to(B[:, None], (2, 3))", "2,3")]),
        ("none", "2,3 3,2", [("B.T", "2,3"), ("A.T", "3,2")]),
        ("none", "1 ()", [("numpy.broadcast_to(B, (1,))", "1")]),
        ("none", "3,1 3", [("B[:, None]", "3,1"), ("A.reshape(3)", "3")]),
        ("pdpd", "2,3,4,5 3,4", [("--axis 1", "2,3,4,5"), ("B[..., None]", "2,3,4,5")]),
        ("pdpd", "3,4 3 --axis 7", [("--axis 0", "3,4"), ("B[:, None]", "3,4")]),
        ("pdpd", "2,3,4,5 2,5", [("B[:, None, None, :]", "2,3,4,5")]),
        ("pdpd", "3,4 2,3,4", [("swap A and B", "2,3,4"), ("rule numpy", "2,3,4")]),
        ("pdpd", "3,4 3,4,1", [("B.reshape(3, 4)", "3,4"), ("swap A and B, --axis 0", "3,4,1")]),
        ("pdpd", "2,1 1,3", [("rule numpy", "2,3")]),
        ("bidirectional", "3 3,4", [("A[:, None]", "3,4")]),
        ("bidirectional", "3,4 3", [("target 3,1", "3,4"), ("A[..., None]", "3,4,3")]),
        ("ncnn", "0,2 2", []),
    ],
)
def test_likeliest_first(rule: str, question: str, expected: list[tuple[str, str]]) -> None:
    """The first suggestions are those that people mean, in their own words."""
    found = tried(rule, question)
    assert bool(found) == bool(expected)
    assert found[: len(expected)] == expected


@pytest.mark.parametrize(
    ("question", "write", "shapes", "result"),
    [
        ("2,3,4 2,3", "Reshape B", ["2,3,1"], "2,3,4"),
        ("2,3,4 1,4", "Reshape B", ["1,1,4"], "2,3,4"),
        ("4,3,2 4,1 --order numpy", "Reshape B", ["4,1,1"], "4,3,2"),
        ("2,1 3", "Reshape B", ["1,3"], "2,3"),
        ("2,3 3,2", "Permute B", ["2,3"], "2,3"),
        ("6 2,3,4", "Reshape A", ["2,3,1"], "2,3,4"),
        ("12 2,3,4", "Reshape A", ["1,3,4"], "2,3,4"),
        ("2,3 4", "Reshape A and B", ["2,3,1", "1,1,4"], "2,3,4"),
        ("N,3,4 N,3", "Reshape B", ["N,3,1"], "N,3,4"),
        ("2,3,4,5 2,3", "Reshape B", ["2,3,1,1"], "2,3,4,5"),
        # ncnn has no more than four axes: those that do the same become one.
        ("2,3,4,5,6 2,3,4,5,6", "Reshape A and B", ["720", "720"], "720"),
        ("2,3,4,5,6 2", "Reshape A and B", ["2,360", "2,1"], "2,360"),
        ("2,3,4,5,6 6", "Reshape A and B", ["120,6", "1,6"], "120,6"),
        ("2,3,4,5,6 6 --order numpy", "Reshape A and B", ["120,6", "1,6"], "120,6"),
        ("2,3,4,5,6 2,3,1,1,6", "Reshape A and B", ["6,20,6", "6,1,6"], "6,20,6"),
        ("1,2,3,4,5 7,2,3,4,5", "Reshape A and B", ["1,120", "7,120"], "7,120"),
        ("2,3,4,5,6 1,6", "Reshape A", ["120,6"], "120,6"),
        # Where both ends fit, the last one in ncnn's order does.
        ("6,3,4,5,6 6", "Reshape A and B", ["360,6", "1,6"], "360,6"),
        ("6,3,4,5,6 6 --order numpy", "Reshape A and B", ["6,360", "6,1"], "6,360"),
    ],
)
def test_ncnn(question: str, write: str, shapes: list[str], result: str) -> None:
    """Under ncnn it is the layer that helps, with the explicit shape that it makes."""
    line, _, order = question.partition(" --order ")
    options: dict[str, int | str] = {"order": order} if order else {}
    first, *_ = answer_line(RULES["ncnn"], line, options).suggestions
    changed = [written(operand.shape) for operand in first.changed]
    assert (first.write, changed) == (write, shapes)
    assert written(first.answer.result or ()) == result


def test_none_rewrites_only_what_it_must() -> None:
    """Operands that broadcast under numpy as they are get no new axes for the rule none."""
    spread = ", ".join(f"numpy.broadcast_to({name}, (2, 3))" for name in "BCD")
    assert tried("none", "2,3 3 2,1 1") == [(spread, "2,3"), ("rule numpy", "2,3")]


def test_new_axes_are_only_those_of_operands() -> None:
    """No suggestion gives the result an axis of size 1 where no operand has one."""
    chance = random.Random(5)
    parted = 0
    for _ in range(RANDOM):
        shapes = [
            tuple(chance.choice((2, 3, 4)) for _ in range(chance.randint(0, 3))) for _ in range(3)
        ]
        for each in Question(RULES["numpy"], [*map(Operand, "ABC", shapes)]).answer().suggestions:
            assert 1 not in (each.answer.result or ()), (shapes, each.write)
            parted += "," in each.write
    assert parted > RANDOM // 20


def test_ncnn_has_too_few_axes_for_some() -> None:
    """Axes that stretch in turn cannot become one; nor are sizes that clash equal in a product."""
    assert tried("ncnn", "2,3,4,5,6 2,1,4,1,6") == []
    assert tried("ncnn", "1,1,1,2,3 1,1,1,3,2") == []
    assert tried("ncnn", "1,1,1,1,1 1,1,1,1,1") == [("Reshape A and B", "()")]


def test_pdpd_names_every_axis_that_works() -> None:
    """An axis that PDPD accepts is suggested, as long as there are few."""
    for axis, shape in enumerate([(2,), (3,), (4,)]):
        operands = [Operand("A", (2, 3, 4, 5)), Operand("B", shape)]
        [first, *_] = Question(RULES["pdpd"], operands).answer().suggestions
        assert (first.write, first.answer.options) == (f"--axis {axis}", {"axis": axis})


def test_the_order_of_the_operands_does_not_matter() -> None:
    """Under numpy the same operand is rewritten first, wherever it stands."""
    for shapes in permutations([(2, 3), (2, 3), (2, 3), (2,)]):
        names = ["odd" if len(shape) == 1 else f"n{i}" for i, shape in enumerate(shapes)]
        answer = Question(RULES["numpy"], [*map(Operand, names, shapes)]).answer()
        assert answer.suggestions[0].write == "odd[:, None]"


@pytest.mark.parametrize(
    ("shapes", "limit"),
    [
        ([(64, 1), (64,)], limits.no_outer_product),
        ([(1000, 1), (1000,)], limits.max_elements(1000)),
    ],
)
def test_what_is_demanded_holds_for_suggestions(shapes: list[Shape], limit: Limit) -> None:
    """A suggestion meets the limit that the question did not meet."""
    answer = Question(RULES["numpy"], [*map(Operand, "AB", shapes)]).answer()
    answer = limits.impose([limit], answer)
    assert Question(answer.rule, answer.operands).answer().ok
    assert answer.suggestions
    for each in answer.suggestions:
        assert limit(Question(RULES["numpy"], each.answer.operands).answer()) is None


@pytest.mark.parametrize("rule", ["numpy", "onnx"])
def test_a_single_operand_has_no_others(rule: str) -> None:
    """One operand that is too large is refused, and nothing is made of it."""
    plain = Question(RULES[rule], [Operand("A", (2, 3))]).answer()
    answer = limits.impose([limits.max_elements(5)], plain)
    assert answer.ok is False
    assert answer.suggestions == ()


@pytest.mark.parametrize(
    ("rule", "question", "expected"),
    [
        # What is odd stands first, among more operands than are tried.
        ("numpy", "3,2 2,3 2,3 2,3 2,3", ["A.T", "A[..., None, None]"]),
        ("numpy", "2 3 1 1", ["B[:, None]"]),
        ("numpy", "2,3 3,1", ["B.T", "B.reshape(3)", "A[:, None, :]"]),
        # Once the other order of the operands will do, they are not rewritten as well.
        ("onnx-uni", "1,3 2,3", ["swap A and B", "rule onnx"]),
        ("pdpd", "2 1 --axis 7", ["--axis 0", "--axis 1", "B.reshape(())"]),
        # Four operands are stretched by hand, and five would be too many to write down.
        ("none", "2,3 2,3 2,3 3", ["numpy.broadcast_to(D, (2, 3))", "rule numpy"]),
        ("none", "2,3 2,3 2,3 2,3 3", []),
    ],
)
def test_all_that_is_suggested(rule: str, question: str, expected: list[str]) -> None:
    """Nothing else is suggested than what is likely."""
    assert [write for write, _ in tried(rule, question)] == expected


@pytest.mark.parametrize(
    ("propose", "own", "aim", "writes"),
    [
        # The first axes that suit, and the last ones.
        (with_new_axes, (4,), (4, 3, 4), ["B[:, None, None]", "B[:]"]),
        (with_new_axes, (1, 3), (2, 4, 3), ["B[:, None, :]", "B[...]"]),
        (with_new_axes, (1,), ("?", 3), ["B[:, None]", "B[:]"]),
        (with_new_axes, (), (2,), ["B", "B"]),
        # A 1 of the others stretches only where no axis has the size.
        (with_new_axes, (4,), (1, 4), ["B[:]", "B[:]"]),
        (with_new_axes, (4,), (3, 1), ["B[:]", "B[:]"]),
        (with_new_axes, (4,), (2, 3), []),
        # Two sizes that nobody named may differ.
        (with_new_axes, ("?",), ("?", 3), []),
        (permuted, (3, 1), (2, 3), ["B.T"]),
        (permuted, ("?", 3), (3, "?"), []),
        # Neither a part of the axes nor their own order.
        (permuted, (2, 3, 4), (4, 3), []),
        (permuted, (2, 3), (2, 3), []),
    ],
)
def test_what_suits(
    propose: Callable[[Operand, Shape], Iterator[Rewrite]],
    own: Shape,
    aim: Shape,
    writes: list[str],
) -> None:
    """Axes are laid on axes of their size, a 1 on any, in order or permuted."""
    assert [each.write for each in propose(Operand("B", own), aim)] == writes


@pytest.mark.parametrize(
    ("shapes", "writes"),
    [
        ([(2,), (3,)], ["A[:, None]"]),
        # An operand of ones stays as it is,
        ([(2,), (3,), (1,)], ["A[:, None]"]),
        # and so do axes that go together.
        ([(2, 1, 4), (1, 3, 5)], ["A[..., None]", "B[..., None, :]"]),
        ([(2, 1), (1, 3)], []),
        ([(1,), (1, 1)], []),
    ],
)
def test_apart(shapes: list[Shape], writes: list[str]) -> None:
    """Only sizes that clash are laid on different axes."""
    question = Question(RULES["numpy"], [*map(Operand, "ABC", shapes)])
    assert [each.write for each in outer_product(question).values()] == writes


@pytest.mark.parametrize("shape", [(2,) * MAX_AXES, ("n" * 78, 2)], ids=["axes", "characters"])
def test_the_longest_that_is_rewritten(shape: Shape) -> None:
    """As many axes, and characters, as people can read are still rewritten."""
    assert Question(RULES["numpy"], [*map(Operand, "AB", (shape, (3,)))]).answer().suggestions


def test_the_second_is_rewritten_first() -> None:
    """Where no axis tells who is at fault, it is rather the last operand."""
    operands = [Operand("A", (2, 1)), Operand("B", (1, 2))]
    strict = [limits.no_outer_product]
    writes = [
        each.write
        for each in limits.impose(strict, Question(RULES["numpy"], operands).answer()).suggestions
    ]
    assert writes == ["B.T", "A.T", "A.reshape(2)"]


def test_the_classic_silent_bug() -> None:
    """Where (64,1) meets (64,) unwantedly, the column is what was meant."""
    operands = [Operand("A", (64, 1)), Operand("B", (64,))]
    strict = [limits.no_outer_product]
    answer = limits.impose(strict, Question(RULES["numpy"], operands).answer())
    writes = [each.write for each in answer.suggestions]
    assert writes == ["B[:, None]", "A.reshape(64)"]


@pytest.mark.parametrize("rule", ["numpy", "none"])
def test_many_operands(rule: str) -> None:
    """Among thousands of operands the odd one is found, and thousands of odd ones are left."""
    operands = [Operand(f"n{i}", (2, 3)) for i in range(10_000)]
    answer = Question(RULES[rule], [*operands, Operand("odd", (2,))]).answer()
    writes = [each.write for each in answer.suggestions]
    assert writes[:1] == (["odd[:, None]"] if rule == "numpy" else [])
    odd = [Operand(f"n{i}", (i,)) for i in range(2, 10_000)]
    assert Question(RULES[rule], odd).answer().suggestions == ()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "shape",
    [(2,) * 10_000, tuple(range(2, 62)), (10**4299, 2), (2,) * (MAX_AXES + 1), ("n" * 100, 2)],
    ids=["many", "60", "digits", "over", "name"],
)
def test_nothing_is_written_that_nobody_can_read(rule: str, shape: Shape) -> None:
    """A shape that is too long to be read is not made longer."""
    for operands in ([shape, (3,)], [(3,), shape]):
        answer = Question(RULES[rule], [*map(Operand, "AB", operands)]).answer()
        assert answer.suggestions == ()


def test_the_table_tries(capsys: Output) -> None:
    """The table shows each on a line: what to write, the shapes it has then, the result."""
    assert main(["numpy", "3,4", "3"]) == NO
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "try  B[:, None]    3,1    gives 3,4",
        "try  A[..., None]  3,4,1  gives 3,4,3",
        "mismatch: A has 4 and B has 3 on axis 1 (-1), and neither is 1",
    ]
