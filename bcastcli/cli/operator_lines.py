"""Lines that name the operator, or the rule, that answers them."""

from collections.abc import Mapping, Sequence

from bcastcli.core.alignment import Operand
from bcastcli.core.answer import Answer
from bcastcli.core.option import WHAT_AN_AXIS_IS
from bcastcli.core.question import Question
from bcastcli.core.shapes import UNKNOWN_RANK
from bcastcli.notation import operators as notation
from bcastcli.notation import questions
from bcastcli.notation import text as shapes_notation
from bcastcli.notation.text import NotationError
from bcastcli.operators.operators import (
    LISTED_ONLY,
    operator,
)
from bcastcli.operators.table import OperatorError, Version, existing, history
from bcastcli.operators.undecided import TransposableMatMul, Undecided
from bcastcli.rules import RULES


def ask(line: str, opset: int | None = None) -> Answer:
    """Return the answer to a line; NotationError if it is not a question.

    >>> ask("Gemm 8,64 10,64 10 trans_b=1").result
    (8, 10)
    """
    read = notation.read(line)
    own = read.settings.get("opset")
    if read.name in RULES:
        return _ask_rule(line, read)
    try:
        version = existing(history(read.name), own.value if own else opset)
    except OperatorError as error:
        start, _ = read.span
        raise NotationError(str(error), line, (start, start + 1)) from error
    return _ask_operator(line, read, version, own.value if own else opset)


def _ask_operator(
    line: str, read: notation.OperatorLine, version: Version, opset: int | None
) -> Answer:
    about = {"op": version.op, "opset": opset, "since_opset": version.since_opset}
    if version.op in LISTED_ONLY:
        inputs = shapes_notation.operands(read.typed)
        missing = f"bcastcli can compute shapes for {version.op}"
        return Undecided(version.rule, inputs, missing, about)
    asked = operator(version, opset)
    if version.op == "MatMul" and {"trans_a", "trans_b"} & read.settings.keys():
        asked = TransposableMatMul(version, opset)
    options = _options(line, read, asked.options, asked.name, counts_back=asked.counts_back)
    questions.refuse_count(
        line, read.typed, asked.name, asked.min_operands, asked.max_operands, asked.default_names
    )
    inputs = shapes_notation.operands(read.typed, asked.default_names)
    if UNKNOWN_RANK in read.typed.shapes:
        return Undecided(version.rule, inputs, _missing(inputs), about)
    return asked.question(inputs, options).answer()


def _ask_rule(line: str, read: notation.OperatorLine) -> Answer:
    rule = RULES[read.name]
    options = _options(line, read, dict.fromkeys(rule.options, 0), rule.name)
    questions.refuse_count(line, read.typed, rule.name, rule.min_operands, rule.max_operands)
    inputs = shapes_notation.operands(read.typed, rule.default_names)
    if UNKNOWN_RANK in read.typed.shapes:
        return Undecided(rule.name, inputs, _missing(inputs), {})
    return Question(rule, inputs, options).answer()


def _options(
    line: str,
    read: notation.OperatorLine,
    known: Mapping[str, int],
    name: str,
    *,
    counts_back: bool = False,
) -> dict[str, int]:
    """Return what a line sets of an operator's options; NotationError for one that it has not."""
    options = {}
    for option, (value, where) in read.settings.items():
        if option == "opset":
            if name in RULES:
                raise NotationError(f"{name} is a rule and has no opset", line, where)
            continue
        if option not in known:
            raise NotationError(f"{name} has no {option}", line, where)
        if option == "axis" and value < -1 and not counts_back:
            raise NotationError(WHAT_AN_AXIS_IS, line, where)
        options[option] = value if option == "axis" else bool(value)
    return options


def _missing(inputs: Sequence[Operand]) -> str:
    names = [each.name for each in inputs if each.shape == UNKNOWN_RANK]
    shapes = "the shape of" if len(names) == 1 else "the shapes of"
    return f"{shapes} {' and '.join(names)} {'is' if len(names) == 1 else 'are'} known"
