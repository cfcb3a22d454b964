"""Reports of error messages: the answer, and which information is missing."""

import re
from collections.abc import Iterator, Mapping, Sequence

from bcastcli import reports
from bcastcli.core.alignment import letters
from bcastcli.core.rule import Reason
from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.core.wording import joined_with_and
from bcastcli.render.sheet import Cell, Grid, Line, Part, Sheet, Tone
from bcastcli.reports import STATUS, Report, tables
from bcastcli.rules import USUAL
from bcastcli.why.explained import Explanation, command_of, owner_names
from bcastcli.why.messages import Fault, Reading, catalogue
from bcastcli.why.messages.reading import MATMUL, Origin
from bcastcli.why.sizes import EINSUM

_OF_MODELS = {"onnx", "onnxruntime", "openvino", "tensorrt", "mnn"}
"""The frameworks that run models from files, whose nodes have names."""
_WITH_SHAPES = {"torch", "numpy", "jax", "tensorflow", "paddle", "mlx", "cupy", "dask", "tinygrad"}
"""The frameworks whose arrays have a `shape`."""
_OF_PYTHON = _WITH_SHAPES | {"keras", "scipy", "pytensor", "numba"}
_IN_A_CELL = re.compile(r"In ?\[|Cell |Input |<ipython-input|\S{0,200}ipykernel_")
_IS_SCRIPT = re.compile(r"[\w/][\w./-]{0,200}\.py")
_IS_NAME = re.compile(r"[A-Za-z_][\w.]{0,60}(?:[(\[][\w.\[\]()'\":, -]{0,60}[)\]])?")
"""A name, or an item or a call of one; not "operand 1"."""
_MANY_AXES = 4
"""The most axes to the left of the one that is known that have a column each."""


def placed(fault: Fault) -> str:
    """Return the sentence on a fault, with its place in a longer text."""
    return (f"line {fault.line}: " if fault.line > 1 else "") + fault.text


class FaultReport(Report):
    """A known fault that is not about broadcasting."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def lines(self) -> Sequence[str]:
        """Return its sentence."""
        return (f"mismatch: {self._fault.text}",)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return its kind, its figures and its sentence."""
        fault = self._fault
        status = STATUS[False] if fault.is_final else "invalid"
        known = {"recognised": fault.kind, "kind": fault.kind, "figures": dict(fault.figures)}
        record = {"command": "why", "status": status, "line": fault.line, **known}
        return ({**record, "message": fault.message, "text": fault.text},)

    def sheet(self) -> Sheet:
        """Return its sentence, with its place in a longer text."""
        return Sheet("", "", (Line("", placed(self._fault)),))


class ReadingReport(Report):
    """A reading of a message, with the answer of its rule."""

    def __init__(self, each: Explanation) -> None:
        self._each = each

    def lines(self) -> Sequence[str]:
        """Return the answer in one line."""
        return (verdict(self._each),)

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the record of the answer and the message."""
        from bcastcli.reports import records  # loads json, which takes a while

        each, reading, answer = self._each, self._each.reading, self._each.answer
        has_two = reading.rule == MATMUL or len(reading.sizes or ()) == 2
        names = reading.names or letters(2 * has_two)
        shapes: Sequence[Shape | None] = reading.shapes or [None] * len(names)
        operands = [{"name": each[0], "shape": each[1]} for each in zip(names, shapes, strict=True)]
        if answer:
            own = records.record(answer)
        else:
            kind = "rank" if "rank" in reading.caveats else "sizes"
            reason = None if each.reason is None else Reason(kind, each.reason)
            own = {**records.verdict({}, each.ok, None, None, reason), "axes": None}
        of_the_reading = {
            "command": "why",
            "status": STATUS[each.ok],
            "line": reading.line,
            "count": reading.times,
            "message": reading.message,
            "framework": _one_or_all(reading.framework),
            "operation": reading.operation,
            "node": reading.node,
            "sizes": reading.sizes,
            "axis": reading.axis,
            "axis_of": reading.axis_of,
            "origin": None if reading.origin is None else _place(reading.origin),
            "told": reading.known_parts,
            "caveats": reading.caveats,
        }
        first = {"rule": reading.rule, "operands": operands}
        own = records.with_advice({**first, **own, **first}, each.notes, each.lines)
        return ({**own, **of_the_reading},)

    def sheet(self) -> Sheet:
        """Return the message, the table or its replacement, notes, and last the answer."""
        each = self._each
        parts: list[Part] = [Line("", title(each.reading))]
        if each.reading.origin:
            parts.append(Line("", origin(each.reading.origin)))
        parts += tables.table(each.answer) if each.answer else _missing_information(each)
        parts += ending(each)
        return Sheet(title(each.reading), tables.sentence(verdict(each)), tuple(parts))


def _one_or_all(names: Sequence[str]) -> str | Sequence[str] | None:
    return names if len(names) > 1 else names[0] if names else None


def _place(origin: Origin) -> Mapping[str, object]:
    return {"file": origin.file, "line": origin.line or None, "source": origin.source or None}


def origin(origin: Origin) -> str:
    """Return the user's line from which a message comes."""
    line = f", line {origin.line}" if origin.line else ""
    return f"{origin.file}{line}{': ' * bool(origin.source)}{origin.source}"


def frameworks(reading: Reading) -> str:
    """Return the framework's usual name; several if the message leaves it open."""
    return " or ".join(catalogue().frameworks[name] for name in reading.framework)


def verdict(each: Explanation) -> str:
    """Return the answer in one line."""
    if each.answer:
        return reports.verdict(each.answer)
    if each.ok is None:
        return "cannot tell: the message is truncated, or its sizes are symbolic"
    if each.ok:
        return "the sizes that the message shows do broadcast"
    return f"mismatch: {each.reason}"


def title(reading: Reading) -> str:
    """Return the framework and its message, and its place in a longer text."""
    if reading.times > 1:
        where = f" ({reading.times} times, first on line {reading.line})"
    else:
        where = f" (line {reading.line})" if reading.line > 1 else ""
    return f"{frameworks(reading)}: {reading.message}{where}"


def ending(each: Explanation) -> Iterator[Grid | Line]:
    """Yield notes, what to write instead, and the answer."""
    for note in each.notes:
        yield Line("note", note.text, Tone.NOTE)
    if each.lines:
        yield tables.advised(each.lines)
    yield Line("", verdict(each), tables.ANSWER_TONE[each.ok])


def _missing_information(each: Explanation) -> Iterator[Part]:
    """Yield the lines known, unknown and next, for a message without shapes."""
    reading = each.reading
    names, sizes = owner_names(reading), reading.sizes
    if len(names) == 2 and sizes and reading.axis is not None and reading.axis >= 0:
        yield _one_axis(each, reading.axis, names, sizes)
    known = [f"the rule is {reading.rule}"]
    if reading.operation:
        known.append(f"the operation is {reading.operation}")
    if reading.node:
        known.append(f"the node is {reading.node}")
    if sizes and len(sizes) == 2:
        if names:
            known.append(f"{names[0]} has {sizes[0]} and {names[1]} has {sizes[1]}")
        else:
            clash = f"two sizes that clash: {sizes[0]} and {sizes[1]}"
            known.append(f"{clash}, but not which operand has which")
    if reading.axis is not None:
        known.append(_axis(reading))
    yield Line("known", "; ".join(known))
    yield Line("unknown", "; ".join(_unknown(reading)))
    yield Line("next", _next(reading))


def _one_axis(each: Explanation, axis: int, names: Sequence[str], sizes: Sequence[Size]) -> Grid:
    """Return the table of one axis; those around it are left open, or left out if they are many."""
    before = [str(number) for number in range(axis)] if axis <= _MANY_AXES else ["..."]
    fill = [Cell(UNKNOWN)] * len(before)
    rows = tuple(
        (Cell(name), *fill, Cell(str(size)), Cell(UNKNOWN))
        for name, size in zip(names, sizes, strict=True)
    )
    heads = (*map(Cell, before), Cell(str(axis)), Cell("..."))
    sign = Cell("?", Tone.DEPENDS) if each.ok is None else Cell("!", Tone.CLASH)
    right = Cell("=", Tone.EQUAL) if _is_rightmost(each.reading) else Cell()
    signs = (Cell(), *[Cell()] * len(before), sign, right)
    return Grid(((Cell("axis"), *heads),), (rows, (signs,)), range(1, len(heads) + 1))


def _axis(reading: Reading) -> str:
    if reading.axis_of == "batch":
        return f"they clash on axis {reading.axis} of the batch axes"
    of = f" of the {reading.axis_of}"
    if reading.axis_of == "operands":
        named = joined_with_and(reading.names) if reading.names else "two operands"
        of = f", with only {named} aligned"
    fits = "; any axes to its right match" if _is_rightmost(reading) else ""
    return f"they clash on axis {reading.axis}{of}{fits}"


def _is_rightmost(reading: Reading) -> bool:
    """Whether the axis is known to be the rightmost one that clashes."""
    return "torch" in reading.framework and reading.rule == USUAL


def _unknown(reading: Reading) -> Iterator[str]:
    yield "the shapes"
    if reading.operation == "einsum":
        return
    if reading.axis is None:
        yield "the axis"
    elif reading.axis >= 0:
        yield f"the number of axes ({reading.axis + 1} or more)"
    if reading.axis_of == "operands":
        yield "whether there are more operands"
    if "perhaps batch axes" in reading.caveats:
        yield "whether these are only the batch axes of a matrix product"


def _next(reading: Reading) -> str:
    """Return how to get the shapes, in the framework's terms."""
    command = f"bcastcli {command_of(reading)} SHAPE SHAPE"
    if reading.operation == "einsum":
        return f"print the shapes before that line; {EINSUM}"
    if {*reading.framework} & _OF_MODELS:
        if reading.node and not reading.node.isdecimal():
            return f"bcastcli model FILE, which shows the node {reading.node} with its shapes"
        return f"look up the shapes of the node's inputs, then {command}"
    first = _run(reading)
    if len(reading.framework) == 1 and reading.framework[0] in _WITH_SHAPES:
        own = reading.origin and reading.origin.source and not reading.origin.names
        named = [f"{name}.shape" for name in reading.names if _IS_NAME.fullmatch(name) and not own]
        if len(named) == 2:
            return f"{first}print({', '.join(named)}) before that line, then {command}"
    return f"{first}print the shapes before that line, then {command}"


def _run(reading: Reading) -> str:
    """Return the command that runs a Python program again and shows the shapes."""
    from importlib.util import find_spec  # takes a while

    if not {*reading.framework} <= _OF_PYTHON or not find_spec("bcastcli.raising"):
        return ""
    origin = reading.origin
    if origin and _IN_A_CELL.match(origin.script or origin.file):
        return "%load_ext bcastcli and run the cell again; or "
    is_script = origin and _IS_SCRIPT.fullmatch(origin.script)
    return f"bcastcli run {origin.script if origin and is_script else 'FILE'}; or "
