"""Turns the reading of an error message into a question, and answers it."""

import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from bcastcli.advice import lines as advice
from bcastcli.advice.arithmetic import ratio
from bcastcli.core.alignment import Operand, letters
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question, Suggestion
from bcastcli.core.rule import Note
from bcastcli.core.shapes import Shape, written
from bcastcli.core.wording import joined_with_and
from bcastcli.rules import EITHER_STRETCHES, ON_AN_AXIS, RULES, TO_A_TARGET, USUAL
from bcastcli.rules.sizes import is_plain
from bcastcli.why.messages import Reading, catalogue
from bcastcli.why.messages.reading import MATMUL

_OF_MODELS = {"onnx", "onnxruntime", "openvino", "tensorrt"}
"""The frameworks that run models from files, whose nodes have names."""
_OTHER_LANGUAGES = {"julia", "octave", "r"}
_IN_A_CELL = re.compile(r"In ?\[|Cell |Input |<ipython-input|\S{0,200}ipykernel_")
_ORDINALS = ("first", "second", "third", "fourth")
_NO_LINES = {"either order", "batch axis missing", "remapped"}
"""The caveats with which shapes or axes are not those of the user's operands."""
_WHOLE = {"result", "expected"}
"""Names of operands that cannot be rewritten, as a target or an output cannot."""
_PDPD = "NumPy's rule accepts these shapes: the node broadcasts as PDPD does, on an unknown axis"
_DECISIVE = {*_NO_LINES, "index arrays", "output is last"}
"""The caveats without which an answer may be taken for another one."""
_CROPPED = " (crop, pad or resize)"
_EINSUM = "in einsum, all axes with the same letter must have the same size"
_IF_A_LAYER = "if this is a linear layer, it"
_OUTPUT = "an output never stretches: write the result to a new name (x = x + y, not x += y)"
_OF_TWO = "a 2-D mask here is (queries, keys); a (batch, keys) mask goes in key_padding_mask"


class Explanation(NamedTuple):
    """A reading, with its rule's answer if the message shows the shapes."""

    reading: Reading
    answer: Answer | None
    ok: bool | None
    """None: it depends on unknown sizes or on text that was cut off."""
    reason: str | None
    """Why not, where the message shows too little for the rule's own reason."""
    notes: tuple[Note, ...]
    lines: tuple[Suggestion, ...]
    """What to write instead."""


def explain(reading: Reading) -> Explanation:
    """A reading with its answer, its operands named as the user's line has them."""
    roles, names = reading.names, _own_names(reading)
    reading = reading._replace(names=names)
    answer = _answer(reading)
    if answer is None:
        return _without_shapes(reading._replace(shapes=None))
    if answer.ok and "either order" in reading.caveats:
        reading = reading.named(*names[::-1], shapes=(reading.shapes or ())[::-1])
        answer = _answer(reading) or answer
    if answer.ok and "openvino" in reading.framework and reading.rule == USUAL:
        answer = _under_pdpd(answer.operands) or answer
        reading = reading._replace(rule=answer.rule.name)
    lines = tuple(_lines(reading, roles, answer))
    sizes = [*filter(None, [_sizes_note(reading, roles, answer, lines)])]
    others = [*_notes(reading, answer)]
    # Which operand is which comes before why they differ.
    notes = [*others, *sizes] if _DECISIVE & {*reading.caveats} else [*sizes, *others]
    # What engines do with a rule is no news after the error of one.
    of_rule = [note for note in answer.notes if note.kind != "engine"]
    notes = [*of_rule, *notes] if answer.ok else [*notes, *of_rule]
    reason = answer.reason.text if answer.reason else None
    return Explanation(reading, answer, answer.ok, reason, tuple(notes), lines)


def _without_shapes(reading: Reading) -> Explanation:
    """What is known of a reading by its sizes or its axis alone."""
    ok = _ok_of_sizes(reading)
    reason = _reason(reading) if ok is False else None
    sizes = [_two_sizes_note(reading)] if ok is False else []
    notes = (*filter(None, sizes), *_notes(reading, None), _missing(reading))
    return Explanation(reading, None, ok, reason, notes, ())


def _own_names(reading: Reading) -> tuple[str, ...]:
    """The operands as the user's line has them, where that is certain; else the reading's names.

    One that the line has for something else becomes "the first operand", or, if it is the
    framework's, "torch's a".
    """
    origin = reading.origin
    if origin is None:
        return reading.names
    unknown = ("",) * len(reading.names)
    known = (*(origin.names or ()), *unknown)[: len(unknown)]  # an output in place has no name
    names = [new or old for old, new in zip(reading.names, known, strict=True)]
    if len({*names}) < len(names):
        known, names = unknown, [*reading.names]
    ours = letters(len(names))
    for number, name in enumerate(names):
        is_ours = name in ours or len(reading.framework) != 1
        is_known = known[number] or (reading.node and not is_ours)  # nodes have the model's names
        word = rf"(?<![\w.]){re.escape(name)}(?!\w|=[^=])"
        if not is_known and re.search(word, origin.source):
            which = f"the {_ORDINALS[number]} operand" if number < len(_ORDINALS) else name
            names[number] = which if is_ours else f"{reading.framework[0]}'s {name}"
    return tuple(names)


def _answer(reading: Reading) -> Answer | None:
    """What the rule or the operator says of the shapes; None if it does not take them."""
    if reading.shapes is None:
        return None
    given = zip(reading.names, reading.shapes, strict=True)
    operands = [Operand(name, shape) for name, shape in given]
    name = reading.rule.removeprefix("op ")
    if name == reading.rule:
        fits = RULES[name].accepts_count(len(operands))
        return Question(RULES[name], operands).answer() if fits else None
    from bcastcli.operators.operators import operator
    from bcastcli.operators.table import version_at_or_error, versions_of

    rule = operator(version_at_or_error(versions_of(name), None), None)
    fits = rule.min_operands <= len(operands) <= (rule.max_operands or len(operands))
    return rule.question(operands, {}).answer() if fits else None


def _under_pdpd(operands: Sequence[Operand]) -> Answer | None:
    """The answer on the first axis on which pdpd refuses shapes: the message has no axis."""
    rule = RULES[ON_AN_AXIS]
    if not rule.accepts_count(len(operands)):
        return None
    above = len(operands[0].shape) - len(operands[1].shape)
    answers = [Question(rule, operands, {"axis": axis}).answer() for axis in (-1, *range(above))]
    return next((answer for answer in answers if answer.ok is False), None)


def _ok_of_sizes(reading: Reading) -> bool | None:
    """Whether the sizes alone broadcast; without any, by the message, they do not."""
    sizes = reading.sizes
    if sizes is None:
        return None if "cut" in reading.caveats else False
    if any(isinstance(size, str) for size in sizes):
        return None
    if reading.rule in EITHER_STRETCHES and len(sizes) == 2:
        return 1 in sizes or sizes[0] == sizes[1]
    return False


def _reason(reading: Reading) -> str:
    """Why the sizes do not broadcast, using only what the message shows."""
    where = "on the same axis" if reading.axis is None else f"on axis {reading.axis}"
    if reading.operation == "einsum":
        where = f"for {reading.axis_of or 'the same letter'}"
    sizes = reading.sizes
    if sizes is None or len(sizes) != 2:
        return _reason_without_sizes(reading)
    one, other = sizes
    names = reading.names
    is_multiplied = reading.rule in (MATMUL, "op Gemm") and reading.axis_of != "batch"
    if len(names) == 2:
        has = f"{names[0]} has {one} and {names[1]} has {other}"
    elif is_multiplied:
        has = f"the product sums over axes of size {one} and {other}"
    else:
        has = f"one operand has {one} and another {other}"
    if is_multiplied:
        return f"{has}, but these must be equal"
    is_kept = reading.rule == TO_A_TARGET
    why = "only a size of 1 stretches to the target" if is_kept else "neither is 1"
    return f"{has} {where}, and {why}"


def _reason_without_sizes(reading: Reading) -> str:
    if reading.reason:
        return reading.reason.format(*reading.names)
    if "rank" in reading.caveats:
        return "an operand has the wrong number of axes"
    if reading.axis is not None:
        return f"the operands clash on axis {reading.axis}; their sizes there are not shown"
    sizes = [*map(str, reading.sizes or ())]
    if sizes:  # several of each operand
        half = len(sizes) // 2
        one, other = joined_with_and(sizes[:half]), joined_with_and(sizes[half:])
        left, right = reading.names
        has = f"the product sums over axes of size {one} in {left}, and {other} in {right}"
        return f"{has}; these must be equal"
    return "the shapes are incompatible, but the message does not show them"


def _notes(reading: Reading, answer: Answer | None) -> Iterator[Note]:
    """The notes on the fields."""
    notes = catalogue().notes
    for caveat in reading.caveats:
        if caveat in notes and (answer or caveat == "index arrays"):
            yield Note("message", notes[caveat])
    if "result so far" in reading.caveats and answer:
        name = reading.names[1 if reading.rule == TO_A_TARGET else 0]
        yield Note("message", f"{name} is the shape computed so far, not an operand")
    if answer is None:
        return
    if answer.rule.name == ON_AN_AXIS:
        yield Note("message", _PDPD)
    if answer.ok and "warning" not in reading.caveats:
        yield Note("message", f"the shapes in the message do broadcast under {reading.rule}")
    if answer.ok is None:
        yield Note("message", f"it failed, so this was false: {answer.when}")


def _missing(reading: Reading) -> Note:
    """What a message without shapes leaves out, and how to get it."""
    if reading.operation == "einsum":
        return Note("message", _EINSUM)
    if {*reading.framework} & _OF_MODELS:
        node = f"the node {reading.node}" if reading.node else "each node"
        return Note("message", f"bcastcli model FILE shows {node} with its shapes")
    has = "no shapes" if reading.axis is None else "one axis only"
    if _OTHER_LANGUAGES & {*reading.framework} or not find_spec("bcastcli.raising"):
        return Note("message", f"the message gives {has}: print the shapes before that line")
    is_cell = reading.origin is not None and _IN_A_CELL.match(reading.origin.file)
    how = "%load_ext bcastcli and run the cell again" if is_cell else "bcastcli run FILE"
    return Note("message", f"the message gives {has}; to see the shapes, use {how}")


def _lines(reading: Reading, roles: Sequence[str], answer: Answer) -> Sequence[Suggestion]:
    """What to write instead, in the framework's syntax, which never changes an output."""
    caveats = {*reading.caveats}
    # PyTorch's two matrices may be transposed, and the user's line has other operands.
    is_unread = roles[:1] == ("mat1",) and reading.origin and not reading.origin.names
    are_described = any(name.startswith("the ") or "'s " in name for name in reading.names)
    is_moved = reading.operation == "einsum" or _NO_LINES & caveats
    if is_unread or is_moved or are_described:
        return ()
    inputs = answer
    if "output is last" in caveats and len(answer.operands) == 3:
        inputs = Question(answer.rule, answer.operands[:2]).answer()
    kept = {reading.names[number] for number, role in enumerate(roles) if role in _WHOLE}
    if reading.rule == TO_A_TARGET:
        kept.add(reading.names[0])
    dialect = reading.framework[0] if reading.framework else ""
    suggestions = []
    for each in inputs.suggestions:
        # Two lengths should be one, and MLX assigns with the words of an addition.
        is_pairs = each.kind == "pairs" and (max(answer.ranks) < 2 or dialect == "mlx")
        is_possible = bool(each.changes) and kept.isdisjoint(name for name, _ in each.changed)
        if is_possible and not is_pairs and _fits(reading, answer.operands[-1], each.answer):
            suggestions.append(each)
    return advice.lines_of(inputs, suggestions, dialect)


def _fits(reading: Reading, last: Operand, changed: Answer) -> bool:
    """Whether a result goes into an output that is the last operand, or that may be it."""
    result = changed.result or ()
    if "perhaps output" in reading.caveats:  # one of rank 0 is hardly an output
        return changed.operands[-1].shape in ((), result)
    operands = [last, Operand("result", result)]
    is_output = "output is last" in reading.caveats and len(reading.names) == 3
    return not is_output or Question(RULES[TO_A_TARGET], operands).answer().ok is True


def _sizes_note(
    reading: Reading, roles: Sequence[str], answer: Answer, lines: Sequence[Suggestion]
) -> Note | None:
    """Why the sizes differ, where no line of advice keeps one operand's shape.

    `roles` are the names that the operands have in the message.
    """
    if answer.ok is not False:
        return None
    if reading.operation == "einsum":
        return Note("sizes", _EINSUM)
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


def _two_sizes_note(reading: Reading) -> Note | None:
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
