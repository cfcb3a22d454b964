"""Notes on unknown sizes, and why requirements on them contradict each other."""

from collections.abc import Iterable, Sequence

from bcastcli.core import conditions
from bcastcli.core.rule import Note, Reason
from bcastcli.core.shapes import is_expression

TOO_MANY_UNKNOWNS = Note(
    "unknowns",
    "too many unknown sizes depend on each other to simplify this: "
    "the condition is correct, but it may turn out to hold always or never",
)


def contradiction(
    required: Sequence[tuple[conditions.Condition, str]], names: Sequence[str]
) -> Reason:
    """Return the reason that conditions on names cannot all hold.

    Each condition comes with the axis that requires it.
    """
    core = conditions.unsatisfiable_core([condition for condition, _ in required], names)
    parts = [f"{conditions.to_python(required[i][0])} on {required[i][1]}" for i in core]
    cannot = "cannot both hold" if len(parts) == 2 else "cannot all hold"
    return Reason("names", f"{', '.join(parts[:-1])} and {parts[-1]} {cannot}")


def notes_on_expressions(sizes: Iterable[str]) -> tuple[Note, ...]:
    """Return a note if sizes on which an answer depends are calculated from others."""
    calculated = [size for size in sizes if is_expression(size)]
    if not calculated:
        return ()
    names = ", ".join(calculated)
    treated = "is treated as an independent unknown size"
    if len(calculated) > 1:
        treated = "are each treated as an independent unknown size"
    text = (
        f"{names} {treated}: the condition is correct, but it may always or never hold once the "
        "size is calculated"
    )
    return (Note("unknowns", text),)
