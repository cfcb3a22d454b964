"""Shapes around a message: they belong to its operands only if all its figures agree."""

from collections.abc import Callable

from bcastcli.core.alignment import letters
from bcastcli.core.answer import Answer
from bcastcli.rules import USUAL
from bcastcli.why.messages import Reading
from bcastcli.why.messages.reading import MATMUL


def with_shapes_beside(reading: Reading, ask: Callable[[Reading], Answer | None]) -> Reading:
    """Return a reading with the shapes that stand around its message, if these agree with it."""
    beside = reading.beside
    if beside is None or reading.shapes is not None:
        return reading
    names = reading.names or letters(len(beside.shapes))
    given = reading
    if reading.rule == MATMUL and names[0] == "operand 1":  # shown in reverse order
        names = names[::-1]
        own = reading.origin and reading.origin.names
        if reading.origin and own:
            given = given._replace(origin=reading.origin._replace(names=own[::-1]))
    if len(names) != len(beside.shapes):
        return reading
    caveats = (*reading.caveats, f"shapes from {beside.where}")
    given = given._replace(caveats=caveats, axes=beside.axes)
    for shapes in (beside.shapes, beside.shapes[::-1]):
        asked = given.named(*names, shapes=shapes)
        answer = ask(asked)
        if answer and _agrees(reading, answer):
            return asked
        if reading.rule == "explicit" or not reading.sizes:
            break  # their order is that of the operation
    return reading


def _agrees(reading: Reading, answer: Answer) -> bool:
    """Return whether all figures of a message are those of an answer."""
    told = dict(zip(reading.names, reading.sizes or (), strict=False))
    product = answer.question.contraction
    if answer.ok or answer.axes is None:
        return False
    if product is not None:
        return dict(zip(answer.operand_names, product.sizes, strict=True)) == told
    clashing = [axis for axis in answer.axes if axis.conflict is not False]
    if not told:
        return any(axis.conflict for axis in clashing)
    fitting = [
        axis
        for axis in clashing
        if dict(zip(answer.operand_names, axis.sizes, strict=True)) == told
    ]
    if reading.axis is None:
        return bool(fitting)
    beyond = any(axis.conflict and axis.number > reading.axis for axis in clashing)
    is_there = reading.axis in [axis.number for axis in fitting]
    return is_there and not (beyond and is_rightmost(reading))


def is_rightmost(reading: Reading) -> bool:
    """Return whether the axis is known to be the rightmost one that clashes."""
    return "torch" in reading.framework and reading.rule == USUAL
