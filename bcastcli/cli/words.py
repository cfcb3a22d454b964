"""What people type in place of a command or an option, and what it is here."""

import re
import shlex
from collections.abc import Sequence
from difflib import get_close_matches

from bcastcli.notation.pieces import reads_as_file
from bcastcli.notation.text import NotationError
from bcastcli.rules import RULES, find, names, nearest
from bcastcli.rules.frameworks import WITHOUT_A_RULE

_SYNONYMS = {
    "op MatMul": "mm bmm dot @",
    "op Gemm": "addmm linear",
    "op Concat": "cat concatenate",
    "op Conv": "convolution conv2d",
    "op Transpose": "permute",
    "numpy": "broadcast broadcast_arrays broadcast_shapes broadcast_tensors",
    "numpy --picture": "draw picture plot show",
    "why": "explain error traceback log",
    "run": "python python3 debug",
    "run -m pytest": "pytest",
    "check": "test lint verify github",
    "--version": "version",
    "help teaching": "teach slides lecture",
    "help topics": "tutorial docs manual examples",
    "--axis": "--dim",
}
"""The command lines and options that are meant, each with the words for it."""
GONE = {
    "-f tsv": ("", "use -p, or --json"),
    "-f markdown": ("", "use the table, in a fenced block"),
    "-f html": ("", "use -f svg, or bcastcli deck for a page"),
    "--max-elements": ("", "multiply the sizes of the result, which -p and --json print"),
    "--title": ("", "bcastcli deck writes slides with titles"),
    "--axis": ("op", "write axis=K after the shapes"),
    "--trans-b": ("op", "write trans_b=1 after the shapes"),
    "--tee": ("why", "write the output to a file with tee, and read it with bcastcli why < FILE"),
    "--rules": ("model", "use bcastcli model FILE -f lines | bcastcli compare -"),
    "--only": ("model", "use bcastcli model FILE --all -p | grep mismatch"),
}
"""Options and formats of earlier versions that scripts may have: which command had them, unless
that is every one, and what to use instead.
"""
_ALIKE = 0.8
"""The least similarity, from 0 to 1, for which an option is suggested."""
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

    >>> meaning("mm"), meaning("--dim"), meaning("xyzzy")
    ('op MatMul', '--axis', '')
    """
    return next((meant for meant, words in _SYNONYMS.items() if word in words.split()), "")


def unknown_command(arguments: Sequence[str], commands: Sequence[str]) -> str:
    """One sentence on arguments that begin with no command, and on what may be meant."""
    from bcastcli import help as topics  # rarely needed, as the operators are

    word, *rest = arguments
    name = word.lower()
    if name in WITHOUT_A_RULE:
        return WITHOUT_A_RULE[name]
    near = nearest(name, {*commands, *names()})
    line = ""
    if reads_as_file(word):
        line = _reading(word)
    elif operator := _operator(name):
        line = shlex.join(["bcastcli", "op", operator, *rest])
    elif meant := meaning(name):
        line = shlex.join(["bcastcli", *meant.split(), *rest])
    elif name in topics.names():
        line = f"bcastcli help {name}"
    elif near:
        line = shlex.join(["bcastcli", near[0], *rest])
    if line:
        return f"unknown command: {word}; did you mean: {line}"
    return f"unknown command: {word}; the rules are {', '.join(RULES)}; -h lists all commands"


def _operator(name: str) -> str:
    """The operator with a name, in upper or lower case; empty if there is none."""
    from bcastcli.operators.table import operators

    return next((each for each in operators() if each.lower() == name.lower()), "")


def _reading(file: str) -> str:
    """The command line that reads a file."""
    command = _READERS.get(file.rpartition(".")[2])
    return f"bcastcli {command} {file}" if command else f"bcastcli < {file}"


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


def gone(command: str, arguments: Sequence[str]) -> str:
    """One sentence on an option or a format among the arguments that is gone; empty if none is."""
    line = re.sub(r"(?<!\S)(?:-f|--format)[ =]?(?=\w)", "-f ", " ".join(arguments))
    for name, (of, instead) in GONE.items():
        is_typed = re.search(rf"(?<!\S){name}(?![\w-])", line)
        if is_typed and of in ("", command):
            return f"{of} {name} is gone: {instead}".lstrip()
    return ""


def unknown_option(command: str, option: str, known: Sequence[str]) -> str:
    """One sentence on an option that a command lacks, and on what may be meant."""
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
