"""The broadcasting rules: one module for each, with the name of its command.

`RULES` is the registry, in the order in which the rules are listed everywhere; a rule's module is
imported when it is needed. `rewriting` holds suggestions that several rules share.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

from bcastcli.core.rule import Rule
from bcastcli.rules.frameworks import RULE_OF, WITHOUT_A_RULE, no_command

_CLASSES = {
    "numpy": "numpy.NumPy",
    "onnx": "numpy.OnnxMultidirectional",
    "onnx-uni": "onnx_uni.OnnxUnidirectional",
    "none": "none.Identical",
    "pdpd": "pdpd.Pdpd",
    "bidirectional": "bidirectional.Bidirectional",
    "ncnn": "ncnn.Ncnn",
    "left": "left.Left",
    "same-rank": "same_rank.SameRank",
    "explicit": "explicit.Explicit",
}


# Rules by role. Other packages use these constants, never a rule's name.
USUAL = "numpy"
"""The rule for shapes typed without a command, which most frameworks follow."""
NUMPYS = (USUAL, "onnx")
"""The names of NumPy's rule: any number of arrays, all of which may stretch."""
EITHER_STRETCHES = (*NUMPYS, "left", "same-rank")
"""The rules under which each of two sizes on an axis stretches if it is 1."""
TO_A_TARGET = "onnx-uni"
"""The rule by which an array is broadcast to a given shape, as by broadcast_to."""
ON_AN_AXIS = "pdpd"
"""The rule that puts the second operand on a given axis of the first."""
TO_GIVEN_AXES = "explicit"
"""The rule that takes explicit axes."""
IDENTICAL = "none"
"""The rule under which nothing stretches."""


class _Registry(Mapping[str, Rule]):
    """The rules by name, each imported when it is first looked up."""

    def __init__(self) -> None:
        self._rules: dict[str, Rule] = {}

    def __getitem__(self, name: str) -> Rule:
        rule = self._rules.get(name)
        if rule is None:
            module, _, name_of_class = _CLASSES[name].partition(".")
            found = getattr(import_module(f"bcastcli.rules.{module}"), name_of_class)
            rule = self._rules[name] = found()
        return rule

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


RULES: Mapping[str, Rule] = _Registry()


def names() -> dict[str, str]:
    """The name of the rule that each name means, its own or a framework's."""
    return {**{name: name for name in RULES}, **RULE_OF}


def find(name: str) -> Rule | None:
    """The rule of a name, its own or a framework's, in any case; None if there is none."""
    word = name.lower()
    return RULES.get(RULE_OF.get(word, word))


def completed(start: str) -> list[str]:
    """The rules that begin with a text, or else the frameworks."""
    own = [name for name in RULES if name.startswith(start)]
    return own or [word for word in RULE_OF if word.startswith(start)]


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names that a name may misspell, the likeliest first.

    One wrong letter in five is a misspelling; one in three means another name, such as that of
    another framework.

    >>> nearest("Trch", names()), nearest("executorch", ["torch"]), nearest("qnn", names())
    (['torch'], [], [])
    """
    from difflib import get_close_matches  # rarely needed

    return get_close_matches(name.lower(), [each for each in known if len(each) > 3], cutoff=0.8)


def named(name: str) -> Rule:
    """The rule of a name; raise LookupError, with a suggestion, if there is none."""
    found = find(name)
    if found:
        return found
    if name.lower() in WITHOUT_A_RULE:
        raise LookupError(no_command(name.lower()))
    near = nearest(name, names())
    meant = f"did you mean {near[0]}?" if near else f"the rules are {', '.join(RULES)}"
    raise LookupError(f"there is no rule {name}; {meant}" if name else "no rule was named")
