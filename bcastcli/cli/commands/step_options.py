"""The options of steps, which every command that shows them shares."""

from typing import TYPE_CHECKING

from bcastcli.cli.options import Group, flag, option

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
        raise ValueError(f"{text!r} is not one of {', '.join(Dtype)}") from None


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

    @property
    def counted_dtype(self) -> "Dtype | None":
        """The type of the elements that the steps count; None where no steps are asked for."""
        if not self.steps:
            return None
        from bcastcli.core.amounts import Dtype

        return Dtype(self.dtype or "float32")
