"""Something that a framework is asked to do with random shapes, and what it was given then."""

import ast
import logging
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

Shape = tuple[int | str, ...]

_OPERANDS = "abcde"
MAX_ELEMENTS = 100_000
SIZES = ((1, 2, 3), (2, 3, 4, 5), (1, 3, 10, 12), (1, 5, 64, 768), (0, 1, 2, 7))


class Given(NamedTuple):
    """What a framework was given, and what it wrote."""

    case: "Case"
    shapes: tuple[Shape, ...]
    """In the order in which the case takes them."""
    text: str


class Case(NamedTuple):
    """A call, and how a message that it leads to must be read."""

    name: str
    call: Callable[..., Any]
    """Takes the shapes; with `letters`, some of their sizes are names."""
    rules: Collection[str] = ("numpy",)
    """The rules that may decide; without any, nothing broadcasts here."""
    operands: int = 2
    ranks: Sequence[int] = (0, 1, 2, 2, 3, 3, 4)
    """The ranks of the operands, one of which is drawn for each."""
    exact: Sequence[int] | None = None
    """The rank of each operand instead."""
    order: Callable[..., Sequence[Shape]] = lambda *shapes: shapes
    """Returns the shapes as the rule's command takes them."""
    faults: Collection[str] = ()
    """The kinds of fault that may be told, where nothing broadcasts."""
    own: Collection[int] | None = None
    """The numbers of the call itself, which a fault may tell, too; None: figures are not judged."""
    frameworks: Collection[str] = ()
    """Others that may be named as the one that wrote it."""
    empty: bool = True
    """Whether sizes of 0 are tried."""
    verdicts: Collection[bool] = (False,)
    """What may be answered of shapes without names."""
    warns: bool = False
    """Whether the text is a warning of a call that succeeds."""
    whole: bool = False
    """Whether the last line of the traceback alone says too little."""
    tells: Collection[str] = ()
    """What of "shapes", "sizes", "axis" and "operation" must be read at least."""
    partly: bool = False
    """Whether it shows some of the operands, or what some of them came to."""
    labels: Callable[..., Sequence[str]] | None = None
    """Returns the names that the message must give the operands."""
    letters: bool = False
    is_slow: bool = False
    """Whether each call takes much longer than usual."""


def both(name: str, call: Callable[..., Any], **facts: Any) -> Case:
    """A case in which all operands stretch."""
    return Case(name, call, **facts)


def target(name: str, call: Callable[..., Any], **facts: Any) -> Case:
    """A case that takes a target, and a source that must stretch to it."""
    return Case(name, call, ("onnx-uni",), **facts)


def output(name: str, call: Callable[..., Any], **facts: Any) -> Case:
    """A case that takes an output that is also the first operand, and more operands."""
    return Case(name, call, ("numpy", "onnx-uni"), **facts)


def product(name: str, call: Callable[..., Any], **facts: Any) -> Case:
    """A case that multiplies matrices."""
    return Case(name, call, ("op MatMul",), **{"ranks": (1, 2, 2, 3, 4), **facts})


def other(name: str, call: Callable[..., Any], *faults: str, **facts: Any) -> Case:
    """A case that fails for something else than broadcasting."""
    return Case(name, call, (), faults=faults, **facts)


def alone(name: str, call: Callable[..., Any], *faults: str, **facts: Any) -> Case:
    """Return such a case of one operand."""
    return other(name, call, *faults, operands=1, **facts)


def refused(
    table: str, names: Callable[[], Mapping[str, Any]], make: Callable[[Shape], Any], **facts: Any
) -> Iterator[Case]:
    """The cases of a table, which fail for something else than broadcasting."""
    for line in _tables()[table]:
        expression, ranks, kinds = map(str.strip, line.rsplit("|", 2))
        nodes = [*ast.walk(ast.parse(expression, mode="eval"))]
        used = {node.id for node in nodes if isinstance(node, ast.Name)}
        values = [node.value for node in nodes if isinstance(node, ast.Constant)]
        digits = [int(rank) for rank in ranks if rank.isdecimal()]
        words = kinds.split()
        yield other(
            expression,
            _evaluated(compile(expression, expression, "eval"), names, make),
            *(word for word in words if not word.isdecimal()),
            operands=len(used & {*_OPERANDS}) or 1,
            ranks=digits,
            exact=digits if "," in ranks else None,
            empty="+" not in ranks,
            own=[value for value in values if isinstance(value, int)]
            + [int(word) for word in words if word.isdecimal()],
            **facts,
        )


@cache
def _tables() -> Mapping[str, Sequence[str]]:
    """The lines of `refused.txt` by the name of the table."""
    tables: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in Path(__file__).with_name("refused.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            lines = tables[line[1:-1]] = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return tables


def _evaluated(code: Any, names: Callable[[], Mapping[str, Any]], make: Any) -> Any:
    def run(*shapes: Shape) -> None:
        eval(code, {**names(), **dict(zip(_OPERANDS, map(make, shapes), strict=False))})

    return run


def drawn(case: Case, chance: Random) -> tuple[Shape, ...]:
    """Return shapes for a case: now and then any, mostly one step from some that broadcast."""
    sizes = chance.choice(SIZES if case.empty else SIZES[:-1])
    ranks = case.exact or [chance.choice(case.ranks) for _ in range(case.operands)]
    result = [chance.choice(sizes) for _ in range(max(ranks))]
    while prod(max(size, 1) for size in result) > MAX_ELEMENTS:
        result[chance.randrange(len(result))] = 1
    is_any = chance.random() < 0.3
    shapes = []
    for rank in ranks:
        own = result[len(result) - rank :]
        shape = [
            chance.choice((1, size, min(sizes), 6))
            if is_any
            else 1
            if chance.random() < 0.25
            else size
            for size in own
        ]
        shapes.append(shape)
    filled = [shape for shape in shapes if shape]
    if filled and not is_any:
        changed = chance.choice(filled)
        axis = chance.randrange(len(changed))
        changed[axis] = chance.choice([*sizes, 6])
        if prod(changed) > MAX_ELEMENTS:
            changed[axis] = 6
    return tuple(map(tuple, shapes))


def asked(case: Case, chance: Random) -> Given | None:
    """What a framework wrote on random shapes; None if it took them."""
    shapes = drawn(case, chance)
    if case.letters:
        shapes = tuple(_with_letters(shapes, chance))
    text = written(case, shapes, whole=case.whole or chance.random() < 0.4)
    return None if text is None else Given(case, shapes, text)


def _with_letters(shapes: Sequence[Shape], chance: Random) -> list[Shape]:
    """Return shapes some of whose sizes are names, equal ones under one name."""
    names = dict(zip((2, 3, 4, 5, 7, 10, 12), "bcdefgh", strict=True))
    return [
        tuple(names.get(int(size), size) if chance.random() < 0.4 else size for size in shape)
        for shape in shapes
    ]


def written(case: Case, shapes: Sequence[Shape], *, whole: bool) -> str | None:
    """What a framework writes, with or without the traceback; None if it is content."""
    logging.disable()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            case.call(*shapes)
    except Exception as error:  # each framework has its own
        formatted = traceback.format_exception if whole else traceback.format_exception_only
        return None if case.warns else "".join(formatted(error))
    finally:
        logging.disable(logging.NOTSET)
    if not case.warns or not caught:
        return None
    told = caught[0]
    return warnings.formatwarning(told.message, told.category, "train.py", 88, "loss.backward()")
