"""The rules, in the order in which they are listed everywhere."""

from bcastcli.core.answer import Rule
from bcastcli.rules.bidirectional import Bidirectional
from bcastcli.rules.ncnn import Ncnn
from bcastcli.rules.none import Identical
from bcastcli.rules.numpy import NumPy, OnnxMultidirectional
from bcastcli.rules.onnx_uni import OnnxUnidirectional
from bcastcli.rules.pdpd import Pdpd

RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        NumPy(),
        OnnxMultidirectional(),
        OnnxUnidirectional(),
        Identical(),
        Pdpd(),
        Bidirectional(),
        Ncnn(),
    )
}


def by_any_name() -> dict[str, Rule]:
    """The rules by their names, and by what else people may type for them."""
    return {name: rule for rule in RULES.values() for name in (rule.name, *rule.frameworks)}


def named(name: str) -> Rule:
    """The rule that has a name; LookupError, with the nearest ones, if there is none."""
    known = by_any_name()
    word = name.lower()
    if word not in known:
        from difflib import get_close_matches  # rarely needed

        near = dict.fromkeys(known[each].name for each in get_close_matches(word, known))
        meant = (
            f"did you mean {' or '.join(near)}?" if near else f"the rules are {', '.join(RULES)}"
        )
        raise LookupError(f"there is no rule {name}; {meant}" if name else "a rule is missing")
    return known[word]
