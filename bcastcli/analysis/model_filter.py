"""A choice of a model's nodes: by what is found of them, by operator, and by name."""

from fnmatch import fnmatchcase
from typing import NamedTuple

from bcastcli.analysis.model import Finding, Stopped, Verdict

STRETCH = "stretch"
"""An operand stretches; other choices are verdicts."""


class Filter(NamedTuple):
    """The nodes to choose; what is empty leaves none out."""

    only: str = ""
    """A verdict, or STRETCH."""
    operators: frozenset[str] = frozenset()
    """In lower case."""
    name: str = ""
    """A pattern for their labels, with `*`, `?` and `[]`."""

    def takes(self, finding: Finding) -> bool:
        """Return whether a node is chosen."""
        if self.only == STRETCH:
            axes = (finding.answer and finding.answer.axes) or ()
            is_found = finding.verdict is Verdict.YES and any(axis.stretched for axis in axes)
        else:
            is_found = self.only in ("", finding.verdict)
        return is_found and self._fits(finding.node.operator, finding.label)

    def takes_stop(self, stopped: Stopped) -> bool:
        """Return whether a node at which the model stops is chosen."""
        is_found = self.only in ("", Verdict.NO)
        return is_found and self._fits(stopped.stop.node.operator, stopped.label)

    def _fits(self, operator: str, label: str) -> bool:
        is_named = not self.name or fnmatchcase(label, self.name)
        return is_named and (not self.operators or operator.lower() in self.operators)
