"""What a rewritten program calls with its operands and values: they are looked at, and passed on.

Its functions stand in `builtins`, by names that `workers.helpers` gives. Shapes are copied out as
tuples of numbers, so no array is kept alive. Of a value only what `values` reads is read: no code
of the program's own runs. What is being compiled or traced passes unseen.
"""

import sys
from collections import Counter
from contextlib import suppress
from functools import partial
from operator import attrgetter
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any, NamedTuple
from weakref import finalize

from bcastcli.raising import growth, values
from bcastcli.raising.places import is_library
from bcastcli.raising.trees import NAMES
from bcastcli.raising.values import library

MOST_LINES, MOST_SHAPES = 10_000, 3
OWNER = -1
"""The place of the array whose method is called."""
_MOST_PARTS = 8
_REPLACED = {"jax", "jaxlib", "tensorflow", "mlx"}
"""The libraries in which `+=` makes a new array, which may be larger."""


Place = tuple[int, int, int, int]
"""The first line and column of a part of a file, and its last."""


def place_of(node: Any) -> Place:
    """The place of an expression or a statement."""
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


class Site(NamedTuple):
    """A place in a file where a program was rewritten."""

    file: str
    place: Place
    function: str
    names: tuple[str, ...] = ()
    """The names of the parts of a value, where it has several."""
    kind: str = ""
    """`loss` for a call that may be one of PyTorch's losses, `in place` for `+=` and its like."""

    @property
    def line(self) -> int:
        """The first line."""
        return self.place[0]


class Grown(NamedTuple):
    """An operation whose result was larger than its operands, as it was the first time."""

    shapes: tuple[growth.Sizes, ...]
    result: growth.Sizes
    places: tuple[int, ...]
    """Which arguments of a call the operands are, or its owner."""
    framework: str
    """The library of the first array. In pandas labels align, rather than axes."""


Part = tuple[Any, Any]
"""The shape of an array and its type of numbers."""
sites: list[Site] = []
grown: dict[Site, Grown] = {}
times: Counter[Site] = Counter()
"""How often each operation has grown."""
Shapes = dict[tuple[Part | None, ...], int]
"""The shapes at a site, each with its count; None stands for what is no array."""
margins: dict[int, Shapes] = {}
settings: dict[str, Any] = {"all": False, "status": 0}
"""Whether any new shape counts, and the status with which the program exits."""
torch: Any = None
"""PyTorch, once a tensor was seen or its compiler is loaded."""
_readers: dict[int, Any] = {}
"""How the shape of a class is read, by the class's id: None for what is no array."""
_plain: Any = attrgetter("shape")
_PLAIN = {"numpy.ndarray", "jaxlib.ArrayImpl", "torch.Tensor", "torch.Parameter"}
"""The classes that have their own shape and type."""


def watch(left: Any, right: Any, site: int) -> tuple[Any, Any]:
    """Both operands of an operator, as they came."""
    if torch is not None and _is_recorded():
        return left, right
    read = _readers.get(id(type(left)), _first)
    if read is None:
        return left, right
    other = _readers.get(id(type(right)), _first)
    if other is None:
        return left, right
    try:
        if read is _plain is other:  # first, since these are the fastest
            one, two = left.shape, right.shape
            if one == two or growth.grown((one, two), settings["all"]) is None:
                return left, right
        _look(site, {0: left, 1: right})
    except Exception:  # a program never fails for being watched
        return left, right
    return left, right


def called(site: int, function: Any, /, *given: Any, **named: Any) -> Any:
    """A call, ready to be made by the program, whose arguments were looked at."""
    if torch is not None and _is_recorded():
        return partial(function, *given, **named)
    if not callable(function):
        return function  # the program's own call says so
    ready = partial(function, *given, **named)
    with suppress(Exception):  # a program never fails for being watched
        if _is_elementwise(function, is_loss=sites[site].kind == "loss"):
            operands = dict(enumerate([*given, *named.values()]))
            if type(function) in (BuiltinMethodType, MethodType):
                operands = {OWNER: function.__self__, **operands}
            _look(site, operands)
    return ready


def _is_recorded() -> Any:
    """Whether PyTorch compiles or traces, and would record what a tensor is asked."""
    return torch.compiler.is_compiling() or torch._C._get_tracing_state()


def _is_elementwise(function: Any, *, is_loss: bool) -> bool:
    """Whether a library's function computes with each two elements, as its name in the call says.

    Any name may stand for a loss: of those PyTorch's are known by their own names.
    """
    if type(function) is MethodType:
        function = function.__func__
    kind = type(function)
    if kind is FunctionType:
        is_known = not is_loss or function.__name__ in NAMES["losses"]
        return is_known and is_library(function.__code__.co_filename)
    if is_loss:
        return library(kind) == "torch" and values.name_of(kind) in NAMES["losses"]
    return library(kind) in {*values.ARRAYS, "builtins"}


def _look(site: int, operands: dict[int, Any]) -> None:
    """Note an operation whose result is larger than its operands."""
    shapes = {place: tuple(_shape(value) or ()) for place, value in operands.items()}
    places = tuple([place for place, shape in shapes.items() if shape])
    arrays = [operands[place] for place in places]
    if len(arrays) < 2:
        return
    sizes = tuple([shapes[place] for place in places])
    where, first = sites[site], library(type(arrays[0]))
    if where.kind == "in place" and first not in _REPLACED:
        return
    labelled = [each for each in arrays if library(type(each)) == "pandas"]
    if not labelled:
        result = growth.grown(sizes, settings["all"])
    else:
        result = growth.more_columns(*labelled) if len(labelled) == len(operands) == 2 else None
    is_known = where in grown or len(grown) < MOST_LINES
    if result and is_known and not any(map(_is_batched, arrays)):
        grown.setdefault(where, Grown(sizes, result, places, first.removesuffix("lib")))  # jaxlib
        times[where] += 1


def _is_batched(value: Any) -> bool:
    """Whether PyTorch's vmap hands a part of an array to a function."""
    if library(type(value)) != "torch" or _readers[id(type(value))] is _of_distribution:
        return False
    return bool(torch._C._functorch.is_batchedtensor(value))


def seen(value: Any, site: int) -> Any:
    """A value as it came; the shapes of its arrays are remembered."""
    if torch is not None and _is_recorded():
        return value
    kind = type(value)
    try:
        if _readers.get(id(kind)) is _plain:  # first, since these are the fastest
            _remember(site, ((value.shape, value.dtype),))
        else:
            several = value if kind is tuple or kind is list else (value,)
            parts = tuple([_part(each) for each in several[:_MOST_PARTS]])
            if any(parts):
                _remember(site, parts)
    except Exception:  # a program never fails for being watched
        return value
    return value


def _remember(site: int, parts: tuple[Part | None, ...]) -> None:
    """Count shapes at a site; beyond the most, one more stands for all others."""
    if site not in margins and len(margins) >= MOST_LINES:
        return
    counts = margins.setdefault(site, {})
    count = counts.get(parts, 0)
    if count or len(counts) <= MOST_SHAPES:
        counts[parts] = count + 1


def know_torch() -> None:
    """Have PyTorch asked, from now on, whether it records."""
    global torch  # noqa: PLW0603  # a name of its own is read fastest
    found = sys.modules.get("torch")
    if found is not None and "_C" in vars(found):  # a file of the user's may have that name
        torch = found


def forget() -> None:
    """Forget what was seen."""
    for each in (grown, times, margins):
        each.clear()


def ended() -> None:
    """Note the status with which the program is about to exit."""
    code: Any = vars(SystemExit)["code"].__get__(sys.exception())  # no property of the program's
    is_number = issubclass(type(code), int)
    settings["status"] = int.__and__(code, 0xFF) if is_number else code is not None


def _part(value: Any) -> Part | None:
    """The shape and the type of an array; None for another value."""
    shape, read = _shape(value), _readers[id(type(value))]
    if read is _plain:
        return shape, value.dtype
    found = values.array(value) if read is _read else None
    return None if found is None else (found.shape, None)


def _shape(value: Any) -> Any:
    """The shape of an array; None for another value."""
    read = _readers.get(id(type(value)), _first)
    return read and read(value)


def _first(value: Any) -> Any:
    """The shape of a value whose class is new; from now on the class is known."""
    kind = type(value)
    _readers[id(kind)] = _reader(kind)
    finalize(kind, _readers.pop, id(kind), None)
    return _shape(value)


def _reader(kind: type) -> Any:
    """How the shape of a class is read."""
    owner, name = library(kind), values.name_of(kind)
    if owner == "torch":
        know_torch()
    if f"{owner}.{name}" in _PLAIN:
        return _plain
    with_shape = [each for each in values.bases(kind) if "shape" in values.dict_of(each)]
    if name != "BatchTracer" and any(library(each) in values.ARRAYS for each in with_shape):
        return _read
    return _of_distribution if owner == "torch" else None


def _read(value: Any) -> Any:
    """The shape of an array whose sizes are numbers, and that of a table of pandas."""
    found = values.array(value)
    is_known = found and (found.library or library(type(value)) == "pandas")
    return found.shape if found and is_known and set(map(type, found.shape)) <= {int} else None


def _of_distribution(value: Any) -> Any:
    """The shape of the parameters of a distribution of PyTorch."""
    return values.contents(value).get("_batch_shape")
