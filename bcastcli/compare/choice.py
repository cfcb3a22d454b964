"""The rules that are compared, as they are typed after --rules."""

from collections.abc import Sequence
from enum import StrEnum

from bcastcli.core.rule import Rule
from bcastcli.rules import RULES, named

BATCH = StrEnum("BATCH", ["DROP", "KEEP"])
"""The values of --batch."""
BATCH_HELP = "For ncnn, drop the batch axis of N,C,H,W, or keep it as a separate axis."


def rules_of(text: str) -> list[tuple[Rule, str]]:
    """Return the rules of a list of names, with the names; raise LookupError for others."""
    return [(named(word.strip()), word.strip().lower()) for word in text.split(",")]


def in_order(chosen: Sequence[tuple[Rule, str]]) -> dict[Rule, str] | None:
    """Return each of the rules once, with its names, in the usual order; None for an empty list."""
    found = ((rule, [word for own, word in chosen if own is rule]) for rule in RULES.values())
    return {rule: ", ".join(dict.fromkeys(words)) for rule, words in found if words} or None


def completed(incomplete: str) -> list[str]:
    """Return the lists that have one more rule than is typed so far.

    >>> completed("none,numpy,onn")[0], "none,numpy,ncnn" in completed("none,numpy,onn")
    ('none,numpy,onnx', True)
    """
    *chosen, _ = incomplete.split(",")
    before = "".join(f"{name}," for name in chosen)
    return [before + name for name in RULES if name not in chosen]
