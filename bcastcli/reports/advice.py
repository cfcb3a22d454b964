"""Formats suggestions in a framework's syntax, a matrix product first."""

from collections.abc import Sequence

from bcastcli.analysis.dialects import in_words_of
from bcastcli.analysis.memory import elements
from bcastcli.core.answer import Answer, Suggestion
from bcastcli.core.shapes import UNKNOWN, written
from bcastcli.render.sheet import Cell, Grid, Row
from bcastcli.rules import NUMPYS

_MATRIX_PRODUCT = "MatMul"


def suggestions_in(answer: Answer, framework: str = "") -> tuple[Suggestion, ...]:
    """Return what to write instead, in a framework's words; in NumPy's if none is named."""
    return tuple(
        each._replace(write=in_words_of(framework, each.write, each.changed))
        for each in answer.suggestions
    )


def grid(answer: Answer, framework: str = "") -> Grid | None:
    """Return what to write instead, if anything, with its shapes and result."""
    suggestions = suggestions_in(answer, framework)
    product = _matrix_product(answer)
    if product is None:
        return of_suggestions(suggestions) if suggestions else None
    # A change that makes the result large is not an alternative; a transposed operand goes first.
    small = [each for each in suggestions if not each.outgrows]
    turned = [each for each in small if _is_transposed(answer, each)]
    others = [each for each in small if each not in turned]
    return of_suggestions((*turned, product, *others))


def of_suggestions(suggestions: Sequence[Suggestion]) -> Grid:
    """Return suggestions with the shapes and the results that they give."""
    return Grid((), (tuple(map(_row, suggestions)),), ruled=False)


def _row(suggestion: Suggestion) -> Row:
    shapes = " ".join(written(operand.shape) for operand in suggestion.changed)
    gives = f"gives {written(suggestion.answer.result or ())}"
    count = elements(suggestion.answer) if suggestion.outgrows else None
    if count is not None:
        gives += f" ({count} elements)"
    return Cell("try"), Cell(suggestion.write), Cell(shapes), Cell(gives)


def _is_transposed(answer: Answer, suggestion: Suggestion) -> bool:
    """Return whether a suggestion does no more than reorder the axes of a single operand."""
    changed = suggestion.changed
    if len(changed) != 1:
        return False
    typed = {operand.name: operand.shape for operand in answer.operands}
    own = typed[changed[0].name]
    return own != changed[0].shape and own == changed[0].shape[::-1]


def _matrix_product(answer: Answer) -> Suggestion | None:
    """Return the product of two stacks of matrices whose inner sizes are equal."""
    operands = answer.operands
    if answer.question.name not in NUMPYS or answer.ok is not False:
        return None
    if len(operands) != 2 or min(answer.ranks) < 2:
        return None
    (_, left), (_, right) = operands
    if left[-1] != right[-2] or left[-1] in (1, UNKNOWN):
        return None
    from bcastcli.operators.operators import operator  # rarely needed
    from bcastcli.operators.table import version_at_or_error, versions_of

    version = version_at_or_error(versions_of(_MATRIX_PRODUCT), None)
    made = operator(version, None).question(operands, {}).answer()
    write = f"bcastcli op {_MATRIX_PRODUCT} {written(left)} {written(right)}"
    return Suggestion(write, (), made) if made.ok else None
