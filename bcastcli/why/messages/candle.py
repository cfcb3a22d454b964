"""candle's messages. The operation decides: those without `broadcast_` take identical shapes."""

from bcastcli.why.messages.reading import MATMUL, Found, Reading

_ALWAYS_ELEMENTWISE = {"cmp", "where_cond"}
"""Those without an operation of their name that stretches."""
_ELEMENTWISE = {
    *("add", "sub", "mul", "div", "maximum", "minimum", "pow"),
    *("eq", "ne", "lt", "le", "gt", "ge", *_ALWAYS_ELEMENTWISE),
}


def operation(reading: Reading, found: Found) -> Reading | None:
    """Derive the rule from the operation; leave out those that do not broadcast."""
    name = reading.operation or ""
    if name == "matmul":
        return reading._replace(rule=MATMUL, caveats=("equal batch axes",))
    if name == "broadcast_matmul":
        return reading._replace(rule=MATMUL)
    if name in _ELEMENTWISE:
        caveats = () if name in _ALWAYS_ELEMENTWISE else ("candle's broadcasts",)
        return reading._replace(rule="none", caveats=caveats)
    return reading if name.startswith("broadcast_") else None
