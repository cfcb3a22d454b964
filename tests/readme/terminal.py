"""Draws the terminal of the README: `python tests/readme/terminal.py`."""

import subprocess
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

FOLDER = Path(__file__).parent
COMMANDS = ("bcastcli run --strict silent.py", "bcastcli run train.py")
PICTURE = FOLDER.parents[1] / "bcastcli" / "help" / "terminal.svg"
# As Rich's own frame, without the font that a browser would fetch.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>bcastcli run names the line that fails, or where shapes grow without an error</title>
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


def written(command: str) -> str:
    """What a command writes on a terminal, without the frames of a traceback."""
    ran = subprocess.run(
        ["bash", "-c", f"FORCE_COLOR=1 {command} 2>&1"],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    head, is_traceback, traceback = ran.stdout.partition("Traceback")
    if not is_traceback:
        return head
    frames, _, answer = traceback.partition("\n\n")
    error = frames.splitlines()[-1].rstrip()
    return f"{head}…\n{error}\n\n{answer}"


def session() -> Text:
    """The commands, each with what it writes below it."""
    text = Text()
    for command in COMMANDS:
        text.append("\n\n" if text else "")
        text.append(f"$ {command}\n", "bold")
        text.append_text(Text.from_ansi(written(command)))
    return text


def drawn(text: Text) -> str:
    """A terminal with a text, as SVG."""
    console = Console(record=True, width=80, file=StringIO(), force_terminal=True)
    console.print(text, end="")
    title = "a program that is wrong, and one that fails"
    return console.export_svg(title=title, code_format=FRAME, unique_id="terminal")


if __name__ == "__main__":
    PICTURE.write_text(drawn(session()), "utf-8")
