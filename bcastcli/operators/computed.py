"""The results that need no onnx: of Concat, Einsum, Reshape and Transpose.

Each function returns a result, or raises Refused where there is none, and Unknown where that is
open.
"""

from collections.abc import Callable, Mapping, Sequence
from math import prod

from bcastcli.core.amounts import elements, quotient
from bcastcli.core.shapes import UNKNOWN, Size, must_be_equal, written
from bcastcli.core.wording import MAX_COUNTS, joined_with_and
from bcastcli.operators import einsum
from bcastcli.operators.facts import Clash, Facts, Made, Refused, Unknown, numbers_in


def _concat(facts: Facts) -> Made:
    """The sizes on one axis are added, and all others are equal."""
    shapes = [facts.shape(place) for place in range(len(facts.shapes))]
    # ONNX Runtime skips empty inputs that have as many axes or more.
    first = next((shape for shape in shapes if 0 not in shape), shapes[0])
    places = [n for n, each in enumerate(shapes) if 0 not in each or len(each) < len(first)] or [0]
    by_rank = {len(shapes[place]): place for place in reversed(places)}
    by_rank.setdefault(len(first), 0)
    if len(by_rank) > 1:
        at_fault = tuple(sorted(by_rank.values()))
        text = joined_with_and([facts.has_axes(place) for place in at_fault])
        raise Refused(Clash(f"{text}, but only shapes of equal rank can be joined", None, at_fault))
    axis = facts.axis(1, len(first))
    result: list[Size] = [*first]
    required = []
    for other in range(len(first)):
        if other == axis:
            continue
        column = {place: shapes[place][other] for place in places}
        numbers = numbers_in(column)
        if len(numbers) > 1:
            at_fault = tuple(numbers.values())[:MAX_COUNTS]
            text = joined_with_and([f"{facts.names[n]} has {column[n]}" for n in at_fault])
            text += f" on axis {other}, but only axis {axis} may differ"
            raise Refused(Clash(text, other, at_fault))
        size, condition = must_be_equal(tuple(column.values()))
        result[other] = UNKNOWN if size is None else size
        required.append((condition, f"axis {other}"))
    parts = [shape[axis] for shape in shapes]
    known = [size for size in parts if isinstance(size, int)]
    if len(parts) > 1:
        result[axis] = sum(known) if len(known) == len(parts) else UNKNOWN
    return Made([result], required)


def _reshape(facts: Facts) -> Made:
    """As many elements in another shape."""
    given, target, name = facts.shape(0), facts.numbers("shape", 1), facts.names[0]
    copies = not facts.attributes.get("allowzero")
    copied = [axis for axis, size in enumerate(target) if copies and size == 0]
    _refuse_target(facts, target, copied)
    result = [given[axis] if axis in copied else size for axis, size in enumerate(target)]
    left = [*given]
    for size in result:
        if isinstance(size, str):
            left.remove(size)  # it is on both sides, so its value does not matter
    open_sizes = [size for size in left if isinstance(size, str)]
    factors = [size for size in result if isinstance(size, int) and size != -1]
    count, wanted = prod(size for size in left if isinstance(size, int)), prod(factors)
    fits = count == wanted if -1 not in target else wanted != 0 and count % wanted == 0
    if open_sizes and (-1 not in target or not fits):
        raise Unknown
    shown = written(tuple(target))
    rest = " apart from its unknown sizes" if len(left) < len(given) else ""
    have = f"{name} has {elements(count)} elements{rest}"
    if not fits and -1 in target:
        how = f": {quotient(count, factors)}" if wanted else ""
        raise Refused(Clash(f"{have}, which do not fill {shown}{how}", operands=(0,)))
    if not fits:
        text = f"{have}, but the target {shown} has {elements(wanted)}{rest}"
        raise Refused(Clash(text, operands=(0,)))
    if -1 in target:
        filled: Size = UNKNOWN if open_sizes else count // wanted
        if len(open_sizes) == 1 and count == wanted:
            filled = open_sizes[0]
        result[target.index(-1)] = filled
    return Made([result])


def _refuse_target(facts: Facts, target: Sequence[int], copied: Sequence[int]) -> None:
    """Raise Refused for a target that is none for any number of elements."""
    shown, lowest = written(tuple(target)), min(target, default=0)
    wrong = {
        f"has a size of {lowest}": lowest < -1,
        "has -1 more than once": target.count(-1) > 1,
        "has both 0 and -1, which allowzero=1 does not allow": {0, -1} <= {*target} and not copied,
    }
    for text, is_wrong in wrong.items():
        if is_wrong:
            raise Refused(Clash(f"the target {shown} {text}", operands=(1,)))
    for axis in copied:
        if axis >= len(facts.shape(0)):
            text = f"the target {shown} copies axis {axis}, which {facts.names[0]} lacks"
            raise Refused(Clash(text, axis, (0,)))


def _transpose(facts: Facts) -> Made:
    """The axes in another order, by default the reverse one."""
    shape = facts.shape(0)
    perm = facts.attributes.get("perm", range(len(shape))[::-1])
    if sorted(perm) != [*range(len(shape))]:
        text = f"{facts.has_axes(0)}, but perm is {', '.join(map(str, perm))}"
        raise Refused(Clash(text, operands=(0,)))
    return Made([[shape[axis] for axis in perm]])


COMPUTED: Mapping[str, Callable[[Facts], Made]] = {
    "Concat": _concat,
    "Einsum": einsum.made,
    "Reshape": _reshape,
    "Transpose": _transpose,
}
"""The operators whose result is computed without onnx."""
