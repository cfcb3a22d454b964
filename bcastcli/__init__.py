"""bcastcli: the shape calculator for broadcasting rules.

`bcastcli.broadcast((4, 1), (3,))` answers whether shapes broadcast, `bcastcli.broadcast_shapes`
returns the shape or raises ValueError with the reason, and `bcastcli.explain(error)` explains an
error about them; after `bcastcli.install()` each error that ends the program is
explained. `bcastcli help python` shows all names.
"""

TYPE_CHECKING = False  # as in typing, which takes longer to load than all of this
if TYPE_CHECKING:
    from bcastcli.python import *
    from bcastcli.raising.hooks import install, shapes, uninstall

__all__ = ["RULES", "Answer", "Axis", "Explanation", "NotationError", "Note", "Suggestion"]
__all__ += ["__version__", "broadcast", "broadcast_shapes", "explain"]
__all__ += ["install", "shapes", "uninstall"]
_HOOKS = ("install", "uninstall", "shapes", "load_ipython_extension", "unload_ipython_extension")
"""Those whose module loads next to nothing."""
__version__ = "1.0.0"


def __getattr__(name: str) -> object:
    """Load the names for Python programs when they are first used."""
    if name in _HOOKS:
        from bcastcli.raising import hooks as module
    elif name in __all__:
        from bcastcli import python as module  # type: ignore[no-redef]
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
