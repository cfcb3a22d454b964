"""The rule None of OpenVINO's "Broadcast Rules For Elementwise Operations"."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bcastcli.core.answer import (
    Alignment,
    Alternative,
    Answer,
    Axis,
    Layout,
    Options,
    Reason,
    Rule,
)
from bcastcli.core.shapes import right_aligned, same, written
from bcastcli.core.wording import axes, clashing, have, listed
from bcastcli.rules.numpy import NumPy
from bcastcli.rules.onnx_uni import under

if TYPE_CHECKING:
    from bcastcli.rules import rewriting

_MAX_REWRITTEN = 4


class Identical(Rule):
    """OpenVINO None: identical shapes, nothing stretches

    Two or more shapes of the same rank with the same sizes. Scalars are no exception: a scalar and
    a shape of one element do not go together.

    Source: OpenVINO, "Broadcast Rules For Elementwise Operations", None.

    Examples:
        2,3 2,3   ->  2,3
        2,3 1     ->  mismatch
        scalar 1  ->  mismatch
        N,3 2,3   ->  2,3 when N == 2
    """

    name = "none"
    max_operands = None
    axis_by_axis = True

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        refusal = "rank" if len(set(ranks)) > 1 else None
        return Layout(max(ranks), (Alignment(right_aligned(ranks), same),), refusal)

    def refuse(self, answer: Answer) -> str:
        having: dict[int, list[str]] = {}
        for name, shape in answer.operands:
            having.setdefault(len(shape), []).append(f"{name} {written(shape)}")
        parts = [f"{have(names)} {axes(rank)}" for rank, names in having.items()]
        return f"{listed(parts)}, and nothing stretches"

    def clash(self, answer: Answer, axis: Axis) -> Reason:
        sides, rest, _ = clashing(axis.sizes, answer.operand_names)
        return Reason(
            "sizes", f"{sides} on {answer.spell(axis.number)}, and nothing stretches{rest}"
        )

    def alternatives(self, answer: Answer) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        if len(answer.operands) > _MAX_REWRITTEN or not rewriting.legible(answer.operands):
            return
        numpy = Answer(NumPy(), answer.operands, {})
        as_they_are: list[rewriting.Changes] = [{}]
        rewritten = rewriting.changes(numpy, range(len(answer.operands)))
        # Where every operand stretches, that is hardly what was meant.
        for changed in as_they_are if numpy.ok and not numpy.all_stretch else rewritten:
            asked = Answer(numpy.rule, rewriting.replaced(numpy, changed).operands, {})
            if asked.ok and not (changed and asked.all_stretch):
                yield rewriting.replaced(answer, _spread(asked, changed))
        yield under(numpy.rule, answer)


def _spread(asked: Answer, changed: "rewriting.Changes") -> "rewriting.Changes":
    """The changes to operands, and what gives each of them the shape that they broadcast to."""
    from bcastcli.rules import rewriting  # only where the answer is no

    aim = asked.result or ()
    sizes = f"{aim[0]}," if len(aim) == 1 else ", ".join(map(str, aim))
    spread = {}
    for number, (name, shape) in enumerate(asked.operands):
        if shape != aim:
            write = changed[number].write if number in changed else name
            text = f"numpy.broadcast_to({write}, ({sizes}))"
            spread[number] = rewriting.Rewritten(text, aim)
    return {**changed, **spread}
