"""A process that reshapes an OpenVINO IR; nothing else imports openvino.

    python -m bcastcli.model.reshaping SECONDS MEBIBYTES FILE

It takes the inputs' shapes as JSON from standard input, and writes one line of JSON: the shapes of
all layers' outputs, by the layers' names, with the axes of each Broadcast whose mode is explicit;
where OpenVINO refuses the shapes, with those of the layers that do not need its output; or what is
wrong with the file.
"""

import json  # noqa: TID253  # a process of its own
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bcastcli.model.processes import NO_MEMORY, Limits, limit, reserved

_AT = re.compile(
    r"While validating node '(?:\w+::)?(\w+) (.*?)' with friendly_name '([^']*)'", re.DOTALL
)
_MOST_REFUSED = 8
_INPUT = re.compile(r"(?:\w+::)?\w+ (\S+)\[\d+\]:\w+\[([^\]]*)\]")


def main() -> None:
    """Answer one request."""
    seconds, mebibytes, file = sys.argv[1:]
    limits = Limits(int(seconds), int(mebibytes))
    limit(RLIMIT_CPU=limits.seconds, RLIMIT_CORE=0)
    import openvino

    weights = Path(file).with_suffix(".bin")
    mapped = weights.stat().st_size if weights.exists() else 0
    limit(RLIMIT_AS=reserved() + (limits.mebibytes << 20) + mapped)
    try:
        sys.stdout.write(f"{json.dumps(_answer(openvino, file, json.load(sys.stdin)))}\n")
    except MemoryError:
        sys.exit(NO_MEMORY)


def _answer(openvino: Any, file: str, given: Mapping[str, Sequence[int | str]]) -> dict[str, Any]:
    try:
        model = openvino.Core().read_model(file)
    except RuntimeError as error:
        weights = Path(file).with_suffix(".bin")
        if not weights.exists():
            return {"error": f"OpenVINO needs its weights to reshape it: {weights.name} is missing"}
        return {"error": f"OpenVINO cannot read it: {str(error).splitlines()[-1]}"}
    shapes = {}
    for place, each in enumerate(model.inputs):
        for name in {each.get_node().get_friendly_name(), *each.get_names()} & given.keys():
            sizes = [-1 if isinstance(size, str) else size for size in given[name]]
            shapes[place] = openvino.PartialShape(sizes)
    try:
        model.reshape(shapes)
    except RuntimeError as error:
        return _stopped(openvino, model, shapes, error)
    return _shapes(model)


def _stopped(openvino: Any, model: Any, shapes: Any, error: Exception) -> dict[str, Any]:
    """Return the layers that are refused, and the shapes of all that do not need their outputs.

    Those that do are `behind`, each with the refused one.
    """
    refused: list[dict[str, Any]] = []
    behind: dict[str, str] = {}
    while True:
        found = _refused(str(error))
        if "error" in found or found["name"] in behind or len(refused) == _MOST_REFUSED:
            return {"refused": refused} if refused else found
        refused.append(found)
        behind[found["name"]] = found["name"]
        for node in model.get_ordered_ops():
            for place in range(node.get_input_size()):
                source = node.input_value(place).get_node().get_friendly_name()
                if source in behind:
                    behind.setdefault(node.get_friendly_name(), behind[source])
        ends = [
            output
            for node in model.get_ordered_ops()
            if node.get_friendly_name() not in behind and node.get_type_name() != "Result"
            for output in node.outputs()
        ]
        try:
            part = openvino.Model(ends, model.get_parameters())
            part.reshape(shapes)
        except (RuntimeError, TypeError) as another:
            error = another
        else:
            return {**_shapes(part), "refused": refused, "behind": behind}


def _shapes(model: Any) -> dict[str, Any]:
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
