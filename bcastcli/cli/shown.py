"""The options for single answers, with those for pictures if that feature is installed."""

try:
    from bcastcli.picture.command import Shown
except ModuleNotFoundError:
    from bcastcli.cli.options import Shown  # type: ignore[assignment]

__all__ = ["Shown"]
