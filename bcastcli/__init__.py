"""bcastcli: the shape calculator for broadcasting rules.

`bcastcli.Question((4, 1), (3,))` is for notebooks.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bcastcli.notebook import Question

__all__ = ["Question", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load what only notebooks need when it is asked for."""
    if name == "Question":
        from bcastcli.notebook import Question

        return Question
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
