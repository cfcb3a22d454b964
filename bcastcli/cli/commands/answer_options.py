"""The options of how an answer is shown: its steps, its picture, its page and its format."""

from enum import StrEnum
from typing import TYPE_CHECKING

from bcastcli.cli.options import Group, Output, flag, option
from bcastcli.render import Terminal

if TYPE_CHECKING:
    from bcastcli.render.picture.figure import Step
    from bcastcli.reports.rows import PictureOptions
    from bcastcli.reports.steps import StepOptions


def _dtypes() -> list[str]:
    from bcastcli.core.amounts import DTYPES  # only for steps

    return [*DTYPES]


def _dtype(text: str) -> str:
    from bcastcli.core.amounts import dtype_named

    return dtype_named(text)


class Steps(Group):
    """The steps to the answer."""

    steps: bool = flag("--steps", "Show each step of the rule.")
    dtype: str | None = option(
        "--dtype",
        "The type of the elements that --steps counts in bytes; default: float32.",
        "DTYPE",
        _dtype,
        autocompletion=_dtypes,
    )


class Theme(StrEnum):
    """The colors of a page."""

    LIGHT = "light"
    DARK = "dark"
    TRANSPARENT = "transparent"


class Until(StrEnum):
    """The steps of a picture, in order."""

    ALIGN = "align"
    COMPARE = "compare"
    STRETCH = "stretch"
    RESULT = "result"


OPERATIONS = ("+", "-", "*", "/", "//", "%", "<", "<=", ">", ">=", "==", "!=")


def _operation(text: str) -> str:
    if text not in OPERATIONS:
        raise ValueError(f"{text!r} is not one of {' '.join(OPERATIONS)}")
    return text


class Picture(Group):
    """A picture of the answer, and its page."""

    picture: bool = flag("--picture", "Draw the operands and the result.")
    until: Until | None = option(
        "--until", "Show the picture or the steps up to a step; default: result."
    )
    op: str | None = option(
        "--op", "The operator in the picture, such as '*'; default: +.", "SIGN", _operation
    )
    values: bool = flag(
        "--values", "Show numbers in the picture's cells; the default, except for some operators."
    )
    no_values: bool = flag("--no-values", "Draw the cells without numbers.")
    no_notes: bool = flag("--no-notes", "Leave out the notes below the picture.")
    title: str | None = option("--title", "The title of a page.", "TEXT")
    theme: Theme | None = option(
        "--theme", "The colors of a page; transparent is for light backgrounds."
    )

    def look(self, operation: str = "+", *, values: bool = True) -> "PictureOptions | None":
        """Return how the picture is to look, with the command's own defaults; None for none."""
        if not self.picture:
            return None
        from bcastcli.reports.rows import PictureOptions

        return PictureOptions(
            self.op or operation,
            not self.no_values and (values or self.values or self.op is not None),
            self.step,
            not self.no_notes,
            self.values,
        )

    @property
    def step(self) -> "Step":
        """The last step to show."""
        from bcastcli.render.picture.figure import Step  # not for plain answers

        return Step[(self.until or Until.RESULT).name]


class Shown(Steps, Picture, Output):
    """How an answer is shown: steps, a picture, and the format."""

    def step_options(self) -> "StepOptions | None":
        """Return the options of the steps; None where no steps are asked for."""
        if not self.steps:
            return None
        from bcastcli.reports.steps import StepOptions

        return StepOptions(self.dtype or "float32", self.step)

    @property
    def terminal(self) -> Terminal:
        """The abilities of standard output, and the theme and the title of a page."""
        title = ""
        if self.title:
            from bcastcli.render.user_text import escaped  # rarely asked for

            title = escaped(self.title)
        return super().terminal._replace(theme=self.theme or "", title=title)
