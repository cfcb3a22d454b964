"""What the documents of ONNX's operators say of known sizes, and questions near yes and no."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bcastcli.core.shapes import Shape, Size

Known = tuple[int, ...]


def multidirectional(*shapes: Known) -> Known | None:
    rank = max(map(len, shapes))
    result = []
    for sizes in zip(*((1,) * (rank - len(shape)) + shape for shape in shapes), strict=True):
        others = set(sizes) - {1}
        if len(others) > 1:
            return None
        result.append(max(others, default=1))
    return tuple(result)


def unidirectional(kept: Known, *others: Known) -> Known | None:
    return kept if multidirectional(kept, *others) == kept else None


def identical(*shapes: Known) -> Known | None:
    return shapes[0] if len(set(shapes)) == 1 else None


def gemm(left: Known, right: Known, *added: Known, trans_a: int = 0, trans_b: int = 0) -> Any:
    if len(left) != 2 or len(right) != 2:
        return None
    (rows, inner), (again, columns) = left[:: -1 if trans_a else 1], right[:: -1 if trans_b else 1]
    return unidirectional((rows, columns), *added) if inner == again else None


def matmul(left: Known, right: Known) -> Known | None:
    """As numpy.matmul: a 1 is put before a lone left axis and after a lone right one, then cut."""
    if not left or not right:
        return None
    a, b = (1, *left)[len(left) > 1 :], (right if len(right) > 1 else (*right, 1))
    batch = multidirectional(a[:-2], b[:-2])
    if batch is None or a[-1] != b[-2]:
        return None
    return batch + a[-2:-1] * (len(left) > 1) + b[-1:] * (len(right) > 1)


def normalization(given: Known, *others: Known, axis: int = -1) -> Known | None:
    return unidirectional(given, *others) if -len(given) <= axis < len(given) else None


class Document(NamedTuple):
    """An operator in an opset, and what its document says."""

    name: str
    opset: int | None
    counts: tuple[int, ...]
    says: Any
    options: Mapping[str, Sequence[int]] = {}


DOCUMENTS = [
    Document("Add", 7, (2,), multidirectional),
    Document("Where", None, (3,), multidirectional),
    Document("Sum", 8, (1, 2, 3), multidirectional),
    Document("Sum", 7, (1, 2, 3), identical),
    Document("QLinearMatMul", None, (2,), matmul),
    Document("Expand", None, (2,), multidirectional),
    Document("PRelu", None, (2,), unidirectional),
    Document("Gemm", None, (2, 3), gemm, {"trans_a": (0, 1), "trans_b": (0, 1)}),
    Document("MatMul", None, (2,), matmul),
    Document("LayerNormalization", None, (2, 3), normalization, {"axis": (-4, -2, -1, 0, 1, 3)}),
    Document("RMSNormalization", None, (2,), normalization, {"axis": (-1, 0, 2)}),
]


class Question(NamedTuple):
    shapes: tuple[Shape, ...]
    options: dict[str, int]


def random_question(document: Document, chance: random.Random, sizes: Sequence[Size]) -> Question:
    """Shapes that go together often enough: their sizes are mostly those of one common shape."""
    count = chance.choice(document.counts)
    options = {name: chance.choice(values) for name, values in document.options.items()}
    common = [chance.choice(sizes) for _ in range(3)]
    if document.name == "Gemm" and chance.random() < 0.9:
        rows, inner, columns = common
        made: list[Shape] = [
            (inner, rows) if options["trans_a"] else (rows, inner),
            (columns, inner) if options["trans_b"] else (inner, columns),
            (rows, columns)[chance.randint(0, 2) :],
        ][:count]
    elif document.name == "MatMul" and chance.random() < 0.8:
        *batch, inner = common
        row, column = chance.choice(sizes), chance.choice(sizes)
        made = [
            (*batch[chance.randint(0, 2) :], row, inner)[chance.choice([0, -1, 0]) :],
            chance.choice([(*batch[chance.randint(0, 2) :], inner, column), (inner,)]),
        ]
    else:
        made = [tuple(common[chance.randint(0, 2) :]) for _ in range(count)]
        if chance.random() < 0.4:
            made[0] = tuple(common)
    change = chance.choice([0.0, 0.3, 0.6])
    shapes = tuple(
        tuple(chance.choice((1, *sizes)) if chance.random() < change else size for size in shape)
        for shape in made
    )
    return Question(shapes, options)
