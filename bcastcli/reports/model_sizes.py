"""The report on a model with several sizes: a line for each combination, and the first stop."""

from collections.abc import Mapping, Sequence

from bcastcli.analysis.model import Findings
from bcastcli.analysis.model_summary import outcome
from bcastcli.render.sheet import Cell, Grid, Line, Sheet, Tone
from bcastcli.reports import Report
from bcastcli.reports.model import ModelReport


class SizesReport(Report):
    """What is found of a model with each combination of sizes."""

    HEADS = ("sizes", *ModelReport.HEADS)

    def __init__(self, reports: Sequence[ModelReport]) -> None:
        self._reports = reports
        self._found = [each.findings for each in reports]

    def lines(self) -> Sequence[str]:
        """Return a line for each combination, and last where the model first stops."""
        return [*(f"{_sizes(each)}  {outcome(each)}" for each in self._found), self._last]

    def rows(self) -> Sequence[Sequence[str]]:
        """Return the rows of each combination, the sizes in front."""
        return [(_sizes(each.findings), *row) for each in self._reports for row in each.rows()]

    def records(self) -> Sequence[Mapping[str, object]]:
        """Return the records of each combination."""
        return [record for each in self._reports for record in each.records()]

    def sheet(self) -> Sheet:
        """Return a row for each combination, and last where the model first stops."""
        rows = tuple(
            tuple(Cell(text, Tone.CLASH if each.stops else Tone.PLAIN) for text in texts)
            for each in self._found
            for texts in [(_sizes(each), outcome(each))]
        )
        grid = Grid((tuple(map(Cell, ("sizes", "answer"))),), (rows,))
        return Sheet("Model", self._last, (grid, Line("", self._last)))

    @property
    def _last(self) -> str:
        stopped = (each for each in self._found if each.status == 1)
        first = next(stopped, None)
        if first is None:
            return f"stops at none of {len(self._found)} combinations"
        return f"first stops at {_sizes(first, self._varied())}"

    def _varied(self) -> set[str]:
        """Return the sizes that have several values."""
        chosen = [each.model.chosen for each in self._found]
        return {name for name in chosen[0] if len({each[name] for each in chosen}) > 1}


def _sizes(findings: Findings, names: set[str] | None = None) -> str:
    """Return a combination as it is typed: `batch=4 seq=9`."""
    chosen = findings.model.chosen.items()
    return " ".join(f"{name}={size}" for name, size in chosen if names is None or name in names)
