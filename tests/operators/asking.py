"""How the tests of operators ask, and what the table has."""

from collections.abc import Mapping, Sequence

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape, written
from bcastcli.operators import questions as asking
from bcastcli.operators import table
from bcastcli.operators.table import Version
from tests.in_memory import run

TABLE = table.table()


def plain(*arguments: str) -> tuple[int, str]:
    """The status of `op` and the line that it writes."""
    ended = run(["op", *arguments, "-p"])
    assert ended.err == ""
    return ended.status, ended.out.removesuffix("\n")


def ask(name: str, line: str, opset: int | None = None, **options: int) -> Answer:
    return asking.ask(f"{line} {line_of((), options)}", opset, name)


def of_shapes(name: str, shapes: Sequence[Shape], opset: int | None, **options: int) -> Answer:
    return ask(name, " ".join(map(written, shapes)), opset, **options)


def line_of(shapes: Sequence[Shape], options: Mapping[str, int]) -> str:
    """Shapes and settings as they are typed."""
    settings = (f"{name}={int(value)}" for name, value in options.items())
    return " ".join((*map(written, shapes), *settings))


def until(version: Version) -> int:
    """The last opset in which a version counts."""
    later = [
        each.since_opset for each in TABLE[version.op] if each.since_opset > version.since_opset
    ]
    return min(later, default=table.MAX_OPSET + 1) - 1


# What tells the rules apart, for operators whose inputs are their operands; None: no broadcast.
ELEMENTWISE: dict[str, dict[str, str | None]] = {
    "onnx": {"2,1 1,3": "2,3", "3 2,3": "2,3", "2,3 2": None, "N 3": "3 when N in (1, 3)"},
    "none": {"2,3 2,3": "2,3", "2,3 1,3": None, "2,3 3": None, "N 3": "3 when N == 3"},
}


OF_OTHERS: dict[tuple[str, int], dict[str, str | None]] = {
    ("Expand", 8): {"3,1 2,1,6": "2,3,6", "3,4 3": None, "5 1": "5"},
    ("Gemm", 7): {"2,3 3,4 4": "2,4", "2,3 3,4 2,1": "2,4", "2,3 3,4 2": None, "2,3 2,4 4": None},
    ("Gemm", 11): {"2,3 3,4 4": "2,4", "2,3 3,4": "2,4", "2,3 3,4 1,2,4": None, "2,3 2,4": None},
    ("LayerNormalization", 17): {
        "2,3,4 3,1": "2,3,4",
        "2,3,4 4 2,1,1": "2,3,4",
        "2,3,4 4 3": None,
        "1,4 3,4": None,
    },
    ("MatMul", 1): {"8,1,3,4 5,4,6": "8,5,3,6", "2,3 2,3": None, "3 3": "()", "2,3,4 3,4,5": None},
    ("MatMulInteger", 10): {"2,3 3,4": "2,4", "7,2,3 3": "7,2", "3 7,3,2": "7,2", "() 3": None},
    ("QLinearMatMul", 10): {"2,3 3,4": "2,4", "7,2,3 3": "7,2", "3 7,3,2": "7,2", "() 3": None},
    ("PRelu", 7): {"2,3,4 3,1": "2,3,4", "2,3,4 4": "2,3,4", "2,3,4 3": None, "3 1,3": None},
    ("RMSNormalization", 23): {"2,3,4 3,1": "2,3,4", "2,3,4 3": None, "1,4 3,4": None},
    ("Where", 9): {"2,1 3 1": "2,3", "1,1 2,1 1,3": "2,3", "2 3 1": None},
}


VARIADIC: dict[str, dict[str, str | None]] = {
    "onnx": {"2,3": "2,3", "2,1 3 1,1,1": "1,2,3", "2 3": None},
    "none": {"2,3": "2,3", "2,3 2,3 2,3": "2,3", "2,3 3": None},
}


def questions(version: Version) -> dict[str, str | None]:
    """What is asked of a version of an operator, and what it is to answer."""
    if (version.op, version.since_opset) in OF_OTHERS:
        return OF_OTHERS[version.op, version.since_opset]
    return (VARIADIC if version.is_variadic else ELEMENTWISE)[version.rule]
