"""The completion scripts that the shells read; `completions/generate.py` fills them."""

from enum import StrEnum
from pathlib import Path


class Shell(StrEnum):
    """The shells that have a script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


FILES = {
    Shell.BASH: "bcastcli.bash",
    Shell.ZSH: "_bcastcli",
    Shell.FISH: "bcastcli.fish",
}


def script(shell: Shell) -> str:
    """Return a shell's completion script."""
    package = Path(__file__).parent.parent
    # A wheel has the scripts inside the package, a source tree beside it.
    folders = (package / "_completions", package.parent / "completions")
    folder = next(folder for folder in folders if folder.is_dir())
    return (folder / FILES[shell]).read_text("utf-8")
