"""What the engines' tests share: engines, a fresh seed, our answers, and the judgement of them."""

import contextlib
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from bcastcli.cli.main import main
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Size, written
from bcastcli.notation.questions import answer_line
from bcastcli.rules import RULES
from tests import effort
from tests.effort import SEED
from tests.strategies import Known, Question

ENGINES = ("numpy", "onnx", "onnxruntime", "openvino", "ncnn", "octave", "tosa", "jax")
ALL = os.environ.get("BCASTCLI_ENGINES") == "all"
"""Whether the frameworks that are installed by hand are required, too."""
REQUIRED = ALL or os.environ.get("BCASTCLI_ENGINES") == "required"
MIN_QUESTIONS = 50_000
"""As many questions at least are judged in a run of all engines."""

judged: Counter[str] = Counter()
"""How many questions each engine has judged in this run."""

Options = Mapping[str, str]


def engine(name: str) -> Any:
    """An engine's module; where it cannot be loaded, the tests that need it are skipped."""
    try:
        return import_module(name)
    except ImportError as error:
        if REQUIRED:
            raise
        pytest.skip(f"{error}: pip install '.[test]' --group frameworks", allow_module_level=True)


def has(package: str) -> bool:
    """Whether a framework that is installed by hand is here, or has to be."""
    return ALL or find_spec(package.partition(".")[0]) is not None


def fresh(label: str) -> Random:
    """Chance that is another one in each run, and for each label."""
    return Random(f"{SEED} {label}")


def several(count: int) -> int:
    """How many questions to ask: all, or in a quick run enough for both verdicts."""
    return count if effort.thorough else -(-count // 10)


class Said(NamedTuple):
    """What our answer says, as far as an engine can judge it."""

    ok: bool | None
    result: Known | None
    laid: tuple[Known, ...]
    """Where the operands lie: each with a 1 on every aligned axis that it lacks."""
    notes: tuple[str, ...]
    """On engines that part from their document."""


Answered = tuple[Question, Said]


def answered(questions: Sequence[Question], options: Options | None = None) -> list[Answered]:
    """Our answers to the questions of one rule: half by the core, half by the command line."""
    half = len(questions) // 2
    by_core = [_said(_ask(question, options or {})) for question in questions[:half]]
    by_command_line = _by_command_line(questions[half:], options or {})
    return list(zip(questions, [*by_core, *by_command_line], strict=True))


def answered_unknown(
    questions: Sequence[Question], chance: Random, options: Options | None = None
) -> list[Answered]:
    """Questions with numbers put for sizes that were not known when we answered.

    The verdict and the result are those of the condition; the rest is said of the numbers.
    """
    return [_with_numbers(question, chance, options or {}) for question in questions]


def _with_numbers(question: Question, chance: Random, options: Options) -> Answered:
    """Make some sizes unknown, ask, and put the same or other numbers for them."""
    numbers: dict[str, int] = {}
    shapes = [tuple(_hidden(size, numbers, chance) for size in s) for s in question.shapes]
    if chance.random() < 0.5:
        sizes = sorted({1, *(size for shape in question.shapes for size in shape)})
        numbers = {name: chance.choice(sizes) for name in numbers}
    put = [
        tuple(numbers.get(str(size), own) for size, own in zip(hidden, shape, strict=True))
        for hidden, shape in zip(shapes, question.shapes, strict=True)
    ]
    asked = " ".join([*map(written, shapes), *question.line.split()[len(shapes) :]])
    answer = answer_line(RULES[question.rule], asked, options)
    question = question._replace(shapes=tuple(put))
    said = _said(_ask(question, options))
    known: dict[str, object] = {**numbers}
    pairs = zip(answer.operands, put, strict=True)
    known |= {operand.name: SimpleNamespace(shape=own) for operand, own in pairs}
    fits = answer.ok if answer.when is None else bool(eval(answer.when, {}, known))
    result = None
    if fits and answer.result is not None:
        own = said.result or (0,) * len(answer.result)
        both = zip(answer.result, own, strict=True)
        result = tuple(
            it if size == "?" else int(numbers.get(str(size), size)) for size, it in both
        )
    return question, said._replace(ok=fits, result=result)


def _hidden(size: int, numbers: dict[str, int], chance: Random) -> Size:
    """A size, or a name for it, which may be that of an equal one."""
    if chance.random() < 0.6:
        return size
    named = [name for name, number in numbers.items() if number == size]
    free = [name for name in "NMKL" if name not in numbers][:1]
    name = chance.choice([*named, *named, *free, "?"])
    if name != "?":
        numbers[name] = size
    return name


def _ask(question: Question, options: Options) -> Answer:
    return answer_line(RULES[question.rule], question.line, options)


def _said(answer: Answer) -> Said:
    axes = [axis.sizes for axis in answer.axes or ()]
    notes = [note._asdict() for note in answer.notes]
    return _summary(answer.ok, answer.result, axes, len(answer.operands), notes)


def _summary(
    ok: bool | None,
    result: Sequence[Size] | None,
    axes: Sequence[Sequence[Size | None]],
    count: int,
    notes: Sequence[Mapping[str, str]],
) -> Said:
    """What is said of so many operands; all sizes are numbers."""
    return Said(
        ok,
        None if result is None else tuple(map(int, result)),
        tuple(tuple(_size_on(axis[i]) for axis in axes) for i in range(count)),
        tuple(note["text"] for note in notes if note["kind"] == "engine"),
    )


def _size_on(axis: Size | None) -> int:
    return 1 if axis is None else int(axis)


def _by_command_line(questions: Sequence[Question], options: Options) -> Iterator[Said]:
    """What we answer to questions on standard input, in JSON."""
    lines = "".join(f"{question.line}\n" for question in questions)
    arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main([questions[0].rule, "--json", *arguments])
    assert err.getvalue() == ""
    objects = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [each["line"] for each in objects] == list(range(1, len(questions) + 1))
    for each in objects:
        axes = [axis["sizes"] for axis in each["axes"] or ()]
        yield _summary(each["ok"], each["result"], axes, len(each["operands"]), each["notes"])


def judge(
    name: str,
    answers: Sequence[Answered],
    engine_says: Callable[[Question], object],
    we_say: Callable[[Question, Said], object] = lambda question, said: said.result,
) -> None:
    """An engine judges our answers: what it says is what they say that it says."""
    wrong = []
    for question, said in answers:
        theirs, ours = engine_says(question), we_say(question, said)
        if theirs != ours:
            asked = f"{question.rule} {question.line}"
            wrong.append(f"{asked}: {name} says {theirs}, we say {ours} in {said}")
    judged[name] += len(answers)
    shown = "\n".join(wrong[:20])
    assert not wrong, f"{len(wrong)} of {len(answers)} wrong, BCASTCLI_SEED={SEED}:\n{shown}"
    verdicts = Counter(said.ok for _, said in answers)
    assert min(verdicts[True], verdicts[False]) > len(answers) / 8, (verdicts, SEED)
