"""Constraints between the shapes of an operator's inputs, for known sizes.

`_EQUATIONS` is the table: which sizes must be equal, or a multiple. Anything beyond that has a
function, in `constraints` and `special`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from bcastcli.core.alignment import letters
from bcastcli.core.amounts import elsewhere
from bcastcli.operators.constraints import CONSTRAINTS
from bcastcli.operators.facts import Clash, Facts, Refused, Unknown
from bcastcli.operators.special import SPECIAL
from bcastcli.operators.table import signatures


def clashes(facts: Facts) -> Iterator[Clash]:
    """Yield why the inputs of an operator with its own constraints are impossible."""
    facts = with_names(facts)
    for check in (_equations, _FUNCTIONS.get(facts.operator)):
        try:
            yield from check(facts) if check else ()
        except Refused as error:
            yield error.clash
        except Unknown:
            pass
        except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
            pass  # the operator does not take such an attribute


def with_names(facts: Facts) -> Facts:
    """Return facts in which each input has a name."""
    count = max(len(facts.shapes), len(facts.values))
    usual = _default_names(facts.operator, count)
    return facts._replace(names=[*facts.names, *usual[len(facts.names) :]])


def _default_names(operator: str, count: int) -> Sequence[str]:
    """Return names for the inputs that have none: those of ONNX, or A, B and so on."""
    if operator == "Einsum":  # a single letter would look like an axis
        return _ORDINALS[:count] + tuple(f"operand {place + 1}" for place in range(4, count))
    known = signatures().get(operator)
    own = known.inputs if known else ()
    in_equations = tuple(_EQUATIONS.get(operator, ("",))[0].split())
    if not known or {*in_equations} & {*known.attributes}:  # inputs that lines have as values
        own = in_equations
    if known and known.is_variadic:
        own = ()
    return (*own, *letters(count)[len(own) :])[:count]


_ORDINALS = ("the first", "the second", "the third", "the fourth")


_STATES = tuple(
    f"initial_{state}{size}"
    for state in "hc"
    for size in ("[0] = W[0]", "[1] = X[1/3]", "[2] = hidden_size")
)


def _recurrent(gates: int) -> tuple[str, ...]:
    """Return the row of a recurrent network with this number of gates."""
    return (
        "X W R B sequence_lens initial_h initial_c P",
        "X[2/3] = W[2]", f"W[1] = hidden_size * {gates}", f"R[1] = hidden_size * {gates}",
        "R[2] = hidden_size", f"B[1] = hidden_size * {2 * gates}",
        *("R[0] = W[0]", "B[0] = W[0]", "sequence_lens[0] = X[1/3]"), *_STATES,
    )  # fmt: skip


_NORMALIZATION = ("X scale B mean var", "scale[0] = X[1]", "B[0] = X[1]", "mean[0] = X[1]",
                  "var[0] = X[1]")  # fmt: skip
_CONVOLUTION = "X[1] = W[1] * group", "W[0] % group", "B[0] = W[0]"
_OF_FEATURES = (
    "LinearClassifier", "LinearRegressor", "SVMClassifier", "SVMRegressor", "Scaler",
    "TreeEnsembleClassifier", "TreeEnsembleRegressor",
)  # fmt: skip
_SKIP = "skip[-1] = X[-1]", "skip[-2] = X[-2]", "gamma[0] = X[-1]", "bias[0] = X[-1]"

# For each operator its inputs, and equations of their sizes: products of NAME[AXIS], numbers, and
# attributes, which are 1 if they are left out. `1=`: equal, or 1. `[2/3]`: axis 2, if there are 3.
_EQUATIONS: Mapping[str, tuple[str, ...]] = {
    "Attention": (
        "Q K V attn_mask past_key past_value", "K[0] = Q[0]", "V[0] = Q[0]", "V[1/4] = K[1/4]",
        "V[-2] = K[-2]", "K[3/4] = Q[3/4]", "Q[1/4] % K[1/4]", "Q[2/3] % q_num_heads",
        "K[2/3] % kv_num_heads", "V[2/3] % kv_num_heads", "past_key[0] = Q[0]",
        "past_key[1] = K[1/4]", "past_key[3] = K[3/4]", "past_value[0] = Q[0]",
        "past_value[1] = V[1/4]", "past_value[2] = past_key[2]", "past_value[3] = V[3/4]",
    ),
    "Conv": ("X W B", *_CONVOLUTION),
    "ConvInteger": ("X W", "X[1] = W[1] * group"),
    "QLinearConv": ("X x_scale x_zero W w_scale w_zero y_scale y_zero B", *_CONVOLUTION),
    "MatMulInteger": ("A B a_zero_point b_zero_point",),
    "QLinearMatMul": ("a a_scale a_zero b b_scale b_zero y_scale y_zero",),
    "ConvTranspose": ("X W B", "X[1] = W[0]", "X[1] % group", "B[0] = W[1] * group"),
    "BatchNormalization": _NORMALIZATION,
    "InstanceNormalization": _NORMALIZATION,
    "RNN": _recurrent(1),
    "GRU": _recurrent(3),
    "LSTM": _recurrent(4),
    "GroupNormalization": ("X scale B", "X[1] % num_groups", "scale[0] 1= X[1]", "B[0] 1= X[1]"),
    "NonMaxSuppression": (
        "boxes scores", "boxes[2] = 4", "boxes[0] = scores[0]", "boxes[1] = scores[2]",
    ),
    "OneHot": ("indices depth values", "values[0] = 2"),
    "RotaryEmbedding": (
        "X cos sin ids", "cos[0/3] = X[0]", "cos[1/3] = X[1/3]", "cos[1/3] = X[2/4]",
        "sin[0] = cos[0]", "sin[1] = cos[1]", "sin[2/3] = cos[2/3]", "ids[0] = X[0]",
        "ids[1] = X[1/3]", "ids[1] = X[2/4]",
    ),
    "RoiAlign": ("X rois batch_indices", "rois[1] = 4", "batch_indices[0] = rois[0]"),
    "Col2Im": ("input image_shape block_shape",),
    "DFT": ("input",),
    "SoftmaxCrossEntropyLoss": ("scores labels",),
    "STFT": ("signal frame_step window frame_length",),
    "ReverseSequence": ("input sequence_lens",),
    "MaxUnpool": ("X I",),
    "ConcatFromSequence": ("",),
    "GridSample": ("X grid", "grid[0] = X[0]"),
    "DepthToSpace": ("X", "X[1] % blocksize * blocksize"),
    "SpaceToDepth": ("X", "X[2] % blocksize", "X[3] % blocksize"),
    **{f"ai.onnx.ml::{name}": ("X",) for name in _OF_FEATURES},
    "ai.onnx.ml::ArrayFeatureExtractor": ("X Y",),
    "ai.onnx.ml::FeatureVectorizer": ("",),
    "com.microsoft::QLinearConcat": ("",),
    "com.microsoft::FusedConv": ("X W B Z", *_CONVOLUTION),
    "com.microsoft::DynamicQuantizeLSTM": (
        "X W R B sequence_lens initial_h initial_c", "X[2/3] = W[1]", "W[2] = hidden_size * 4",
        "R[2] = hidden_size * 4", "R[1] = hidden_size", "R[0] = W[0]", "B[0] = W[0]",
        "B[1] = hidden_size * 8", "sequence_lens[0] = X[1/3]", *_STATES,
    ),
    "com.microsoft::Attention": (
        "input weights bias", "input[2] = weights[0]", "bias[0] = weights[1]",
    ),
    "com.microsoft::EmbedLayerNormalization": (
        "input_ids segment_ids word position segment gamma beta",
        "segment_ids[0] = input_ids[0]", "segment_ids[1] = input_ids[1]",
        "gamma[0] = word[1]", "beta[0] = word[1]",
    ),
    "com.microsoft::MultiHeadAttention": (
        "query key value", "query[2/3] % num_heads", "key[0/3] = query[0/3]",
        "value[0/3] = query[0/3]", "key[2/3] = query[2/3]", "value[1/3] = key[1/3]",
    ),
    "com.microsoft::MatMulNBits": ("A", "A[-1] = K"),
    "com.microsoft::BiasGelu": ("X bias", "bias[0] = X[-1]"),
    "com.microsoft::FastGelu": ("X bias", "bias[0] = X[-1]"),
    "com.microsoft::SkipLayerNormalization": ("X skip gamma beta bias", *_SKIP, "beta[0] = X[-1]"),
    "com.microsoft::SkipSimplifiedLayerNormalization": ("X skip gamma bias", *_SKIP),
}  # fmt: skip
_UP_TO: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "GroupNormalization": (
        20,
        ("X scale B", "X[1] % num_groups", "scale[0] 1= num_groups", "B[0] 1= num_groups"),
    )
}
"""The last opset in which other equations held, and these."""
_TERM = re.compile(r"(\w+)(?:\[(-?\w+)(?:/(\d))?\])?")
_FUNCTIONS = {**CONSTRAINTS, **SPECIAL}
CHECKED = frozenset({*_EQUATIONS, *_FUNCTIONS})
"""The operators with constraints of their own; those that broadcast have their rules."""


def _equations(facts: Facts) -> Iterator[Clash]:
    """Yield the equations of the table that do not hold."""
    # Other layouts: of recurrent networks, and of an old normalization of each position.
    if facts.attributes.get("layout") or facts.attributes.get("spatial") == 0:
        return
    last, older = _UP_TO.get(facts.operator, (0, ()))
    row = older if facts.opset <= last else _EQUATIONS.get(facts.operator, ("",))
    inputs, *equations = row
    places = {name: place for place, name in enumerate(inputs.split())}
    for equation in equations:
        left, sign, right = re.split(r" (1?=|%) ", equation)
        try:
            (size, owner, axis), wanted = _product(left, facts, places), 1
            words: dict[str, None] = {}
            for term in right.split(" * "):
                factor, word, _ = _product(term, facts, places)
                wanted *= factor
                if "[" in term or (factor != 1 and not term.isdecimal()):
                    words[word] = None  # an attribute of 1 changes nothing
        except Unknown:
            continue
        asks = " and ".join(words) or facts.operator
        at_fault = tuple(places[each] for each in re.findall(r"(\w+)\[", equation))
        if (sign == "=" or (sign == "1=" and size != 1)) and size != wanted:
            verb = "need" if len(words) > 1 else "needs"
            where = "" if at_fault[0] else elsewhere(wanted, facts.shape(0), axis)
            text = f"{owner} has {size} on axis {axis}, and {asks} {verb} {wanted}{where}"
            yield Clash(text, axis, at_fault)
        if sign == "%" and wanted and size % wanted:
            text = f"{owner} has {size} on axis {axis}, not a multiple of {wanted} ({asks})"
            yield Clash(text, axis, at_fault)


def _product(term: str, facts: Facts, places: Mapping[str, int]) -> tuple[int, str, int]:
    """Return the value of a term, its owner in words, and its axis; raise Unknown if it is open."""
    [(name, index, rank)] = _TERM.findall(term)
    if name.isdecimal():
        return int(name), name, 0
    if not index:
        if name == "hidden_size" and name not in facts.attributes:  # it has no default
            raise Unknown
        number = int(facts.attributes.get(name, 1))
        return number, f"{name}={number}", 0
    place = places[name]
    shape = facts.shape(place)
    axis = int(index)
    has_rank = not rank or len(shape) == int(rank)
    if not facts.names[place] or not has_rank or not -len(shape) <= axis < len(shape):
        raise Unknown
    size = shape[axis]
    if not isinstance(size, int):
        raise Unknown
    return size, facts.names[place], axis % len(shape)
