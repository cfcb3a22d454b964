"""Questions from a name, shapes and settings: the entry for lines of `op -` and nodes of models.

`line` writes the line of a question, from which the same question is read.
"""

from collections.abc import Mapping, Sequence

from bcastcli.core.alignment import Operand, automatic_names
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import AXIS_EXPECTED, Rule, Value, whole
from bcastcli.core.shapes import UNKNOWN_RANK, Shape, written
from bcastcli.notation import operators as notation
from bcastcli.notation.questions import answer_line, miscounted
from bcastcli.notation.text import RANK_UNKNOWN, NotationError
from bcastcli.operators.operator import Operator, OperatorQuestion, Unaligned
from bcastcli.operators.operators import operator
from bcastcli.operators.table import (
    OWN,
    OperatorError,
    by_letters,
    signatures,
    version_at_or_error,
    versions_of,
)
from bcastcli.rules import RULES, find, nearest

_BROADCASTING = {"MatMulInteger": (0, 1), "QLinearMatMul": (0, 3)}
"""The places of the inputs that broadcast, for operators that have others as well."""
ATTRIBUTES = {"transA": "trans_a", "transB": "trans_b", "axis": "axis", "equation": "equation"}
"""ONNX's names of the attributes that affect shapes, each with that of the option."""


class Undecided(Unaligned):
    """Undecided: information is missing that a condition on sizes cannot express."""

    @property
    def options(self) -> dict[str, Value]:
        return {}


def ask(text: str, opset: int | None = None, name: str = "") -> Answer:
    """The answer to a line; raise NotationError if it is not a question.

    `opset` applies to a line without its own. `name` is the operator of a line that does not begin
    with one.

    >>> ask("Gemm 8,64 10,64 10 trans_b=1").result
    (8, 10)
    """
    word = next(iter(text.split()), "")
    rule = None if name or RANK_UNKNOWN in text else find(word)
    if rule:
        end = text.index(word) + len(word)
        return answer_line(rule, " " * end + text[end:], {})
    read = notation.read(text, _attributes, name)
    try:
        operation = _named(read.name, read.settings, opset)
        _refuse_misnamed(operation, read, text)
        return answer(_question(operation, read.typed.shapes, read.settings, read.typed.names))
    except OperatorError as error:
        raise NotationError(str(error), text, read.span(error.part)) from error


def _attributes(name: str) -> Mapping[str, str]:
    """The attributes of an operator that does not broadcast, each with its kind."""
    own = signatures().get(by_letters().get(name.lower(), ""))
    return own.attributes if own else notation.NO_ATTRIBUTES


def _refuse_misnamed(operation: Rule | Operator, read: notation.OperatorLine, line: str) -> None:
    """Raise OperatorError for an input name that looks like an attribute."""
    own = signatures().get(operation.name)
    inputs = own.inputs if own else operation.default_names
    names, shapes = read.typed.names, read.typed.shapes
    are_chosen = not {None, *inputs} & {*names}
    for number, (name, shape) in enumerate(zip(names, shapes, strict=True)):
        if name is None or name in inputs:
            continue
        value = line[slice(*read.span(number))].partition("=")[2] or written(shape)
        options = own.attributes if own else operation.options
        known = {each.lower().replace("_", ""): each for each in options}
        near = nearest(name.replace("_", ""), known)
        hint = f"; did you mean {known[near[0]]}={value}?" if near else ""
        if not near and value.isdigit() and not are_chosen:
            takes = f", only {', '.join(known.values())}" if known else ""
            hint = f"{takes}; for a shape named {name} write {name}=({value},)"
        if hint:
            raise OperatorError(f"{operation.name} takes no {name}{hint}", number)


def of_node(
    name: str,
    inputs: Sequence[Shape | None],
    attributes: Mapping[str, Value],
    opset: int | None,
    names: Sequence[str] = (),
) -> Question:
    """The question of a model's node; raise OperatorError if it is not one.

    `name` is ONNX's operator, or a rule; None is an input of unknown rank. Inputs that do not
    broadcast are left out, and so are attributes that do not affect shapes. `names` are those of
    the inputs.
    """
    places = [each for each in _BROADCASTING.get(name, range(len(inputs))) if each < len(inputs)]
    shapes = [inputs[place] for place in places]
    names = [names[place] for place in places] if names else ()
    known = [UNKNOWN_RANK if shape is None else shape for shape in shapes]
    if name in RULES:
        return _question(RULES[name], known, attributes, names)
    if name == "LayerNormalization" and opset is not None:
        opset = max(opset, 17)  # ONNX Runtime runs it in older opsets, too
    operation = _named(name, attributes, opset)
    settings = {name: value for name, value in attributes.items() if name in operation.options}
    return _question(operation, known, settings, names)


def line(question: Question) -> str:
    """The line from which a question is read again."""
    settings = dict(question.options)
    if isinstance(question, OperatorQuestion):
        operation = question.operator
        if operation.name not in signatures():
            usual = _question(operation, [each.shape for each in question.inputs], {}).options
            settings = {
                name: value for name, value in settings.items() if value != usual.get(name, 0)
            }
        is_own = operation.version.rule == OWN
        if operation.opset and (is_own or operation.version != versions_of(operation.name)[-1]):
            settings["opset"] = operation.opset
    shapes = [each.shape for each in question.inputs]
    return notation.line(question.name, shapes, settings)


def answer(question: Question) -> Answer:
    """The answer to a question, which may be that it is undecided."""
    unknown = [each.name for each in question.inputs if each.shape == UNKNOWN_RANK]
    if not unknown:
        return question.answer()
    shapes, are = ("shapes", "are") if len(unknown) > 1 else ("shape", "is")
    return Undecided(question, f"the {shapes} of {' and '.join(unknown)} {are} known")


def _named(name: str, settings: Mapping[str, Value], opset: int | None) -> Rule | Operator:
    """The rule or the operator of a name; raise OperatorError for an unknown name."""
    rule = find(name)
    if rule:
        return rule
    opset = whole(settings["opset"]) if "opset" in settings else opset
    version = version_at_or_error(versions_of(name), opset)
    return operator(version, opset)


def _question(
    operation: Rule | Operator,
    shapes: Sequence[Shape],
    settings: Mapping[str, Value],
    names: Sequence[str | None] = (),
) -> Question:
    """The question with settings; raise OperatorError for one that it lacks."""
    options: dict[str, Value] = {}
    for setting, value in settings.items():
        if setting == "opset":
            continue
        if setting not in operation.options:
            raise OperatorError(f"{operation.name} takes no {setting}", setting)
        if setting == "axis" and isinstance(operation, Rule) and whole(value) < -1:
            raise OperatorError(AXIS_EXPECTED, setting)
        options[setting] = bool(value) if isinstance(operation.options[setting], bool) else value
    counts = operation.min_operands, operation.max_operands
    wrong = miscounted(len(shapes), operation.name, *counts, operation.default_names)
    if wrong:
        raise OperatorError(*wrong)
    chosen = automatic_names(shapes, operation.default_names, names)
    inputs = tuple(map(Operand, chosen, shapes))
    if isinstance(operation, Rule):
        return Question(operation, inputs, options)
    if UNKNOWN_RANK in shapes:
        return OperatorQuestion(operation, inputs, options)
    return operation.question(inputs, options)
