"""The Python names, bcastcli/python.py, and all examples in Python; an import loads nothing."""

import doctest
import re
import subprocess
import sys
from importlib import import_module
from inspect import getsource
from pathlib import Path
from pkgutil import walk_packages
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

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
NUMPY = "operands could not be broadcast together with shapes (2,3) (4,)"


class Tensor:
    def __init__(self, *shape: int | None) -> None:
        self.shape = shape


def test_the_names() -> None:
    """The names are those of the package, listed by dir, and no other name is."""
    assert {*bcastcli.__all__} == {*NAMES, "__version__"}
    assert {*NAMES} <= {*dir(bcastcli)}
    assert all(getattr(bcastcli, name) for name in NAMES)
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


@each_row(
    "operands",
    [
        *(["2,3", "3"], ["2,3 3"], [(2, 3), [3]], [(2, 3), 3], [np.ones((2, 3)), np.float32(1)]),
        *([(2, 3), Tensor(3)], ["torch.Size([2, 3])", (np.int64(3),)], [np.shape([[1] * 3] * 2)]),
    ],
)
def test_operands(operands: list[Any]) -> None:
    """Arrays, whatever has a shape, tuples, lists, sizes and text are operands."""
    assert bcastcli.broadcast(*operands).result == (2, 3)


def test_unknown_sizes() -> None:
    """A size of None is unknown, and a size alone may be a name; the condition says when."""
    answer = bcastcli.broadcast(x=Tensor(None, 4), y=("N",))
    assert (answer.ok, answer.result, answer.when) == (None, ("?", 4), "N in (1, 4)")
    assert bcastcli.broadcast(("hidden",), ("hidden",)).result == ("hidden",)
    assert bcastcli.broadcast((), 1).result == (1,)


def test_options() -> None:
    """axis, axes and order are options of rules that have them, and no operands' names."""
    assert bcastcli.broadcast((2, 3, 4), (3,), rule="pdpd", axis=1).result == (2, 3, 4)
    assert bcastcli.broadcast(2, (2, 3), rule="xla", axes=[0]).result == (2, 3)
    assert bcastcli.broadcast((3, 4), 3, rule="ncnn", order="numpy").ok
    with pytest.raises(TypeError, match="numpy has no option axis"):
        bcastcli.broadcast(3, 3, axis=1)
    wrong: list[dict[str, Any]] = [{"axis": -2}, {"order": "caffe"}]
    for rule, options in zip(("pdpd", "ncnn"), wrong, strict=True):
        with pytest.raises(bcastcli.NotationError, match="expected"):
            bcastcli.broadcast(3, 3, rule=rule, **options)
    with pytest.raises(LookupError, match="did you mean torch"):
        bcastcli.broadcast(3, 3, rule="trch")
    for nothing in ([], [""]):
        with pytest.raises(bcastcli.NotationError):
            bcastcli.broadcast(*nothing)


def test_a_size_is_one_size() -> None:
    """Text in a tuple is one size, which may be a sum as a package writes it; never two shapes."""
    assert bcastcli.broadcast((2, "s0 + 1"), (1, 1)).result == (2, "s0+1")
    for size in ("2 3", "2,3", ""):
        with pytest.raises(bcastcli.NotationError, match=r"^A: a size of a shape is one number or"):
            bcastcli.broadcast((size, 4))


def test_what_they_do_not_is_refused() -> None:
    """It is a TypeError with the operand's name, and type checkers refuse all of it but the last.

    Where mypy took one of these, its comment would be unused, which mypy refuses.
    """
    asked: list[Callable[[], object]] = [
        lambda: bcastcli.broadcast(1, mask=None),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=1.5),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=(2, 3.0)),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=[[2, 3], [3]]),  # type: ignore[list-item]
        lambda: bcastcli.broadcast(1, mask=object()),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=(1j,)),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=(b"2",)),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=len),  # type: ignore[arg-type]
        lambda: bcastcli.broadcast(1, mask=b"2,3"),
        lambda: bcastcli.broadcast(1, mask={2, 3}),
        lambda: bcastcli.broadcast(1, mask={"H": 3, "W": 4}),
        lambda: bcastcli.broadcast(1, mask=SimpleNamespace(shape={2, 3})),
    ]
    for ask in asked:
        with pytest.raises(TypeError, match=r"^mask: '\w+' object (is not |cannot be )\w+"):
            ask()
    with pytest.raises(TypeError, match=r"^axes: 'int' object is not iterable$"):
        bcastcli.broadcast(3, (3, 2), rule="explicit", axes=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^axis: "):
        bcastcli.broadcast(3, 3, rule="pdpd", axis="0")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^rule: expected a str, not NoneType$"):
        bcastcli.broadcast(3, rule=None)  # type: ignore[arg-type]


class Lazy:
    """What cannot tell its shape yet."""

    @property
    def shape(self) -> tuple[int, ...]:
        raise RuntimeError("not computed yet")


@each_row(
    ("operand", "message"),
    [
        (Lazy(), "mask: not computed yet"),
        ((-2,), "mask: a size cannot be negative; ? or -1 means an unknown size"),
        ("2,,3", "mask: a size is missing here"),
        (("for",), "mask: for is a Python keyword and cannot name a size"),
    ],
)
def test_an_invalid_operand_is_named(operand: Any, message: str) -> None:
    """Its name is in the message, be it a keyword or a letter; alone it needs none."""
    with pytest.raises(bcastcli.NotationError) as of_keyword:
        bcastcli.broadcast(1, mask=operand)
    with pytest.raises(bcastcli.NotationError) as of_letter:
        bcastcli.broadcast(1, operand)
    assert str(of_keyword.value) == message == str(of_letter.value).replace("B: ", "mask: ")


def test_options_are_written_as_python_has_them() -> None:
    """In messages and in what to write instead."""
    with pytest.raises(bcastcli.NotationError, match=r"each axis of A: axes=\(0,\)$"):
        bcastcli.broadcast(3, (3, 2), rule="explicit")
    for rule, shapes, asked, written in (
        ("pdpd", ((2, 3, 4), (2, 3)), {}, "axis=0"),
        ("explicit", ((2, 3), (2, 3, 4)), {"axes": (1, 2)}, "axes=(0, 1)"),
        ("explicit", ((2,), (2, 3)), {"axes": (1,)}, "axes=(0,)"),
    ):
        answer = bcastcli.broadcast(*shapes, rule=rule, **asked)
        assert answer.suggestions[0].write == written


def test_sizes_of_frameworks() -> None:
    """A symbol with which one can calculate is a name, or is calculated from names."""
    for text, size in (("n", "n"), ("2*n + 1", "2*n+1")):
        methods = {"__str__": lambda _, text=text: text, "__add__": None}
        symbol: Any = type("Symbol", (), methods)()
        assert bcastcli.broadcast((symbol, 3), 3).result == (size, 3)


def test_an_answer() -> None:
    """An answer is no bool; it is the command line's, in the words of its framework."""
    answer = bcastcli.broadcast((3, 4), (3,), rule="torch")
    with pytest.raises(TypeError, match=r"^an answer is not a bool: use \.ok, which is None if"):
        bool(answer)
    assert str(answer) == run(["torch", "3,4", "3", "-p"]).out.rstrip()
    assert repr(answer) == f"<'3,4 3' under numpy: {answer}>"
    again = bcastcli.broadcast(A=[3, 4], B="3", rule="Torch")
    assert (answer == again, hash(answer) == hash(again)) == (True, True)
    ones, zeros = (bcastcli.broadcast(make((2, 3)), (3,)) for make in (np.ones, np.zeros))
    assert ones == zeros, "the question is the same"
    assert answer != bcastcli.broadcast((3, 4), (4,))
    assert (answer.rule, answer.operands) == ("numpy", {"A": (3, 4), "B": (3,)})
    assert answer.reason == str(answer).removeprefix("mismatch: ")
    own = answer.to_dict()
    assert own["status"] == "no"
    written = [each["write"] for each in own["suggestions"]]
    assert [each.write for each in answer.suggestions] == written
    assert answer.suggestions[0].result == tuple(own["suggestions"][0]["result"])
    assert answer._repr_svg_().startswith("<svg")
    inlined = answer._repr_html_()
    assert " width=" not in inlined.partition(">")[2].partition(">")[0]
    assert inlined.endswith("</div>")


def test_an_answer_does_not_change() -> None:
    """None of its names can be set."""
    answer = bcastcli.broadcast(3, 3)
    for name in ("ok", "result", "_answer", "other"):
        with pytest.raises(AttributeError, match="cannot assign"):
            setattr(answer, name, None)


def test_strict() -> None:
    """Where every operand stretches, strict=True says no with the reason of --strict."""
    assert bcastcli.broadcast((2, 1), (1, 3)).ok
    strict = bcastcli.broadcast((2, 1), (1, 3), strict=True)
    assert f"{strict}\n" == run(["2,1", "1,3", "--strict", "-p"]).out
    assert bcastcli.broadcast((2, 3), 3, strict=True).result == (2, 3)


def test_the_shape_alone() -> None:
    """broadcast_shapes returns numbers, or raises ValueError with the reason."""
    shapes = ((8, 1, 6, 1), (7, 1, 5))
    assert bcastcli.broadcast_shapes(*shapes) == np.broadcast_shapes(*shapes)
    assert bcastcli.broadcast_shapes((2, 3, 4), (3,), rule="pdpd", axis=1) == (2, 3, 4)
    for own, message in (
        (((3, 4), (3,)), "A has 4 and B has 3 on axis 1 (-1), and neither is 1"),
        ((("N", 4), (3, 4)), "the result has unknown sizes: 3,4 when N in (1, 3)"),
        ((("N", 4), (1, 4)), "the result has unknown sizes: N,4"),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            bcastcli.broadcast_shapes(*own)


def test_words() -> None:
    """What to write instead is in the words of the framework that is named as the rule."""
    [suggested] = bcastcli.broadcast("3,4", "3", rule="Torch").suggestions
    assert suggested.write == "B.unsqueeze(1)"
    assert "B.unsqueeze(1)" in bcastcli.broadcast("3,4", "3", rule="torch")._repr_svg_()
    assert "B[:, None]" in bcastcli.broadcast("3,4", "3")._repr_svg_()
    said = bcastcli.explain(
        "The expanded size of the tensor (4) must match the existing size (3) at non-singleton "
        "dimension 1.  Target sizes: [3, 4].  Tensor sizes: [3]"
    )
    assert said
    assert said.answer is not None
    assert said.answer.suggestions == said.suggestions


def test_explanations() -> None:
    """A text or an exception is explained, with all messages of a text in their order."""
    try:
        np.ones((2, 3)) + np.ones(4)
    except ValueError as error:
        of_exception = bcastcli.explain(error)
    of_text = bcastcli.explain(f"{NUMPY}\nand {NUMPY.replace('4', '5')}\n")
    assert of_exception
    assert of_text
    assert (of_exception.ok, of_exception.answer is None) == (False, False)
    assert str(of_text) == f"mismatch: {of_text.reason}"
    assert repr(of_text).endswith(f": {of_text}>")
    assert [each.answer.operands["B"] for each in of_text.more if each.answer is not None] == [(5,)]
    assert of_text.to_dict()["command"] == "why"
    assert [each.write for each in of_text.suggestions][:1] == [
        each["write"] for each in of_text.to_dict()["suggestions"]
    ][:1]
    assert bcastcli.explain("all is well") is None
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
