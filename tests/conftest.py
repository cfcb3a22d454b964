"""What all tests share: how much a run tries, on how many processors, and the environment."""

import gc
import os
import signal
from collections.abc import Iterator
from compileall import compile_dir
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

import bcastcli
from tests import effort
from tests.browser.browser import CHROMIUM, Browser, browser
from tests.command_lines import ASKED
from tests.engines.judging import REQUIRED
from tests.in_memory import SETTINGS
from tests.sentences import Sentences

# The same examples on every run, and nothing that the machine's speed decides.
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=5)
settings.register_profile("same", derandomize=True, deadline=None, max_examples=50)
# New ones: pytest tests/laws/test_laws.py --hypothesis-profile long
settings.register_profile("long", deadline=None, max_examples=5_000, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="try everything, not a part of it")
    parser.addoption("--update", action="store_true", help="write tests/*/sentences.txt anew")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run all tests on all processors, but those that are asked for by name in this process."""
    is_whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    return None if is_whole or REQUIRED else 0


LONGEST = (
    *("[jax]", "[torch]", "engines/test_rules", "engines/test_operators", "engines/test_ncnn"),
    *("test_fresh", "engines", "browser", "raising", "laws", "features", "model"),
)
"""What takes longest, which begins first so that no process waits for it at the end."""


class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # it has no types
    """Each file is tried by one process, and the messages of each framework by one."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if "test_fresh_messages" in nodeid else nodeid.partition("::")[0]

    def _assign_work_unit(self, node: object) -> None:
        def place(scope: str) -> int:
            return next((n for n, name in enumerate(LONGEST) if name in scope), len(LONGEST))

        self.workqueue.move_to_end(min(self.workqueue, key=place), last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile | None:
    return ByFile(config, log) if config.option.dist == "loadfile" else None


@pytest.hookimpl(tryfirst=True)  # so that --hypothesis-profile has the last word
def pytest_configure(config: pytest.Config) -> None:
    effort.thorough = config.getoption("--thorough") or REQUIRED
    settings.load_profile("same" if effort.thorough else "quick")
    # A shell's background job ignores Ctrl-C, and so would the processes that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.execve = _refuse  # type: ignore[assignment]  # run in this process would end the tests
    if not hasattr(config, "workerinput"):
        # Once for all processes that are started, even where these may write no bytecode.
        compile_dir(Path(bcastcli.__file__).parent, quiet=2)


def _refuse(*arguments: object) -> NoReturn:
    raise AssertionError(f"this process would become another program: {arguments}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what a quick run does, unless single tests are asked for by name."""
    if effort.thorough or any("::" in argument for argument in config.args):
        return
    out = effort.left_out(items)
    config.hook.pytest_deselected(items=[item for item in items if item in out])
    items[:] = [item for item in items if item not in out]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Sentences | None:
    is_ours = file_path.name == "sentences.txt"
    return Sentences.from_parent(parent, path=file_path) if is_ours else None


def pytest_collection_finish() -> None:
    """Let no later collection of garbage look at what stays: modules and tests, a long walk."""
    gc.collect()
    gc.freeze()


def pytest_report_header() -> str:
    tried = "all tests" if effort.thorough else "a part of the tests: --thorough runs all"
    return f"{tried}; fresh questions: BCASTCLI_SEED={effort.SEED}"


@pytest.fixture(scope="session")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not CHROMIUM and "CI" not in os.environ:
        pytest.skip("needs chromium")
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the machine that runs the tests changes what is written or read."""
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO()))
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def arguments(rule: str, status: int) -> list[str]:
    """A question to a rule that is answered with a status."""
    return [rule, *ASKED[rule][status]]
