"""Small programs that fail, and stand-ins for the frameworks that the default tests lack."""

import ast
import collections
import contextlib
import functools
import linecache
import warnings
from functools import partial
from textwrap import dedent, indent
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

Z = np.zeros
ARRAYS = {"Z": Z, "A": Z((2, 3)), "B": Z((3, 4)), "V": Z(4), "G": Z((6, 2))}
FRAMEWORKS = (
    *("torch", "torch.nn", "torch.nn.functional", "jax", "jax.numpy", "jax.lax"),
    *("tensorflow", "tensorflow.linalg"),
)
UNKNOWN = "the shapes do not match"
NOW = SimpleNamespace(message=UNKNOWN, failing="")
"""What the function or the operator that is to fail says, and its name."""


def program(source: str) -> Any:
    """Return a function of some lines, which has its source as a function in a file has."""
    text = f"def program():\n{indent(dedent(source).strip(), '    ')}\n"
    modules = {each.__name__: each for each in (collections, contextlib, functools, np)}
    with warnings.catch_warnings(action="ignore"):  # what the compiler says, it says once
        own: Any = {
            "__name__": "__main__",
            **ARRAYS,
            **modules,
            "np": np,
            **stand_ins(ast.parse(text).body[0]),
        }
        return compiled(text, "<program>", own)


def compiled(text: str, file: str, own: dict[str, Any]) -> Any:
    """Return the last thing that a source defines."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), own)
    return [*own.values()][-1]


def of_library(text: str) -> Any:
    """Return the last function of a library that is installed, of which this is the source."""
    return compiled(
        dedent(text), "/usr/lib/site-packages/library/core.py", {"__name__": "library", "np": np}
    )


def refuse(*_: Any) -> Any:
    """Fail, as an operator of a framework does."""
    raise ValueError(NOW.message)


class Part:
    """An array, a function, or whatever else a framework has; its results have no shape."""

    def __init__(self, name: str = "", sizes: Any = ()) -> None:
        vars(self).update(name=name, sizes=sizes)

    def __getattr__(self, name: str) -> Any:
        return Part(name)

    def size(self, *axis: int) -> Any:
        """Return the sizes, or one of them."""
        return vars(self)["sizes"][axis[0]] if axis else vars(self)["sizes"]

    def call(self, *_: Any, **__: Any) -> Any:
        """Fail, if it is this one that is to fail."""
        return refuse() if vars(self)["name"] == NOW.failing else Part()

    def compare(self, _: Any) -> Any:
        """Fail, if it is a comparison that is to fail."""
        return refuse() if NOW.failing == "Compare" else Part()

    __call__ = property(lambda self: partial(self.call))  # as one in C: it has no frame
    __add__ = __sub__ = __mul__ = __pow__ = __matmul__ = __rmatmul__ = __radd__ = refuse
    __iadd__ = __imatmul__ = __setitem__ = refuse
    __gt__ = __lt__ = compare
    __neg__ = __invert__ = __getitem__ = lambda *_: Part()


def maker(module: str) -> Any:
    """Return what makes an array of a framework from its sizes."""
    shape = property(lambda self: vars(self)["sizes"])
    kind = type("Array", (Part,), {"__module__": module, "shape": shape})
    return lambda *sizes: kind("", sizes)


def stand_ins(program: Any) -> dict[str, Any]:
    """Return frameworks that have what a program names, and what makes arrays and layers of them.

    T, J and F give an array of PyTorch, JAX or TensorFlow with these sizes, and L a layer of
    PyTorch. The last expression fails, with the message that `says` is given.
    """
    root = getattr(program.body[-1], "value", None)
    failing = getattr(getattr(root, "func", None), "attr", type(root).__name__)
    vars(NOW).update(failing=failing, message=UNKNOWN)
    modules = {name: ModuleType(name) for name in FRAMEWORKS}
    guard = SimpleNamespace(DisableTorchFunctionSubclass=contextlib.nullcontext)
    vars(modules["torch"])["_C"] = guard
    for name, module in modules.items():
        parent, _, last = name.rpartition(".")
        vars(modules.get(parent, module))[last] = module
    for each in ast.walk(program):
        if isinstance(each, ast.Attribute) and ast.unparse(each.value) in modules:
            vars(modules[ast.unparse(each.value)]).setdefault(each.attr, Part(each.attr))

    def layer(kind: str, gives: Any = None, **stored: Any) -> Any:
        call = refuse if gives is None else lambda *_: gives
        made = type(kind, (), {"__module__": "torch.nn.modules", "__call__": call})()
        setattr(modules["torch.nn"], kind, type(made))
        groups: Any = {name: {} for name in ("_parameters", "_buffers", "_modules")}
        for name, each in stored.items():
            (groups["_parameters"] if isinstance(each, Part) else groups)[name] = each
        vars(made).update(groups)
        return made

    own = {"L": layer, "says": lambda text: vars(NOW).update(message=text), "library": of_library}
    own |= {"T": maker("torch"), "J": maker("jaxlib"), "F": maker("tensorflow")}
    return {**own, **{name: module for name, module in modules.items() if "." not in name}}
