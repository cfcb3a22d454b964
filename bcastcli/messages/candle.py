"""candle's messages. The operation decides: those without `broadcast_` take identical shapes."""

from bcastcli.messages.reading import MATMUL, Found, Reading

_ELEMENTWISE = {
    *("add", "sub", "mul", "div", "maximum", "minimum", "pow", "cmp"),
    *("eq", "ne", "lt", "le", "gt", "ge", "where_cond"),
}


def operation(reading: Reading, found: Found) -> Reading | None:
    """Derive the rule from the operation; leave out those that do not broadcast."""
    name = reading.operation or ""
    if name == "matmul":
        return reading._replace(rule=MATMUL, caveats=("equal batch axes",))
    if name == "broadcast_matmul":
        return reading._replace(rule=MATMUL)
    if name in _ELEMENTWISE:
        return reading._replace(rule="none", caveats=("candle's broadcasts",))
    return reading if name.startswith("broadcast_") else None
