"""Operands on axes: their names, the alignments that a rule tries, and the aligned axes.

Axes are numbered in the order in which the shapes are typed: outermost first, except under ncnn's
own order, which is innermost first.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

from bcastcli.core.conditions import Condition
from bcastcli.core.shapes import (
    UNKNOWN,
    Column,
    Places,
    Shape,
    Size,
    Verdict,
    axes_of,
    cached_by_column,
    columns,
    columns_without_gaps,
    names_in,
)

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""As in `string`, which takes longer to load than most modules here."""
MAX_PADDED = 8
"""Up to this many operands are padded to the same rank, which is fastest for a few."""


class Operand(NamedTuple):
    """A shape as it was typed, and its name."""

    name: str
    shape: Shape


class Alignment(NamedTuple):
    """One way to align operands, and the rule for the sizes that meet."""

    places: tuple[Places, ...]
    """For each operand, the aligned axes that its own ones are on."""
    combine: Callable[[Column], Verdict]
    """The verdict of the sizes on one aligned axis."""
    skips_missing: bool = False
    """Whether `combine` needs no entries for operands that lack the axis."""
    name: str = ""
    """The rule's own name for it, if the rule tries several: "inner", "outer"."""


class Layout(NamedTuple):
    """The ways in which a rule aligns operands of given ranks."""

    rank: int
    """The rank of the result."""
    alignments: tuple[Alignment, ...]
    """In the order in which they are tried: the first that fits decides. Empty if refused operands
    cannot be aligned."""
    refusal: str = ""
    """The kind of the reason that the operands never broadcast, whatever their sizes: "rank", "fit"
    or "limit"; empty if they may."""
    gap_before: int | None = None
    """The number of the first axis beyond the result, where a gap separates it from the others."""
    shown_on_mismatch: int = 0
    """The number of the alignment to show on a mismatch."""


class Axis(NamedTuple):
    """One aligned axis of an answer."""

    number: int
    label: str
    """The framework's own name of the axis, such as `w`; empty for most rules."""
    sizes: tuple[Size | None, ...]
    """As typed, one for each operand; None if an operand lacks the axis."""
    result: Size | None
    """The result's size; None if the sizes clash or the axis is beyond the result."""
    stretched: tuple[str, ...]
    """The names of the operands that stretch."""
    conflict: bool | None
    """Whether the sizes clash; None: it depends on the unknown sizes.

    If the ranks alone make it a mismatch, an axis of matching sizes has neither clash nor result.
    """


class Contraction(NamedTuple):
    """The axis K over which a matrix product sums, which the result lacks."""

    names: tuple[str, ...]
    """The factors' names, with .T where one is transposed."""
    rows: tuple[tuple[Size | None, ...], ...]
    """For each factor its sizes on the axes of the result; None if it lacks the axis."""
    sizes: tuple[Size, ...]
    """The factors' sizes on K, as typed."""
    before_axis: int
    """The number of the result's axis before which a table shows it."""
    labels: tuple[str, ...]
    """The names of the result's last axes: M and N, or the one that remains."""
    conflict: bool | None
    """Whether the sizes on K differ; None: it depends on the unknown sizes."""


class Aligned(NamedTuple):
    """Operands in one alignment, with the verdict of each axis."""

    alignment: Alignment
    shapes: tuple[Shape, ...]
    columns: list[Column]
    """The sizes that meet on each axis; of many operands only those that have the axis."""
    verdicts: list[Verdict]
    condition: Condition
    """The condition of all axes together."""

    @property
    def clashing(self) -> list[int]:
        """The axes on which sizes clash, whatever the unknown ones are."""
        return [axis for axis, each in enumerate(self.verdicts) if () in each.condition]

    def column(self, axis: int) -> Column:
        """The sizes on an axis, one entry for each operand."""
        column = self.columns[axis]
        if len(column) == len(self.shapes):
            return column
        laid = zip(self.shapes, self.alignment.places, strict=True)
        return tuple([_size_on(axis, shape, axes_of(len(shape), own)) for shape, own in laid])


def _size_on(axis: int, shape: Shape, axes: Sequence[int]) -> Size | None:
    return shape[axes.index(axis)] if axis in axes else None


def align(alignment: Alignment, shapes: tuple[Shape, ...]) -> Aligned:
    """The shapes in an alignment, each axis with its verdict."""
    # With many operands, the missing axes may outnumber all sizes by far.
    if len(shapes) > MAX_PADDED and alignment.skips_missing:
        aligned = columns_without_gaps(shapes, alignment.places)
    else:
        aligned = columns(shapes, alignment.places)
    verdicts = list(map(alignment.combine, aligned))
    condition = [clause for verdict in verdicts for clause in verdict.condition]
    return Aligned(alignment, shapes, aligned, verdicts, tuple(condition))


@cached_by_column
def axis_of(
    column: Column,
    names: tuple[str, ...],
    verdict: Verdict,
    size: Size,
    number: int,
    rank: int,
    label: str,
    refused: bool,
) -> Axis:
    """The axis for a column and its verdict.

    `size` is the result's, `rank` the rank of the result, and `refused` is whether the layout
    refuses the operands whatever their sizes.
    """
    clashes = () in verdict.condition or (refused and verdict.result is None)
    counts = number < rank and not clashes and not refused
    stretched = (
        name
        for name, own in zip(names, column, strict=True)
        if counts and size != 1 and own in (1, None)
    )
    return Axis(
        number,
        label,
        tuple([UNKNOWN if is_placeholder(own) else own for own in column]),
        size if counts else None,
        tuple(stretched),
        None if verdict.condition and not clashes and not refused else clashes,
    )


def name_unknowns(name: str, shape: Shape) -> Shape:
    """The shape with each unnamed size replaced by a placeholder.

    >>> name_unknowns("A", (2, "?"))
    (2, 'A.shape[1]')
    """
    if UNKNOWN not in shape:
        return shape
    return tuple(
        [placeholder(name, axis) if size == UNKNOWN else size for axis, size in enumerate(shape)]
    )


def placeholder(name: str, axis: int) -> str:
    """The placeholder of an operand's unnamed size, as Python writes it: `A.shape[1]`."""
    return f"{name}.shape[{axis}]"


def is_placeholder(size: Size | None) -> bool:
    """Whether a size is the placeholder of an unnamed one, such as `A.shape[1]`."""
    return isinstance(size, str) and size.endswith("]")


def automatic_names(
    shapes: Sequence[Shape], defaults: Sequence[str] = (), typed: Sequence[str | None] = ()
) -> list[str]:
    """A name for each shape: the typed one, or one of `defaults`, then A, B, C and so on.

    If one of these is also the name of a size or of another operand, all automatic names are X, Y,
    Z instead, or else in1, in2 and so on. Raises ValueError if `typed` has another length.
    """
    typed = typed or (None,) * len(shapes)
    if len(typed) != len(shapes):
        raise ValueError("every shape has a name, or None")
    usual = [*defaults, *letters(len(shapes))[len(defaults) :]]
    taken = {*names_in(shapes), *typed}
    schemes = [usual, ["X", "Y", "Z"]] if len(shapes) <= len("XYZ") else [usual]
    for scheme in (*schemes, [f"in{number + 1}" for number, _ in enumerate(shapes)]):
        chosen = [name for name, own in zip(scheme, typed, strict=False) if own is None]
        if taken.isdisjoint(chosen):
            break
    while not taken.isdisjoint(chosen):
        chosen = [f"{name}_" for name in chosen]
    default_names = iter(chosen)
    return [next(default_names) if own is None else own for own in typed]


def letters(count: int) -> tuple[str, ...]:
    """Automatic names for this many operands: A to Z, then AA, AB and so on.

    >>> letters(27)[24:]
    ('Y', 'Z', 'AA')
    """
    names: list[str] = []
    for length in range(1, count + 1):
        for letters_of_one in product(_LETTERS, repeat=length):
            if len(names) == count:
                return tuple(names)
            names.append("".join(letters_of_one))
    return tuple(names)


class Change(NamedTuple):
    """An operand with its own axes in other places, outermost first."""

    name: str
    own: Shape
    """The shape before."""
    order: tuple[int | None, ...]
    """For each new axis the own one there, None for a new axis of size 1. A repeated own axis
    is split into neighbours; a missing one has size 1 and is dropped."""
    shape: Shape
    """The shape with its axes in this order."""
    wide: Shape | None = None
    """The shape to which it is then stretched explicitly, if at all."""

    @property
    def kept(self) -> list[int]:
        """The own axes that are kept, in their new order."""
        return [axis for axis in self.order if axis is not None]

    @property
    def dropped(self) -> list[int]:
        """The own axes that are dropped."""
        return [axis for axis in range(len(self.own)) if axis not in self.order]

    @property
    def added(self) -> list[int]:
        """The places of the new axes."""
        return [place for place, axis in enumerate(self.order) if axis is None]

    @property
    def splits(self) -> bool:
        """Whether an axis is split into several."""
        return len({*self.kept}) < len(self.kept)

    @property
    def kind(self) -> str:
        """The kind of the change: "split", "permute", "drop", "insert" or "stretch"."""
        if self.splits:
            return "split"
        if self.kept != sorted(self.kept):
            return "permute"
        return "drop" if self.dropped else "insert" if self.added else "stretch"


def change(name: str, own: Shape, order: tuple[int | None, ...]) -> Change:
    """The change to an operand that puts its axes in an order, without a split."""
    return Change(name, own, order, tuple([1 if i is None else own[i] for i in order]))


def transposed(name: str, own: Shape) -> Change:
    """The operand with its last two axes exchanged."""
    *first, row, column = range(len(own))
    return change(name, own, (*first, column, row))
