"""Whole answers (core/answer.py, core/question.py), and what they are made of."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from bcastcli.core.alignment import Alignment, Layout, Operand, automatic_names
from bcastcli.core.conditions import at_most_one_besides_1, numbered_assignments
from bcastcli.core.question import Question
from bcastcli.core.rule import AXIS_EXPECTED, FORMS, Options, Rule, Value, parse_setting, typed
from bcastcli.core.shapes import Shape, right_aligned, stretch, written
from bcastcli.core.wording import in_words
from bcastcli.operators.questions import ask
from tests.answered import facts, keep_answers
from tests.effort import many
from tests.rows import each_row
from tests.strategies import SIZES, of_shapes, random_answer, random_shapes


def test_answers(pytestconfig: pytest.Config) -> None:
    """Everything that is found of a question is as it was read."""
    keep_answers(Path(__file__).with_name("answers.txt"), pytestconfig, facts)


@each_row("rule", ["numpy", "none", "pdpd", "ncnn"])
def test_numbers_in_place_of_names(rule: str) -> None:
    """With numbers for its names, an answer is yes where its condition holds, and else no."""
    chance = Random(8)
    verdicts: list[bool | None] = []
    while len(verdicts) < many(1000):
        answer = random_answer(chance, rule, (1, 2, 3, "N", "M", "?"), 3)
        for numbers in numbered_assignments(answer.unknown_sizes, [1, 2, 3]):
            known = answer.with_sizes(numbers)
            condition = answer.when or str(answer.ok)
            for name, number in numbers.items():
                condition = condition.replace(name, str(number))
            assert known.ok is eval(condition), (answer.question, numbers)
            if known.result is not None and answer.result is not None:
                named = [numbers.get(str(size), size) for size in answer.result]
                both = zip(named, known.result, strict=True)
                assert [size for size, number in both if size not in ("?", number)] == []
            assert known.unknown_sizes == ()
            verdicts.append(known.ok)
    assert {*verdicts} == {True, False}


@each_row("rule", ["numpy", "onnx", "bidirectional", "ncnn"])
def test_every_operand_stretches_where_none_has_the_result(rule: str) -> None:
    """For known sizes that is where no operand, leading ones aside, has the result's shape."""
    chance = Random(23)
    seen = set()
    for _ in range(300):
        answer = of_shapes(rule, *random_shapes(chance, 2, SIZES))
        if answer.result is not None:
            rank = len(answer.result)
            filled = [(1,) * (rank - len(shape)) + shape for shape in answer.shapes]
            # Of shapes of other ranks, ncnn's result is the larger one.
            expected = answer.result not in filled and (rule != "ncnn" or len({*answer.ranks}) == 1)
            assert answer.all_stretch is expected, answer.question
            seen.add(expected)
    assert seen == {True, False}


@each_row(
    ("name", "text", "expected"),
    [
        *(("axis", text, AXIS_EXPECTED) for text in ("-2", "1.0", "", "x", "9" * 19)),
        *(("axes", text, FORMS["axes"][1]) for text in ("0,,1", "0,", "-1", "None")),
        *(("order", text, "expected ncnn or numpy") for text in ("NCNN", "torch", "")),
        *(("axis", "9" * 18, int("9" * 18)), ("axis", "-1", -1), ("axes", "0", (0,))),
        *(("axes", "10,2", (10, 2)), ("order", "numpy", "numpy"), ("order", "ncnn", "ncnn")),
    ],
)
def test_settings(name: str, text: str, expected: Value) -> None:
    """A setting has its value, or an error that says what is expected."""
    assert AXIS_EXPECTED == "expected an axis number (0, 1, 2, ...) or -1 (the default)"
    assert FORMS["axes"][1] == "expected axes, such as 0,2, or none"
    try:
        found = parse_setting(name, text)
    except ValueError as error:
        found = str(error)
    assert found == expected
    assert found == text or typed(found) in (text, expected)


class Bare(Rule):
    """A rule that says no more than it must."""

    name = "bare"
    document = """
    One line: what it is about

    A paragraph of two
    lines.

    Source: a book,
    page 3.

    Examples:
        2,3 3         ->  2,3
        2 3 --axis 1  ->  mismatch
    """

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        return Layout(max(ranks), (Alignment(right_aligned(ranks), stretch),))


def test_what_a_rule_need_not_say() -> None:
    """A rule is its document and how it aligns: all else has a default, and is read from these."""
    rule = Bare()
    assert rule.summary == "One line: what it is about"
    paragraphs = [rule.summary, "A paragraph of two\nlines.", "Source: a book,\npage 3."]
    assert rule.statement.split("\n\n") == paragraphs
    assert rule.source == "a book, page 3"
    assert rule.examples == [(["2,3", "3"], "2,3"), (["2", "3", "--axis", "1"], "mismatch")]
    assert [count for count in range(5) if rule.accepts_count(count)] == [2]
    flags = ("second_is_target", "keeps_first", "like_numpy", "compared_by_default")
    assert [getattr(rule, flag) for flag in flags] == [False, False, False, True]
    assert (rule.missing_axes, rule.numpy_order_options) == ("leading", {})
    question = Question(rule, [Operand("A", (2, 3)), Operand("B", ("N",))])
    answer = question.answer()
    assert not answer.innermost_first
    assert [*facts(answer)] == ["2,3 when N in (1, 3)", "0: 2 - = 2 B; 1: 3 N = 3 ?"]
    assert [*question.alternatives(), *rule.notes(answer)] == []
    assert question.record() == {"rule": "bare", "shapes": [(2, 3), ("N",)], "options": {}}
    assert repr(question) == f"<Question {question.record()}>"
    assert (question.words, question.details(), rule.refuse((), {})) == ("", {}, "")
    with pytest.raises(NotImplementedError):
        answer.why_sizes_clash(1)


def test_equal_questions() -> None:
    """Questions are equal, and have one hash, if a rule answers the same operands and options."""
    lines = ["numpy 2 3", "numpy A=2 3", "numpy 3 2", "onnx 2 3", "pdpd 2 2", "pdpd 2 2 axis=0"]
    lines += ["MatMul 2,3 3,2", "Gemm 2,3 3,2", "Gemm 2,3 3,2 trans_a=0"]
    questions = [ask(line).question for line in lines]
    assert len({*questions}) == 7
    assert questions[0] != "numpy 2 3"


def test_names_for_each_shape() -> None:
    """Names are given for all shapes or for none."""
    with pytest.raises(ValueError, match=r"^every shape has a name, or None$"):
        automatic_names([(2,), (3,)], (), ["x"])


def test_conditions_in_words() -> None:
    """Clauses with commas are separated by semicolons, and a set of names is one clause."""
    names = [f"N{number}" for number in range(13)]
    many_names = f"{', '.join(names)} are equal wherever they are not 1"
    assert in_words(at_most_one_besides_1(names)) == many_names
    assert in_words((*at_most_one_besides_1(names), (("M", 2),))) == f"{many_names}; and M is 2"


@each_row(
    ("shape", "text"),
    [
        *(((), "()"), ((2, "N"), "2,N"), (("N",), "N"), (("N12",), "N12"), (("Nx",), "(Nx,)")),
        *((("hidden",), "(hidden,)"), (("?",), "?"), (("N+1",), "N+1"), (("é",), "é"), ((3,), "3")),
    ],
)
def test_a_shape_as_text(shape: Shape, text: str) -> None:
    """A shape reads as it is typed; a lone word is in brackets, lest it be taken for no shape."""
    assert written(shape) == text
