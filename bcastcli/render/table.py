"""The operands aligned by axis, a sign below each axis, notes, and last the answer."""

from io import StringIO
from typing import cast

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bcastcli.answers import Answer, Axis
from bcastcli.render import Style
from bcastcli.render.plain import HEADER, NUMBERED, failed, numbered, verdict
from bcastcli.shapes import written

ASCII_LINES = box.Box("    \n    \n -- \n    \n -- \n -- \n    \n    \n", ascii=True)
BRIEF = False
__all__ = ["BRIEF", "HEADER", "NUMBERED", "failed", "numbered", "render"]

GHOST = "(1"
"""An axis that an operand does not have, without the closing bracket."""
SIGN_STYLES = {"=": "dim", "!": "bold red", "?": "yellow"}
LAST_STYLES = {True: "bold green", False: "bold red", None: "bold yellow"}


def render(answer: Answer, style: Style) -> str:
    console = Console(
        file=StringIO(),
        color_system="standard" if style.color else None,
        force_terminal=style.color,
        no_color=not style.color,
        markup=False,
        highlight=False,
        emoji=False,
        # Wider than any table: no size is ever cut or wrapped, on any terminal.
        width=2**31,
        legacy_windows=False,
    )
    console.print(_table(answer, style.boxes))
    for note in answer.notes:
        console.print(Text(f"note  {note.text}", "italic"), soft_wrap=True)
    last = Text(verdict(answer, "no broadcast"), LAST_STYLES[answer.ok])
    console.print(last, soft_wrap=True)
    drawn = cast("StringIO", console.file).getvalue()
    return "".join(f"{line.rstrip()}\n" for line in drawn.splitlines())


def _table(answer: Answer, boxes: bool) -> Table:
    table = Table(
        box=box.HORIZONTALS if boxes else ASCII_LINES,
        header_style="",
        show_edge=False,
        pad_edge=False,
    )
    if not answer.axes:
        table.add_column("operand")
        table.add_column("shape")
        for name, shape in answer.operands:
            table.add_row(Text(name), Text(written(shape)))
        table.add_section()
        sign = "?" if answer.axes is None else "="
        table.add_row("", Text(sign, SIGN_STYLES[sign]))
        return table
    labelled = answer.axes[0].label
    table.add_column("axis" if labelled else "axis\n", no_wrap=True)
    rows: list[list[Text]] = [[] for _ in answer.operands]
    signs: list[Text] = []
    for axis in answer.axes:
        heads = [axis.label] if axis.label else _numbers(axis, answer.plan.rank)
        missing = "" if axis.number >= answer.plan.rank else GHOST
        sizes = [missing if size is None else str(size) for size in axis.sizes]
        sign = _sign(axis)
        width = max(map(len, (*heads, *sizes, sign)))
        # The closing bracket of a ghost hangs over, so that its 1 stands below the other sizes.
        table.add_column(Text("\n".join(f"{head:>{width}} " for head in heads)), no_wrap=True)
        for row, size in zip(rows, sizes, strict=True):
            ghost = size is GHOST
            row.append(Text(f"{size:>{width}}{')' if ghost else ' '}", "dim" if ghost else ""))
        signs.append(Text(" " * (width - len(sign))).append(sign, SIGN_STYLES.get(sign, "cyan")))
    for operand, row in zip(answer.operands, rows, strict=True):
        table.add_row(Text(operand.name), *row)
    table.add_section()
    table.add_row("", *signs)
    return table


def _numbers(axis: Axis, rank: int) -> list[str]:
    """The axis counted from both ends."""
    return [str(axis.number), str(axis.number - rank) if axis.number < rank else ""]


def _sign(axis: Axis) -> str:
    """What happens on an axis, without words: `=`, who stretches, `!` clash, `?` depends."""
    if axis.conflict is None:
        return "?"
    return "!" if axis.conflict else ",".join(axis.stretched) or "="
