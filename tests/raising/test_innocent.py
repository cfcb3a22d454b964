"""raising/answers.py: no name, no shape and no line that is not of the operation that failed."""

import linecache
from pathlib import Path
from typing import Any

import numpy as np

import bcastcli
from bcastcli.raising.answers import at_the_raise
from tests.raising.programs import program
from tests.raising.test_answers import failed
from tests.rows import each_row

WITHIN = {
    "y, x = Z(100), Z(101); np.trapezoid(y, x)": "d has 100 and y[tuple(slice1)] +",
    "data, grid, prior = Z(10), Z(11), Z(9); np.trapezoid(data, grid)": "d has 10 and (y[tuple(",
    "d, x = Z(5), Z(6); np.trapezoid(d, x)": "d in trapezoid has 5 and (y[tuple(",
    "a, b, c = Z((3, 4)), Z((4, 5)), Z((6, 7)); np.linalg.multi_dot([a, b, c])": "A 3,5 has 5",
    "A, C = Z((3, 4)), Z((4, 5)); np.linalg.multi_dot([A, C, Z((6, 7))])": "the first operand 3,5",
    "x, y = Z((2, 5)), Z((2, 6)); np.cov(x, y)": "X has 5 and y has 6 on axis 1, but only",
    "f, w = Z(4), Z(3); np.vectorize(abs, signature='(n)->(n)')(f) + w": "np.vectorize(abs",
    "rows, w = Z((4, 3)), Z(4); np.apply_along_axis(lambda r: r * w, 1, rows)": "r has 3 and w has",
    "p, q = Z(3), Z(4); np.polynomial.polynomial.polyval2d(p, q, Z((2, 2)))": None,
    "x, y = Z(5), Z(6); np.polyfit(x, y, 2)": None,
    "k, v, w = Z(4), Z(6), Z(5); np.linalg.lstsq(Z((5, 3)), v, rcond=None)": None,
}
"""Programs that fail within NumPy, each with how its reason starts."""
CHANGED = """
try: a + b ; a.shape = (2, 6)
try: a - b ; b.resize((3, 4), refcheck=False)
try: a * b ; a.resize((3, 5), refcheck=False)
try: a @ b ; b.shape = (5, 3)
try: a += b ; b.resize((3, 4), refcheck=False)
try: a += b ; b.shape = (5, 3)
try: np.maximum(a, b) ; b.shape = (15,)
try: np.add(a, b) ; b.shape = (5, 3)
try: np.concatenate([a, b]) ; b.resize((3, 4), refcheck=False)
try: a < b ; a.shape = (6, 2)
try: np.where(a > 0, a, b) ; b.shape = (1, 15)
""".strip().splitlines()
EDITED = """def f(left, right):
    other = np.ones(9)
    total = left * right
    return other - total

def h(other, right):
    return other + right
"""
EDITS = {
    "the same": (EDITED, "left * right"),
    "a line before": (f"# a comment\n{EDITED}", ""),
    "a function before": (f"def g(u, v):\n    return u - v\n\n{EDITED}", ""),
    "a text before": (f'"""A text."""\n{EDITED}', ""),
    "lines before": (f"# 1\n# 2\n# 3\n# 4\n{EDITED}", ""),
    "an error": ("def f(:\n", ""),
    "another operator": (EDITED.replace("*", "-"), ""),
    "another name": (EDITED.replace("left *", "loft *"), ""),
}
"""What a file has become while the program runs, and which expression of it is shown."""


@each_row("source", WITHIN)
def test_a_library_fails_within(source: str) -> None:
    """Its operands are named, and one of the user's names is that of the same object."""
    found = at_the_raise(failed(program(source.replace("; ", "\n"))))
    assert found is not None
    expected = WITHIN[source]
    reason = found.explanation.reason
    assert (reason is None) == (expected is None)
    assert str(reason).startswith(expected or "None")


@each_row("line", CHANGED)
def test_a_changed_array(line: str) -> None:
    """Where the operands do not fit the message any more, nothing is said."""
    attempt, _, change = line.partition(" ; ")
    lines = ["a, b = Z((3, 4)), Z((3, 5))", attempt, f"except ValueError: {change}; raise"]
    assert at_the_raise(failed(program("\n".join(lines)))) is None


@each_row("edit", EDITS)
def test_an_edited_file(edit: str, tmp_path: Path) -> None:
    """The line of a file that was edited since is not shown; the operands are the failing ones."""
    file = tmp_path / "edited.py"
    own: Any = {"np": np}
    exec(compile(EDITED, str(file), "exec"), own)
    text, source = EDITS[edit]
    file.write_text(text, "utf-8")
    linecache.checkcache(str(file))
    found = bcastcli.explain(failed(lambda: own["f"](np.ones(3), np.ones(4))))
    assert found is not None
    assert found.where is not None
    assert (found.where.line, found.where.source) == (3, source)
    assert found.operands == {"left": (3,), "right": (4,)}
