"""Small programs that fail, each with the operands that are to be named; NumPy alone."""

import contextlib
import functools
import linecache
from textwrap import dedent, indent
from typing import Any

import numpy as np

Z = np.zeros
Shapes = dict[str, tuple[int, ...] | None]


def program(source: str) -> Any:
    """Return a function of some lines, which has its source as a function in a file has."""
    text = f"def program():\n{indent(dedent(source).strip(), '    ')}\n"
    file = f"<program {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    own: Any = {"Z": Z, "G": Z((6, 2)), "np": np} | {m.__name__: m for m in (contextlib, functools)}
    exec(compile(text, file, "exec"), own)
    return own["program"]


PROGRAMS: dict[str, tuple[str, Shapes]] = {
    "of_the_module": ("x = Z(5)\nreturn G * x", {"x": (5,), "G": (6, 2)}),
    "on_several_lines": (
        """
    a, b, c = Z((3, 4)), Z((3, 5)), Z((3, 4))
    return np.sum(
        (a
         + c)
        * b,
        axis=1)
""",
        {"(a + c)": (3, 4), "b": (3, 5)},
    ),
    "walrus": (
        "a, b = Z((5, 4)), Z(3)\nreturn (m := a.mean(axis=0)) - b, m",
        {"(m := a.mean(axis=0))": (4,), "b": (3,)},
    ),
    "by_a_name_of_the_caller": (
        "global b\nf = lambda a, b: a + b\ntry: f(Z(3), Z(4))\nexcept ValueError: b = 9; raise",
        {"a": (3,), "b": (4,)},
    ),
    "starred": (
        "args = (Z((2, 3)), Z((4, 5)))\nreturn np.matmul(*args)",
        {"args[0]": (2, 3), "args[1]": (4, 5)},
    ),
    "rest": (
        "largest = np.vectorize(max)\nreturn largest(Z((2, 3)).copy(), Z(4).copy())",
        {"Z((2, 3)).copy()": (2, 3), "Z(4).copy()": (4,)},
    ),
    "first_of_a_chain": (
        """
    a, b = Z(3), Z(4)
    try:
        return a + b
    except ValueError as error:
        raise RuntimeError("step failed") from error
""",
        {"a": (3,), "b": (4,)},
    ),
    "in_a_group": (
        """
    def work(a, b):
        return a + b
    errors = []
    for size in (4, 5):
        try:
            work(Z(3), Z(size))
        except ValueError as error:
            errors.append(error)
    raise ExceptionGroup("two", errors)
""",
        {"a": (3,), "b": (4,)},
    ),
    "loop_in_a_context": (
        """
    w = Z(4)
    with contextlib.ExitStack():
        for row in Z((2, 3)):
            with np.errstate(all="ignore"):
                w = row * w
""",
        {"row": (3,), "w": (4,)},
    ),
    "chained_comparison": (
        "lo, x, hi = Z(3), Z(4), np.ones(4)\nreturn lo <= x <= hi",
        {"lo": (3,), "x": (4,)},
    ),
    "assignment_to_a_part": (
        "x, v = Z((3, 4)), Z((2, 3))\nx[1:] = v",
        {"x[1:]": (2, 4), "v": (2, 3)},
    ),
    "private_attribute": (
        """
    class Layer:
        def __init__(self):
            self.__w = Z(4)
        def __call__(self, x):
            return x * self.__w
    return Layer()(Z(3))
""",
        {"self.__w": (4,), "x": (3,)},
    ),
    "slots": (
        """
    class Layer:
        __slots__ = ("w",)
        def __call__(self, x):
            self.w = Z(4)
            return x * self.w
    return Layer()(Z(3))
""",
        {"self.w": (4,), "x": (3,)},
    ),
    "results_of_calls": (
        "load = lambda size: Z(size)\nreturn load(3) + load(4)",
        {"load(3)": (3,), "load(4)": (4,)},
    ),
    "decorated_lambda": (
        """
    def same(function):
        @functools.wraps(function)
        def inner(*given):
            return function(*given)
        return inner
    return same(lambda p, q: p / q)(Z(3), Z(4))
""",
        {"p": (3,), "q": (4,)},
    ),
    "generator": ("y = Z(2)\nreturn sum((x - y) for x in [Z(3), Z(3)])", {"x": (3,), "y": (2,)}),
    "body_of_a_class": (
        "class Net:\n    W = Z((3, 4))\n    B = Z(3)\n    Y = W + B",
        {"W": (3, 4), "B": (3,)},
    ),
    "format_string": (
        'x, y = Z(3), Z(4)\nreturn f"loss: {(x - y).mean():.3f}"',
        {"x": (3,), "y": (4,)},
    ),
    "items_of_items": (
        "batch = [(Z(3), 0), (Z(4), 1)]\nreturn np.stack([pair[0] for pair in batch])",
        {"batch[0][0]": (3,), "batch[1][0]": (4,)},
    ),
    "worked_out": (
        "a = Z((3, 4))\nreturn a[:, None].squeeze(1).reshape(2, 6).T.sum(1).reshape(7)",
        {"a[:, None].squeeze(1).reshape(2, 6).T.sum(1)": (6,)},
    ),
    "stored_again": ("return np.ma.masked_where(+Z(2), +Z(4))", {"+Z(2)": (2,), "+Z(4)": None}),
    "name_of_two": ("a, b = Z(3), Z(4)\nreturn [b for b in a + b]", {"a": (3,), "b": None}),
    "awaited": (
        """
    import asyncio
    async def work(a, b):
        return await asyncio.to_thread(np.add, a, b)
    asyncio.run(work(Z(3), Z(4)))
""",
        {"a": (3,), "b": (4,)},
    ),
    "yielded_from": (
        "def rows(a, b): yield from map(np.add, a, b)\nreturn [*rows(Z((2, 3)), Z((2, 4)))]",
        {"a": (2, 3), "b": (2, 4)},
    ),
    "unpacked_into_a_list": (
        "a, b = Z((2, 3)), Z((2, 4))\nreturn [*map(np.add, a, b)]",
        {"a": (2, 3), "b": (2, 4)},
    ),
    "own_assertion": ("x = Z((3, 4))\nassert x.shape[1] == 5", {"x": (3, 4)}),
    "own_error": (
        'x = Z((3, 4))\nif x.shape[1] != 5:\n    raise ValueError("expected 5 features")',
        {"x": (3, 4)},
    ),
}
"""Each with the names that are to be shown, and their shapes."""
