"""What to write instead of a text that cannot be read: another size, or another command."""

import re

from bcastcli.notation.quotes import compiled

X_AND_COMMAS = "x separates numbers, ? and single capital letters: use commas"
IN_QUOTES = "quotes are not part of a shape: remove them"
_HINTS = (
    (r".*[ \t\r\n].*", "a comma is missing between two sizes"),
    (r"[0-9]+\.\.[0-9]*|\.\.[0-9]+", "ranges are not supported: write ?, or a name such as N"),
    (r"[.*…]+", "... and * are not supported: list every axis (? if its size is unknown)"),
    (r"[0-9]+\.0*", "a size is a whole number, without a decimal point"),
    (r"[0-9]+(\.[0-9]+)+", "a size is a whole number: did you mean {meant}?"),
    (r"[0-9]+[eE]\+?[0-9]+", "write the size in digits, without an exponent"),
    (r"[0-9]+(_[0-9]+)+", "write the size with digits only: did you mean {meant}?"),
    (r"--[a-z].*", "write an option as NAME=VALUE here, such as axis=1"),
    (r"-.*", "a size cannot be negative; ? or -1 means an unknown size"),
    (r"\+\w+", "write a size without a sign"),
    (r"[0-9]+((\+|-|\*|//)[0-9]+)+", "write the result: arithmetic is only for names"),
    (r"\?(\+|-|\*|//).*|.*(\+|-|\*|//)\?", "give ? a name to calculate with it, as in N+1"),
    (r".*\w(\+|-|\*|//)", "a number or a name is missing after the sign"),
    (r"[A-Za-z0-9_?]*[-+*/%].*", "only +, -, * and // are supported: use a number or a name"),
    (r"[0-9]*(?![0-9])\d.*", "write sizes with the digits 0 to 9"),
    (r"""['"].*""", IN_QUOTES),
    (r".*[，、].*", "separate sizes with an ASCII comma"),
    (r"[0-9]+[x×].*|.*×.*", X_AND_COMMAS),
    (r"[0-9]+[A-Za-z_].*", "a size is a number or a name, not both"),
)
"""Patterns of common mistakes, each with its hint; the first match wins."""

# Compiled when first needed: most questions can be read.
# Patterns that distinguish a pasted line of a log, or an operator's name, from shapes.
_OF_MESSAGES = (
    r"(?i)\b(?:\w*error|broadcast(?!=)\w*|mismatch\w*|incompatible|dimensions?|shapes)\b(?!\")"
)
_WORD = r"(?<![\w.])[A-Za-z]{2,}(?![\w(\[=,])"
_OPERATOR = (
    r"[A-Z][A-Za-z]*[a-z][A-Za-z]*[ \t]+[(\[]*(?:[0-9?]|[A-Z],)|[a-z]+[ \t]+[(\[]*[0-9?A-Z]+,"
)
_FILE_NAME = r"[A-Za-z_~./][\w./~-]{0,250}\.(?!shape)[a-z]\w{0,10}"
_FILES = {
    ".onnx .xml .param": "this looks like the file of a model, which bcastcli model {0} checks; "
    "under other rules: bcastcli model {0} --rules ncnn",
    ".pt .pth .h5 .keras .tflite .pb .mlmodel .safetensors .engine .bin": "bcastcli model reads "
    "ONNX models, OpenVINO's IR (.xml) and .pnnx.param files: export {0} to one of these",
    ".py": "this looks like a program: bcastcli run {0} runs it, and explains what ends it",
    ".ipynb": "this looks like a notebook: %load_ext bcastcli in {0} explains its errors",
    ".log .err .out": "this looks like a log: bcastcli why < {0} explains the errors in it",
    ".md .shapes": "this looks like a file of questions: bcastcli check {0} answers them",
    "": "this looks like a file name: to read questions from it, use < {0}",
}
"""What to do with a file, by how its name ends."""
_MIN_WORDS, _MAX_LOOKED_AT, _MAX_HINT = 4, 1000, 200
_ROOM_IN_A_SENTENCE = 40


def hint_for(text: str) -> str:
    """Return the hint for a text that is not a size; `{meant}` becomes the likely intention."""
    hints = (hint for pattern, hint in _HINTS if re.fullmatch(pattern, text, re.DOTALL))
    return next(hints, "unexpected character in a shape")


def command_for(line: str, span: tuple[int, int]) -> str | None:
    """Return the command for a line that holds more than shapes: an operator, or an error message.

    `span` is what cannot be read: the first character and the one after the last. None: there is
    no such command.
    """
    from shlex import quote  # rarely needed

    text = line.strip()
    if text.startswith("{"):
        return None
    start, end = span
    if compiled(_OPERATOR).match(text) and line[start:end] == text.split(None, 1)[0]:
        return f"bcastcli op {' '.join(map(quote, shortened(text, _MAX_HINT).split()))}"
    is_message = len(compiled(_WORD).findall(text, 0, _MAX_LOOKED_AT)) >= _MIN_WORDS
    if is_message or compiled(_OF_MESSAGES).search(text, 0, _MAX_LOOKED_AT):
        return f"bcastcli why {quote(shortened(text, _MAX_HINT))}"
    return None


def reads_as_file(text: str) -> bool:
    """Return whether a text is more likely the name of a file than a size."""
    return bool(compiled(_FILE_NAME).fullmatch(text))


def file_hint(name: str) -> str:
    """Return what to do with a file name that was typed in place of a shape."""
    found = next(text for ends, text in _FILES.items() if name.endswith(tuple(ends.split(" "))))
    return found.format(shortened(name))


def shortened(text: str, room: int = _ROOM_IN_A_SENTENCE) -> str:
    """Return a text, shortened to fit a sentence."""
    return text if len(text) <= room else f"{text[:room]}..."
