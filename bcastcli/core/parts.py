"""The parts of an answer: notes, the reason for a mismatch, and an operator's own requirements."""

from typing import NamedTuple

from bcastcli.core.conditions import Condition


class Note(NamedTuple):
    """Additional information with the verdict, such as an engine that deviates."""

    kind: str
    text: str


class Reason(NamedTuple):
    """The reason that an answer is no."""

    kind: str
    """ "sizes", "rank", "fit", "names" or "limit"; where --strict says no, "strict"."""
    text: str


class Constraint(NamedTuple):
    """A condition that an operator sets in addition to its rule's on the aligned axes."""

    condition: Condition
    where: str
    """The axes that it is about, as a sentence names them."""
    reason: Reason
    """Why the answer is no where the condition cannot hold."""
