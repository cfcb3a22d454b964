"""Why shapes cannot be the inputs of an operator.

Models, error messages and failing programs get their sentences here, in the same words.
"""

from collections.abc import Iterator

from bcastcli.operators.equations import CHECKED, clashes
from bcastcli.operators.facts import Clash, Facts
from bcastcli.operators.questions import ATTRIBUTES, answer, of_node
from bcastcli.operators.table import signatures, table


def fits(facts: Facts) -> Iterator[Clash]:
    """Why the shapes of an operator's inputs are impossible; nothing if no reason is known.

    >>> [clash.text for clash in fits(Facts("Concat", [(8, 17), (4, 9)], {"axis": 1}))]
    ['A has 8 and B has 4 on axis 0, but only axis 1 may differ']
    >>> [clash.text for clash in fits(Facts("Reshape", [(6, 7)], {"shape": [4, -1]}, ["x"]))]
    ['x has 42 elements, which do not fill 4,-1: 42 / 4 is 10.5']
    """
    if facts.operator in CHECKED:
        yield from clashes(facts)
    if facts.operator in table() and facts.operator not in signatures():
        yield from _by_rule(facts)


def _by_rule(facts: Facts) -> Iterator[Clash]:
    """Why the inputs of an operator that broadcasts do not."""
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
