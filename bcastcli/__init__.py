"""bcastcli: the shape calculator for broadcasting rules.

`bcastcli.broadcast((4, 1), (3,))` asks whether shapes broadcast, and `bcastcli.explain(error)` what
an error message says of them. `bcastcli help python` shows all names.
"""

TYPE_CHECKING = False  # as in typing, which takes longer to load than all of this
if TYPE_CHECKING:
    from bcastcli.python import *

__all__ = [
    "RULES",
    "Answer",
    "Axis",
    "Explanation",
    "NotationError",
    "Note",
    "Question",
    "Suggestion",
    "__version__",
    "broadcast",
    "explain",
]
__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """Load what only Python programs need when it is asked for."""
    if name in __all__:
        from bcastcli import python

        value: object = getattr(python, name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
