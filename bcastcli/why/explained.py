"""Turns the reading of an error message into a question, and answers it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from bcastcli.advice import lines as advice
from bcastcli.advice.dialects import with_batch_axis
from bcastcli.core.alignment import Operand, letters
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question, Suggestion
from bcastcli.core.rule import Note
from bcastcli.core.shapes import UNKNOWN, Size
from bcastcli.core.wording import axes, joined_with_and
from bcastcli.rules import (
    EITHER_STRETCHES,
    IDENTICAL,
    ON_AN_AXIS,
    RULES,
    TO_A_TARGET,
    TO_GIVEN_AXES,
    USUAL,
)
from bcastcli.why.messages import Fault, Reading, catalogue
from bcastcli.why.messages.reader import read
from bcastcli.why.messages.reading import MATMUL, Origin
from bcastcli.why.sizes import EINSUM, NOT_REWRITTEN, sizes_note, two_sizes_note

_ENGINES = ("onnxruntime", "openvino")
"""The frameworks whose engines the rules' notes are about."""
_OF_MODELS = {"onnx", "onnxruntime", "openvino", "tensorrt", "mnn"}
"""The frameworks that run models from files, whose nodes have names."""
_OF_PYTHON = {
    *("torch", "numpy", "jax", "tensorflow", "paddle", "mlx", "cupy", "dask", "tinygrad"),
    *("keras", "scipy", "pytensor", "numba"),
}
_IN_A_CELL = re.compile(r"In ?\[|Cell |Input |<ipython-input|\S{0,200}ipykernel_")
_IS_SCRIPT = re.compile(r"[\w/][\w./-]{0,200}\.py")
_ORDINALS = ("first", "second", "third", "fourth")
_WHOLE = {"output", "result", "expected", "indexed"}
"""Names of operands that cannot be rewritten: outputs and results."""
_ATTENTION = "in attention axis 1 is heads, axes 2 and 3 are queries and keys"
_WITHOUT_SHAPES = {"index arrays"}
"""The notes that are useful even without a shape."""
_DECISIVE = {
    *("index arrays", "either order", "axis not told", "batch axis missing", "remapped"),
    "output is last",
}
"""The caveats without which an answer may be taken for another one."""
_REFUSED_ALL_THE_SAME = {"warning"}
"""The caveats that explain why a message has shapes that do broadcast."""


_WHY = {
    TO_A_TARGET: "only a size of 1 stretches to the target's",
    TO_GIVEN_AXES: "the operand's is not 1",
    ON_AN_AXIS: "the first operand never stretches",
    IDENTICAL: "nothing stretches",
}
"""Why two sizes clash under a rule other than NumPy's."""


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


def of_message(text: str, origin: Origin) -> Explanation | Fault | None:
    """What the first message of a text says by itself; None if it has none.

    No operand is called what the source has for something else.
    """
    for said in read(text.encode("utf-8", "replace")).findings:
        return explain(said._replace(origin=origin)) if isinstance(said, Reading) else said
    return None


def explain(reading: Reading) -> Explanation:
    """Return a reading with its answer, its operands named as the user's line has them."""
    each = _explained(reading, reading.names)
    names = _other_names(reading)
    if not names:
        return each
    own = reading._replace(names=tuple(names.get(old, old) for old in reading.names))
    return _explained(own, reading.names)._replace(lines=tuple(_renamed(each.lines, names)))


def _other_names(reading: Reading) -> dict[str, str]:
    """Return the user's names of operands, by the reading's.

    A name that the user's line has for something else becomes "the first operand", or, if it is the
    framework's, "torch's a".
    """
    origin = reading.origin
    if origin is None:
        return {}
    pairs = zip(reading.names, origin.names or (), strict=False)
    names = {old: new for old, new in pairs if new}
    if len({names.get(old, old) for old in reading.names}) < len(reading.names):
        names = {}
    ours = letters(len(reading.names))
    for number, old in enumerate(reading.names):
        is_ours = old in ours or len(reading.framework) != 1
        word = rf"(?<![\w.]){re.escape(old)}(?!\w|=[^=])"
        is_known = old in names or (reading.node and not is_ours)  # nodes have the model's names
        if not is_known and re.search(word, origin.source):
            which = f"the {_ORDINALS[number]} operand" if number < len(_ORDINALS) else old
            names[old] = which if is_ours else f"{reading.framework[0]}'s {old}"
    return names


def _renamed(lines: Iterable[Suggestion], names: Mapping[str, str]) -> Iterator[Suggestion]:
    """Yield lines of advice that were written with other names of the operands."""
    word = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, names))})(?!\w)")
    for each in lines:
        changed = [
            operand._replace(name=names.get(operand.name, operand.name)) for operand in each.changed
        ]
        write, where = (
            word.sub(lambda found: _in_code(names[found[0]]), text)
            for text in (each.write, each.where)
        )
        yield each._replace(write=write, where=where, changed=tuple(changed))


def _in_code(name: str) -> str:
    """Return a name as it stands in a line of code: any other is in brackets."""
    return f"({name})" if "the " in name or "'s " in name else name


def _explained(reading: Reading, roles: Sequence[str]) -> Explanation:
    """Return a reading with its answer; `roles` are the names that the operands have in it."""
    answer = _answer(reading, reading.rule)
    if answer is None:
        reading = reading._replace(shapes=None)
        ok = _ok_of_sizes(reading)
        reason = None if ok is not False else _reason(reading)
        sizes = two_sizes_note(reading) if ok is False else None
        notes = (*([sizes] if sizes else []), *_notes(reading, None), _missing(reading))
        return Explanation(reading, None, ok, reason, notes, ())
    if answer.ok and "openvino" in reading.framework and reading.rule == USUAL:
        other = _under_pdpd(reading)
        if other:
            reading = reading._replace(rule=ON_AN_AXIS, caveats=(*reading.caveats, "axis not told"))
            answer = other
    if answer.ok and "either order" in reading.caveats:
        reading = reading.named(*reading.names[::-1], shapes=(reading.shapes or ())[::-1])
        answer = _answer(reading, reading.rule) or answer
    lines = tuple(_lines(reading, answer))
    sizes = sizes_note(reading, roles, answer, lines)
    told = [*_notes(reading, answer)]
    # Which operand is which comes before why they differ.
    first = [*([sizes] if sizes else []), *told]
    if _DECISIVE & {*reading.caveats}:
        first = [*told, *([sizes] if sizes else [])]
    by_rule = [*_engine_notes(reading, answer)]
    notes = tuple([*by_rule, *first] if answer.ok else [*first, *by_rule])
    reason = answer.reason.text if answer.reason else None
    return Explanation(reading, answer, answer.ok, reason, notes, lines)


def _answer(reading: Reading, rule: str) -> Answer | None:
    """Ask the rule or the operator about the shapes; None if it does not take them."""
    if reading.shapes is None:
        return None
    given = zip(reading.names, reading.shapes, strict=True)
    operands = [Operand(name, shape) for name, shape in given]
    name = rule.removeprefix("op ")
    if name == rule:
        own_rule = RULES[rule]
        fits = own_rule.accepts_count(len(operands))
        return Question(own_rule, operands).answer() if fits else None
    from bcastcli.operators.operators import operator
    from bcastcli.operators.table import version_at_or_error, versions_of

    asked = operator(version_at_or_error(versions_of(name), None), None)
    most = asked.max_operands or len(operands)
    if not asked.min_operands <= len(operands) <= most:
        return None
    own = {"axis": reading.axis} if reading.axis is not None and "axis" in asked.options else {}
    return asked.question(operands, own).answer()


def _under_pdpd(reading: Reading) -> Answer | None:
    """Return the answer on the first axis on which pdpd refuses the shapes."""
    operands = [Operand(*given) for given in zip(reading.names, reading.shapes or (), strict=True)]
    if not RULES[ON_AN_AXIS].accepts_count(len(operands)):
        return None
    difference = len(operands[0].shape) - len(operands[1].shape)
    for axis in (-1, *range(difference)):
        answer = Question(RULES[ON_AN_AXIS], operands, {"axis": axis}).answer()
        if answer.ok is False:
            return answer
    return None


def _ok_of_sizes(reading: Reading) -> bool | None:
    """Return whether the sizes alone broadcast; without any, by the message, they do not."""
    sizes = reading.sizes
    if sizes is None:
        return None if "cut" in reading.caveats else False
    if any(isinstance(size, str) for size in sizes):
        return None
    if reading.rule in EITHER_STRETCHES and len(sizes) == 2:
        operands = [Operand(name, (size,)) for name, size in zip("AB", sizes, strict=True)]
        return Question(RULES[reading.rule], operands).answer().ok
    return False


def _reason(reading: Reading) -> str:
    """Return why the sizes do not broadcast, using only what the message shows."""
    where = "on the same axis" if reading.axis is None else f"on axis {reading.axis}"
    if reading.operation == "einsum":
        where = f"for {reading.axis_of or 'the same letter'}"
    sizes = reading.sizes
    if sizes is None or len(sizes) != 2:
        return _reason_without_sizes(reading)
    one, other = sizes
    names = _owners(reading)
    is_multiplied = reading.rule in (MATMUL, "op Gemm") and reading.axis_of != "batch"
    if names:
        has = f"{names[0]} has {one} and {names[1]} has {other}"
    elif is_multiplied:
        has = f"the axes that are multiplied have {one} and {other}"
    else:
        has = f"one operand has {one} and another {other}"
    if is_multiplied:
        return f"{has}, and these must be equal"
    has = f"{has} {where}"
    return f"{has}, and {_WHY.get(reading.rule, 'neither is 1')}"


def _reason_without_sizes(reading: Reading) -> str:
    if "rank" in reading.caveats:
        ranks = [axes(rank) for rank in reading.ranks or ()]
        few = "the operand has {} and the target {}, and an axis is never dropped"
        if reading.rule == MATMUL:
            few = "an operand has {}, and needs {} or more"
        return few.format(*ranks) if ranks else "an operand has the wrong number of axes"
    if reading.axis is not None:
        where = {"batch": "batch axis", "result": "axis"}.get(reading.axis_of or "", "axis")
        of = f" of the {reading.axis_of}" if "rank" in (reading.axis_of or "") else ""
        return f"the operands clash on {where} {reading.axis}{of}; their sizes there are not shown"
    sizes = reading.sizes or ()
    half, odd = divmod(len(sizes), 2)
    if half > 1 and not odd:
        one, other = (joined_with_and(list(map(str, s))) for s in (sizes[:half], sizes[half:]))
        if reading.operation == "bmm" and len(reading.names) == 2:
            return _reason_of_bmm(reading.names, sizes)
        return f"the axes that are multiplied have {one}, and {other}, and these must be equal"
    if sizes:
        return f"a size of {joined_with_and([str(size) for size in sizes])} does not fit"
    return "the message does not contain shapes"


def _reason_of_bmm(names: Sequence[str], sizes: Sequence[Size]) -> str:
    """Why two stacks of matrices do not multiply: the second must begin with two sizes."""
    (left, right), (batch, inner, own_batch, own_inner) = names, sizes
    if batch != own_batch:
        return f"{left} is a batch of {batch} and {right} of {own_batch}, and bmm stretches none"
    has = f"{left} has {inner} on its last axis and {right} {own_inner} on the one before its last"
    return f"{has}, and these must be equal"


def _owners(reading: Reading) -> tuple[str, ...]:
    """The names of the operands with these sizes, if the message has them."""
    return reading.names if len(reading.names) == len(reading.sizes or ()) == 2 else ()


def _notes(reading: Reading, answer: Answer | None) -> Iterator[Note]:
    """Yield the notes on the fields."""
    notes = catalogue().notes
    for caveat in reading.caveats:
        if caveat in notes and (answer or caveat in _WITHOUT_SHAPES):
            yield Note("message", notes[caveat])
    if reading.origin and reading.origin.is_attention and _are_scores(reading):
        yield Note("message", _ATTENTION)
    if "result so far" in reading.caveats and answer:
        name = "expected" if "expected" in reading.names else "result"
        yield Note("message", f"{name} is the shape computed so far, not an operand")
    if answer is None:
        yield from _of_letters(reading)
        return
    if answer.ok and not _REFUSED_ALL_THE_SAME & {*reading.caveats}:
        yield Note("message", f"the shapes in the message do broadcast under {reading.rule}")
    if answer.ok is None:
        failed = f"it failed, so this was false: {answer.when}" if answer.when else "it failed"
        yield Note("message", failed)


def _are_scores(reading: Reading) -> bool:
    """Return whether operands clash behind the batch axis of PyTorch's scores, which have four."""
    ranks = [len(shape) for shape in reading.shapes or ()]
    has_four = max(ranks) == 4 if ranks else reading.axis == 3
    return "torch" in reading.framework and has_four and reading.axis != 0


def _missing(reading: Reading) -> Note:
    """What a message without shapes leaves out, and how to get it."""
    if reading.operation == "einsum":
        return Note("message", EINSUM)
    if {*reading.framework} & _OF_MODELS:
        node = f" the node {reading.node}" if reading.node else " each node"
        return Note("message", f"bcastcli model FILE shows{node} with the shapes of its inputs")
    has = "no shapes" if reading.axis is None else "one axis only"
    origin = reading.origin
    if not {*reading.framework} <= _OF_PYTHON or not find_spec("bcastcli.raising"):
        return Note("message", f"the message gives {has}: print the shapes before that line")
    if origin and _IN_A_CELL.match(origin.script or origin.file):
        how = "%load_ext bcastcli, and run the cell again"
    else:
        is_script = origin is not None and _IS_SCRIPT.fullmatch(origin.script)
        how = f"bcastcli run {origin.script if origin and is_script else 'FILE'}"
    return Note("message", f"the message gives {has}; to see the shapes: {how}")


def _of_letters(reading: Reading) -> Iterator[Note]:
    """Yield conditions on symbolic sizes, since the operands did not broadcast."""
    sizes = reading.sizes or ()
    names = [size for size in sizes if isinstance(size, str) and size != UNKNOWN]
    numbers = [size for size in sizes if isinstance(size, int)]
    if reading.rule in EITHER_STRETCHES and len(names) == len(numbers) == 1:
        yield Note("message", f"it failed, so {names[0]} is neither 1 nor {numbers[0]}")


def _engine_notes(reading: Reading, answer: Answer) -> Iterator[Note]:
    """Yield the rule's notes; those on engines only if the message is theirs."""
    for note in answer.notes:
        if note.kind != "engine" or set(reading.framework) & {*_ENGINES}:
            yield note


def _lines(reading: Reading, answer: Answer) -> Sequence[Suggestion]:
    """Return what to write instead, in the framework's syntax, never changing outputs."""
    asked = answer
    dialect = reading.framework[0] if reading.framework else ""
    # A loss has a target that is an operand; that of an assignment is a shape.
    whole = _WHOLE | {"target"} if reading.rule == TO_A_TARGET else _WHOLE
    if "output is last" in reading.caveats and len(answer.operands) == 3:
        asked = Question(answer.rule, answer.operands[:2]).answer()
    found = []
    is_moved = reading.operation == "einsum" or {"either order", *NOT_REWRITTEN} & {
        *reading.caveats
    }
    # PyTorch's two matrices may be transposed, and the user's line has other operands.
    is_line_unread = reading.names[:1] == ("mat1",) and reading.origin and not reading.origin.names
    for each in () if is_moved or is_line_unread else asked.suggestions:
        # Two lengths should be one; MLX assigns with the same words, and SciPy has no third axis.
        if each.kind == "pairs" and (max(answer.ranks) < 2 or dialect in ("mlx", "scipy")):
            continue
        if reading.rule == MATMUL and len(each.changed) > 1:
            continue  # nobody means both transposed
        if each.setting or not each.changes or each.answer.rule.name != answer.rule.name:
            continue
        if {operand.name for operand in each.changed} & whole:
            continue
        if any(name in whole and shape != each.answer.result for name, shape in asked.operands):
            continue
        if not _fits(reading, answer.operands[-1], each.answer):
            continue
        found.append(each)
    if "batch axis missing" in reading.caveats:
        found = [_with_batch_axis(each) for each in found if _shows_every_axis(each)]
    return advice.lines_of(asked, found, dialect)


def _shows_every_axis(suggestion: Suggestion) -> bool:
    """Return whether operands that do not change have as many axes as the result.

    One with fewer would have its batch axis among them.
    """
    changed = {operand.name for operand in suggestion.changed}
    rank = len(suggestion.answer.result or ())
    return all(
        len(shape) == rank for name, shape in suggestion.answer.operands if name not in changed
    )


def _with_batch_axis(suggestion: Suggestion) -> Suggestion:
    rank = len(suggestion.answer.result or ())
    return suggestion._replace(
        changes=tuple([with_batch_axis(each, rank) for each in suggestion.changes])
    )


def _fits(reading: Reading, last: Operand, changed: Answer) -> bool:
    """Return whether a result goes into an output that is the last operand, or that may be it."""
    result = changed.result or ()
    if "perhaps output" in reading.caveats:  # one of rank 0 is hardly an output
        return changed.operands[-1].shape in ((), result)
    operands = [last, Operand("result", result)]
    is_output = "output is last" in reading.caveats and len(reading.names) == 3
    return not is_output or Question(RULES[TO_A_TARGET], operands).answer().ok is True
