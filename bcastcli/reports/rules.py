"""What is told of a rule itself: its statement, its examples answered, and how it differs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from textwrap import wrap
from typing import NamedTuple

from bcastcli.analysis.difference import MAX_AXES, MAX_SIZE, NUMPY, differences, pairs
from bcastcli.core.answer import Rule
from bcastcli.notation.questions import ask
from bcastcli.notation.text import NotationError
from bcastcli.render import Form, Format, SheetForm, Style, plain, tsv
from bcastcli.render.sheet import Cell, Grid, Line, Part, Sheet

WIDEST, NARROWEST = 80, 16
UNBROKEN = 1 << 20
"""Of a page that breaks its lines itself."""


class Page(NamedTuple):
    """A rule that was asked about."""

    rule: Rule
    ok: bool = True


@dataclass
class LineForm:
    """A form that tells of a rule in one line."""

    render: Callable[[Page, Style], str]
    failed: Callable[[NotationError, int], str] = plain.failed
    numbered: Callable[[str, int], str] = plain.numbered
    tagged: Callable[[str, Mapping[str, object]], str] = plain.tagged
    NUMBERED: bool = False
    HEADER: str = ""
    BRIEF: bool = True

    def single(self, page: Page, style: Style) -> str:
        """The same."""
        return self.render(page, style)


def writer(output: Format) -> Form[Page]:
    """What tells of a rule in a format that can."""
    if output.is_for_people:
        width = WIDEST
        if output is Format.TABLE:
            width = min(get_terminal_size().columns, width)
        elif output is not Format.SVG:
            width = UNBROKEN
        return SheetForm(output, lambda page: _sheet(page, width))
    if output is Format.JSON:
        from bcastcli.render import json

        return LineForm(
            _object, json.failed, json.numbered, json.tagged, NUMBERED=True, BRIEF=False
        )
    if output is Format.TSV:
        return LineForm(_row, _failed_row, HEADER=tsv.row("rule", "summary"))
    return LineForm(_summary)


def listing(rules: Sequence[Rule], output: Format, style: Style) -> str:
    """The rules, each with its summary."""
    if output.is_for_people:
        return SheetForm(output, _list).single(rules, style)
    form = writer(output)
    return form.HEADER + "".join(form.render(Page(rule), style) for rule in rules)


def examples(rule: Rule) -> list[tuple[str, str]]:
    """A rule's worked examples as they are typed after its name, with the answers that they get."""
    asked = [" ".join(arguments) for arguments, _ in rule.examples]
    answers = (ask(rule, each.replace("--axis ", "axis="), {}) for each in asked)
    return [
        (each, plain.verdict(answer, "no broadcast"))
        for each, answer in zip(asked, answers, strict=True)
    ]


def _list(rules: Sequence[Rule]) -> Sheet:
    rows = tuple((Cell(rule.name), Cell(rule.summary)) for rule in rules)
    names = ", ".join(rule.name for rule in rules)
    return Sheet("The rules", f"The rules: {names}.", (Grid((), (rows,), ruled=False),))


def _sheet(page: Page, width: int) -> Sheet:
    rule = page.rule
    parts = [*_text(rule.statement, width)]
    if rule.frameworks:
        parts += _text(f"\n\nIts other names here: {', '.join(rule.frameworks)}.", width)
    answered = examples(rule)
    differing = [(each.asked, each.sentence) for each in differences(rule)]
    room = width - max(len(asked) for asked, _ in answered + differing) - 2
    parts += [*_text("\n\nExamples:", width), _pairs(answered, room)]
    if rule.name != NUMPY.name:
        parts += _text(f"\n\n{_beside_numpy(rule)}", width)
    if differing:
        parts.append(_pairs(differing, room))
    return Sheet(f"The rule {rule.name}", rule.statement, tuple(parts))


def _beside_numpy(rule: Rule) -> str:
    """The words that go before the pairs on which a rule differs from numpy."""
    found = differences(rule)
    if not all(each.kind == "notes" for each in found):
        return "Beside numpy:"
    adds = "; where it applies, it adds:" if found else "."
    return (
        f"Beside numpy: the same answer to each of {len(pairs())} pairs of shapes, of at most "
        f"{MAX_AXES} axes with sizes up to {MAX_SIZE}{adds}"
    )


def _text(text: str, width: int) -> Iterator[Part]:
    """Paragraphs as lines no longer than a width; the items of a list stay apart."""
    for number, paragraph in enumerate(text.split("\n\n")):
        if number and width < UNBROKEN:
            yield Line("", "")
        is_list = paragraph.startswith("1. ")
        for item in paragraph.splitlines() if is_list else [paragraph]:
            indent = "   " if is_list else ""
            yield from (
                Line("", line)
                for line in wrap(item, width, subsequent_indent=indent, break_on_hyphens=False)
            )


def _pairs(rows: Sequence[tuple[str, str]], room: int) -> Grid:
    """What is typed, and beside it what is said of it, in lines for which there is room."""
    bodies = (
        tuple(
            (Cell("" if number else asked), Cell(line))
            for number, line in enumerate(wrap(said, max(room, NARROWEST), break_on_hyphens=False))
        )
        for asked, said in rows
    )
    return Grid((), tuple(bodies), ruled=False)


def _summary(page: Page, style: Style) -> str:
    return f"{page.rule.name} {page.rule.summary}\n"


def _row(page: Page, style: Style) -> str:
    return tsv.row(page.rule.name, page.rule.summary)


def _failed_row(error: NotationError, number: int) -> str:
    return tsv.row("error", error.message)


def _object(page: Page, style: Style) -> str:
    from bcastcli.render import json

    rule = page.rule
    record = {
        "rule": rule.name,
        "summary": rule.summary,
        "statement": rule.statement,
        "source": rule.source,
        "frameworks": rule.frameworks,
        "fewest": rule.min_operands,
        "most": rule.max_operands,
        "options": rule.options,
        "examples": [{"asked": asked, "answer": answer} for asked, answer in examples(rule)],
        "differences": [
            {"asked": each.asked, "numpy": each.said[0], "rule": each.said[1]}
            for each in differences(rule)
        ],
    }
    return json.of_data(record)
