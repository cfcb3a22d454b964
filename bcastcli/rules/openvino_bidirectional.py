"""The rule of OpenVINO's "Bidirectional Broadcast Rules", of its operator Broadcast."""

from collections.abc import Iterator

from bcastcli.answers import Answer, Note
from bcastcli.rules.onnx_broadcasting import NumPy
from bcastcli.shapes import written


class Bidirectional(NumPy):
    """OpenVINO Broadcast, bidirectional: an array to a target

    An input shape and a target shape. Both are aligned right and may stretch, as in NumPy, so the
    result differs from the target where the target has a 1 and the input has not, or where the
    target has fewer axes. The result is that of `(A * numpy.ones(target)).shape`.

    Source: OpenVINO, "Bidirectional Broadcast Rules".

    Examples:
        3,1 2,1,6   ->  2,3,6
        5 1         ->  5
        3,4 ()      ->  3,4
        3,4 3       ->  mismatch
    """

    name = "bidirectional"
    fewest = 2
    most = 2
    operands = ("A", "target")
    frameworks = ("broadcast",)

    def notes(self, answer: Answer) -> Iterator[Note]:
        target = answer.operands[1]
        if answer.result is None or answer.result == target.shape:
            return
        if len(answer.result) > len(target.shape):
            why = f"{answer.operands[0].name} has more axes"
        else:
            why = f"{target.name} has a 1 where {answer.operands[0].name} has another size"
        sure = all(isinstance(size, int) for size in (*answer.result, *target.shape))
        differs = "is not" if sure or "more axes" in why else "may differ from"
        yield Note(
            "target",
            f"the result {written(answer.result)} {differs} the target shape "
            f"{written(target.shape)}: {why}",
        )
