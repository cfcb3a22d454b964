"""The options of steps, which every command that shows them shares."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated

import typer

from bcastcli.cli.console import UsageError
from bcastcli.core.wording import joined_with_and
from bcastcli.render import Format

if TYPE_CHECKING:
    from bcastcli.core.amounts import Dtype


def _dtypes() -> list[str]:
    from bcastcli.core.amounts import Dtype  # only for steps: to build its many names takes a while

    return [*Dtype]


def _dtype(text: str) -> str:
    from bcastcli.core.amounts import Dtype

    try:
        return Dtype(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(Dtype)}") from None


class Steps(SimpleNamespace):
    """The steps to the answer."""

    steps: Annotated[bool, typer.Option("--steps", help="Show each step of the rule.")] = False
    dtype: Annotated[
        str | None,
        typer.Option(
            "--dtype",
            parser=_dtype,
            autocompletion=_dtypes,
            metavar="DTYPE",
            help="The type of the elements that --steps counts in bytes; default: float32.",
            show_default=False,
        ),
    ] = None

    def of(self, output: Format, *, in_json: bool = True) -> "Dtype | None":
        """Return the type of the elements in the steps; None where no steps are asked for.

        `in_json` says whether the steps have a place in JSON too.
        """
        if not self.steps:
            if self.dtype is not None:
                raise UsageError("--dtype is about steps: add --steps")
            return None
        from bcastcli.core.amounts import Dtype

        fitting = [
            each for each in Format if each.is_for_people or (in_json and each is Format.JSON)
        ]
        if output not in fitting:
            raise UsageError(f"--steps needs one of the formats {joined_with_and(fitting)}")
        return Dtype(self.dtype or "float32")

    def refuse_lines(self, output: Format) -> None:
        """Raise UsageError where lines are asked for their steps."""
        if self.of(output if not self.steps else Format.TABLE) is not None:
            raise UsageError("--steps answers one question, not lines")
