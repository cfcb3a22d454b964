"""TAB in the real shells: each of the three scripts asks the program what may follow."""

import os
import pty
import shutil
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bcastcli.cli.commands.completions import FILES, Shell
from tests.effort import in_turn, slow

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "completions"
BASH_COMPLETION = Path("/usr/share/bash-completion/bash_completion")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SHARED = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]

PROGRAM = f"""#!/bin/sh
if [ "$_BCASTCLI_COMPLETE" ]; then exec {sys.executable} -m bcastcli; fi
printf '%s|' "$@" >> "$TYPED"
echo >> "$TYPED"
echo done
"""
"""A `bcastcli` that answers TAB as ours does, and else only keeps its arguments."""
TABS = {
    "bidi\t3 3": "bidirectional|3|3|",
    "jul\t3": "julia|3|",
    "2,3 3 --js\t": "2,3|3|--json|",
    "numpy 3 -f pl\t": "numpy|3|-f|plain|",
    "numpy 3 --color=ne\t": "numpy|3|--color=never|",
    "why err\t": "why|error.log|",
    "nothing err\t": "nothing|error.log|",
    "run tra\t": "run|train.py|",
    "model sm\t": "model|small.onnx|",
    "check lesson.txt sha\t": "check|lesson.txt|shapes.txt|",
    "deck les\t": "deck|lesson.txt|",
}
"""What is typed, and the words that the command then gets."""
START = {
    Shell.BASH: "PS1='typed> '; bind 'set bell-style none'",
    Shell.ZSH: "PS1='typed> '; setopt no_prompt_cr no_prompt_sp no_beep no_list_beep;"
    " fpath=($PREFIX/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -D -u",
    Shell.FISH: "function fish_prompt; printf 'typed> '; end",
}


def needs(program: str | Path) -> pytest.MarkDecorator:
    """Skips where a program is missing, save where all of them must be there."""
    is_here = shutil.which(program) or Path(program).exists() or "CI" in os.environ
    return pytest.mark.skipif(not is_here, reason=f"needs {program}")


SHELLS = [pytest.param(shell, marks=needs(shell)) for shell in Shell]


def typed_in(shell: Shell, start: str, lines: list[str], folder: Path) -> list[str]:
    """What a command gets for lines that are typed at a shell's terminal, in a folder."""
    program, typed = folder / "bin" / "bcastcli", folder / "typed"
    program.parent.mkdir()
    program.write_text(PROGRAM)
    program.chmod(0o755)
    environment = {
        **dict.fromkeys(("HOME", "ZDOTDIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder)),
        "PATH": f"{program.parent}:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
        "SCRIPT": str(FOLDER / FILES[shell]),
        "PREFIX": str(folder / "prefix"),
        "XDG_DATA_DIRS": f"{folder / 'prefix' / 'share'}:/usr/share",
        "TYPED": str(typed),
    }
    start = f"{START[shell]}\n{start}\n"
    (folder / ".zshrc").write_text(start)
    options = {
        Shell.BASH: ["--noprofile", "--rcfile", ".zshrc", "-i"],
        Shell.ZSH: ["--no-global-rcs", "-i"],
        Shell.FISH: ["--private", "--init-command", start],
    }
    keys = [*(f"bcastcli {line}\n" for line in lines), "exit 0\n"]
    ours, theirs = pty.openpty()
    # A shell in a session of its own takes the first terminal that it opens.
    open_it = ["/bin/sh", "-c", 'exec "$@" < "$0" > "$0" 2>&1', os.ttyname(theirs)]
    command = [*open_it, str(shutil.which(shell)), *options[shell]]
    streams: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    process = subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True, **streams
    )
    os.close(theirs)
    # At the first prompt, and whenever a command is done, the next keys are typed.
    shown, awaited, seen = "", "typed> ", 0
    with suppress(OSError):  # the shell has ended
        while piece := os.read(ours, 4096).decode():
            shown += piece
            if keys and awaited in shown[seen:]:
                awaited, seen = "done", len(shown)
                os.write(ours, keys.pop(0).encode())
    os.close(ours)
    assert process.wait(20) == 0, shown
    return typed.read_text().splitlines()


@slow
@pytest.mark.parametrize("shell", SHELLS)
def test_tab(shell: Shell, tmp_path: Path) -> None:
    """TAB completes commands, frameworks, options, values and files, each where it belongs."""
    for name in ("error.log", "train.py", "small.onnx", "lesson.txt", "shapes.txt"):
        (tmp_path / name).touch()
    lines = in_turn(TABS)
    assert typed_in(shell, "source $SCRIPT", lines, tmp_path) == [TABS[line] for line in lines]


@slow
@needs(BASH_COMPLETION)
@pytest.mark.parametrize("shell", SHELLS)
def test_where_shells_look(shell: Shell, tmp_path: Path) -> None:
    """Each shell finds its script by itself at the place under a prefix that the wheel gives it."""
    for source, target in SHARED.items():
        (tmp_path / "prefix" / target).parent.mkdir(parents=True)
        shutil.copy(ROOT / source, tmp_path / "prefix" / target)
    start = f"source {BASH_COMPLETION}" if shell is Shell.BASH else ""
    assert typed_in(shell, start, ["bidi\t3"], tmp_path) == ["bidirectional|3|"]


@needs("shellcheck")
def test_shellcheck() -> None:
    """ShellCheck has nothing to say of the script for bash."""
    command = ["shellcheck", "--norc", "--shell=bash", str(FOLDER / FILES[Shell.BASH])]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stdout == ""
