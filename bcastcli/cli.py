"""The command line: what was typed to a question, the question to its answer, the answer out.

It knows no rule: commands, their help and their options come from the registry. Each command is
built when it is asked for, since building all of them would take longer than answering.
"""

import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from inspect import Signature
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup
from typer.main import get_command

from bcastcli import notation
from bcastcli.answers import Options, Rule
from bcastcli.options import (
    OF_A_RULE,
    ON_EVERY_RULE,
    SHAPES,
    TAKE_A_VALUE,
    VERSION,
    Color,
    VersionFlag,
)
from bcastcli.questions import ask
from bcastcli.render import Format, Style, renderer
from bcastcli.rules import RULES

YES, NO, MALFORMED, DEPENDS = 0, 1, 2, 3
STATUS = {True: YES, False: NO, None: DEPENDS}

_EXAMPLE = "2,3,4,5 4,5"
_HELP_NAMES = {"help_option_names": ["-h", "--help"]}
_STATUSES = """\b
Exit status: 0 it broadcasts, 1 it does not, 2 the question is malformed,
3 it depends on sizes that are not known."""

_COMPLETIONS = """Print the script with which TAB completes commands, options and values.

\b
Examples:
  eval "$(bcastcli completions bash)"
  bcastcli completions fish > ~/.config/fish/completions/bcastcli.fish"""

# An argument such as -1,3 is a shape, and no option. The mark keeps the option parser off it; no
# argument of a process can contain it.
_MARK = "\0"


class UsageError(typer.TyperException):
    """A command line that asks nothing: one sentence of what is wrong with it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one command line (by default the process's own), and return the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    # Sizes of as many digits as the notation allows, whatever the environment says.
    sys.set_int_max_str_digits(notation.MOST_DIGITS)
    try:
        status = get_command(app).main(
            _marked(arguments), prog_name="bcastcli", complete_var="", standalone_mode=False
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except notation.NotationError as error:
        _complain_of(error)
    except UsageError as error:
        _complain(notation.printable(error.message, _encoding(sys.stderr)))
    except typer.TyperException as error:
        _complain(notation.printable(_in_our_words(error, arguments), _encoding(sys.stderr)))
    except OSError as error:  # of standard output: it is all that is written to
        _discard(sys.stdout)
        _complain(f"cannot write: {error.strerror}")
    else:
        return int(status or YES)
    return MALFORMED


def _in_our_words(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """What Typer says of a command line, as one sentence like ours."""
    # It quotes an argument with its mark.
    message = error.format_message().removesuffix(".").replace(repr(_MARK)[:-1], "'")
    if message.startswith("No such option"):
        _, _, option = message.partition(": ")
        where = " before the rule" if arguments[0].startswith("-") else f" of {arguments[0]}"
        return f"no such option{where}: {option}"
    return message[:1].lower() + message[1:]


def _marked(arguments: Sequence[str]) -> list[str]:
    """The arguments with a mark on each shape that looks like an option, such as -1,3."""
    marked: list[str] = []
    for number, argument in enumerate(arguments):
        if argument == "--":
            return marked + list(arguments[number:])
        is_shape = argument[:2] == "-1" and argument[2:3] in ",x×"
        is_value = number > 0 and arguments[number - 1] in TAKE_A_VALUE
        marked.append(_MARK + argument if is_shape and not is_value else argument)
    return marked


def _complain(text: str) -> None:
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"bcastcli: {text}\n")
        sys.stderr.flush()
    except OSError:  # the status still tells
        _discard(sys.stderr)


def _discard(stream: TextIO) -> None:
    """Let go of what is still buffered, lest it fail once more when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain_of(error: notation.NotationError, where: str = "") -> None:
    _complain(f"{where}{error.message}\n{notation.pointed(error, _encoding(sys.stderr))}")


def _write(text: str) -> None:
    """Write to standard output, at once."""
    if sys.stdout is None:
        raise UsageError("cannot write: standard output is closed")
    encoding = _encoding(sys.stdout)
    shown = text if text.isascii() else text.encode(encoding, "backslashreplace").decode(encoding)
    sys.stdout.write(shown)
    sys.stdout.flush()


def _encoding(stream: TextIO | None) -> str:
    return getattr(stream, "encoding", None) or "utf-8"


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _style(color: Color) -> Style:
    """What standard output can show, and the user wants to see."""
    try:
        "─".encode(_encoding(sys.stdout))
        boxes = True
    except UnicodeEncodeError:
        boxes = False
    if color is not Color.AUTO:
        return Style(color is Color.ALWAYS, boxes)
    if os.environ.get("NO_COLOR"):
        return Style(False, boxes)
    shows = _is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
    return Style(bool(os.environ.get("FORCE_COLOR")) or shows, boxes)


def _answer(
    rule: Rule,
    *,
    shapes: list[str] | None,
    output: Format | None,
    json: bool,
    quiet: bool,
    color: Color,
    **options: int | str,
) -> int:
    """Answer the question that the arguments ask, and return the exit status."""
    if json and output not in (None, Format.JSON):
        raise UsageError(f"--json and --format {output} contradict each other")
    form = Format.JSON if json else output
    arguments = [shape.removeprefix(_MARK) for shape in shapes or ()]
    if "-" in arguments or not arguments:
        return _answer_lines(rule, options, arguments, form or Format.PLAIN, color, quiet)
    answer = ask(rule, notation.joined(arguments), options)
    if not quiet:
        chosen = renderer(form or Format.TABLE)
        _write(chosen.HEADER + chosen.render(answer, _style(color)))
    return STATUS[answer.ok]


def _answer_lines(
    rule: Rule,
    options: Options,
    arguments: Sequence[str],
    form: Format,
    color: Color,
    quiet: bool,
) -> int:
    """Answer the questions on the lines of standard input, and return the exit status."""
    if len(arguments) > 1:
        raise UsageError("- stands for the lines of standard input, in place of all shapes")
    if sys.stdin is None or (not arguments and sys.stdin.isatty()):
        raise UsageError(f"a shape is missing: bcastcli {rule.name} {_EXAMPLE} (--help tells more)")
    from bcastcli.batch import Stream

    stream = Stream(rule, options, Format.PLAIN if quiet else form, _style(color))
    if not quiet:
        _write(renderer(form).HEADER)
    pieces = stream.answers(_read)
    if _is_terminal(sys.stderr) and not _is_terminal(sys.stdout):
        from bcastcli.progress import watched

        pieces = watched(pieces)
    for written in pieces:
        if not quiet:
            _write(written.text)
        for number, error in written.failures:
            _complain_of(error, f"line {number}: ")
    if stream.failed:
        return MALFORMED
    if not stream.verdicts and not arguments:
        _complain("no question on standard input")
        return MALFORMED
    return next((STATUS[verdict] for verdict in (False, None) if verdict in stream.verdicts), YES)


def _read(size: int) -> bytes:
    """As much of standard input as is there, at most `size` bytes; none at its end."""
    try:
        piece: bytes = sys.stdin.buffer.read1(size)  # type: ignore[union-attr]  # it is buffered
    except OSError as error:
        raise UsageError(f"cannot read: {error.strerror}") from error
    return piece


def _rule_command(rule: Rule) -> typer.Typer:
    """The command that asks a rule."""

    def command(version: bool, **asked: Any) -> int:
        return _answer(rule, **asked)

    options = [OF_A_RULE[name] for name in rule.options]
    command.__signature__ = Signature([SHAPES, *options, *ON_EVERY_RULE, VERSION])  # type: ignore[attr-defined]  # inspect reads it
    return _built(rule.name, command, help=_help(rule), short_help=rule.summary, epilog=_STATUSES)


def _built(name: str, command: Callable[..., int | None], **texts: str) -> typer.Typer:
    """A command of its own, before Typer has read its parameters."""
    built = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=_HELP_NAMES)
    built.command(name, **texts)(command)  # type: ignore[arg-type]  # they are texts
    return built


def _completions_command() -> typer.Typer:
    """The command that prints a shell's completion script."""
    from bcastcli.completions import Shell, script

    def command(
        shell: Annotated[
            Shell | None,
            typer.Argument(metavar="SHELL", help="bash, zsh or fish.", show_default=False),
        ] = None,
        version: VersionFlag = False,
    ) -> None:
        if shell is None:
            raise UsageError(f"a shell is missing: bcastcli completions {'|'.join(Shell)}")
        _write(script(shell))

    summary = "Print the completion script of a shell: bash, zsh or fish"
    return _built("completions", command, help=_COMPLETIONS, short_help=summary)


def _help(rule: Rule) -> str:
    """A rule's docstring for --help, with its examples as they are typed."""
    examples = "\n".join(
        f"  bcastcli {rule.name} {' '.join(arguments)}" for arguments, _ in rule.examples
    )
    # Without the mark \b, the lines of a list would be filled to one paragraph.
    statement = rule.statement.replace("\n\n1. ", "\n\n\b\n1. ")
    return f"{statement}\n\n\b\nExamples:\n{examples}"


COMMANDS: dict[str, Callable[[], typer.Typer]] = {
    **{name: partial(_rule_command, rule) for name, rule in RULES.items()},
    "completions": _completions_command,
}


class Commands(TyperGroup):
    """The commands, each built when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return get_command(COMMANDS[cmd_name]()) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            raise UsageError(_no_such_command([arg.removeprefix(_MARK) for arg in args]))
        return super().resolve_command(ctx, args)


def _no_such_command(arguments: Sequence[str]) -> str:
    """What to type instead of arguments that do not begin with a command."""
    import shlex

    word, *rest = arguments
    known = {name: name for name in COMMANDS}
    known |= {framework: rule.name for rule in RULES.values() for framework in rule.frameworks}
    name = known.get(word.lower())
    if name:
        is_its_name = name == word.lower()
        meant = (
            f"the command is called {name}" if is_its_name else f"{word} follows the rule {name}"
        )
    elif notation.looks_like_a_shape(word):
        name, rest, meant = "numpy", list(arguments), "a rule goes before the shapes"
    else:
        near = get_close_matches(word.lower(), known) if len(word) > 2 else []
        if not near:
            return f"there is no command {word}; the rules are {', '.join(RULES)}"
        name, meant = known[near[0]], f"there is no command {word}; did you mean"
    return f"{meant}: {shlex.join(['bcastcli', name, *rest])}"


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    context_settings=_HELP_NAMES,
    invoke_without_command=True,
)


@app.callback(
    epilog=_STATUSES,
    help=f"""Do these shapes broadcast, and to what? One command for each broadcasting rule.

\b
Examples:
  bcastcli numpy {_EXAMPLE}
  bcastcli pdpd 2,3,4,5 3,4 --axis 1
  bcastcli numpy N,4 3,4 --json""",
)
def _ask_for_a_rule(context: typer.Context, version: VersionFlag = False) -> None:
    if context.invoked_subcommand is None:
        rules = ", ".join(RULES)
        raise UsageError(
            f"a rule and shapes are missing: bcastcli numpy {_EXAMPLE} "
            f"(rules: {rules}; --help tells more)"
        )
