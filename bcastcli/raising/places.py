"""Whose a file is: the user's, or a library's."""

import os
from functools import cache
from os.path import realpath

_STDLIB = realpath(os.__file__).removesuffix("os.py")
_PACKAGES = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_MADE = ("<frozen", "<__array_function__", "<eval_with_key>")


@cache
def is_library(file: str) -> bool:
    """Whether a file is of an installed package or of Python itself, by its path."""
    is_package = any(each in file for each in _PACKAGES)
    return is_package or file.startswith(_MADE) or realpath(file).startswith(_STDLIB)
