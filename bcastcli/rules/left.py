"""NumPy's rule with the first axes aligned: Julia, MATLAB, Octave."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcastcli.core.alignment import Alignment, Layout
from bcastcli.core.answer import Answer
from bcastcli.core.rule import MissingAxes, Note, Options
from bcastcli.core.shapes import stretch, written
from bcastcli.rules.numpy import NumPy


class Left(NumPy):
    name = "left"
    document = """
    Julia, MATLAB, Octave: first axes lined up, sizes of 1 stretch

    Any number of shapes. The first axes are aligned, and an axis that a shape lacks counts as 1.
    On every axis, the sizes other than 1 must all be equal; the result has that size there, or 1
    if all sizes are 1. It mirrors NumPy's rule: the two agree on arrays whose axes are reversed, as
    they are where Julia takes an array from NumPy without a copy. MATLAB and Octave have no arrays
    of fewer than two axes, where a vector is 3,1, and drop trailing ones beyond two axes.

    Source: Julia, base/broadcast.jl at commit 9d18cc9; MATLAB, since R2016b, "Compatible Array
    Sizes for Basic Operations"; GNU Octave manual, since 3.6.0, "Broadcasting".

    Examples:
        2,3 2        ->  2,3
        1 1,5 4,5,3  ->  4,5,3
        2,3 3        ->  mismatch
        3,4 N        ->  3,4 when N in (1, 3)
    """

    missing_axes: ClassVar[MissingAxes] = "trailing"
    compared_by_default = False
    like_numpy = False

    def align(self, ranks: Sequence[int], options: Options) -> Layout:
        first = (0,) * len(ranks)
        return Layout(max(ranks), (Alignment(first, stretch, skips_missing=True),))

    def label(self, axis: int, rank: int, options: Options, framework: str = "") -> str:
        return str(axis + 1) if framework else ""

    # What engines do

    def notes(self, answer: Answer) -> Iterator[Note]:
        result = answer.result
        if result is None:
            return
        if len(result) < 2:
            text = "MATLAB and Octave have no arrays of fewer than two axes"
            shown = f": there it is {written((*result, 1))}" if result else ""
            yield Note("engine", text + shown)
        elif len(result) > 2 and result[-1] == 1:
            yield Note("engine", "MATLAB and Octave drop trailing ones, down to two axes")
