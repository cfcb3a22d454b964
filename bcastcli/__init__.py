"""bcastcli: the shape calculator for broadcasting rules."""

__version__ = "0.1.0"
