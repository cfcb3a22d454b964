"""A reading against what the framework was given: every operand, size and axis."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import reduce
from itertools import combinations, zip_longest
from math import prod

from bcastcli.why.explained import explain
from bcastcli.why.messages import Fault, Reading
from bcastcli.why.messages.reader import read
from bcastcli.why.messages.reading import MATMUL
from bcastcli.why.report import ReadingReport
from tests.engines.messages.cases import Given
from tests.engines.messages.names import Shape
from tests.examples import in_short

Size = int | str
Pair = tuple[Sequence[Size], Sequence[Size]]


def complaint(given: Given) -> str | None:
    """What is wrong with what is read from the text; None if it is right."""
    said = read(given.text.encode()).findings
    case = given.case
    readings = [each for each in said if isinstance(each, Reading)]
    faults = [each for each in said if isinstance(each, Fault)]
    if wrong_fault := next(filter(None, (_false(fault, given) for fault in faults)), None):
        return wrong_fault
    if not case.rules:
        return f"false claim: {in_short(readings[0])}" if readings else None
    if not readings:
        return None if said else "not heard"
    if len(readings) > 1:
        return f"{len(readings)} readings: " + "; ".join(in_short(each) for each in readings)
    wrong = "; ".join(_wrong(readings[0], given))
    return f"{wrong}: {in_short(readings[0])}" if wrong else None


def _false(fault: Fault, given: Given) -> str | None:
    """What a fault has wrong: its kind, or a figure that was not given."""
    if fault.kind not in given.case.faults:
        return f"false fault: {fault.kind}: {fault.text}"
    if "any" in given.case.words:
        return None
    known = {*_numbers_of(given, given.case.own)}
    for name, figure in fault.figures.items():
        is_known = {abs(number) for number in _numbers(figure)} <= known
        is_own = {*_numbers(figure)} <= {*given.case.own}
        if not is_known or (not is_own and _is_reordered(figure, given.shapes)):
            return f"false figure: {name} is {figure}: {fault.text}"
    return None


def _numbers(figure: object) -> Iterator[int]:
    """The numbers of a figure: of a shape its sizes, of a name none."""
    if isinstance(figure, int):
        yield figure
    elif isinstance(figure, tuple):
        for each in figure:
            yield from _numbers(each)


def _is_reordered(figure: object, shapes: Sequence[Shape]) -> bool:
    """Whether a figure has the sizes of a shape in another order, ones left out.

    It may have those of axes that follow each other in another shape.
    """
    if not isinstance(figure, tuple):
        return False
    read, *others = ([size for size in each if size != 1] for each in (figure, *shapes))
    if any(read == each[start:][: len(read)] for each in others for start in range(len(each) + 1)):
        return False
    return any(sorted(read, key=str) == sorted(each, key=str) for each in others)


def _numbers_of(given: Given, own: Collection[int]) -> Iterator[int]:
    """Yield what a message can count: sizes, elements, axes, ranks, last indices, operands."""
    yield from map(abs, own)
    yield from range(max(map(len, given.shapes)) + 2)
    for shape in given.shapes:
        sizes = [int(size) for size in shape]
        yield from (size - 1 for size in sizes if size)
        yield from (prod(sizes[:end][start:]) for end in range(9) for start in range(end))


def _wrong(reading: Reading, given: Given) -> Iterator[str]:
    """Yield what a reading has wrong."""
    case, shapes = given.case, given.case.ordered(given.shapes)
    if not {*case.frameworks} & {*reading.framework}:
        yield "framework"
    if reading.rule not in case.rules:
        yield "rule"
        return
    if "cut" in reading.caveats or not {"shapes"} & {*case.words} <= {*reading.known_parts}:
        yield "not whole"
    explanation = explain(reading)
    report, ok = ReadingReport(explanation), explanation.ok
    assert report.sheet()
    assert report.records()
    has_letters = any(isinstance(size, str) for shape in given.shapes for size in shape)
    if ok is not ("yes" in case.words) and not (ok is None and has_letters):
        yield f"the verdict is {ok}"
    if reading.shapes is not None:
        if not _are_given(reading, reading.shapes, given, shapes):
            yield f"shapes, given {shapes}"
        if case.names and case.names != reading.names:
            yield f"names {reading.names}"
        if "partly" in case.words:
            shapes = reading.shapes
    if not _sizes_are_given(reading, given, shapes):
        yield f"sizes or axis, given {shapes}"


def _are_given(
    reading: Reading, read: Sequence[Shape], given: Given, shapes: Sequence[Shape]
) -> bool:
    """Whether the shapes that are read are those of the operands that are named."""
    named = dict(zip(reading.names, read, strict=True))
    if "flattened" in reading.caveats:
        return _is_flattened(read, shapes)
    if "result" in named:
        output, result = read  # of all operands, or of all but the output
        is_result = any(_alike(result, reduce(merged, some)) for some in (shapes, shapes[1:]))
        return is_result and _alike(output, shapes[0])
    if "expected" in named and "value" not in named:
        return _is_expected(named, shapes, is_part="partly" in given.case.words)
    if reading.names[:1] == ("arg0",) or reading.names[:1] == ("arg1",):
        return all(_alike(shape, shapes[int(name[3:])]) for name, shape in named.items())
    if "output is last" in reading.caveats and len(shapes) == 2:
        shapes = (*shapes, shapes[0])
    return _all_alike(read, shapes, _dropping(reading), is_part="partly" in given.case.words)


def _is_expected(named: dict[str, Shape], shapes: Sequence[Shape], *, is_part: bool) -> bool:
    """Whether an argument is read, and what the ones before it came to."""
    expected = named.pop("expected")
    [(name, shape)] = named.items()
    if is_part:
        return any(_alike(shape, each) for each in shapes) and _so_far(expected, shapes)
    number = int(name[3:]) if name[3:].isdecimal() else 1
    return _alike(shape, shapes[number]) and _so_far(expected, shapes[: number + 1])


def _dropping(reading: Reading) -> bool:
    """Whether leading ones may be missing, or may have been put there."""
    return bool({"leading ones dropped", "padded"} & {*reading.caveats})


def _all_alike(
    read: Sequence[Shape], shapes: Sequence[Shape], loosely: bool, *, is_part: bool
) -> bool:
    """Whether shapes are read as given; loosely: but for leading ones."""
    seen: Callable[[Sequence[Size]], Sequence[Size]] = _bare if loosely else tuple
    if is_part:
        come_to = [
            seen(reduce(merged, some))
            for count in range(1, len(shapes) + 1)
            for some in combinations(shapes, count)
        ]
        return all(any(_alike(seen(shape), each) for each in come_to) for shape in read)
    return len(read) == len(shapes) and all(map(_alike, map(seen, read), map(seen, shapes)))


def _alike(read: Sequence[Size], given: Sequence[Size]) -> bool:
    """Whether a shape is read as given; letters may have got other names."""
    return len(read) == len(given) and all(map(_same, read, given))


def _same(read: Size, given: Size) -> bool:
    return read == given or isinstance(given, str)


def _bare(shape: Sequence[int | str]) -> Shape:
    """A shape without leading ones."""
    first = next((place for place, size in enumerate(shape) if size != 1), len(shape))
    return tuple(shape[first:])


def _is_flattened(read: Sequence[Shape], shapes: Sequence[Shape]) -> bool:
    """Whether two matrices are read as given, the first one flattened."""
    left, right = (tuple(int(size) for size in shape) for shape in shapes)
    first = (prod(left[:-1]), left[-1]) if left else ()
    if len(left) == 1 and read[1] == left:  # the vector and the matrix change places
        return read[0] == _folded((*right[:-2], right[-1], right[-2]))
    second = right if len(right) > 1 else (*right, 1)
    return read[0] in (first, left) and read[1] in (right, second, second[::-1], _folded(right))


def _folded(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (prod(shape[:-1]), shape[-1]) if shape else ()


def merged(one: Sequence[Size], other: Sequence[Size]) -> Sequence[Size]:
    """What two shapes come to, as much as they broadcast."""
    pairs = list(zip_longest(reversed(one), reversed(other), fillvalue=1))
    return tuple(
        a if b == 1 or isinstance(b, str) else b if a == 1 or isinstance(a, str) else a
        for a, b in reversed(pairs)
    )


def _so_far(read: Shape, earlier: Sequence[Shape]) -> bool:
    """Whether every size is 1 or that of one of the operands on its axis."""
    columns = zip_longest(*(shape[::-1] for shape in (read, *earlier)), fillvalue=1)
    return all(size in (1, *others) for size, *others in columns)


def _sizes_are_given(reading: Reading, given: Given, shapes: Sequence[Shape]) -> bool:
    """Whether the sizes that are told clash, on the axis that is told."""
    if reading.sizes is None and reading.axis is None:
        return True
    if reading.rule == MATMUL:
        return _of_product(reading, shapes)
    if reading.rule.startswith("op "):
        return True
    if MATMUL in given.case.rules:
        shapes = [shape[:-2] for shape in shapes]
    pairs = list(_pairs(shapes))
    if reading.rule == "onnx-uni" and _dropping(reading):
        pairs = [(shapes[0], _bare(shapes[1]))]
    return any(_clashes(reading, pair, shapes) for pair in pairs)


def _pairs(shapes: Sequence[Shape]) -> Iterator[Pair]:
    """Yield what the operands so far come to, and the next one."""
    so_far: Sequence[Size] = shapes[0]
    for shape in shapes[1:]:
        yield so_far, shape
        so_far = merged(so_far, shape)


def _clashes(reading: Reading, pair: Pair, shapes: Sequence[Shape]) -> bool:
    """Whether the two shapes have the sizes that are told, on the axis that is told."""
    rank = max(map(len, shapes if reading.axis_of == "result" else pair))
    shorter = min(map(len, pair))
    one, other = ((1,) * (rank - len(shape)) + tuple(shape) for shape in pair)
    columns = list(zip(one, other, strict=True))
    if reading.axis_of == "operand of lower rank":
        columns = columns[rank - shorter :]
    elif reading.axis_of == "a":
        columns = columns[rank - len(pair[0]) :]
    if reading.axis is not None:
        if not -len(columns) <= reading.axis < len(columns):
            return False
        columns = [columns[reading.axis]]
    to_target = reading.rule == "onnx-uni"
    is_equal = reading.rule in ("none", "explicit")
    clashing = [
        column
        for column in columns
        if isinstance(column[0], str)
        or isinstance(column[1], str)
        or (
            column[0] != column[1]
            and (is_equal or (column[1] != 1 if to_target else 1 not in column))
        )
    ]
    sizes = reading.sizes
    if sizes is None:
        return bool(clashing)
    if len(sizes) == 1:
        return any(_same(sizes[0], size) for column in clashing for size in column)
    if "order unknown" in reading.caveats or to_target:
        return any(_alike(sizes, column) or _alike(sizes, column[::-1]) for column in clashing)
    return any(_alike(sizes, column) for column in clashing)


def _of_product(reading: Reading, shapes: Sequence[Shape]) -> bool:
    """Whether the sizes are those that are summed over, or those of a batch axis."""
    left, right = shapes
    summed = (left[-1:], right[-2:-1] if len(right) > 1 else right[-1:])
    batch = reading._replace(rule="numpy"), (left[:-2], right[:-2])
    if reading.axis_of == "batch":
        return _clashes(batch[0]._replace(axis_of="pair"), batch[1], batch[1])
    sizes = reading.sizes or ()
    if len(sizes) == 4:
        return sizes[1] == left[-1] and sizes[3] == right[-2]
    both = summed[0] + summed[1]
    if reading.operation == "bmm" and _alike(sizes, (left[0], right[0])):
        return True  # it takes equal batch axes, even of size 1
    if reading.names[:1] == ("operand 1",):
        both = both[::-1]
    if _alike(sizes, both) or ("order unknown" in reading.caveats and _alike(sizes, both[::-1])):
        return True
    return reading.axis_of is None and _clashes(
        batch[0]._replace(axis_of="pair"), batch[1], batch[1]
    )
