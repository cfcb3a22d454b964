"""Ways to write the operands so that the rules agree."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from bcastcli.compare.comparison import Comparison
from bcastcli.core.alignment import Operand
from bcastcli.core.question import MAX_SUGGESTIONS
from bcastcli.core.shapes import Shape
from bcastcli.reports.numpy_code import explicit


class Rewrite(NamedTuple):
    """A way to write the operands so that the rules agree."""

    write: str
    operands: tuple[Operand, ...]
    axis: int | None
    """pdpd's axis."""
    like: int
    """The number of the row with the values that all rules then give."""
    result: Shape


def rewrites(comparison: Comparison) -> tuple[Rewrite, ...]:
    """A few rewrites under which the rules agree, if they do not."""
    if comparison.ok or not comparison.is_decided:
        return ()
    return tuple(islice(_agreeing(comparison), MAX_SUGGESTIONS))


def _agreeing(comparison: Comparison) -> Iterator[Rewrite]:
    """Yield a rewrite for each layout on which all rules agree."""
    tried = set()
    for number, row in enumerate(comparison.rows):
        written, names = explicit(row.answer), row.answer.operand_names
        layout, result = tuple([each.shape for each in written]), row.answer.result
        if not row.answer.ok or result is None or not written:
            continue
        if (layout, result) in tried:
            continue
        tried.add((layout, result))
        pairs = zip(written, names, strict=True)
        write = ", ".join(each.code for each, name in pairs if each.code != name)
        operands = tuple(Operand(name, shape) for name, shape in zip(names, layout, strict=True))
        tries = [(write, operands)] if write else []
        if len(names) == 2:  # some rules keep the first operand
            swap = f"swap {names[0]} and {names[1]}"
            tries.append((f"{swap}, {write}" if write else swap, operands[::-1]))
        for text, operands in tries:
            rewritten = comparison.of(operands)
            if rewritten.ok and rewritten.rows[0].answer.result == result:
                yield Rewrite(text, operands, comparison.axis, number, result)
                break
