"""What each rule decides, why it says no, and what it notes beside the verdict."""

import random

import pytest

from bcastcli.cli.main import main
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.names import letters
from bcastcli.core.parts import Note
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, written
from bcastcli.core.wording import clash_words, growth_note
from bcastcli.notation.questions import answer_line
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES

SYMMETRIC = ["numpy", "onnx", "none", "bidirectional", "ncnn"]


def asked(rule: str, question: str) -> Answer:
    """The answer to shapes and options as they are typed."""
    line, _, option = question.partition(" --")
    options: dict[str, int | str] = {}
    if option:
        name, value = option.split()
        options[name] = int(value) if name == "axis" else value
    return answer_line(RULES[rule], line, options)


def of_shapes(rule: str, *shapes: Shape, **options: int | str) -> Answer:
    operands = [Operand(letters(number), shape) for number, shape in enumerate(shapes)]
    return Question(RULES[rule], operands, options).answer()


def texts(answer: Answer) -> list[str]:
    return [note.text for note in answer.notes]


def random_shapes(
    chance: random.Random, count: int, sizes: tuple[int, ...] = (0, 1, 1, 2, 3), most: int = 4
) -> list[tuple[int, ...]]:
    """Shapes that broadcast often enough: each takes most of its sizes from one common shape."""
    common = [chance.choice(sizes) for _ in range(most)]
    shapes = []
    for _ in range(count):
        rank = chance.randint(0, most)
        own = [
            size if chance.random() < 0.6 else chance.choice(sizes)
            for size in common[most - rank :]
        ]
        shapes.append(tuple(own))
    return shapes


# The registry.


def test_order_of_rules() -> None:
    """The rules are listed in one order, each under its own name."""
    names = ["numpy", "onnx", "onnx-uni", "none", "pdpd", "bidirectional", "ncnn"]
    assert list(RULES) == names
    assert [rule.name for rule in RULES.values()] == names


@pytest.mark.parametrize(
    ("rule", "sources"),
    [
        ("numpy", ['NumPy user guide, "Broadcasting"', "For Elementwise Operations", "Numpy"]),
        ("onnx", ["ONNX, Broadcasting.md", "Multidirectional Broadcasting"]),
        ("onnx-uni", ["ONNX, Broadcasting.md", "Unidirectional Broadcasting"]),
        ("none", ["OpenVINO", "Broadcast Rules For Elementwise Operations", "None"]),
        ("pdpd", ["OpenVINO", "Broadcast Rules For Elementwise Operations", "PDPD"]),
        ("bidirectional", ["OpenVINO", "Bidirectional Broadcast Rules"]),
        ("ncnn", ["ncnn", "BinaryOp", "broadcasting rule"]),
    ],
)
def test_source(rule: str, sources: list[str]) -> None:
    """Every rule names the document and the section that it comes from."""
    *_, last = RULES[rule].statement.split("\n\n")
    line = " ".join(last.split())
    assert line.startswith("Source: ")
    assert [source for source in sources if source not in line] == []


@pytest.mark.parametrize("name", RULES)
def test_statement(name: str) -> None:
    """A rule has a title of one line, a statement, and examples that are no part of it."""
    rule = RULES[name]
    assert rule.statement.split("\n")[:2] == [rule.summary, ""]
    assert len(rule.statement.split("\n\n")) >= 3
    assert "Examples" not in rule.statement
    assert len(rule.examples) >= 4


@pytest.mark.parametrize(
    ("rule", "min_operands", "most"),
    [
        ("numpy", 1, None),
        ("onnx", 1, None),
        ("onnx-uni", 2, 2),
        ("none", 2, None),
        ("pdpd", 2, 2),
        ("bidirectional", 2, 2),
        ("ncnn", 2, 2),
    ],
)
def test_number_of_shapes(
    rule: str, min_operands: int, most: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule takes as many shapes as its document speaks of; any other number is malformed."""
    answered = [count for count in range(1, 6) if main([rule, "-q", *["2,3"] * count]) == 0]
    assert answered == list(range(min_operands, 6 if most is None else most + 1))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("rule", RULES)
def test_no_shape_is_no_question(rule: str) -> None:
    """There is no rule that takes no shape at all."""
    with pytest.raises(NotationError, match="shape"):
        asked(rule, ";")


def test_options() -> None:
    """Only pdpd asks for an axis, and only ncnn for an order."""
    options = {name: tuple(rule.options) for name, rule in RULES.items() if rule.options}
    assert options == {"pdpd": ("axis",), "ncnn": ("order",)}


@pytest.mark.parametrize(
    ("rule", "arguments", "outcome"),
    [(name, *example) for name, rule in RULES.items() for example in rule.examples],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_worked_example(
    rule: str, arguments: list[str], outcome: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The examples in a rule's docstring are what the command line answers."""
    status = main([rule, "--format", "plain", *arguments])
    out, err = capsys.readouterr()
    if outcome == "mismatch":
        assert out.startswith("mismatch: ")
        assert status == 1
    else:
        assert out == f"{outcome}\n"
        assert status == (3 if " when " in outcome else 0)
    assert err == ""


# Verdicts.


@pytest.mark.parametrize(
    ("rule", "question", "result"),
    [
        ("numpy", "0 1", "0"),
        ("numpy", "0 0", "0"),
        ("numpy", "0 2", None),
        ("numpy", "() ()", "()"),
        ("numpy", "() 1", "1"),
        ("numpy", "() 0,3", "0,3"),
        ("numpy", "2,1 3", "2,3"),
        ("numpy", "1,3 3", "1,3"),
        ("numpy", "3,1 3", "3,3"),
        ("numpy", "5,1,2 1,4,1 3,1,1,1", "3,5,4,2"),
        ("numpy", "2,3", "2,3"),
        ("onnx", "1 3 3,1", "3,3"),
        ("onnx-uni", "1 3", None),
        ("onnx-uni", "3 1", "3"),
        ("onnx-uni", "0 1", "0"),
        ("onnx-uni", "1 0", None),
        ("onnx-uni", "3 1,3", None),
        ("onnx-uni", "3 1,1", None),
        ("onnx-uni", "() ()", "()"),
        ("onnx-uni", "() 1", None),
        ("none", "() 1", None),
        ("none", "() ()", "()"),
        ("none", "1 1", "1"),
        ("none", "0,2 0,2", "0,2"),
        ("none", "3 1", None),
        ("none", "2,3 2,3 2,3 2,1", None),
        ("pdpd", "2,3,4,5 3,1 --axis 1", "2,3,4,5"),
        ("pdpd", "2,3,4,5 5,1 --axis 3", "2,3,4,5"),
        ("pdpd", "2,3,4,5 5,1,1,1 --axis 3", "2,3,4,5"),
        ("pdpd", "2,3,4,5 1,5 --axis 3", None),
        ("pdpd", "2,3,4,5 1,3 --axis 0", "2,3,4,5"),
        ("pdpd", "2,3,4,5 3,1,5 --axis 1", "2,3,4,5"),
        ("pdpd", "2,3,4,5 4,1", "2,3,4,5"),
        ("pdpd", "2,3,4,5 5,1", None),
        ("pdpd", "2,3,5,1 5,1", "2,3,5,1"),
        ("pdpd", "2,3 1,1,1", None),
        ("pdpd", "2,3 () --axis 2", "2,3"),
        ("pdpd", "2,3 1 --axis 2", "2,3"),
        ("pdpd", "2,3 () --axis 3", None),
        ("pdpd", "2,3 3 --axis 2", None),
        ("pdpd", "1,3 2,3", None),
        ("pdpd", "() ()", "()"),
        ("pdpd", "() 1", None),
        ("pdpd", "0,3 0,3", "0,3"),
        ("pdpd", "0,3 1,3", "0,3"),
        ("pdpd", "1,3 0,3", None),
        ("bidirectional", "3,1 2,1,6", "2,3,6"),
        ("bidirectional", "5 1", "5"),
        ("bidirectional", "3,4 ()", "3,4"),
        ("bidirectional", "0 1", "0"),
        ("bidirectional", "3 4", None),
        ("ncnn", "2,3,4 2,3", None),
        ("ncnn", "2,3,4 3", None),
        ("ncnn", "2,1 3", None),
        ("ncnn", "2,1 1,3", "2,3"),
        ("ncnn", "1,3 3", "1,3"),
        ("ncnn", "2,3 2,3,1", None),
        ("ncnn", "2,3,4 1,4", None),
        ("ncnn", "2,2 2", "2,2"),
        ("ncnn", "2,3,4 1,1", "2,3,4"),
        ("ncnn", "2,3,4 ()", "2,3,4"),
        ("ncnn", "1 2,3,4", "2,3,4"),
        ("ncnn", "1,1 3", None),
        ("ncnn", "1,1 1", "1,1"),
        ("ncnn", "() ()", "()"),
        ("ncnn", "2,3,4,5 1,1,1,1", "2,3,4,5"),
        ("ncnn", "1,2,3,4,5 1", None),
        ("ncnn", "1,2,3,4,5 1,2,3,4,5", None),
        ("ncnn", "0 0", None),
        ("ncnn", "0 1", None),
        ("ncnn", "2,0 ()", None),
        ("ncnn", "4,3,2 3,2 --order numpy", None),
        ("ncnn", "4,3,2 4,3 --order numpy", "4,3,2"),
        ("ncnn", "4,3,2 2 --order numpy", "4,3,2"),
        ("ncnn", "3,1 3 --order numpy", "3,1"),
    ],
)
def test_traps(rule: str, question: str, result: str | None) -> None:
    """Where the rules part from each other, or from what one might think, each goes its way."""
    answer = asked(rule, question)
    assert (answer.ok, answer.when) == (result is not None, None)
    assert (None if answer.result is None else written(answer.result)) == result


@pytest.mark.parametrize("rule", ["numpy", "onnx", "none"])
def test_no_limits(rule: str) -> None:
    """Neither rank, nor size, nor the number of shapes is limited by the rule."""
    for shape in ((1, 2) * 50, (10**40, 7)):
        assert of_shapes(rule, shape, shape).result == shape
    many = [Operand(f"X{number}", (2, 3)) for number in range(100)]
    assert Question(RULES[rule], many).answer().result == (2, 3)
    assert Question(RULES[rule], [*many, Operand("Y", (2, 4))]).answer().ok is False


@pytest.mark.parametrize("rule", ["onnx-uni", "pdpd"])
def test_not_symmetric(rule: str) -> None:
    """Where B stretches to A, A does not stretch to B."""
    assert asked(rule, "2,3 1").result == (2, 3)
    assert asked(rule, "1 2,3").ok is False
    assert asked(rule, "2,3 1,3").result == (2, 3)
    assert asked(rule, "1,3 2,3").ok is False


def test_ncnn_order_is_resolved() -> None:
    """The answer says in which order the shapes were read."""
    assert asked("ncnn", "2 2").options == {"order": "ncnn"}
    assert asked("ncnn", "2 2 --order numpy").options == {"order": "numpy"}


# Reasons.

RIGID = "and nothing stretches"
PAST_A = "past the end of A 2,3,4,5, which has 4 axes"


@pytest.mark.parametrize(
    ("rule", "question", "kind", "sentence"),
    [
        ("numpy", "4 3", "sizes", "A has 4 and B has 3 on axis 0 (-1), and neither is 1"),
        ("numpy", "2,4 3", "sizes", "A has 4 and B has 3 on axis 1 (-1), and neither is 1"),
        ("numpy", "2,3 4,3", "sizes", "A has 2 and B has 4 on axis 0 (-2), and neither is 1"),
        ("numpy", "2,4 3,5", "sizes", "A has 4 and B has 5 on axis 1 (-1), and neither is 1"),
        ("numpy", "0 2", "sizes", "A has 0 and B has 2 on axis 0 (-1), and neither is 1"),
        (
            "numpy",
            "8,1,6,1 7,2,5",
            "sizes",
            "A has 6 and B has 2 on axis 2 (-2), and neither is 1",
        ),
        (
            "numpy",
            "x=2,3 bias=4",
            "sizes",
            "x has 3 and bias has 4 on axis 1 (-1), and neither is 1",
        ),
        (
            "numpy",
            "2 3 1",
            "sizes",
            (
                "A has 2 and B has 3 on axis 0 (-1), and neither is 1 "
                "(C has 1 there and would go with either)"
            ),
        ),
        (
            "numpy",
            "2,3 4,3 1,3 3",
            "sizes",
            (
                "A has 2 and B has 4 on axis 0 (-2), and neither is 1 "
                "(C has 1 and D has no axis there and would go with either)"
            ),
        ),
        (
            "numpy",
            "2,3 4,3 3 7,3",
            "sizes",
            (
                "A has 2, B has 4 and D has 7 on axis 0 (-2), and none is 1 "
                "(C has no axis there and would go with any)"
            ),
        ),
        (
            "numpy",
            "2 2 3",
            "sizes",
            "A and B have 2 and C has 3 on axis 0 (-1), and none is 1",
        ),
        (
            "numpy",
            "1 2 1 3 ()",
            "sizes",
            (
                "B has 2 and D has 3 on axis 0 (-1), and neither is 1 "
                "(A and C have 1 and E has no axis there and would go with either)"
            ),
        ),
        ("onnx", "2,3 4,1", "sizes", "A has 2 and B has 4 on axis 0 (-2), and neither is 1"),
        ("onnx-uni", "1 3", "sizes", "A has 1 and B has 3 on axis 0 (-1), and A never stretches"),
        (
            "onnx-uni",
            "2,1,4 3,1",
            "sizes",
            "A has 1 and B has 3 on axis 1 (-2), and A never stretches",
        ),
        (
            "onnx-uni",
            "2,3,4 2",
            "sizes",
            "A has 4 and B has 2 on axis 2 (-1), and there B must be 4 or 1",
        ),
        (
            "onnx-uni",
            "x=4 slope=2",
            "sizes",
            "x has 4 and slope has 2 on axis 0 (-1), and there slope must be 4 or 1",
        ),
        ("onnx-uni", "3 1,3", "rank", "B 1,3 has 2 axes and A 3 has 1, and A never stretches"),
        ("onnx-uni", "() 1", "rank", "B 1 has 1 axis and A () has 0, and A never stretches"),
        (
            "onnx-uni",
            "3,N N,2",
            "names",
            "N in (1, 3) on axis 0 (-2) and N == 2 on axis 1 (-1) cannot both hold",
        ),
        ("none", "2,3 2,4", "sizes", "A has 3 and B has 4 on axis 1 (-1), and nothing stretches"),
        ("none", "2,3 1,3", "sizes", "A has 2 and B has 1 on axis 0 (-2), and nothing stretches"),
        (
            "none",
            "2,3 2,4 2,3",
            "sizes",
            "A and C have 3 and B has 4 on axis 1 (-1), and nothing stretches",
        ),
        (
            "none",
            "() 1",
            "rank",
            "A () has 0 axes and B 1 has 1 axis, and nothing stretches",
        ),
        (
            "none",
            "2,3 2,3 3",
            "rank",
            "A 2,3 and B 2,3 have 2 axes and C 3 has 1 axis, and nothing stretches",
        ),
        (
            "none",
            "1,2,3 2,3 3 2,3",
            "rank",
            f"A 1,2,3 has 3 axes, B 2,3 and D 2,3 have 2 axes and C 3 has 1 axis, {RIGID}",
        ),
        (
            "none",
            "N,N 3,4",
            "names",
            "N == 3 on axis 0 (-2) and N == 4 on axis 1 (-1) cannot both hold",
        ),
        (
            "pdpd",
            "2,3,4,5 3,4",
            "sizes",
            "A has 5 and B has 4 on axis 3 (-1), and there B must be 5 or 1",
        ),
        (
            "pdpd",
            "2,3,4,5 4,4 --axis 1",
            "sizes",
            "A has 3 and B has 4 on axis 1 (-3), and there B must be 3 or 1",
        ),
        (
            "pdpd",
            "1,3 2 --axis 0",
            "sizes",
            "A has 1 and B has 2 on axis 0 (-2), and A never stretches",
        ),
        (
            "pdpd",
            "2,3 1,1,1",
            "rank",
            "B 1,1,1 has 3 axes and A 2,3 has 2, and B must not have more",
        ),
        (
            "pdpd",
            "2,3,4,5 3,4 --axis 5",
            "fit",
            "B 3,4 at axis 5 (--axis 5) is past the end of A 2,3,4,5, which has 4 axes",
        ),
        (
            "pdpd",
            "2,3,4,5 4,5 --axis 3",
            "fit",
            f"B 4,5 at axis 3 (--axis 3) has 5 on axis 4, {PAST_A}",
        ),
        (
            "pdpd",
            "x=2 y=2 --axis 1",
            "fit",
            "y 2 at axis 1 (--axis 1) has 2 on axis 1, past the end of x 2, which has 1 axis",
        ),
        (
            "pdpd",
            "N,N 2,3",
            "names",
            "N == 2 on axis 0 (-2) and N == 3 on axis 1 (-1) cannot both hold",
        ),
        (
            "bidirectional",
            "3,4 3",
            "sizes",
            "A has 4 and target has 3 on axis 1 (-1), and neither is 1",
        ),
        ("ncnn", "2,3 2,4", "sizes", "A has 3 and B has 4 on axis h (1, -1), and neither is 1"),
        (
            "ncnn",
            "2,3 2,4 --order numpy",
            "sizes",
            "A has 3 and B has 4 on axis w (1, -1), and neither is 1",
        ),
        (
            "ncnn",
            "2,3,4 2,3",
            "sizes",
            "A has 4 and B has 3 on axis c (2, -1), and B must equal A's c there",
        ),
        (
            "ncnn",
            "2,3,4,5 3,4,9",
            "sizes",
            "A has 5 and B has 9 on axis c (3, -1), and B must equal A's c there",
        ),
        (
            "ncnn",
            "2,3,4 3",
            "sizes",
            (
                "A has 4 and B has 3 on axis c (2, -1), and B must equal A's c there, or, having "
                "one axis, A's w (2)"
            ),
        ),
        (
            "ncnn",
            "4,3,2 3 --order numpy",
            "sizes",
            (
                "A has 4 and B has 3 on axis c (0, -3), and B must equal A's c there, or, having "
                "one axis, A's w (2)"
            ),
        ),
        (
            "ncnn",
            "2,3 2,3,1",
            "sizes",
            "A has 3 and B has 1 on axis c (2, -1), and A must equal B's c there",
        ),
        ("ncnn", "1,2,3,4,5 5", "limit", "A has 5 axes, and ncnn has at most 4"),
        ("ncnn", "1 1,1,1,1,1", "limit", "B has 5 axes, and ncnn has at most 4"),
        ("ncnn", "1,2,3,4,5 2,3,4,5", "limit", "A has 5 axes, and ncnn has at most 4"),
        (
            "ncnn",
            "1,1,1,1,1 1,1,1,1,1,1",
            "limit",
            "A has 5 axes and B has 6 axes, and ncnn has at most 4",
        ),
        ("ncnn", "0,2 2", "limit", "A has 0 on axis w (0, -2), and ncnn has no empty axes"),
        ("ncnn", "2,3 N,0", "limit", "B has 0 on axis h (1, -1), and ncnn has no empty axes"),
        (
            "ncnn",
            "2,3,N N,4",
            "names",
            "N == 3 on axis h (1, -2) and N == 4 on axis c (2, -1) cannot both hold",
        ),
    ],
)
def test_reason(rule: str, question: str, kind: str, sentence: str) -> None:
    """A no names every operand that clashes, its size as typed, and the axis from both ends."""
    reason = asked(rule, question).reason
    assert reason is not None
    assert (reason.kind, reason.text) == (kind, sentence)


def test_reason_only_where_the_answer_is_no() -> None:
    """What broadcasts, or depends, has no reason."""
    for rule in RULES:
        assert asked(rule, "2,3 2,3").reason is None
        assert asked(rule, "2,3 2,N").reason is None


def test_reason_names_the_rightmost_of_all_conflicts() -> None:
    """Every axis that clashes is marked, and the sentence names the last one, with its sizes."""
    chance = random.Random(14)
    several = 0
    for _ in range(300):
        first, second = random_shapes(chance, 2, sizes=(0, 1, 2, 3, 4))
        rank = max(len(first), len(second))
        rows = [(1,) * (rank - len(shape)) + shape for shape in (first, second)]
        clashing = [i for i in range(rank) if len({row[i] for row in rows} - {1}) > 1]
        for rule in ("numpy", "onnx"):
            answer = of_shapes(rule, first, second)
            assert [axis.number for axis in answer.axes or () if axis.conflict] == clashing
            if clashing:
                last = clashing[-1]
                assert answer.reason is not None
                assert answer.reason.text.startswith(
                    f"A has {rows[0][last]} and B has {rows[1][last]} "
                    f"on axis {last} ({last - rank}), "
                )
        several += len(clashing) > 1
    assert several > 20


@pytest.mark.parametrize(
    ("rule", "question", "why"),
    [
        ("numpy", "2 3 N", "neither is 1"),
        ("numpy", "2 3 ?", "neither is 1"),
        ("numpy", "2 3 1 N", "neither is 1"),
        ("none", "2 3 N", "nothing stretches"),
        ("none", "2 3 ?", "nothing stretches"),
    ],
)
def test_reason_says_nothing_of_unknown_sizes(rule: str, question: str, why: str) -> None:
    """An operand whose size is not known is not said to agree with those that clash."""
    reason = asked(rule, question).reason
    assert reason is not None
    assert reason.text == f"A has 2 and B has 3 on axis 0 (-1), and {why}"


def test_everyone_on_an_axis_has_a_name() -> None:
    """No size is left out of a sentence because nobody is called its owner."""
    with pytest.raises(ValueError, match="longer"):
        clash_words((2, 3, 4), ("A", "B"))


# Axes.


@pytest.mark.parametrize(
    ("rule", "question", "axes"),
    [
        (
            "numpy",
            "2,1,4 3,1",
            [
                ((2, None), 2, ("B",), False),
                ((1, 3), 3, ("A",), False),
                ((4, 1), 4, ("B",), False),
            ],
        ),
        ("numpy", "1 1 ()", [((1, 1, None), 1, (), False)]),
        ("numpy", "0 1", [((0, 1), 0, ("B",), False)]),
        ("numpy", "4,2 3,2", [((4, 3), None, (), True), ((2, 2), 2, (), False)]),
        ("numpy", "N,4 3,?", [(("N", 3), 3, (), None), ((4, "?"), 4, (), None)]),
        ("numpy", "N 1", [(("N", 1), "N", ("B",), False)]),
        ("numpy", "() ()", []),
        (
            "onnx-uni",
            "2,3 1",
            [((2, None), 2, ("B",), False), ((3, 1), 3, ("B",), False)],
        ),
        (
            "onnx-uni",
            "2,3 4,2,3",
            [
                ((None, 4), None, (), True),
                ((2, 2), None, (), False),
                ((3, 3), None, (), False),
            ],
        ),
        (
            "onnx-uni",
            "2,3 1,1,4",
            [
                ((None, 1), None, (), True),
                ((2, 1), None, (), False),
                ((3, 4), None, (), True),
            ],
        ),
        ("none", "2,3 3", [((2, None), None, (), True), ((3, 3), None, (), False)]),
        ("none", "1 1", [((1, 1), 1, (), False)]),
        (
            "pdpd",
            "2,3,4,5 3,4 --axis 1",
            [
                ((2, None), 2, ("B",), False),
                ((3, 3), 3, (), False),
                ((4, 4), 4, (), False),
                ((5, None), 5, ("B",), False),
            ],
        ),
        (
            "pdpd",
            "2,3,4,5 3,1 --axis 1",
            [
                ((2, None), 2, ("B",), False),
                ((3, 3), 3, (), False),
                ((4, None), 4, ("B",), False),
                ((5, None), 5, ("B",), False),
            ],
        ),
        (
            "pdpd",
            "3 2,3",
            [((None, 2), None, (), True), ((3, 3), None, (), False)],
        ),
        (
            "pdpd",
            "2,3 1,1,1",
            [
                ((None, 1), None, (), True),
                ((2, 1), None, (), False),
                ((3, 1), None, (), False),
            ],
        ),
        (
            "pdpd",
            "4,5 5,6 --axis 1",
            [
                ((4, None), 4, ("B",), False),
                ((5, 5), 5, (), False),
                ((None, 6), None, (), True),
            ],
        ),
        (
            "bidirectional",
            "3,1 2,1,6",
            [
                ((None, 2), 2, ("A",), False),
                ((3, 1), 3, ("target",), False),
                ((1, 6), 6, ("A",), False),
            ],
        ),
        (
            "ncnn",
            "2,3,4 3,4",
            [((2, None), 2, ("B",), False), ((3, 3), 3, (), False), ((4, 4), 4, (), False)],
        ),
        (
            "ncnn",
            "2,3,4 2",
            [((2, 2), 2, (), False), ((3, None), 3, ("B",), False), ((4, None), 4, ("B",), False)],
        ),
    ],
)
def test_axes(rule: str, question: str, axes: list[tuple[object, ...]]) -> None:
    """Each aligned axis says which sizes meet, what they become, who stretches and who clashes."""
    answered = asked(rule, question).axes
    assert answered is not None
    assert [axis.number for axis in answered] == list(range(len(axes)))
    assert [(axis.sizes, axis.result, axis.stretched, axis.conflict) for axis in answered] == axes


def test_axes_that_the_ranks_refuse() -> None:
    """With more axes than ncnn has, no axis shows a stretch or a result of its own."""
    answered = asked("ncnn", "2,1,1,1,1 2,3,1,1,1").axes
    assert answered is not None
    assert {(axis.result, axis.stretched, axis.conflict) for axis in answered} == {
        (None, (), False)
    }


def test_axes_of_a_gap() -> None:
    """Where B starts past A's end, its axes are numbered from where they were put."""
    answered = asked("pdpd", "2,3 4,5 --axis 3").axes
    assert answered is not None
    assert [(axis.number, axis.sizes, axis.conflict) for axis in answered] == [
        (0, (2, None), False),
        (1, (3, None), False),
        (3, (None, 4), True),
        (4, (None, 5), True),
    ]


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("2 2", "w"),
        ("2,3 3", "wh"),
        ("2,3,4 4", "whc"),
        ("2,3,4,5 5", "whdc"),
        ("5,4,3,2 5 --order numpy", "cdhw"),
        ("3,2 3 --order numpy", "hw"),
    ],
)
def test_ncnn_labels(question: str, labels: str) -> None:
    """Under ncnn an axis is called w, h, d or c, in the order of the shapes as typed."""
    answer = asked("ncnn", question)
    assert [axis.label for axis in answer.axes or ()] == list(labels)


def test_only_ncnn_has_labels() -> None:
    """Elsewhere an axis has only its number, and so has one of more than ncnn has."""
    labels = [axis.label for axis in asked("ncnn", "1,2,3,4,5 5").axes or ()]
    assert labels == [""] * 5
    for rule in RULES:
        labels = [axis.label for axis in asked(rule, "2,3 2,3").axes or ()]
        assert labels == (["w", "h"] if rule == "ncnn" else ["", ""])


# Notes.

PRELU = (
    "ONNX Runtime runs PRelu multidirectionally, as PRelu-16's function body does: "
    "it accepts this and returns "
)
INFERENCE = "ONNX's shape inference, strict mode included, does not check this rule"
NO_TRIM = "OpenVINO from 2023.1 does not trim, and refuses this"
NO_INNER_1 = "OpenVINO up to 2023.0 refuses a 1 within B that meets another size"
NO_0_WITH_1 = "OpenVINO from 2023.1 refuses a 1 that meets a 0, as here"
NO_1_WITH_0 = "OpenVINO from 2023.1 refuses a 1 that meets a 0: there B must be 0"
SHRINKS = "OpenVINO from 2023.1 lets a 0 of B shrink a 1 of A, and accepts this"
FACTORIES = (
    'OpenVINO\'s Python operator factories given auto_broadcast="PDPD" without an axis use axis 0'
)
HAS_A_1 = "target has a 1 where A has another size"
MAY_STRETCH = "both operands stretch, unless an unknown size gives one of them the result's shape"
GARBAGE = "ncnn does not detect this: it returns 0 (success) and meaningless values"


def trimmed(shape: str, kept: str) -> str:
    return f"B {shape} counts as {kept}: trailing ones are dropped"


@pytest.mark.parametrize(
    ("rule", "question", "notes"),
    [
        ("numpy", "2,3 3", []),
        ("numpy", "2,3 4", []),
        ("onnx", "2,3 4", []),
        ("none", "2,3 4", []),
        ("onnx-uni", "2,3 3", []),
        ("onnx-uni", "3 N", []),
        ("onnx-uni", "3 2,3", [f"{PRELU}2,3", INFERENCE]),
        ("onnx-uni", "1 3", [f"{PRELU}3", INFERENCE]),
        ("onnx-uni", "3 2", [INFERENCE]),
        ("onnx-uni", "3,N N,2", [INFERENCE]),
        ("pdpd", "2,3 2,3", ["B starts at axis 0 (default: 2 - 2)"]),
        ("pdpd", "2,3,4,5 4,5", ["B starts at axis 2 (default: 4 - 2)", FACTORIES]),
        ("pdpd", "2,3,4,5 4,5 --axis 2", ["B starts at axis 2 (--axis 2)"]),
        ("pdpd", "2,3,4,5 3,4", ["B starts at axis 2 (default: 4 - 2)", FACTORIES]),
        ("pdpd", "2,3,4,5 3,1 --axis 1", ["B starts at axis 1 (--axis 1)", trimmed("3,1", "3")]),
        (
            "pdpd",
            "2,3,4,5 5,1 --axis 3",
            ["B starts at axis 3 (--axis 3)", trimmed("5,1", "5"), NO_TRIM],
        ),
        (
            "pdpd",
            "2,3,4,5 5,1,1 --axis 3",
            ["B starts at axis 3 (--axis 3)", trimmed("5,1,1", "5"), NO_TRIM],
        ),
        (
            "pdpd",
            "2,3,4,5 1 --axis 4",
            ["B starts at axis 4 (--axis 4)", trimmed("1", "()"), NO_TRIM],
        ),
        ("pdpd", "2,3,4,5 4,1 --axis 3", ["B starts at axis 3 (--axis 3)", trimmed("4,1", "4")]),
        ("pdpd", "2,3,4,5 1,3 --axis 0", ["B starts at axis 0 (--axis 0)", NO_INNER_1]),
        ("pdpd", "1,3,4,5 1,3 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "2,3,4,5 1,4 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "2,3,4,5 5,N --axis 3", ["B starts at axis 3 (--axis 3)", NO_TRIM]),
        ("pdpd", "2,N,4 1,3 --axis 0", ["B starts at axis 0 (--axis 0)", NO_INNER_1]),
        # A 1 before what may be a 1 is within B, or trimmed with it.
        ("pdpd", "2,N,4 1,N --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "0,3 1,3 --axis 0", ["B starts at axis 0 (--axis 0)", NO_0_WITH_1, NO_INNER_1]),
        (
            "pdpd",
            "2,0 2,1 --axis 0",
            ["B starts at axis 0 (--axis 0)", trimmed("2,1", "2"), NO_0_WITH_1],
        ),
        (
            "pdpd",
            "2,0 1,1 --axis 1",
            ["B starts at axis 1 (--axis 1)", trimmed("1,1", "()"), NO_TRIM],
        ),
        ("pdpd", "0,3 0,3 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "1,3 0,3 --axis 0", ["B starts at axis 0 (--axis 0)", SHRINKS]),
        ("pdpd", "0,3 N,3", ["B starts at axis 0 (default: 2 - 2)", NO_1_WITH_0]),
        ("pdpd", "0,3 N,4", ["B starts at axis 0 (default: 2 - 2)"]),
        ("pdpd", "1,3 0,2 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "1,3 2,3 --axis 0", ["B starts at axis 0 (--axis 0)"]),
        ("pdpd", "2,3 4 --axis 5", ["B starts at axis 5 (--axis 5)"]),
        ("pdpd", "2 2,3,4", []),
        ("bidirectional", "3,4 3,4", []),
        ("bidirectional", "1 3,4", []),
        ("bidirectional", "1 1", []),
        ("bidirectional", "2 1", [f"the result 2 is not the target shape 1: {HAS_A_1}"]),
        ("bidirectional", "3,4 3", []),
        (
            "bidirectional",
            "5 1",
            [f"the result 5 is not the target shape 1: {HAS_A_1}"],
        ),
        (
            "bidirectional",
            "3,1 2,1,6",
            [f"the result 2,3,6 is not the target shape 2,1,6: {HAS_A_1}"],
        ),
        (
            "bidirectional",
            "3,4 ()",
            ["the result 3,4 is not the target shape (): A has more axes"],
        ),
        (
            "bidirectional",
            "x=2,4 y=4",
            ["the result 2,4 is not the target shape 4: x has more axes"],
        ),
    ],
)
def test_notes(rule: str, question: str, notes: list[str]) -> None:
    """What an engine does otherwise, or what is easily missed, is noted where it applies."""
    assert texts(asked(rule, question)) == notes


@pytest.mark.parametrize(
    ("question", "garbage", "explicit"),
    [
        ("2,3,4 4", False, None),
        ("2,3,4 1,4", True, "B as 1,1,4"),
        ("1,4 2,3,4", True, "A as 1,1,4"),
        ("4,3,2 4,1 --order numpy", True, "B as 4,1,1"),
        ("2,3,4 3,1", True, "B as 1,3,1"),
        ("2,1 3", True, None),
        ("2,1 1,3", False, None),
        ("2,1,4 3,4", True, "B as 1,3,4"),
        ("1,3 4", True, "B as 4,1"),
        ("2,3,4 2,3", True, None),
        ("2,3 2,4", True, None),
        ("2,3,4 N,2", True, None),
        ("0,2 2", False, None),
        ("1,2,3,4,5 2", False, None),
    ],
)
def test_notes_of_ncnn(question: str, garbage: bool, explicit: str | None) -> None:
    """On a mismatch ncnn reports nothing, and its CPU engine may accept it as a longer shape."""
    noted = texts(asked("ncnn", question))
    assert (GARBAGE in noted) is garbage
    by_cpu = [text for text in noted if "CPU engine" in text]
    assert by_cpu == [
        f"ncnn's CPU engine takes {taken} and accepts it, its Vulkan engine does not: "
        f"write {taken.split()[-1]}"
        for taken in [explicit]
        if taken
    ]


def test_ncnn_accepts_what_a_note_says_to_write() -> None:
    """The explicit shape that a note gives instead of a mismatch broadcasts by the rule."""
    chance = random.Random(15)
    seen = 0
    for _ in range(1000):
        order = chance.choice(["ncnn", "numpy"])
        shapes = sorted(random_shapes(chance, 2, sizes=(1, 2, 3)), key=len)
        for text in texts(of_shapes("ncnn", *shapes, order=order)):
            if "CPU engine" in text:
                instead = tuple(map(int, text.rpartition("write ")[2].split(",")))
                assert len(instead) == len(shapes[1])
                assert of_shapes("ncnn", instead, shapes[1], order=order).ok is True
                seen += 1
    assert seen > 20


@pytest.mark.parametrize(
    ("shapes", "result", "text"),
    [
        (
            [(64, 1), (64,)],
            (64, 64),
            "both operands stretch: 64 and 64 elements become 4,096 (64x)",
        ),
        (
            [(3, 1), (1, 4), (2, 1, 1)],
            (2, 3, 4),
            "all operands stretch: 3, 4 and 2 elements become 24 (6x)",
        ),
        (
            [(2, 2, 1), (1, 1, 3)],
            (2, 2, 3),
            "both operands stretch: 4 and 3 elements become 12 (3x)",
        ),
        ([(2, 1), (1, 3), (1, 1), (1, 1), (1, 1)], (2, 3), "up to 3 elements become 6 (2x)"),
        ([(4, 1, 3), (1, 4, 1), (4, 1)], (4, 4, 3), "12, 4 and 4 elements become 48 (4x)"),
        ([(4, 3, 1, 1), (1, 1, 5, 2)], (4, 3, 5, 2), "12 and 10 elements become 120 (10x)"),
        ([(0, 1), (1, 3)], (0, 3), "both operands stretch: 0 and 3 elements become 0"),
        ([("N", 1), (1, 3)], ("N", 3), MAY_STRETCH),
    ],
)
def test_growth(shapes: list[Shape], result: Shape, text: str) -> None:
    """Where all operands stretch, what that makes of their elements is said in numbers."""
    assert growth_note(shapes, result).endswith(text)


@pytest.mark.parametrize(
    ("rule", "question", "noted"),
    [
        ("numpy", "64,1 64", True),
        ("numpy", "8,1,6,1 7,1,5", True),
        ("onnx", "3,1 1,4", True),
        ("bidirectional", "3,1 1,4", True),
        ("ncnn", "2,1 1,3", True),
        ("numpy", "3,1 1,4 1,1,2,1,1", True),
        ("numpy", "N,1 M", True),
        ("numpy", "2,1 N", True),
        # A size that is not known may be the result's.
        ("numpy", "N,1 1,M 3,4", False),
        ("numpy", "N M", False),
        ("numpy", "3,4 4", False),
        ("numpy", "3,1 1,4 3,4", False),
        # An axis of size 1 is there whether it stretches or not.
        ("numpy", "3 1,3", False),
        ("numpy", "1,3 3", False),
        ("numpy", "3", False),
        ("numpy", "() ()", False),
        ("numpy", "3,1 1,0", True),
        ("numpy", "3,1,2 4,5", False),
        ("onnx-uni", "3,4 1,1", False),
        ("none", "1 1", False),
        ("pdpd", "3,4 1", False),
        ("ncnn", "1,3 3", False),
    ],
)
def test_note_where_every_operand_stretches(rule: str, question: str, noted: bool) -> None:
    """That no operand has the result's shape is noted, as it is seldom meant."""
    answer = asked(rule, question)
    assert answer.all_stretch is noted
    texts = [note.text for note in answer.notes if note.kind == "stretch"]
    # A target shape stores nothing that could grow.
    assert len(texts) == (noted and not answer.rule.second_is_target)
    for text in texts:
        assert (text == MAY_STRETCH) is bool(answer.unknown_sizes and len(answer.operands) == 2)
    if noted:
        assert answer.result not in [operand.shape for operand in answer.operands]


@pytest.mark.parametrize("rule", ["numpy", "onnx", "bidirectional", "ncnn"])
def test_every_operand_stretches_where_none_has_the_result(rule: str) -> None:
    """For known sizes it is noted exactly where no operand, ones before it aside, is the result."""
    chance = random.Random(23)
    seen = set()
    for _ in range(1000):
        answer = of_shapes(rule, *random_shapes(chance, 2))
        if answer.result is None:
            continue
        rank = len(answer.result)
        kept = [(1,) * (rank - len(shape)) + shape for _, shape in answer.operands]
        if rule == "ncnn" and len(set(answer.ranks)) > 1:
            assert not answer.all_stretch  # the larger one is the result
        else:
            assert answer.all_stretch is (answer.result not in kept)
        seen.add(answer.all_stretch)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("2,2 2", "B would also fit A's w, but ncnn tries the last axes (inner) first"),
        ("2 2,3,2", "A would also fit B's w, but ncnn tries the last axes (inner) first"),
        (
            "2,3,2 2 --order numpy",
            "B would also fit A's w, but ncnn tries the last axes (inner) first",
        ),
        ("2,3 2", None),
        ("3,2 2", None),
        ("1,1 1", None),
        ("2,2 2,2", None),
        ("2,2,2 2,2", None),
    ],
)
def test_note_where_a_size_fits_two_axes(question: str, noted: str | None) -> None:
    """Under ncnn a shape of one axis that could start at w too is aligned with the last axis."""
    answer = asked("ncnn", question)
    found = [note for note in answer.notes if "also fit" in note.text]
    assert found == ([("layout", noted)] if noted else [])


@pytest.mark.parametrize(
    ("question", "made"),
    [
        ("5,3,4 5", "B to 5,1,1"),
        ("2,3,4 2", "B to 2,1,1"),
        ("5,3,4 5,3", "B to 5,3,1"),
        ("5,3 5,3,4", "A to 5,3,1"),
        ("4,3,5 5 --order numpy", "B to 1,1,5"),
        ("5,3,4 4", None),
        ("5,3,4 3,4", None),
        ("5,3,4 1", None),
        ("5,3,4 ()", None),
        ("5,3 5,1", None),
        ("2,3,N M", "B to M,1,1"),
        ("1,2,3,4,5 1", None),
    ],
)
def test_note_of_pnnx(question: str, made: str | None) -> None:
    """Where ranks differ, pnnx makes numpy's broadcasting explicit with ones that it appends."""
    noted = [note for note in asked("ncnn", question).notes if "pnnx" in note.text]
    says = f"pnnx keeps NumPy's meaning: it inserts a Reshape of {made}"
    assert noted == ([] if made is None else [Note("engine", says)])


def test_note_of_ncnns_layout() -> None:
    """A note stands in for the axes where unknown sizes decide how the operands lie."""
    for question in ("2,N 2", "2,3,4 N", "2,3,4 N,4", "2,3,4 2", "N N", "2,3,4 N,3"):
        answer = asked("ncnn", question)
        noted = [note.text for note in answer.notes if note.kind == "layout"]
        says = "how the operands line up depends on the unknown sizes"
        assert noted == ([says] if answer.axes is None else [])


def test_note_of_numpys_own_limit() -> None:
    """Only above 32 axes is there something to say of NumPy, and only under its own rule."""
    assert texts(of_shapes("numpy", (1,) * 32)) == []
    says = "NumPy itself stops at 64 axes, and numpy.broadcast_shapes at 32"
    assert of_shapes("numpy", (1,) * 33).notes == (Note("engine", says),)
    assert texts(of_shapes("onnx", (1,) * 33)) == []


def test_pdpd_resolves_no_axis_where_b_has_more() -> None:
    """The default is no axis of A where B has more axes, however many."""
    for question in ("2 2,3", "2 2,3,4"):
        assert asked("pdpd", question).options == {"axis": -1}


@pytest.mark.parametrize("question", ["2,3 1,1,1 --axis 1", "2 1,1 --axis 0"])
def test_pdpd_always_states_its_axis(question: str) -> None:
    """The axis that was given is stated even where the ranks do not fit."""
    axis = question[-1]
    answer = asked("pdpd", question)
    assert answer.options == {"axis": int(axis)}
    assert f"B starts at axis {axis} (--axis {axis})" in texts(answer)


@pytest.mark.parametrize(
    ("question", "differs"),
    [
        ("? ?", True),
        ("N M", True),
        ("N N", False),
        ("1 ?", False),
        ("3,? 3,4", False),
        ("3,? 1,?", True),
    ],
)
def test_note_of_a_target_that_is_not_known(question: str, differs: bool) -> None:
    """A result that may differ from the target is noted, with or without names for the sizes."""
    kinds = [note.kind for note in asked("bidirectional", question).notes]
    assert kinds == (["target"] if differs else [])


def test_note_of_a_target_that_surely_differs() -> None:
    """One axis on which the result is not the target is enough to say so."""
    [note] = texts(asked("bidirectional", "4,N 1,1"))
    assert "is not the target shape 1,1" in note


def test_note_of_a_target_that_may_differ() -> None:
    """Where the result is the target for some numbers only, the note does not say more."""
    [note] = texts(asked("bidirectional", "N 1"))
    assert note.startswith("the result N may differ from the target shape 1: ")
    [note] = texts(asked("bidirectional", "N M"))
    assert note.startswith("the result ? may differ from the target shape M: ")


def test_note_of_a_target_says_what_the_target_has() -> None:
    """A target of unknown size is not said to have a 1."""
    [note] = texts(asked("bidirectional", "3,4 3,N"))
    assert "the result 3,4 may differ from the target shape 3,N" in note
    assert "target has a 1" not in note
    [note] = texts(asked("bidirectional", "N,4 1,4"))
    assert note.endswith("target shape 1,4: target has a 1 where A may have another size")


@pytest.mark.parametrize("question", ["x=2,3 bias=1,3", "x=1,3 bias=0,3", "x=0,3 bias=1,3"])
def test_notes_call_operands_by_their_names(question: str) -> None:
    """Operands with names are called by them, never A and B."""
    noted = " ".join(texts(asked("pdpd", question)))
    assert "2023" in noted
    assert {"A", "B"}.isdisjoint(noted.replace(",", " ").split())


@pytest.mark.parametrize("rule", RULES)
def test_kinds_of_notes(rule: str) -> None:
    """Every note of a random question says of which kind it is, in one line."""
    chance = random.Random(16)
    kinds = {"axis", "trim", "target", "engine", "layout", "stretch"}
    for _ in range(200):
        for note in of_shapes(rule, *random_shapes(chance, 2)).notes:
            assert note.kind in kinds
            assert note.text == note.text.strip()
            assert "\n" not in note.text


@pytest.mark.parametrize("rule", ["numpy", "onnx", "none"])
def test_many_operands(rule: str) -> None:
    """So many operands that they are not padded are answered, and shown, as a few are."""
    chance = random.Random(31)
    verdicts = set()
    for _ in range(300):
        few = [tuple(chance.choices((1, 2, 3, "N"), k=chance.randint(0, 3))) for _ in range(3)]
        one, many = (of_shapes(rule, *few * times) for times in (1, 5))
        verdicts.add(many.ok)
        assert (many.ok, many.result, many.when) == (one.ok, one.result, one.when)
        assert one.axes is not None
        assert many.axes is not None
        assert [axis.sizes for axis in many.axes] == [axis.sizes * 5 for axis in one.axes]
        assert [axis.conflict for axis in many.axes] == [axis.conflict for axis in one.axes]
    assert verdicts >= {True, False}


@pytest.mark.parametrize("rule", ["numpy", "onnx", "bidirectional"])
def test_axes_that_are_missing_can_be_skipped(rule: str) -> None:
    """Where a missing axis counts as 1, many operands need no room for those that they miss."""
    assert all(way.skips_missing is True for way in RULES[rule].align((2, 1), {}).alignments)


# How the operands lie.


@pytest.mark.parametrize(
    ("rule", "question", "how"),
    [
        ("ncnn", "2,3 2,3", "equally many axes: axis by axis"),
        ("ncnn", "2,3 N,3", "equally many axes: axis by axis"),
        ("ncnn", "2,1 1,3", "equally many axes: axis by axis"),
        ("ncnn", "2,3 1", "B is like a scalar"),
        ("ncnn", "() 2,3", "A is like a scalar"),
        ("ncnn", "2,3,4 2", "B is on w of A (outer)"),
        ("ncnn", "4 2,3,4", "A is on the last axes of B (inner)"),
        ("ncnn", "2,3,4 3,4", "B is on the last axes of A (inner)"),
        ("ncnn", "2,3,4 4 --order numpy", "B is on w of A (outer)"),
        ("ncnn", "2,3,4 2 --order numpy", "B is on the last axes of A (inner)"),
        ("ncnn", "2,3,4 2,3", ""),
        ("ncnn", "() ()", ""),
        ("pdpd", "2,3,4 3,4", "B starts at axis 1 (default: 3 - 2)"),
        ("pdpd", "2,3,4 3 --axis 5", "B starts at axis 5 (--axis 5)"),
        ("pdpd", "3 2,3", ""),
        ("numpy", "2,3 3", ""),
    ],
)
def test_how_operands_lie(rule: str, question: str, how: str) -> None:
    """Where the rule chooses how operands lie, it says how; else the aligned axes show it."""
    answer = asked(rule, question)
    assert answer.rule.describe_alignment(answer) == how
