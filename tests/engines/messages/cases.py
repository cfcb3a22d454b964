"""Statements that a framework is asked with random shapes, and what it was given then."""

import ast
import logging
import re
import traceback
import warnings
from collections.abc import Collection, Iterator, Sequence
from math import prod
from pathlib import Path
from random import Random
from types import CodeType
from typing import NamedTuple

from bcastcli.rules import RULES
from tests.engines.messages.names import Shape, names

_OPERANDS = "abcde"
_RANKS = "0122334"
_WORDS = {"any", "shapes", "partly", "yes", "warns", "whole", "letters", "slow"}
MAX_ELEMENTS = 100_000
SIZES = ((1, 2, 3), (2, 3, 4, 5), (1, 3, 10, 12), (1, 5, 64, 768), (0, 1, 2, 7))


class Case(NamedTuple):
    """A line of `asked.txt`, which says what its words mean."""

    framework: str
    statement: str
    code: CodeType
    operands: int
    arrays: Collection[str]
    """The operands that it takes as arrays."""
    ranks: Sequence[int]
    """Those of which one is drawn for each operand."""
    exact: Sequence[int] | None
    """The rank of each operand instead."""
    empty: bool
    """Whether sizes of 0 are tried."""
    rules: Collection[str]
    faults: Collection[str]
    own: Collection[int]
    """The numbers of the statement itself."""
    frameworks: Collection[str]
    """Those that may be named as the one that wrote it."""
    names: tuple[str, ...] | None
    words: Collection[str]
    order: str

    def ordered(self, shapes: Sequence[Shape]) -> tuple[Shape, ...]:
        """The shapes as the rule's command takes them."""
        if not self.order:
            return tuple(shapes)
        given = dict(zip(_OPERANDS.upper(), shapes, strict=False))
        ordered: tuple[Shape, ...] = eval(f"({self.order},)", given)
        return ordered

    def run(self, shapes: Sequence[Shape]) -> None:
        """Execute the statement on arrays of these shapes."""
        known = names(self.framework)
        make = known.get("operand") or known["ones"]
        given = dict(zip(_OPERANDS.upper(), shapes, strict=False))
        arrays = {name: make(given[name.upper()]) for name in self.arrays}
        exec(self.code, {**known, **given, **arrays})


class Given(NamedTuple):
    """What a framework was given, and what it wrote."""

    case: Case
    shapes: tuple[Shape, ...]
    """In the order in which the statement takes them."""
    text: str


def _tables() -> tuple[dict[str, list[Case]], dict[str, dict[str, str]]]:
    """The cases by framework, and words of the messages that it does not write any more."""
    cases: dict[str, list[Case]] = {}
    unwritten: dict[str, dict[str, str]] = {}
    framework = ""
    for line in Path(__file__).with_name("asked.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            framework = line[1:-1]
            cases[framework], unwritten[framework] = [], {}
        elif line.startswith("! "):
            words, _, why = line[2:].partition(" | ")
            unwritten[framework][words] = why
        elif line and not line.startswith("#"):
            cases[framework] += _cases(framework, line)
    return cases, unwritten


def _cases(framework: str, line: str) -> Iterator[Case]:
    """The cases of a line: one for each of the words that stand for each other."""
    choice = re.search(r"<(\w[\w ]*)>", line)
    for word in choice[1].split() if choice else [""]:
        one = line.replace(choice[0], word) if choice else line
        statement, ranks, words, *order = (part.strip() for part in re.split(r" \|(?= |$)", one))
        yield _case(framework, statement, ranks, words.split(), "".join(order))


def _case(framework: str, statement: str, ranks: str, words: list[str], order: str) -> Case:
    nodes = [*ast.walk(ast.parse(statement))]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    digits = [int(rank) for rank in ranks.strip("+") or _RANKS if rank.isdecimal()]
    rules = [word.replace(":", " ") for word in words if word in RULES or word.startswith("op:")]
    told = {kind: word for kind, colon, word in (each.partition(":") for each in words) if colon}
    return Case(
        framework,
        statement,
        compile(statement, statement, "exec"),
        operands=len({*"".join(used & {*_OPERANDS, *_OPERANDS.upper()}).lower()}) or 1,
        arrays=used & {*_OPERANDS},
        ranks=digits,
        exact=digits if "," in ranks else None,
        empty="+" not in ranks,
        rules=rules,
        faults=[w for w in words if w.replace("-", "").isalpha() and w not in {*_WORDS, *RULES}],
        own=[value for value in values if isinstance(value, int)]
        + [int(word) for word in words if word.isdecimal()],
        frameworks=(framework, told.get("also", framework)),
        names=tuple(told["names"].split(",")) if "names" in told else None,
        words=_WORDS & {*words},
        order=order,
    )


CASES, UNWRITTEN = _tables()


def drawn(case: Case, chance: Random) -> tuple[Shape, ...]:
    """Shapes for a case: now and then any, mostly one step from some that broadcast."""
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
    if "letters" in case.words:
        shapes = tuple(_with_letters(shapes, chance))
    text = written(case, shapes, whole="whole" in case.words or chance.random() < 0.4)
    return None if text is None else Given(case, shapes, text)


def _with_letters(shapes: Sequence[Shape], chance: Random) -> list[Shape]:
    """Shapes some of whose sizes are names, equal ones under one name."""
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
            case.run(shapes)
    except Exception as error:  # each framework has its own
        formatted = traceback.format_exception if whole else traceback.format_exception_only
        return None if "warns" in case.words else "".join(formatted(error))
    finally:
        logging.disable(logging.NOTSET)
    if "warns" not in case.words or not caught:
        return None
    told = caught[0]
    return warnings.formatwarning(told.message, told.category, "train.py", 88, "loss.backward()")
