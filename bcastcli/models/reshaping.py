"""A process that reshapes an OpenVINO IR; nothing else imports openvino.

    python -m bcastcli.models.reshaping SECONDS MEBIBYTES FILE

It takes the inputs' shapes as JSON from standard input, and writes one line of JSON: the shapes of
all layers' outputs, by the layers' names, with the axes of each Broadcast whose mode is explicit;
or where OpenVINO refuses the shapes; or what is wrong with the file.
"""

import json  # noqa: TID253  # a process of its own
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bcastcli.models.processes import NO_MEMORY, NO_PACKAGE, Limits, limit, reserved

_AT = re.compile(
    r"While validating node '(?:\w+::)?(\w+) (.*?)' with friendly_name '([^']*)'", re.DOTALL
)
_INPUT = re.compile(r"(?:\w+::)?\w+ (\S+)\[\d+\]:\w+\[([^\]]*)\]")


def main() -> None:
    """Answer one request."""
    seconds, mebibytes, file = sys.argv[1:]
    limits = Limits(int(seconds), int(mebibytes))
    limit(RLIMIT_CPU=limits.seconds, RLIMIT_CORE=0)
    try:
        import openvino
    except ImportError:
        sys.exit(NO_PACKAGE)
    weights = Path(file).with_suffix(".bin")
    mapped = weights.stat().st_size if weights.exists() else 0
    limit(RLIMIT_AS=reserved() + (limits.mebibytes << 20) + mapped)
    try:
        sys.stdout.write(json.dumps(_answer(openvino, file, json.load(sys.stdin))))
    except MemoryError:
        sys.exit(NO_MEMORY)


def _answer(openvino: Any, file: str, given: Mapping[str, Sequence[int | str]]) -> dict[str, Any]:
    try:
        model = openvino.Core().read_model(file)
    except RuntimeError as error:
        if not Path(file).with_suffix(".bin").exists():
            missing = Path(file).with_suffix(".bin").name
            return {"error": f"OpenVINO needs its weights to reshape it: {missing} is missing"}
        return {"error": f"OpenVINO cannot read it: {str(error).splitlines()[-1]}"}
    places = {
        name: place
        for place, each in enumerate(model.inputs)
        for name in (each.get_node().get_friendly_name(), *each.get_names())
    }
    shapes = {
        places[name]: openvino.PartialShape(
            [-1 if isinstance(each, str) else each for each in shape]
        )
        for name, shape in given.items()
    }
    try:
        model.reshape(shapes)
    except RuntimeError as error:
        return _refused(str(error))
    found: dict[str, list[list[int | str] | None]] = {}
    axes: dict[str, list[int]] = {}
    for node in model.get_ordered_ops():
        outputs = [node.output(place) for place in range(node.get_output_size())]
        found[node.get_friendly_name()] = [_sizes(each.get_partial_shape()) for each in outputs]
        if node.get_type_name() == "Broadcast" and node.get_input_size() > 2:
            source = node.input_value(2).get_node()
            if source.get_type_name() == "Constant":
                axes[node.get_friendly_name()] = source.get_data().flatten().tolist()
    return {"shapes": found, "axes": axes}


def _sizes(shape: Any) -> list[int | str] | None:
    if shape.rank.is_dynamic:
        return None
    return ["?" if each.is_dynamic else each.get_length() for each in shape]


def _refused(message: str) -> dict[str, Any]:
    """Return where OpenVINO refuses the given shapes, and its last words."""
    found = _AT.search(message)
    words = [line.strip() for line in message.splitlines() if line.strip()][-1]
    if not found:
        return {"error": f"OpenVINO refuses these shapes: {words}"}
    inputs = _INPUT.findall(found[2].partition(" -> ")[0])
    return {
        "operator": found[1],
        "name": found[3],
        "message": words.rstrip("."),
        "names": [name for name, _ in inputs],
        "inputs": [
            [int(size) if size.isdecimal() else "?" for size in sizes.split(",") if size]
            for _, sizes in inputs
        ],
    }


if __name__ == "__main__":
    main()
