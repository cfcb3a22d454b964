"""The findings on a model in a few sentences: the counts, and notes on the whole model."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod

from bcastcli.core.shapes import written
from bcastcli.model.findings import Finding, Findings, Verdict
from bcastcli.model.inference import MAX_COMBINATIONS
from bcastcli.model.nodes import Model, Stop, shown


def summary(findings: Findings) -> str:
    """Return the counts in one line, and at its end where the model stops first."""
    model, found, stops, *_ = findings
    parts = [_counts(found)]
    if not findings.fails:
        parts += _others(model)
    parts += unchecked(model)
    parts += [f"ONNX Runtime refuses {name}" for name in model.refused]
    parts += [f"stops at {each.node.where}" for each in stops[:1]]
    return f"{'' if model.opset is None else f'opset {model.opset}, '}{'; '.join(parts)}"


def _others(model: Model) -> list[str]:
    """Return how many nodes that do not broadcast were checked, if any."""
    were = "others were" if model.checked > 1 else "other was"
    return [f"{model.checked:,} {were} checked"] if model.checked else []


def unchecked(model: Model) -> Iterator[str]:
    """Yield the number of unchecked operators, with their names, if there are any."""
    names = [*dict.fromkeys(model.unchecked)]
    if names:
        shown = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
        are = "operator is" if len(names) == 1 else "operators are"
        yield f"{len(names):,} {are} not checked: {shown}"


_MOST_NAMES = 5


def outcome(findings: Findings, *, whole: bool = True) -> str:
    """Return a one-line result for a model with the given sizes, with the whole reason."""
    if findings.model.problem:
        return f"error: {findings.model.problem}"
    for first in findings.stops[:1]:
        return f"stops at {first.node.where}{f': {first.message}' if whole else ''}"
    for first in findings.possible_stops[:1]:
        return f"may stop at {first.node.where}: {first.message}"
    parts = [_counts(findings.nodes)]
    if all(each.verdict is Verdict.YES for each in findings.nodes):
        parts += [*_others(findings.model), *unchecked(findings.model)]
    return "; ".join(parts)


def _counts(found: Sequence[Finding]) -> str:
    number_of = Counter(each.verdict for each in found)
    if not found:
        return "no broadcasting nodes"
    is_one = len(found) == 1
    if number_of[Verdict.YES] == len(found):
        return "1 node broadcasts" if is_one else f"all {len(found):,} nodes broadcast"
    parts = []
    for each, (one, many) in _COUNTED.items():
        if number := number_of[each]:
            parts.append(f"{'it' if is_one else f'{number:,}'} {one if number == 1 else many}")
    return f"{len(found):,} node{'' if is_one else 's'}: {', '.join(parts)}"


_OPEN = "sizes left open by the model"
_COUNTED = {
    Verdict.YES: ("broadcasts", "broadcast"),
    Verdict.NO: ("does not broadcast", "do not broadcast"),
    Verdict.DEPENDS: (f"depends on {_OPEN}", f"depend on {_OPEN}"),
    Verdict.UNDECIDED: ("is undecided", "are undecided"),
    Verdict.MALFORMED: ("is invalid", "are invalid"),
}


def notes(findings: Findings, command: str) -> Iterator[str]:
    """Yield the notes on the whole model; `command` is the command line that reads it."""
    model, found, stops, possible, *_ = findings
    yield from model.remarks
    for first in stops[:1]:
        yield from baked_in(first)
    if findings.fails:
        yield from _first_that_fails(model, command) if stops else ()
        return
    for each in possible:
        yield f"stops at {each.node.where} if that node runs: {each.message}"
    undecided = [each for each in found if each.verdict is Verdict.UNDECIDED]
    for why, number in Counter(filter(None, map(_whatever_the_sizes, undecided))).items():
        yield f"{_count(number)} undecided: {why}"
    here = {each.node.number for each in (*stops, *possible)}
    of_sizes = [each for each in undecided if not _whatever_the_sizes(each)]
    open_ones = [each for each in of_sizes if each.node.number not in here]
    if open_ones:
        why = _to_give(model) or "inference leaves shapes open"
        yield f"{_count(len(open_ones))} undecided: {why}"
    elif findings.status == 0 and _to_give(model):
        yield f"other sizes may still fail: {_to_give(model)}"


def _to_give(model: Model) -> str:
    """Return which sizes and shapes to give; empty if all are known."""
    parts = [f"sizes for {', '.join(model.sizes)}"] if model.sizes else []
    parts += [f"a shape for {name} ({shown(shape)})" for name, shape in model.open_inputs.items()]
    return f"give {' and '.join(parts)}" if parts else ""


def _whatever_the_sizes(finding: Finding) -> str:
    """Return why a node stays undecided with any sizes; empty if sizes may decide it."""
    reason = finding.answer and finding.answer.reason
    if reason and reason.kind == "undecided":
        return reason.text
    return f"behind {finding.behind}" if finding.behind else ""


def _first_that_fails(model: Model, command: str) -> Iterator[str]:
    """Yield the command line that finds the first sizes that fail: it tries smaller ones too."""
    swept = {name: sorted({1, 2, size}) for name, size in model.chosen.items()}
    if swept and prod(map(len, swept.values())) <= MAX_COMBINATIONS:
        words = command.split(" ")
        kept = [word for word in words if word.partition("=")[0] not in swept]
        tried = (f"{name}={','.join(map(str, sizes))}" for name, sizes in swept.items())
        yield f"to find the first sizes that fail: {' '.join([*kept, *tried])}"


def _count(number: int) -> str:
    return f"{number:,} node{'s are' if number > 1 else ' is'}"


_WITH_WEIGHTS = ("Conv", "ConvTranspose", "Gemm", "MatMul")
"""Operators with weights, which fix sizes on purpose."""


def baked_in(stop: Stop) -> Iterator[str]:
    """Yield a note on an operand of a stop whose size the file fixes."""
    node, axis = stop.node, stop.axis
    if stop.fixed:
        yield f"{stop.fixed}, {_BAKED}"
    if all(node.constant) or node.operator in _WITH_WEIGHTS:
        return
    words = {*stop.message.replace(",", "").split()}
    named = [place for place, name in enumerate(node.names) if name in words]
    if node.operator == "Reshape":  # the message names its data, and has the target's sizes
        named = [1]
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
        yield f"{name} is {article} {kind}: {what} {_BAKED}"


_BAKED = "was baked in when the model was exported"
