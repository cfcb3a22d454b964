"""Options of output before the command, where an alias puts them."""

from collections.abc import Sequence
from typing import Any

from bcastcli.render import Format

_FLAGS = {"-p": "--plain", "-q": "--quiet"} | {
    name: name for name in ("--plain", "--quiet", "--json")
}
_WITH_VALUE = {"-f": "--format", "--format": "--format", "--color": "--color"}


def split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options of output that arguments begin with, spelled at length, and the rest.

    >>> split(["-pfjson", "--color", "never", "ncnn", "-q"])
    (['--plain', '--format=json', '--color=never'], ['ncnn', '-q'])
    """
    ahead, rest = [], list(arguments)
    while rest:
        word = rest[0]
        if word in _FLAGS:
            ahead.append(_FLAGS[word])
        elif word in _WITH_VALUE and len(rest) > 1:
            ahead.append(f"{_WITH_VALUE[word]}={rest.pop(1)}")
        elif word.partition("=")[0] in ("--format", "--color") and "=" in word:
            ahead.append(word)
        elif word[:2] in ("-p", "-q", "-f") and len(word) > 2:  # several together
            following = word[2:]
            rest[:1] = [word[:2], following if word[1] == "f" else f"-{following}"]
            continue
        else:
            break
        del rest[0]
    return ahead, rest


def understood(ahead: Sequence[str], command: Any) -> list[str]:
    """Return the options that a command has, but not those with a format that only others write."""
    options = {name: each for each in command.params for name in each.opts}
    return [each for each in ahead if _is_taken(*each.partition("=")[::2], options)]


def _is_taken(name: str, value: str, options: dict[str, Any]) -> bool:
    if name not in options:
        return False
    choices = getattr(options[name].type, "choices", ())
    return value in choices or value not in [*Format]
