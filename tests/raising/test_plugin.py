"""The plugin for pytest: a section in the report of each test that fails for shapes."""

import tomllib
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy  # noqa: F401  # a process can load it only once
import pytest

from bcastcli.raising import loading, plugin, rewriting, silent, watching
from tests.effort import slow

pytest_plugins = ["pytester"]

TESTS = """
import unittest
import numpy as np
import numpy  # noqa: F401  # a process can load it only once
import pytest

Z = np.zeros

def test_passes(): Z(3) + Z(3)

def test_fails():
    left, right = Z(3), Z(4)
    left * right

@pytest.mark.parametrize("size", [3, 5])
def test_parametrized(size):
    assert (Z(3) + Z(size)).shape == (3,)

@pytest.fixture
def broken(): return Z(6) - Z(7)

def test_fixture(broken): pass

class TestCase(unittest.TestCase):
    def test_method(self):
        rows, vector = Z((2, 3)), Z(4)
        rows @ vector

def test_expected():
    with pytest.raises(ValueError): Z(3) + Z(4)

@pytest.mark.xfail
def test_xfails(): Z(3) + Z(4)

def test_of_shapes():
    got, want = Z(3), Z(4)
    assert got.shape == want.shape

def test_other(): {}["key"]

def test_plain():
    rows, index = [Z(2)], 3
    assert len(rows) == index, "length"
"""


@pytest.fixture
def tests(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with the tests above; pytest runs in this process, and afterwards loads as ever."""
    monkeypatch.setattr(SourceFileLoader, "get_code", loading._get_code)
    watching.forget()
    pytester.makepyfile(test_shapes=TESTS)
    return pytester


def ran(tests: pytest.Pytester, *options: str) -> str:
    """Return what pytest prints of tests, with the plugin by its module, whatever is installed."""
    by_module = ["-p", "no:bcastcli", "-p", "no:hypothesispytest", "-p", plugin.__name__]
    return tests.runpytest_inprocess(*by_module, "-q", *options).stdout.str()


@pytest.mark.parametrize(
    "options",
    [(), ("--tb=short",), pytest.param(("-n2",), marks=slow), ("--tb=native",)],
    ids=" ".join,
)
def test_sections(options: tuple[str, ...], tests: pytest.Pytester) -> None:
    """Each failing test about shapes has one section, in every mode; other tests have none."""
    out = ran(tests, *options)
    assert out.count(" shapes -") == 5
    for reason in (
        "mismatch: left has 3 and right has 4 on axis 0 (-1), and neither is 1\n",
        "mismatch: Z(3) has 3 and Z(size) has 5 on axis 0 (-1), and neither is 1",
        "mismatch: Z(6) has 6 and Z(7) has 7 on axis 0 (-1), and neither is 1",
        "mismatch: rows 2,3 has 3 on axis 1 (-1) and vector 4 has 4 on axis",
        "got.shape == want.shape\ngot   3\nwant  4",
    ):
        assert reason in out
    assert "grew" not in out


def test_turned_off(tests: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """BCASTCLI_RAISE=0 leaves the reports as they are."""
    monkeypatch.setenv("BCASTCLI_RAISE", "0")
    assert " shapes -" not in ran(tests)


def test_the_name() -> None:
    """Pytest finds the plugin where bcastcli is installed, under the name that turns it off."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    plugins = project["project"]["entry-points"]["pytest11"]
    assert plugins == {"bcastcli": "bcastcli.raising.plugin"}


LESS = "def less(p, y):\n    return (p - y).sum()\n"


@pytest.mark.parametrize("options", [(), pytest.param(("-n1",), marks=slow)], ids=" ".join)
def test_broadcast_strict(options: tuple[str, ...], tests: pytest.Pytester, tmp_path: Path) -> None:
    """Lines of the code under test are named: not those of tests, a conftest or another folder."""
    tests.makeini("[pytest]\npython_files = test_*.py own_*.py")
    tests.makepyfile(
        metrics=LESS,
        own_less=LESS,
        conftest=f"import metrics, sys\nsys.path.append({str(tmp_path)!r})\n{LESS}",
        test_metrics="import numpy as np, conftest, elsewhere, metrics, own_less\n"
        "def test_less():\n"
        "    p, y = np.ones(3), np.ones((3, 1))\n"
        "    for each in (conftest, elsewhere, metrics, metrics, own_less):\n"
        "        assert each.less(p, y) == (p - y).sum()\n",
    )
    (tmp_path / "elsewhere.py").write_text(LESS, "utf-8")
    out = ran(tests, "--broadcast-strict", "test_metrics.py", *options)
    section = out.partition("= shapes that grew =")[2]
    assert "=\nmetrics.py, line 2, in less: return (p - y).sum()   (2 times)\n" in section
    assert section.count(", line ") == 1
    assert "1 line where shapes silently grew\n" in section
    tests.makepyfile(test_metrics="def test_less(): pass")
    watching.forget()
    out = ran(tests, "--broadcast-strict", "test_metrics.py", *options)
    assert "= shapes that grew =" in out
    assert "=\nno line where shapes silently grew\n" in out


def test_what_a_worker_saw() -> None:
    """A process of pytest-xdist hands over its lines; their numbers of times add up."""
    site = watching.Site("own.py", (1, 4, 1, 9), "")
    grown = watching.Grown(((3,), (3, 1)), (3, 3), (0, 1), "numpy")
    settings: dict[str, Any] = {"known_args_namespace": SimpleNamespace(broadcast_strict=True)}
    config = SimpleNamespace(**settings, workeroutput={})
    watching.grown[site], watching.times[site] = grown, 2
    rewriting.sources["own.py"] = "x = p - y\n"
    plugin.pytest_sessionfinish(SimpleNamespace(config=SimpleNamespace(**settings)))
    plugin.pytest_sessionfinish(SimpleNamespace(config=config))
    watching.forget()
    rewriting.sources.clear()
    for node in (config, SimpleNamespace(), config):
        plugin.pytest_testnodedown(node)
    assert silent.text("table", None).startswith("own.py, line 1: x = p - y   (4 times)\naxis")
    quiet = SimpleNamespace(known_args_namespace=None, workeroutput={})
    plugin.pytest_sessionfinish(SimpleNamespace(config=quiet))
    assert quiet.workeroutput == {}
