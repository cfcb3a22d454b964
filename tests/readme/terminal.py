"""Draws the terminal of the README: `python tests/readme/terminal.py`."""

import subprocess
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
COMMAND = "bcastcli run --strict tests/readme/silent.py"
PICTURE = ROOT / "bcastcli" / "help" / "strict.svg"
# As Rich's own frame, without the font that a browser would fetch.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>bcastcli run --strict names the line where 200 and 200,1 became 200,200</title>
<style>
.{unique_id}-matrix {{ font: {char_height}px ui-monospace, Menlo, Consolas, monospace; }}
.{unique_id}-title {{ font: bold 18px sans-serif; }}
{styles}
</style>
<defs>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def written() -> str:
    """What the command writes on a terminal, below its command line."""
    ran = subprocess.run(
        ["bash", "-c", f"FORCE_COLOR=1 {COMMAND} 2>&1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout


def drawn(text: str) -> str:
    """A terminal with the command and what it writes, as SVG."""
    console = Console(record=True, width=80, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ {COMMAND}", "bold"))
    console.print(Text.from_ansi(text), end="")
    title = "a loss that goes down, and is wrong"
    return console.export_svg(title=title, code_format=FRAME, unique_id="strict")


if __name__ == "__main__":
    PICTURE.write_text(drawn(written()), "utf-8")
