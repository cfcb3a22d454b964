"""One table of which options, formats and ways of asking go together."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bcastcli.cli.console import UsageError
from bcastcli.cli.options import Form
from bcastcli.render import FOR_PEOPLE, Format

_NEEDED = {"--op": ("--picture", "--step")}
"""The options that have an effect only together with one of others."""
_FORMATS: Mapping[str, Sequence[Format]] = {
    "--picture": FOR_PEOPLE,
    "--step": (Format.TABLE,),
    "--steps": (Format.TABLE,),
}
"""The options that only some formats can show, with these formats."""


class Asking(NamedTuple):
    """One way to ask questions."""

    usual: Format
    """The format by default."""
    refused: Mapping[str, str] = {}
    """The options that it refuses, each with the end of its error message."""
    formats: Mapping[str, Sequence[Format]] = _FORMATS


QUESTION = Asking(Format.TABLE)
LINES = Asking(
    Format.PLAIN,
    dict.fromkeys(
        ("--format svg", "--picture", "--steps"),
        "works for one question, not for lines",
    ),
)
LIST = Asking(
    Format.TABLE,
    {
        **dict.fromkeys(("--format svg", "--picture", "--steps"), "needs shapes"),
        "--quiet": "needs shapes, or lines of them",
    },
)
"""No question: a list of operators, or an operator's history."""


def check(form: Form, asking: Asking) -> Format:
    """Return the format to write; raise UsageError for an option that does not fit the others."""
    output = form.format(asking.usual)
    given = {*form.options_given, f"--format {output}"}
    for option, why in asking.refused.items():
        if option in given:
            raise UsageError(f"{option} {why}")
    if output is Format.SVG and "--picture" not in given:
        raise UsageError("--format svg works only where --picture does")
    for option, needed in _NEEDED.items():
        if option in given and given.isdisjoint(needed):
            raise UsageError(f"{option} only works with {' or '.join(needed)}")
    for option, fitting in asking.formats.items():
        if option in given and output not in fitting:
            raise UsageError(f"{option} needs --format {' or '.join(fitting)}")
    return output
