"""Removes the batch axis for ncnn, which stores one sample in a blob."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from bcastcli.core.alignment import Layout, Operand
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Options, Rule
from bcastcli.core.shapes import UNKNOWN, Shape
from bcastcli.rules.ncnn import MAX_AXES, WITHOUT_BATCH, Ncnn

BATCH = re.compile(r"(?i)n|b|bs|\w*batch\w*")
"""The names of sizes that make axis 0 of three the batch; of four and five axes it always is."""


class NcnnWithoutBatch(Ncnn):
    """ncnn's rule on all axes but the batch, which is axis 0 of the operands with the most axes."""

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        return _layout(tuple(ranks))

    def label(self, axis: int, rank: int, options: Options, framework: str = "") -> str:
        return super().label(axis - 1, rank - 1, options) if axis else ""

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        return (each for each in super().alternatives(question) if each.setting != WITHOUT_BATCH)


def asks_ncnn(rules: Iterable[Rule]) -> bool:
    """Return whether ncnn's rule is one of the rules."""
    return any(isinstance(rule, Ncnn) for rule in rules)


def without_batch(operands: Sequence[Operand]) -> tuple[Operand, ...] | None:
    """Return operands, outermost axis first, without the batch axis; None if they lack it.

    It is axis 0 of the operands with the most axes, if they all have 1 or the same size there.
    """
    rank = max(len(shape) for _, shape in operands)
    first = [shape[0] for _, shape in operands if len(shape) == rank > 0]
    is_named = rank == MAX_AXES - 1 and any(BATCH.fullmatch(str(size)) for size in first)
    is_one_size = len({*first} - {1}) < 2 and first.count(UNKNOWN) < 2 and 0 not in first
    if not (rank in (MAX_AXES, MAX_AXES + 1) or is_named) or not is_one_size:
        return None
    return tuple(Operand(name, _bare(shape, rank)) for name, shape in operands)


def _bare(shape: Shape, rank: int) -> Shape:
    return shape[1:] if len(shape) == rank else shape


@lru_cache(maxsize=256)
def _layout(ranks: tuple[int, ...]) -> Layout:
    """Return how ncnn lines up operands without the batch; the batch stays in front."""
    rank = max(ranks)
    bare = Ncnn().align([own - (own == rank) for own in ranks], Ncnn.numpy_order_options)
    ways = []
    for way in bare.alignments:
        starts = zip(way.places, ranks, strict=True)
        places = [own + (count < rank) for own, count in starts if isinstance(own, int)]
        ways.append(way._replace(places=tuple(places)))
    return bare._replace(rank=rank, alignments=tuple(ways))
