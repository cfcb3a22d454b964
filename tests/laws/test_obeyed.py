"""A note on sizes that is followed, and asked again, never fails for the reason that it names."""

import random
import re
from collections import Counter
from collections.abc import Iterator

from bcastcli.advice.lines import advise
from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape
from bcastcli.rules import RULES
from bcastcli.why.explained import explain
from bcastcli.why.messages import Fault
from bcastcli.why.messages.reader import read
from tests.effort import in_turn, many
from tests.rows import each_row
from tests.strategies import random_answer, random_shapes

SIZES = ((0, 1, 1, 2, 3), (1, 2, 3, 4, 6, 12), (1, 8, 9, 16, 24, 32), (1, 2, 3, "N", "?"))
TOO_MANY = re.compile(r"(.+) ha(?:s|ve) (?:one|\d+) ax[ei]s too many: (.+)")
AXES = re.compile(
    r"(?:^|: | on )(?:\d+ axes|ax[ei]s ((?:\w+(?:, | and )?)+?))(?: must have|:| \(|$)"
)
# Notes that name no axis to change: how to read these is in the tests of each.
SILENT = re.compile(r"no transpose makes|if this is a linear layer")
OF_MESSAGES = re.compile(r"an output|a 2-D mask|the index selects|the last axis of a mask")


def followed(answer: Answer, note: str, chance: random.Random) -> Iterator[tuple[Answer, str]]:
    """What the rule answers to those who do what a note says, and the axes that it named."""
    shapes = {operand.name: operand.shape for operand in answer.operands}
    too_many, axes = TOO_MANY.match(note), AXES.search(note)
    if too_many:
        fewest = answer.ranks[0] if answer.rule.keeps_first else min(answer.ranks)
        for way in re.split(", | or ", too_many[2]):
            fewer = dict(shapes)
            for name in re.split(", | and ", too_many[1]):
                fewer[name] = without(shapes[name], len(shapes[name]) - fewest, way, chance)
            yield asked(answer, fewer), "rank"
    elif axes or not SILENT.match(note):
        clashing = [axis for axis in answer.axes or () if axis.conflict is not False]
        named = re.split(", | and ", axes[1]) if axes and axes[1] else []
        meant = [a for a in clashing if not named or (a.label or str(a.number)) in named]
        assert meant, (note, answer.operands)
        equal = {
            axis.number: chance.choice([size for size in axis.sizes if size] or [2])
            for axis in meant
        }
        made = {
            name: tuple(
                equal.get(place, size)
                for size, place in zip(shape, [*answer.places_of(number), *[-1] * 9], strict=False)
            )
            for number, (name, shape) in enumerate(shapes.items())
        }
        yield asked(answer, made), " ".join(str(number) for number in equal)


def without(shape: Shape, count: int, way: str, chance: random.Random) -> Shape:
    """A shape with so many axes fewer, where it has them."""
    places = [axis for axis, size in enumerate(shape) if size == 1 or "squeeze" not in way]
    if count <= 0:
        return shape
    gone = chance.sample(places, count)
    return tuple(size for axis, size in enumerate(shape) if axis not in gone)


def asked(answer: Answer, shapes: dict[str, Shape]) -> Answer:
    return answer.question.with_operands([Operand(*each) for each in shapes.items()]).answer()


def is_refused(again: Answer, named: str) -> bool:
    """Whether an answer is still no for the reason that was named."""
    if again.ok is not False:
        return False
    if named == "rank":
        return again.reason is not None and again.reason.kind == "rank"
    clashing = {str(axis.number) for axis in again.axes or () if axis.conflict}
    return bool(clashing & {*named.split()}) or again.layout.refusal == "rank"


def failures(answer: Answer, note: str, chance: random.Random) -> list[str]:
    return [
        f"{answer.question}: {note} -> {again.question}: {again.reason}"
        for again, named in followed(answer, note, chance)
        if is_refused(again, named)
    ]


@each_row("rule", in_turn(RULES))
def test_notes_of_rules(rule: str) -> None:
    """Whoever does what a note on sizes says is not refused again for what it names."""
    chance, left = random.Random(rule), many(2000)
    failed, seen = [], Counter[str]()
    while left:
        answer = random_answer(chance, rule, chance.choice(SIZES), max_rank=5)
        if answer.ok is False:
            left -= 1
            note = advise(answer).note
            if note:
                seen[re.sub(r"\W?\d+|[A-Z]\b", "", note.text)] += 1
                failed += failures(answer, note.text, chance)
    assert not failed, (len(failed), failed[:3])
    assert len(seen) > 1


def of_numpy(shape: Shape) -> str:
    return f"({','.join(map(str, shape))}{',' * (len(shape) == 1)})"


MESSAGES = {
    "copy": "could not broadcast input array from shape {1} into shape {0}",
    "index": "shape mismatch: value array of shape {1} could not be broadcast to indexing result "
    "of shape {0}",
    "output": "non-broadcastable output operand with shape {0} doesn't match the broadcast shape "
    "{1}",
    "ufunc": "operands could not be broadcast together with shapes {0} {1}",
    "in place": "operands could not be broadcast together with shapes {0} {1} {0}",
    "broadcast_to": "operands could not be broadcast together with remapped shapes "
    "[original->remapped]: {1}  and requested shape {0}",
    "expand": "The expanded size of the tensor (7) must match the existing size (9) at "
    "non-singleton dimension 0.  Target sizes: {0}.  Tensor sizes: {1}",
    "product": "shapes {0} and {1} not aligned: 3 (dim 1) != 4 (dim 0)",
    "mm": "a and b must have same reduction dim, but got {0} X {1}.",
    "mask": "The shape of the 3D attn_mask is {0}, but should be {1}.",
    "add": "Incompatible shapes: {0} vs. {1} [Op:AddV2]",
    "BroadcastTo": "Incompatible shapes: {1} vs. {0} [Op:BroadcastTo]",
}


@each_row("kind", in_turn(MESSAGES))
def test_notes_on_messages(kind: str) -> None:
    """The same for what is said of a message, of each kind of operation."""
    chance, failed, said = random.Random(kind), [], Counter[bool]()
    for _ in range(many(2000)):
        shapes = random_shapes(chance, 2, chance.choice(SIZES[:3]), 4)
        text = MESSAGES[kind].format(*map(of_numpy, shapes))
        for reading in read(text.encode()).findings:
            if isinstance(reading, Fault):
                continue
            each = explain(reading)
            notes = [note.text for note in each.notes if note.kind == "sizes"]
            said[bool(notes)] += 1
            for note in notes if each.answer else ():
                heads = re.search(r"repeat_interleave\((\d+), dim=0\)", note)
                if heads:
                    (first, *rest), expected = shapes
                    assert (first * int(heads[1]), *rest) == expected
                elif each.answer and not OF_MESSAGES.match(note):
                    failed += failures(each.answer, note, chance)
            assert all(line.answer.ok for line in each.lines)
    assert not failed, (len(failed), failed[:3])
    assert said[True]
