"""bcastcli: the shape calculator for broadcasting rules.

`bcastcli.Question((4, 1), (3,))` is a question, which shows its picture in a notebook, and
`bcastcli.RULES` holds the rules by their names.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bcastcli.notebook import Question
    from bcastcli.rules import RULES

__all__ = ["RULES", "Question", "__version__"]
__version__ = "0.2.0.dev0"


def __getattr__(name: str) -> object:
    """Load what only Python programs need when it is asked for."""
    if name == "Question":
        from bcastcli.notebook import Question

        return Question
    if name == "RULES":
        from bcastcli.rules import RULES

        return RULES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
