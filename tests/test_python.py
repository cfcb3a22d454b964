"""The Python names, bcastcli/python.py, and all examples in Python; an import loads nothing."""

import doctest
import json
import signal
import subprocess
import sys
from importlib import import_module
from inspect import getsource
from pathlib import Path
from pkgutil import walk_packages
from runpy import run_path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

import bcastcli
from bcastcli import help as topics
from bcastcli.rules import RULES
from tests.in_memory import run
from tests.rows import each_row

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = [
    *("RULES", "Answer", "Axis", "Explanation", "NotationError", "Note"),
    *("Suggestion", "broadcast", "broadcast_shapes", "explain", "install", "shapes", "uninstall"),
]
MODULES = [module.name for module in walk_packages(bcastcli.__path__, "bcastcli.")]
WITH_EXAMPLES = [name for name in MODULES if ">>> " in getsource(import_module(name))]
README = Path(__file__).parents[1] / "README.md"
MAIN = Path(bcastcli.__file__).with_name("__main__.py")
EXPANDED = (
    "The expanded size of the tensor (4) must match the existing size (3) at non-singleton "
    "dimension 1.  Target sizes: [3, 4].  Tensor sizes: [3]"
)
NUMPY = "operands could not be broadcast together with shapes (2,3) (4,)"


class Tensor:
    def __init__(self, *shape: int | None) -> None:
        self.shape = shape


def test_the_names() -> None:
    """The names are those of the package, listed by dir, and no other name is."""
    assert {*bcastcli.__all__} == {*NAMES, "__version__"}
    assert {*NAMES} <= {*dir(bcastcli)}
    for name in (*NAMES, "load_ipython_extension", "unload_ipython_extension"):
        assert getattr(bcastcli, name)
    changelog = Path(bcastcli.__file__).with_name("CHANGELOG.md").read_text("utf-8")
    assert f"\n## {bcastcli.__version__}, " in changelog
    with pytest.raises(AttributeError, match=r"^module 'bcastcli' has no attribute 'brodcast'$"):
        getattr(bcastcli, "brodcast")  # noqa: B009  # type checkers refuse the name itself


def test_a_typed_program() -> None:
    """A program that uses all ten names passes mypy --strict, as this one does, and runs."""
    answer: bcastcli.Answer = bcastcli.broadcast(np.ones((4, 1)), mask=Tensor(3), rule="torch")
    ok: bool | None = answer.ok
    result: tuple[int | str, ...] | None = answer.result
    axes: tuple[bcastcli.Axis, ...] = answer.axes or ()
    notes: tuple[bcastcli.Note, ...] = answer.notes
    suggestions: tuple[bcastcli.Suggestion, ...] = answer.suggestions
    explanation: bcastcli.Explanation | None = bcastcli.explain(NUMPY)
    reason: str | None = explanation.reason if explanation else None
    names: list[str] = [*bcastcli.RULES]
    try:
        bcastcli.broadcast("2,,3")
    except bcastcli.NotationError as error:
        message: str = error.message
    assert (ok, result, [axis.stretched for axis in axes]) == (True, (4, 3), [("mask",), ("A",)])
    assert (suggestions, message) == ((), "a size is missing here")
    assert (reason, names) == ("A has 3 and B has 4 on axis 1 (-1), and neither is 1", [*RULES])
    assert [note.kind for note in notes] == ["stretch"]


def outcome(ask: Any, *operands: Any, **options: Any) -> str:
    """What a call returns, or how it fails, with the place in the text."""
    try:
        return repr(ask(*operands, **options))
    except Exception as error:
        span = getattr(error, "span", "")
        return f"{type(error).__name__}: {error}{f' {error.text!r} {span}' if span else ''}"  # type: ignore[attr-defined]


class Symbol:
    """A size with which one can calculate, as some frameworks have it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __add__(self, other: object) -> object:
        return self


class Held(NamedTuple):
    """An object whose shape is no shape."""

    shape: object


class Lazy:
    """What cannot tell its shape yet."""

    @property
    def shape(self) -> tuple[int, ...]:
        raise RuntimeError("not computed yet")


NOT_INT = "object cannot be interpreted as an integer"
NO_SIZE = "a size of a shape is one number or name"
STRICT = run(["64", "64,1", "--strict", "-p"]).out.strip().removeprefix("mismatch: ")
PDPD, EXPLICIT, NCNN = ({"rule": rule} for rule in ("pdpd", "xla", "ncnn"))


@each_row(
    ("operands", "options", "expected"),
    [
        # Arrays, whatever has a shape, tuples, lists, sizes and text are operands.
        ([(2, 3), [3]], {}, "'2,3 3' under numpy: 2,3"),
        (["2,3 3"], {"rule": "Torch"}, "'2,3 3' under numpy: 2,3"),
        ([np.ones((2, 3)), np.float32(1)], {}, "'2,3 ()' under numpy: 2,3"),
        ([Tensor(2, 3), (np.int64(3),), 1, ()], {}, "'2,3 3 1 ()' under numpy: 2,3"),
        ([range(2, 4), Tensor(), "torch.Size([3])"], {}, "'2,3 () 3' under numpy: 2,3"),
        ([(3,)], {"A": (4, 3)}, "'X=3 A=4,3' under numpy: 4,3"),
        ([(2, 4), 3], {}, ("'2,4 3' under numpy: mismatch: A has 4 and B has 3 on axis 1 (-1), "
         "and neither is 1")),
        # A size of None is unknown, text in a shape is one size, and a symbol a name or a sum.
        ([Tensor(None, 4), ("N",)], {}, "'?,4 N' under numpy: ?,4 when N in (1, 4)"),
        ([("hidden",), ("hidden",)], {}, "'(hidden,) (hidden,)' under numpy: (hidden,)"),
        ([(2, "s0 + 1"), 1], {}, "'2,s0+1 1' under numpy: 2,s0+1"),
        ([(Symbol("n"), 3), (Symbol("a - b // c"), 3)], {"strict": False}, ("'n,3 a-b//c,3' under "
         "numpy: ?,3 when n == a-b//c or n == 1 or a-b//c == 1")),
        ([(Symbol("f(n)"), 3)], {}, f"TypeError: A: 'Symbol' {NOT_INT}"),
        ([(Symbol("3"), 3)], {}, f"TypeError: A: 'Symbol' {NOT_INT}"),
        *(([1, (size, 4)], {}, f"NotationError: B: {NO_SIZE} {size!r} (0, {len(size)})")
          for size in ("2 3", "2,3", "", "a=b", "[3]", "{3}", "2;")),
        # What is no shape is refused, with the name of the operand.
        ([(2,), "3 4,,5", 6], {}, "NotationError: B: a size is missing here '2 3 4,,5 6' (6, 7)"),
        (["2,,3"], {}, "NotationError: a size is missing here '2,,3' (2, 3)"),
        ([1], {"mask": Lazy()}, "NotationError: mask: not computed yet '' (0, 0)"),
        ([1], {"x": (2,), "y": ("for",)}, ("NotationError: y: for is a Python keyword and cannot "
         "name a size '1 x=2 y=(for,)' (9, 12)")),
        ([], {}, "NotationError: numpy takes one or more shapes, not none '' (0, 1)"),
        ([""], {}, ("NotationError: an argument is empty; write () for a shape without axes \"''\" "
         "(0, 2)")),
        *(([1, each], {}, f"TypeError: B: {type(each).__name__!r} object is not a shape")
          for each in (b"2", bytearray(2), {2}, frozenset({2}), {2: 3}, Held({2}))),
        # Options of the rules that have them.
        ([3, 3], {"axis": 1}, "TypeError: numpy has no option axis"),
        ([(2, 3, 4), 2], {**PDPD, "axis": np.int64(0)}, "'2,3,4 2' under pdpd: 2,3,4"),
        ([3, 3], {**PDPD, "axis": -2}, ("NotationError: axis: expected an axis number (0, 1, 2, "
         "...) or -1 (the default) '' (0, 0)")),
        ([3, 3], {**PDPD, "axis": "0"}, f"TypeError: axis: 'str' {NOT_INT}"),
        ([(2, 3), (2, 3, 4)], {**EXPLICIT, "axes": [0, 1]}, "'2,3 2,3,4' under explicit: 2,3,4"),
        ([(), (2, 3)], {**EXPLICIT, "axes": ()}, "'() 2,3' under explicit: 2,3"),
        ([3, (3, 2)], {**EXPLICIT, "axes": 1}, "TypeError: axes: 'int' object is not iterable"),
        ([3, (3, 2)], EXPLICIT, ("NotationError: target: explicit needs an axis of target for each "
         "axis of A: axes=(0,) '3 3,2' (5, 6)")),
        ([(2, 3, 4), (2, 3)], {**NCNN, "order": "numpy"}, "'2,3,4 2,3' under ncnn: 2,3,4"),
        ([(2, 3, 4), (3, 4)], NCNN, "'2,3,4 3,4' under ncnn: 2,3,4"),
        ([3, 3], {**NCNN, "order": "x"}, "NotationError: order: expected ncnn or numpy '' (0, 0)"),
        ([64, (64, 1)], {"strict": True}, ("'64 64,1' under numpy: mismatch: " + STRICT)),
        ([64, (64, 1)], {"strict": False}, "'64 64,1' under numpy: 64,64"),
        ([(2, 3), 3], {"strict": True}, "'2,3 3' under numpy: 2,3"),
        ([3, 3], {"rule": "trch"}, "LookupError: there is no rule trch; did you mean torch?"),
        ([3, 3], {"rule": None}, "TypeError: rule: expected a str, not NoneType"),
    ],
)  # fmt: skip
def test_calls(operands: list[Any], options: dict[str, Any], expected: str) -> None:
    """What `broadcast` returns or raises; `broadcast_shapes` returns the result, if numbers."""
    found = outcome(bcastcli.broadcast, *operands, **options)
    assert found.removeprefix("<").removesuffix(">") == expected
    if {*options} <= {"rule", "axis", "axes", "order"}:
        alone = outcome(bcastcli.broadcast_shapes, *operands, **options)
        answer = expected.partition(": ")[2]
        if found[0] != "<":
            assert alone == expected
        elif answer.startswith("mismatch: "):
            assert alone == f"ValueError: {answer.removeprefix('mismatch: ')}"
        elif answer.replace(",", "").isdigit():
            assert alone == repr(tuple(map(int, answer.split(","))))
        else:
            assert alone == f"ValueError: the result has unknown sizes: {answer}"


def test_what_they_do_not_take_is_refused() -> None:
    """It is a TypeError with the operand's name, which type checkers foresee.

    Where mypy took one of these, its comment would be unused, which mypy refuses.
    """
    refused: list[Callable[[], object]] = [
        lambda: bcastcli.broadcast(1, mask=None),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=1.5),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=(2, 3.0)),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=[[2, 3], [3]]),  # type: ignore[list-item]
        lambda: bcastcli.broadcast(1, mask=(1j,)),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=(b"2",)),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=len),  # type: ignore[arg-type]
    ]
    for call in refused:
        with pytest.raises(TypeError, match=r"^mask: '\w+' object (is not |cannot be )\w+"):
            call()


@each_row(
    ("rule", "operands", "options", "expected"),
    [
        ("pdpd", ((2, 3, 4), (2, 3)), {}, ("axis=0", {}, (2, 3, 4), "rule")),
        ("xla", ((2, 3), (2, 3, 4)), {"axes": (1, 2)}, ("axes=(0, 1)", {}, (2, 3, 4), "rule")),
        ("xla", ((2,), (2, 3)), {"axes": (1,)}, ("axes=(0,)", {}, (2, 3), "rule")),
        ("Torch", ("3,4", "3"), {}, ("B.unsqueeze(1)", {"B": (3, 1)}, (3, 4), "insert")),
        ("numpy", ("3,4", "3"), {}, ("B[:, None]", {"B": (3, 1)}, (3, 4), "insert")),
    ],
)
def test_suggestions(rule: str, operands: Any, options: dict[str, Any], expected: Any) -> None:
    """They are those of --json, in the words of the framework, with options as in Python."""
    answer = bcastcli.broadcast(*operands, rule=rule, **options)
    assert answer.suggestions[0] == expected
    assert expected[0] in answer._repr_svg_() or "=" in expected[0]


def test_an_answer() -> None:
    """An answer is no bool; it is the command line's, and does not change."""
    answer = bcastcli.broadcast((3, 4), (3,), rule="torch")
    with pytest.raises(TypeError, match=r"^an answer is not a bool: use \.ok, which is None if"):
        bool(answer)
    assert str(answer) == run(["torch", "3,4", "3", "-p"]).out.rstrip()
    again = bcastcli.broadcast(A=[3, 4], B="3", rule="Torch")
    assert (answer == again, hash(answer) == hash(again)) == (True, True)
    assert answer != bcastcli.broadcast((3, 4), (4,))
    assert (answer.rule, answer.operands) == ("numpy", {"A": (3, 4), "B": (3,)})
    assert answer.reason == str(answer).removeprefix("mismatch: ")
    assert answer.to_dict() == json.loads(run(["torch", "3,4", "3", "--json"]).out)
    for name in ("ok", "result", "_answer", "other"):
        with pytest.raises(AttributeError, match="cannot assign"):
            setattr(answer, name, None)
    for rule, operands, kinds in (
        ("numpy", ((4, 3), (5,)), ["sizes"]),
        ("bidirectional", ((2, 1), (1, 3)), ["target"]),
        ("numpy", ((3, 3), (3, 3)), []),
    ):
        notes = bcastcli.broadcast(*operands, rule=rule).notes
        assert [note.kind for note in notes] == kinds


class Refusing:
    """An array whose numbers cannot be read."""

    shape = (2,)

    def ravel(self) -> list[float]:
        raise RuntimeError


@each_row(
    ("array", "is_shown"),
    [
        (np.array([[1.25, -999.5]]), True),
        (np.array([1.25, 1000]), False),
        (np.array([1.25, 1.125]), False),
        (np.array([1.25, float("nan")]), False),
        (np.full((2, 2), 1.25), True),
        (Refusing(), False),
        ((2,), False),
        (Tensor(None), False),
    ],
)
def test_a_picture_of_numbers(array: Any, is_shown: bool) -> None:
    """A notebook draws a slide as wide as its cell, with the numbers of small arrays."""
    answer = bcastcli.broadcast(array, second=1)
    drawn = answer._repr_svg_()
    assert drawn.startswith("<svg")
    assert ("1.25" in drawn) == is_shown
    inlined = answer._repr_html_()
    assert inlined.startswith('<div style="max-width:60em"><svg')
    assert " width=" not in inlined.partition("<svg")[2].partition(">")[0]
    assert inlined.endswith("</svg>\n</div>")
    assert answer == bcastcli.broadcast(answer.operands["A"], second=1), "the question is the same"
    assert ("1.25" in bcastcli.broadcast(1, second=array)._repr_svg_()) == is_shown


def test_large_arrays_are_not_kept() -> None:
    """An answer keeps arrays of 40 numbers or fewer, for a picture, and no other in memory."""
    small, large = np.ones((4, 10)), np.ones(41)
    assert bcastcli.broadcast(small, large, (2,))._arrays == (small, None, None)


def test_explanations() -> None:
    """A text is explained as `why` explains it, with all its messages in their order."""
    text = f"{NUMPY}\nand {NUMPY.replace('4', '5')}\n"
    found = bcastcli.explain(text)
    assert found
    record = json.loads(run(["why", text, "--json"]).out.splitlines()[0])
    assert found.to_dict() == record
    assert (found.message, found.framework) == (NUMPY, ("numpy",))
    assert (found.ok, found.operands) == (False, {"A": (2, 3), "B": (4,)})
    assert found.where is None
    assert str(found) == f"mismatch: {found.reason}"
    assert repr(found) == f"<{NUMPY!r}: {found}>"
    assert [each.kind for each in found.notes] == [each["kind"] for each in record["notes"]]
    [other] = found.more
    assert (other.operands, other.more) == ({"A": (2, 3), "B": (5,)}, ())
    assert bcastcli.explain("all is well") is None
    assert bcastcli.explain(f"\udcff {NUMPY}") is not None
    expanded = bcastcli.explain(EXPANDED)
    assert expanded
    assert expanded.answer is not None
    assert expanded.answer.suggestions == expanded.suggestions
    assert [each.write for each in expanded.suggestions] == ["tensor.unsqueeze(1)"]


def test_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception is explained with the names on the line, or else by its text."""
    left, right = np.ones((2, 3)), np.ones(4)
    with pytest.raises(ValueError, match="broadcast") as caught:
        left + right
    found = bcastcli.explain(caught.value)
    assert found
    assert (found.ok, found.operands) == (False, {"left": (2, 3), "right": (4,)})
    assert found.where
    assert found.where.source.strip() == "left + right"
    assert found.to_dict()["operands"] == [
        {"name": "left", "shape": [2, 3]},
        {"name": "right", "shape": [4]},
    ]
    assert str(found) == f"mismatch: {found.reason}"
    monkeypatch.setenv("BCASTCLI_RAISE", "0")
    by_text = bcastcli.explain(caught.value)
    assert by_text
    assert by_text.where is None
    assert bcastcli.explain(KeyError("x")) is None


@pytest.mark.parametrize("name", ["help", "README"])
def test_examples(name: str) -> None:
    """The examples of `bcastcli help python` and of the README are what Python says."""
    page = topics.text("python") if name == "help" else README.read_text("utf-8")
    page = page.replace("```", "\n")
    example = doctest.DocTestParser().get_doctest(page, {}, name, None, 0)
    assert len(example.examples) >= (8 if name == "help" else 2)
    runner = doctest.DocTestRunner()
    runner.run(example)
    assert runner.summarize(verbose=False).failed == 0


@each_row("name", WITH_EXAMPLES)
def test_examples_in_docstrings(name: str) -> None:
    """What a docstring shows is what Python says, and no example is passed over."""
    module = import_module(name)
    results = doctest.testmod(module)
    assert results.attempted == getsource(module).count(">>> ")
    assert results.failed == 0


def test_import_loads_nothing() -> None:
    """`import bcastcli` loads no other module, so that it costs next to nothing."""
    shown = "import sys; a = {*sys.modules}; import bcastcli; print(*({*sys.modules} - a))"
    ran = subprocess.run([sys.executable, "-c", shown], capture_output=True, check=True, text=True)
    assert ran.stdout == "bcastcli\n"


@each_row(
    ("arguments", "variables", "handler", "status", "expected"),
    [
        ("2,3 4 -q", {}, signal.default_int_handler, 1, {"SIGPIPE", "SIGINT"}),
        ("2,3 3 -q", {}, signal.SIG_IGN, 0, {"SIGPIPE"}),  # under nohup
        ("2,3 3 -q", {"_BCASTCLI_COMPLETE": "no_shell"}, signal.SIG_IGN, 1, {"SIGPIPE"}),
    ],
)
def test_a_process(
    arguments: str,
    variables: dict[str, str],
    handler: Any,
    status: int,
    expected: set[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ends with the status, as a filter does where nobody reads on, and where Ctrl-C is."""
    handlers: dict[Any, Any] = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    monkeypatch.setattr(signal, "getsignal", lambda number: handler)
    monkeypatch.setattr(sys, "argv", ["bcastcli", *arguments.split()])
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with patch("gc.freeze") as freeze, pytest.raises(SystemExit) as ended:
        run_path(str(MAIN), run_name="__main__")
    assert (ended.value.code, freeze.called) == (status, not variables)
    assert handlers == {getattr(signal, name): signal.SIG_DFL for name in expected}
