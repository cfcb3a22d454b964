"""Figures that follow from those of a fault's message."""

from collections.abc import Mapping
from math import prod

from bcastcli.why.messages.reading import Figure, Found

Figures = Mapping[str, Figure]


def of_input(known: Figures, _: Found) -> Figures:
    """Add the rank of the input, its elements, and its size on the axis, by default the last."""
    shape, axis = known.get("input"), known.get("axis", -1)
    if not isinstance(shape, tuple) or not isinstance(axis, int):
        return known
    sizes = [size for size in shape if isinstance(size, int)]
    more: dict[str, Figure] = {"rank": len(shape)}
    if len(sizes) == len(shape):
        more["count"] = prod(sizes)
    size = _size(shape, axis)
    return {**more, **known} if size is None else {**more, "has": size, **known}


def of_channels(known: Figures, found: Found) -> Figures:
    """Add the size of the input on axis 1, where PyTorch's layers have the channels."""
    return of_input({**known, "axis": 1}, found)


def of_rows(known: Figures, found: Found) -> Figures:
    """Add the size of the input on axis 0, where a loss has the samples."""
    return of_input({**known, "axis": 0}, found)


def of_index(known: Figures, _: Found) -> Figures:
    """Add the last index that an axis of this size has, or of negative ones the first."""
    index, size = known.get("index"), known.get("size")
    if not isinstance(index, int) or not isinstance(size, int) or not size:
        return known
    return {**known, "first": -size} if index < 0 else {**known, "last": size - 1}


def of_mask(known: Figures, _: Found) -> Figures:
    """Add the sizes of the mask and of the tensor on the axes that the message names."""
    pairs = (("one", "mask", "place"), ("other", "tensor", "axis"))
    sizes = {name: _size(known.get(shape), known.get(axis)) for name, shape, axis in pairs}
    return {**known, **{name: size for name, size in sizes.items() if size is not None}}


def of_file(known: Figures, _: Found) -> Figures:
    """Leave out the ones with which GGUF fills a shape up to four axes."""
    file, model = known.get("file"), known.get("model")
    if isinstance(file, tuple) and isinstance(model, tuple) and {*file[len(model) :]} == {1}:
        return {**known, "file": file[: len(model)]}
    return known


def _size(shape: Figure | None, axis: Figure | None) -> int | None:
    """Return the size of a shape on an axis; None if it has no such axis, or it is unknown."""
    if not isinstance(shape, tuple) or not isinstance(axis, int):
        return None
    size = shape[axis] if -len(shape) <= axis < len(shape) else None
    return size if isinstance(size, int) else None
