"""Steps and pictures, in the formats that have room for them."""

from bcastcli.amounts import Dtype
from bcastcli.answers import Answer
from bcastcli.render import Format, SheetForm, sheets
from bcastcli.render.sheets import Sheet


def writer(output: Format, *, steps: bool, picture: bool, dtype: Dtype) -> SheetForm[Answer]:
    """What writes an answer with its steps, its picture, or both."""

    def taught(answer: Answer) -> Sheet:
        parts: list[sheets.Part] = []
        if steps:
            from bcastcli.render.steps import shown

            parts += shown(answer, dtype)
        if picture:
            from bcastcli.picture import of_answer

            parts.append(of_answer(answer))
        told = ["axis", "trim"] if steps else []
        if steps and answer.axes is None:
            told.append("layout")
        return sheets.sheet(answer, [*parts, *sheets.ending(answer, told)])

    return SheetForm(output, taught)
