"""Checks of operators whose shapes depend on values: Reshape's target, the indices of a Gather.

Each yields why a node's shapes cannot be, or raises Unknown where nothing is decided.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import prod
from typing import Any

from bcastcli.models.inference.facts import Clash, Facts, Unknown
from bcastcli.models.inference.protos import Dims, Size


def _reshape(facts: Facts) -> Iterator[Clash]:
    given, target = facts.shape(0), facts.numbers("shape", 1)
    shown = ",".join(map(str, target))
    if target.count(-1) > 1 or any(size < -1 for size in target):
        yield Clash(f"{shown} is no target shape")
        return
    sizes: list[Size] = [*target]
    for axis, size in enumerate(target):
        if size == 0 and not facts.attributes.get("allowzero"):
            if axis >= len(given):
                yield Clash(f"the target {shown} copies axis {axis}, which {facts.names[0]} lacks")
                return
            sizes[axis] = given[axis]
    there = [*given]
    for each in [size for size in sizes if isinstance(size, str)]:
        if each in there:  # it is on both sides, so it does not matter how much it is
            there.remove(each)
            sizes.remove(each)
    count, wanted = _elements(there), _elements([size for size in sizes if size != -1])
    have = f"{facts.names[0]} has {count:,} elements"
    if -1 in target and (wanted == 0 or count % wanted):
        yield Clash(f"{have}, and the target {shown} a multiple of {wanted:,}")
    if -1 not in target and count != wanted:
        yield Clash(f"{have}, and the target {shown} has {wanted:,}")


def _concat(facts: Facts) -> Iterator[Clash]:
    shapes = [facts.shape(place) for place in range(len(facts.shapes))]
    shapes = [each for each in shapes if 0 not in each]  # ONNX Runtime passes over these
    ranks = sorted({*map(len, shapes)})
    if len(ranks) > 1:
        yield Clash(f"it joins shapes of {' and '.join(map(str, ranks))} axes")
        return
    axis = facts.axis(1, ranks[0]) if ranks and ranks[0] else 0
    for other, column in enumerate(zip(*shapes, strict=True)):
        sizes = list(dict.fromkeys(size for size in column if isinstance(size, int)))
        if other != axis and len(sizes) > 1:
            told = f"axis {other} has {' and '.join(map(str, sizes))}"
            yield Clash(f"{told}, and only axis {axis} is joined", other)


def _split(facts: Facts) -> Iterator[Clash]:
    given = facts.shape(0)
    axis = facts.axis(0, len(given))
    size = given[axis]
    has = f"{facts.names[0]} has {size} on axis {axis}"
    is_given = "split" in facts.attributes or (len(facts.names) > 1 and facts.names[1])
    if not isinstance(size, int):
        return
    if is_given:
        parts = facts.numbers("split", 1)
        if sum(parts) != size:
            yield Clash(f"{has}, and the parts {_listed(parts)} make {sum(parts)}", axis)
        elif len(parts) != facts.outputs:
            yield Clash(f"{len(parts)} parts go to {facts.outputs} outputs", axis)
        return
    count = facts.attributes.get("num_outputs", facts.outputs)
    is_even = "num_outputs" not in facts.attributes  # else the last part may be smaller
    if size % count if is_even else -(-size // count) * (count - 1) >= size:
        yield Clash(f"{has}, which is not {count} {'equal ' if is_even else ''}parts", axis)


def _in_range(facts: Facts, indices: Any, size: Size, axis: int) -> Iterator[Clash]:
    """Yield a clash if values of an input are no indices of an axis."""
    if isinstance(size, int) and indices is not None and indices.size:
        worst = max(int(indices.max()), ~int(indices.min()))
        if worst >= size:
            shown = worst if worst in indices else ~worst
            told = f"index {shown} is out of range for {facts.names[0]}, which has {size}"
            yield Clash(f"{told} on axis {axis}", axis)


def _gather(facts: Facts) -> Iterator[Clash]:
    given = facts.shape(0)
    axis = facts.axis(0, len(given))
    yield from _in_range(facts, facts.values[1], given[axis], axis)


def _elements_by_index(facts: Facts) -> Iterator[Clash]:
    """GatherElements and ScatterElements: indices have the axes of what they index."""
    given, indices = facts.shape(0), facts.shape(1)
    if len(given) != len(indices):
        yield Clash(f"{_has_axes(facts, 0)}, and {_has_axes(facts, 1)}")
        return
    axis = facts.axis(0, len(given))
    for other, (size, its) in enumerate(zip(given, indices, strict=True)):
        if other != axis and isinstance(size, int) and isinstance(its, int) and its > size:
            told = f"{facts.names[1]} has {its} on axis {other}, and {facts.names[0]} has {size}"
            yield Clash(told, other)
    if len(facts.shapes) > 2:
        yield from _equal(facts, 2, indices, facts.names[1])
    yield from _in_range(facts, facts.values[1], given[axis], axis)


def _equal(facts: Facts, place: int, wanted: Dims, why: str) -> Iterator[Clash]:
    """Yield a clash if an input has another shape than it must have."""
    own, name = facts.shape(place), facts.names[place]
    for axis, (size, its) in enumerate(zip_longest(own, wanted)):
        if size is None or its is None:
            yield Clash(f"{_has_axes(facts, place)}, and {why} needs {len(wanted)}")
        elif isinstance(size, int) and isinstance(its, int) and size != its:
            yield Clash(f"{name} has {size} on axis {axis}, and {why} needs {its}", axis)


def _by_tuples(facts: Facts) -> Iterator[Clash]:
    """GatherND and ScatterND: the last axis of the indices holds an index for each axis."""
    given, indices = facts.shape(0), facts.shape(1)
    start = facts.attributes.get("batch_dims", 0)
    if not indices or not isinstance(indices[-1], int):
        return
    after = start + indices[-1]
    if after > len(given):
        told = f"{facts.names[1]} has {indices[-1]} on axis {len(indices) - 1}"
        yield Clash(f"{told}, and {_has_axes(facts, 0)}", len(indices) - 1)
        return
    known = [size for size in (*given, *indices) if isinstance(size, int)]
    if start and len(known) == len(given) + len(indices) and 0 not in known:
        # ONNX Runtime takes any multiple.
        batches, tuples = prod(known[:start]), prod(known[len(given) : -1])
        if tuples % batches:
            told = f"{facts.names[1]} has {tuples} tuples for {batches} batches"
            yield Clash(f"{told} of {facts.names[0]}")
    if len(facts.shapes) > 2:
        wanted = [*indices[:-1], *given[after:]]
        yield from _equal(facts, 2, wanted, f"{facts.names[0]} with {facts.names[1]}")
    # Where slices have no elements, ONNX Runtime's GatherND reads no index.
    is_read = facts.operator != "GatherND" or 0 not in given[after:]
    if facts.values[1] is not None and is_read:
        for place in range(indices[-1]):
            axis = start + place
            yield from _in_range(facts, facts.values[1][..., place], given[axis], axis)


def _slice(facts: Facts) -> Iterator[Clash]:
    starts, ends = facts.numbers("starts", 1), facts.numbers("ends", 2)
    if len(starts) != len(ends):
        yield Clash(f"it has {len(starts)} starts and {len(ends)} ends")
    rank = len(facts.shape(0))
    for axis in facts.numbers("axes", 3) if facts.opset > 9 and len(facts.names) > 3 else ():
        if not -rank <= axis < rank:
            yield Clash(f"it slices axis {axis}, and {_has_axes(facts, 0)}")


def _squeeze(facts: Facts) -> Iterator[Clash]:
    given = facts.shape(0)
    for axis in facts.numbers("axes", 1):
        if not -len(given) <= axis < len(given):
            yield Clash(f"it removes axis {axis}, and {_has_axes(facts, 0)}")
        elif isinstance(size := given[axis], int) and size != 1:
            told = f"{facts.names[0]} has {size} on axis {axis % len(given)}"
            yield Clash(f"{told}, and only an axis of size 1 is removed", axis % len(given))


def _top_k(facts: Facts) -> Iterator[Clash]:
    given = facts.shape(0)
    axis = facts.axis(-1, len(given))
    count = facts.attributes.get("k")
    [count] = facts.numbers("", 1) if count is None else [count]
    if isinstance(size := given[axis], int) and count > size:
        yield Clash(f"{facts.names[0]} has {size} on axis {axis}, and k is {count}", axis)


def _pad(facts: Facts) -> Iterator[Clash]:
    given = facts.shape(0)
    pads = facts.numbers("pads", 1)
    is_last = len(facts.names) > 3 and facts.names[3]
    axes = facts.numbers("", 3) if is_last else range(len(given))
    if len(pads) != 2 * len(axes):
        told = f"{len(pads)} pads are no two for each of {len(axes)} axes"
        yield Clash(told)
        return
    mode = facts.attributes.get("mode", b"constant")
    for axis, *both in zip(axes, pads, pads[len(axes) :], strict=False):
        size = given[axis % len(given)]
        if not isinstance(size, int):
            continue
        told = f"{facts.names[0]} has {size} on axis {axis}, and is padded by {_listed(both)}"
        left = size + sum(min(each, 0) for each in both)
        is_empty = left <= 0 if mode != b"constant" else size + sum(both) < 0
        # Where nothing is added or removed, a size of 0 is none too small.
        if any(both) and (is_empty or (mode == b"reflect" and max(both) >= left)):
            yield Clash(f"{told} (mode {mode.decode()})", axis)


def _einsum(facts: Facts) -> Iterator[Clash]:
    equation = facts.attributes.get("equation", b"").decode().replace(" ", "")
    terms = equation.partition("->")[0].split(",")
    if len(terms) != len(facts.names):
        yield Clash(f"{equation} is of {len(terms)} operands, and there are {len(facts.names)}")
        return
    sizes: dict[str, tuple[int, str]] = {}
    for place, (term, name) in enumerate(zip(terms, facts.names, strict=True)):
        shape = facts.shapes[place]
        before, dots, after = term.partition("...")
        if shape is None:
            continue
        if len(before) + len(after) > len(shape) or (
            not dots and len(before) + len(after) < len(shape)
        ):
            yield Clash(f"{_has_axes(facts, place)}, and its term is {term or 'empty'}")
            return
        start = len(shape) - len(after)
        between = shape[len(before) : start]  # of the ellipsis: aligned at the end
        letters = [*zip(before, shape, strict=False), *zip(after, shape[start:], strict=True)]
        letters += [(f"...[-{axis}]", size) for axis, size in enumerate(between[::-1], 1)]
        for letter, size in letters:
            if isinstance(size, int) and size != 1:
                its, other = sizes.setdefault(letter, (size, name))
                if its != size:
                    yield Clash(f"{letter} is {its} in {other} and {size} in {name}")


def _transpose(facts: Facts) -> Iterator[Clash]:
    perm = facts.attributes.get("perm")
    rank = len(facts.shape(0))
    if perm is not None and sorted(perm) != [*range(rank)]:
        yield Clash(f"{_has_axes(facts, 0)}, and perm is {_listed(perm)}")


def _tile(facts: Facts) -> Iterator[Clash]:
    if facts.opset > 1 and len(repeats := facts.numbers("", 1)) != len(facts.shape(0)):
        yield Clash(f"{_has_axes(facts, 0)}, and repeats are {_listed(repeats)}")


def _grid(facts: Facts) -> Iterator[Clash]:
    given, grid = facts.shape(0), facts.shape(1)
    if len(given) != len(grid):
        yield Clash(f"{_has_axes(facts, 0)}, and {_has_axes(facts, 1)}")
    elif isinstance(size := grid[-1], int) and size != len(given) - 2:
        told = f"{facts.names[1]} has {size} on axis {len(grid) - 1}"
        yield Clash(f"{told}, and needs {len(given) - 2}", len(grid) - 1)


def _quantize(facts: Facts) -> Iterator[Clash]:
    """A scale for each place on an axis has as many as there are."""
    given, scale = facts.shape(0), facts.shape(1)
    if facts.opset > 12 and len(scale) == 1 and not facts.attributes.get("block_size"):
        axis = facts.axis(1, len(given))
        size, its = given[axis], scale[0]
        if isinstance(size, int) and isinstance(its, int) and its not in (1, size):
            told = f"{facts.names[1]} has {its}"
            yield Clash(f"{told}, and {facts.names[0]} has {size} on axis {axis}", axis)


def _windows(facts: Facts) -> Iterator[Clash]:
    """Convolutions and pools: the window has an axis for each of the input behind channels."""
    given = facts.shape(0)
    place = 3 if facts.operator == "QLinearConv" else 1
    if "kernel_shape" in facts.attributes:
        window = [*facts.attributes["kernel_shape"]]
    else:
        window = facts.shape(place)[2:]
    if len(window) != len(given) - 2:
        yield Clash(f"{_has_axes(facts, 0)}, and its window {len(window)} and not two fewer")
        return
    padding = facts.attributes.get("auto_pad", b"NOTSET")
    if padding.startswith(b"SAME") or "Transpose" in facts.operator:
        return
    count = len(window)
    none = [0] * 2 * count
    pads = none if padding == b"VALID" else facts.attributes.get("pads", none)
    dilations = facts.attributes.get("dilations", [1] * count)
    strides = facts.attributes.get("strides", [1] * count)
    for axis, (size, wide) in enumerate(zip(given[2:], window, strict=True)):
        if isinstance(size, int) and isinstance(wide, int):
            padded = size + pads[axis] + pads[axis + count]
            whole = (wide - 1) * dilations[axis] + 1
            # ONNX Runtime runs a pool whose window is a little too large: the result is empty.
            spare = 0 if "Conv" in facts.operator else 2 * strides[axis] - 1
            if whole - padded > spare:
                told = f"{facts.names[0]} has {padded} on axis {axis + 2} with its padding"
                yield Clash(f"{told}, and the window takes {whole}", axis + 2)


def _elements(sizes: Sequence[Size]) -> int:
    """Return how many elements a shape has; raise Unknown if a size is open."""
    numbers = [size for size in sizes if isinstance(size, int)]
    if len(numbers) < len(sizes):
        raise Unknown
    return prod(numbers)


def _has_axes(facts: Facts, place: int) -> str:
    count = len(facts.shape(place))
    return f"{facts.names[place]} has {count} ax{'is' if count == 1 else 'es'}"


def _listed(numbers: Sequence[int]) -> str:
    """Return numbers, of which many recur, as a text.

    >>> _listed([2, 3, 3]), _listed([1] * 64)
    ('2, 3, 3', '64 x 1')
    """
    if len(numbers) <= 8:
        return ", ".join(map(str, numbers))
    return ", ".join(f"{count} x {number}" for number, count in Counter(numbers).items())


CHECKS: Mapping[str, Callable[[Facts], Iterator[Clash]]] = {
    "AveragePool": _windows,
    "Concat": _concat,
    "Conv": _windows,
    "ConvInteger": _windows,
    "ConvTranspose": _windows,
    "DequantizeLinear": _quantize,
    "Einsum": _einsum,
    "Gather": _gather,
    "GatherElements": _elements_by_index,
    "GatherND": _by_tuples,
    "GridSample": _grid,
    "LpPool": _windows,
    "MaxPool": _windows,
    "Pad": _pad,
    "QLinearConv": _windows,
    "QuantizeLinear": _quantize,
    "Reshape": _reshape,
    "ScatterElements": _elements_by_index,
    "ScatterND": _by_tuples,
    "Slice": _slice,
    "Split": _split,
    "Squeeze": _squeeze,
    "Tile": _tile,
    "TopK": _top_k,
    "Transpose": _transpose,
}
