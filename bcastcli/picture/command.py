"""The options of steps and pictures, which the commands of single answers take."""

import sys
from typing import TYPE_CHECKING, Any

import typer

from bcastcli.cli import options
from bcastcli.cli.console import UsageError, is_terminal, write
from bcastcli.cli.options import Group, flag, option
from bcastcli.core.answer import Answer
from bcastcli.render import Format
from bcastcli.reports import Report
from bcastcli.reports import write as written

if TYPE_CHECKING:
    from bcastcli.picture.figure import PictureOptions


class Steps(Group):
    """The steps to the answer."""

    steps: bool = flag("--steps", "Show each step of the rule.")


_CLEAR = "\x1b[H\x1b[2J"
"""Clears a terminal, so that each frame starts at the same place."""
OPERATIONS = ("+", "-", "*", "/", "==")


def operation(text: str) -> str:
    """An operator; raise ValueError for any other text."""
    if text not in OPERATIONS:
        raise ValueError(f"{text!r} is not one of {' '.join(OPERATIONS)}")
    return text


class Picture(Group):
    """A picture of the answer."""

    picture: bool = flag("--picture", "Draw the arrays; also --op '*', --step, -f svg.")
    op: str | None = option("--op", "", "SIGN", operation)
    step: bool = flag("--step", "")

    def look(self, sign: str | None) -> "PictureOptions | None":
        """The options of the picture, or None; the operator's own sign is the default."""
        if not self.picture:
            return None
        from bcastcli.picture.figure import PictureOptions

        return PictureOptions(self.op or sign or "+", bool(sign or self.op))


class Shown(Steps, Picture, options.Shown):
    """How an answer is shown: steps, a picture, and the format."""

    def drawing(self, sign: str | None = "+") -> dict[str, Any]:
        """The options of the steps and the picture, as reports take them."""
        return {"steps": self.steps, "picture": self.look(sign)}

    def report(self, answer: Answer, sign: str | None = "+") -> Report:
        """The report of a single answer, with steps and a picture if they are asked for."""
        if not (self.steps or self.picture):
            return super().report(answer)
        from bcastcli.picture.answers import PicturedReport

        if self.step:
            self._step_through(answer, sign)
        return PicturedReport(answer, **self.drawing(sign))

    def _step_through(self, answer: Answer, sign: str | None) -> None:
        """Show the steps before the last one, each until Enter is pressed; q ends the command."""
        from bcastcli.cli.answering import STATUS
        from bcastcli.picture.answers import PicturedReport
        from bcastcli.picture.figure import Step

        if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
            raise UsageError("--step needs a terminal")
        look = self.look(sign)
        frames = [
            written(PicturedReport(answer, picture=look, until=step), Format.TABLE, self.terminal)
            for step in (Step.STORED, Step.COMPARE, Step.STRETCH)
        ]
        for text in dict.fromkeys(frames):
            write(f"{_CLEAR}{text}Enter for more, q to end: ")
            if sys.stdin.readline().strip() == "q":
                raise typer.Exit(STATUS[answer.ok])
        write(_CLEAR)
