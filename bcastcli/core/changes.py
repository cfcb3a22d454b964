"""Changes to an operand that keep the meaning of its axes."""

from typing import NamedTuple

from bcastcli.core.shapes import Shape


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
    """Return the change to an operand that puts its axes in an order, without a split."""
    return Change(name, own, order, tuple([1 if i is None else own[i] for i in order]))


def transposed(name: str, own: Shape) -> Change:
    """Return the operand with its last two axes exchanged."""
    *first, row, column = range(len(own))
    return change(name, own, (*first, column, row))
