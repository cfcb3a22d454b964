"""Steps and pictures, in the formats that have room for them."""

from bcastcli.core.amounts import Dtype
from bcastcli.core.answer import Answer
from bcastcli.render import Format, SheetForm
from bcastcli.render.sheet import Part, Sheet
from bcastcli.reports import answers


def writer(output: Format, *, steps: bool, picture: bool, dtype: Dtype) -> SheetForm[Answer]:
    """What writes an answer with its steps, its picture, or both."""

    def taught(answer: Answer) -> Sheet:
        parts: list[Part] = []
        if steps:
            from bcastcli.reports.steps import shown

            parts += shown(answer, dtype)
        if picture:
            from bcastcli.reports.picture import of_answer

            parts.append(of_answer(answer))
        shown_kinds = ["axis", "trim"] if steps else []
        if steps and answer.axes is None:
            shown_kinds.append("layout")
        return answers.sheet(answer, [*parts, *answers.ending(answer, shown_kinds)])

    return SheetForm(output, taught)
