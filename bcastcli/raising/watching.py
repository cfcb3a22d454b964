"""What a rewritten program calls with its operands and values: they are looked at, and passed on.

Its functions stand in `builtins`, by names that `workers.helpers` gives. Shapes are copied out as
tuples of numbers, so no array is kept alive. Of a value only what `values` reads is read: no code
of the program's own runs. What is being compiled or traced passes unseen.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import starmap
from types import BuiltinMethodType, MethodType
from typing import Any, NamedTuple
from weakref import ref

from bcastcli.raising import growth
from bcastcli.raising.values import (
    ARRAYS,
    LABELLED,
    LIST,
    array,
    bases,
    contents,
    dict_of,
    library,
    name_of,
)

MOST_LINES, MOST_SHAPES = 10_000, 3
OWNER, OF_OWNER = -1, -2
"""The places of an array whose method is called, and of those that another owner holds."""
_MOST_PARTS = 8
_REPLACED = {"jax", "jaxlib", "tensorflow", "mlx"}
"""The libraries in which `+=` makes a new array, which may be larger."""


class Site(NamedTuple):
    """A place in a file where a program was rewritten."""

    file: str
    line: int
    function: str
    place: tuple[int, int, int, int] = (0, 0, 0, 0)
    """The first line and column of an operation, and its last."""
    names: tuple[str, ...] = ()
    """The names of the parts of a value, where it has several."""
    is_in_place: bool = False


class Grown:
    """An operation whose result was larger than its operands, and how often."""

    def __init__(self, shapes: Any, result: Any, places: Any, framework: str) -> None:
        self.times = 0
        self.shapes: Sequence[tuple[int, ...]] = shapes
        self.result: tuple[int, ...] = result
        self.places: Sequence[int] = places
        """Which arguments of a call the operands are, or its owner."""
        self.framework = framework
        """The library of the first array. In pandas labels align, rather than axes."""


class Labelled:
    """The shape of an array with labels: it equals no other, so that the labels are looked at."""

    def __init__(self, shape: Any) -> None:
        self.shape: tuple[int, ...] = shape


class _Last:
    """The shape and the type of an array, and their count."""

    def __init__(self, shape: Any, dtype: Any, count: list[int]) -> None:
        self.shape, self.dtype, self.count = shape, dtype, count


class _Operand(NamedTuple):
    place: int
    value: Any
    shape: Any


Part = tuple[tuple[int, ...], str]
"""The shape of an array and its type of numbers."""
sites: list[Site] = []
grown: dict[int, Grown] = {}
"""The operations that grew, by the number of their site."""
margins: dict[int, dict[tuple[Part | None, ...], list[int]]] = {}
"""The shapes at a site, each with its count; None stands for what is no array."""
settings: dict[str, Any] = {"all": False, "status": 0}
"""Whether any new shape counts, and the status with which the program exits."""
is_compiling: Any = None
"""The function that says whether PyTorch compiles, once its compiler is loaded."""
_last: dict[int, "_Last"] = {}
"""The last array of NumPy's at a site."""
_ndarray: Any = object()
"""NumPy's class of arrays, once one was seen."""
_readers: dict[int, Any] = {}
"""How the shape of a class is read, by the class's id: None for what is no array."""
_judged: dict[Any, Any] = {}
"""The results of shapes that met at a site: None where nothing grew."""


def watch(left: Any, right: Any, site: int) -> tuple[Any, Any]:
    """Both operands of an operator, as they came."""
    if is_compiling is not None and is_compiling():
        return left, right
    if type(left) is _ndarray is type(right):  # first, since these are the fastest operations
        if left.shape != right.shape:
            with suppress(Exception):  # a program never fails for being watched
                _differ(left, right, left.shape, right.shape, site)
        return left, right
    read = _readers.get(id(type(left)), _first)
    if read is None:
        return left, right
    other = _readers.get(id(type(right)), _first)
    if other is None:
        return left, right
    one = left.shape if read is True else read(left)
    two = right.shape if other is True else other(right)
    if one != two and one is not None and two is not None:
        with suppress(Exception):
            _differ(left, right, one, two, site)
    return left, right


def _differ(left: Any, right: Any, one: Any, two: Any, site: int) -> None:
    """Note an operator whose operands have other shapes, if its result is larger."""
    if type(one) is Labelled or type(two) is Labelled:
        is_both = type(one) is type(two)
        if is_both and (result := growth.more_columns(left, right)):
            _grew(site, (one.shape, two.shape), result, (0, 1), left)
        return
    shapes = tuple(one), tuple(two)
    key = site, shapes
    if key not in _judged:
        is_fixed = sites[site].is_in_place and library(type(left)) not in _REPLACED
        result = None if is_fixed else growth.grown(shapes, is_all=settings["all"])
        if len(_judged) >= MOST_LINES:
            _judged.clear()
        _judged[key] = result
    if _judged[key] and not _is_batched(left, right):
        _grew(site, shapes, _judged[key], (0, 1), left)


def _grew(site: int, shapes: Any, result: Any, places: Sequence[int], first: Any) -> None:
    found = grown.get(site)
    if found is None:
        if len(grown) >= MOST_LINES:
            return
        found = grown[site] = Grown(shapes, result, places, library(type(first)))
    found.times += 1


def called(site: int, function: Any, /, *given: Any, **named: Any) -> Any:
    """A call, ready to be made by the program; its result is looked at if it may be larger."""
    ready = partial(function, *given, **named)
    if is_compiling is not None and is_compiling():
        return ready
    try:
        operands = _operands(function, (*given, *named.values()))
        look = _look(site, function, operands) if len(operands) > 1 else None
    except Exception:  # a program never fails for being watched
        return ready
    # In C from the call to the look at its result, so that no frame of ours is in a traceback.
    return map(look, starmap(ready, ((),))).__next__ if look else ready


def _operands(function: Any, values: Sequence[Any]) -> list[_Operand]:
    """The arrays among the arguments of a call, and the one whose method it is."""
    found = []
    if type(function) in (BuiltinMethodType, MethodType):
        owner = function.__self__
        shape, place = _shape(owner), OWNER
        if library(type(owner)) == "torch" and shape is None:  # a distribution
            shape, place = contents(owner).get("_batch_shape"), OF_OWNER
        found.append(_Operand(place, owner, shape))
    found += [_Operand(place, value, _shape(value)) for place, value in enumerate(values)]
    return [each for each in found if each.shape]


def _look(site: int, function: Any, operands: list[_Operand]) -> Any:
    """The function that takes the result of a call; None if the result cannot be larger."""
    shapes = [each.shape for each in operands]
    places = [each.place for each in operands]
    labelled = [each for each in shapes if type(each) is Labelled]
    if labelled:
        own = [each.shape for each in labelled]
        if len(labelled) == len(shapes) == 2 and any(len(each) == 2 for each in own):
            return partial(_with_columns, site, own, places)
        return None
    own = [tuple(each) for each in shapes]
    result = growth.grown(own, is_all=settings["all"])
    if result is None or _is_batched(*(each.value for each in operands)):
        return None
    return partial(_returned, site, own, places, result, growth.is_loss(function))


def _returned(
    site: int,
    shapes: Any,
    places: Any,
    expected: Any,
    is_loss: bool,
    result: Any,
) -> Any:
    """The result of a call, noted if it has the shape of all operands together."""
    shape = _shape(result)
    if shape is not None and (shape == expected or (is_loss and not shape)):
        _grew(site, shapes, expected, places, result)
    return result


def _with_columns(site: int, shapes: Any, places: Any, result: Any) -> Any:
    """The result of a call of pandas, noted if it has more columns than any operand."""
    found = _shape(result)
    shape = found.shape if type(found) is Labelled else ()
    if len(shape) == 2 and shape[1] > max(each[1] for each in shapes if len(each) == 2):
        _grew(site, shapes, shape, places, result)
    return result


def seen(value: Any, site: int) -> Any:
    """A value as it came; the shapes of its arrays are remembered."""
    if is_compiling is not None and is_compiling():
        return value
    kind = type(value)
    if kind is _ndarray:
        last = _last.get(site)
        if last is not None and last.shape == value.shape and last.dtype is value.dtype:
            last.count[0] += 1
            return value
    with suppress(Exception):  # a program never fails for being watched
        _see(value, kind, site)
    return value


def _see(value: Any, kind: Any, site: int) -> None:
    if kind is tuple or kind is list:
        if 0 < len(value) <= _MOST_PARTS:
            parts = tuple([_part(each) for each in value])
            if any(parts):
                _remember(site, parts)
    elif _readers.get(id(kind), _first) is not None:
        part = _part(value)
        if part:
            count = _remember(site, (part,))
            if kind is _ndarray and count:
                _last[site] = _Last(value.shape, value.dtype, count)


def forget() -> None:
    """Forget what was seen."""
    for each in (grown, margins, _last):
        each.clear()


def ended() -> None:
    """Note the status with which the program is about to exit."""
    error = sys.exception()
    code = getattr(error, "code", None)
    settings["status"] = code if code is not None else 0


def _part(value: Any) -> Part | None:
    """The shape and the type of an array; None for another value."""
    shape = _shape(value)
    if shape is None and _readers[id(type(value))] is _read:
        other = array(value)
        shape = other and other.shape
    if shape is None:
        return None
    if type(shape) is Labelled:
        return shape.shape, ""
    has_type = _readers[id(type(value))] in (True, _of_torch)
    return tuple(shape), str(value.dtype).rpartition(".")[2] if has_type else ""


def _remember(site: int, parts: tuple[Part | None, ...]) -> list[int] | None:
    """Count shapes at a site; return the count, which others may increase."""
    found = margins.get(site)
    if found is None:
        if len(margins) >= MOST_LINES:
            return None
        found = margins[site] = {}
    if parts not in found and len(found) > MOST_SHAPES:  # one more stands for all others
        return None
    count = found.setdefault(parts, [0])
    count[0] += 1
    return count


def _shape(value: Any) -> Any:
    """The shape of an array; None for another value."""
    read = _readers.get(id(type(value)), _first)
    return value.shape if read is True else read and read(value)


def _first(value: Any) -> Any:
    """The shape of a value whose class is new; from now on the class is known."""
    kind = type(value)
    key = id(kind)
    read = _readers[key] = _reader(kind)
    _kept[key] = ref(kind, partial(_forget, key))
    return value.shape if read is True else read and read(value)


_kept: dict[int, Any] = {}


def _forget(key: int, _: Any) -> None:
    del _readers[key], _kept[key]


def _reader(kind: type) -> Any:
    """How the shape of a class is read."""
    global _ndarray  # noqa: PLW0603  # a name of its own is read fastest
    names = library(kind), name_of(kind)
    if names == ("numpy", "ndarray"):
        _ndarray = kind
        return True
    if names == ("jaxlib", "ArrayImpl"):
        return True
    if names in (("torch", "Tensor"), ("torch", "Parameter")):
        return _of_torch
    owners = [each for each in bases(kind) if "shape" in dict_of(each) and library(each) in ARRAYS]
    if not owners or names[1] == "BatchTracer":
        return None
    return _labelled if names[0] == "pandas" else _read


def _of_torch(value: Any) -> Any:
    """The shape of a tensor; None while a program is traced, which would record the question."""
    return None if sys.modules["torch"]._C._get_tracing_state() else value.shape


def _labelled(value: Any) -> Labelled | None:
    found = array(value)
    return Labelled(found.shape) if found else None


def _read(value: Any) -> Any:
    """The shape of an array that has no rules of its own, and sizes that are numbers."""
    found = array(value)
    if found is None or found.library in ("", LIST, *LABELLED):
        return None
    return found.shape if all(type(size) is int for size in found.shape) else None


def _is_batched(*values: Any) -> bool:
    """Whether some are the parts of an array that PyTorch's vmap hands to a function."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    of_torch = [each for each in values if _readers.get(id(type(each))) is _of_torch]
    return any(torch._C._functorch.is_batchedtensor(each) for each in of_torch)
