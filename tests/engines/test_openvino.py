"""OpenVINO judges none, numpy, pdpd, bidirectional and explicit."""

from collections import Counter
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import pytest

from bcastcli.core.alignment import Operand
from bcastcli.core.question import Question as Asked
from bcastcli.core.shapes import Shape
from bcastcli.operators import operators, table
from bcastcli.operators.operators import OPENVINO_ALIGNS_WITH_AXIS_1
from bcastcli.rules import RULES
from bcastcli.rules.explicit import (
    OPENVINO_ALLOWS_A_SCALAR,
    OPENVINO_ALLOWS_TWICE,
    OPENVINO_REFUSES_THE_ORDER,
)
from bcastcli.rules.pdpd import (
    OPENVINO_IN_PYTHON,
    OPENVINO_REFUSES_0,
    OPENVINO_REFUSES_TO_TRIM,
    OPENVINO_SHRINKS,
)
from tests.effort import SEED
from tests.engines.judging import Said, answered, answered_unknown, engine, fresh, judge
from tests.engines.single_op import model
from tests.strategies import SIZES, Kind, Known, Question, inferred, questions

np = engine("numpy")
ov = engine("openvino")
ops = engine("openvino.opset13")
create = engine("openvino.utils.node_factory").NodeFactory("opset1").create

CORE = ov.Core()

REFUSALS = (OPENVINO_REFUSES_TO_TRIM, f"{OPENVINO_REFUSES_0}, as here")
SHRINKS = OPENVINO_SHRINKS.format(b="B", a="A")


def built(build: Callable[..., Any], question: Question) -> Known | None:
    """The shape of a node's output; None if OpenVINO refuses to build the node."""
    try:
        node = build(*(ops.parameter(shape, np.float32) for shape in question.shapes), question)
        return tuple(node.get_output_shape(0))
    except RuntimeError:
        return None


def pdpd_add(first: Any, second: Any, question: Question) -> Any:
    axis = {"auto_broadcast.auto_broadcast_axis": question.axis}
    return create("Add", [first, second], {"auto_broadcast": "pdpd", **axis})


def pdpd(question: Question) -> Known | None:
    return built(pdpd_add, question)


def pdpd_by_factory(question: Question) -> Known | None:
    return built(lambda a, b, _: ops.add(a, b, auto_broadcast="PDPD"), question)


def explicit(question: Question) -> Known | None:
    to, axes = (np.array(each, np.int64) for each in (question.shapes[1], question.axes))
    return built(lambda given, *_: ops.broadcast(given, to, axes, "EXPLICIT"), question)


def explicit_as_noted(question: Question, said: Said) -> Known | None:
    """What our answer and its notes say that OpenVINO makes of axes."""
    if {OPENVINO_ALLOWS_TWICE, OPENVINO_ALLOWS_A_SCALAR} & {*said.notes}:
        return question.shapes[1]
    return None if OPENVINO_REFUSES_THE_ORDER in said.notes else said.result


def test_axes() -> None:
    """OpenVINO's Broadcast in mode explicit gives what our answer and its notes say."""
    answers = answered(questions(inferred("explicit"), 4_000, fresh("openvino explicit")))
    judge("openvino", answers, explicit, explicit_as_noted)
    noted = {note for _, said in answers for note in said.notes if "OpenVINO" in note}
    assert noted == {OPENVINO_ALLOWS_TWICE, OPENVINO_ALLOWS_A_SCALAR, OPENVINO_REFUSES_THE_ORDER}


def deviates(said: Said) -> bool:
    """Whether a note says that this OpenVINO parts from its document."""
    return bool({*REFUSALS, SHRINKS} & {*said.notes})


def as_noted(question: Question, said: Said) -> Known | None:
    """What our answer and its notes say that OpenVINO from 2023.1 makes of pdpd."""
    is_refused = bool({*REFUSALS} & {*said.notes})
    if SHRINKS in said.notes:
        assert not said.ok
        assert not is_refused
        return tuple(0 if 0 in sizes else sizes[0] for sizes in zip(*said.laid, strict=True))
    assert said.ok or not is_refused
    return None if is_refused else said.result


def undisputed(question: Question) -> Question:
    """The question without what document and engine part over, which has the same verdict.

    To the document the ones at the end of B count for nothing, and 0 is a size like any other.
    """
    target, source = question.shapes
    start = len(target) - len(source) if question.axis == -1 else question.axis
    while source[-1:] == (1,):
        source = source[:-1]
    return Question("pdpd", (renamed(target), renamed(source)), start)


def renamed(shape: Known) -> Known:
    return tuple(size or 9_999 for size in shape)


PDPD = inferred("pdpd")


def test_pdpd() -> None:
    """OpenVINO does what our pdpd says, and parts from its document where our notes say so."""
    answers = answered(questions(PDPD, 10_000, fresh("openvino pdpd")))
    judge("openvino", answers, pdpd, as_noted)
    for question, said in answers:
        if deviates(said):
            assert pdpd(undisputed(question)) == (said.result and renamed(said.result)), question
    notes = Counter(note for _, said in answers for note in said.notes)
    assert min(notes[text] for text in REFUSALS) > 20
    assert notes[SHRINKS] > 5


def test_pdpd_of_unknown_sizes() -> None:
    """For whatever numbers, the condition is what OpenVINO says, if no note says otherwise."""
    chance = fresh("openvino pdpd unknown")
    answers = [
        (question, said)
        for question, said in answered_unknown(questions(PDPD, 2_000, chance), chance)
        if not deviates(said)
    ]
    judge("openvino", answers, pdpd)


def test_pdpd_without_an_axis() -> None:
    """Where a note says so, and only there, the Python factories take axis 0 for the default."""
    found = questions(PDPD, 6_000, fresh("openvino pdpd factory"))
    default = [question for question in found if question.axis == -1]
    from_0 = [question._replace(axis=0) for question in default]
    pairs = zip(answered(default), answered(from_0), strict=True)
    differ = 0
    for (question, said), (question_from_0, said_from_0) in pairs:
        by_factory = pdpd_by_factory(question)
        assert by_factory == pdpd(question_from_0) == as_noted(question_from_0, said_from_0)
        target, source = question.shapes
        noted = OPENVINO_IN_PYTHON in said.notes
        assert noted is (len(source) < len(target)), question.line
        differ += noted and by_factory != pdpd(question)
    assert differ > 100


@pytest.mark.parametrize("rule", ["numpy", "pdpd"])
def test_executed(rule: str) -> None:
    """A compiled Add puts the elements of B where our answer lays its axes."""
    kind = Kind(rule, sizes=SIZES[1:], most_elements=500)
    answers = answered(questions(kind, 150, fresh(f"openvino executed {rule}")))
    fitting = [(q, said) for q, said in answers if said.ok and not deviates(said)]
    assert len(fitting) > 30
    for question, said in fitting:
        one, other = (ops.parameter(shape, np.float32) for shape in question.shapes)
        node = ops.add(one, other) if rule == "numpy" else pdpd_add(one, other, question)
        arrays = [
            step * np.arange(1, prod(shape) + 1, dtype=np.float32).reshape(shape)
            for shape, step in zip(question.shapes, (1, 8192), strict=True)
        ]
        compiled = CORE.compile_model(ov.Model([node], [one, other]), "CPU")
        first, second = (a.reshape(laid) for a, laid in zip(arrays, said.laid, strict=True))
        assert np.array_equal(compiled(arrays)[0], first + second), (question.line, SEED)


PARTIAL = (1, 2, 3, 5, "?")


def partial_shape(shape: Shape) -> Any:
    """Our shape as OpenVINO's, whose sizes may be unknown."""
    return ov.PartialShape([-1 if size == "?" else int(size) for size in shape])


@pytest.mark.parametrize("rule", ["numpy", "none"])
def test_partial_shapes(rule: str) -> None:
    """OpenVINO refuses partial shapes where we say no, and else infers the sizes that we give."""
    chance = fresh(f"openvino partial {rule}")
    met: Counter[bool] = Counter()
    for _ in range(2_000):
        rank = chance.randint(1, 3)
        shapes = [
            tuple(chance.choices(PARTIAL, k=rank if rule == "none" else chance.randint(1, 3)))
            for _ in "AB"
        ]
        answer = Asked(RULES[rule], list(map(Operand, "AB", shapes))).answer()
        inputs = [ops.parameter(partial_shape(shape), np.float32) for shape in shapes]
        try:
            node = create("Add", inputs, {"auto_broadcast": rule})
            inferred_shape = node.get_output_partial_shape(0)
        except RuntimeError:
            inferred_shape = None
        met[inferred_shape is None] += 1
        expected = None if answer.result is None else partial_shape(answer.result)
        assert inferred_shape == expected, (rule, shapes, answer.result)
    assert min(met.values()) > 100, met


@pytest.mark.parametrize("opset", [7, 16])
@pytest.mark.parametrize(
    ("given", "slope"),
    [((1, 6, 2, 2), 6), ((1, 6, 6, 6), 6), ((2, 3, 4), 3), ((2, 3, 4), 4), ((1, 3, 2, 2), 5)],
)
def test_prelu(tmp_path: Path, opset: int, given: Known, slope: int) -> None:
    """A slope of one axis lies on axis 1 wherever it fits there, as the note of PRelu says."""
    path = tmp_path / "prelu.onnx"
    path.write_bytes(model("PRelu", ["float32"] * 2, [given, (slope,)], opset).SerializeToString())
    asked = operators.operator(table.version_at_or_error(table.versions_of("PRelu"), opset), opset)
    answer = asked.question([Operand("X", given), Operand("slope", (slope,))], {}).answer()
    starts = OPENVINO_ALIGNS_WITH_AXIS_1
    is_noted = any(note.text.startswith(starts) for note in answer.notes)
    try:
        compiled = CORE.compile_model(CORE.read_model(path), "CPU")
    except RuntimeError:
        assert not is_noted
        assert answer.ok is False
        return
    [output] = compiled([-np.ones(given, np.float32), np.arange(slope, dtype=np.float32)]).values()
    along = np.moveaxis(output, 1, 0)
    assert is_noted is (opset > 6 and slope == given[1])
    assert all((each == each.flat[0]).all() for each in along) is (slope == given[1])
