"""The operators whose shapes are compared, as `operators.txt` lists them, and their results."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import onnx

from bcastcli.core.shapes import UNKNOWN
from bcastcli.model.inference.protos import DOMAINS, Scope, attributes, elements, name_of

_TABLE = Path(__file__).with_name("operators.txt")


class Substitute(NamedTuple):
    """An operator of ONNX, or a rule, in place of a node's own operator."""

    name: str
    places: Sequence[int]
    """The node's inputs that it takes."""


class Known(NamedTuple):
    """How the inputs of an operator count."""

    inputs: str
    """A letter for each input; `*` at the end repeats the one before it."""
    open: str = ""
    """The open sizes that do not matter, in a word of the table; empty if all do."""
    without: Sequence[str] = ()
    """The attributes with each of which it is not checked."""
    like: Substitute | None = None
    """The operator with the same result."""
    asks: Substitute | None = None
    """The operator or rule by which it broadcasts."""

    def holds(self, node: Any) -> bool:
        """Whether it holds for a node with these attributes."""
        return not any(attributes(node).get(name) for name in self.without)

    def letter(self, place: int) -> str:
        """The letter of an input; empty for one too many."""
        if self.inputs.endswith("*"):
            place = min(place, len(self.inputs) - 2)
        return self.inputs[place : place + 1]


@cache
def table() -> Mapping[str, Known]:
    """The operators, each by its name with the domain."""
    rows: dict[str, Known] = {}
    for line in _TABLE.read_text("utf-8").splitlines():
        names, colon, rest = line.partition(": ")
        if colon and not line.startswith("#"):
            rows |= dict.fromkeys(names.split(), _known(rest.split()))
    return rows


def _known(words: Sequence[str]) -> Known:
    inputs = "".join(word for word in words if len(word) == 1)
    settings: dict[str, Any] = {}
    for word in words[len(inputs) :]:
        name, _, value = word.partition("=")
        if not value:
            settings["open"] = name
        elif name == "without":
            settings[name] = value.split(",")
        else:
            operator, _, places = value.partition("/")
            settings[name] = Substitute(operator, [int(place) for place in places.split(",")])
    return Known(inputs, **settings)


def standing(node: Any, scope: Scope, opset: int) -> str:
    """Whether the inputs of a node that does not broadcast are compared.

    They are `checked`; `open`, where a size or value that counts is not known; or `unchecked`.
    """
    row = table().get(name_of(node))
    if row is None or not row.holds(node):
        return "unchecked"
    if node.domain in DOMAINS:
        definition = schema(node.op_type, "", opset)
        if definition is None or len(node.input) < definition.min_input:
            return "unchecked"
    is_open = False
    for place, name in enumerate(node.input):
        if not name:
            continue
        letter = row.letter(place)
        if letter in ("", "-") or (letter == "1" and scope.shape(name) not in (None, [], [1])):
            return "unchecked"
        if letter == "v":
            is_open |= name not in scope.constants
        elif letter == "s":
            is_open |= _is_open(node, row.open, place, scope)
    return "open" if is_open else "checked"


def _is_open(node: Any, setting: str, place: int, scope: Scope) -> bool:
    """Whether an input has open sizes that matter."""
    sizes = scope.shape(node.input[place])
    target = _values(node, "shape", scope) if setting == "target" else []
    takes_any = target.count(-1) == 1 and {*target} <= {-1, 0, 1}
    if takes_any or setting == "any":
        return False
    if sizes is None or setting == "rank":
        return sizes is None
    open_axes = {axis for axis, size in enumerate(sizes) if isinstance(size, str)}
    given = attributes(node)
    axis = given.get("axis", _DEFAULT_AXES.get(node.op_type, 0)) % max(1, len(sizes))
    match setting:
        case "batch" if place == 0:
            open_axes.discard(0)
        case "axis":
            open_axes &= {axis}
        case "others":
            first = scope.shape(node.input[0]) or []
            open_axes.discard(axis)
            if node.op_type == "Concat" and UNKNOWN not in sizes:  # a name is one size in each
                open_axes = {each for each in open_axes if first[each : each + 1] != [sizes[each]]}
        case "axes":
            axes = _values(node, "axes", scope)
            open_axes &= {each % len(sizes) for each in axes} if axes else open_axes
    return bool(open_axes)


_DEFAULT_AXES = {"TopK": -1}


def _values(node: Any, attribute: str, scope: Scope) -> list[int]:
    """The values of an attribute, or of the second input; empty if unknown."""
    given = attributes(node).get(attribute)
    if given is not None:
        return list(given)
    array = scope.constants.get(node.input[1]) if len(node.input) > 1 else None
    return [] if array is None else list(array.flatten().tolist())


def rule(node: Any) -> Substitute | None:
    """The operator or rule by which a node of ONNX Runtime broadcasts."""
    row = table().get(name_of(node))
    if row is None or not row.holds(node):
        return None
    is_unary = row.like and len([name for name in node.input if name]) == 1
    return None if is_unary else row.asks


def stand_in(node: Any, scope: Scope, opset: int) -> Any:
    """A node with the same result that onnx can infer: itself, or one like it; else None."""
    row = table().get(name_of(node))
    inputs, operator = list(node.input), node.op_type
    if row is not None and row.like is not None and row.holds(node):
        operator = row.like.name
        inputs = [inputs[place] for place in row.like.places if place < len(inputs)]
    elif node.op_type != "Concat":
        return node
    if operator == "Concat":  # ONNX Runtime passes over empty inputs, whatever their sizes
        inputs = [name for name in inputs if elements(scope.types.get(name)) != 0]
        if not inputs:
            return None
    definition = schema(operator, "", opset)
    made = onnx.helper.make_node(operator, inputs, node.output[: definition.max_output])
    made.attribute.extend(each for each in node.attribute if each.name in definition.attributes)
    return made


@cache
def schema(operator: str, domain: str, opset: int) -> Any:
    """The schema of an operator; None if the opset lacks it."""
    # ONNX Runtime runs a LayerNormalization in older opsets than ONNX has it in.
    version = () if operator == "LayerNormalization" else (opset,)
    domain = "" if domain in DOMAINS else domain
    try:
        return onnx.defs.get_schema(operator, *version, domain)
    except (onnx.defs.SchemaError, TypeError):  # in a damaged file a name may be bytes
        return None
