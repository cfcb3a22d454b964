"""What people type in place of a command or an option, and what it is here."""

import re
import shlex
from collections.abc import Sequence
from difflib import get_close_matches

from bcastcli.notation.pieces import reads_as_file
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES, TO_A_TARGET, find, names, nearest
from bcastcli.rules.frameworks import WITHOUT_A_RULE

_SYNONYMS = {
    "op MatMul": "mm bmm dot matvec @",
    "op Gemm": "addmm dense linear",
    "op Conv": "convolution",
    "op Concat": "cat concatenate",
    "op Transpose": "permute",
    "op LayerNormalization": "layer_norm layernorm",
    "op RMSNormalization": "rms_norm rmsnorm",
    "op Add": "+",
    "op Sub": "- subtract",
    "op Mul": "* multiply",
    "op Div": "/ divide",
    "op Max": "maximum",
    "op Min": "minimum",
    "numpy": "broadcast broadcast_arrays broadcast_shapes broadcast_tensors ufunc",
    "numpy --picture": "draw picture plot show",
    "why": "explain error errors message traceback log",
    "run": "python python3 debug",
    "run -m pytest": "pytest",
    "check": "test validate lint assert verify github pre-commit",
    "model": "convert",
    "--version": "version",
    "quiz": "exercise exercises exam moodle gift",
    "rules": "frameworks list ls",
    "help teaching": "teach lecture slides latex powerpoint",
    "help exit": "status",
    "help pipes": "pipe stdin stream",
    "help topics": "examples tutorial guide manual docs",
    "--axis": "--dim",
    "--steps": "-v --verbose",
    "--count": "-n --number",
}
"""The command lines and options that are meant, each with the words for it."""
GONE = {
    "-f tsv": "use -p, or --json",
    "-f markdown": "use the table, in a fenced block",
    "-f html": "use -f svg, or bcastcli deck for a page",
    "--max-elements": "multiply the sizes of the result, which -p and --json print",
    "--title": "bcastcli deck writes slides with titles",
    "op --axis": "write axis=K after the shapes",
    "op --trans-b": "write trans_b=1 after the shapes",
    "why --tee": "write the output to a file with tee, and read it with bcastcli why < FILE",
    "model --rules": "pipe the model's lines: bcastcli model FILE -f lines | bcastcli compare -",
    "model --only": "search the lines: bcastcli model FILE --all -p | grep mismatch",
}
"""Options and formats of earlier versions that scripts may have, and what to use instead.

Where only one command had it, that is in front.
"""
_ALIKE = 0.8
"""The least similarity, from 0 to 1, for which an option is suggested."""
# Functions that give one array the shape of a target: onnx-uni with the target as A.
_OF_A_TARGET = ("broadcast_to", "expand", "expand_as")
_READERS = {"onnx": "model", "py": "run", "md": "check", "shapes": "check"}
"""The commands that read a file, by the end of its name."""
_ABOUT_SHAPES = re.compile(
    r"(?i)\b(?:\w*error|broadcast(?!=)\w*|mismatch\w*|incompatible|dimensions?|shapes)\b(?!\")"
)
_FEWEST_WORDS = 4
"""What distinguishes a line of a log from shapes: such a word, or so many words."""
_LONGEST = 200
"""The most characters of a line that is repeated as a command."""


def meaning(word: str) -> str:
    """The command line or the option that a word means; empty if it is not listed.

    >>> meaning("mm"), meaning("-n"), meaning("xyzzy")
    ('op MatMul', '--count', '')
    """
    return next((meant for meant, words in _SYNONYMS.items() if word in words.split()), "")


def unknown_command(arguments: Sequence[str], commands: Sequence[str]) -> str:
    """One sentence on arguments that begin with no command, and on what may be meant."""
    word, *rest = arguments
    if word.lower() in WITHOUT_A_RULE:
        return WITHOUT_A_RULE[word.lower()]
    line = _line_for(word, rest, commands)
    if line:
        return f"unknown command: {word}; did you mean: {line}"
    return f"unknown command: {word}; the rules are {', '.join(RULES)}; -h lists all commands"


def _line_for(word: str, rest: Sequence[str], commands: Sequence[str]) -> str:
    """The command line that is meant by a word and the arguments after it; empty if unknown."""
    from bcastcli import help as topics  # rarely needed, as the operators are

    reader = _reading(word)
    if reader:
        return reader
    name = word.lower()
    operator = _operator(name)
    meant = meaning(name)
    near = nearest(name, {*commands, *names()})
    if word in _OF_A_TARGET:
        words = [TO_A_TARGET, *(rest[::-1] if len(rest) == 2 else rest)]
    elif operator:
        words = ["op", operator, *rest]
    elif meant:
        words = [*meant.split(), *rest]
    elif not rest and name in topics.names():
        words = ["help", name]
    elif near:
        words = [near[0], *rest]
    else:
        return ""
    return shlex.join(["bcastcli", *words])


def _operator(name: str) -> str:
    """The operator with a name, in upper or lower case; empty if there is none."""
    from bcastcli.operators.table import operators

    return next((each for each in operators() if each.lower() == name.lower()), "")


def _reading(name: str) -> str:
    """The command line that reads a file; empty if the name is not one of a file."""
    if not reads_as_file(name):
        return ""
    command = _READERS.get(name.rpartition(".")[2])
    return f"bcastcli {command} {name}" if command else f"bcastcli < {name}"


def command_for(error: NotationError) -> str:
    """The command line for a text that is not a question as it stands; empty if unknown."""
    from bcastcli.notation.questions import split_label

    line, at_fault = error.text, error.text[slice(*error.span)]
    words = split_label(line)[0].split()
    if not words or len(line) > _LONGEST or line.startswith("{"):
        return ""
    if find(words[0]):
        return shlex.join(["bcastcli", *words])
    if len(words) > 1 and at_fault == words[0] and _operator(words[0]):
        return shlex.join(["bcastcli", "op", *words])
    if reads_as_file(at_fault):
        return _reading(at_fault)
    sentence = [word for word in words if word.isalpha() and len(word) > 1]
    if len(sentence) >= _FEWEST_WORDS or _ABOUT_SHAPES.search(line):
        return f"bcastcli why {shlex.quote(line.strip())}"
    return ""


def unknown_option(command: str, option: str, known: Sequence[str]) -> str:
    """One sentence on an option that a command lacks, and on what may be meant."""
    for name in (f"{command} {option}", option):
        if name in GONE:
            return f"{name} is gone: {GONE[name]}"
    near = get_close_matches(option, known, n=1, cutoff=_ALIKE)
    owners = [rule for rule in RULES if option.removeprefix("--") in RULES[rule].options]
    hint = ""
    if meaning(option) in known:
        hint = f"; did you mean {meaning(option)}?"
    elif near:
        hint = f"; did you mean {near[0]}?"
    elif owners and find(command):
        hint = f"; it is an option of {owners[0]}"
    return f"{command} has no option {option}{hint}"


def format_that_is_gone(arguments: Sequence[str]) -> str:
    """One sentence on a format among the arguments that is gone; empty if there is none."""
    for value in re.findall(r"(?<!\S)(?:-f|--format)[ =]?(\w+)", " ".join(arguments)):
        name = f"-f {value}"
        if name in GONE:
            return f"{name} is gone: {GONE[name]}"
    return ""
