"""What people type in place of a command or an option, and what it is here."""

import re
import shlex
from collections.abc import Sequence
from difflib import get_close_matches

from bcastcli.notation.pieces import reads_as_file
from bcastcli.notation.text import NotationError, may_be_shape
from bcastcli.rules import RULES, find, names, nearest
from bcastcli.rules.frameworks import WITHOUT_A_RULE, no_command

_SYNONYMS = {
    "op MatMul": "mm bmm dot @",
    "op Gemm": "addmm linear",
    "op Concat": "cat concatenate",
    "op Conv": "conv2d",
    "numpy": "broadcast broadcast_arrays broadcast_shapes broadcast_tensors",
    "why": "explain error traceback log",
    "run": "python python3 debug",
    "run -m pytest": "pytest",
    "check": "test lint",
    "help teaching": "draw picture plot slides",
    "help topics": "tutorial docs manual",
}
"""The command lines that are meant, each with the words for it."""
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
_FEWEST_WORDS = 3
"""So many words make a line a message, not shapes."""
_LONGEST = 200
"""The most characters of a line that is repeated as a command."""


def meaning(word: str) -> str:
    """The command line that a word means; empty if it is not listed.

    >>> meaning("mm"), meaning("add"), meaning("xyzzy")
    ('op MatMul', 'op Add', '')
    """
    from bcastcli.operators.table import operators  # rarely needed

    for name in operators():
        if name.lower() == word.lower():
            return f"op {name}"
    return next((meant for meant, words in _SYNONYMS.items() if word in words.split()), "")


def unknown_command(arguments: Sequence[str], commands: Sequence[str]) -> tuple[str, str]:
    """A sentence on arguments that begin with no command, and the command line that is meant."""
    from bcastcli import help as topics  # rarely needed

    word, *others = arguments
    name, sentence = word.lower(), f"unknown command: {word}"
    if name in WITHOUT_A_RULE:
        return no_command(name), ""
    if reads_as_file(word):
        return sentence, _reading(word)
    meant = meaning(name)
    if not meant and name in topics.names():
        return sentence, f"bcastcli help {name}"
    if not meant:
        meant = next(iter(nearest(name, {*commands, *names()})), "")
    if meant:
        return sentence, shlex.join(["bcastcli", *meant.split(), *others])
    return f"{sentence}; the rules are {', '.join(RULES)}; -h lists all commands", ""


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
    if reads_as_file(at_fault) and at_fault.lower() not in WITHOUT_A_RULE:  # as llama.cpp
        return _reading(at_fault)
    # The operators are loaded only where a name may be meant.
    if len(words) > 1 and at_fault == words[0] and not may_be_shape(at_fault):
        meant = meaning(words[0])
        if not meant.startswith("op "):
            meant = next(iter(nearest(words[0], names())), "")
        if meant:
            return shlex.join(["bcastcli", *meant.split(), *words[1:]])
    if sum(word.strip(".,:").isalpha() for word in words) >= _FEWEST_WORDS:
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
    if near:
        hint = f"; did you mean {near[0]}?"
    elif owners and find(command):
        hint = f"; it is an option of {owners[0]}"
    return f"{command} has no option {option}{hint}"
