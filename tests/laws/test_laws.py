"""Laws of the rules: what each one obeys, and what one is to another, on random questions."""

import html
import json
import re
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import typed, whole
from bcastcli.core.shapes import Shape, Size, written
from bcastcli.render import Format
from bcastcli.rules import RULES
from tests.effort import SEED, in_turn, many
from tests.in_memory import run
from tests.laws.test_unknown_sizes import placed, unknown
from tests.rows import each_row
from tests.strategies import NAMED, Kind, of_shapes, random_answer, random_question

NUMBERS: tuple[Size, ...] = (0, 1, 2, 3)
LIKE_NUMPY = ["numpy", "onnx", "bidirectional"]
SYMMETRIC = [*LIKE_NUMPY, "none", "ncnn"]
KEEP_A = ["onnx-uni", "pdpd"]


def drawn(
    rule: str, label: str, sizes: tuple[Size, ...] = NUMBERS, count: int = many(800)
) -> Iterator[Question]:
    chance = Random(f"{SEED} {label} {rule}")
    for _ in range(count):
        yield random_answer(chance, rule, sizes).question


def shapes_of(question: Question) -> tuple[Shape, ...]:
    return tuple(shape for _, shape in question.operands)


def result(rule: str, *shapes: Shape | None) -> Shape | None:
    """What shapes broadcast to; None where they do not, or where one is no result already."""
    given = [shape for shape in shapes if shape is not None]
    if len(given) < len(shapes):
        return None
    axes = {"axes": tuple(range(len(given[0])))} if rule == "explicit" else {}
    return of_shapes(rule, *given, **axes).result


# What every rule obeys

SOME_SHAPES: list[Shape] = [(), (1,), (2,), ("N",), (2, 1, "N"), (3, "M"), (1, 2, 3)]


@each_row("rule", RULES)
def test_a_shape_with_itself_and_with_a_scalar(rule: str) -> None:
    """A shape goes with itself, and where a scalar may stand also with that."""
    for shape in SOME_SHAPES:
        assert result(rule, shape, shape) == shape
        if rule in (*LIKE_NUMPY, *KEEP_A, "ncnn"):
            assert result(rule, shape, ()) == shape
            assert rule in KEEP_A or result(rule, (), shape) == shape
        if RULES[rule].min_operands == 1:
            assert result(rule, shape) == shape


@each_row("rule", SYMMETRIC)
def test_order(rule: str) -> None:
    """Where no operand is kept, their order changes no verdict, and no result of known sizes."""
    for question in drawn(rule, "order", NAMED, many(2_000)):
        turns = [question.with_shapes(each).answer() for each in permutations(shapes_of(question))]
        assert len({answer.ok for answer in turns}) == 1
        if not question.unknown_sizes:
            assert len({answer.result for answer in turns}) == 1


@each_row("rule", [*LIKE_NUMPY, "none", "ncnn"])
def test_groups(rule: str) -> None:
    """Three shapes may be taken in any groups, and at once where the rule takes as many.

    Under ncnn some groups do not broadcast where others do, but none has another result.
    """
    chance = Random(f"{SEED} groups {rule}")
    like = rule if rule in ("none", "ncnn") else "numpy"
    for _ in range(many(3_000)):
        sizes = NUMBERS[1 if rule == "ncnn" else 0 :]
        first, second, third = random_question(Kind(like, sizes, 4, counts=[3]), chance).shapes
        left = result(rule, result(rule, first, second), third)
        right = result(rule, first, result(rule, second, third))
        assert left == right or (rule == "ncnn" and None in (left, right))
        if RULES[rule].max_operands is None:
            assert left == result(rule, first, second, third)


# What one rule is to another


def test_like_numpy() -> None:
    """ONNX multidirectional decides as NumPy does, and so does OpenVINO's Broadcast.

    The rules that keep A say yes exactly where NumPy's result is A, from an operand of no more
    axes; ncnn decides as NumPy where ranks are equal.
    """
    for rule in (*KEEP_A, "numpy", "ncnn"):
        for question in drawn(rule, "like numpy", count=many(2_000)):
            first, second, *_ = shapes_of(question) * 2
            wanted = result("numpy", first, second)
            assert {result(each, first, second) for each in LIKE_NUMPY} == {wanted}
            kept = first if wanted == first and len(second) <= len(first) else None
            assert [result(each, first, second) for each in KEEP_A] == [kept] * 2
            if len(first) == len(second) and 0 not in (*first, *second):
                assert result("ncnn", first, second) == wanted


def test_identical_shapes_broadcast_under_every_rule() -> None:
    """What goes together where nothing stretches goes together everywhere, within ncnn's limits."""
    for question in drawn("none", "identical"):
        shapes = shapes_of(question)
        shape = result("none", *shapes)
        assert (shape is not None) is (len(set(shapes)) == 1)
        for rule in RULES if shape is not None else ():
            outside = rule == "ncnn" and shape is not None and 0 in shape
            assert result(rule, *shapes[:2]) == (None if outside else shape)


def turned(answer: Answer, flip: int) -> tuple[object, ...]:
    """What an answer says, with its axes as they are or the other way round."""
    axes = [axis[1:] for axis in answer.axes or ()]
    kinds = answer.reason and answer.reason.kind, [note.kind for note in answer.notes]
    return answer.ok, (answer.result or ())[::flip], axes[::flip], kinds


def test_ncnn() -> None:
    """The first line of its table that fits decides; numpy's order is the same, reversed."""
    for question in drawn("ncnn", "table", count=many(8_000)):
        there = question.with_options(order="ncnn").answer()
        back = question.with_shapes([shape[::-1] for shape in shapes_of(question)])
        assert turned(there, 1) == turned(back.with_options(order="numpy").answer(), -1)
        larger, smaller = sorted(shapes_of(question), key=len, reverse=True)
        if 0 in (*larger, *smaller):
            fits = False
        elif set(smaller) <= {1} or (set(larger) <= {1} and len(larger) == len(smaller)):
            fits = True
        elif len(larger) == len(smaller):
            fits = all(a == b or 1 in (a, b) for a, b in zip(larger, smaller, strict=True))
        else:
            fits = larger[-len(smaller) :] == smaller or larger[:1] == smaller
        assert there.ok is fits


def test_pdpd() -> None:
    """Trimming is letting only ones stand past A's end; axis -1 is rank(A) - rank(B) untrimmed."""
    for question in drawn("pdpd", "trim", count=many(3_000)):
        first, second = shapes_of(question)
        axis = whole(question.options.get("axis", -1))
        start = len(first) - len(second) if axis == -1 else axis
        past = (*first, *(1,) * len(second))[max(start, 0) :]
        fits = len(second) <= len(first) and start <= len(first)
        fits = fits and all(own in (1, size) for own, size in zip(second, past, strict=False))
        answer = question.answer()
        assert (answer.ok, answer.result) == (fits, first if fits else None)
    for question in drawn("pdpd", "default", NAMED):
        first, second = shapes_of(question)
        axis = len(first) - len(second)
        if axis >= 0:
            default = question.with_options(axis=-1).answer()
            same = question.with_options(axis=axis).answer()
            assert default.options == same.options == {"axis": axis}
            assert (default.ok, default.result, default.when) == (same.ok, same.result, same.when)


# Sizes that are not known


def renamed(question: Question, other: dict[str, str]) -> tuple[Answer, str | None]:
    """The answer to the question with other names, and its condition as it is to be expected."""
    answer = question.answer()
    places = [zip(each.shape, placed(each), strict=True) for each in answer.operands]
    shapes = tuple(tuple(other.get(str(name), size) for size, name in shape) for shape in places)
    when = answer.when and re.sub(
        r"[A-Za-z_]\w*(\.shape\[\d+\])?", lambda name: other.get(name[0], name[0]), answer.when
    )
    return question.with_shapes(shapes).answer(), when


@each_row("rule", RULES)
def test_renaming(rule: str) -> None:
    """Other names for the same sizes change nothing but the names, however these sort.

    A `?` is a size with a name of its own: given one, it decides what it decided before.
    """
    chance = Random(f"renaming {rule}")
    for question in drawn(rule, "renaming", (1, 2, 3, "N", "M", "K", "?")):
        answer = question.answer()
        names = chance.sample(["zeta", "M", "K", "N", "b1"], 3)
        other = dict(zip("NMK", names, strict=True))
        again, when = renamed(question, other)
        assert (again.ok, again.when) == (answer.ok, when)
        assert again.result == (
            answer.result and tuple(other.get(str(size), size) for size in answer.result)
        )
        places = [name for name in unknown(answer.operands) if "[" in name]
        again, when = renamed(question, {name: f"size_{n}" for n, name in enumerate(places)})
        assert (again.ok, again.when) == (answer.ok, when)


# The formats

STATUS = {True: 0, False: 1, None: 3}


@pytest.mark.parametrize("rule", in_turn(RULES))
def test_every_format_says_what_the_json_says(rule: str) -> None:
    """All formats tell the verdict, result and reason of the JSON, alone and in a stream.

    The signs of the table are those of its axes.
    """
    chance = Random(f"formats {rule}")
    seen = set()
    for question in drawn(rule, "formats", NAMED, many(800)):
        names = [chance.choice(("", f"x{n}=")) for n, _ in enumerate(question.operands)]
        shapes = [
            name + written(shape) for name, (_, shape) in zip(names, question.operands, strict=True)
        ]
        options = [f"--{name}={typed(value)}" for name, value in question.options.items()]
        by_format = {form: run([rule, *options, "-f", form, "--", *shapes]) for form in Format}
        answer = json.loads(by_format[Format.JSON].out)
        ok, when = answer["ok"], answer["when"]
        seen.add(ok)
        assert {ended.status for ended in by_format.values()} == {STATUS[ok]}
        shape = "" if ok is False else ",".join(map(str, answer["result"])) or "()"
        last = f"{shape} when {when}" if when else shape or f"mismatch: {answer['reason']}"
        assert by_format[Format.PLAIN].out == f"{last}\n"
        *above, below = by_format[Format.TABLE].out.splitlines()
        assert below == last
        check_signs(answer, above)
        if answer["reason_kind"] in (None, "sizes"):  # others name shapes
            result = [] if ok is False else answer["result"]
            on_page = f"({', '.join(map(str, result))}{',' * (len(result) == 1)})"
            on_slide = f"{on_page} when " if when else f"{on_page}."
            wanted = on_slide if shape else f"{last[0].upper()}{last[1:]}."
            assert wanted in html.unescape(by_format[Format.SVG].out)
        line = " ".join(shapes).encode()
        for form in (Format.PLAIN, Format.TABLE):
            in_stream = run([rule, *options, "-f", form, "-"], line)
            assert in_stream == by_format[form]._replace(err="")  # it may have a hint on braces
        ended = run([rule, *options, "--json", "-"], line)
        record = {key: value for key, value in answer.items() if key != "suggestions"}
        record["notes"] = [note for note in answer["notes"] if note["kind"] != "sizes"]
        assert json.loads(ended.out) == {**record, "line": 1}
        assert (ended.status, ended.err) == (STATUS[ok], "")
    assert seen == {True, False, None}


def check_signs(answer: dict[str, Any], table: list[str]) -> None:
    """The rows of a table that hold the result and the signs are those of the axes."""
    axes: list[dict[str, Any]] = answer["axes"] or []
    has_result = any(line.startswith("result") for line in table)
    assert not axes or has_result is (answer["ok"] is not False and answer["result"] != [])
    if not axes:
        return
    [signs] = [line for line in table if line.split()[:1] == ["stretch"]]
    conflicts = [axis["conflict"] for axis in axes]
    assert ("!" in signs) is (True in conflicts)
    assert ("?" in signs) is (None in conflicts)
    certain = [axis for axis in axes if axis["conflict"] is False]
    assert all(name in signs for axis in certain for name in axis["stretched"])
    assert answer["reason_kind"] != "sizes" or True in conflicts
