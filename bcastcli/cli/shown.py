"""How single answers are shown: with the options of pictures, where that feature is there."""

try:
    from bcastcli.picture.command import Shown
except ModuleNotFoundError:
    from bcastcli.cli.options import Shown  # type: ignore[assignment]

__all__ = ["Shown"]
