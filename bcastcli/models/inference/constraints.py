"""What the shapes of a node must satisfy, operator by operator, where their sizes are known.

`_EQUATIONS` is the table: which sizes must be equal, or a multiple. What depends on values has a
function each, in `values`. onnx's own inference checks some of it, and says less.
"""

import re
from collections.abc import Mapping
from typing import Any

import onnx.helper

from bcastcli.models.inference.facts import Clash, Facts, Unknown
from bcastcli.models.inference.folding import Scope
from bcastcli.models.inference.protos import DOMAINS, shape
from bcastcli.models.inference.values import CHECKS


def clash(node: Any, scope: Scope, opset: int) -> Clash | None:
    """Return why a node's shapes cannot be; None where nothing speaks against them."""
    operator = node.op_type if node.domain in DOMAINS else f"{node.domain}::{node.op_type}"
    if operator not in _EQUATIONS and operator not in CHECKS:
        return None
    facts = Facts(
        operator,
        opset,
        list(node.input),
        [shape(scope.types.get(name)) if name else None for name in node.input],
        [scope.constants.get(name) for name in node.input],
        {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute},
        len(node.output),
    )
    check = CHECKS.get(facts.operator)
    try:
        return _equations(facts) or (next(check(facts), None) if check else None)
    except Unknown:
        return None
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
        return None  # an attribute is not what the operator takes


# Sizes that must be equal


def _recurrent(gates: int) -> tuple[str, ...]:
    """Return the row of a recurrent network with so many gates."""
    return (
        "X W R B sequence_lens initial_h initial_c P",
        "X[2] = W[2]", f"W[1] = hidden_size * {gates}", f"R[1] = hidden_size * {gates}",
        "R[2] = hidden_size", f"B[1] = hidden_size * {2 * gates}",
        *("R[0] = W[0]", "B[0] = W[0]", "sequence_lens[0] = X[1]"),
        *("initial_h[0] = W[0]", "initial_h[1] = X[1]", "initial_h[2] = hidden_size"),
        *("initial_c[0] = W[0]", "initial_c[1] = X[1]", "initial_c[2] = hidden_size"),
    )  # fmt: skip


_NORMALIZATION = ("X scale B mean var", "scale[0] = X[1]", "B[0] = X[1]", "mean[0] = X[1]",
                  "var[0] = X[1]")  # fmt: skip
_CONVOLUTION = "X[1] = W[1] * group", "W[0] % group", "B[0] = W[0]"
_SKIP = (
    "skip[-1] = X[-1]", "skip[-2] = X[-2]",
    "gamma[0] = X[-1]", "beta[0] = X[-1]", "bias[0] = X[-1]",
)  # fmt: skip

# For each operator its inputs, and what holds of their sizes: products of NAME[AXIS], numbers, and
# attributes, which are 1 if they are left out.
_EQUATIONS: Mapping[str, tuple[str, ...]] = {
    "Conv": ("X W B", *_CONVOLUTION),
    "ConvInteger": ("X W", "X[1] = W[1] * group"),
    "QLinearConv": ("X x_scale x_zero W w_scale w_zero y_scale y_zero B", *_CONVOLUTION),
    "ConvTranspose": ("X W B", "X[1] = W[0]", "X[1] % group", "B[0] = W[1] * group"),
    "BatchNormalization": _NORMALIZATION,
    "InstanceNormalization": _NORMALIZATION,
    "RNN": _recurrent(1),
    "GRU": _recurrent(3),
    "LSTM": _recurrent(4),
    "GroupNormalization": ("X", "X[1] % num_groups"),
    "GridSample": ("X grid", "grid[0] = X[0]"),
    "DepthToSpace": ("X", "X[1] % blocksize * blocksize"),
    "SpaceToDepth": ("X", "X[2] % blocksize", "X[3] % blocksize"),
    "Attention": (
        "Q K V mask past_key past_value",
        "K[0] = Q[0]", "V[0] = Q[0]", "V[1] = K[1]", "V[-2] = K[-2]", "K[3] = Q[3]",
        "past_key[0] = Q[0]",
        "past_value[0] = Q[0]", "past_value[2] = past_key[2]",
    ),
    "com.microsoft::BiasGelu": ("X bias", "bias[0] = X[-1]"),
    "com.microsoft::FastGelu": ("X bias", "bias[0] = X[-1]"),
    "com.microsoft::SkipLayerNormalization": ("X skip gamma beta bias", *_SKIP),
    "com.microsoft::SkipSimplifiedLayerNormalization": ("X skip gamma bias", *_SKIP),
}  # fmt: skip
_TERM = re.compile(r"(\w+)(?:\[(-?\w+)\])?")


def _equations(facts: Facts) -> Clash | None:
    """Return the first equation of the table that does not hold."""
    # Other layouts: of recurrent networks, and of an old normalization of each position.
    if facts.attributes.get("layout") or facts.attributes.get("spatial") == 0:
        return None
    inputs, *equations = _EQUATIONS.get(facts.operator, ("",))
    places = {name: place for place, name in enumerate(inputs.split())}
    for equation in equations:
        left, sign, right = re.split(r" ([=%]) ", equation)
        try:
            (size, what, axis), wanted = _product(left, facts, places), 1
            words: dict[str, None] = {}
            for term in right.split(" * "):
                factor, word, _ = _product(term, facts, places)
                wanted *= factor
                if "[" in term or (factor != 1 and not term.isdecimal()):
                    words[word] = None  # an attribute of 1 changes nothing
        except Unknown:
            continue
        asks = " and ".join(words or [right])
        if sign == "=" and size != wanted:
            verb = "needs" if len(words) == 1 else "need"
            return Clash(f"{what} has {size} on axis {axis}, and {asks} {verb} {wanted}", axis)
        if sign == "%" and wanted and size % wanted:
            told = f"{what} has {size} on axis {axis}, no multiple of {wanted} ({asks})"
            return Clash(told, axis)
    return None


def _product(term: str, facts: Facts, places: Mapping[str, int]) -> tuple[int, str, int]:
    """Return the number of a term, in words what has it, and its axis; raise Unknown if open."""
    [(name, index)] = _TERM.findall(term)
    if name.isdecimal():
        return int(name), name, 0
    if not index:
        number = int(facts.attributes.get(name, 1))
        return number, f"{name}={number}", 0
    place = places[name]
    shape = facts.shape(place)
    axis = int(index)
    if not facts.names[place] or not -len(shape) <= axis < len(shape):
        raise Unknown
    size = shape[axis]
    if not isinstance(size, int):
        raise Unknown
    return size, facts.names[place], axis % len(shape)
