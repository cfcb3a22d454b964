"""Why shapes cannot be the inputs of an operator.

Models, error messages and failing programs get their sentences here, in the same words.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bcastcli.operators.equations import CHECKED, clashes
from bcastcli.operators.facts import Clash, Dims, Facts
from bcastcli.operators.questions import ATTRIBUTES, answer, of_node
from bcastcli.operators.table import MAX_OPSET, signatures, table

__all__ = ["CHECKED", "Clash", "fits"]


def fits(
    operator: str,
    shapes: Sequence[Dims | None],
    attributes: Mapping[str, Any] | None = None,
    values: Sequence[Any] = (),
    names: Sequence[str] = (),
    opset: int = MAX_OPSET,
    outputs: int = 0,
    *,
    by_rule: bool = True,
) -> Iterator[Clash]:
    """Yield why the shapes of an operator's inputs are impossible; nothing if no reason is known.

    `operator` and `attributes` have ONNX's names; an input that is a shape, axes or other such
    integers may be an attribute too, as it was in old opsets. `values` are the integers of inputs,
    as lists, or None. An empty name means that an optional input is left out. `outputs` is the
    number of outputs, if known. Without `by_rule` the rule of an operator that broadcasts is
    skipped.

    >>> [clash.text for clash in fits("Concat", [(8, 17), (4, 9)], {"axis": 1})]
    ['A has 8 and B has 4 on axis 0, and only axis 1 may differ']
    >>> [clash.text for clash in fits("Reshape", [(6, 7)], {"shape": [4, -1]}, names=["x"])]
    ['x has 42 elements, and these do not fill 4,-1: 42 / 4 is 10.5']
    """
    rows = [None if each is None else _row(each) for each in values]
    facts = Facts(operator, opset, names, shapes, rows, attributes or {}, outputs)
    if operator in CHECKED:
        yield from clashes(facts)
    if by_rule and operator in table() and operator not in signatures():
        yield from _by_rule(facts)


def _row(values: Any) -> list[int]:
    """Return the numbers of a nested list in one row."""
    if isinstance(values, Sequence):
        return [number for each in values for number in _row(each)]
    return [int(values)]


def _by_rule(facts: Facts) -> Iterator[Clash]:
    """Yield why the inputs of an operator that broadcasts do not."""
    shapes = [None if shape is None else tuple(shape) for shape in facts.shapes]
    options = {ATTRIBUTES.get(name, name): value for name, value in facts.attributes.items()}
    names = facts.names if len(facts.names) == len(shapes) else ()
    try:
        found = answer(of_node(facts.operator, shapes, options, facts.opset, names))
    except (TypeError, ValueError):  # the operator lacks such inputs or attributes
        return
    if found.ok is False and found.reason:
        axes = [axis.number for axis in found.axes or () if axis.conflict]
        axis = axes[-1] if axes and found.reason.kind == "sizes" else None
        yield Clash(found.reason.text, axis, tuple(range(len(shapes))))
