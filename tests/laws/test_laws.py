"""Laws of the rules and of the notation, for whatever shapes are found to try them on.

pytest tests/laws/test_laws.py --hypothesis-profile long tries many more.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Options, Rule, Value, typed, whole
from bcastcli.core.shapes import SCALAR, UNKNOWN, Shape, Size, written
from bcastcli.notation.text import NotationError, named_size, operands, read
from bcastcli.render import Format
from bcastcli.render.user_text import with_carets
from bcastcli.rules import RULES
from tests.effort import many, slow
from tests.in_memory import Ended, run
from tests.laws.substitution import check_law, placed, unknown

MAX_AXES = 4
MAX_CHANGES = 6
NUMBERS: tuple[Size, ...] = (0, 1, 2, 3)
NAMES = ("N", "M", "K")
SIZES: tuple[Size, ...] = (*NUMBERS, *NAMES, *NAMES, UNKNOWN)

LIKE_NUMPY = ["numpy", "onnx", "bidirectional"]
SYMMETRIC = [*LIKE_NUMPY, "none", "ncnn"]
KEEP_A = ["onnx-uni", "pdpd"]

every_rule = pytest.mark.parametrize("rule", RULES)


# Questions that broadcast as often as not


def line_of(question: Question) -> str:
    """The shapes of a question as they are typed."""
    return " ".join(map(written, shapes_of(question)))


def shapes_of(question: Question) -> tuple[Shape, ...]:
    """The shapes of a question, as typed."""
    return tuple(shape for _, shape in question.operands)


def asked(rule: Rule, shapes: Sequence[Shape], options: Options) -> Question:
    """The question about shapes without names."""
    line = " ".join(map(written, shapes))
    return Question(rule, operands(read(line), rule.default_names), options)


def shapes(sizes: tuple[Size, ...] = NUMBERS, most: int = MAX_AXES) -> st.SearchStrategy[Shape]:
    return st.lists(st.sampled_from(sizes), max_size=most).map(tuple)


@st.composite
def questions(
    draw: st.DrawFn, name: str, sizes: tuple[Size, ...] = NUMBERS, count: int = 0
) -> Question:
    """Shapes made to go with the first one under a rule, of which others are then spoilt."""
    rule = RULES[name]
    options: dict[str, Value] = {}
    if "axis" in rule.options:
        options["axis"] = draw(st.sampled_from((-1, -1, 0, 1, 2)))
    if name == "ncnn":
        sizes = tuple(size for size in sizes if size != 0)
    first = draw(shapes(sizes))
    if "axes" in rule.options:
        options["axes"] = tuple(range(len(first)))
    count = count or (2 if rule.max_operands == 2 else draw(st.integers(2, 3)))
    typed = [first, *(draw(_fitting(name, first, options)) for _ in range(count - 1))]
    if name in LIKE_NUMPY:
        typed[0] = draw(_with_ones(first))
    question = asked(rule, typed, options)
    wanted = draw(st.sampled_from((True, False) if sizes[-1] != UNKNOWN else (True, None, False)))
    for _ in range(MAX_CHANGES):
        if question.answer().ok is wanted:
            break
        change = draw(st.sampled_from((_spoilt, _set_apart)))
        question = question.with_shapes(change(draw, shapes_of(question), sizes))
    if name in SYMMETRIC:
        question = question.with_shapes(draw(st.permutations(shapes_of(question))))
    return _turned(question) if draw(st.booleans()) and name == "ncnn" else question


def _turned(question: Question) -> Question:
    """The same question under ncnn, read outermost first."""
    turned = question.with_shapes([shape[::-1] for _, shape in question.operands])
    return turned.with_options(order="numpy")


@st.composite
def _fitting(draw: st.DrawFn, name: str, first: Shape, options: Options) -> Shape:
    """A shape that broadcasts with the first one, w first under ncnn."""
    axis = whole(options.get("axis", -1))
    cut = draw(st.integers(0, len(first)))
    if name == "none":
        return first
    if name == "explicit":  # the target of all of the first one's axes
        return first + first[:cut]
    if name == "ncnn":
        ways = (draw(_with_ones(first)), first[cut:], first[:1], (1,) * cut)
        return draw(st.sampled_from(ways))
    if axis >= 0:
        run = draw(_with_ones(first[axis:][:cut]))
        ones = draw(st.integers(0, max(0, len(first) - len(run))))
        return run + (1,) * ones
    kept = {"same-rank": first, "left": first[:cut]}.get(name, first[cut:])
    return draw(_with_ones(kept))


@st.composite
def _with_ones(draw: st.DrawFn, shape: Shape) -> Shape:
    return tuple(draw(st.sampled_from((size, size, 1))) for size in shape)


def _spoilt(
    draw: st.DrawFn, asked: tuple[Shape, ...], sizes: tuple[Size, ...]
) -> tuple[Shape, ...]:
    """The shapes with one size changed, or one more."""
    number = draw(st.integers(0, len(asked) - 1))
    shape = asked[number]
    place = draw(st.integers(0, len(shape)))
    other = draw(st.sampled_from(sizes))
    changed = (*shape[:place], other, *shape[place + draw(st.integers(0, 1)) :])
    return (*asked[:number], changed, *asked[number + 1 :])


def _set_apart(
    draw: st.DrawFn, asked: tuple[Shape, ...], sizes: tuple[Size, ...]
) -> tuple[Shape, ...]:
    """The shapes with different sizes in two of them, on an axis counted from the last one."""
    changed = [*asked]
    others = [size for size in sizes if size != 1]
    numbers = draw(st.permutations(range(len(asked))))
    place = draw(st.integers(0, 2))
    for number in numbers[:2]:
        shape = (1,) * (place + 1 - len(asked[number])) + asked[number]
        end = len(shape) - place
        changed[number] = (*shape[: end - 1], draw(st.sampled_from(others)), *shape[end:])
    return tuple(changed)


def shares(strategy: st.SearchStrategy[Question]) -> dict[bool | None, float]:
    """How large a part of the questions has which verdict."""
    verdicts: Counter[bool | None] = Counter()

    @settings(max_examples=200)
    @given(strategy)
    def meet(question: Question) -> None:
        verdicts[question.answer().ok] += 1

    meet()
    return {verdict: verdicts[verdict] / verdicts.total() for verdict in (True, False, None)}


@slow
@every_rule
def test_questions_are_worth_asking(rule: str) -> None:
    """Of the questions, a third at least broadcast and a third do not; with unknown sizes, some."""
    known, unknown_too = shares(questions(rule)), shares(questions(rule, SIZES))
    assert min(known[True], known[False]) >= 1 / 3, known
    assert min(unknown_too.values()) >= 1 / 13, unknown_too


# What every rule obeys


def result(rule: str, *asked: Shape | None) -> Shape | None:
    """What known sizes broadcast to; None where they do not, or where one is no result already."""
    given_shapes = [shape for shape in asked if shape is not None]
    if len(given_shapes) < len(asked):
        return None
    named = [Operand(name, shape) for name, shape in zip("ABCD", given_shapes, strict=False)]
    axes = {"axes": tuple(range(len(given_shapes[0])))} if rule == "explicit" else {}
    return Question(RULES[rule], named, axes).answer().result


@pytest.mark.parametrize("rule", [*LIKE_NUMPY, *KEEP_A, "ncnn"])
@given(shape=shapes((1, 2, 3, *NAMES)))
def test_a_scalar_changes_nothing(rule: str, shape: Shape) -> None:
    """A scalar goes with every shape, and the result is that shape."""
    assert result(rule, shape, ()) == shape
    if rule not in KEEP_A:
        assert result(rule, (), shape) == shape
    if RULES[rule].min_operands == 1:
        assert result(rule, shape) == shape


@every_rule
@given(shape=shapes((1, 2, 3, *NAMES)))
def test_a_shape_with_itself(rule: str, shape: Shape) -> None:
    """A shape goes with itself, and the result is that shape."""
    assert result(rule, shape, shape) == shape


@pytest.mark.parametrize("rule", SYMMETRIC)
@pytest.mark.parametrize("sizes", [NUMBERS, SIZES], ids=["numbers", "names"])
@given(data=st.data())
def test_order(rule: str, sizes: tuple[Size, ...], data: st.DataObject) -> None:
    """Where no operand is kept, their order changes no verdict, and no result of known sizes."""
    question = data.draw(questions(rule, sizes))
    answers = [question.with_shapes(each).answer() for each in permutations(shapes_of(question))]
    assert len({answer.ok for answer in answers}) == 1
    if sizes == NUMBERS:
        assert len({answer.result for answer in answers}) == 1


@pytest.mark.parametrize("rule", [*LIKE_NUMPY, "none"])
@given(data=st.data())
def test_groups(rule: str, data: st.DataObject) -> None:
    """Three shapes may be taken in any groups, and at once where the rule takes as many."""
    taken = "none" if rule == "none" else "numpy"
    first, second, third = data.draw(questions(taken, count=3)).shapes
    left = result(rule, result(rule, first, second), third)
    assert left == result(rule, first, result(rule, second, third))
    if RULES[rule].max_operands is None:
        assert left == result(rule, first, second, third)


@given(data=st.data())
def test_groups_under_ncnn(data: st.DataObject) -> None:
    """Under ncnn some groups do not broadcast where others do, but none has another result."""
    third = data.draw(shapes((1, 2, 3)))
    first, second = (data.draw(_fitting("ncnn", third, {})) for _ in range(2))
    first, second, third = data.draw(st.permutations((first, second, third)))
    left = result("ncnn", result("ncnn", first, second), third)
    right = result("ncnn", first, result("ncnn", second, third))
    assert left == right or None in (left, right)


# What one rule is to another


@given(question=questions("numpy", count=2))
def test_same_rule_under_three_names(question: Question) -> None:
    """ONNX multidirectional decides as NumPy does, and so does OpenVINO's Broadcast."""
    assert len({result(rule, *shapes_of(question)) for rule in LIKE_NUMPY}) == 1


@pytest.mark.parametrize("rule", KEEP_A)
@given(data=st.data())
def test_keeping_a(rule: str, data: st.DataObject) -> None:
    """Unidirectional, and PDPD on its default axis: yes exactly where NumPy's result is A."""
    source = data.draw(st.sampled_from((rule, "numpy")))
    first, second = data.draw(questions(source, count=2)).shapes
    kept = first if result("numpy", first, second) == first else None
    expected = kept if len(second) <= len(first) else None
    assert result(rule, first, second) == expected


@given(question=questions("none"))
def test_identical_shapes_broadcast_under_every_rule(question: Question) -> None:
    """What goes together where nothing stretches goes together everywhere, within ncnn's limits."""
    shape = result("none", *shapes_of(question))
    assert (shape is not None) is (len(set(shapes_of(question))) == 1)
    for rule in RULES if shape is not None else ():
        outside = shape is not None and (0 in shape or len(shape) > 4)
        expected = None if rule == "ncnn" and outside else shape
        assert result(rule, *shapes_of(question)[:2]) == expected


@given(data=st.data())
def test_ncnn_is_numpy_where_ranks_are_equal(data: st.DataObject) -> None:
    """With equal ranks of at most 4 and no size of 0, ncnn decides as NumPy does."""
    first = data.draw(shapes((1, 2, 3)))
    spoilt = data.draw(st.booleans())
    second = tuple(
        data.draw(st.sampled_from((1, size, size, *((2, 3) if spoilt else ())))) for size in first
    )
    assert result("ncnn", first, second) == result("numpy", first, second)


@given(question=questions("ncnn", (0, 1, 2, 3)))
def test_ncnn_in_the_order_of_numpy(question: Question) -> None:
    """Read outermost first, ncnn answers the reversed question, reversed."""
    there = question.with_options(order="ncnn").answer()
    back = _turned(question).answer()
    assert (there.ok, there.result) == (back.ok, back.result and back.result[::-1])
    assert [axis[1:] for axis in there.axes or ()] == [axis[1:] for axis in back.axes or ()][::-1]
    assert (there.reason and there.reason.kind) == (back.reason and back.reason.kind)
    assert [note.kind for note in there.notes] == [note.kind for note in back.notes]


@settings(max_examples=4 * settings().max_examples)
@given(question=questions("ncnn"))
def test_ncnn_by_the_lines_of_its_table(question: Question) -> None:
    """The first line that fits decides: scalar-like, equal ranks, inner, outer."""
    larger, smaller = sorted(shapes_of(question), key=len, reverse=True)
    if len(larger) > 4:
        fits = False
    elif set(smaller) <= {1} or (set(larger) <= {1} and len(larger) == len(smaller)):
        fits = True
    elif len(larger) == len(smaller):
        fits = all(a == b or 1 in (a, b) for a, b in zip(larger, smaller, strict=True))
    else:
        fits = larger[-len(smaller) :] == smaller or larger[:1] == smaller
    assert (result("ncnn", larger, smaller) is not None) is fits


@given(question=questions("pdpd"))
def test_pdpd_without_a_trim(question: Question) -> None:
    """Trimming is the same as letting only ones stand past A's end."""
    first, second = shapes_of(question)
    axis = whole(question.options["axis"])
    start = len(first) - len(second) if axis == -1 else axis
    past = (*first, *(1,) * len(second))[max(start, 0) :]
    fits = len(second) <= len(first) and start <= len(first)
    fits = fits and all(own in (1, size) for own, size in zip(second, past, strict=False))
    answer = question.answer()
    assert (answer.ok, answer.result) == (fits, first if fits else None)


@given(question=questions("pdpd", SIZES))
def test_the_default_axis_of_pdpd(question: Question) -> None:
    """Axis -1 is the axis rank(A) - rank(B), with B's rank before its ones are trimmed."""
    first, second = shapes_of(question)
    axis = len(first) - len(second)
    if axis >= 0:
        default = question.with_options(axis=-1).answer()
        same = question.with_options(axis=axis).answer()
        assert default.options == same.options == {"axis": axis}
        assert (default.ok, default.result, default.when) == (same.ok, same.result, same.when)


# Sizes that are not known


@every_rule
@given(data=st.data())
def test_substitution(rule: str, data: st.DataObject) -> None:
    """No number put for an unknown size contradicts the answer, and the answer leaves none out."""
    answer = data.draw(questions(rule, SIZES)).answer()
    assume(len(unknown(answer)) <= 4)
    check_law(answer, numbers=range(5))


def renamed(question: Question, other: dict[str, str]) -> tuple[Answer, str | None]:
    """The answer to the question with other names, and its condition as it is to be expected."""

    def turned(name: re.Match[str]) -> str:
        return other.get(name[0], name[0])

    answer = question.answer()
    places = [zip(each.shape, placed(each), strict=True) for each in answer.operands]
    turned_shapes = tuple(
        tuple(other.get(str(name), size) for size, name in shape) for shape in places
    )
    when = answer.when and re.sub(r"[A-Za-z_]\w*(\.shape\[\d+\])?", turned, answer.when)
    return question.with_shapes(turned_shapes).answer(), when


@every_rule
@given(data=st.data(), names=st.permutations(["zeta", "M", "K", "N", "b1"]))
def test_renaming(rule: str, data: st.DataObject, names: list[str]) -> None:
    """Other names for the same sizes change nothing but the names, however these sort."""
    question = data.draw(questions(rule, SIZES))
    answer = question.answer()
    other = dict(zip(NAMES, names, strict=False))
    again, when = renamed(question, other)
    assert (again.ok, again.when) == (answer.ok, when)
    assert again.result == (
        answer.result and tuple(other.get(str(size), size) for size in answer.result)
    )


@every_rule
@given(data=st.data())
def test_a_name_for_every_question_mark(rule: str, data: st.DataObject) -> None:
    """A `?` is a size with a name of its own: given one, it decides what it decided before."""
    question = data.draw(questions(rule, (1, 2, 3, "N", UNKNOWN, UNKNOWN)))
    answer = question.answer()
    places = [name for name in unknown(answer) if "[" in name]
    other = {name: f"size_{number}" for number, name in enumerate(places)}
    again, when = renamed(question, other)
    assert (again.ok, again.when) == (answer.ok, when)


# The notation

plain_names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,7}", fullmatch=True)
sizes_typed: st.SearchStrategy[Size] = st.one_of(
    st.integers(0, 10**20),
    st.just("9" * 4300).map(int),
    st.just(UNKNOWN),
    plain_names.filter(lambda name: named_size(name) is not None),
)
shapes_typed = st.lists(sizes_typed, max_size=6).map(tuple)


@given(asked=st.lists(shapes_typed, min_size=1, max_size=5))
def test_what_is_written_can_be_read(asked: list[Shape]) -> None:
    """Lines of written shapes read as those shapes, and written again are the same text."""
    assume(("x",) not in asked)  # between two numbers it is the sign, and refused
    line = " ".join(map(written, asked))
    again = read(line).shapes
    assert again == tuple(asked)
    assert " ".join(map(written, again)) == line


@st.composite
def spellings(draw: st.DrawFn, shape: Shape) -> str:
    """A shape in one of the ways in which it may be typed or pasted."""
    blank = st.sampled_from(("", " ", "  ", "\t"))
    sizes = [draw(_spelled(size)) for size in shape]
    products = all(re.fullmatch(r"[0-9]+|[A-Z]|\?|-1", size) for size in sizes)
    if len(sizes) > 1 and products and draw(st.booleans()):
        inner = draw(st.sampled_from("x×")).join(sizes)
    else:
        comma = f"{draw(blank)},{draw(blank)}"
        inner = comma.join(sizes) + draw(st.sampled_from(("", ",")))
    word = st.sampled_from(("", "", "Shape", "f32", "torch.Size", "a.b.c"))
    opener, closer = draw(st.sampled_from((("(", ")"), ("[", "]"))))
    text = f"{draw(word)}{opener}{draw(blank)}{inner}{draw(blank)}{closer}"
    # Alone in such brackets, some words are markup: a comma tells that they are not.
    if draw(st.booleans()):
        text = f"{draw(word)}({text})"
    return draw(st.sampled_from(("", "operand="))) + text


def _spelled(size: Size) -> st.SearchStrategy[str]:
    if size == UNKNOWN:
        return st.sampled_from(("?", "-1", "None"))
    if isinstance(size, int) and size < 10**20:
        return st.sampled_from((str(size), f"0{size}", f"000{size}"))
    return st.just(str(size))


@given(data=st.data(), shape=shapes_typed)
def test_every_spelling_reads_the_same(data: st.DataObject, shape: Shape) -> None:
    """Blanks, brackets, words, zeros in front and names do not change a shape."""
    assert read(data.draw(spellings(shape))).shapes == (shape,)


def test_any_text_is_read_or_refused_with_a_place() -> None:
    """Any text is either shapes that can be written and read, or refused at a place in it."""
    met: Counter[str] = Counter()

    @settings(max_examples=many(1000))
    @given(
        st.text("0123 ,x×()[]N?=-.;'\t_é\x1b", max_size=8)
        | st.text("0123 ,;N?", max_size=6)
        | st.text(max_size=20)
    )
    def law(line: str) -> None:
        try:
            asked = read(line).shapes
        except NotationError as caught:
            met["refused"] += 1
            error = caught
            start, after = error.span
            assert 0 <= start < after <= len(line) + 1
            shown = [error.message, *with_carets(error.text, error.span).split("\n")]
            assert [each.isprintable() for each in shown] == [True] * 3
        else:
            met["read"] += 1
            assert all(read(written(shape)).shapes == (shape,) for shape in asked)

    law()
    assert min(met["read"], met["refused"]) > many(50), met


# The formats


def shape_of(sizes: list[Size]) -> str:
    return ",".join(map(str, sizes)) or SCALAR


@every_rule
@settings(max_examples=settings().max_examples // 3)
@given(data=st.data(), names=st.lists(st.sampled_from(("", "x=", "bias=", "_1=")), unique=True))
def test_every_format_says_what_the_json_says(
    rule: str, data: st.DataObject, names: list[str]
) -> None:
    """All formats tell the verdict, result and reason of the JSON, alone and in a stream."""
    question = data.draw(questions(rule, data.draw(st.sampled_from((NUMBERS, SIZES)))))
    shapes = [*map(written, shapes_of(question))]
    shapes[: len(names)] = [f"{name}{shape}" for name, shape in zip(names, shapes, strict=False)]
    command = [rule, *(f"--{name}={typed(value)}" for name, value in question.options.items())]
    by_format: dict[str, Ended] = {
        form: run([*command, "-f", form, "--", *shapes]) for form in Format
    }
    answer = json.loads(by_format["json"].out)
    ok, when, reason = answer["ok"], answer["when"], answer["reason"]
    shape = None if ok is False else shape_of(answer["result"])
    assert {ended.status for ended in by_format.values()} == {{True: 0, False: 1, None: 3}[ok]}
    said = shape if when is None else f"{shape} when {when}"
    assert by_format["plain"].out == f"{said if shape else f'mismatch: {reason}'}\n"
    last = said if shape else f"mismatch: {reason}"
    assert by_format["table"].out.splitlines()[-1] == last
    sizes = [*filter(None, (shape or "").removeprefix("()").split(","))]
    on_page = f"({', '.join(sizes)}{',' * (len(sizes) == 1)})"  # where a lone 3 reads as a number
    on_pages = last if shape is None else last.replace(shape, on_page, 1)
    page = html.unescape(by_format["svg"].out)
    assert f"{on_pages[0].upper()}{on_pages[1:]}." in page
    line = " ".join(shapes).encode()
    for form in ("plain", "table"):
        assert run([*command, "-f", form], line) == by_format[form]
    ended = run([*command, "-f", "json"], line)
    in_stream = {key: value for key, value in answer.items() if key != "suggestions"}
    in_stream["notes"] = [note for note in answer["notes"] if note["kind"] != "sizes"]
    assert json.loads(ended.out) == {**in_stream, "line": 1}
    assert (ended.status, ended.err) == (by_format["json"].status, "")
