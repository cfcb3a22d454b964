"""The rules, in the order in which they are listed everywhere."""

from bcastcli.answers import Rule
from bcastcli.rules.ncnn_binaryop import Ncnn
from bcastcli.rules.onnx_broadcasting import NumPy, OnnxMultidirectional, OnnxUnidirectional
from bcastcli.rules.openvino_bidirectional import Bidirectional
from bcastcli.rules.openvino_elementwise import Identical, Pdpd

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
