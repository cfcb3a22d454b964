"""A question in a notebook: its answer as a picture."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

if TYPE_CHECKING:
    from bcastcli.core.answer import Answer


class Array(Protocol):
    """Whatever has a shape, such as an array or a tensor."""

    @property
    def shape(self) -> Iterable[SupportsIndex | str | None]:
        """Its sizes."""


Typed = str | int | Iterable[SupportsIndex | str | None] | Array
"""A shape as text, as a tuple or list, one size, or whatever has a shape."""


class Question:
    """Shapes put to a rule; a notebook shows its picture.

    >>> Question((4, 1), (3,))
    Question('4,1 3', rule='numpy'): 4,3
    >>> Question("3,4 3", rule="pdpd", axis=0).answer.result
    (3, 4)
    """

    def __init__(self, *shapes: Typed, rule: str = "numpy", **options: int | str) -> None:
        """Raise NotationError if the shapes are invalid, LookupError if there is no such rule."""
        from bcastcli.notation.questions import answer_line
        from bcastcli.notation.text import as_line
        from bcastcli.rules import named

        self.rule = named(rule)
        self.line = as_line([*map(_written, shapes)])
        strange = sorted(set(options) - set(self.rule.options))
        if strange:
            raise TypeError(f"{self.rule.name} has no option {strange[0]}")
        self.answer: Answer = answer_line(self.rule, self.line, options)

    def __repr__(self) -> str:
        from bcastcli.reports import verdict

        return f"Question({self.line!r}, rule={self.rule.name!r}): {verdict(self.answer)}"

    def _repr_svg_(self) -> str:
        """Return the slide."""
        from bcastcli.render import Terminal, svg
        from bcastcli.reports.answers import SingleAnswerReport
        from bcastcli.reports.figure import PictureOptions

        return svg.show(
            SingleAnswerReport(self.answer, picture=PictureOptions()).sheet(), Terminal()
        )

    def _repr_html_(self) -> str:
        """Return the slide as wide as its cell of the notebook."""
        slide = self._repr_svg_()
        start = slide.index(' width="')
        rest = slide[slide.index(" viewBox=") :]
        return f'<div style="max-width:60em">{slide[:start]}{rest}</div>'


def _written(shape: Any) -> str:
    """Return what was `Typed` in the notation."""
    if isinstance(shape, str):
        return shape
    sizes = [shape] if isinstance(shape, int) else getattr(shape, "shape", shape)
    return ",".join("?" if size is None else str(size) for size in sizes) or "()"
