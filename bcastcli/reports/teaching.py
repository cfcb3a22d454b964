"""Steps and pictures, in the formats that have room for them."""

from collections.abc import Iterator, Sequence

from bcastcli.core.amounts import Dtype
from bcastcli.core.answer import Answer
from bcastcli.render import Format, SheetForm
from bcastcli.render.sheet import Grid, Line, Part, Sheet
from bcastcli.reports import answers


def writer(output: Format, *, steps: bool, picture: bool, dtype: Dtype) -> SheetForm[Answer]:
    """What writes an answer with its steps, its picture, or both."""

    def taught(answer: Answer) -> Sheet:
        parts: list[Part] = []
        if steps:
            from bcastcli.reports.steps import shown

            parts += shown(answer, dtype)
            if picture and output.is_page:
                parts = list(_brief(parts))
        if picture:
            from bcastcli.reports.figure import of_answer

            parts.append(of_answer(answer))
        shown_kinds = ["axis", "trim"] if steps else []
        if steps and answer.axes is None:
            shown_kinds.append("layout")
        return answers.sheet(answer, [*parts, *answers.ending(answer, shown_kinds)])

    return SheetForm(output, taught)


BESIDE_A_PICTURE = {"the same"}
"""The lines of the steps that a slide has room for beside a picture."""


def _brief(parts: Sequence[Part]) -> Iterator[Part]:
    """The steps without remarks, and without what follows from them: the picture shows the rest."""
    for part in parts:
        if isinstance(part, Grid):
            yield part._replace(bodies=tuple(tuple(r[:-1] for r in body) for body in part.bodies))
        elif isinstance(part, Line) and (part.label in BESIDE_A_PICTURE or part.label[1:2] == " "):
            yield part
