"""ONNX's wire format, read only to drop the weights.

A model's tensors are nearly all of its bytes, and only a few small ones affect a shape. `strip`
copies everything else, so that what is parsed later is small however large the file is. It reads
only tags and lengths: pages that hold weights are never touched.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bcastcli.model.nodes import ModelError

MAX_TENSOR_DATA = 4096
"""Bytes of a tensor's values that are kept; larger ones leave their shape and type."""
MAX_STRIPPED = 256 << 20
"""The most bytes without weights."""
MAX_FIELDS = 8_000_000
MAX_DEPTH = 100
"""Nested messages; protobuf has the same limit."""

_VARINT, _BYTES = 0, 2
_FIXED = {1: 8, 5: 4}
"""Wire types of fixed width, with their bytes."""
_EXTERNAL = b"\x70\x01"  # TensorProto.data_location = EXTERNAL

_FIELDS: dict[str, dict[int, str]] = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "function": {7: "node", 11: "attribute"},
}
"""By message of onnx.proto the fields that may hold tensors; all others are copied."""
_KEPT_OF_TENSOR = frozenset({1, 2, 8})
"""Its sizes, type and name."""
_TENSOR_DATA = frozenset({4, 5, 6, 7, 9, 10, 11})
_EXTERNAL_DATA = 13
_GRAPH = 7

_NO_MODEL = "this is not an ONNX model"
_CUT_SHORT = "the file is truncated: the end of the model is missing"


class _Field(NamedTuple):
    number: int
    start: int
    """Where its tag begins."""
    value: int
    """Where its value begins, past the length if it has one."""
    end: int
    is_message: bool
    """Whether it may be one: its value has a length."""


def strip(data: memoryview) -> bytes:
    """A serialized model without the values of large tensors.

    Tensors that lose their values are marked as external, and no tensor keeps the path of a file.
    Raise ModelError if this is not a model.
    """
    parts = _Stripper(data).message("model", 0, len(data), 0)
    size = sum(map(len, parts))
    if size > MAX_STRIPPED:
        left = f"without its weights the model still has {size >> 20} MiB"
        raise ModelError(f"{left}, but at most {MAX_STRIPPED >> 20} are read")
    return b"".join(parts)


_Parts = list[bytes | memoryview]


class _Stripper:
    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._fields_left = MAX_FIELDS

    def message(self, kind: str, start: int, end: int, depth: int) -> _Parts:
        """A message without the weights, in parts; raise ModelError if it is too deep."""
        if depth > MAX_DEPTH:
            raise ModelError(f"the model is nested more than {MAX_DEPTH} levels deep")
        parts: _Parts = []
        kept = start  # the part to copy unchanged begins here
        has_graph = False
        for field in self._fields(start, end):
            within = _FIELDS[kind].get(field.number)
            if within is None or not field.is_message:
                continue
            parts.append(self._data[kept : field.start])
            kept = field.end
            has_graph |= within == "graph"
            if within == "tensor":
                inner = self._tensor(field.value, field.end)
            else:
                inner = self.message(within, field.value, field.end, depth + 1)
            length = sum(map(len, inner))
            parts += [_varint(field.number << 3 | _BYTES) + _varint(length), *inner]
        if kind == "model" and not has_graph:
            raise ModelError(_NO_MODEL)
        parts.append(self._data[kept:end])
        return parts

    def _tensor(self, start: int, end: int) -> _Parts:
        fields = list(self._fields(start, end))
        values = sum(each.end - each.value for each in fields if each.number in _TENSOR_DATA)
        is_external = any(each.number == _EXTERNAL_DATA for each in fields)
        if values <= MAX_TENSOR_DATA and not is_external:
            return [self._data[start:end]]
        kept = [each for each in fields if each.number in _KEPT_OF_TENSOR]
        return [*(self._data[each.start : each.end] for each in kept), _EXTERNAL]

    def _fields(self, start: int, end: int) -> Iterator[_Field]:
        position = start
        while position < end:
            self._fields_left -= 1
            if self._fields_left < 0:
                raise ModelError(f"the model has more than {MAX_FIELDS:,} parts")
            tag, value = self._read_varint(position, end)
            number, wire_type = tag >> 3, tag & 7
            if wire_type == _BYTES:
                length, value = self._read_varint(value, end)
                after = value + length
            elif wire_type == _VARINT:
                _, after = self._read_varint(value, end)
            elif wire_type in _FIXED:
                after = value + _FIXED[wire_type]
            else:
                raise ModelError(_NO_MODEL)
            if not 0 < number < 1 << 29:
                raise ModelError(_NO_MODEL)
            if after > end:
                is_graph = start == 0 and end == len(self._data) and number == _GRAPH
                raise ModelError(_CUT_SHORT if is_graph else _NO_MODEL)
            yield _Field(number, position, value, after, wire_type == _BYTES)
            position = after

    def _read_varint(self, position: int, end: int) -> tuple[int, int]:
        """A number, and where it ends."""
        data = self._data
        result = shift = 0
        while position < end and shift < 70:
            byte = data[position]
            position += 1
            result |= (byte & 0x7F) << shift
            if byte < 0x80:
                return result, position
            shift += 7
        raise ModelError(_NO_MODEL)


def _varint(number: int) -> bytes:
    """A number as the wire format writes it."""
    if number > 0x7F:
        return bytes([number & 0x7F | 0x80]) + _varint(number >> 7)
    return bytes([number])
