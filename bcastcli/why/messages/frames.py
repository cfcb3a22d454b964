r"""The frames of a traceback's text: where the user's own code was when a message was written.

>>> text = '  File "a.py", line 8, in f\n    y = x - z\n        ~~^~~\n'
>>> frames(text)
[Frame(file='a.py', line=8, function='f', source='y = x - z', marks='    ~~^~~')]
"""

import re
from typing import NamedTuple

from bcastcli.render import escaped
from bcastcli.why.messages.cleaning import bare, without_raw_escapes

_PYTHON = re.compile(r'File "([^"\n]{1,300})", line (\d{1,9})(?:, ?in ([\w.<>]{1,100}))?(?: +\*)?$')
_NOTEBOOK = re.compile(
    r"File (?P<file>\S[^:\n]{0,300}):(?P<line>\d{1,9}), in (?P<function>[\w.<>]{1,100})"
    r"|(?P<cell>(?:Cell |Input )?In ?\[\d{0,9}\])(?:, \[?line \d|, in )"
    r"|(?P<old><[^>\n]{1,100}>|(?:[~/.]|\w:)[^:\"\n]{1,200}) in "
    r"(?P<called><[^>\n]{1,100}>|[\w.]{1,100})"
)
_ARROW = re.compile(r"-{1,5}> ?\[?(\d{1,9})(?:\]\([^)\s]{0,300}\))? ?(.{0,400})$")
_INSTALLED = re.compile(
    r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python3\.\d+[/\\]|^<(?:frozen|__array_function__)"
)
"""The files of what is installed, frameworks or not."""
_LIBRARY = re.compile(
    r"(?:[/\\]|^(?=.{1,300}\.p(?:yx|xd)$))"
    r"(?:torch|numpy|jax|tensorflow(?:_core)?|keras|paddle|mlx|pandas|scipy|cupy|dask|tinygrad"
    r"|onnx(?:runtime)?|openvino)"
    r"[/\\](?:[\w.-]{1,80}[/\\]){0,12}[\w.-]{1,80}\.p(?:yx?|xd)$|^<(?:frozen|__array_function__)"
)
"""The files of frameworks; those in Cython are shown by the paths of their own builds."""
_NEW_ERROR = re.compile(
    r"[\w.]{0,100}(?:Error|Exception|Warning)\b|During handling|The above exception|Traceback"
)
_DETAILS = re.compile(
    r"Exception from |Check '|While validating node |Shape inference input |\[CPU\] "
)
"""Text of the lines that OpenVINO writes between the name of an error and its sentence."""
_MARKS = re.compile(r"[~^ ]{0,400}\^[~^ ]{0,400}$")
_OPEN = ("(", "[", "{", ",", "\\", "=", "+", "-", "*", "/", "%", "@", "&", "|", " and", " or")


class Frame(NamedTuple):
    """A place in a program."""

    file: str
    line: int
    function: str
    source: str = ""
    marks: str = ""
    """Python's marks below the source, `~~^~~`, in its columns."""

    @property
    def is_library(self) -> bool:
        """Whether it is in a framework."""
        return _LIBRARY.search(self.file) is not None

    @property
    def is_installed(self) -> bool:
        """Whether it is in a framework, or in another package that was installed."""
        return self.is_library or _INSTALLED.search(self.file) is not None

    @property
    def is_typed(self) -> bool:
        """Whether its lines are whole statements that were typed, as in a notebook."""
        return self.file.startswith(("<", "In", "Cell")) or "ipykernel_" in self.file


_HIDDEN = Frame("<frozen hidden>", 0, "?")
"""Frames of a framework that a notebook leaves out."""


def frames(text: str) -> list[Frame]:
    """The frames of the last error in a text that ends where its message begins."""
    stack: list[Frame] = []
    named: list[Frame] = []
    """The frames of the error that was just named, whose sentence is further below."""
    previous, column = "", -1
    for raw in without_raw_escapes(text).split("\n"):
        start, line = bare(raw)
        line = escaped(line.replace("\t", " "))
        if named and (not line.strip() or _DETAILS.match(line)):
            continue
        named = []
        python = _PYTHON.search(line)
        if _NEW_ERROR.match(line):
            stack, named, column = [], stack if _DETAILS.search(line) else [], -1
        elif stack and "skipping hidden" in line:
            stack.append(_HIDDEN)
        elif python:
            stack.append(Frame(python[1], int(python[2]), python[3] or ""))
            column = -1
        elif arrow := _ARROW.match(line):
            if stack and not stack[-1].source:
                is_cut = previous.rstrip().endswith(_OPEN)
                source = arrow[2].strip() + " \\" * is_cut
                stack[-1] = stack[-1]._replace(line=int(arrow[1]), source=source)
            column = -2
        elif notebook := _NOTEBOOK.match(line):
            file = notebook["file"] or notebook["cell"] or notebook["old"]
            function = notebook["function"] or notebook["called"] or ""
            stack.append(Frame(file, int(notebook["line"] or 0), function))
            column = -2
        elif stack and column != -2 and line.strip():
            stack[-1], column = _with_source(stack[-1], line, start, column)
        previous = line
    return stack or named


def _with_source(frame: Frame, line: str, start: int, column: int) -> tuple[Frame, int]:
    """A frame with a line below it: its source, then the marks below that."""
    if not frame.source:
        return frame._replace(source=line.strip()), start
    if _MARKS.fullmatch(line) and not frame.marks and start >= column:
        return frame._replace(marks=" " * (start - column) + line.rstrip()), column
    # A source of several lines: none of them is a whole statement.
    return frame._replace(source=f"{frame.source} \\"), column
