"""The laws that hold for everything that is suggested, whatever the rule and the shapes."""

from itertools import combinations
from math import prod

import numpy
import numpy.typing

from bcastcli.advice.dialects import in_words_of
from bcastcli.advice.lines import advise
from bcastcli.core.alignment import Change
from bcastcli.core.answer import Answer
from bcastcli.core.question import MAX_SUGGESTIONS, SURE, Suggestion
from bcastcli.reports.numpy_code import NUMPY

Array = numpy.typing.NDArray[numpy.int_]


def obeys(answer: Answer) -> tuple[Suggestion, ...]:
    """Check all laws on an answer, and return its lines of advice."""
    lines, note = advise(answer)
    suggestions = answer.suggestions
    assert len(lines) <= MAX_SUGGESTIONS
    assert len({(line.write, line.changed) for line in lines}) == len(lines), lines
    if answer.reason and answer.reason.kind == "sizes":
        assert lines or note, answer.operands
    assert answer.ok is not True or answer.is_square or not lines
    for each in suggestions:
        asked = each.answer.question
        again = type(asked).answer(asked)
        assert (again.ok, again.result) == (True, each.answer.result)
        assert answer.ok is False or (each.kind in SURE and not each.setting)
        _keeps_one(answer, each)
        for changed in each.changes:
            _keeps_every_axis(changed)
            if not answer.question.is_derived:
                _keeps_every_element(changed)
    return lines


def _keeps_one(answer: Answer, each: Suggestion) -> None:
    """The result has the shape of an operand, but for the three exceptions."""
    result = each.answer.result
    shapes = [shape for _, shape in (*answer.question.inputs, *each.changed)]
    if answer.question.is_derived or result in shapes:
        return
    # Where all ranks must be equal, leading axes give what NumPy gives.
    if answer.rule.name == "same-rank" and result == answer.question.under(NUMPY).answer().result:
        return
    if each.kind == "pairs":
        assert len(answer.suggestions) == 1
        assert len(result or ()) == max(map(len, shapes))
        return
    # A size is on an axis where another operand has 1, and another one meets its equal.
    assert each.kind in ("insert", "drop", "permute", "split"), (answer.operands, each)
    names = {operand.name for operand in each.changed}
    columns = [axis.sizes for axis in each.answer.axes or ()]
    own = [n for n, name in enumerate(each.answer.operand_names) if name in names]
    assert any(
        column[n] not in (1, None) and column.count(column[n]) > 1
        for column in columns
        for n in own
    ), (answer.operands, each)


def _keeps_every_axis(changed: Change) -> None:
    """No axis other than 1 is lost or merged, and equal sizes keep their order."""
    _, own, order, shape, _ = changed
    for axis, size in enumerate(own):
        parts = [shape[place] for place, there in enumerate(order) if there == axis]
        if not parts:
            assert size == 1, changed
        elif len(parts) == 1:
            assert parts == [size], changed
        else:
            assert prod(map(int, parts)) == size, changed
            assert 1 not in parts
    assert all(shape[place] == 1 for place in changed.added)
    firsts = list(dict.fromkeys(changed.kept))
    for one, other in combinations(firsts, 2):
        assert own[one] != own[other] or own[one] == 1 or one < other, changed
    assert len(order) == len(shape)


def _keeps_every_element(changed: Change) -> None:
    """NumPy's code, executed, has each element where its axes say."""
    if any(isinstance(size, str) for size in (*changed.own, *(changed.wide or ()))):
        return
    sizes = [int(size) for size in changed.own]
    if prod(sizes) > 10_000:
        return
    [text] = in_words_of("numpy", [[changed]])
    array = numpy.arange(prod(sizes)).reshape(sizes)
    made: Array = eval(text, {"numpy": numpy}, {changed.name: array})
    assert numpy.array_equal(made, moved(array, changed)), text


def moved(array: Array, changed: Change) -> Array:
    """An array with its elements where the axes of a change say."""
    firsts = list(dict.fromkeys(changed.kept))
    order = [*firsts, *changed.dropped]
    result = array.transpose(order).reshape([int(size) for size in changed.shape])
    wide = changed.wide
    return result if wide is None else numpy.broadcast_to(result, [int(size) for size in wide])
