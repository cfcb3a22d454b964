"""Unknown sizes by the law: put numbers for them, and see whether the answer holds."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import NamedTuple

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.shapes import Shape, Size, written

Env = dict[str, int]


class Concrete(NamedTuple):
    """A question with a number for every unknown size."""

    env: Env
    """By name; a size without one is called by its place."""
    shapes: tuple[Shape, ...]
    result: Shape | None


def placed(operand: Operand) -> Shape:
    """The shape with each `?` called by its place."""
    return tuple(
        f"{operand.name}.shape[{axis}]" if size == "?" else size
        for axis, size in enumerate(operand.shape)
    )


def unknown(answer: Answer) -> list[str]:
    sizes = [size for operand in answer.operands for size in placed(operand)]
    return list(dict.fromkeys(size for size in sizes if isinstance(size, str)))


def concretes(answer: Answer, numbers: Sequence[int] = range(5)) -> Iterator[Concrete]:
    """The question with each choice of numbers, answered."""
    names = unknown(answer)
    shapes = [placed(operand) for operand in answer.operands]
    lowest = 1 if answer.rule.name == "ncnn" else 0
    for chosen in product([n for n in numbers if n >= lowest], repeat=len(names)):
        env = dict(zip(names, chosen, strict=True))
        known = tuple(
            tuple(env[size] if isinstance(size, str) else size for size in shape)
            for shape in shapes
        )
        operands = [
            Operand(operand.name, shape)
            for operand, shape in zip(answer.operands, known, strict=True)
        ]
        yield Concrete(
            env, known, Question(answer.rule, operands, answer.question.options).answer().result
        )


def true_in(condition: str, answer: Answer, concrete: Concrete) -> bool:
    """Whether a condition holds for the numbers of a concrete question."""
    names = [operand.name for operand in answer.operands]
    return evaluated(condition, concrete.env, zip(names, concrete.shapes, strict=True))


def evaluated(condition: str, env: Env, shapes: Iterable[tuple[str, Shape]]) -> bool:
    """A condition, read as Python: names are numbers, operands are arrays of their shapes."""
    variables = {name: number for name, number in env.items() if "[" not in name}
    arrays = {name: SimpleNamespace(shape=shape) for name, shape in shapes}
    return bool(eval(condition, {"__builtins__": {}}, {**variables, **arrays}))


def always(sizes: list[Size], answer: Answer, assignments: list[Concrete]) -> Size:
    """The size that a result has in every case: a number, else the first name, else unknown."""
    if len(set(sizes)) == 1:
        return sizes[0]
    for name in unknown(answer):
        if "[" not in name and sizes == [concrete.env[name] for concrete in assignments]:
            return name
    return "?"


def check_law(answer: Answer, numbers: Sequence[int] = range(5)) -> None:
    """The verdict, the condition and the result are those of every choice of numbers."""
    line = f"{answer.rule.name} {shown(answer)}"
    cases = list(concretes(answer, numbers))
    fitting = [concrete for concrete in cases if concrete.result is not None]
    possible = {concrete.result is not None for concrete in cases}
    assert possible == ({True, False} if answer.ok is None else {answer.ok}), line
    assert (answer.when is None) is (answer.ok is not None), line
    if answer.when is not None:
        for concrete in cases:
            broadcasts = concrete.result is not None
            assert true_in(answer.when, answer, concrete) is broadcasts, (line, concrete)
    if answer.ok is False:
        assert answer.result is None, line
        assert answer.reason is not None, line
        return
    results = [concrete.result or () for concrete in fitting]
    assert answer.result is not None, line
    assert {len(result) for result in results} == {len(answer.result)}, line
    for axis, size in enumerate(answer.result):
        assert size == always([result[axis] for result in results], answer, fitting), (line, axis)


def shown(answer: Answer) -> str:
    shapes = " ".join(written(operand.shape) for operand in answer.operands)
    options = dict(answer.question.options)
    return f"{shapes} {options} -> {answer.ok} {answer.result} when {answer.when}"
