"""Words of frameworks whose rule no command follows: what is known of each, in a sentence."""

_SENTENCES = {
    "{}: its elementwise operations stretch sizes of 1 as NumPy does, but only between shapes of "
    "the same rank": (("TensorRT", "tensorrt", "trt"), ("TOSA", "tosa")),
    "{}: it lines up the first axes, not the last ones": (
        ("Julia", "julia"),
        ("MATLAB", "matlab"),
        ("Octave", "octave"),
        ("rray", "rray"),
    ),
    "{}: its elementwise operations take identical shapes, as bcastcli none does, and its "
    "broadcast_in_dim names the axes": (("StableHLO", "stablehlo"), ("XLA", "xla")),
    "{}: its add takes identical shapes, as bcastcli none does, and its broadcast_add follows "
    "NumPy's rule, as bcastcli numpy does": (("candle", "candle"),),
    "{}: it lines up axes by their names, not by their places": (("xarray", "xarray"),),
    "{}: it repeats a size that divides the other one": (("ggml", "ggml", "llama.cpp"),),
    "{}: the elementwise operations of its model language (MIL) follow NumPy's rule, as bcastcli "
    "numpy does": (("Core ML", "coreml", "coremltools", "mil"),),
}

WITHOUT_A_COMMAND = {
    word: f"there is no command for {text.format(name)}"
    for text, frameworks in _SENTENCES.items()
    for name, *words in frameworks
    for word in words
}
"""A sentence for each word, in lower case."""
