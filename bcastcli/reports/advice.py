"""Formats what to write instead."""

from collections.abc import Sequence

from bcastcli.analysis.advice import Line
from bcastcli.core.shapes import written
from bcastcli.render.sheet import Cell, Grid, Row


def grid(lines: Sequence[Line]) -> Grid:
    """Return lines of advice with the shapes and the results that they give."""
    return Grid((), (tuple(map(_row, lines)),), ruled=False)


def _row(line: Line) -> Row:
    shapes = " ".join(written(operand.shape) for operand in line.changed)
    gives = f"gives {written(line.answer.result or ())}"
    if line.makes_sure:
        gives += " always"
    if line.where:
        gives += f"   ({line.where})"
    label = "for every pair" if line.kind == "pairs" else "try"
    return Cell(label), Cell(line.write), Cell(shapes), Cell(gives)
