"""The questions put to the engines are worth asking."""

from collections import Counter
from collections.abc import Iterator

import pytest

from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests.effort import SEED, slow
from tests.engines.judging import fresh
from tests.engines.questions import NCNN, Kind, Question, questions


def one_step_away(question: Question) -> Iterator[Question]:
    """The question with one size, one axis or the place of B changed."""
    shapes, axis = question.shapes, question.axis
    sizes = {1, *(size for shape in shapes for size in shape)}
    sizes.add(max(sizes) + 1)
    if axis is not None:
        yield question._replace(axis=axis + 1)
    for number, shape in enumerate(shapes):
        changed = [shape[:i] + shape[i + 1 :] for i in range(len(shape))]
        changed += [(*shape[:i], s, *shape[i + 1 :]) for i in range(len(shape)) for s in sizes]
        changed += [(*shape[:i], s, *shape[i:]) for i in range(len(shape) + 1) for s in sizes]
        for other in changed:
            yield question._replace(shapes=(*shapes[:number], other, *shapes[number + 1 :]))


def broadcasts(question: Question) -> bool:
    return bool(answer_line(RULES[question.rule], question.line, {}).ok)


@slow
@pytest.mark.parametrize("rule", RULES)
def test_near_the_line(rule: str) -> None:
    """Three of four questions at least are one step from the other verdict, and both are common."""
    asked = questions(NCNN if rule == "ncnn" else Kind(rule), 400, fresh(f"near {rule}"))
    verdicts = Counter(map(broadcasts, asked))
    near = sum(
        any(broadcasts(other) is not broadcasts(question) for other in one_step_away(question))
        for question in asked
    )
    assert near >= 0.75 * len(asked), f"{near} of {len(asked)}, BCASTCLI_SEED={SEED}"
    assert min(verdicts[True], verdicts[False]) > len(asked) / 6, (verdicts, SEED)
