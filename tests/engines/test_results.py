"""ONNX Runtime judges the results of Concat, Reshape, Transpose and Einsum, and what is refused."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import written
from bcastcli.operators.questions import ask
from tests.engines.judging import engine, fresh, judged, several
from tests.engines.single_op import np, run
from tests.strategies import Known

engine("onnxruntime")

Asked = tuple[tuple[Known, ...], dict[str, Any]]
"""Shapes and attributes."""
SIZES = (0, 1, 1, 2, 2, 3, 4, 6)
OPSET = 17


def _shape(chance: Random, rank: int | None = None) -> Known:
    count = chance.randint(0, 4) if rank is None else rank
    return tuple(chance.choice(SIZES) for _ in range(count))


def _nearly(chance: Random, shape: Known) -> Known:
    """The shape, or one with another size, or another rank."""
    changed = list(shape)
    if changed and chance.random() < 0.3:
        changed[chance.randrange(len(changed))] = chance.choice(SIZES)
    return tuple(changed[: -1 if chance.random() < 0.05 else None])


def concat(chance: Random) -> Asked:
    first = _shape(chance)
    axis = chance.randint(-len(first) - 1, len(first))
    others = [list(_nearly(chance, first)) for _ in range(chance.randint(0, 3))]
    for other in others:
        if -len(other) <= axis < len(other):
            other[axis] = chance.choice(SIZES)
    return (first, *map(tuple, others)), {"axis": axis}


def reshape(chance: Random) -> Asked:
    given = _shape(chance)
    target = [*_nearly(chance, tuple(chance.sample(given, len(given))))]
    if len(target) > 1 and chance.random() < 0.5:
        last = target.pop()
        target[-1] *= last
    if target and chance.random() < 0.6:
        target[chance.randrange(len(target))] = chance.choice((-1, -1, -1, 0, -2))
    if chance.random() < 0.1:
        target.insert(0, chance.choice((0, 1, -1)))
    return (given,), {"shape": tuple(target), "allowzero": int(chance.random() < 0.2)}


def transpose(chance: Random) -> Asked:
    given = _shape(chance)
    perm = chance.sample(range(len(given)), len(given))
    if perm and chance.random() < 0.3:
        perm[chance.randrange(len(perm))] += chance.choice((-1, 1, -len(perm)))
    return (given,), {"perm": tuple(perm)} if perm and chance.random() < 0.9 else {}


def einsum(chance: Random) -> Asked:
    # ONNX Runtime's process ends where some sizes are 0.
    sizes = {letter: chance.choice(SIZES[1:]) for letter in "ijkA"}
    dotted = tuple(size or 1 for size in _shape(chance, chance.randint(0, 2)))
    terms, shapes = [], []
    for _ in range(chance.randint(1, 3)):
        letters = [chance.choice("iijjkkA") for _ in range(chance.randint(0, 3))]
        shape = [sizes[letter] for letter in letters]
        if chance.random() < 0.3:
            place = chance.randint(0, len(letters))
            shape[place:place] = _nearly(chance, dotted)
            letters.insert(place, "...")
        terms.append("".join(letters))
        stretched = tuple(1 if chance.random() < 0.1 else size for size in shape)
        shapes.append(tuple(size or 1 for size in _nearly(chance, stretched)))
    used = [*dict.fromkeys(letter for term in terms for letter in term if letter != ".")]
    equation = ",".join(terms)
    if chance.random() < 0.7:
        output = chance.sample(used, chance.randint(0, len(used)))
        if "..." in equation and chance.random() < 0.9:
            output.insert(chance.randint(0, len(output)), "...")
        if chance.random() < 0.05:
            output.append(chance.choice("ijz"))
        equation += "->" + "".join(output)
    return tuple(shapes), {"equation": equation}


MAKERS: dict[str, Callable[[Random], Asked]] = {
    "Concat": concat,
    "Reshape": reshape,
    "Transpose": transpose,
    "Einsum": einsum,
}


def answered(op: str, shapes: tuple[Known, ...], attributes: dict[str, Any]) -> Answer:
    """Our answer to a line."""
    typed = {
        name: ",".join(map(str, value)) or "none" if isinstance(value, tuple) else value
        for name, value in attributes.items()
    }
    settings = (f"{name}={value}" for name, value in typed.items())
    return ask(" ".join((op, *map(written, shapes), *settings)))


def executed(op: str, shapes: tuple[Known, ...], attributes: dict[str, Any]) -> Known | None:
    """The shape of ONNX Runtime's result; None where it refuses."""
    arrays = [np.ones(shape, np.float32) for shape in shapes]
    own = dict(attributes)
    if op == "Reshape":
        arrays.append(np.array(own.pop("shape"), np.int64))
    output = run(op, arrays, OPSET, **own)
    return None if output is None else tuple(output.shape)


def disagreement(op: str, asked: Asked) -> tuple[object, ...] | None:
    """What is not as ONNX Runtime has it: not as a note says either."""
    answer, theirs = answered(op, *asked), executed(op, *asked)
    if answer.reason and "has 0 and -1, and allowzero=1 takes one" in answer.reason.text:
        return None  # ONNX forbids it, and ONNX Runtime runs it where the array is empty
    # Where no rank is declared, as here, its kernel takes dots that stand for no axis.
    if theirs and answer.reason and "the dots stand for" in answer.reason.text:
        return None if "0 axes" in answer.reason.text else (asked, answer.reason, theirs)
    refused = any("ONNX Runtime refuses this" in note.text for note in answer.notes)
    ours = None if refused else answer.result
    return None if ours == theirs else (asked, ours, theirs, answer.reason)


@pytest.mark.parametrize("op", MAKERS)
def test_results(op: str) -> None:
    """An operator gives our result where we have one, and refuses the inputs where we say no."""
    chance = fresh(f"result of {op}")
    count = several(1_000)
    wrong = [disagreement(op, MAKERS[op](chance)) for _ in range(count)]
    judged["onnxruntime"] += count
    assert [*filter(None, wrong)][:5] == []
