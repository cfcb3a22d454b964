"""The examples in the docstrings of all modules of the package (all of bcastcli/)."""

import doctest
from importlib import import_module
from inspect import getsource
from pkgutil import walk_packages

import bcastcli
from tests.rows import each_row

MODULES = [module.name for module in walk_packages(bcastcli.__path__, "bcastcli.")]
WITH_EXAMPLES = [name for name in MODULES if ">>> " in getsource(import_module(name))]


@each_row("name", WITH_EXAMPLES)
def test_examples(name: str) -> None:
    """What a docstring shows is what Python says, and no example is passed over."""
    module = import_module(name)
    results = doctest.testmod(module)
    assert results.attempted == getsource(module).count(">>> ")
    assert results.failed == 0


def test_modules_are_found() -> None:
    """The modules of all folders are searched, those with examples among them."""
    assert {"bcastcli.core.shapes", "bcastcli.cli.commands.rule"} < set(MODULES)
    assert len(WITH_EXAMPLES) > 20
