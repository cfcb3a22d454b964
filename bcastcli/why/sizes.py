"""The likely cause of a message's sizes, by its operation."""

from collections.abc import Sequence

from bcastcli.advice import lines as advice
from bcastcli.advice.arithmetic import ratio
from bcastcli.core.answer import Answer
from bcastcli.core.question import Suggestion
from bcastcli.core.rule import Note
from bcastcli.core.shapes import Shape, written
from bcastcli.rules import TO_A_TARGET
from bcastcli.rules.sizes import is_plain
from bcastcli.why.messages import Reading

_CROPPED = " (crop, pad or resize)"
EINSUM = "in einsum, all axes with the same letter must have the same size"
_IF_A_LAYER = "if this is a linear layer, it"
_OUTPUT = "an output never stretches: write the result to a new name (x = x + y, not x += y)"
_OF_TWO = "a 2-D mask here is (queries, keys); a (batch, keys) mask goes in key_padding_mask"


def sizes_note(
    reading: Reading, roles: Sequence[str], answer: Answer, lines: Sequence[Suggestion]
) -> Note | None:
    """Why the sizes differ, where no line of advice keeps one operand's shape.

    `roles` are the names that the operands have in the message.
    """
    if answer.ok is not False:
        return None
    if reading.operation == "einsum":
        return Note("sizes", EINSUM)
    if "remapped" in reading.caveats:
        return None  # axes are moved
    product = answer.question.contraction
    if product and product.conflict and "perhaps transposed" in reading.caveats:
        lines = ()  # most of them are linear layers
    usual = advice.sizes_note(answer, lines)
    if usual is None:
        return None
    text = _of_roles(tuple(roles), reading, answer.shapes, usual.text)
    if tuple(roles) == ("mat1", "mat2") and reading.origin and reading.origin.layer:
        text = _of_layer(reading.origin.layer, reading.shapes or (), text)
    if _IF_A_LAYER in text and len((reading.shapes or ((),))[-1]) == 1:
        return None  # in W @ x the weights come first
    is_other = {TO_A_TARGET, "index arrays"} & {reading.rule, *reading.caveats}
    return Note("sizes", text.removesuffix(_CROPPED) if is_other else text)


def _of_layer(layer: str, shapes: Sequence[Shape], text: str) -> str:
    """A text on linear layers for the one of this name, with the layer to make."""
    if _IF_A_LAYER not in text or len(shapes) != 2 or text.endswith("one sample"):
        return text
    made = f"nn.Linear({shapes[0][-1]}, {shapes[1][-1]})"
    return f"{text.replace(_IF_A_LAYER, layer, 1)}; {made} would fit"


def two_sizes_note(reading: Reading) -> Note | None:
    """How two sizes relate, for a message that has sizes but not shapes."""
    sizes = [size for size in reading.sizes or () if isinstance(size, int)]
    if len(sizes) != 2 or is_plain(*sizes):
        return None
    text = ratio(*sizes)
    return Note("sizes", text) if text else None


def _of_roles(roles: tuple[str, ...], reading: Reading, shapes: Sequence[Shape], usual: str) -> str:
    """The cause by the roles of the operands in the message; else the usual one."""
    one, other = shapes if len(shapes) == 2 else ((), ())
    if roles == ("attn_mask", "expected") and len(one) == 2:
        return _OF_TWO
    if roles == ("output", "result"):
        # The commonest other operand: as many elements as the output, in a row.
        square = one[-1:] == (1,) and one[-2:-1] == other[-1:] == other[-2:-1]
        row, column = written(other[-1:]), written((*other[-1:], 1))
        return f"{_OUTPUT}; an operand {row} may be meant as {column}" if square else _OUTPUT
    if roles == ("indexed", "value") and one and one[1:] == other[1:] and 0 not in one:
        counts = f"the index selects {one[0]} on axis 0, but {reading.names[1]} has {other[0]}"
        return f"{counts}: if it is a mask, it must select as many as there are values"
    return usual
