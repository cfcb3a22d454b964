"""Code for TensorRT's messages, which are in `catalogue.txt`."""

from bcastcli.why.messages.reading import MATMUL, Found, Reading


def layer(reading: Reading, found: Found) -> Reading:
    """Tell a matrix product from the elementwise layers, and name the node."""
    is_product = reading.operation == "IMatrixMultiplyLayer"
    return reading._replace(rule=MATMUL) if is_product else reading
