"""The table of options: each row names options that exist, and is obeyed."""

from typing import Any

import pytest

from bcastcli.cli import option_table
from bcastcli.cli.main import COMMANDS, group
from bcastcli.cli.option_table import Asking
from tests.in_memory import run
from tests.rows import each_row

ASKINGS = {name: each for name, each in vars(option_table).items() if isinstance(each, Asking)}


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
    for option in (*asking.refused, *asking.formats):
        if not option.startswith("--format "):
            assert known[option] == option.removeprefix("--").replace("-", "_")


@pytest.mark.parametrize(
    ("arguments", "lines", "message"),
    [
        (["2", "2", "--no-notes"], "", "--no-notes only works with --picture"),
        (["2", "2", "--dtype", "int8"], "", "--dtype only works with --steps"),
        (["2", "2", "--picture", "-p"], "", "--picture needs one of the formats table"),
        (["2", "2", "--title", "T"], "", "--title needs one of the formats svg"),
        (["compare", "2", "2", "--steps", "--json"], "", "--steps needs one of the formats table"),
        (["why", "x", "-f", "pdf"], "", "--format pdf works for a single answer: use -f svg"),
        (["compare", "--steps"], "2 2\n", "--steps works for one question, not for lines"),
        (["op", "Add", "-f", "html"], "2 2\n", "--format html works for one question"),
        (["op", "--trans-b"], "Add 2 2\n", "--trans-b belongs on each line"),
        (["op", "--picture"], "", "--picture needs shapes"),
        (["op", "Gemm", "--axis", "1"], "", "--axis needs shapes"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(arguments: list[str], lines: str, message: str) -> None:
    """An option that would have no effect is a usage error of one sentence, before any answer."""
    ended = run(arguments, lines.encode())
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"bcastcli: {message}")
    assert ended.err.count("\n") == 1
