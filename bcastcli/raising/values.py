"""The shape, the attributes and the items of a value, read without running the program's code.

Only descriptors of the libraries below are called: never a property, `__getattr__`, `__len__`,
`__eq__` or `__repr__` of another class, nor `isinstance`, which may ask for `__class__`.
"""

import sys
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import chain, islice
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any, NamedTuple

from bcastcli.core.shapes import UNKNOWN, Shape, Size
from bcastcli.raising.trees import NAMES

LABELLED = NAMES["labelled"]
"""The libraries whose arrays follow labels, or rules of their own: nothing is worked out."""
ARRAYS = NAMES["arrays"] | LABELLED
"""The libraries whose `shape` is safe to read."""
_MAX_ITEMS, _FIRST = 8, slice(64)
_DICTIONARIES = (dict, OrderedDict)
_MISSING = object()
NUMBERS = (int, float, bool, complex)
bases, dict_of, _MODULE, name_of = (
    type.__dict__[name].__get__ for name in ("__mro__", "__dict__", "__module__", "__name__")
)
_OF_MODULES = ("_parameters", "_buffers", "_modules")
"""The dictionaries in which `__getattr__` of a PyTorch module searches."""

LIST = "list"
"""Stands for the library of a list of numbers."""
NOT_READ = (LookupError, AttributeError, TypeError, ValueError, ArithmeticError, RecursionError)
"""Raised for a value that cannot be read without running code of the program."""


class Array(NamedTuple):
    """A shape, and the library of the array: empty where its class is another one."""

    shape: Shape
    library: str = ""
    key: int = 0
    """The id of an array that is stored, while its frame lives."""


_FIELD: Any = type(Array.__dict__["shape"])
"""The class of a named tuple's fields."""


def is_one_of(kind: type, kinds: Iterable[type]) -> bool:
    """Whether a class is one of some; `in` would ask for its metaclass's `__eq__`."""
    return any(kind is each for each in kinds)


def integer(value: object) -> int:
    """A value that is a plain number; one of NOT_READ is raised for others."""
    if type(value) is not int:
        raise TypeError
    return value


def library(owner: type) -> str:
    """The name of the package that defines a class."""
    module = _MODULE(owner)
    return module.partition(".")[0] if type(module) is str else ""


def array(value: Any) -> Array | None:
    """The shape of an array, of a list of numbers, or of an object that stores its shape."""
    kind = type(value)
    if is_one_of(kind, (list, tuple)):
        is_axis = value and all(is_one_of(type(each), (*NUMBERS, str)) for each in value[_FIRST])
        return Array((len(value),), LIST) if is_axis else None
    for owner in bases(kind):
        own, name = dict_of(owner), library(owner)
        if "shape" not in own or name not in ARRAYS or name_of(owner) == "dtype":
            continue
        guard = sys.modules["torch"]._C.DisableTorchFunctionSubclass if name == "torch" else None
        try:
            with guard() if guard else nullcontext():
                shape = tuple(map(_size, tuple(own["shape"].__get__(value, kind))))
        except Exception:  # lazy, nested or deleted
            return None
        has_rules = name in LABELLED or "matrix" in name_of(kind) or library(kind) not in ARRAYS
        return Array(shape, "" if has_rules else name.removesuffix("lib"))  # jaxlib
    try:
        stored: Any = () if kind is ModuleType else attribute(value, "shape")
    except NOT_READ:
        return None
    is_shape = type(stored) is tuple and stored and all(type(size) is int for size in stored)
    return Array(stored) if is_shape else None


def _size(size: Any) -> Size:
    """A size: a number, the name of a symbol, or `?`."""
    kind = type(size)
    if kind is int or library(kind) not in ARRAYS:
        return size if kind is int else UNKNOWN
    if hasattr(kind, "__index__") and "Sym" not in kind.__name__:  # of a symbol it sets a guard
        return int(size)
    return str(size) if str(size).isidentifier() else UNKNOWN


def attribute(value: Any, name: str) -> Any:
    """An attribute that is stored, and not computed; one of NOT_READ is raised for others."""
    kind = type(value)
    if issubclass(kind, ModuleType):
        return ModuleType.__getattribute__(value, "__dict__")[name]
    for owner in bases(kind):
        getter = dict_of(owner).get("__getattribute__")
        if type(getter) is FunctionType and library(owner) not in ARRAYS:
            raise LookupError
    found, own = _of_class(kind, name), contents(value)
    is_set = any("__set__" in dict_of(owner) for owner in bases(type(found)))
    if not is_set:  # the value's own attributes hide those of its class
        found = own.get(name, _of_class(value, name) if issubclass(kind, type) else found)
    if found is _MISSING:
        for group in (own.get(place) for place in _OF_MODULES):
            if type(group) is dict and name in group:
                return group[name]
        raise LookupError
    form = type(found)
    if form is MemberDescriptorType or (form is _FIELD and issubclass(kind, tuple)):
        return found.__get__(value)
    if form is not FunctionType and any("__get__" in dict_of(owner) for owner in bases(form)):
        raise LookupError
    return found


def _of_class(owner: type, name: str) -> Any:
    """A class attribute; `getattr_static` of 3.12 compares classes by `==`."""
    return next((dict_of(each)[name] for each in bases(owner) if name in dict_of(each)), _MISSING)


def contents(value: Any) -> dict[str, Any]:
    """The attributes that a value itself stores."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return own if type(own) is dict else {}


def item(value: Any, key: Any) -> Any:
    """An item of a list, a tuple, a dictionary or a container of modules, or NOT_READ."""
    kind, form = type(value), type(key)
    if _MODULE(kind) == "torch.nn.modules.container" and is_one_of(form, (str, int)):
        held = contents(value)["_modules"] or contents(value)["_parameters"]
        return held[key] if form is str else [*held.values()][key]
    forms = (str, int) if is_one_of(kind, _DICTIONARIES) else (int, slice)
    if not is_one_of(kind, (*_DICTIONARIES, list, tuple)) or not is_one_of(form, forms):
        raise LookupError
    return kind.__getitem__(value, key)


def arrays(name: str, value: Any, depth: int) -> Iterator[tuple[str, Array]]:
    """The arrays that a value is or holds, each with its name."""
    own, kind = array(value), type(value)
    items: Iterable[tuple[Any, Any]] = ()
    if own is not None:
        yield name, own._replace(key=id(value))
    elif kind is list:
        items = enumerate(value[_FIRST])
    elif issubclass(kind, tuple):
        items = enumerate(tuple.__getitem__(value, _FIRST))
    elif is_one_of(kind, _DICTIONARIES):
        stored = [*dict.items(value)][_FIRST]
        items = [(repr(key), each) for key, each in stored if is_one_of(type(key), (str, int))]
    inner = (arrays(f"{name}[{key}]", each, depth - 1) for key, each in items if depth)
    # The numbers in a tuple are a shape, or the like.
    found = (pair for pair in chain.from_iterable(inner) if kind is list or pair[1].library != LIST)
    yield from islice(found, _MAX_ITEMS)


def parameters(module: Any) -> Iterator[tuple[str, Array]]:
    """The parameters and buffers that a PyTorch module itself has."""
    own = contents(module)
    for place in _OF_MODULES[:2]:
        for name, value in dict.items(own[place]):
            if shape := array(value):
                yield name, shape
