"""Random questions to Attention: heads, lengths, and masks of one to four axes, near yes and no."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from tests.strategies import Known


class Asked(NamedTuple):
    """The shapes of Q, K and V, then of a mask, of past_key and past_value, or of all three."""

    shapes: tuple[Known, ...]
    heads: tuple[int, ...]
    """The numbers of heads, of Q and of K and V, where these have three axes."""

    @property
    def options(self) -> dict[str, int]:
        """The numbers of heads by the names of their attributes."""
        return dict(zip(("q_num_heads", "kv_num_heads"), self.heads, strict=False))


def random_question(chance: Random) -> Asked:
    """A question that fits, or in which one thing or two are changed."""
    shapes, heads = _fitting(chance)
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        place = chance.randrange(len(shapes))
        if heads and chance.random() < 0.15:
            heads = tuple(max(0, each + chance.choice([-1, 0, 1])) for each in heads)
        else:
            shapes[place] = _changed(shapes[place], chance)
    return Asked(tuple(shapes), heads if all(heads) else ())


def _fitting(chance: Random) -> tuple[list[Known], tuple[int, ...]]:
    batch, kv_heads, groups = (chance.choice([1, 1, 2, 3]) for _ in range(3))
    heads = kv_heads * groups
    queries, size, value_size = (chance.choice([1, 2, 3, 4, 8]) for _ in range(3))
    keys = chance.choice([queries, 1, 3, 5])
    past = chance.choice([0, 1, 2]) if chance.random() < 0.3 else None
    is_flat = chance.random() < 0.4
    shapes: list[Known]
    if is_flat:
        shapes = [
            (batch, queries, heads * size),
            (batch, keys, kv_heads * size),
            (batch, keys, kv_heads * value_size),
        ]
    else:
        shapes = [
            (batch, heads, queries, size),
            (batch, kv_heads, keys, size),
            (batch, kv_heads, keys, value_size),
        ]
    if chance.random() < 0.7:
        shapes.append(_mask((batch, heads, queries, keys + (past or 0)), chance))
    if past is not None:
        shapes += [(batch, kv_heads, past, size), (batch, kv_heads, past, value_size)]
    return shapes, (heads, kv_heads) if is_flat else ()


def _mask(scores: Known, chance: Random) -> Known:
    """A mask of one to four axes: some are 1, and the last one may be shorter than the scores'."""
    ones = chance.choice([0, 0, 0.3, 0.6])
    first = chance.choice([0, 1, 1, 2, 2, 3])
    mask = [1 if chance.random() < ones else size for size in scores[first:]]
    if chance.random() < 0.2:
        mask[-1] = chance.randint(1, max(1, mask[-1]))
    return tuple(mask)


def _changed(shape: Sequence[int], chance: Random) -> Known:
    """A shape with another size, or with an axis more or less."""
    sizes, place = list(shape), chance.randrange(len(shape))
    fate = chance.random()
    if fate < 0.8:
        size = sizes[place]
        sizes[place] = chance.choice([size + 1, max(0, size - 1), size * 2, size // 2, 1])
    elif fate < 0.9 and len(shape) > 1:
        del sizes[place]
    else:
        sizes.insert(place, chance.choice([1, 2]))
    return tuple(sizes)
