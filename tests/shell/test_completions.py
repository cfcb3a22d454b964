"""TAB in the real shells: each offers what the app offers, and starts no process for it."""

import os
import pty
import re
import shlex
import shutil
import subprocess
import sysconfig
import tomllib
from collections.abc import Sequence
from contextlib import chdir, redirect_stdout, suppress
from functools import cache
from importlib.metadata import files
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from typer._completion_classes import completion_init
from typer.main import get_command

from bcastcli.cli.commands.completions import FILES, Shell
from bcastcli.cli.main import COMMANDS, app, main
from bcastcli.render import Format
from bcastcli.rules import USUAL, find
from completions import generate
from tests.effort import in_turn

FOLDER = Path(generate.__file__).parent
BASH_COMPLETION = Path("/usr/share/bash-completion/bash_completion")
PROJECT = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text("utf-8"))
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
Offered = dict[str, list[str]]

# What was typed after `bcastcli` when TAB is pressed; | is the cursor where it is not at the end.
ALL_POSITIONS = [
    # commands
    *("", "n", "on", "onnx", "onnx-", "pd", "zzz", "2,3", "-", "--", "--h", "-- n"),
    *("n| 2,3 3", "on|nx 2,3 3"),
    # options
    *(
        "numpy -",
        "numpy --",
        "numpy --f",
        "numpy --json",
        "onnx --no",
        "none --co",
        "completions --",
    ),
    *("pdpd --a", "numpy --a", "ncnn --", "bidirectional --"),
    *("numpy --fo| 2,3 3", "numpy --fo|rm 2,3 3"),
    # an option's value
    *("numpy --format ", "numpy --format p", "numpy --format=", "numpy --format=t"),
    *("numpy -f ", "numpy -f j", "numpy -f zzz", "onnx-uni --color ", "onnx --color=a"),
    *("numpy --format | 2,3", "numpy --format=pl|ain 2,3"),
    *("ncnn --order ", "ncnn --order=n", "ncnn --order nu", "pdpd --axis ", "pdpd --axis="),
    # a list of values
    *("compare --rules ", "compare --rules n", "compare --rules=", "compare --rules=o"),
    *("compare --rules numpy,", "compare --rules numpy,on", "compare --rules=numpy,n"),
    *("compare --rules=ncnn,", "compare --rules numpy,ncnn,", "compare --rules numpy,zzz"),
    *("compare --rules numpy,| 3 3", "compare --rules numpy,ncnn ", "compare --axis "),
    # an option that was given is not offered again
    *("compare --rules numpy,ncnn --", "compare --rules=numpy 3 --"),
    *("numpy -q --", "numpy --quiet -", "numpy --json 2,3 --", "ncnn --order numpy --"),
    *("numpy -f plain --", "numpy --format=plain -", "pdpd --axis=1 2,3 --", "pdpd --axis 1 --"),
    # shapes
    *("numpy ", "numpy 2", "numpy 2,3", "numpy 2,3 ", "numpy N", "pdpd 2,3 ", "ncnn 2,3 n"),
    *("numpy 2,3 -", "numpy 2,3 3 --j", "numpy -1,3 --q", "numpy -1 3 --", "numpy x=2,3 y=3 --c"),
    *("numpy 'torch.Size([2, 3])' --j", "numpy 'torch.Size([2, 3])' ", "numpy numpy --"),
    *("pdpd 2,3 3 --axis ", "numpy - --", "numpy -f plain "),
    # the rules' names, and the quiz
    *("rules ", "rules n", "rules ncnn ", "rules --format=", "quiz --", "quiz "),
    *("quiz --rule ", "quiz --rule=onnx", "quiz --level ", "quiz --level=s", "quiz --seed "),
    # shapes without a rule, and the names of frameworks
    *("2,3 3 ", "2,3 3 --p", "2,3 -", "torch 3,4 3 ", "torch 3,4 3 --st", "binaryop 3 3 --o"),
    *("binaryop 3,4 3 --order ", "-1,3 3 --q", "torch -- 3 ", "xla 3 2,3 --axes ", "torch"),
    # the names of frameworks where none of a rule begins so
    *("to", "tensor", "onnxr", "rules te", "check --rule to", "check --rule=to", "quiz --rule n"),
    # after --
    *("numpy -- ", "numpy -- -", "numpy -- --f", "numpy 2,3 -- --", "numpy -q -- 2,3 -"),
    # the operators
    *("op ", "op G", "op Gemm ", "op Gemm 2,3 ", "op --", "op --o", "op Gemm --trans"),
    *("op --opset ", "op --opset 7 ", "op --opset 7 Ad", "op Add 2,3 3 --axis ", "op -- Ma"),
    # the shells
    *("completions ", "completions z", "completions bash ", "completions -- f"),
]
POSITIONS = in_turn(ALL_POSITIONS, 2)


TAKE_A_VALUE = {
    name
    for command in generate.commands()
    for option in command.options
    if option.values is not None
    for name in option.names
}


# What each shell does at its start. It then stands at each of the $POSITIONS, TAB is pressed, and
# what is offered there goes to a line of the file $OFFERED.
BASH = r"""
PS1='typed> '
bind 'set bell-style none'
bcastcli() { :; }
source "$SCRIPT"
observed() {
    _bcastcli "$@"
    printf '%s\n' "${COMPREPLY[*]}" >> "$OFFERED"
}
complete -F observed bcastcli
"""
ZSH = r"""
autoload -Uz compinit && compinit -D -u
source $SCRIPT
compadd() {
    local -a matching
    # With one of these it offers nothing, and only fills an array.
    if (( ! ${@[(I)-[AOD]]} )); then
        builtin compadd -A matching "$@"
        # What stands before the last comma is not part of a match.
        offered+=(${${(M)IPREFIX:#*,}##*=}${^matching})
    fi
    builtin compadd "$@"
}
zle-line-init() {
    local line
    for line in "${(@f)$(<$POSITIONS)}"; do
        LBUFFER="bcastcli ${line%%|*}" RBUFFER=${${(M)line%|*}#|}
        offered=()
        zle expand-or-complete
        print -r -- $offered >> $OFFERED
    done
    exit
}
zle -N zle-line-init
"""
FISH = r"""
source $SCRIPT
for position in (string split \n < $POSITIONS)
    set -l before (string replace -r '\|.*' '' -- $position)
    # A value after = comes with the name of its option, and everything with its description.
    set -l offered (complete -C "bcastcli $before" | string replace -r '\t.*|^-[^\t]*=' '' -a)
    echo '' $offered
end > $OFFERED
"""

# The same where the shell itself has to find the script under $PREFIX; TAB is pressed after `num`.
BASH_FINDS = rf"""
PS1='typed> '
bcastcli() {{ echo "$1" > "$OFFERED"; }}
source {BASH_COMPLETION}
"""
ZSH_FINDS = r"""
fpath=($PREFIX/share/zsh/site-functions $fpath)
autoload -Uz compinit && compinit -D -u
zle-line-init() {
    LBUFFER='bcastcli num'
    zle expand-or-complete
    print -r -- ${LBUFFER#bcastcli } > $OFFERED
    exit
}
zle -N zle-line-init
"""
FISH_FINDS = r"""
function bcastcli; end
complete -C 'bcastcli num' | string replace -r '\t.*' '' > $OFFERED
"""

# The same where all commands are listed with their descriptions.
ZSH_DESCRIBES = r"""
autoload -Uz compinit && compinit -D -u
source $SCRIPT
COLUMNS=200
zle-line-init() {
    LBUFFER='bcastcli '
    zle list-choices
    exit
}
zle -N zle-line-init
"""
FISH_DESCRIBES = "source $SCRIPT; complete -C 'bcastcli '"


def needs(*programs: str | Path) -> pytest.MarkDecorator:
    """Skips where a program is missing, save where all of them must be there."""
    missing = [str(each) for each in programs if not (shutil.which(each) or Path(each).exists())]
    return pytest.mark.skipif(
        bool(missing) and "CI" not in os.environ, reason=f"needs {' and '.join(missing)}"
    )


SHELLS = [pytest.param(shell, marks=needs(shell)) for shell in Shell]


def program(name: str) -> str:
    """The path of a program."""
    path = shutil.which(name)
    assert path, f"{name} is missing"
    return path


def shown_by(shell: Shell, start: str, keys: Sequence[str], folder: Path, **known: object) -> str:
    """What a shell shows that knows nothing but this start and can start no program.

    The keys are for bash: it is told the next ones whenever it waits for a command.
    """
    environment = {
        **{name: str(value) for name, value in known.items()},
        **dict.fromkeys(("HOME", "ZDOTDIR"), str(folder)),
        "PATH": str(folder / "nothing"),
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }
    path = program(shell)
    if shell is Shell.FISH:
        command = [path, "--private", "--command", start]
        return subprocess.run(
            command, env=environment, check=True, stdout=subprocess.PIPE, encoding="utf-8"
        ).stdout
    settings = folder / ".zshrc"
    settings.write_text(start)
    if shell is Shell.ZSH:
        return at_a_terminal([path, "--no-global-rcs", "-i"], environment, [])
    command = [path, "--noprofile", "--rcfile", str(settings), "-i"]
    return at_a_terminal(command, environment, [*keys, "exit 0\n"])


def at_a_terminal(
    command: list[str], environment: dict[str, str], keys: list[str], done: str = "typed> "
) -> str:
    """What a shell shows at a terminal; at the first prompt, and when done, keys are typed."""
    ours, theirs = pty.openpty()
    # A shell in a session of its own takes the first terminal that it opens.
    open_it = [program("bash"), "-c", 'exec "$@" < "$0" > "$0" 2>&1', os.ttyname(theirs)]
    shell = subprocess.Popen(
        [*open_it, *command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    shown, awaited, seen = "", "typed> ", 0
    with suppress(OSError):  # the shell has ended
        while piece := os.read(ours, 4096).decode():
            shown += piece
            if keys and awaited in shown[seen:]:
                awaited, seen = done, len(shown)
                os.write(ours, keys.pop(0).encode())
    os.close(ours)
    assert shell.wait(20) == 0, shown
    return shown


def tab_at(position: str) -> str:
    """The keys that type a line of bcastcli, move the cursor back to its place, and press TAB."""
    line, _, after = position.partition("|")
    back = "\x02" * len(after)
    return f"bcastcli {line}{after}{back}\t\n"


@pytest.fixture(scope="module")
def offered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Offered:
    """What a shell offers, by position."""
    shell: Shell = request.param
    folder = tmp_path_factory.mktemp(shell)
    positions, offered = folder / "positions", folder / "offered"
    positions.write_text("".join(f"{position}\n" for position in POSITIONS))
    shown_by(
        shell,
        {Shell.BASH: BASH, Shell.ZSH: ZSH, Shell.FISH: FISH}[shell],
        [tab_at(position) for position in POSITIONS],
        folder,
        SCRIPT=FOLDER / FILES[shell],
        POSITIONS=positions,
        OFFERED=offered,
    )
    lines = offered.read_text().split("\n")[:-1]
    return {position: line.split() for position, line in zip(POSITIONS, lines, strict=True)}


def expected(position: str) -> list[str]:
    """What is to be offered: what the app offers, and options where it has nothing to offer.

    A word that is no command is a framework, or a shape of the usual rule.
    """
    line = position.partition("|")[0]
    words = line.split(" ")
    first = next((each for each in words[:-1] if each and not re.match("-[^0-9]", each)), "")
    if first and first not in COMMANDS:
        rule = find(first)
        line = line.replace(first, rule.name if rule else f"{USUAL} {first}", 1)
    offered = offered_by_the_app(line)
    awaits = words[-2:-1] and words[-2] in TAKE_A_VALUE and "--" not in words
    if offered or not first or words[-1] or awaits:
        return offered
    return offered_by_the_app(f"{line}-")


def offered_by_the_app(position: str) -> list[str]:
    """What Typer's own completion finds, which the scripts stand in for."""
    return [*_completed(position)]


@cache
def _completed(position: str) -> tuple[str, ...]:
    line = "bcastcli " + position.partition("|")[0]
    completion_init()
    asked = {
        "_TYPER_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(shlex.split(line + ".")) - 1),
    }
    with patch.dict(os.environ, asked), redirect_stdout(StringIO()) as out, suppress(SystemExit):
        get_command(app).main([], prog_name="bcastcli", complete_var="_TYPER_COMPLETE")
    return tuple(out.getvalue().split())


@pytest.mark.parametrize("offered", SHELLS, indirect=True)
def test_what_is_offered(offered: Offered) -> None:
    """TAB offers exactly what the app offers, in a clean shell that cannot start a program."""
    due = {position: expected(position) for position in POSITIONS}
    for position, values in due.items():
        if "--rules" in position and "--rules" in values:
            values.remove("--rules")  # the app joins several lists, but one is enough
    assert {position: sorted(values) for position, values in offered.items()} == {
        position: sorted(values) for position, values in due.items()
    }


def test_the_app_offers_something() -> None:
    """What the shells are compared with is what a reader of the help would say."""
    assert offered_by_the_app("on") == ["onnx", "onnx-uni"]
    assert offered_by_the_app("ncnn --o") == ["--op", "--order"]
    assert offered_by_the_app("ncnn --order ") == ["ncnn", "numpy"]
    assert offered_by_the_app("compare --rules numpy,o") == ["numpy,onnx", "numpy,onnx-uni"]
    assert offered_by_the_app("numpy 2,3 --format=t") == ["table", "tsv"]
    assert offered_by_the_app("completions ") == [*Shell]
    assert offered_by_the_app("numpy 2,3 ") == []
    assert offered_by_the_app("tor") == offered_by_the_app("rules tor") == ["torch"]
    assert offered_by_the_app("check --rule np") == ["np"]


@pytest.mark.parametrize(
    ("shell", "start"),
    [
        pytest.param(Shell.BASH, BASH_FINDS, marks=needs("bash", BASH_COMPLETION), id="bash"),
        pytest.param(Shell.ZSH, ZSH_FINDS, marks=needs("zsh"), id="zsh"),
        pytest.param(Shell.FISH, FISH_FINDS, marks=needs("fish"), id="fish"),
    ],
)
def test_where_shells_look(shell: Shell, start: str, tmp_path: Path) -> None:
    """Each shell finds its script by itself at the place under a prefix that the wheel gives it."""
    prefix, offered = tmp_path / "prefix", tmp_path / "offered"
    for source, target in WHEEL["shared-data"].items():
        (prefix / target).parent.mkdir(parents=True)
        shutil.copy(FOLDER.parent / source, prefix / target)
    places = {"PREFIX": prefix, "XDG_DATA_DIRS": prefix / "share", "OFFERED": offered}
    shown_by(shell, start, [tab_at("num")], tmp_path, **places)
    assert offered.read_text().strip() == "numpy"


@pytest.mark.parametrize(
    ("shell", "start"),
    [
        pytest.param(Shell.ZSH, ZSH_DESCRIBES, marks=needs("zsh"), id="zsh"),
        pytest.param(Shell.FISH, FISH_DESCRIBES, marks=needs("fish"), id="fish"),
    ],
)
def test_descriptions(shell: Shell, start: str, tmp_path: Path) -> None:
    """Each command is listed with the line that --help has for it."""
    shown = shown_by(shell, start, [], tmp_path, SCRIPT=FOLDER / FILES[shell])
    _, *named = generate.commands()
    assert [command.name for command in named if command.help not in shown] == []


# A shell with a terminal, in which each line is typed as it stands, with its TAB.
TYPED = {
    Shell.BASH: """
PS1='typed> '
bind 'set bell-style none'
bcastcli() { printf '%s|' "$@" >> "$OFFERED"; echo >> "$OFFERED"; echo done; }
source "$SCRIPT"
""",
    Shell.ZSH: """
PS1='typed> '
setopt no_prompt_cr no_prompt_sp no_beep no_list_beep
autoload -Uz compinit && compinit -D -u
bcastcli() { printf '%s|' "$@" >> "$OFFERED"; echo >> "$OFFERED"; echo done; }
source "$SCRIPT"
""",
    Shell.FISH: """
function fish_prompt; printf 'typed> '; end
function bcastcli; printf '%s|' $argv >> $OFFERED; echo >> $OFFERED; echo done; end
source $SCRIPT
""",
}
TABS = {
    "model sm\t": "model|small.onnx|",
    "deck les\t": "deck|lesson.txt|",
    "deck lesson.txt -o out\t": "deck|lesson.txt|-o|out.html|",
    "check lesson.txt sha\t": "check|lesson.txt|shapes.txt|",
    "check --max-fail 2 sha\t": "check|--max-fail|2|shapes.txt|",
    "2,3 3 --pi\t": "2,3|3|--picture|",
    "torch 3,4 3 --str\t": "torch|3,4|3|--strict|",
    "numpy 3 -f mark\t": "numpy|3|-f|markdown|",
    "rules sh\t": "rules|sh|",
}
"""What is typed, and the words that the command then gets."""


@pytest.mark.parametrize("shell", SHELLS)
def test_tab(shell: Shell, tmp_path: Path) -> None:
    """TAB completes files, options and values where each belongs, in a shell at a terminal."""
    for name in ("small.onnx", "lesson.txt", "shapes.txt", "out.html"):
        (tmp_path / name).touch()
    offered = tmp_path / "offered"
    environment = {
        **dict.fromkeys(("HOME", "ZDOTDIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(tmp_path)),
        "PATH": str(tmp_path / "nothing"),
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
        "SCRIPT": str(FOLDER / FILES[shell]),
        "OFFERED": str(offered),
    }
    (tmp_path / ".zshrc").write_text(TYPED[shell])
    start = {
        Shell.BASH: ["--noprofile", "--rcfile", ".zshrc", "-i"],
        Shell.ZSH: ["--no-global-rcs", "-i"],
        Shell.FISH: ["--private", "--no-config", "--init-command", TYPED[shell]],
    }
    keys = [f"bcastcli {typed}\n" for typed in TABS]
    with chdir(tmp_path):
        at_a_terminal([program(shell), *start[shell]], environment, [*keys, "exit 0\n"], "done")
    assert offered.read_text().splitlines() == [*TABS.values()]


def test_each_value_has_its_word() -> None:
    """In fish each value of an option and of an argument comes with a word of its own."""
    script = (FOLDER / FILES[Shell.FISH]).read_text("utf-8")
    lists = re.findall(r" -a '((?:[^'\\]|\\.)*)'", script)
    assert len(lists) > 10
    for values in lists[1:]:
        given = re.sub(r" \(__bcastcli_else .*", "", values)
        given = given.removeprefix("(__bcastcli_list ").removesuffix(")")
        words = re.findall(r'(\S+)\\\\t"([^"]+)"(?: |$)', given)
        assert " ".join(f'{value}\\\\t"{word}"' for value, word in words) == given
    assert {value for value, _ in words_of_formats(script)} == {*Format}
    assert len({word for _, word in words_of_formats(script)}) == len(Format)


def words_of_formats(script: str) -> list[tuple[str, str]]:
    """Return the formats that a rule offers in fish, each with its word."""
    [values] = re.findall(
        r"-l format -x -a '(table[^']*)' -d 'The format; default: table, or", script
    )
    return re.findall(r'(\S+)\\\\t"([^"]+)"', values)


# The scripts


@pytest.mark.parametrize("name", FILES.values())
def test_generated(name: str) -> None:
    """The marked blocks are as `python completions/generate.py` fills them."""
    assert (FOLDER / name).read_bytes() == generate.scripts()[name].encode()


def test_a_block_that_the_generator_does_not_know() -> None:
    """A block without lines for it, or lines without a block, is an error, not a silent gap."""
    script = "# from the app: commands\nold\n# end\nkept\n"
    assert generate.filled(script, {"commands": ["new"]}) == script.replace("old", "new")
    wrong: list[dict[str, list[str]]] = [{}, {"commands": ["new"], "more": []}, {"other": []}]
    for blocks in wrong:
        with pytest.raises(KeyError):
            generate.filled(script, blocks)


@pytest.mark.parametrize("shell", SHELLS)
def test_syntax(shell: Shell) -> None:
    """Each shell accepts its script."""
    ran = subprocess.run(
        [program(shell), "-n", str(FOLDER / FILES[shell])], capture_output=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@needs("shellcheck")
def test_shellcheck() -> None:
    """ShellCheck has nothing to say of the script for bash, and nothing is kept from it."""
    script = FOLDER / FILES[Shell.BASH]
    assert "shellcheck" not in script.read_text("utf-8")
    command = [program("shellcheck"), "--norc", "--shell=bash", str(script)]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stdout == ""


# The command


@pytest.mark.parametrize("shell", Shell)
def test_printed(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    """`bcastcli completions SHELL` prints the script."""
    assert main(["completions", shell]) == 0
    assert capsys.readouterr() == ((FOLDER / FILES[shell]).read_text("utf-8"), "")


def test_installed() -> None:
    """An installed wheel has each script where its shell looks, and where the command finds it."""
    distribution = {str(file): file for file in files("bcastcli") or ()}
    if "bcastcli/cli/main.py" not in distribution:
        pytest.skip("not installed from a wheel")
    for name in FILES.values():
        assert f"bcastcli/_completions/{name}" in distribution
    for source, target in WHEEL["shared-data"].items():
        installed = Path(sysconfig.get_path("data"), target)
        assert installed.read_bytes() == (FOLDER.parent / source).read_bytes()
