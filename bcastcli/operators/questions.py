"""Questions from a name, shapes and settings: the way in for lines of `op -` and nodes of models.

`line` writes the line of a question, from which the same question is read.
"""

from collections.abc import Mapping, Sequence

from bcastcli.core.alignment import Operand, automatic_names
from bcastcli.core.answer import Answer
from bcastcli.core.question import Question
from bcastcli.core.rule import AXIS_EXPECTED, Reason, Rule, Value, whole
from bcastcli.core.shapes import UNKNOWN_RANK, Shape
from bcastcli.notation import operators as notation
from bcastcli.notation.questions import miscounted
from bcastcli.notation.text import NotationError
from bcastcli.operators import attention
from bcastcli.operators.legacy import OnnxLegacy
from bcastcli.operators.matrices import GemmOfWholeC, TransposableMatMul
from bcastcli.operators.operator import Operator, OperatorQuestion
from bcastcli.operators.operators import LISTED_ONLY, ListedOnly, operator
from bcastcli.operators.table import OperatorError, version_at, version_at_or_error, versions_of
from bcastcli.rules import IDENTICAL, RULES

_BROADCASTING = {"MatMulInteger": (0, 1), "QLinearMatMul": (0, 3)}
"""The places of the inputs that broadcast, for operators that have others as well."""
_RUN_BEFORE_THEIR_OPSET = ("LayerNormalization",)
"""Operators that ONNX Runtime runs in opsets in which ONNX has none."""


class Undecided(Answer):
    """No answer, as information is missing that a condition on sizes cannot express."""

    def __init__(self, question: Question, missing: str, *, is_final: bool = False) -> None:
        """Take what must be known first; or, if that is final, why there is no answer."""
        # Nothing is aligned, so only these members have values.
        self.question = question
        self.rule = question.rule
        self.operands = question.operands
        self.ok = self.result = self.result_by_rule = self.axes = None
        self.options = {}
        self.notes = ()
        self.missing = missing
        self.reason = Reason("undecided", missing) if is_final else None

    @property
    def when(self) -> str | None:
        return None if self.reason else self.missing


def of_line(text: str, opset: int | None = None) -> Question:
    """Return the question on a line; raise NotationError if it is not a question.

    `opset` applies to a line without its own.

    >>> of_line("Gemm 8,64 10,64 10 trans_b=1").answer().result
    (8, 10)
    """
    read = notation.read(text)
    try:
        asked = _asked(read.name, read.settings, opset)
        return _question(asked, read.typed.shapes, read.settings, read.typed.names)
    except OperatorError as error:
        raise NotationError(str(error), text, read.span(error.part)) from error


def of_node(
    name: str,
    inputs: Sequence[Shape | None],
    attributes: Mapping[str, Value],
    opset: int | None,
    names: Sequence[str] = (),
) -> Question:
    """Return the question of a model's node; raise OperatorError if there is none.

    `name` is ONNX's operator, or a rule; None is an input of unknown rank. Inputs that do not
    broadcast are left out, and so are attributes that do not affect shapes. `names` are those of
    the inputs.
    """
    if name == "Attention":
        inputs = attention.of_node(inputs, attributes)
        names = names[: len(inputs)]
    places = [each for each in _BROADCASTING.get(name, range(len(inputs))) if each < len(inputs)]
    shapes = [inputs[place] for place in places]
    names = [names[place] for place in places] if names else ()
    known = [UNKNOWN_RANK if shape is None else shape for shape in shapes]
    if name in RULES:
        return _question(RULES[name], known, attributes, names)
    versions = versions_of(name)
    if name in _RUN_BEFORE_THEIR_OPSET and opset is not None:
        opset = max(opset, versions[0].since_opset)
    version = version_at(versions, opset)
    if version is not None and version.rule == OnnxLegacy.name and not attributes.get("broadcast"):
        if name != "Gemm":
            return _question(RULES[IDENTICAL], known, {}, names)
        attributes = {**attributes, "broadcast": 0}
    asked = _asked(name, attributes, opset)
    settings = {name: value for name, value in attributes.items() if name in asked.options}
    return _question(asked, known, settings, names)


def line(question: Question) -> str:
    """Return the line from which a question is read again."""
    settings = dict(question.options)
    if isinstance(question, OperatorQuestion):
        asked = question.operator
        usual = _question(asked, [each.shape for each in question.inputs], {}).options
        settings = {name: value for name, value in settings.items() if value != usual[name]}
        if asked.opset and asked.version != versions_of(asked.name)[-1]:
            settings["opset"] = asked.opset
    shapes = [each.shape for each in question.inputs]
    return notation.line(question.name, shapes, settings)


def answer(question: Question) -> Answer:
    """Return the answer to a question, perhaps that it is undecided."""
    if question.name in LISTED_ONLY:
        missing = f"bcastcli does not compute shapes for {question.name}"
        return Undecided(question, missing, is_final=True)
    unknown = [each.name for each in question.inputs if each.shape == UNKNOWN_RANK]
    if unknown:
        are = "the shape of {} is" if len(unknown) == 1 else "the shapes of {} are"
        return Undecided(question, f"{are.format(' and '.join(unknown))} known")
    return question.answer()


def ask(text: str, opset: int | None = None) -> Answer:
    """Return the answer to a line; raise NotationError if it is not a question."""
    return answer(of_line(text, opset))


def _asked(name: str, settings: Mapping[str, Value], opset: int | None) -> Rule | Operator:
    """Return the rule or the operator of a name; raise OperatorError if there is none."""
    if name in RULES:
        return RULES[name]
    opset = whole(settings["opset"]) if "opset" in settings else opset
    version = version_at_or_error(versions_of(name), opset)
    if version.op in LISTED_ONLY:
        return ListedOnly(version, opset)
    if version.op == "MatMul" and {"trans_a", "trans_b"} & settings.keys():
        return TransposableMatMul(version, opset)
    if (
        version.op == "Gemm"
        and version.rule == OnnxLegacy.name
        and not settings.get("broadcast", 1)
    ):
        return GemmOfWholeC(version, opset)
    return operator(version, opset)


def _question(
    asked: Rule | Operator,
    shapes: Sequence[Shape],
    settings: Mapping[str, Value],
    names: Sequence[str | None] = (),
) -> Question:
    """Return the question with settings; raise OperatorError for one that it does not have."""
    options: dict[str, Value] = {}
    for setting, value in settings.items():
        if setting == "opset":
            if isinstance(asked, Rule):
                raise OperatorError(f"{asked.name} is a rule and has no opset", setting)
            continue
        if setting not in asked.options:
            raise OperatorError(f"{asked.name} takes no {setting}", setting)
        if setting == "axis" and whole(value) < -1 and not asked.allows_negative:
            raise OperatorError(AXIS_EXPECTED, setting)
        options[setting] = value if setting in ("axis", "axes") else bool(value)
    wrong = miscounted(
        len(shapes), asked.name, asked.min_operands, asked.max_operands, asked.names_in_errors
    )
    if wrong:
        raise OperatorError(*wrong)
    chosen = automatic_names(shapes, asked.default_names, names)
    inputs = tuple(map(Operand, chosen, shapes))
    if isinstance(asked, Rule):
        return Question(asked, inputs, options)
    if UNKNOWN_RANK in shapes:
        return OperatorQuestion(asked, inputs, {**asked.options, **options})
    return asked.question(inputs, options)
