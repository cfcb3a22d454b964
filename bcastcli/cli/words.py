"""What to type instead of an unknown command, by meaning first, or of a value that is not taken."""

import shlex
from collections.abc import Sequence

from bcastcli.cli.trial import works
from bcastcli.notation.hints import file_hint, reads_as_file
from bcastcli.rules import RULES, TO_A_TARGET, USUAL, names, nearest
from bcastcli.rules.frameworks import WITHOUT_A_RULE

# Other names of ONNX operators, in lower case.
_OPERATORS = {
    **dict.fromkeys(("mm", "bmm", "dot", "matvec", "@"), "MatMul"),
    **dict.fromkeys(("addmm", "dense", "linear"), "Gemm"),
    **dict.fromkeys(("layer_norm", "layernorm"), "LayerNormalization"),
    **dict.fromkeys(("rms_norm", "rmsnorm"), "RMSNormalization"),
    **dict.fromkeys(("subtract", "-"), "Sub"),
    **dict.fromkeys(("multiply", "*"), "Mul"),
    **dict.fromkeys(("divide", "true_divide", "/"), "Div"),
    **dict.fromkeys(("maximum",), "Max"),
    **dict.fromkeys(("minimum",), "Min"),
    "+": "Add",
}
# Functions that give one array the shape of a target: onnx-uni with the target as A.
_OF_A_TARGET = ("broadcast_to", "expand", "expand_as")
_NUMPY = ("broadcast_arrays", "broadcast_shapes", "broadcast_tensors", "ufunc")
_BROADCAST = (
    "there is no command broadcast; NumPy's is bcastcli numpy, OpenVINO's operator Broadcast is "
    "bcastcli bidirectional"
)

_NEAR = {"moodle": "gift", "csv": "tsv", "md": "markdown"}
"""Values that options do not take, or only those of other commands."""


def not_taken(option: str, value: str, possible: str) -> str | None:
    """Return one sentence on a value that has a known substitute; None where it has none.

    `possible` is the list of the values that it takes, in quotes.
    """
    near = _NEAR.get(value.lower())
    if near and f"'{near}'" in possible:
        return f"{option} does not take {value}; did you mean {option} {near}?"
    return None


def suggestion(arguments: Sequence[str], commands: Sequence[str]) -> str:
    """Return one sentence on what to type instead of arguments that begin with no command."""
    word, *rest = arguments
    name = word.lower()
    known = {"broadcast": _BROADCAST, **WITHOUT_A_RULE}
    if name in known:
        return known[name]
    if reads_as_file(word):
        return file_hint(word)
    meant = _by_meaning(word, rest) or _by_spelling(name, rest, commands)
    if meant is None:
        return f"there is no command {word}; the rules are {', '.join(RULES)}; -h lists all"
    if works(meant):
        return f"there is no command {word}; did you mean: {shlex.join(['bcastcli', *meant])}"
    return f"there is no command {word}; did you mean {' '.join(meant[: len(meant) - len(rest)])}?"


def _by_meaning(word: str, rest: Sequence[str]) -> list[str] | None:
    """Return the command line of that meaning; None if the word is not known."""
    from bcastcli import help as topics  # rarely needed, as the table is
    from bcastcli.operators.table import table

    operators = {operator.lower(): operator for operator in table()}
    name = word.lower()
    if not rest and name in (topics.LIST, topics.SCHEMA, *topics.names(), *topics.sections()):
        return ["help", name]
    if name == "version":
        return ["--version"]
    if word in table():
        return ["op", word, *rest]
    if name in _OF_A_TARGET:
        return [TO_A_TARGET, *(rest[::-1] if len(rest) == 2 else rest)]
    if name in _NUMPY:
        return [USUAL, *rest]
    operator = operators.get(name) or _OPERATORS.get(name)
    return ["op", operator, *rest] if operator else None


def _by_spelling(name: str, rest: Sequence[str], commands: Sequence[str]) -> list[str] | None:
    """Return the command line with the nearest name; None if none is near."""
    near = nearest(name, {*commands, *names()})
    return [near[0], *rest] if near else None
