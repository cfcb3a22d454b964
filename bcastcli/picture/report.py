"""The report of an answer with its steps, its picture, or both."""

from collections.abc import Sequence

from bcastcli.core.alignment import Operand, automatic_names
from bcastcli.core.answer import Answer
from bcastcli.picture.answers import of_answer
from bcastcli.picture.figure import PictureOptions, Step
from bcastcli.picture.metrics import short
from bcastcli.picture.steps import steps
from bcastcli.picture.terminal import Picture
from bcastcli.render.sheet import Part, Sheet, page_shape
from bcastcli.reports.answers import SingleAnswerReport
from bcastcli.reports.tables import ending
from bcastcli.reports.tables import sheet as sheet_of


class PicturedReport(SingleAnswerReport):
    """An answer to a single question, with the steps to it, its picture, or both."""

    def __init__(
        self,
        answer: Answer,
        *,
        steps: bool = False,
        picture: PictureOptions | None = None,
        until: Step = Step.RESULT,
    ) -> None:
        """Take whether there are steps, the options of the picture, and its last step."""
        super().__init__(answer)
        self._steps, self._picture, self._until = steps, picture, until

    def sheet(self) -> Sheet:
        """Return the steps, the picture, and below them notes and the answer."""
        sheet = self._sheet(self.answer)
        inputs = with_two_axes(self.answer).question.inputs
        names = [name for name, _ in inputs]
        if max(map(len, names), default=0) <= 1:
            return sheet
        cut = [short(name) for name in names]

        def with_letters() -> Sheet:
            letters = automatic_names([shape for _, shape in inputs])
            named = zip(letters, inputs, strict=True)
            legend = [f"{a} = {short(name, 24)} {page_shape(size)}" for a, (name, size) in named]
            title = f"{sheet.title.partition(':')[0]}: {'; '.join(legend)}"
            return self._sheet(self._renamed(letters))._replace(title=title)

        def with_cut_names() -> Sheet:
            return self._sheet(self._renamed(cut))._replace(title=sheet.title, shorter=with_letters)

        helps = len({*cut}) == len(cut) and cut != names
        return sheet._replace(shorter=with_cut_names if helps else with_letters)

    def _renamed(self, names: Sequence[str]) -> Answer:
        """Return the answer to the same question about operands of other names."""
        asked = self.answer.question
        inputs = list(map(Operand, names, [shape for _, shape in asked.inputs]))
        operator = getattr(asked, "operator", None)
        own = operator.question(inputs, asked.options) if operator else asked.with_operands(inputs)
        return self.answer.answer_to(own)

    def _sheet(self, answer: Answer) -> Sheet:
        typed, answer = answer, with_two_axes(answer)
        parts: list[Part] = []
        shown_kinds = ["layout"] if answer.axes is None else []
        if self._steps:
            parts += steps(answer)
            shown_kinds += ["axis", "trim"]
        if self._picture:
            parts.append(Picture(of_answer(answer, self._picture), self._until))
        if self._until is Step.RESULT:
            parts += ending(typed, shown_kinds)
        return sheet_of(answer, parts)


def with_two_axes(answer: Answer) -> Answer:
    """Return the answer about arrays as MATLAB and Octave have them: a typed 3 is 3 by 1 there."""
    asked = answer.question
    if asked.framework not in ("matlab", "octave"):
        return answer
    shapes = [(*shape, 1, 1)[: max(len(shape), 2)] for shape in asked.shapes]
    return answer if shapes == [*asked.shapes] else answer.answer_to(asked.with_shapes(shapes))
