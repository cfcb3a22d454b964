"""The report of an answer with its steps, its picture, or both."""

from collections.abc import Mapping, Sequence

from bcastcli.core.alignment import Operand, automatic_names
from bcastcli.core.answer import Answer
from bcastcli.picture.answers import of_answer
from bcastcli.picture.figure import PictureOptions, Step
from bcastcli.picture.frames import ends
from bcastcli.picture.metrics import short
from bcastcli.picture.steps import steps
from bcastcli.picture.terminal import Picture
from bcastcli.render.sheet import Line, Part, Sheet, page_shape
from bcastcli.reports import verdict
from bcastcli.reports.answers import SingleAnswerReport
from bcastcli.reports.tables import ANSWER_TONE, ending
from bcastcli.reports.tables import sheet as sheet_of


class PicturedReport(SingleAnswerReport):
    """An answer to a single question, with the steps to it, its picture, or both."""

    def __init__(
        self, answer: Answer, *, steps: Step | None = None, picture: PictureOptions | None = None
    ) -> None:
        """Take the last step of the steps, and the options of the picture."""
        super().__init__(answer)
        self._steps, self._picture = steps, picture

    def record(self) -> Mapping[str, object]:
        """Return the JSON object of the answer, with the figures of the steps if requested."""
        from bcastcli.reports.records import with_steps  # for JSON alone

        return super().record() if self._steps is None else with_steps(self.answer)

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
        if self._steps is not None:
            parts += steps(answer, self._steps)
            shown_kinds += ["axis", "trim"]
        if self._picture:
            parts.append(Picture(of_answer(answer, self._picture, with_shapes=self._steps is None)))
        on_page = verdict(answer, page_shape)
        said = Line("", verdict(typed), ANSWER_TONE[typed.ok], on_page=on_page)
        below = [*list(ending(typed, shown_kinds))[:-1], said]
        until = self._steps or (self._picture and self._picture.until)
        is_built = self._picture and self._picture.built and until is not Step.RESULT
        if until is None or (ends(answer, until) and not is_built):
            return sheet_of(answer, [*parts, *below])
        own = sheet_of(answer, parts)
        return own._replace(description=f"{own.title}.", hidden=tuple(below))


def with_two_axes(answer: Answer) -> Answer:
    """Return the answer about arrays as MATLAB and Octave have them: a typed 3 is 3 by 1 there."""
    asked = answer.question
    if asked.framework not in ("matlab", "octave"):
        return answer
    shapes = [(*shape, 1, 1)[: max(len(shape), 2)] for shape in asked.shapes]
    return answer if shapes == [*asked.shapes] else answer.answer_to(asked.with_shapes(shapes))
