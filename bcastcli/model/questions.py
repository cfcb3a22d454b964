"""The question of a node that broadcasts: its answer, and why its rule refuses it."""

from collections import Counter

from bcastcli.core.answer import Answer
from bcastcli.model.nodes import Node
from bcastcli.operators import questions
from bcastcli.operators.facts import Clash
from bcastcli.operators.table import OperatorError

_known: dict[object, Answer | OperatorError] = {}
"""The answers so far: the nodes of a model ask few questions, many times."""


def answer(node: Node) -> Answer | OperatorError:
    """The answer to a node's question, or why the node is invalid."""
    key = node.question_name, node.inputs, tuple(node.options.items()), node.opset
    if key not in _known:
        _known[key] = _answer(node)
    return _known[key]


def _answer(node: Node) -> Answer | OperatorError:
    try:
        asked = questions.of_node(node.question_name, node.inputs, node.options, node.opset)
    except OperatorError as error:
        return error
    return questions.answer(asked)


def is_refused(found: Answer) -> bool:
    """Whether the rule refuses a node; one that only exceeds a limit has a result."""
    return bool(found.reason and found.reason.kind in ("sizes", "rank", "fit", "names"))


def named(node: Node) -> Answer:
    """The answer to a node that is refused, with the file's names of its operands."""
    once = {name for name, times in Counter(node.names).items() if name and times == 1}
    names = [
        name if name in once else f"{name or 'input'}[{place}]"
        for place, name in enumerate(node.names)
    ]
    asked = node.question_name, node.inputs, node.options, node.opset, names
    return questions.answer(questions.of_node(*asked))


def refusal(node: Node) -> Clash:
    """Why a node is refused."""
    found = named(node)
    text = "" if found.reason is None else found.reason.text
    conflicts = [axis for axis in found.axes or () if axis.conflict]
    if not conflicts:
        return Clash(text)
    last = conflicts[-1]
    at_fault = tuple(place for place, size in enumerate(last.sizes) if size not in (1, None))
    return Clash(text, last.number, at_fault)
