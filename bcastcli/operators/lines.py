"""Lines that may begin with the name of a rule, a framework or an operator."""

import re

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import reads_as_word
from bcastcli.notation.questions import answer_line, is_json, split_label
from bcastcli.notation.text import RANK_UNKNOWN, NotationError
from bcastcli.operators import questions, table
from bcastcli.operators.operators import operator
from bcastcli.rules import find

_LINE = re.compile(r"(?!None\b)([A-Za-z][\w-]+)\s+(.*)")  # None is an unknown size
_SETTING = re.compile(r"\s(opset|broadcast|trans_[ab]|axis)=\S*")


def ask(line: str, usual: Rule) -> Answer:
    """The answer to a line, by the usual rule if it names none.

    Raises NotationError if it is not a question.

    >>> ask("Gemm 8,64 64,10", find("numpy")).result, ask("3,4 4", find("none")).ok
    ((8, 10), False)
    >>> lines = '{"op": "Add", "shapes": [[3, 1], [2]]}', '{"shapes": [[2], [2]]}', "add 2 2", "2 2"
    >>> answers = [ask(line, find("left")) for line in lines]
    >>> [(answer.rule.name, answer.result) for answer in answers]
    [('onnx', (3, 2)), ('left', (2,)), ('onnx', (2,)), ('left', (2,))]
    >>> for line in ("Ad 2 3", "Add 2,3", "2,-5 3", "2.5 3"):
    ...     try:
    ...         ask(line, find("numpy"))
    ...     except NotationError as error:
    ...         print(error.message)
    Ad is not known; did you mean Add?
    Add takes two shapes (A, B), not one
    a size cannot be negative; ? or -1 means an unknown size
    a size is a whole number; did you mean 2,5?
    """
    if is_json(line):
        return questions.ask(line) if '"op"' in line else answer_line(usual, line, {})
    word = next(iter(line.split()), "")
    start = line.index(word)
    end = start + len(word)
    if find(word) or word.lower() in table.by_letters():
        return questions.ask(line)
    try:
        return answer_line(usual, line, {})
    except NotationError as error:
        if error.span != (start, end) or not reads_as_word(word):
            raise
    return questions.ask(line)  # it says which name is meant


def operands_of(line: str, *, keeps_axis: bool) -> str | None:
    """A line without its operator or rule, or unchanged if it begins with neither.

    None: an operator that is not elementwise, such as a product, or one of a single shape;
    empty: an operator with an operand of unknown rank.
    `keeps_axis` leaves the setting axis.

    >>> [operands_of("Add 2 3 axis=1 opset=7 # a", keeps_axis=each) for each in (True, False)]
    ['2 3 axis=1 # a', '2 3 # a']
    >>> lines = "x 2 3", "None 3", "Sum 2 3 4", "Add 2 ...", "numpy 2 3", "PRelu 2,3 3"
    >>> [operands_of(line, keeps_axis=True) for line in lines]
    ['x 2 3', 'None 3', '2 3 4', '', '2 3', '2,3 3']
    >>> operators = "MatMul", "Gemm", "Concat", "Expand", "LayerNormalization"
    >>> {operands_of(f"{each} 2,3 3", keeps_axis=True) for each in operators}
    {None}
    >>> operands_of("Sum 2 axis=0", keeps_axis=True)
    """
    matched = _LINE.fullmatch(line)
    if not matched or not (matched[1] in table.operators() or find(matched[1])):
        return line
    name, rest = matched.groups()
    shapes, _ = split_label(rest)
    bare = _SETTING.sub(
        lambda setting: setting[0] if keeps_axis and setting[1] == "axis" else "", shapes
    )
    count = len([word for word in bare.split() if "=" not in word])
    if count < 2 or (not find(name) and not _is_elementwise(name)):
        return None
    return "" if RANK_UNKNOWN in bare else bare + rest[len(shapes) :]


def _is_elementwise(name: str) -> bool:
    """Whether an operator is elementwise, with arrays for operands."""
    own = operator(table.operators()[name][-1], None)
    return own.is_elementwise and not own.rule.second_is_target
