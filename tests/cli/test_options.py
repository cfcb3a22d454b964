"""The table of options: each row names options that exist, and is obeyed."""

from typing import Any

from bcastcli.cli import options
from bcastcli.cli.options import Asking
from bcastcli.cli.parser import COMMANDS, group
from tests.in_memory import run
from tests.rows import each_row

ASKINGS = {name: each for name, each in vars(options).items() if isinstance(each, Asking)}


def fields() -> dict[str, str]:
    """Return the long name of each option of all commands, with the name of its field."""
    app: Any = group()
    context = app.make_context("bcastcli", [], resilient_parsing=True)
    options = (
        parameter
        for name in COMMANDS
        for parameter in app.get_command(context, name).params
        if parameter.param_type_name == "option"
    )
    return {option: each.name for each in options for option in each.opts}


@each_row("name", ASKINGS)
def test_options_exist(name: str) -> None:
    """An option of the table is one of a command, and is found by the name of its field."""
    asking, known = ASKINGS[name], fields()
    assert known
    for option in (*asking.refused, *options._FORMATS):
        if not option.startswith("--format "):
            assert known[option] == option.removeprefix("--").replace("-", "_")


@each_row("line", ["numpy 4,1 3", "ncnn 2,3,4 3,4", "compare 3,3 3", "op Add 4,1 3"])
def test_svg_is_a_picture(line: str) -> None:
    """`-f svg` draws, without `--picture` as with it."""
    asked = [*line.split(), "-f", "svg"]
    assert run(asked) == run([*asked, "--picture"])
