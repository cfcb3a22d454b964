"""What a rewritten program calls with its operands and values: they are looked at, and passed on.

Its functions stand in `builtins`, by names that `workers.helpers` gives. Shapes are copied out as
tuples of numbers, so no array is kept alive. Of a value only what `values` reads is read: no code
of the program's own runs. What is being compiled or traced passes unseen.
"""

import sys
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import starmap
from operator import attrgetter
from types import BuiltinMethodType, MethodType
from typing import Any, NamedTuple
from weakref import ref

from bcastcli.raising import growth, values
from bcastcli.raising.values import library

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
margins: dict[int, dict[tuple[Part | None, ...], list[int]]] = {}
"""The shapes at a site, each with its count; None stands for what is no array."""
settings: dict[str, Any] = {"all": False, "status": 0}
"""Whether any new shape counts, and the status with which the program exits."""
torch: Any = None
"""PyTorch, once a tensor was seen or its compiler is loaded."""
ndarray: Any = object()
"""NumPy's class of arrays, once one was seen."""
_usual: set[Any] = set()
"""The shapes of two operands with which nothing grows."""
_readers: dict[int, Any] = {}
"""How the shape of a class is read, by the class's id: None for what is no array."""
_classes: dict[int, Any] = {}
"""The classes that have one, which are not kept alive."""
_plain: Any = attrgetter("shape")
_PLAIN = {"numpy.ndarray", "jaxlib.ArrayImpl", "torch.Tensor", "torch.Parameter"}
"""The classes that have their own shape and type."""


def watch(left: Any, right: Any, site: int) -> tuple[Any, Any]:
    """Both operands of an operator, as they came."""
    if torch is not None and _is_recorded():
        return left, right
    if type(left) is ndarray is type(right):  # first, since these are the fastest
        one, two = left.shape, right.shape
        if one == two or (one, two) in _usual:
            return left, right
    read = _readers.get(id(type(left)), _first)
    if read is None:
        return left, right
    other = _readers.get(id(type(right)), _first)
    if other is None:
        return left, right
    one, two = read(left), other(right)
    if read is not _plain or (one != two and (one, two) not in _usual):
        with suppress(Exception):  # a program never fails for being watched
            _compare(left, right, (one, two), site)
    return left, right


def _is_recorded() -> Any:
    """Whether PyTorch compiles or traces, and would record what a tensor is asked."""
    return torch.compiler.is_compiling() or torch._C._get_tracing_state()


def _compare(left: Any, right: Any, shapes: Any, site: int) -> None:
    """Note an operator if its result is larger."""
    if None in shapes:
        return
    shapes = tuple(map(tuple, shapes))  # torch.Size does not add up with others
    if _is_labelled(left) or _is_labelled(right):
        is_both = _is_labelled(left) and _is_labelled(right)
        result = growth.more_columns(left, right) if is_both else None
    else:
        result = growth.grown(shapes, is_all=settings["all"])
        if result is None and len(_usual) < MOST_LINES:
            _usual.add(shapes)
    is_fixed = sites[site].is_in_place and library(type(left)) not in _REPLACED
    if result and not is_fixed and not _is_batched(left, right):
        _grew(site, Grown(shapes, result, (0, 1), library(type(left))))


def _grew(site: int, found: Grown) -> None:
    where = sites[site]
    if where in grown or len(grown) < MOST_LINES:
        grown.setdefault(where, found)
        times[where] += 1


def called(site: int, function: Any, /, *given: Any, **named: Any) -> Any:
    """A call, ready to be made by the program; its result is looked at if it may be larger."""
    ready = partial(function, *given, **named)
    if torch is not None and _is_recorded():
        return ready
    look = None
    with suppress(Exception):  # a program never fails for being watched
        look = _look(site, function, [*given, *named.values()])
    # In C from the call to the look at its result, so that no frame of ours is in a traceback.
    return map(look, starmap(ready, ((),))).__next__ if look else ready


def _look(site: int, function: Any, given: list[Any]) -> Any:
    """What takes the result of a call; None if the result cannot be larger."""
    found = dict(enumerate(given))
    if type(function) in (BuiltinMethodType, MethodType):
        found = {OWNER: function.__self__, **found}
    shapes = {place: _shape(value) for place, value in found.items()}
    owner = found.get(OWNER)
    if shapes.get(OWNER) is None and library(type(owner)) == "torch":  # a distribution
        shapes = {OF_OWNER: values.contents(owner).get("_batch_shape"), **shapes}
    shapes = {place: tuple(shape) for place, shape in shapes.items() if shape}
    if len(shapes) < 2:
        return None
    operands = [found[max(place, OWNER)] for place in shapes]
    own = tuple(shapes.values())
    if any(map(_is_labelled, operands)):
        is_alone = len(own) == 2 and all(map(_is_labelled, operands))
        result = own[0] if is_alone else None
    else:
        result = growth.grown(own, is_all=settings["all"])
    if result is None or _is_batched(*operands):
        return None
    expected = Grown(own, result, tuple(shapes), library(type(operands[0])))
    return partial(_returned, site, expected, growth.is_loss(function))


def _returned(site: int, expected: Grown, is_loss: bool, result: Any) -> Any:
    """The result of a call, noted if it is as large as expected, or has more columns."""
    shape = _shape(result)
    if shape is None:
        return result
    if _is_labelled(result):
        widths = [each[1] for each in expected.shapes if len(each) == 2]
        if len(shape) == 2 and widths and shape[1] > max(widths):
            _grew(site, expected._replace(result=shape))
    elif shape == expected.result or (is_loss and not shape):
        _grew(site, expected)
    return result


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
    found = margins.get(site)
    count = found and found.get(parts)
    if count:
        count[0] += 1
    elif found is None and len(margins) < MOST_LINES:
        margins[site] = {parts: [1]}
    elif found is not None and len(found) <= MOST_SHAPES:
        found[parts] = [1]


def know_torch() -> None:
    """Have PyTorch asked, from now on, whether it records."""
    global torch  # noqa: PLW0603  # a name of its own is read fastest
    torch = sys.modules["torch"]


def forget() -> None:
    """Forget what was seen."""
    for each in (grown, times, margins, _usual):
        each.clear()


def ended() -> None:
    """Note the status with which the program is about to exit."""
    code = getattr(sys.exception(), "code", None)
    settings["status"] = code if code is not None else 0


def _part(value: Any) -> Part | None:
    """The shape and the type of an array; None for another value."""
    shape, read = _shape(value), _readers[id(type(value))]
    if read is _read:
        found = values.array(value)
        return None if found is None else (found.shape, None)
    if shape is None:
        return None
    return shape, None if read is _labelled else value.dtype


def _shape(value: Any) -> Any:
    """The shape of an array; None for another value."""
    read = _readers.get(id(type(value)), _first)
    return read and read(value)


def _first(value: Any) -> Any:
    """The shape of a value whose class is new; from now on the class is known."""
    kind = type(value)
    _readers[id(kind)] = _reader(kind)
    _classes[id(kind)] = ref(kind, partial(_forget, id(kind)))
    return _shape(value)


def _forget(key: int, _: Any) -> None:
    del _readers[key], _classes[key]


def _reader(kind: type) -> Any:
    """How the shape of a class is read."""
    global ndarray  # noqa: PLW0603  # a name of its own is read fastest
    owner, name = library(kind), values.name_of(kind)
    if owner == "torch":
        know_torch()
    if f"{owner}.{name}" == "numpy.ndarray":
        ndarray = kind
    if f"{owner}.{name}" in _PLAIN:
        return _plain
    owners = [each for each in values.bases(kind) if "shape" in values.dict_of(each)]
    if name == "BatchTracer" or not any(library(each) in values.ARRAYS for each in owners):
        return None
    return _labelled if owner == "pandas" else _read


def _labelled(value: Any) -> Any:
    found = values.array(value)
    return found and found.shape


def _is_labelled(value: Any) -> bool:
    return _readers[id(type(value))] is _labelled


def _read(value: Any) -> Any:
    """The shape of an array that has no rules of its own, and sizes that are numbers."""
    found = values.array(value)
    if found is None or found.library in ("", values.LIST, *values.LABELLED):
        return None
    return found.shape if all(type(size) is int for size in found.shape) else None


def _is_batched(*given: Any) -> bool:
    """Whether some are the parts of an array that PyTorch's vmap hands to a function."""
    tensors = [each for each in given if library(type(each)) == "torch" and _shape(each)]
    return any(torch._C._functorch.is_batchedtensor(each) for each in tensors)
