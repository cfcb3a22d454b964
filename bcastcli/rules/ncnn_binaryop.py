"""The rule of ncnn's BinaryOp broadcasting table."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from bcastcli.answers import Answer, Axis, Note, Options, Placement, Plan, Reason, Rule
from bcastcli.rules.wording import clashing, plural
from bcastcli.shapes import CLASH, Column, Shape, Verdict, columns, ones, stretch, whole, written

MOST_AXES = 4
LABELS = ((), ("w",), ("w", "h"), ("w", "h", "c"), ("w", "h", "d", "c"))


class Ncnn(Rule):
    """ncnn BinaryOp: w first, the smaller one on the last axes

    Two shapes of at most 4 axes, innermost first: w, then h, d and c; --order numpy reads and
    writes them outermost first. In either order of operands, the first line that fits decides.

    1. one operand is a scalar or has only ones, and no more axes: the result is the other one;
    2. equally many axes: on each, the sizes are equal or one of them is 1;
    3. inner: the smaller operand equals the last sizes of the larger one;
    4. outer: the smaller operand has one axis, of the larger one's first size, w.

    Source: ncnn, BinaryOp, "broadcasting rule".

    Examples:
        2,3,4 3,4   ->  2,3,4
        2,3 2       ->  2,3
        2,1 1,3     ->  2,3
        2,1 3       ->  mismatch
        2,3,4 2,3   ->  mismatch
        2,N 2       ->  2,N
    """

    name = "ncnn"
    options = ("order",)
    frameworks = ("binaryop", "pnnx")

    def lay(self, ranks: Sequence[int], options: Options) -> Plan:
        rank = max(ranks)
        refusal = "limit" if rank > MOST_AXES else None
        if ranks[0] == ranks[1]:
            return Plan(rank, (Placement((0, 0), _nonempty(stretch)),), refusal)
        larger = ranks.index(rank)
        lead = tuple(rank - own for own in ranks)
        inner, outer = ((0, 0), lead) if _outermost_first(options) else (lead, (0, 0))
        equal = _nonempty(partial(whole, kept=larger))
        one = _nonempty(partial(ones, kept=larger))
        placements = [Placement(inner, equal), Placement(inner, one)]
        if min(ranks) == 1:
            placements.append(Placement(outer, equal))
        return Plan(rank, tuple(placements), refusal)

    def resolve(self, ranks: Sequence[int], options: Options) -> dict[str, int | str]:
        return {"order": options.get("order", "ncnn")}

    def label(self, axis: int, rank: int, options: Options) -> str:
        if rank > MOST_AXES:
            return ""
        labels = LABELS[rank]
        return labels[::-1][axis] if _outermost_first(options) else labels[axis]

    def refuse(self, answer: Answer) -> str:
        name, shape = max(answer.operands, key=lambda operand: len(operand.shape))
        return f"{name} has {plural(len(shape), 'axis')}, and ncnn has at most {MOST_AXES}"

    def clash(self, answer: Answer, axis: Axis) -> Reason:
        for empty in reversed(answer.axes or ()):
            if 0 in empty.sizes:
                name = answer.operands[empty.sizes.index(0)].name
                where = answer.spell(empty.number)
                return Reason("limit", f"{name} has 0 on {where}, and ncnn has no empty axes")
        equal_ranks = answer.ranks[0] == answer.ranks[1]
        who, _, _ = clashing(answer.operands, axis, besides=1 if equal_ranks else None)
        where = answer.spell(axis.number)
        if equal_ranks:
            return Reason("sizes", f"{who} on {where}, and neither is 1")
        larger, smaller = sorted(answer.operands, key=lambda operand: -len(operand.shape))
        why = f"and {smaller.name} must equal {larger.name} there"
        if len(smaller.shape) == 1:
            w = larger.shape[-1 if _outermost_first(answer.given) else 0]
            why += f", or its w, {w}"
        return Reason("sizes", f"{who} on {where}, {why}")

    def notes(self, answer: Answer) -> Iterator[Note]:
        if answer.ok is not False or answer.reason is None or answer.reason.kind == "limit":
            return
        yield Note("engine", "ncnn itself reports no mismatch: it returns 0, and garbage")
        explicit = _engine_takes(answer)
        if explicit is not None:
            name, shape = explicit
            yield Note(
                "engine",
                f"ncnn's CPU engine takes {name} as {shape} and accepts it, its Vulkan engine does "
                f"not: write {shape}",
            )


def _engine_takes(answer: Answer) -> tuple[str, str] | None:
    """The smaller operand's name, and the shape the CPU engine makes of it if it accepts that."""
    if answer.ranks[0] == answer.ranks[1] or answer.names:
        return None
    outermost_first = _outermost_first(answer.given)
    larger, smaller = sorted(answer.operands, key=lambda operand: -len(operand.shape))
    whole_shape, shape = (
        operand.shape[::-1] if outermost_first else operand.shape for operand in (larger, smaller)
    )
    missing = (1,) * (len(whole_shape) - len(shape))
    fills_last = len(shape) > 1 or shape[-1] == whole_shape[-1]
    explicit: Shape = missing + shape if fills_last else shape + missing
    if any(stretch(column) == CLASH for column in columns([whole_shape, explicit], (0, 0))):
        return None
    return smaller.name, written(explicit[::-1] if outermost_first else explicit)


def _nonempty(decide: Callable[[Column], Verdict]) -> Callable[[Column], Verdict]:
    """The same decision where no size may be 0, which ncnn has not."""

    def decide_nonempty(column: Column) -> Verdict:
        return CLASH if 0 in column else decide(column)

    return decide_nonempty


def _outermost_first(options: Options) -> bool:
    return options.get("order") == "numpy"
