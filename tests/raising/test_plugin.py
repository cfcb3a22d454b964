"""The plugin for pytest: a section in the report of each test that fails for shapes."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.effort import slow
from tests.raising.test_command import environment

TESTS = """
import unittest
import numpy as np
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


def ran(folder: Path, *options: str, **more: str) -> str:
    """Return what pytest prints of the tests above."""
    (folder / "test_shapes.py").write_text(TESTS, "utf-8")
    # By its module, whether or not it is installed under its name.
    by_module = ["-p", "no:bcastcli", "-p", "no:hypothesispytest", "-p", "bcastcli.raising.plugin"]
    command = [sys.executable, "-m", "pytest", *by_module, *options]
    ended = subprocess.run(
        [*command, "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), "test_shapes.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment(**more),
        check=False,
    )
    return ended.stdout


@pytest.mark.parametrize(
    "options",
    [
        (),
        *(pytest.param(each, marks=slow) for each in (("--tb=short",), ("-n2",), ("--tb=native",))),
    ],
    ids=" ".join,
)
def test_sections(options: tuple[str, ...], tmp_path: Path) -> None:
    """Each failing test about shapes has one section, in every mode; other tests have none."""
    out = ran(tmp_path, *options)
    assert out.count(" shapes -") == 5
    for reason in (
        "mismatch: left has 3 and right has 4 on axis 0 (-1), and neither is 1",
        "mismatch: Z(3) has 3 and Z(size) has 5 on axis 0 (-1), and neither is 1",
        "mismatch: Z(6) has 6 and Z(7) has 7 on axis 0 (-1), and neither is 1",
        "mismatch: rows 2,3 has 3 on axis 1 (-1) and vector 4 has 4 on axis",
        "got   3\nwant  4",
    ):
        assert reason in out


@slow
def test_turned_off(tmp_path: Path) -> None:
    """BCASTCLI_RAISE=0 leaves the reports as they are."""
    assert " shapes -" not in ran(tmp_path, BCASTCLI_RAISE="0")


def test_the_name() -> None:
    """Pytest finds the plugin where bcastcli is installed, under the name that turns it off."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    plugins = project["project"]["entry-points"]["pytest11"]
    assert plugins == {"bcastcli": "bcastcli.raising.plugin"}


@pytest.mark.parametrize("options", [(), pytest.param(("-n1",), marks=slow)], ids=" ".join)
def test_broadcast_strict(options: tuple[str, ...], tmp_path: Path) -> None:
    """Lines of the code under test are named, not those of tests, with pytest-xdist too."""
    (tmp_path / "metrics.py").write_text("def r2(p, y):\n    return (p - y).sum()\n", "utf-8")
    (tmp_path / "conftest.py").write_text("import metrics\n", "utf-8")
    (tmp_path / "test_metrics.py").write_text(
        "import numpy as np, pytest, metrics\n"
        "def test_r2():\n"
        "    p, y = np.ones(3), np.ones((3, 1))\n"
        "    assert metrics.r2(p, y) == (p - y).sum()\n",
        "utf-8",
    )
    out = ran(tmp_path, "--broadcast-strict", "test_metrics.py", *options)
    section = out.partition("= shapes that grew =")[2]
    assert "metrics.py, line 2, in r2: return (p - y).sum()\n" in section
    assert section.count(", line ") == 1
    assert "1 line where shapes silently grew\n" in section
