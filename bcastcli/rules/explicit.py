"""Broadcasting to a target shape on given axes: broadcast_in_dim of StableHLO, XLA and jax.lax."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeAlias, cast

from bcastcli.core.alignment import Alignment, Layout, Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import (
    Alternative,
    Meeting,
    MissingAxes,
    Note,
    Option,
    Options,
    Reason,
    Rule,
    Value,
    typed,
)
from bcastcli.core.shapes import Column, Shape, Verdict, second_stretches, written
from bcastcli.core.wording import axes
from bcastcli.rules.onnx_uni import kept_clash

Axes: TypeAlias = tuple[int, ...]

OPENVINO_ALLOWS_TWICE = "OpenVINO allows the same axis twice, and accepts this"
OPENVINO_ALLOWS_A_SCALAR = "OpenVINO also accepts a scalar on an axis of size 1"
JAX_RETURNS_IT = "with no axes and equal ranks, jax.lax.broadcast_in_dim returns its operand as is"
OPENVINO_REFUSES_THE_ORDER = "OpenVINO refuses axes that are not in ascending order"


class Explicit(Rule):
    name = "explicit"
    document = """
    StableHLO, XLA: you name the axis of the target for each axis of A

    An input shape, a target shape, and for each axis of the input the axis of the target that it
    goes to. These axes are distinct, and may be in any order. Each size of the input is 1 or the
    target's. The result is always the target. The elementwise operations of StableHLO and XLA
    follow the rule none. OpenVINO takes the axes in ascending order only; given no
    axes, JAX returns an input of the target's rank unchanged.

    Source: StableHLO specification 1.20, "broadcast_in_dim"; OpenVINO 2025, Broadcast-3, mode
    explicit.

    Examples:
        2,3 2,5,3 --axes 0,2  ->  2,5,3
        1,3 2,3,2 --axes 2,1  ->  2,3,2
        3 2,3 --axes 0        ->  mismatch
        N,3 2,5,3 --axes 0,2  ->  2,5,3 when N in (1, 2)
    """

    default_names = ("A", "target")
    second_is_target = True
    missing_axes: ClassVar[MissingAxes] = "none"
    compared_by_default = False
    options: ClassVar = {
        "axes": Option(
            default=None,
            help="The axes of the target that the axes of A go to, such as 0,2; or none.",
            metavar="K,...",
        )
    }

    def lacks(self, operands: Sequence[Operand], options: Options) -> str:
        (name, shape), (target, _) = operands
        if options.get("axes") is not None or not shape:
            return ""
        example = typed(tuple(range(len(shape))))
        return (
            f"explicit needs an axis of {target} for each axis of {name}: "
            f"--axes {example}, or axes={example} on a line"
        )

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        own, rank = ranks
        places = _axes(options)
        if len(places) != own:
            return Layout(rank, (), "rank")
        if len({*places}) < own or max(places, default=-1) >= rank:
            return Layout(rank, (), "fit")
        return Layout(rank, (Alignment((places, 0), _first_stretches),))

    def refuse(self, operands: Sequence[Operand], options: Options) -> str:
        (name, shape), (target, aim) = operands
        places = _axes(options)
        if len(places) != len(shape):
            given = f"{axes(len(places))} {'is' if len(places) == 1 else 'are'} given"
            return f"{name} {written(shape)} has {axes(len(shape))}, but {given}"
        for axis in places:
            if axis >= len(aim):
                end = f"past the end of {target} {written(aim)}, which has {axes(len(aim))}"
                return f"axis {axis} is {end}"
        twice = next(axis for axis in places if places.count(axis) > 1)
        return f"axis {twice} is given twice, but each axis of {name} needs its own"

    def resolve(self, ranks: Sequence[int], options: Options) -> dict[str, Value]:
        return {"axes": _axes(options)}

    def describe_alignment(self, answer: Answer) -> str:
        name, target = answer.operand_names
        places = _axes(answer.question.options)
        if not places:
            return ""
        transposed = "" if _ascend(places) else f", {name} transposed"
        which = "axis" if len(places) == 1 else "axes"
        return f"{name} is on {which} {typed(places)} of {target}{transposed}"

    def clash(self, meeting: Meeting, axis: int) -> Reason:
        return kept_clash(meeting, axis, kept=1)

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        places = _axes(answer.question.options)
        if answer.layout.refusal:
            (_, shape), (_, target) = answer.operands
            if len(places) == len(shape) and _fit(shape, target, places):
                yield Note("engine", OPENVINO_ALLOWS_TWICE)
            elif shape == () and len(places) == 1 and 1 in target[places[0] : places[0] + 1]:
                yield Note("engine", OPENVINO_ALLOWS_A_SCALAR)
            elif not places and len(shape) == len(target):
                yield Note("engine", JAX_RETURNS_IT)
        elif places:
            yield Note("axis", self.describe_alignment(answer))
            if answer.ok is not False and not _ascend(places):
                yield Note("engine", OPENVINO_REFUSES_THE_ORDER)

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import RULES, rewriting  # only where the answer is no

        if not rewriting.is_readable(question.operands):
            return
        (_, shape), (_, target) = question.operands
        for places in rewriting.places(shape, target):
            instead = question.with_options(axes=places)
            yield Alternative(instead, "rule", setting=f"--axes {typed(places)}")
        yield from rewriting.under(RULES["bidirectional"], question)


def _axes(options: Options) -> Axes:
    return cast("tuple[int, ...]", options.get("axes") or ())


def _ascend(places: Axes) -> bool:
    return list(places) == sorted(places)


def _fit(own: Shape, target: Shape, places: Axes) -> bool:
    """Whether ascending axes are within the target and have fitting sizes."""
    return _ascend(places) and all(
        axis < len(target) and size in (1, target[axis])
        for size, axis in zip(own, places, strict=True)
    )


def _first_stretches(column: Column) -> Verdict:
    """The first operand stretches to the second, which keeps its size."""
    return second_stretches(column[::-1])
