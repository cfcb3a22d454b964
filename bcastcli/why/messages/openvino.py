"""OpenVINO's messages. The validated node comes before the sentence, with its shapes."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bcastcli.core.shapes import Shape
from bcastcli.why.messages import fields
from bcastcli.why.messages.reading import Figure, Found, Reading

_NODE = re.compile(
    r"While validating node '(?:\w{1,20}::)?(\w{1,80}) (\S{1,200}) ?\((.{0,3000}?)\) ?->"
)
_INPUT = re.compile(
    r"(?:\w{1,20}::\w{1,80} )?(?P<name>.{1,300}?)\[(?P<output>\d{1,4})\]"
    r":\w{1,12}(?P<shape>[\[{][^\[\]{}]{0,500}[\]}])(?:, |$)"
)
"""An input: the operator that gives it, its name, which output it is, its type and shape."""
_CHECK = re.compile(r"Check '(?:\w{1,30}::)?(broadcast_merge_into|merge_into)\(")
_CPU = re.compile(r"(?:\[CPU\]|inference of) (\w{1,80}) node with name '?([^\s']{1,200})")


def node(reading: Reading, found: Found) -> Reading:
    """Read the node that was validated."""
    validated = found.last("While validating node ", _NODE)
    return reading._replace(operation=validated[1], node=validated[2]) if validated else reading


def inputs(reading: Reading, found: Found) -> Reading:
    """Read the node with its inputs' names and shapes."""
    validated = found.last("While validating node ", _NODE)
    if validated is None:
        return reading._replace(is_whole=False)
    reading = reading._replace(operation=validated[1], node=validated[2])
    given = [*_inputs(validated[3])]
    shapes = tuple(shape for _, shape in given if shape is not None)
    if len(shapes) < len(given) or len(given) < 2:
        return reading._replace(is_whole=False)
    return reading.named(*(name for name, _ in given), shapes=shapes)


def given(known: Mapping[str, Any], found: Found) -> Mapping[str, Figure]:
    """Add the shapes of the validated node's inputs, or else those that follow the node."""
    validated = found.last("While validating node ", _NODE)
    shapes = [shape for _, shape in _inputs(validated[3])] if validated else []
    shapes = shapes or [*known.get("shapes", ())]
    whole = tuple(shape for shape in shapes if shape is not None)
    return {**known, "inputs": whole} if len(whole) == len(shapes) > 1 else known


def _inputs(text: str) -> Iterator[tuple[str, Shape | None]]:
    """Yield the inputs' names and shapes, None for a shape that cannot be read."""
    place = 0
    while place < len(text):
        each = _INPUT.match(text, place)
        if not each:
            yield "", None
            return
        output = "" if each["output"] == "0" else f"[{each['output']}]"
        yield each["name"] + output, fields.shape(each["shape"])
        place = each.end()


def merged(reading: Reading, found: Found) -> Reading | None:
    """Distinguish a broadcasting rule from the rule none."""
    if found.after.startswith("; they"):
        return None
    reading = inputs(reading, found)
    check = found.last("Check '", _CHECK)
    is_none = check is not None and check[1] == "merge_into"
    return reading._replace(rule="none") if is_none else reading


def cut(reading: Reading, found: Found) -> Reading | None:
    """Leave the beginning of a message to its end, which has the shapes, unless that is cut off."""
    return None if "shapes are inconsistent" in found.after else reading


def run(reading: Reading, found: Found) -> Reading:
    """Read the node that was run."""
    validated = found.last("[CPU] ", _CPU, 700) or found.last("inference of ", _CPU, 700)
    return reading._replace(operation=validated[1], node=validated[2]) if validated else reading


def dotted(reading: Reading, found: Found) -> Reading:
    """Read shapes whose sizes are separated by dots."""
    one, other = (
        fields.shape((found.group(name) or "?").replace(".", ",")) for name in ("one", "two")
    )
    shapes = (one, other) if one is not None and other is not None else None
    return reading.lettered(shapes)
