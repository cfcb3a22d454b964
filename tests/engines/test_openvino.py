"""OpenVINO judges none, numpy, pdpd and bidirectional."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.engines.judging import (
    Said,
    answered,
    answered_unknown,
    engine,
    fresh,
    judge,
)
from tests.engines.questions import LARGE, SIZES, Kind, Known, Question, questions

np = engine("numpy")
ov = engine("openvino")
ops = engine("openvino.opset13")
create = engine("openvino.utils.node_factory").NodeFactory("opset1").create


def parameter(shape: Known) -> Any:
    return ops.parameter(shape, np.float32)


def inferred(build: Callable[[], Any]) -> Known | None:
    """The output's shape of a node; None if OpenVINO refuses to build it."""
    try:
        return tuple(build().get_output_shape(0))
    except RuntimeError:
        return None


def add(question: Question, **attributes: Any) -> Known | None:
    return inferred(lambda: create("Add", [*map(parameter, question.shapes)], attributes))


def pdpd_add(a: Any, b: Any, axis: int) -> Any:
    attributes = {"auto_broadcast": "pdpd", "auto_broadcast.auto_broadcast_axis": axis}
    return create("Add", [a, b], attributes)


def pdpd(question: Question) -> Known | None:
    assert question.axis is not None
    return inferred(lambda: pdpd_add(*map(parameter, question.shapes), question.axis))


def bidirectional(question: Question) -> Known | None:
    given, target = question.shapes
    to = np.array(target, np.int64)
    return inferred(lambda: ops.broadcast(parameter(given), to, broadcast_spec="BIDIRECTIONAL"))


def pdpd_by_factory(question: Question) -> Known | None:
    return inferred(
        lambda: ops.add(*map(parameter, question.shapes), auto_broadcast="PDPD")
    )


HUGE = 10**18
JUDGES = {
    "none": (Kind("none", LARGE, most_elements=HUGE), partial(add, auto_broadcast="none")),
    "numpy": (Kind("numpy", LARGE, most_elements=HUGE), partial(add, auto_broadcast="numpy")),
    "bidirectional": (Kind("bidirectional", LARGE, most_elements=HUGE), bidirectional),
}


@pytest.mark.parametrize("rule", JUDGES)
def test_known_sizes(rule: str) -> None:
    """OpenVINO takes what we say that broadcasts, and infers what we say."""
    kind, says = JUDGES[rule]
    judge("openvino", answered(questions(kind, 4_000, fresh(f"openvino {rule}"))), says)


def deviating(question: Question, said: Said) -> Known | None:
    """What our answer and its notes say that OpenVINO from 2023.1 makes of pdpd."""
    notes = [note.partition("OpenVINO from 2023.1 ")[2] for note in said.notes]
    refuses = {"does not trim, and refuses this", "refuses a 1 that meets a 0, as here"}
    shrinks = "lets a 0 of B shrink a 1 of A, and accepts this"
    assert not said.ok or shrinks not in notes
    if shrinks in notes:
        assert not refuses & {*notes}
        return tuple(0 if 0 in sizes else sizes[0] for sizes in said.sizes)
    assert said.ok or not refuses & {*notes}
    return None if refuses & {*notes} else said.result


PDPD = Kind("pdpd", LARGE, most_elements=HUGE)


def test_pdpd() -> None:
    """OpenVINO does what our pdpd says, and parts from its document where our notes say so."""
    answers = answered(questions(PDPD, 10_000, fresh("openvino pdpd")))
    judge("openvino", answers, pdpd, deviating)
    notes = Counter(note for _, said in answers for note in said.notes)
    assert notes["OpenVINO from 2023.1 does not trim, and refuses this"] > 20
    assert notes["OpenVINO from 2023.1 refuses a 1 that meets a 0, as here"] > 20
    assert notes["OpenVINO from 2023.1 lets a 0 of B shrink a 1 of A, and accepts this"] > 5


def test_pdpd_of_unknown_sizes() -> None:
    """For whatever numbers, the condition is what OpenVINO says, if no note says otherwise."""
    chance = fresh("openvino pdpd unknown")
    answers = [
        (question, said)
        for question, said in answered_unknown(questions(PDPD, 2_000, chance), chance)
        if not any("from 2023.1" in note for note in said.notes)
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
        assert by_factory == pdpd(question_from_0) == deviating(question_from_0, said_from_0)
        noted = any("factories" in note for note in said.notes)
        target, source = question.shapes
        assert noted is (len(source) < len(target) ...)
        differ += by_factory != pdpd(question)
        assert noted or by_factory == pdpd(question)
