"""The slides of a line: a heading, a question with its picture, or a comparison."""

import re
from collections.abc import Iterator

from bcastcli.compare.command import ask_line
from bcastcli.compare.report import SingleComparisonReport
from bcastcli.notation.questions import answer_line, split_label
from bcastcli.notation.text import NotationError
from bcastcli.picture import svg
from bcastcli.picture.answers import PicturedReport
from bcastcli.picture.command import operation
from bcastcli.picture.drawing import Drawing, Role, ems, moved
from bcastcli.picture.figure import PictureOptions, Step
from bcastcli.picture.svg import SLIDE, Svg
from bcastcli.render import escaped
from bcastcli.render.sheet import Sheet
from bcastcli.rules import RULES, USUAL, find

Slides = list[Svg]
HEADING, LONG = 64.0, 40.0
"""The sizes of the type of a heading, and of one that takes several lines."""
_OPTION = re.compile(r"(?<!\S)--(axis|axes|order|op|rules)[ =]'?([^\s']+)'?")


def slides(line: str, *, in_steps: bool) -> Iterator[Svg]:
    """The slides of a line; raise NotationError if it is not a question."""
    if line.startswith("#"):
        yield _heading(escaped(line.lstrip("# ")))
        return
    question, tags = split_label(line)
    sheet = _sheet(question)
    titled = sheet._replace(title=escaped(str(tags.get("label", ""))) or sheet.title)
    yield from svg.slides(titled, svg.BUILD if in_steps else (Step.RESULT,), sources=True)


def _heading(text: str) -> Svg:
    """A slide with only a heading, which is wrapped if it is long."""
    size = max(min(HEADING, svg.ROOM / max(ems(text), 1)), LONG)
    drawn = svg.prose(text, size, Role.HEADING, anchor="middle")
    marks = moved(drawn.marks, SLIDE[0] / 2, (SLIDE[1] - drawn.height) / 2)
    return Svg(Drawing(marks, *SLIDE), text, text)


def _sheet(question: str) -> Sheet:
    """The sheet of a question; its first word may be a rule."""
    sign, question = _operation(_as_settings(question))
    word, _, rest = question.partition(" ")
    picture = PictureOptions(sign)
    if word == "compare":
        return SingleComparisonReport(ask_line(question), picture=picture).sheet()
    rule = find(word)
    answer = answer_line(rule or RULES[USUAL], rest if rule else question, {}, word if rule else "")
    return PicturedReport(answer, picture=picture).sheet()


def _as_settings(line: str) -> str:
    """A line with the command line's options as settings: `axis=1` for `--axis 1`."""
    return re.sub(r"(?<!\S)--picture(?!\S)", "", _OPTION.sub(r"\1=\2", line)).strip()


def _operation(line: str) -> tuple[str, str]:
    """The operator that a line sets, as in `op=*`, and the line without this setting."""
    setting = re.search(r"(?<!\S)op=(\S*)", line)
    if not setting:
        return "+", line
    try:
        return operation(setting[1]), line.replace(setting[0], " " * len(setting[0])).strip()
    except ValueError as error:
        raise NotationError(str(error), line, setting.span()) from None
