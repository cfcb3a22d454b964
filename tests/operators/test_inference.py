"""Operators whose result onnx's shape inference has: when it is asked, and what without it.

The module is operators/inference.py.
"""

import subprocess
import sys

import pytest

from bcastcli.core.answer import Answer
from bcastcli.notation.text import NotationError
from bcastcli.operators.computed import COMPUTED
from bcastcli.operators.questions import ask
from bcastcli.operators.table import signatures
from tests.in_memory import run

PROGRAM = """
import sys
from bcastcli.cli.main import main
main(["op", "-", "-q"])
main(["check", "-"])
sys.exit("onnx" in sys.modules)
"""
LINES = b"""Gemm 8,64 10,64 10 trans_b=1
Add 2,3 3
Concat 2,3 4,3 axis=0
Einsum 2,3 3,4 equation=ij,jk
Reshape 4,6 shape=8,-1
Transpose 2,3
Conv 5,17,64,17 64,64,3,3
"""


def test_onnx_is_not_imported_for_others() -> None:
    """Neither a result of our own nor a refusal imports onnx."""
    ended = subprocess.run([sys.executable, "-c", PROGRAM], input=LINES, check=False)
    assert ended.returncode == 0


@pytest.mark.parametrize("line", ["Conv 1,3,8,8 4,3,3,3", "Softmax 2,3"])
def test_without_onnx(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install, in op and in check; a refusal needs no onnx."""
    monkeypatch.setitem(sys.modules, "onnx", None)
    install = f"to compute {line.partition(' ')[0]}: pip install 'bcastcli[onnx]'"
    ended = run(["op", *line.split(), "-p"])
    assert (ended.status, install in ended.err) == (2, True)
    ended = run(["check", "-"], f"{line} -> 1\n".encode())
    assert (ended.status, install in ended.out) == (2, True)
    assert ask("Conv 5,17,64,17 64,64,3,3").ok is False


@pytest.mark.parametrize("name", sorted(signatures().keys() - COMPUTED.keys()))
def test_each_operator_answers(name: str) -> None:
    """Each operator has a result, a reason, or needs what its sentence names; none depends."""
    own = signatures()[name]
    for shape in ("2,3", "1,4,8,8"):
        line = " ".join([name, *[shape] * (len(own.inputs) - len(own.optional))])
        found = _answer(line)
        if isinstance(found, NotationError):
            assert "=" in found.message
        else:
            assert found.ok is not None
            assert (found.ok and found.result is not None) or found.reason


def _answer(line: str) -> Answer | NotationError:
    try:
        return ask(line)
    except NotationError as error:
        return error


def test_op_of_a_name_leaves_standard_input() -> None:
    """Only with - lines are read."""
    assert "since" in run(["op", "Gemm"], b"8,64 64,10\n").out
    assert run(["op", "Gemm", "-"], b"8,64 64,10\n").out == "8,10\n"
