"""The rule of OpenVINO's "Bidirectional Broadcast Rules", of its operator Broadcast."""

from collections.abc import Iterator

from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import Alternative, Note
from bcastcli.core.shapes import UNKNOWN, Size, written
from bcastcli.rules.numpy import NumPy


class Bidirectional(NumPy):
    name = "bidirectional"
    document = """
    OpenVINO Broadcast: expand A to a target shape, like NumPy

    An input shape and a target shape. It is not for elementwise operations. Both are aligned right
    and may stretch, as in NumPy, so the result differs from the target where the target has a 1 and
    the input does not, or where the target has fewer axes. The result is
    `(A * numpy.ones(target)).shape`.

    Source: OpenVINO 2025, "Bidirectional Broadcast Rules".

    Examples:
        3,1 2,1,6   ->  2,3,6
        5 1         ->  5
        3,4 scalar  ->  3,4
        3,4 3       ->  mismatch
    """

    min_operands = 2
    max_operands = 2
    default_names = ("A", "target")
    second_is_target = True

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        given, target = answer.operands
        meeting = [(axis.result, *axis.sizes) for axis in answer.axes or ()]
        if answer.result is None or all(map(_meets, meeting)):
            return
        may = answer.unknown_sizes and len(given.shape) <= len(target.shape)
        differs = "may differ from" if may else "is not"
        text = f"the result {written(answer.result)} {differs} the target shape"
        why = f"{given.name} keeps its size where the target has a 1 or no axis"
        yield Note("target", f"{text} {written(target.shape)}: {why}")

    # What to write instead

    def alternatives(self, question: Question) -> Iterator[Alternative]:
        from bcastcli.rules import rewriting  # only where the answer is no

        _, target = question.operands
        if rewriting.is_readable(question.operands):
            found = rewriting.of_pair(question.operands, (0, 1), [1], self.missing_axes)
            for changes, last in found:
                each = rewriting.with_changes(question, changes, last)
                setting = f"{target.name} {written(changes[1].shape)}"
                if each.kind in ("insert", "drop"):
                    yield each._replace(changes=(), setting=setting)
        yield from rewriting.alternatives(question, [0])


def _meets(sizes: tuple[Size | None, ...]) -> bool:
    """Whether the result has the target's size on an axis, whatever the unknown ones are."""
    result, own, target = sizes
    return result == target and (target != UNKNOWN or own in (1, None))
