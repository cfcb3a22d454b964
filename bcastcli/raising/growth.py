"""Whether the result of an operation is larger than its operands, though nobody wrote that."""

from functools import lru_cache
from math import prod
from typing import Any

from bcastcli.core.shapes import columns, right_aligned, stretch

Sizes = tuple[int, ...]


@lru_cache(1024)
def grown(shapes: tuple[Sizes, ...], is_all: bool, /) -> Sizes | None:
    """The shape of the result where the operands silently grew; None if they did not.

    They did if all stretch and have as many elements as each other, but the result has more. With
    `is_all` they did if the result has the shape of none of them.
    """
    operands = [tuple(shape) for shape in shapes if shape]  # one of PyTorch does not add up
    aligned = columns(operands, right_aligned(map(len, operands)))
    sizes = [stretch(column).result for column in aligned]
    result = tuple([size for size in sizes if isinstance(size, int)])
    if None in sizes or result in operands:
        return None
    counts = {prod(shape) for shape in operands}
    return result if is_all or (len(counts) == 1 and prod(result) > min(counts)) else None


def more_columns(left: Any, right: Any) -> Sizes | None:
    """The shape of a result of pandas that has more columns than either operand; else None.

    pandas aligns the labels of a Series, or another table's columns, with the columns of a table.
    """
    tables = [each for each in (left, right) if len(each.shape) == 2]
    if not tables:
        return None
    labels = [each.columns if len(each.shape) == 2 else each.index for each in (left, right)]
    together = len({label for each in labels for label in each.tolist()})
    rows = {label for each in tables for label in each.index.tolist()}
    is_larger = together > max(len(each.columns) for each in tables)
    return (len(rows), together) if is_larger else None
