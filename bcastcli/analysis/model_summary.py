"""The findings on a model in a few sentences: the counts, and notes on the whole model."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from bcastcli.analysis.model import Finding, Findings, Verdict
from bcastcli.core.shapes import UNKNOWN, Size, written
from bcastcli.models.nodes import Model, Stop


def summary(findings: Findings) -> str:
    """Return the counts in one line, and at its end where the model stops first."""
    model, found, stops, _ = findings
    stop = f"; stops at {stops[0].text}" if stops else ""
    return f"{'' if model.opset is None else f'opset {model.opset}, '}{_counts(found)}{stop}"


def outcome(findings: Findings) -> str:
    """Return what becomes of a model with its sizes, in a few words."""
    if findings.stops:
        first = findings.stops[0]
        return f"stops at {first.text}: {first.stop.message}"
    for first in findings.possible_stops[:1]:
        return f"may stop at {first.text}: {first.stop.message}"
    if all(each.verdict is Verdict.YES for each in findings.nodes):
        return "all broadcast"
    return _counts(findings.nodes)


def _counts(found: Sequence[Finding]) -> str:
    number_of = Counter(each.verdict for each in found)
    if not found:
        return "no broadcasting nodes"
    is_one = len(found) == 1
    if number_of[Verdict.YES] == len(found):
        kinds = Counter(map(_kind, found))
        if is_one:
            return f"1 node: it broadcasts, {next(iter(kinds))}"
        parts = ", ".join(f"{kinds[kind]:,} {kind}" for kind in _KINDS if kinds[kind])
        return f"{len(found):,} nodes: all broadcast: {parts}"
    said = []
    for each, (one, many) in _COUNTED.items():
        if number := number_of[each]:
            said.append(f"{'it' if is_one else f'{number:,}'} {one if number == 1 else many}")
    return f"{len(found):,} node{'' if is_one else 's'}: {', '.join(said)}"


_COUNTED = {
    Verdict.YES: ("broadcasts", "broadcast"),
    Verdict.NO: ("does not broadcast", "do not"),
    Verdict.DEPENDS: (
        "depends on sizes left open by the model",
        "depend on sizes left open by the model",
    ),
    Verdict.UNDECIDED: ("is undecided", "are undecided"),
    Verdict.MALFORMED: ("is invalid", "are invalid"),
}
_EQUAL, _ONE_ELEMENT, _NONE_STRETCHES, _ONE_STRETCHES, _ALL_STRETCH = _KINDS = (
    "with equal shapes",
    "with a one-element operand",
    "where no operand stretches",
    "where one operand stretches",
    "where all operands stretch",
)


def _kind(finding: Finding) -> str:
    """Return how a node broadcasts."""
    answer = finding.answer
    shapes = [each.shape for each in answer.question.inputs] if answer else []
    if len({*shapes}) <= 1:
        return _EQUAL
    if any(all(size == 1 for size in shape) for shape in shapes):
        return _ONE_ELEMENT
    if answer and answer.axes and not any(axis.stretched for axis in answer.axes):
        return _NONE_STRETCHES
    return _ALL_STRETCH if answer and answer.growth_shapes else _ONE_STRETCHES


def notes(findings: Findings, command: str) -> Iterator[str]:
    """Yield the notes on the whole model; `command` is the command line that reads it."""
    model, found, stops, possible = findings
    yield from model.remarks
    for first in stops[:1]:
        yield from _baked_in(first.stop)
    for each in possible:
        yield f"stops at {each.text} if that node runs: {each.stop.message}"
    undecided = [each for each in found if each.verdict is Verdict.UNDECIDED]
    for label, number in Counter(each.behind for each in undecided if each.behind).items():
        yield f"{_count(number)} undecided: behind {label}"
    here = {each.stop.node.number for each in (*stops, *possible)}
    open_ones = [each for each in undecided if not each.behind and each.node.number not in here]
    has_open_sizes = bool(model.sizes or model.open_inputs)
    if not open_ones:
        if has_open_sizes and findings.status == 0:
            yield f"some sizes may still fail; {_set_them(model, command)}"
        return
    these = f"{_count(len(open_ones))} undecided"
    if any(each.verdict is Verdict.NO for each in found) and not stops:
        yield f"{these}: shapes are unknown after a mismatch"
    elif has_open_sizes:
        left = "inference left some sizes open" if model.format == "onnx" else "sizes are open"
        yield f"{these}: {left}; {_set_them(model, command)}"
    else:
        yield f"{these}: {_UNLESS.get(model.format) or open_ones[0].when}"


def _set_them(model: Model, command: str) -> str:
    """Return the command line that gives the open sizes values."""
    needs = " (needs pip install 'bcastcli[openvino]')" if model.format == "openvino" else ""
    return f"set them: {command} {' '.join(_advised(model))}{needs}"


def _count(number: int) -> str:
    return f"{number:,} node{'s are' if number > 1 else ' is'}"


_WITH_WEIGHTS = ("Conv", "ConvTranspose", "Gemm", "MatMul")
"""Operators whose constants are meant to fix sizes."""


def _baked_in(stop: Stop) -> Iterator[str]:
    """Yield a note on an operand of a stop whose size the file fixes."""
    node, axis = stop.node, stop.axis
    if all(node.constant) or node.operator in _WITH_WEIGHTS:
        return
    words = {*stop.message.replace(",", "").split()}
    named = [place for place, name in enumerate(node.names) if name in words]
    places = [place for place in named or range(len(node.names)) if node.constant[place]]
    rank = max((len(each) for each in node.inputs if each is not None), default=0)
    for place in places:
        shape, kind = node.inputs[place], node.constant[place]
        name, article = node.names[place] or f"input {place}", "an" if kind[0] in "ai" else "a"
        where = axis - (rank - len(shape)) if axis is not None and shape is not None else -1
        if node.operator == "Reshape" and shape is not None:
            what = f"the target {written(shape)}"
        elif shape is not None and 0 <= where < len(shape):
            what = f"its size of {shape[where]} on axis {where}"
        else:
            continue
        yield f"{name} is {article} {kind}: {what} was baked in when the model was exported"


def _advised(model: Model) -> Iterator[str]:
    """Yield values to try for the open sizes: each its own, none 1, and none of the constants."""
    taken = {
        size
        for node in (*model.nodes, *(each.node for each in model.stops))
        for shape, kind in zip(node.inputs, node.constant, strict=False)
        for size in (shape or ())
        if kind
    }
    numbers = (number for number in count(2) if number not in taken)
    values: dict[Size, Size] = {name: next(numbers) for name in model.sizes}
    yield from (f"{name}={size}" for name, size in values.items())
    for name, shape in model.open_inputs.items():
        sizes = [next(numbers) if size == UNKNOWN else values.get(size, size) for size in shape]
        yield f"{name}={written(sizes)}"


_UNLESS = {
    "onnx": "inference leaves shapes open",
    "openvino": "the file leaves sizes open",
    "pnnx": "the file lacks shapes; run pnnx with an inputshape",
}
