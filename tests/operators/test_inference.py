"""Operators whose result onnx's shape inference has: when it is asked, and what without it.

The module is operators/inference.py.
"""

import subprocess
import sys

import pytest

from bcastcli.core.answer import Answer
from bcastcli.core.shapes import Shape
from bcastcli.notation.text import NotationError
from bcastcli.operators.computed import COMPUTED
from bcastcli.operators.questions import ask
from bcastcli.operators.table import signatures
from tests.in_memory import run
from tests.rows import each_row

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


def test_a_size_that_may_not_fit_has_to_be_known() -> None:
    """An unknown size that fits whatever it is leaves a yes, any other is named."""
    answer = ask("Conv N,3,8,8 4,3,3,3")
    assert (answer.ok, answer.result) == (True, ("N", 4, 6, 6))
    answer = ask("Conv M,N,8,8 4,3,3,3")
    assert (answer.ok, answer.result, answer.when) == (None, ("M", 4, 6, 6), "N is known")


@each_row(
    ("line", "result"),
    [
        ("DepthToSpace 1,N,4,4 blocksize=2", (1, "?", 8, 8)),
        ("Conv N,M,8 2,N,3 group=2", ("?", 2, 6)),
        ("Conv M,N,8,8 3,3,3,3", ("M", "?", 6, 6)),
        ("Split N,4 num_outputs=2", ("?", 4)),
    ],
)
def test_sizes_that_few_numbers_tell_apart(line: str, result: Shape) -> None:
    """A size is a number or a name only where no other number that fits denies it."""
    assert ask(line).result == result


def test_an_unknown_shape() -> None:
    """A shape of unknown rank has to be known, in the table too."""
    ended = run(["op", "Conv", "1,3,8,8", "..."])
    assert (ended.status, "when the shape of W is known" in ended.out) == (3, True)


def test_op_of_a_name_leaves_standard_input() -> None:
    """Only with - lines are read."""
    assert "since" in run(["op", "Gemm"], b"8,64 64,10\n").out
    assert run(["op", "Gemm", "-"], b"8,64 64,10\n").out == "8,10\n"


def test_a_size_that_values_decide_is_open() -> None:
    """Such a size is `?`, and a note says why; it is not an unknown size of the question."""
    answer = ask("NonZero 2,3")
    assert (answer.ok, answer.result) == (True, (2, "?"))
    assert [each.text for each in answer.notes] == [
        "the size ? depends on the values that NonZero gets"
    ]
