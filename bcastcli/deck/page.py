"""The slides of a line: a heading, a question with its picture, or a comparison."""

import re
from collections.abc import Iterator

from bcastcli.compare.command import ask_line
from bcastcli.compare.report import SingleComparisonReport
from bcastcli.notation.questions import answer_line, split_label
from bcastcli.notation.text import NotationError
from bcastcli.picture import svg
from bcastcli.picture.command import operation
from bcastcli.picture.figure import PictureOptions, Step
from bcastcli.picture.marks import Drawing, Role, Text
from bcastcli.picture.metrics import measure, wrapped
from bcastcli.picture.report import PicturedReport, with_two_axes
from bcastcli.picture.vector import Svg
from bcastcli.picture.words import written_out
from bcastcli.render.sheet import Line, Sheet, Tone
from bcastcli.render.user_text import escaped
from bcastcli.rules import RULES, USUAL, find

Slides = list[Svg]
HEADING, SMALLEST, MARGIN = 64.0, 26.0, 36.0


def slides(line: str, *, in_steps: bool) -> Iterator[Svg]:
    """Yield the slides of a line; raise NotationError if it is not a question.

    Raise DoesNotFit if a picture does not fit on a slide.
    """
    if line.startswith("#"):
        yield _heading(escaped(line.lstrip("# ")))
        return
    question, tags = split_label(line)
    sheet = _sheet(question)
    titled = sheet._replace(title=escaped(str(tags.get("label", ""))) or sheet.title)
    yield from svg.slides(titled, svg.BUILD if in_steps else (Step.RESULT,), sources=True)


def _heading(text: str) -> Svg:
    """Return a slide with only a heading, which is wrapped if it is long."""
    size = min(HEADING, max(SMALLEST, HEADING * 90 / max(len(text), 1)))
    lines = wrapped(text, svg.SLIDE[0] - 2 * MARGIN, lambda line: measure(line, size, Role.HEADING))
    x, y = svg.SLIDE[0] / 2, (svg.SLIDE[1] - (len(lines) - 1) * size * 1.3) / 2
    marks = tuple(
        Text(x, y + n * size * 1.3, line, size, Role.HEADING, anchor="middle")
        for n, line in enumerate(lines)
    )
    return Svg(Drawing(marks, *svg.SLIDE), text, text)


def _sheet(question: str) -> Sheet:
    """Return the slide of a question; its first word may be a rule."""
    sign, question = _operation(question)
    word, _, rest = question.partition(" ")
    picture = PictureOptions(sign)
    if word == "compare":
        return SingleComparisonReport(ask_line(question), picture=picture).sheet()
    rule = find(word)
    answer = answer_line(rule or RULES[USUAL], rest if rule else question, {}, word if rule else "")
    sheet = PicturedReport(answer, picture=picture).sheet()
    # ncnn's code takes the axes outermost first, which only the steps explain.
    drawn = with_two_axes(answer)
    code = "" if drawn.innermost_first else written_out(drawn, picture.operation, on_page=True)
    line = [Line(svg.WRITTEN_OUT, code, Tone.NOTE)] if code else []
    return sheet._replace(parts=(*sheet.parts[:-1], *line, sheet.parts[-1]))


def _operation(line: str) -> tuple[str, str]:
    """Return the operator that a line sets, as in `op=*`, and the line without this setting."""
    if not (found := re.search(r"(?<!\S)op=(\S*)", line)):
        return "+", line
    try:
        return operation(found[1]), line.replace(found[0], " " * len(found[0]), 1).strip()
    except ValueError as error:
        raise NotationError(str(error), line, found.span()) from None
