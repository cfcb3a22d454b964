"""The options of pictures, which every command that draws one shares."""

from enum import StrEnum
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated

import typer

from bcastcli.cli.console import UsageError
from bcastcli.core.wording import joined_with_and
from bcastcli.render import Format, Terminal
from bcastcli.render.user_text import escaped

if TYPE_CHECKING:
    from bcastcli.reports.figure import Look


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
        raise typer.BadParameter(f"{text!r} is not one of {' '.join(OPERATIONS)}")
    return text


class Picture(SimpleNamespace):
    """A picture of the answer, and its page."""

    picture: Annotated[
        bool, typer.Option("--picture", help="Draw the operands and the result.")
    ] = False
    until: Annotated[
        Until | None,
        typer.Option(
            "--until", help="Draw the picture up to a step; default: result.", show_default=False
        ),
    ] = None
    operation: Annotated[
        str | None,
        typer.Option(
            "--op",
            parser=_operation,
            metavar="SIGN",
            help="The operator in the picture, such as '*'; default: +.",
            show_default=False,
        ),
    ] = None
    values: Annotated[
        bool,
        typer.Option("--values", help="Put numbers in the picture's cells; usually the default."),
    ] = False
    no_values: Annotated[
        bool, typer.Option("--no-values", help="Draw the cells without numbers.")
    ] = False
    no_notes: Annotated[
        bool, typer.Option("--no-notes", help="Leave out the notes below the picture.")
    ] = False
    title: Annotated[
        str | None,
        typer.Option("--title", metavar="TEXT", help="The title of a page.", show_default=False),
    ] = None
    theme: Annotated[
        Theme | None, typer.Option("--theme", help="The colors of a page.", show_default=False)
    ] = None

    def on(self, terminal: Terminal) -> Terminal:
        """Return the terminal with the theme and the title of the page."""
        return terminal._replace(theme=self.theme or "", title=escaped(self.title or ""))

    def refuse(self, output: Format) -> None:
        """Raise UsageError for an option that would have no effect in this format."""
        if not self.picture:
            useless = {
                "--until": self.until,
                "--op": self.operation,
                "--values": self.values,
                "--no-values": self.no_values,
                "--no-notes": self.no_notes,
            }
            option = next((name for name, given in useless.items() if given), None)
            if option:
                raise UsageError(f"{option} is about a picture: add --picture")
        elif not output.is_for_people:
            raise UsageError(f"--picture needs one of the formats {_listed(for_pages=False)}")
        if self.values and self.no_values:
            raise UsageError("--values and --no-values contradict each other")
        for option, given in (("--title", self.title), ("--theme", self.theme)):
            if given is not None and not output.is_page:
                raise UsageError(f"{option} needs one of the formats {_listed(for_pages=True)}")

    def refuse_lines(self, output: Format) -> None:
        """Raise UsageError where lines are asked for a picture."""
        self.refuse(output)
        if self.picture:
            raise UsageError("--picture answers one question, not lines")

    def look(self, operation: str = "+", *, values: bool = True) -> "Look | None":
        """Return how the picture is to look, with the command's own defaults; None for none."""
        if not self.picture:
            return None
        from bcastcli.render.picture.figure import Step
        from bcastcli.reports.figure import Look

        return Look(
            self.operation or operation,
            not self.no_values and (values or self.values or self.operation is not None),
            Step[(self.until or Until.RESULT).name],
            not self.no_notes,
        )


def _listed(*, for_pages: bool) -> str:
    return joined_with_and(
        [each for each in Format if each.is_page or (each.is_for_people and not for_pages)]
    )
